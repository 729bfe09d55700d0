"""Everything a user may tune, as frozen dataclasses: valid or not made, and usable as cache keys.

What a field is called, what it does, and its least and most are in data/settings.csv: the terminal makes its options of
them, the app its widgets.
"""

import csv
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Annotated, Any, Literal, TypeVar, dataclass_transform, get_args, get_origin

from backlink_audit.errors import InvalidSetting

DEFAULT_MODEL = "all-MiniLM-L6-v2"
"""The model for the pages of one site, where a long text counts."""
LINKS_MODEL = "use-multilingual-v3"
"""The model for backlinks, whose titles are short and in many languages: docs/decisions/models.md."""

SubjectFrom = Literal["both", "pages", "links"]

LinkText = Literal["subject", "title", "url-words", "url", "url-tokens"]
LINK_TEXTS: tuple[LinkText, ...] = ("subject", "title", "url-words", "url", "url-tokens")
ChosenLinks = Literal["live", "live in content", "everything"]
CHOSEN_LINKS: tuple[ChosenLinks, ...] = ("live", "live in content", "everything")
Authority = Literal["UR", "DR"]
PageText = Literal["h1", "title", "content", "title+content"]
PAGE_TEXTS: tuple[PageText, ...] = ("h1", "title", "content", "title+content")
Order = Literal["editorial", "similarity"]
RatingLimits = tuple[tuple[str, float], ...]
"""Limits of ratings by name, as (("DR", 40.0),): those that differ from the ratings' own (`judgement.scales`)."""
ORDERS: tuple[Order, ...] = ("editorial", "similarity")
Served = Literal["sure", "likely", "choose"]
SERVED: tuple[Served, ...] = ("sure", "likely", "choose")
T = TypeVar("T")
ModelName = Annotated[
    str, "The embedding model; `models` shows the list. Or your own model: a folder, or owner/name on Hugging Face."
]


def require_between(name: str, value: float, low: float, high: float) -> None:
    """Raise InvalidSetting unless low <= value <= high."""
    if not low <= value <= high:
        raise InvalidSetting(f"{name} must be between {low:.12g} and {high:.12g}, not {value}.")


@dataclass(frozen=True)
class Asked:
    """How a field is asked for: its label, a sentence on what it does, its range, and the words of its choices.

    `help`: what the app says instead of the sentence, which may speak of the terminal.
    """

    label: str
    help: str
    least: float | None
    most: float | None
    step: float | None
    placeholder: str
    words: Mapping[str, str]
    choices: tuple[Any, ...] = ()

    def check(self, value: Any) -> None:
        """Raise InvalidSetting where a value is none of the choices, or out of the range."""
        if self.choices and value not in self.choices:
            offered = ", ".join(str(one) for one in self.choices if one is not None)
            raise InvalidSetting(f"{self.label} must be one of {offered}, not {value!r}.")
        if self.least is not None and self.most is not None and value is not None:
            require_between(self.label, value, self.least, self.most)


with (files("backlink_audit") / "data" / "settings.csv").open(encoding="utf-8") as _lines:
    _ROWS = {(row["settings"], row["field"]): row for row in csv.DictReader(_lines)}


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def settings(kind: type[T]) -> type[T]:
    """Make a class a frozen dataclass whose fields carry what data/settings.csv says of them, and are checked by it."""
    further = kind.__dict__.get("__post_init__")
    described = {}
    for name, hint in kind.__annotations__.items():
        if row := _ROWS.get((kind.__name__, name)):
            described[name] = _asked(row, hint)
            kind.__annotations__[name] = Annotated[hint, row["sentence"], described[name]]

    def check(self: T) -> None:
        for name, asked in described.items():
            asked.check(getattr(self, name))
        if further:
            further(self)

    kind.__post_init__ = check  # type: ignore[attr-defined]
    return dataclass(frozen=True)(kind)


