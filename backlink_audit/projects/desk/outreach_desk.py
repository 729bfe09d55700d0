"""The outreach desk of a project: who is to be asked for a link, the state of each, and the letters to write."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Any

import pandas as pd

from backlink_audit.analysis.letters import PLACEHOLDERS, TEMPLATES, blanks, write_pitch
from backlink_audit.glossary import TERMS
from backlink_audit.labels import (
    ANSWERED,
    CONTACTED,
    DECLINED,
    FOLLOW_UP,
    LOST_AGAIN,
    OUTREACH_REASONS,
    OUTREACH_STATES,
    TO_CONTACT,
    WON,
)
from backlink_audit.pipelines.tables import Tables, WholeTables, shown
from backlink_audit.projects.content.projects import Project
from backlink_audit.projects.content.snapshots import Snapshot, every_snapshot
from backlink_audit.projects.desk.prospects import Prospect, kept_prospects
from backlink_audit.projects.desk.won_and_lost import Found, Linking, found_by_domain, linking, state_of
from backlink_audit.projects.store.connection import Store
from backlink_audit.report.letter_files import Letter, letter_of
from backlink_audit.wording import by_number, count, first_of

CLOSED = frozenset({WON.word, LOST_AGAIN.word, DECLINED.word})
"""States in which no letter is to be written."""
COLUMNS = (
    *(
        "outreach_state",
        "referring_domain",
        "outreach_reason",
        "follow_up",
        "is_due",
        "found",
        "contact",
        "note",
        "relevance",
    ),
    *("authority", "example_title", "example_url", "our_page", "competitors", "topic", "chosen"),
)
"""Columns of the table of prospects, in order."""
_TEXTS = ("example_title", "example_url", "our_page", "competitors", "topic")
_NUMBERS = ("relevance", "authority")


@dataclass(frozen=True, eq=False)
class OutreachDesk:
    """The prospects of a project by domain, and what later snapshots found of them."""

    prospects: Mapping[str, Prospect]
    found: Mapping[str, Found]
    today: date

    @cached_property
    def states(self) -> dict[str, str]:
        """The state of each prospect, by domain."""
        return {domain: state_of(one, self.found.get(domain)) for domain, one in self.prospects.items()}

    @cached_property
    def counts(self) -> dict[str, int]:
        """How many prospects have each state, in the order of the work."""
        states = list(self.states.values())
        return {label.word: states.count(label.word) for label in OUTREACH_STATES}

    @property
    def won(self) -> frozenset[str]:
        """The domains that were won."""
        return frozenset(domain for domain, state in self.states.items() if state == WON.word)

    @cached_property
    def due(self) -> frozenset[str]:
        """The domains that are to be written to again by now."""
        return frozenset(
            domain
            for domain, one in self.prospects.items()
            if one.follow_up is not None and one.follow_up <= self.today and self.states[domain] not in CLOSED
        )

    @property
    def waiting(self) -> int:
        """How many were written to and are neither won nor closed."""
        return sum(self.counts[label.word] for label in (CONTACTED, FOLLOW_UP, ANSWERED))

    @property
    def headline(self) -> str:
        """The answer in one sentence."""
        number, due = len(self.prospects), len(self.due)
        if not number:
            return "The outreach desk has no prospects yet."
        return (
            f"{count(number, 'prospect')}: {self.counts[TO_CONTACT.word]:,} to contact, {self.waiting:,} in contact, "
            f"{self.counts[WON.word]:,} won, {self.counts[LOST_AGAIN.word]:,} lost again; "
            f"{count(due, 'follow-up')} {by_number(due, 'is', 'are')} due."
        )

    @cached_property
    def table(self) -> pd.DataFrame:
        """One row per prospect, follow-ups that are due first, then in the order of the work; COLUMNS."""
        order = [label.word for label in OUTREACH_STATES]
        rows = sorted(
            (self._row(one) for one in self.prospects.values()),
            key=lambda row: (not row["is_due"], order.index(str(row["outreach_state"]))),
        )
        table = pd.DataFrame(rows, columns=list(COLUMNS))
        texts = [name for name in COLUMNS if name not in ("follow_up", "chosen", "is_due", *_NUMBERS)]
        table = table.astype(dict.fromkeys(texts, "str"))
        days = {name: pd.to_datetime(table[name]) for name in ("follow_up", "chosen")}
        return table.assign(**days).astype(dict.fromkeys(_NUMBERS, "float64") | {"is_due": "bool"})

    def news(self, made_at: str) -> list[str]:
        """Return in sentences what the snapshot of that moment found, and how many follow-ups are due."""
        news = []
        for state, words in ((WON.word, "Outreach won"), (LOST_AGAIN.word, "Won by outreach, and lost again")):
            domains = [domain for domain, one in self.found.items() if (one.state, one.made_at) == (state, made_at)]
            news += [f"{words}: {first_of(domains)}."] if domains else []
        due = len(self.due)
        return news + ([f"{count(due, 'follow-up')} {by_number(due, 'is', 'are')} due."] if due else [])

    def to_write_to(self) -> list[str]:
        """Return the domains to write to now: those to contact, those to follow up, and those that are due."""
        now = (TO_CONTACT.word, FOLLOW_UP.word)
        return [domain for domain, state in self.states.items() if state in now or domain in self.due]

    def once_sent(self, domain: str) -> dict[str, Any]:
        """Return what changes of a prospect once its letter is sent: it is contacted, and no follow-up is due."""
        day = self.prospects[domain].follow_up
        over = {"follow_up": None} if day is not None and day <= self.today else {}
        return {"state": CONTACTED.word} | over

    def reasons(self, domains: Collection[str]) -> list[str]:
        """Return why these prospects are asked, each reason once, in the order of the reasons."""
        found = {self.prospects[domain].reason for domain in domains}
        return [label.word for label in OUTREACH_REASONS if label.word in found]

    def letters(self, templates: Mapping[str, str], domains: Collection[str]) -> list[Letter]:
        """Return the letter to each of these prospects, in the desk's order. Raises InvalidSetting for a template.

        `templates`: by reason; for one that is missing there is the app's (`pitch.TEMPLATES`).
        """
        chosen, written = frozenset(domains), {**TEMPLATES, **templates}
        return [
            letter_of(domain, one.contact, write_pitch(written[one.reason], self.values(domain)))
            for domain, one in self.prospects.items()
            if domain in chosen
        ]

    def blanks(self, templates: Mapping[str, str], domains: Collection[str]) -> dict[str, int]:
        """Return in how many of these letters a placeholder has no value, by its name; only those with any."""
        written = {**TEMPLATES, **templates}
        missing = Counter(
            name for domain in domains for name in blanks(written[self.prospects[domain].reason], self.values(domain))
        )
        return dict(missing.most_common())

    def values(self, domain: str) -> dict[str, str]:
        """Return the values of a template's placeholders in a letter to this prospect."""
        facts = self.prospects[domain].facts
        known = {name: " ".join(str(facts.get(name) or "").split()) for name in PLACEHOLDERS}
        return known | {"referring_domain": domain}

    def _row(self, one: Prospect) -> dict[str, object]:
        found = self.found.get(one.domain)
        return {
            "outreach_state": self.states[one.domain],
            "referring_domain": one.domain,
            "outreach_reason": one.reason,
            "follow_up": one.follow_up,
            "is_due": one.domain in self.due,
            "found": found.sentence if found else "",
            "contact": one.contact,
            "note": one.note,
            "chosen": one.chosen_at[:10],
            **{name: str(one.facts.get(name) or "") for name in _TEXTS},
            **{name: one.facts.get(name) for name in _NUMBERS},
        }


def desk(
    store: Store, project: Project, today: date, read: Callable[[Store, Snapshot], Linking] = linking
) -> OutreachDesk:
    """Return the outreach desk of a project as the store has it; `read`: how a snapshot's domains are read."""
    prospects = kept_prospects(store, project)
    known = [one.known_until for one in prospects.values()]
    first = min((day for day in known if day is not None), default=None) if None not in known else None
    later: list[Linking] = []
    if prospects:
        snapshots = every_snapshot(store, project)
        later = [read(store, one) for one in snapshots if first is None or one.day >= first]
    return OutreachDesk(prospects, found_by_domain(prospects, later), today)


def tables(found: OutreachDesk) -> WholeTables:
    """Return the tables of a desk: every prospect, and the workbook."""

    def main() -> pd.DataFrame:
        return shown(found.table, COLUMNS)

    def sheets() -> dict[str, pd.DataFrame]:
        meanings = [(label.word, label.meaning, found.counts[label.word]) for label in OUTREACH_STATES]
        states = pd.DataFrame(meanings, columns=[TERMS["outreach_state"].label, "Meaning", "Prospects"])
        return {"Outreach desk": main(), "States": states}

    return Tables(main, sheets)
