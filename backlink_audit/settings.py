"""Everything a user may tune, as frozen dataclasses: valid or not made, and usable as cache keys.

Beside its type a field has the sentence that says what it does; the terminal makes its options of both.
"""

from dataclasses import dataclass, field
from typing import Annotated, ClassVar, Literal

from backlink_audit.errors import InvalidSetting

DEFAULT_MODEL = "all-MiniLM-L6-v2"

LinkText = Literal["subject", "title", "url-words", "url", "url-tokens"]
LINK_TEXTS: tuple[LinkText, ...] = ("subject", "title", "url-words", "url", "url-tokens")
ChosenLinks = Literal["live", "live in content", "everything"]
CHOSEN_LINKS: tuple[ChosenLinks, ...] = ("live", "live in content", "everything")
Authority = Literal["UR", "DR"]
PageText = Literal["h1", "title", "content", "title+content"]
PAGE_TEXTS: tuple[PageText, ...] = ("h1", "title", "content", "title+content")
Order = Literal["editorial", "learned", "similarity"]
RatingLimits = tuple[tuple[str, float], ...]
"""Limits of ratings by name, as (("DR", 40.0),): those that differ from the ratings' own (`analysis.scales`)."""
ORDERS: tuple[Order, ...] = ("editorial", "learned", "similarity")
Served = Literal["sure", "likely", "choose"]
SERVED: tuple[Served, ...] = ("sure", "likely", "choose")


def require_one_of(name: str, value: object, allowed: tuple[object, ...]) -> None:
    """Raise InvalidSetting unless `value` is one of `allowed`."""
    if value not in allowed:
        raise InvalidSetting(f"{name} is {value!r}, but must be one of {', '.join(map(str, allowed))}.")


def require_between(name: str, value: float, low: float, high: float) -> None:
    """Raise InvalidSetting unless low <= value <= high."""
    if not low <= value <= high:
        raise InvalidSetting(f"{name} is {value}, but must be between {low} and {high}.")


ModelName = Annotated[str, "The embedding model; `models` lists them. Or your own: a folder, or owner/name on the hub."]


@dataclass(frozen=True)
class BacklinkFilters:
    """Which rows are no backlinks to score. What a row says removes none: see `LinkChoice`."""

    web_urls: Annotated[bool, "Set rows aside whose URLs are not http(s)."] = True
    repeats: Annotated[bool, "Set exact repeats aside: the same two pages with the same anchor."] = True

    @classmethod
    def none(cls) -> "BacklinkFilters":
        """Keep every row."""
        return cls(web_urls=False, repeats=False)


@dataclass(frozen=True)
class LinkChoice:
    """Whose figures are shown: a choice over a finished result, which needs no new run."""

    links: Annotated[ChosenLinks, "Which links are shown: live ones, those live in the content, or everything."] = (
        "live"
    )
    one_per_domain: Annotated[bool, "Show one link of each referring domain, the one with the strongest page."] = False

    def __post_init__(self) -> None:
        """Check the choice."""
        require_one_of("The choice of links", self.links, CHOSEN_LINKS)


EVERYTHING = LinkChoice("everything")


@dataclass(frozen=True)
class PageFilters:
    """Which crawled pages are set aside."""

    not_html: Annotated[bool, "Set what is not HTML aside."] = True
    not_ok: Annotated[bool, "Set pages aside whose HTTP status is not 200."] = True
    not_indexable: Annotated[bool, "Set non-indexable pages aside."] = True
    duplicates: Annotated[bool, "Set repeated URLs aside."] = True
    paginated: Annotated[bool, "Set paginated URLs aside."] = True
    parameters: Annotated[bool, "Set URLs with parameters aside."] = True


@dataclass(frozen=True)
class BandLimits:
    """Lowest relevance (0-100) that counts as relevant, and as weak. How they were chosen: docs/definitions.md."""

    relevant: Annotated[float, "The lowest relevance that counts as relevant, 0-100."] = 50.0
    weak: Annotated[float, "The lowest relevance that counts as weak, 0-100."] = 25.0

    def __post_init__(self) -> None:
        """Check the order of the limits."""
        require_between("The limit of weak", self.weak, 0, self.relevant)
        require_between("The limit of relevant", self.relevant, self.weak, 100)


