"""The sites of an audit that an email is worth, as the outreach desk keeps them."""

import pandas as pd

from backlink_audit.analysis.scales import site_authority
from backlink_audit.labels import DEAD_PAGE, LINK_LOST, LOST_LINK, RECLAIM

COLUMNS = (
    *("referring_domain", "outreach_reason", "asks", "relevance", "authority"),
    *("example_url", "example_title", "example_anchor", "our_page"),
)


def prospects_of(rows: pd.DataFrame, word: str) -> pd.DataFrame:
    """Return COLUMNS of the sites of a task (`Audit.to_do`), Reclaim or Pitch by its word; one row each, same order."""
    if word == RECLAIM.word:
        lost = rows["link_state"] == LINK_LOST.word
        rows = rows.assign(
            outreach_reason=lost.map({True: LOST_LINK.word, False: DEAD_PAGE.word}).astype("str"),
            asks=rows["advice"],
            authority=site_authority(rows),
            example_url=rows["referring_url"],
            example_title=rows["referring_title"],
            example_anchor=rows["anchor"],
        )
    return rows.rename(columns={"target_url": "our_page"}).drop_duplicates("referring_domain")[list(COLUMNS)]
