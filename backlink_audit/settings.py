"""Everything a user may tune, as frozen dataclasses: valid or not made, and usable as cache keys.

Beside its type a field has the sentence that says what it does; the terminal makes its options of both.
"""

from dataclasses import dataclass, field
from typing import Annotated, ClassVar, Literal

from backlink_audit.errors import InvalidSetting

DEFAULT_MODEL = "all-MiniLM-L6-v2"
"""The model for the pages of one site, where a long text counts."""
LINKS_MODEL = "use-multilingual-v3"
"""The model for backlinks, whose titles are short and in many languages: docs/decisions/models.md."""

SubjectFrom = Literal["both", "pages", "links"]
SUBJECT_SIDES: tuple[SubjectFrom, ...] = ("both", "pages", "links")

LinkText = Literal["subject", "title", "url-words", "url", "url-tokens"]
LINK_TEXTS: tuple[LinkText, ...] = ("subject", "title", "url-words", "url", "url-tokens")
ChosenLinks = Literal["live", "live in content", "everything"]
CHOSEN_LINKS: tuple[ChosenLinks, ...] = ("live", "live in content", "everything")
Authority = Literal["UR", "DR"]
PageText = Literal["h1", "title", "content", "title+content"]
PAGE_TEXTS: tuple[PageText, ...] = ("h1", "title", "content", "title+content")
Order = Literal["editorial", "similarity"]
RatingLimits = tuple[tuple[str, float], ...]
"""Limits of ratings by name, as (("DR", 40.0),): those that differ from the ratings' own (`analysis.scales`)."""
ORDERS: tuple[Order, ...] = ("editorial", "similarity")
Served = Literal["sure", "likely", "choose"]
SERVED: tuple[Served, ...] = ("sure", "likely", "choose")


def require_one_of(name: str, value: object, allowed: tuple[object, ...]) -> None:
    """Raise InvalidSetting unless `value` is one of `allowed`."""
    if value not in allowed:
        raise InvalidSetting(f"{name} must be one of {', '.join(map(str, allowed))}, not {value!r}.")


def require_between(name: str, value: float, low: float, high: float) -> None:
    """Raise InvalidSetting unless low <= value <= high."""
    if not low <= value <= high:
        raise InvalidSetting(f"{name} must be between {low} and {high}, not {value}.")


ModelName = Annotated[
    str, "The embedding model; `models` shows the list. Or your own model: a folder, or owner/name on Hugging Face."
]


@dataclass(frozen=True)
class ModelSettings:
    """By which model rows are found."""

    model: ModelName = LINKS_MODEL


@dataclass(frozen=True)
class BacklinkFilters:
    """Which rows are no backlinks to score. They never depend on what a link is like: see `LinkChoice`."""

    web_urls: Annotated[bool, "Exclude rows with URLs that do not begin with http:// or https://."] = True
    repeats: Annotated[bool, "Exclude exact duplicates: the same two pages with the same anchor."] = True

    @classmethod
    def none(cls) -> "BacklinkFilters":
        """Keep every row."""
        return cls(web_urls=False, repeats=False)


@dataclass(frozen=True)
class LinkChoice:
    """Whose figures are shown: a choice over a finished result, which needs no new run."""

    links: Annotated[ChosenLinks, "The links to show: live links, live links in the content, or everything."] = "live"
    one_per_domain: Annotated[bool, "Show one link per referring domain: the one from the strongest page."] = False
    without_attacks: Annotated[bool, "Leave out links of spam attacks."] = False

    def __post_init__(self) -> None:
        """Check the choice."""
        require_one_of("The links to show", self.links, CHOSEN_LINKS)


EVERYTHING = LinkChoice("everything")


@dataclass(frozen=True)
class PageFilters:
    """Which crawled pages are set aside."""

    not_html: Annotated[bool, "Exclude URLs that are not HTML pages."] = True
    not_ok: Annotated[bool, "Exclude pages with an HTTP status other than 200."] = True
    not_indexable: Annotated[bool, "Exclude non-indexable pages."] = True
    duplicates: Annotated[bool, "Exclude duplicate URLs."] = True
    paginated: Annotated[bool, "Exclude paginated URLs."] = True
    parameters: Annotated[bool, "Exclude URLs with parameters."] = True


