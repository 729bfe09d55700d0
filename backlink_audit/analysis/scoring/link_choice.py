"""Which of the scored links the figures, tables and downloads are about: a choice, made after the scoring."""

import pandas as pd

from backlink_audit.labels import LINK_LIVE, OUTSIDE_CONTENT
from backlink_audit.settings import LinkChoice


def chosen_links(links: pd.DataFrame, choice: LinkChoice) -> pd.Series:
    """Return which links are chosen, bool, same index; `links` has link_state, placement, referring_domain, url_rating.

    Live in content: a link whose placement the export does not know may be in the content, so it stays.
    """
    chosen = pd.Series(True, index=links.index)
    if choice.links != "everything":
        chosen &= links["link_state"] == LINK_LIVE.word
    if choice.links == "live in content":
        chosen &= links["placement"] != OUTSIDE_CONTENT.word
    if choice.one_per_domain:
        chosen &= chosen.index.isin(_best_of_domain(links[chosen]))
    return chosen


def _best_of_domain(links: pd.DataFrame) -> pd.Index:
    """Return the labels of each referring domain's link with the highest page rating, the first of equals."""
    order = links["url_rating"].fillna(-1).sort_values(ascending=False, kind="stable").index
    return links.loc[order, "referring_domain"].drop_duplicates().index
