"""Files that look like exports we can use, but are not: what each is, and what to export instead."""

from backlink_audit.exports.layout import Lookalike
from backlink_audit.exports.performance_formats import CLICKS, IMPRESSIONS, PAGE

_BACKLINKS_INSTEAD = {
    "Ahrefs": "export Site Explorer > Backlinks instead",
    "Semrush": "export Backlink Analytics > Backlinks instead",
}

LOOKALIKES = (
    Lookalike(
        "Ahrefs referring IPs (one row per IP network)",
        _BACKLINKS_INSTEAD["Ahrefs"],
        signature=(("Subnet", "IP", "Referring IP"), ("Ref. domains", "Referring domains", "Top DR")),
        without=("Referring page URL", "Target URL"),
    ),
    Lookalike(
        "Ahrefs anchors (one row per anchor text)",
        _BACKLINKS_INSTEAD["Ahrefs"],
        signature=(
            ("Anchor",),
            ("Ref. domains", "Referring domains"),
            ("Dofollow ref. domains", "Links to target", "Top DR"),
        ),
        without=("Target URL", "Domain"),
    ),
    Lookalike(
        "Ahrefs linked domains (the sites this site links out to)",
        _BACKLINKS_INSTEAD["Ahrefs"],
        signature=(
            ("Domain", "Linked domain"),
            ("DR", "Domain rating"),
            ("Links from target", "Linking pages", "Dofollow links from target"),
        ),
        without=("Target pages", "Links to target"),
    ),
    Lookalike(
        "Semrush outgoing domains (the sites this site links out to)",
        _BACKLINKS_INSTEAD["Semrush"],
        signature=(("Domain ascore",), ("Domain",), ("Links",)),
        without=("Backlinks",),
    ),
    Lookalike(
        "Semrush indexed pages (the site's own pages with their number of backlinks)",
        _BACKLINKS_INSTEAD["Semrush"],
        signature=(("Source url",), ("Backlinks",), ("Response code", "Domains")),
        without=("Target url",),
    ),
    Lookalike(
        "Semrush anchors (one row per anchor text)",
        _BACKLINKS_INSTEAD["Semrush"],
        signature=(("Anchor",), ("Domains",), ("Backlinks",)),
        without=("Source url", "Target url"),
    ),
    Lookalike(
        "Semrush referring IPs (one row per IP address)",
        _BACKLINKS_INSTEAD["Semrush"],
        signature=(("IP Address", "IP"), ("Domains",), ("Backlinks",)),
        without=("Domain", "Source url"),
    ),
    Lookalike(
        "a Semrush comparison of domains (one row per compared site)",
        _BACKLINKS_INSTEAD["Semrush"],
        signature=(
            ("Target", "Root Domain", "Domain", "Compared domain"),
            ("Authority Score", "Ascore", "AS", "Domain ascore"),
            ("Referring domains", "Ref. domains", "Domains", "Matches"),
        ),
        without=("Source url", "Target url", "Source URL", "IP Address"),
    ),
    Lookalike(
        "Search Console performance by query, country, device or day (no pages)",
        "for clicks, export the table of pages; for backlinks, use an export from Ahrefs, Semrush, Majestic or Moz",
        signature=(
            CLICKS,
            IMPRESSIONS,
        ),
        without=PAGE,
    ),
    Lookalike(
        "Search Console's latest links (linking pages without the pages they link to)",
        "put your site in the file name, as Search Console exports do: “example.com-Latest links.csv”, or enter your "
        "site (in the terminal: audit --site example.com)",
        signature=(("Linking page",), ("Last crawled",)),
        without=("Target page", "Target URL", "Target site"),
    ),
    Lookalike(
        "a keyword export (rankings, no links)",
        "export the backlinks or a crawl instead",
        signature=(("Keyword",), ("Volume", "Search Volume", "Position", "Current position")),
        without=("Source url", "Referring page URL"),
    ),
)

DOMAIN_LIST = Lookalike(
    "a list of domains without any metrics",
    "export the backlinks (one row per link, with referring page and target page) instead",
    signature=(),
)
"""Recognised by its values: one column, every value a host."""