@dataclass(frozen=True)
class BandLimits:
    """Lowest relevance (0-100) that counts as relevant, and as weak. How they were chosen: docs/judgement.md."""

    relevant: Annotated[float, "Minimum relevance of a relevant link, 0-100."] = 57.0
    weak: Annotated[float, "Minimum relevance of a weak link, 0-100; below it, a link is off-topic."] = 30.0

    def __post_init__(self) -> None:
        """Check the order of the limits."""
        require_between("The minimum relevance of weak links", self.weak, 0, self.relevant)
        require_between("The minimum relevance of relevant links", self.relevant, self.weak, 100)


@dataclass(frozen=True)
class VerdictLimits:
    """The limits between verdicts. Percentiles 0-100; ratings 0-100, each on its own scale (`analysis.scales`)."""

    strong_percentile: Annotated[float, "Minimum CAS percentile of a strong link, 0-100."] = 65
    strong_from: Annotated[
        RatingLimits,
        "Minimum authority of the referring domain of a strong link, such as DR=50; repeat for each metric. The "
        "default depends on the metric.",
    ] = ()
    page_traffic: Annotated[float, "Minimum monthly visits to the referring page of a strong link."] = 100
    undervalued_below: Annotated[
        RatingLimits,
        "Relevant links from sites with a lower authority are undervalued, such as DR=30; repeat for each metric. The "
        "default depends on the metric.",
    ] = ()
    worth: Annotated[float, "Minimum probability that a link is worth keeping, 0-100, for a good verdict."] = 70
    relevant_worth: Annotated[
        float, "The same for a link of a normal page that is relevant, 0-100: more of those are worth keeping."
    ] = 52
    strong_worth: Annotated[float, "Minimum probability that a link is worth keeping of a strong link, 0-100."] = 85
    suspicion: Annotated[float, "Minimum probability that a link is manipulative, 0-100, for the verdict Review."] = 40
    many_signals: Annotated[int, "Risk signals from which a page that is no list gets the verdict Review."] = 3
    review_signals: Annotated[int, "Minimum risk signals of a domain in the risk review."] = 2
    copies: Annotated[
        int, "If this many pages of a domain have the same link, Protect is only given to the best one."
    ] = 5

    def __post_init__(self) -> None:
        """Check the ranges."""
        require_between("The CAS percentile of a strong link", self.strong_percentile, 0, 100)
        for rating, limit in (*self.undervalued_below, *self.strong_from):
            require_between(f"The limit of {rating}", limit, 0, 100)
        require_between("The monthly visits of a strong page", self.page_traffic, 1, 1_000_000_000)
        require_between("The minimum worth", self.worth, 0, self.strong_worth)
        require_between("The minimum worth of a relevant page", self.relevant_worth, 0, self.worth)
        require_between("The minimum worth of a strong link", self.strong_worth, self.worth, 100)
        require_between("The minimum suspicion", self.suspicion, 0, 100)
        require_between("The risk signals of the verdict Review", self.many_signals, 1, 9)
        require_between("The risk signals of the risk review", self.review_signals, 1, 9)
        require_between("The number of copies of a link", self.copies, 2, 1_000_000)


@dataclass(frozen=True)
class RiskLimits:
    """From where a fact counts as a risk signal."""

    toxic_score: Annotated[float, "Minimum toxic score of a toxic link, 1-100."] = 60
    maybe_toxic_score: Annotated[float, "Minimum toxic score of a potentially toxic link, 1-100."] = 45
    external_links: Annotated[int, "Maximum external links on a page; more are a risk signal."] = 500
    same_anchor_domains: Annotated[int, "The same anchor on at least this many domains is a risk signal."] = 10
    same_keyword_sites: Annotated[
        int, "The same keyword anchor on at least this many sites, for links to the same page, is a risk signal."
    ] = 3
    same_title_domains: Annotated[int, "The same page title on at least this many domains is a risk signal."] = 3
    sitewide_pages: Annotated[int, "The same link on at least this many pages of a domain is sitewide."] = 20

    RANGES: ClassVar[dict[str, tuple[int, int]]] = {
        "toxic_score": (1, 100),
        "maybe_toxic_score": (1, 100),
        "external_links": (1, 1_000_000),
        "same_anchor_domains": (2, 1_000_000),
        "same_keyword_sites": (2, 1_000_000),
        "same_title_domains": (2, 1_000_000),
        "sitewide_pages": (2, 1_000_000),
    }
    """The least and the most of each. What only one domain or page has is shared with nobody, so those begin at two."""

    def __post_init__(self) -> None:
        """Check the ranges, and the order of the two scores."""
        for name, (low, high) in self.RANGES.items():
            require_between(name.replace("_", " ").capitalize(), getattr(self, name), low, high)
        require_between("Potentially toxic score", self.maybe_toxic_score, 1, self.toxic_score)


