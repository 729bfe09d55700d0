"""Which referring domains are the target site's own: its old domains, and those that have its name."""

import pandas as pd

from backlink_audit.analysis.anchor_classes import brand_of
from backlink_audit.analysis.self_made import SHORTEST_NAME
from backlink_audit.text.urls import map_distinct


def own_sites(links: pd.DataFrame, names: pd.DataFrame) -> pd.Series:
    """Return the name that shows that each link comes from a site of the target's owner, "" where none does.

    `links` has referring_domain and target_domain; `names` as `site_mentions.names_of_sites` gives them. A name that is
    a plain word, or shorter than `SHORTEST_NAME`, may be anybody's.
    """
    distinctive = names[~names["is_plain_word"] & (names["word"].str.len() >= SHORTEST_NAME)]
    called = map_distinct(links["referring_domain"], brand_of)
    by_name = (links["target_domain"] + "\0" + called).isin(set(distinctive["site"] + "\0" + distinctive["word"]))
    pairs = set(names["site"] + "\0" + names["domain"])
    by_domain = (links["target_domain"] + "\0" + links["referring_domain"]).isin(pairs)
    return links["referring_domain"].where(by_domain, called.where(by_name, "")).astype("str")
