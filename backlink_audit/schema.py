"""Our column names: which table has which columns, what kind of value each has, and which are needed.

A mapped table always has every column of its `Table`; a column the export does not have is all missing
(`Export.has(column)` shows it). Kinds and their pandas types:

    text    str, "" where missing             (never NaN: a title that reads "NULL" is text)
    prose   as text, its lines kept
    vector  as text: numbers
    url     as text
    number  float64, NaN where missing
    flag    pandas "boolean", <NA> where missing
    date    datetime64, NaT where missing
"""

from dataclasses import dataclass
from typing import Literal

Kind = Literal["text", "prose", "vector", "url", "number", "flag", "date"]


LONGEST: dict[Kind, int] = {"text": 8_192, "url": 8_192, "prose": 1_000_000, "vector": 200_000}
"""Characters of a cell that are read, by kind; the rest is cut off, with a note. Browsers go no further in a URL."""


@dataclass(frozen=True)
class Column:
    """One of our columns: its name in code, its name on screen, the kind of its values, and what it means.

    `counted`: its numbers count something, and have separators. `width`: on screen, in pixels; 0: as wide as
    its header and its texts.
    """

    name: str
    label: str
    kind: Kind = "text"
    help: str = ""
    counted: bool = False
    width: int = 0


@dataclass(frozen=True)
class Table:
    """One of our tables. `required` names the columns without which an export is of no use."""

    name: str
    label: str
    columns: tuple[Column, ...]
    required: tuple[str, ...]

    def column(self, name: str) -> Column:
        """Return the column of that name; raises KeyError."""
        return {column.name: column for column in self.columns}[name]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all columns, in order."""
        return tuple(column.name for column in self.columns)


SOURCE_FILE = Column("source_file", "Source file", help="The uploaded file this row came from.")
TOOL = Column("tool", "Tool", help="The tool that this row comes from.")
SCALE = Column("scale", "Scale", help="The authority scale of the ratings in this row.")
PAGE_RATING_HELP = "Authority of the referring page, 0-100, in your SEO tool: UR, Page ascore, PA or Citation Flow."
DOMAIN_RATING_HELP = "Authority of the referring domain, 0-100, in your SEO tool: DR, Domain ascore, DA or Trust Flow."

BACKLINKS = Table(
    "backlinks",
    "backlinks",
    (
        Column("referring_url", "Referring page URL", "url", "The page with the link."),
        Column("target_url", "Target URL", "url", "The page the link points to.", width=130),
        Column("referring_title", "Referring page title"),
        Column("anchor", "Anchor", help="The clickable text of the link.", width=130),
        Column("left_context", "Left context", help="The text just before the link."),
        Column("right_context", "Right context", help="The text just after the link."),
        Column("redirect_urls", "Redirect chain URLs", help="The URL in the link and all URLs it redirects through."),
        Column(
            "redirect_codes",
            "Redirect chain status codes",
            help="HTTP status code of each URL in the chain; 0: not checked.",
        ),
        Column("url_rating", "Page rating", "number", PAGE_RATING_HELP, width=52),
        Column("domain_rating", "Domain rating", "number", DOMAIN_RATING_HELP, width=52),
        Column(
            "external_links", "External links", "number", "Links from the referring page to other sites.", counted=True
        ),
        Column("http_status", "HTTP status", "number", "HTTP status of the referring page; 0 means not checked."),
        Column("target_http_status", "Target HTTP status (by the tool)", "number", "0 means not checked."),
        Column("nofollow", "Nofollow", "flag"),
        Column("ugc", "UGC", "flag"),
        Column("sponsored", "Sponsored", "flag"),
        Column("link_type", "Link type", help="text, image, form, frame, redirect, …"),
        Column("in_content", "In content", "flag", "Whether the link is in the main content of the page."),
        Column("sitewide", "Sitewide", "flag", "Whether the link is sitewide: on most pages of its site."),
        Column("first_seen", "First seen", "date"),
        Column("last_seen", "Last seen", "date"),
        Column("lost_date", "Lost", "date"),
        Column("lost_status", "Lost status"),
        Column("drop_reason", "Drop reason"),
        Column("lost_link", "Lost link", "flag"),
        Column("new_link", "New link", "flag"),
        Column("spam", "Is spam", "flag", "The spam flag of the export."),
        Column("toxic_score", "Toxic score", "number", "The spam score of Semrush or Moz, 0-100."),
        Column("language", "Language", help="Language codes of the referring page, for instance “es, en”."),
        Column("platform", "Platform"),
        Column("page_traffic", "Page traffic", "number", counted=True),
        Column("domain_traffic", "Domain traffic", "number", counted=True),
        Column("author", "Author", help="The author of the referring page, if the export has it."),
        Column("page_type", "Page type (by the tool)", help="For instance “Article > Guide”, as the tool gives it."),
        Column("tool_topic", "Topic (by the tool)", help="The referring page's topic, as the tool gives it."),
        Column("links_in_group", "Links in group", "number", "Similar links that the tool shows as one.", counted=True),
        Column("rendered", "Rendered", "flag", "Whether the link is in the page as a browser draws it."),
        Column("raw_html", "In the HTML", "flag", "Whether the link is in the page's HTML, before any script runs."),
        SOURCE_FILE,
        TOOL,
        SCALE,
    ),
    required=("referring_url", "target_url"),
)

DEAD_FROM = 400
"""HTTP status from which a target page is dead: 4xx and 5xx."""
MARKS_OF_LOSS = ("lost_date", "lost_link", "lost_status", "drop_reason")
"""The columns of backlinks by which an export marks lost links, any one of them."""

REFERRING_DOMAINS = Table(
    "referring_domains",
    "referring domains",
    (
        Column("referring_domain", "Referring domain"),
        Column("domain_rating", "Domain rating", "number", DOMAIN_RATING_HELP, width=52),
        Column("backlinks", "Backlinks", "number", "Links from this domain."),
        Column("followed_backlinks", "Followed backlinks", "number"),
        Column("spam", "Is spam", "flag"),
        Column("traffic", "Traffic", "number"),
        Column("country", "Country"),
        Column("first_seen", "First seen", "date"),
        Column("last_seen", "Last seen", "date"),
        Column("lost_date", "Lost", "date"),
        SOURCE_FILE,
        TOOL,
        SCALE,
    ),
    required=("referring_domain",),
)

PAGES = Table(
    "pages",
    "pages (crawl)",
    (
        Column("url", "URL", "url"),
        Column("content_type", "Content type"),
        Column("http_status", "HTTP status", "number"),
        Column("indexability", "Indexability"),
        Column("indexability_status", "Indexability status"),
        Column("title", "Title"),
        Column("h1", "H1"),
        Column("h2", "H2"),
        Column("meta_description", "Meta description"),
        Column("canonical", "Canonical", "url"),
        Column("word_count", "Word count", "number"),
        Column("crawl_depth", "Crawl depth", "number"),
        Column("inlinks", "Inlinks", "number"),
        Column("unique_inlinks", "Unique inlinks", "number"),
        Column("redirect_url", "Redirect URL", "url"),
        Column("language", "Language"),
        Column("content", "Content", "prose", "The page's main text."),
        Column("embedding", "Embedding", "vector", "The crawler's own vector: a JSON list or comma-separated numbers."),
        SOURCE_FILE,
    ),
    required=("url",),
)

INLINKS = Table(
    "inlinks",
    "all inlinks",
    (
        Column("link_type", "Type", help="Hyperlink, Image, CSS, JavaScript, …"),
        Column("source_url", "Source URL", "url"),
        Column("target_url", "Target URL", "url", width=130),
        Column("anchor", "Anchor", width=130),
        Column("alt_text", "Alt text"),
        Column("http_status", "HTTP status", "number"),
        Column("follow", "Follow", "flag"),
        Column("rel", "Rel"),
        Column("link_position", "Link position", help="Content, Navigation, Header, Footer, Aside, Head, or blank."),
        Column("link_path", "Link path"),
        SOURCE_FILE,
    ),
    required=("source_url", "target_url"),
)

PERFORMANCE = Table(
    "performance",
    "pages with clicks or visits",
    (
        Column("page", "Page", "url", "The page's URL, or its path."),
        Column("query", "Query", help="The search query, where the file has a row for each query of a page."),
        Column("clicks", "Clicks", "number", counted=True),
        Column("impressions", "Impressions", "number", counted=True),
        Column("average_position", "Average position", "number"),
        Column("clicks_before", "Clicks before", "number", "Value in the earlier period.", counted=True),
        Column("impressions_before", "Impressions before", "number", "Value in the earlier period.", counted=True),
        Column("average_position_before", "Average position before", "number", "Value in the earlier period."),
        Column("views", "Views", "number", counted=True),
        Column("sessions", "Sessions", "number", counted=True),
        Column("users", "Active users", "number", counted=True),
        Column("key_events", "Key events", "number", counted=True),
        Column(
            "organic_traffic",
            "Organic traffic",
            "number",
            "Monthly visits from search, as Ahrefs estimates them.",
            counted=True,
        ),
        Column("tool_domains", "Referring domains (by the tool)", "number", counted=True),
        Column("tool_links", "Links (by the tool)", "number", counted=True),
        Column("google_domains", "Linking sites (Google)", "number", "As Search Console lists them.", counted=True),
        Column("google_links", "Incoming links (Google)", "number", "As Search Console lists them.", counted=True),
        SOURCE_FILE,
    ),
    required=("page",),
)

LINKING_TEXTS = Table(
    "linking_texts",
    "linking texts",
    (
        Column("linking_text", "Linking text", help="The anchor texts of links to your site, as a tool lists them."),
        Column("list_place", "Place in the list", "number", "Position in the tool's list; 1 is the most used text."),
        Column("tool_domains", "Referring domains (by the tool)", "number", counted=True),
        Column("tool_links", "Links (by the tool)", "number", counted=True),
        SOURCE_FILE,
    ),
    required=("linking_text",),
)

CHECKED_LINKS = Table(
    "checked_links",
    "a link check",
    (
        Column("referring_url", "Referring page URL", "url"),
        Column("target_url", "Target URL", "url", width=130),
        Column("anchor", "Anchor", width=130),
        Column("check_state", "State on the page"),
        Column("check_note", "Details"),
        Column("page_nofollow", "Nofollow on the page", "flag"),
        Column("page_ugc", "UGC on the page", "flag"),
        Column("page_sponsored", "Sponsored on the page", "flag"),
        Column("page_external_links", "External links on the page", "number", counted=True),
        Column("place", "Place on the page"),
        Column("page_anchor", "Anchor on the page"),
        Column("text_before", "Text before"),
        Column("text_after", "Text after"),
        Column("heading", "Heading above"),
        Column("page_title", "Title on the page"),
        Column("main_text", "Main text", "prose"),
        SOURCE_FILE,
    ),
    required=("referring_url", "target_url", "check_state"),
)

PAGE_FACTS = Table(
    "page_facts",
    "checked referring pages",
    (
        Column("url", "Referring page URL", "url"),
        Column("outcome", "Outcome", help="read, gone, not readable, or not asked."),
        Column("reason", "Reason", help="Why the page was not read."),
        Column("http_status", "HTTP status", "number"),
        Column("final_url", "Final URL", "url", "Where the page is now, after redirects."),
        Column("title", "Title on the page"),
        Column("noindex", "Noindex", "flag"),
        Column("canonical", "Canonical", "url"),
        Column("external_links", "External links on the page", "number", counted=True),
        Column("main_text", "Main text", "prose"),
        Column("checked_at", "Checked", "date"),
    ),
    required=("url",),
)

LINK_FACTS = Table(
    "link_facts",
    "links on checked referring pages",
    (
        Column("referring_url", "Referring page URL", "url"),
        Column("target_url", "Target URL", "url", width=130),
        Column("kind", "Link type"),
        Column("page_anchor", "Anchor on the page"),
        Column("page_nofollow", "Nofollow on the page", "flag"),
        Column("page_ugc", "UGC on the page", "flag"),
        Column("page_sponsored", "Sponsored on the page", "flag"),
        Column("place", "Place on the page", help="content, navigation, header, footer, aside or head."),
        Column("text_before", "Text before"),
        Column("text_after", "Text after"),
        Column("heading", "Heading above"),
        Column("through", "Redirecting URL", "url", "The URL in the page, where it sends visitors on to the target."),
    ),
    required=("referring_url", "target_url"),
)

PAGE_PAIRS = Table(
    "page_pairs",
    "pairs of similar pages",
    (
        Column("url", "URL", "url"),
        Column("other_url", "Similar page", "url"),
        Column("pair_similarity", "Similarity (by the crawler)", "number"),
        SOURCE_FILE,
    ),
    required=("url", "other_url"),
)

REDIRECT_CHAINS = Table(
    "redirect_chains",
    "redirect chains",
    (
        Column("url", "URL", "url"),
        Column("redirect_url", "Redirect URL", "url", "Where the chain ends."),
        Column("steps", "Redirects", "number"),
        Column("loop", "Loop", "flag"),
        Column("http_status", "HTTP status", "number"),
        Column("final_status", "HTTP status at the end", "number"),
        Column("source_url", "Source URL", "url", "A page that links to the URL."),
        Column("anchor", "Anchor", width=130),
        Column("link_position", "Link position"),
        SOURCE_FILE,
    ),
    required=("url", "redirect_url"),
)

ORPHAN_PAGES = Table(
    "orphan_pages",
    "orphan pages",
    (Column("url", "URL", "url"), Column("found_in", "Found in"), SOURCE_FILE),
    required=("url",),
)

CITATIONS = Table(
    "citations",
    "citations in AI answers",
    (
        Column("page", "Page", "url", "The page of your site that answers cite."),
        Column("query", "Grounding query", help="What the engine searched for, to ground its answer."),
        Column("day", "Date", "date"),
        Column("citations", "Citations", "number", "How often answers cited the page.", counted=True),
        Column("cited_pages", "Cited pages", "number", counted=True),
        Column("intent", "Intent"),
        Column("query_topic", "Topic (by the engine)"),
        Column("citation_share", "Citation share", "number", "Share of the query's citations, as the engine gives it."),
        SOURCE_FILE,
        TOOL,
        SCALE,
    ),
    required=("citations",),
)

DOMAIN_RANKS = Table(
    "domain_ranks",
    "domain ranks",
    (
        Column("ranked_domain", "Ranked domain", help="A registrable domain; Common Crawl writes it backwards."),
        Column("harmonic_place", "Place by harmonic centrality", "number", "1 is the highest.", counted=True),
        Column("pagerank_place", "Place by PageRank", "number", "1 is the highest.", counted=True),
        Column("hosts", "Hosts", "number", "Hosts of the domain in the graph.", counted=True),
        Column("percentile", "Percentile of harmonic centrality", "number", "0-100, among all domains of the release."),
        Column("release", "Release"),
        SOURCE_FILE,
    ),
    required=("ranked_domain", "harmonic_place"),
)

TABLES = {
    table.name: table
    for table in (
        *(BACKLINKS, REFERRING_DOMAINS, PAGES, INLINKS, PERFORMANCE, LINKING_TEXTS, CHECKED_LINKS),
        *(PAGE_PAIRS, REDIRECT_CHAINS, ORPHAN_PAGES, CITATIONS, DOMAIN_RANKS),
    )
}