@dataclass(frozen=True)
class AuditSettings:
    """How backlinks are cleaned, compared and judged."""

    model: ModelName = LINKS_MODEL
    link_text: Annotated[LinkText, "The text that represents the referring page and the target page."] = "subject"
    subject_from: Annotated[
        SubjectFrom,
        "What shows the subject of the site: its own pages, the pages that link to it, or both.",
    ] = "both"
    authority: Annotated[Authority, "The authority used in CAS: of the page (UR) or of the domain (DR)."] = "UR"
    log_dilution: Annotated[
        bool,
        "CAS = (authority / (1 + ln(external links))) x similarity. Pages with many external links lose less.",
    ] = False
    followed_only: Annotated[bool, "Nofollow, UGC and sponsored links have a CAS of 0."] = False
    original_columns: Annotated[
        bool, "Add the legacy columns Cosine Similarity and Contextual Authority Score, as whole numbers."
    ] = False
    filters: BacklinkFilters = field(default_factory=BacklinkFilters)
    bands: BandLimits = field(default_factory=BandLimits)
    verdicts: VerdictLimits = field(default_factory=VerdictLimits)
    risk: RiskLimits = field(default_factory=RiskLimits)

    def __post_init__(self) -> None:
        """Check the choices."""
        require_one_of("The link text", self.link_text, LINK_TEXTS)
        require_one_of("What shows the subject", self.subject_from, SUBJECT_SIDES)
        require_one_of("The authority", self.authority, ("UR", "DR"))


@dataclass(frozen=True)
class InterlinkSettings:
    """How internal link opportunities are found. Path filters look for literal text in a URL's path and query."""

    model: ModelName = DEFAULT_MODEL
    text: Annotated[
        PageText | None,
        "The text that represents a page. Default: title and content; H1 if the crawl has no content.",
    ] = None
    columns: Annotated[
        tuple[str, ...],
        "Columns of the file to use instead of --text; their texts are joined. Repeat the option for each column.",
    ] = ()
    order: Annotated[
        Order,
        "How suggestions are ordered. editorial: by shared words, mentions, meaning, folders and anchors. similarity: by "
        "meaning only.",
    ] = "editorial"
    per_page: Annotated[int, "Maximum number of targets per page."] = 15
    per_target: Annotated[int | None, "Maximum number of sources per target. Default: no limit."] = None
    min_similarity: Annotated[
        float | None,
        "Minimum similarity (cosine) of a suggestion, -1 to 1. Default: 0.5, and suggestions with a low score are left "
        "out; with a number of your own, none is.",
    ] = None
    page_kinds: Annotated[
        bool,
        "Leave out pages of no use to readers of other pages (logins, legal notices, tags, old versions and events), and "
        "link the pages of a template by blocks.",
    ] = True
    near_duplicate: Annotated[float, "Minimum similarity (cosine) of near duplicates, -1 to 1."] = 0.95
    content_links_only: Annotated[bool, "Only links in the content count as existing links."] = True
    across_languages: Annotated[bool, "Also suggest links between pages in different languages."] = False
    source_contains: Annotated[str, "Only source pages with this text in the URL path."] = ""
    source_excludes: Annotated[str, "No source pages with this text in the URL path."] = ""
    target_contains: Annotated[str, "Only target pages with this text in the URL path."] = ""
    target_excludes: Annotated[str, "No target pages with this text in the URL path."] = ""
    brands: Annotated[
        tuple[str, ...] | None,
        'Text to remove from titles, such as the brand name; repeat the option for each, "" for none. Default: '
        "found automatically.",
    ] = None
    filters: PageFilters = field(default_factory=PageFilters)

    def __post_init__(self) -> None:
        """Check the ranges."""
        if self.text is not None:
            require_one_of("The page text", self.text, PAGE_TEXTS)
        require_one_of("The order", self.order, ORDERS)
        require_between("The maximum number of targets per page", self.per_page, 1, 1000)
        require_between("The minimum similarity", self.least_similarity, -1, 1)
        require_between("The similarity of near duplicates", self.near_duplicate, -1, 1)
        if self.per_target is not None:
            require_between("The maximum number of sources per target", self.per_target, 1, 100_000)

    @property
    def least_similarity(self) -> float:
        """The least cosine of a suggestion."""
        return 0.5 if self.min_similarity is None else self.min_similarity


