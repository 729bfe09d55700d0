"""Everything a user may tune, as frozen dataclasses: valid or not made, and usable as cache keys."""

from dataclasses import dataclass, field
from typing import ClassVar, Literal

from backlink_audit.errors import InvalidSetting

DEFAULT_MODEL = "all-MiniLM-L6-v2"

LinkText = Literal["evidence", "title", "url-words", "url", "url-tokens"]
LINK_TEXTS: tuple[LinkText, ...] = ("evidence", "title", "url-words", "url", "url-tokens")
Authority = Literal["UR", "DR"]
PageText = Literal["h1", "title", "content", "title+content"]
PAGE_TEXTS: tuple[PageText, ...] = ("h1", "title", "content", "title+content")
Order = Literal["editorial", "similarity"]
RatingLimits = tuple[tuple[str, float], ...]
"""Limits of ratings by name, as (("DR", 40.0),): those that differ from the ratings' own (`analysis.scales`)."""
ORDERS: tuple[Order, ...] = ("editorial", "similarity")


def require_one_of(name: str, value: object, allowed: tuple[object, ...]) -> None:
    """Raise InvalidSetting unless `value` is one of `allowed`."""
    if value not in allowed:
        raise InvalidSetting(f"{name} is {value!r}, but must be one of {', '.join(map(str, allowed))}.")


def require_between(name: str, value: float, low: float, high: float) -> None:
    """Raise InvalidSetting unless low <= value <= high."""
    if not low <= value <= high:
        raise InvalidSetting(f"{name} is {value}, but must be between {low} and {high}.")


@dataclass(frozen=True)
class BacklinkFilters:
    """Which backlinks are set aside before scoring (definitions: docs/definitions.md, cleaning)."""

    web_urls: bool = True
    repeats: bool = True
    lost: bool = True
    dead_pages: bool = True
    outside_content: bool = True
    one_per_domain: bool = False

    @classmethod
    def none(cls) -> "BacklinkFilters":
        """Keep every row."""
        return cls(web_urls=False, repeats=False, lost=False, dead_pages=False, outside_content=False)


@dataclass(frozen=True)
class PageFilters:
    """Which crawled pages are set aside."""

    not_html: bool = True
    not_ok: bool = True
    not_indexable: bool = True
    duplicates: bool = True
    paginated: bool = False
    parameters: bool = False


@dataclass(frozen=True)
class BandLimits:
    """Lowest relevance (0-100) that counts as relevant, and as weak. How they were chosen: docs/definitions.md."""

    relevant: float = 97.0
    weak: float = 85.0

    def __post_init__(self) -> None:
        """Check the order of the limits."""
        require_between("The limit of weak", self.weak, 0, self.relevant)
        require_between("The limit of relevant", self.relevant, self.weak, 100)


@dataclass(frozen=True)
class VerdictLimits:
    """The limits between verdicts. Percentiles 0-100; ratings 0-100, each on its own scale (`analysis.scales`)."""

    reclaim_percentile: float = 75
    protect_percentile: float = 75
    undervalued_below: RatingLimits = ()
    strong_from: RatingLimits = ()
    review_signals: int = 2

    def __post_init__(self) -> None:
        """Check the ranges."""
        for name in ("reclaim_percentile", "protect_percentile"):
            require_between(name, getattr(self, name), 0, 100)
        for rating, limit in (*self.undervalued_below, *self.strong_from):
            require_between(f"The limit of {rating}", limit, 0, 100)
        require_between("review_signals", self.review_signals, 1, 9)


@dataclass(frozen=True)
class RiskLimits:
    """From where a fact counts as a risk signal."""

    toxic_score: float = 60
    maybe_toxic_score: float = 45
    external_links: int = 500
    same_anchor_domains: int = 10
    same_title_domains: int = 3
    sitewide_pages: int = 20

    RANGES: ClassVar[dict[str, tuple[int, int]]] = {
        "toxic_score": (1, 100),
        "maybe_toxic_score": (1, 100),
        "external_links": (1, 1_000_000),
        "same_anchor_domains": (2, 1_000_000),
        "same_title_domains": (2, 1_000_000),
        "sitewide_pages": (2, 1_000_000),
    }
    """The least and the most of each. What only one domain or page has is shared with nobody, so those begin at two."""

    def __post_init__(self) -> None:
        """Check the ranges, and the order of the two scores."""
        for name, (low, high) in self.RANGES.items():
            require_between(name.replace("_", " ").capitalize(), getattr(self, name), low, high)
        require_between("Maybe toxic score", self.maybe_toxic_score, 1, self.toxic_score)


