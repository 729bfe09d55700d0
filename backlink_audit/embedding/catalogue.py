"""The catalogue of models: what each is good for, what it needs, and exactly which weights are meant.

Revisions are the hub's commit hashes. `None` means that no hash is known to be right; such a model follows the
hub's main branch, and its vectors are still never mixed with those of other weights (the cache looks at the files).
Languages and longest inputs (in tokens) are those of the models' cards; sizes are those of the weight files.
"""

import tomllib
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Literal

from backlink_audit.errors import InvalidSetting

Pooling = Literal["mean", "cls", "lasttoken"]
Network = Literal["transformer", "universal"]  # A transformer runs on torch, a Universal Sentence Encoder on NumPy


@dataclass(frozen=True)
class Model:
    """One model: where it comes from, what it takes, what it is good for.

    Every vector is scaled to length 1, whatever the model itself does. `prompt` is put before every text: all our
    comparisons are between two sides of the same kind, so the symmetric prompt of a model's card is the one used.
    """

    name: str
    repo: str | None  # Where the hub has it; None for a model that is made on this machine
    revision: str | None
    dimensions: int
    size_mb: int
    languages: str  # In words
    longest_input: int
    good_for: str
    pooling: Pooling = "mean"
    prompt: str = ""
    network: Network = "transformer"
    package: str | None = None  # Name of the installed Python package that carries the weights, if one does
    package_folder: str = "model"  # Where in the package they are
    sha256: str | None = None  # Of the file model.safetensors; checked where given
    package_sha256: tuple[tuple[str, str], ...] = ()
    """Of the package's files that decide a vector, besides model.safetensors. Checked there."""
    packed: str | None = None  # The package's file of 4-bit weights, where they have to be unpacked first (`four_bits`)
    packed_sha256: str | None = None
    teacher: str | None = None
    """Name of the model that this one is distilled from: a table of word vectors instead of a network."""
    language_codes: str = ""  # Of the languages that it knows, where these are few and not English alone
    folder: str | None = None  # Where the files lie, of a model that is not in the catalogue (`own_models`)
    is_own: bool = False  # Whether it is not in the catalogue

    @property
    def needs_torch(self) -> bool:
        return self.network == "transformer" and self.teacher is None

    @property
    def english_only(self) -> bool:
        return self.languages == "English"

    @property
    def few_languages(self) -> frozenset[str] | None:
        return frozenset(self.language_codes.split()) or (frozenset({"en"}) if self.english_only else None)


def _model(entry: dict[str, Any]) -> Model:
    hashes = tuple((name, sha256) for name, sha256 in entry.pop("package_sha256", ()))
    return Model(**{"repo": None, "revision": None, **entry}, package_sha256=hashes)


MODELS = tuple(
    map(_model, tomllib.loads((files("backlink_audit.embedding") / "models.toml").read_text("utf-8"))["model"])
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