@dataclass(frozen=True)
class ClusterSettings:
    """How pages are clustered.

    `k` None: chosen by silhouette over `k_range`; `k_range` None: around a number that grows with the site.
    """

    model: ModelName = DEFAULT_MODEL
    text: Annotated[
        PageText | None,
        "The text that represents a page. Default: title and content; H1 if the crawl has no content.",
    ] = None
    columns: Annotated[
        tuple[str, ...],
        "Columns of the file to use instead of --text; their texts are joined. Repeat the option for each column.",
    ] = ()
    k: Annotated[
        int | None, "Number of clusters, or auto (the default): the number with the best silhouette score."
    ] = None
    k_range: Annotated[
        tuple[int, int] | None,
        "With --k auto: the smallest and largest number of clusters to try. Default: around the square root of the "
        "number of pages.",
    ] = None
    name_words: Annotated[int, "Maximum number of words per phrase in a cluster name, 1 to 4."] = 4
    across_languages: Annotated[bool, "Also put pages in different languages into one cluster."] = False
    seed: Annotated[int, "Random seed; the same seed gives the same clusters."] = 0
    brands: Annotated[
        tuple[str, ...] | None,
        'Text to remove from titles, such as the brand name; repeat the option for each, "" for none. Default: '
        "found automatically.",
    ] = None
    filters: PageFilters = field(default_factory=PageFilters)

    def __post_init__(self) -> None:
        """Check the ranges."""
        if self.text is not None:
            require_one_of("The page text", self.text, PAGE_TEXTS)
        if self.k is not None:
            require_between("The number of clusters", self.k, 1, 10_000)
        if self.k_range is not None:
            require_between("The minimum of the k range", self.k_range[0], 2, self.k_range[1])
        require_between("The number of words per phrase", self.name_words, 1, 4)


@dataclass(frozen=True)
class RedirectSettings:
    """How old pages are matched with new ones, and which redirects the file of redirect rules has."""

    model: ModelName = DEFAULT_MODEL
    served: Annotated[
        Served,
        "Minimum confidence of the redirects in the file of redirect rules (.htaccess, nginx, _redirects); the others "
        "are written as comments.",
    ] = "likely"
    brands: Annotated[
        tuple[str, ...] | None,
        'Text to remove from titles, such as the brand name; repeat the option for each, "" for none. Default: '
        "found automatically.",
    ] = None
    query_urls: Annotated[bool, "Include old URLs with a query, such as /shop?id=7."] = True

    def __post_init__(self) -> None:
        """Check the choice."""
        require_one_of("The minimum confidence", self.served, SERVED)


@dataclass(frozen=True)
class GapSettings:
    """Which referring domains of competitors count as prospects.

    What an export does not have sets no domain aside, unless `keep_unknown_authority` is off. Links outside the
    content count: a site that links to us from its footer is no prospect.
    """

    model: ModelName = LINKS_MODEL
    min_authority: Annotated[
        RatingLimits,
        "Minimum authority of a prospect, 0-100. With files from several tools, repeat it for each metric, such as "
        "DR=30. The default depends on the metric, for instance DR 30, Domain ascore 20.",
    ] = ()
    keep_unknown_authority: Annotated[bool, "Keep domains with unknown authority as prospects."] = True
    followed_only: Annotated[bool, "Only keep domains with a followed link as prospects."] = False
    in_content_only: Annotated[bool, "Only keep domains with a link in the content as prospects."] = False
    by_visitors: Annotated[
        bool, "Also keep domains with only user-generated links (forum, comment, profile) as prospects."
    ] = False

    def __post_init__(self) -> None:
        """Check the ranges."""
        for rating, limit in self.min_authority:
            require_between(f"The minimum {rating}", limit, 0, 100)


