"""Checked links, as a result that answers for itself."""

from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property

import pandas as pd

from backlink_audit import labels
from backlink_audit.exports.clean import Cleaned
from backlink_audit.judgement.referring_page_crawl import GONE, NO_CONCLUSION, RELS, found_before
from backlink_audit.labels import CHECK_STATES
from backlink_audit.wording import count


@dataclass(frozen=True, eq=False)
class LinkCheck:
    """The links of an export, each with what its referring page says (`analysis.link_check`)."""

    cleaned: Cleaned
    links: pd.DataFrame
    notes: tuple[str, ...] = ()
    made_at: datetime = field(default_factory=lambda: datetime.now().astimezone())

    @property
    def name(self) -> str:
        return self.cleaned.export.name

    @property
    def headline(self) -> str:
        """The answer in one sentence."""
        states = self.links["check_state"]
        gone, open_ones = int(states.isin(GONE).sum()), int(states.isin(NO_CONCLUSION).sum())
        there = len(states) - gone - open_ones
        return (
            f"{count(len(states), 'link')} checked: {there:,} there, {gone:,} gone, {open_ones:,} without a conclusion."
        )

    @cached_property
    def counts(self) -> dict[str, int]:
        """How many links have each state, those that none has included."""
        found = self.links["check_state"].value_counts()
        return {label.word: int(found.get(label.word, 0)) for label in CHECK_STATES}


BACK, MOVED, HIDDEN = "came back", "moved", "noindex or canonical elsewhere"
CHANGES = (*GONE, *(f"now {name}" for name in RELS), HIDDEN, MOVED, BACK)
"""What can have become of a link, in the order of the lists."""


def with_former(links: pd.DataFrame, former: pd.DataFrame) -> pd.DataFrame:
    """Return checked links as they are to be kept, with `change`, what each became since the former check.

    `links` and `former`: referring_url, target_url, anchor, check_state and page_ with each of RELS. A link whose page
    allows no conclusion now keeps what was known of it, so that the next check is compared with that. change: one or
    more of CHANGES, joined by commas; "" for a link that is as it was, or was not known.
    """
    before = found_before(links, former)
    unknown = links["check_state"].isin(NO_CONCLUSION)
    names = ["check_state", *(f"page_{name}" for name in RELS)]
    now = links.assign(**{name: before[name].where(unknown, links[name]) for name in names})
    known = ~before["check_state"].isin(NO_CONCLUSION) & ~unknown
    was, is_now = before["check_state"], now["check_state"]
    was_there, there = ~was.isin(GONE), ~is_now.isin(GONE)
    hidden = labels.THERE_NOT_INDEXED.word
    found = {
        **{state: (is_now == state) & was_there for state in GONE},
        **{f"now {name}": there & was_there & ~_became(before, name) & _became(now, name) for name in RELS},
        HIDDEN: (is_now == hidden) & (was != hidden),
        MOVED: (is_now == labels.MOVED.word) & (was != labels.MOVED.word) & was_there,
        BACK: there & (~was_there | _better(before, now) | ((was == hidden) & (is_now != hidden))),
    }
    table = pd.DataFrame(found)[list(CHANGES)].mul(known, axis=0)
    words = [", ".join(name for name, one in zip(CHANGES, row, strict=True) if one) for row in table.to_numpy()]
    return now.assign(change=pd.array(words, dtype="str"))


def _became(links: pd.DataFrame, name: str) -> pd.Series:
    return links[f"page_{name}"].fillna(False).astype(bool)


def _better(before: pd.DataFrame, now: pd.DataFrame) -> pd.Series:
    marked = [pd.concat([_became(links, name) for name in RELS], axis=1).any(axis=1) for links in (before, now)]
    return marked[0] & ~marked[1]