@dataclass(frozen=True)
class VerdictLimits:
    """The limits between verdicts. Percentiles 0-100; ratings 0-100, each on its own scale (`analysis.scales`)."""

    strong_percentile: Annotated[float, "Minimum CAS percentile of a strong link, 0-100."] = 75
    strong_from: Annotated[
        RatingLimits, "Minimum site rating for strong links, as in DR=50; repeat for each rating. Default: by rating."
    ] = ()
    page_traffic: Annotated[float, "Minimum monthly visits to a page for strong links."] = 100
    undervalued_below: Annotated[
        RatingLimits,
        "Relevant links rated below this are undervalued, as in DR=30; repeat for each rating. Default: by rating.",
    ] = ()
    review_signals: Annotated[int, "Minimum risk signals for the verdict Review."] = 2
    review_nofollow: Annotated[bool, "Also review links that are not followed, for their risk signals."] = False
    copies: Annotated[int, "If this many pages of a domain have the same link, only the best one is protected."] = 5

    def __post_init__(self) -> None:
        """Check the ranges."""
        require_between("The percentile of a strong link", self.strong_percentile, 0, 100)
        for rating, limit in (*self.undervalued_below, *self.strong_from):
            require_between(f"The limit of {rating}", limit, 0, 100)
        require_between("The visits of a busy page", self.page_traffic, 1, 1_000_000_000)
        require_between("The risk signals of a review", self.review_signals, 1, 9)
        require_between("The copies of a link", self.copies, 2, 1_000_000)


@dataclass(frozen=True)
class RiskLimits:
    """From where a fact counts as a risk signal."""

    toxic_score: Annotated[float, "Minimum toxic score to flag a link, 1-100."] = 60
    maybe_toxic_score: Annotated[float, "Minimum toxic score to call a link potentially toxic, 1-100."] = 45
    external_links: Annotated[int, "More external links than this on a page are a signal."] = 500
    same_anchor_domains: Annotated[int, "Minimum domains with the same anchor to raise the signal."] = 10
    same_title_domains: Annotated[int, "Minimum domains with the same title to raise the signal."] = 3
    sitewide_pages: Annotated[int, "Minimum pages of a domain with the same link to call it sitewide."] = 20

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

    model: ModelName = DEFAULT_MODEL
    link_text: Annotated[LinkText, "The text that represents the two ends of a link."] = "subject"
    authority: Annotated[Authority, "The authority in CAS: the page's (UR) or the domain's (DR)."] = "UR"
    log_dilution: Annotated[
        bool, "CAS = authority / (1 + ln(external links)) x similarity: less harsh on pages with many links."
    ] = False
    followed_only: Annotated[bool, "Nofollow, UGC and sponsored links count 0 in CAS."] = False
    original_columns: Annotated[bool, "Add the two legacy columns."] = False
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

    model: ModelName = DEFAULT_MODEL
    text: Annotated[
        PageText | None,
        "The text that represents a page; default: title and content where the crawl has content, else the H1.",
    ] = None
    columns: Annotated[
        tuple[str, ...],
        "Columns of the file whose joined texts represent a page in place of --text; repeat the option for each.",
    ] = ()
    order: Annotated[
        Order,
        "By shared words, mentions and meaning; learned from the links the site has, where that finds more; or by "
        "meaning alone.",
    ] = "editorial"
    per_page: Annotated[int, "Targets suggested for each page, at most."] = 15
    per_target: Annotated[int | None, "Sources suggested for each target, at most; default: no limit."] = None
    min_similarity: Annotated[float, "The lowest cosine of a suggestion, -1 to 1."] = 0.5
    near_duplicate: Annotated[float, "Minimum cosine of near duplicates, -1 to 1."] = 0.95
    content_links_only: Annotated[bool, "Only links in the content count as existing."] = True
    source_contains: Annotated[str, "Only source pages whose path contains this text."] = ""
    source_excludes: Annotated[str, "No source page whose path contains this text."] = ""
    target_contains: Annotated[str, "Only target pages whose path contains this text."] = ""
    target_excludes: Annotated[str, "No target page whose path contains this text."] = ""
    brands: Annotated[
        tuple[str, ...] | None,
        'Parts to cut from titles; repeat the option for each, "" for none; default: found automatically.',
    ] = None
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
    """How pages are clustered.

    `k` None: chosen by silhouette over `k_range`; `k_range` None: around a number that grows with the site.
    """

    model: ModelName = DEFAULT_MODEL
    text: Annotated[
        PageText | None,
        "The text that represents a page; default: title and content where the crawl has content, else the H1.",
    ] = None
    columns: Annotated[
        tuple[str, ...],
        "Columns of the file whose joined texts represent a page in place of --text; repeat the option for each.",
    ] = ()
    k: Annotated[int | None, "How many clusters, or auto, the default: chosen by silhouette."] = None
    k_range: Annotated[
        tuple[int, int] | None,
        "With --k auto: the lowest and the highest number tried; default: around the root of the number of pages.",
    ] = None
    name_words: Annotated[int, "The most words in a phrase of a cluster's name, 1 to 3."] = 2
    seed: Annotated[int, "Random seed; the same seed gives the same clusters."] = 0
    brands: Annotated[
        tuple[str, ...] | None,
        'Parts to cut from titles; repeat the option for each, "" for none; default: found automatically.',
    ] = None
    filters: PageFilters = field(default_factory=PageFilters)

    def __post_init__(self) -> None:
        """Check the ranges."""
        if self.text is not None:
            require_one_of("The page text", self.text, PAGE_TEXTS)
        if self.k is not None:
            require_between("The number of clusters", self.k, 1, 10_000)
        if self.k_range is not None:
            require_between("The lower end of the range of k", self.k_range[0], 2, self.k_range[1])
        require_between("The words of a phrase", self.name_words, 1, 3)