@dataclass(frozen=True)
class AuthoritySettings:
    """How the authority of a site flows through its links."""

    model: ModelName = DEFAULT_MODEL
    outside_content: Annotated[
        float, "The weight of a link outside the content (menu, footer), 0 to 1; a link in the content has weight 1."
    ] = 0.3

    tried_per_page: Annotated[
        int, "Of a file of suggested links with ranks, test only this many links of each source page, the best first."
    ] = 3

    def __post_init__(self) -> None:
        """Check the ranges."""
        require_between("The weight of links outside the content", self.outside_content, 0, 1)
        require_between("The number of links to test for each page", self.tried_per_page, 1, 1000)


@dataclass(frozen=True)
class WatchLimits:
    """From which figures a new snapshot is worth a message."""

    protect_lost: Annotated[int, "Alert if at least this many links with the verdict Protect are lost."] = 1
    risk_share: Annotated[
        float,
        "Alert if more than this share of the live links has enough risk signals for the verdict Review, 0-1.",
    ] = 0.25
    dominant_anchor: Annotated[
        float,
        "Alert if more than this share of the referring domains with followed links uses the same exact-match anchor, "
        "0-1.",
    ] = 0.15
    spike: Annotated[
        float, "Alert if there are more than this many times the usual number of new referring domains."
    ] = 3.0

    def __post_init__(self) -> None:
        """Check the ranges."""
        require_between("The lost links with the verdict Protect", self.protect_lost, 1, 1_000_000_000)
        require_between("The share with risk signals", self.risk_share, 0, 1)
        require_between("The share of a dominant anchor", self.dominant_anchor, 0, 1)
        require_between("The spike in new domains", self.spike, 1, 1_000_000)


@dataclass(frozen=True)
class InlinkSettings:
    """How the links that a site has already are judged."""

    model: ModelName = DEFAULT_MODEL
    text: Annotated[
        PageText | None,
        "The text that represents a page. Default: title and content; H1 if the crawl has no content.",
    ] = None
    content_only: Annotated[bool, "Check only links in the content, not those in menus and footers."] = True
    off_topic_below: Annotated[float, "Links with a lower relevance than this are off-topic, 0-100."] = 10
    same_anchor: Annotated[int, "This many links (or more) to one page with the same anchor are too many."] = 200

    def __post_init__(self) -> None:
        """Check the ranges."""
        if self.text is not None:
            require_one_of("The page text", self.text, PAGE_TEXTS)
        require_between("The relevance limit of off-topic links", self.off_topic_below, 0, 100)
        require_between("The number of links with the same anchor", self.same_anchor, 2, 1_000_000)


@dataclass(frozen=True)
class CheckSettings:
    """How referring pages are asked."""

    pace: Annotated[float, "Seconds between two requests to the same host, at least 1."] = 2.0
    max_age: Annotated[float, "Ask a page again if its last answer is older than this many days."] = 30.0
    about: Annotated[
        str,
        "A web address about you, sent with each request so that site owners know who asks. Default: the page of this "
        "program.",
    ] = ""

    def __post_init__(self) -> None:
        """Check the ranges, and that the address is one line of plain characters."""
        require_between("The seconds between two requests", self.pace, 1, 3600)
        require_between("The age of an answer in days", self.max_age, 0, 3650)
        _require_plain_address(self.about)


@dataclass(frozen=True)
class CrawlSettings:
    """How the pages of one's own site are asked."""

    limit: Annotated[int, "Send at most this many requests."] = 10_000
    pace: Annotated[float, "Seconds between two requests, at least 1; with --local, 0 or more."] = 2.0
    local: Annotated[bool, "The site is on a server of your own, whose address is not public."] = False
    about: Annotated[str, "A web address about you, sent with each request. Default: the page of this program."] = ""

    def __post_init__(self) -> None:
        """Check the ranges, and that the address is one line of plain characters."""
        require_between("The number of requests", self.limit, 1, 10_000_000)
        require_between("The seconds between two requests", self.pace, 0 if self.local else 1, 3600)
        _require_plain_address(self.about)


def _require_plain_address(about: str) -> None:
    if not about.isascii() or not about.isprintable() or " " in about:
        raise InvalidSetting(f"The web address about you must be a plain URL, not {about!r}.")
