"""Referring domains: how each tool heads its columns."""

from backlink_audit.exports.layout import Format

AHREFS_REFERRING_DOMAINS = Format(
    name="Ahrefs referring domains",
    tool="Ahrefs",
    scale="Ahrefs",
    table="referring_domains",
    signature=(
        ("Domain", "Referring domain"),
        ("DR", "Domain rating"),
        ("Links to target", "Dofollow links", "Dofollow ref. domains"),
    ),
    without=("Intersect",),
    headers={
        "referring_domain": ("Domain", "Referring domain"),
        "domain_rating": ("DR", "Domain rating"),
        "backlinks": ("Links to target",),
        "followed_backlinks": ("Dofollow links",),
        "spam": ("Is spam",),
        "traffic": ("Traffic", "Domain traffic"),
        "first_seen": ("First seen",),
        "last_seen": ("Last seen",),
        "lost_date": ("Lost",),
    },
)

AHREFS_LINK_INTERSECT = Format(
    name="Ahrefs link intersect",
    tool="Ahrefs",
    scale="Ahrefs",
    table="referring_domains",
    signature=(("Domain", "Referring domain"), ("Intersect",)),
    headers={
        "referring_domain": ("Domain", "Referring domain"),
        "domain_rating": ("DR", "Domain rating"),
        "spam": ("Is spam",),
        "traffic": ("Traffic", "Domain traffic"),
    },
)
"""One column per competitor follows, named after it: how often each domain links to it (`gap.sites`)."""

SEMRUSH_REFERRING_DOMAINS = Format(
    name="Semrush referring domains",
    tool="Semrush",
    scale="Semrush",
    table="referring_domains",
    signature=(("Domain ascore",), ("Domain",), ("Backlinks",)),
    headers={
        "referring_domain": ("Domain",),
        "domain_rating": ("Domain ascore",),
        "backlinks": ("Backlinks",),
        "country": ("Country",),
        "first_seen": ("First seen",),
        "last_seen": ("Last seen",),
    },
)

SEARCH_CONSOLE_LINKING_SITES = Format(
    name="Search Console top linking sites",
    tool="Search Console",
    table="referring_domains",
    signature=(("Site",), ("Linking pages",), ("Target pages",)),
    headers={"referring_domain": ("Site",), "backlinks": ("Linking pages",)},
)

MAJESTIC_REFERRING_DOMAINS = Format(
    name="Majestic referring domains",
    tool="Majestic",
    scale="Majestic",
    table="referring_domains",
    signature=(("Domain",), ("CitationFlow", "Citation Flow"), ("TrustFlow", "Trust Flow")),
    headers={
        "referring_domain": ("Domain",),
        "domain_rating": ("TrustFlow", "Trust Flow"),
        "backlinks": ("MatchedLinks", "Matched Links", "Backlinks"),
        "country": ("CountryCode", "Country"),
    },
)

PLAIN_REFERRING_DOMAINS = Format(
    name="Referring domains (other tools)",
    tool="",
    table="referring_domains",
    signature=(("referring_domain", "Referring domain", "Linking domain", "Source domain", "Root Domain"),),
    without=("referring_url", "Referring page URL", "Source URL", "Source page", "target_url", "Target URL", "Anchor"),
    headers={
        "referring_domain": ("referring_domain", "Referring domain", "Linking domain", "Source domain", "Root Domain"),
        "domain_rating": ("domain_rating", "DR", "Domain rating", "DA", "Domain Authority", "Domain ascore"),
        "backlinks": ("backlinks", "links", "Links to target"),
        "followed_backlinks": ("followed_backlinks", "Dofollow links"),
        "spam": ("is_spam", "Is spam"),
        "traffic": ("traffic", "domain_traffic"),
        "country": ("country",),
        "first_seen": ("first_seen", "First seen"),
        "last_seen": ("last_seen", "Last seen"),
        "lost_date": ("lost", "lost_date"),
    },
)

DOMAIN_FORMATS = (
    AHREFS_LINK_INTERSECT,
    AHREFS_REFERRING_DOMAINS,
    SEMRUSH_REFERRING_DOMAINS,
    MAJESTIC_REFERRING_DOMAINS,
    SEARCH_CONSOLE_LINKING_SITES,
    PLAIN_REFERRING_DOMAINS,
)