def asked(kind: type, name: str) -> Asked:
    """Return how a field of settings is asked for."""
    [_, _, found] = get_args(kind.__annotations__[name])
    return found


def _asked(row: Mapping[str, str], hint: Any) -> Asked:
    kinds = (hint, *get_args(hint))
    numbers = [row[name] for name in ("least", "most", "step")]
    number = float if any("." in text for text in numbers) else int
    least, most, step = (number(text) if text else None for text in numbers)
    words = dict(part.split("=", 1) for part in row["words"].split(" | ") if part)
    choices = next((get_args(one) for one in kinds if get_origin(one) is Literal), ())
    blank = (None,) if choices and type(None) in kinds else ()
    help_text = row["help"] or row["sentence"]
    return Asked(row["label"], help_text, least, most, step, row["placeholder"], words, (*blank, *choices))


@settings
class ModelSettings:
    """By which model rows are found."""

    model: ModelName = LINKS_MODEL


@settings
class BacklinkFilters:
    """Which rows are no backlinks to score. They never depend on what a link is like: see `LinkChoice`."""

    web_urls: bool = True
    repeats: bool = True

    @classmethod
    def none(cls) -> "BacklinkFilters":
        """Keep every row."""
        return cls(web_urls=False, repeats=False)


@settings
class LinkChoice:
    """Whose figures are shown: a choice over a finished result, which needs no new run."""

    links: ChosenLinks = "live"
    one_per_domain: bool = False
    without_attacks: bool = False


EVERYTHING = LinkChoice("everything")


@settings
class PageFilters:
    """Which crawled pages are set aside."""

    not_html: bool = True
    not_ok: bool = True
    not_indexable: bool = True
    duplicates: bool = True
    paginated: bool = True
    parameters: bool = True


@settings
class BandLimits:
    """Lowest relevance (0-100) that counts as relevant, and as weak. How they were chosen: docs/judgement.md."""

    relevant: float = 57.0
    weak: float = 30.0

    def __post_init__(self) -> None:
        require_between("The minimum relevance of weak links", self.weak, 0, self.relevant)
        require_between("The minimum relevance of relevant links", self.relevant, self.weak, 100)


@settings
class VerdictLimits:
    """The limits between verdicts. Percentiles 0-100; ratings 0-100, each on its own scale (`judgement.scales`)."""

    strong_percentile: float = 65
    strong_from: RatingLimits = ()
    page_traffic: float = 100
    undervalued_below: RatingLimits = ()
    worth: float = 70
    relevant_worth: float = 52
    strong_worth: float = 85
    suspicion: float = 50
    many_signals: int = 3
    review_signals: int = 2
    copies: int = 5

    def __post_init__(self) -> None:
        for rating, limit in (*self.undervalued_below, *self.strong_from):
            require_between(f"The limit of {rating}", limit, 0, 100)
        require_between("The minimum worth", self.worth, 0, self.strong_worth)
        require_between("The minimum worth of a relevant page", self.relevant_worth, 0, self.worth)
        require_between("The minimum worth of a strong link", self.strong_worth, self.worth, 100)


@settings
class RiskLimits:
    """From where a fact counts as a risk signal."""

    toxic_score: float = 60
    maybe_toxic_score: float = 45
    external_links: int = 500
    same_anchor_domains: int = 10
    same_keyword_sites: int = 3
    same_title_domains: int = 3
    sitewide_pages: int = 20

    def __post_init__(self) -> None:
        require_between("Potentially toxic score", self.maybe_toxic_score, 1, self.toxic_score)


@settings
class AuditSettings:
    """How backlinks are cleaned, compared and judged."""

    model: ModelName = LINKS_MODEL
    link_text: LinkText = "subject"
    subject_from: SubjectFrom = "both"
    authority: Authority = "UR"
    log_dilution: bool = False
    followed_only: bool = False
    original_columns: bool = False
    filters: BacklinkFilters = field(default_factory=BacklinkFilters)
    bands: BandLimits = field(default_factory=BandLimits)
    verdicts: VerdictLimits = field(default_factory=VerdictLimits)
    risk: RiskLimits = field(default_factory=RiskLimits)


