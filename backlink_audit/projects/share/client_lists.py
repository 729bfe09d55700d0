"""The lists of a client's report: which links that matter came and went, and what is disavowed and why."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from backlink_audit.analysis.risk.review import Review
from backlink_audit.analysis.scoring.at_stake import at_stake
from backlink_audit.labels import DISAVOW, LOST, NEW, PRAISE, REVIEW
from backlink_audit.pipelines.audit.result import Scored
from backlink_audit.pipelines.risk.sent_file import SentFile
from backlink_audit.projects.content.comparison import Comparison
from backlink_audit.report.client import Listed
from backlink_audit.wording import count

MOST_LISTED = 5
"""Links of a list of changes: the whole of it is in the workbook."""
MOST_DISAVOWED = 10
"""Domains of the list of what is disavowed."""
WORTH_KEEPING = frozenset(label.word for label in PRAISE)


def changes(comparison: Comparison | None) -> list[Listed]:
    """Return the links worth keeping that were lost and gained, those with most at stake first, a domain each once.

    Of the new ones to review only their number is said.
    """
    if comparison is None:
        return []
    links = comparison.links
    lost = links[(links["change"] == LOST.word) & links["verdict_before"].isin(WORTH_KEEPING)]
    new = links[links["change"] == NEW.word]
    gained = new[new["verdict_after"].isin(WORTH_KEEPING)]
    found = [
        _listed("Lost: links worth keeping", lost, "verdict_before"),
        _listed("Gained: links worth keeping", gained, "verdict_after"),
    ]
    bad = new[new["verdict_after"] == REVIEW.word]
    if len(bad):
        sites = count(bad["referring_domain"].nunique(), "domain")
        found.append(Listed("Gained: links to check", [(f"{count(len(bad), 'link')} from {sites}", "Verdict Review.")]))
    return [one for one in found if one.rows]


def _listed(title: str, links: pd.DataFrame, verdict: str) -> Listed:
    # What they are worth is told by their verdict: only its strength puts them in order.
    stakes = at_stake(links.assign(relevance=100.0, page_traffic=float("nan")))
    first = links.loc[stakes.sort_values(ascending=False, kind="stable").index].drop_duplicates("referring_domain")
    rows = [(link_in_words(row), f"Verdict {row[verdict]}.") for row in first.head(MOST_LISTED).to_dict("records")]
    return Listed(title, rows, len(first) - len(rows))


def link_in_words(row: Mapping[Any, Any]) -> str:
    """Say from which page to which a link leads."""
    return f"{row['referring_url']} to {row['target_url']}"


def disavowed(audit: Scored, sent: SentFile | None, review: Review) -> Listed | None:
    """Return the domains whose links are disavowed, by decision or by the file, most links first; None for none.

    Why: the note of the decision, else the reason of the verdict of their link with most risk signals.
    """
    links = audit.links
    by_review = review.states_of_links(links).eq(DISAVOW.word).to_numpy()
    by_file = links.index.isin(sent.links.index) if sent else False
    gone = links[by_review | by_file]
    if gone.empty:
        return None
    worst = gone.sort_values("risk_signals", ascending=False, kind="stable").drop_duplicates("referring_domain")
    numbers = gone["referring_domain"].value_counts()
    notes = {one.item: one.note for (scope, _), one in review.decisions.items() if scope == "domain" and one.note}
    worst = worst.assign(number=worst["referring_domain"].map(numbers))
    worst = worst.sort_values("number", ascending=False, kind="stable")
    rows = [
        (f"{row['referring_domain']}, {count(row['number'], 'link')}", notes.get(row["referring_domain"]) or row["why"])
        for row in worst.head(MOST_DISAVOWED).to_dict("records")
    ]
    return Listed("What is disavowed", rows, len(worst) - len(rows))