@dataclass(frozen=True)
class RedirectSettings:
    """How old pages are matched with new ones, and which redirects a server's file holds."""

    model: ModelName = DEFAULT_MODEL
    served: Annotated[
        Served, "The least confidence of the redirects in a server's file; the others stand there as comments."
    ] = "likely"
    brands: Annotated[
        tuple[str, ...] | None,
        'Parts to cut from titles; repeat the option for each, "" for none; default: found automatically.',
    ] = None

    def __post_init__(self) -> None:
        """Check the choice."""
        require_one_of("The least confidence", self.served, SERVED)


@dataclass(frozen=True)
class GapSettings:
    """Which referring domains of competitors count as prospects.

    What an export does not tell sets no domain aside, unless `keep_unknown_authority` is off. Links outside the
    content count: a site that links to us from its footer is no prospect.
    """

    model: ModelName = DEFAULT_MODEL
    min_authority: Annotated[
        RatingLimits,
        "The lowest authority of a prospect, 0-100, on the scale of your files; for files of several tools once for "
        "each scale, as in DR=30. Default: each scale's own, for instance DR 30, Domain ascore 20.",
    ] = ()
    keep_unknown_authority: Annotated[bool, "Keep domains whose authority is unknown among the prospects."] = True
    followed_only: Annotated[bool, "Only domains with a followed link are prospects."] = False
    in_content_only: Annotated[bool, "Only domains with a link in the content are prospects."] = False
    by_visitors: Annotated[bool, "Domains with user-generated links (forum, comment, profile) are prospects too."] = (
        False
    )

    def __post_init__(self) -> None:
        """Check the ranges."""
        for rating, limit in self.min_authority:
            require_between(f"The lowest {rating}", limit, 0, 100)


@dataclass(frozen=True)
class AuthoritySettings:
    """How the authority of a site flows through its links."""

    model: ModelName = DEFAULT_MODEL
    outside_content: Annotated[
        float, "The weight of a link outside the content (menu, footer), 0 to 1; a link in the content has weight 1."
    ] = 0.3

    def __post_init__(self) -> None:
        """Check the range."""
        require_between("The weight of links outside the content", self.outside_content, 0, 1)


@dataclass(frozen=True)
class WatchLimits:
    """From where a new snapshot is worth telling someone about."""

    protect_lost: Annotated[int, "Alert at this many lost links with the verdict Protect."] = 1
    risk_share: Annotated[
        float,
        "Alert above this share of live links with enough risk signals for Review, 0-1.",
    ] = 0.25
    dominant_anchor: Annotated[
        float, "Alert above this share of followed domains with one exact-match anchor, 0-1."
    ] = 0.15
    spike: Annotated[float, "Alert at this many times the usual number of new referring domains."] = 3.0

    def __post_init__(self) -> None:
        """Check the ranges."""
        require_between("The lost links to protect", self.protect_lost, 1, 1_000_000_000)
        require_between("The share with risk signals", self.risk_share, 0, 1)
        require_between("The share of a dominant anchor", self.dominant_anchor, 0, 1)
        require_between("A spike of new domains", self.spike, 1, 1_000_000)


@dataclass(frozen=True)
class InlinkSettings:
    """How the links that a site has already are judged."""

    model: ModelName = DEFAULT_MODEL
    text: Annotated[
        PageText | None,
        "The text that represents a page; default: title and content where the crawl has content, else the H1.",
    ] = None
    content_only: Annotated[bool, "Judge the links in the content only, not those in menus and footers."] = True
    off_topic_below: Annotated[float, "The relevance below which a link is off-topic, 0-100."] = 10
    same_anchor: Annotated[int, "This many links to one page with the same anchor are too many."] = 200

    def __post_init__(self) -> None:
        """Check the ranges."""
        if self.text is not None:
            require_one_of("The page text", self.text, PAGE_TEXTS)
        require_between("The limit of off-topic", self.off_topic_below, 0, 100)
        require_between("The links with the same anchor", self.same_anchor, 2, 1_000_000)