@settings
class InterlinkSettings:
    """How internal link opportunities are found. Path filters look for literal text in a URL's path and query."""

    model: ModelName = DEFAULT_MODEL
    text: PageText | None = None
    columns: tuple[str, ...] = ()
    order: Order = "editorial"
    per_page: int = 15
    per_target: int | None = None
    min_similarity: float | None = None
    page_kinds: bool = True
    near_duplicate: float = 0.95
    content_links_only: bool = True
    across_languages: bool = False
    source_contains: str = ""
    source_excludes: str = ""
    target_contains: str = ""
    target_excludes: str = ""
    brands: tuple[str, ...] | None = None
    filters: PageFilters = field(default_factory=PageFilters)

    @property
    def least_similarity(self) -> float:
        """The least cosine of a suggestion."""
        return 0.5 if self.min_similarity is None else self.min_similarity


@settings
class ClusterSettings:
    """How pages are clustered.

    `k` None: chosen by silhouette over `k_range`; `k_range` None: around a number that grows with the site.
    """

    model: ModelName = DEFAULT_MODEL
    text: PageText | None = None
    columns: tuple[str, ...] = ()
    k: int | None = None
    k_range: tuple[int, int] | None = None
    name_words: int = 4
    across_languages: bool = False
    seed: int = 0
    brands: tuple[str, ...] | None = None
    filters: PageFilters = field(default_factory=PageFilters)

    def __post_init__(self) -> None:
        if self.k_range is not None:
            require_between("The minimum of the k range", self.k_range[0], 2, self.k_range[1])


@settings
class RedirectSettings:
    """How old pages are matched with new ones, and which redirects the file of redirect rules has."""

    model: ModelName = DEFAULT_MODEL
    served: Served = "likely"
    brands: tuple[str, ...] | None = None
    query_urls: bool = True


@settings
class GapSettings:
    """Which referring domains of competitors count as prospects.

    What an export does not have sets no domain aside, unless `keep_unknown_authority` is off. Links outside the
    content count: a site that links to us from its footer is no prospect.
    """

    model: ModelName = LINKS_MODEL
    min_authority: RatingLimits = ()
    keep_unknown_authority: bool = True
    followed_only: bool = False
    in_content_only: bool = False
    by_visitors: bool = False

    def __post_init__(self) -> None:
        for rating, limit in self.min_authority:
            require_between(f"The minimum {rating}", limit, 0, 100)


@settings
class AuthoritySettings:
    """How the authority of a site flows through its links."""

    model: ModelName = DEFAULT_MODEL
    outside_content: float = 0.3

    tried_per_page: int = 3


@settings
class WatchLimits:
    """From which figures a new snapshot is worth a message."""

    protect_lost: int = 1
    risk_share: float = 0.25
    dominant_anchor: float = 0.15
    spike: float = 3.0


@settings
class InlinkSettings:
    """How the links that a site has already are judged."""

    model: ModelName = DEFAULT_MODEL
    text: PageText | None = None
    content_only: bool = True
    off_topic_below: float = 10
    same_anchor: int = 200


@settings
class CheckSettings:
    """How referring pages are asked."""

    pace: float = 2.0
    max_age: float = 30.0
    about: str = ""

    def __post_init__(self) -> None:
        _require_plain_address(self.about)


@settings
class CrawlSettings:
    """How the pages of one's own site are asked."""

    limit: int = 10_000
    pace: float = 2.0
    local: bool = False
    about: str = ""

    def __post_init__(self) -> None:
        require_between("The seconds between two requests", self.pace, 0 if self.local else 1, 3600)
        _require_plain_address(self.about)


def _require_plain_address(about: str) -> None:
    if not about.isascii() or not about.isprintable() or " " in about:
        raise InvalidSetting(f"The web address about you must be a plain URL, not {about!r}.")