@dataclass(frozen=True)
class AuditSettings:
    """How backlinks are cleaned, compared and judged."""

    model: str = DEFAULT_MODEL
    link_text: LinkText = "evidence"
    authority: Authority = "UR"
    log_dilution: bool = False
    followed_only: bool = False
    original_columns: bool = False
    filters: BacklinkFilters = field(default_factory=BacklinkFilters)
    bands: BandLimits = field(default_factory=BandLimits)
    verdicts: VerdictLimits = field(default_factory=VerdictLimits)
    risk: RiskLimits = field(default_factory=RiskLimits)

    def __post_init__(self) -> None:
        """Check the choices."""
        require_one_of("The link text", self.link_text, LINK_TEXTS)
        require_one_of("The authority", self.authority, ("UR", "DR"))


@dataclass(frozen=True)
class InterlinkSettings:
    """How internal link opportunities are found. Path filters hold if a URL's path and query hold the literal text."""

    model: str = DEFAULT_MODEL
    text: PageText | None = None
    """None: title and content where the crawl has content, else the H1."""
    columns: tuple[str, ...] = ()
    """Columns of the file whose cells, joined, stand for a page in place of `text`."""
    order: Order = "editorial"
    per_page: int = 15
    per_target: int | None = None
    min_similarity: float = 0.5
    near_duplicate: float = 0.95
    content_links_only: bool = True
    source_contains: str = ""
    source_excludes: str = ""
    target_contains: str = ""
    target_excludes: str = ""
    brands: tuple[str, ...] | None = None
    """Title parts to cut; None: found automatically."""
    filters: PageFilters = field(default_factory=PageFilters)

    def __post_init__(self) -> None:
        """Check the ranges."""
        if self.text is not None:
            require_one_of("The page text", self.text, PAGE_TEXTS)
        require_one_of("The order", self.order, ORDERS)
        require_between("Targets per page", self.per_page, 1, 1000)
        require_between("The minimum similarity", self.min_similarity, -1, 1)
        require_between("The similarity of near duplicates", self.near_duplicate, -1, 1)
        if self.per_target is not None:
            require_between("Sources per target", self.per_target, 1, 100_000)


@dataclass(frozen=True)
class ClusterSettings:
    """How pages are clustered. `k` None: chosen by silhouette over `k_range`."""

    model: str = DEFAULT_MODEL
    text: PageText | None = None
    columns: tuple[str, ...] = ()
    """Columns of the file whose cells, joined, stand for a page in place of `text`."""
    k: int | None = 15
    k_range: tuple[int, int] = (2, 40)
    seed: int = 0
    brands: tuple[str, ...] | None = None
    filters: PageFilters = field(default_factory=PageFilters)

    def __post_init__(self) -> None:
        """Check the ranges."""
        if self.text is not None:
            require_one_of("The page text", self.text, PAGE_TEXTS)
        if self.k is not None:
            require_between("The number of clusters", self.k, 1, 10_000)
        require_between("The lower end of the range of k", self.k_range[0], 2, self.k_range[1])


@dataclass(frozen=True)
class GapSettings:
    """Which referring domains of competitors count as prospects.

    What an export does not tell sets no domain aside, unless `keep_unknown_authority` is off. Links outside the
    content stay: a site that links to us from its footer is no prospect.
    """

    model: str = DEFAULT_MODEL
    min_authority: RatingLimits = ()
    keep_unknown_authority: bool = True
    followed_only: bool = False
    in_content_only: bool = False
    filters: BacklinkFilters = field(default_factory=lambda: BacklinkFilters(outside_content=False))

    def __post_init__(self) -> None:
        """Check the ranges."""
        for rating, limit in self.min_authority:
            require_between(f"The lowest {rating}", limit, 0, 100)
