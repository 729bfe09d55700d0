"""What a referring site is about, where nearly all its pages are about one field: so are its pages that do not say.

"Whale faces a loss of $50 million" says little; on a site whose other pages are about cryptocurrency, it says enough.
"""

import pandas as pd

from backlink_audit.analysis.relevance.topics import UNCLEAR, load_topics

FEWEST_TITLES = 10
"""Different titles with a field that a site must have in the export, …"""
LEAST_SHARE = 0.75
"""… and the share of them that must be of the same field."""


def site_fields(domains: pd.Series, titles: pd.Series, fields: pd.Series) -> pd.Series:
    """Return the field of each link's referring site, "" where it has none; the index of `fields`.

    `domains`, `titles` and `fields` have for each link of the whole export its referring domain, the title of its
    page and its field (`analysis.relevance.topics`). A field that accuses is never a site's.
    """
    pages = pd.DataFrame({"domain": domains, "title": titles, "field": fields})
    named = pages[~pages["field"].isin(["", UNCLEAR])].drop_duplicates(["domain", "title"])
    counts = named.groupby(["domain", "field"]).size().rename("titles").reset_index()
    counts["all"] = counts.groupby("domain")["titles"].transform("sum")
    topics = load_topics()
    enough = (counts["all"] >= FEWEST_TITLES) & (counts["titles"] >= LEAST_SHARE * counts["all"])
    chosen = counts[enough & ~counts["field"].isin(topics.fields[topics.risky])]
    found = dict(zip(chosen["domain"], chosen["field"], strict=True))
    return pd.Series([found.get(domain, "") for domain in domains], domains.index, dtype="str")


def with_site_fields(links: pd.DataFrame) -> pd.DataFrame:
    """Return links with the field of their site (site_field) as topic_field where that is unclear."""
    unclear = (links["topic_field"] == UNCLEAR) & (links["site_field"] != "")
    return links.assign(topic_field=links["topic_field"].mask(unclear, links["site_field"]))
