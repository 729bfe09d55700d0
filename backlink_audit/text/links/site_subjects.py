"""What shows the subject of a target site: the pages of its own that are linked, and the titles of the pages that link.

Of the linking pages each registrable domain has one vote, and a sample of the domains is enough. Which domains are in
it follows from their names alone, so the parts of an export give the same sample as the whole.
"""

import pandas as pd

VOTERS = 300
"""Referring domains of a site that are asked."""


def voters(links: pd.DataFrame) -> pd.DataFrame:
    """Return the first link of a sample of referring domains of each target site; of cleaned links, or of voters.

    `links` has target_domain, referring_domain, referring_title, referring_url, external_links and url_rating; those
    columns come back. Of the voters of several parts, the voters are those of the whole export.
    """
    columns = ["target_domain", "referring_domain", "referring_title", "referring_url", "external_links", "url_rating"]
    first = links[columns].drop_duplicates(["target_domain", "referring_domain"])
    order = pd.util.hash_array(first["referring_domain"].to_numpy(dtype=object), categorize=False)
    chosen = first.assign(order=order).sort_values(["target_domain", "order", "referring_domain"])
    kept = chosen.groupby("target_domain").head(VOTERS)
    return kept.drop(columns="order").reset_index(drop=True)
