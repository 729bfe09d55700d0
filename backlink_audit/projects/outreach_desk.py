"""The outreach desk of a project: who is to be asked for a link, the state of each, and the letters to write."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property
from typing import Any

import pandas as pd
import sqlalchemy as sa

from backlink_audit.errors import InvalidSetting
from backlink_audit.exports.lists import FACTS as OF_A_LIST
from backlink_audit.glossary import TERMS
from backlink_audit.judgement.letters import (
    DEFAULT_LANGUAGE,
    LANGUAGES,
    PLACEHOLDERS,
    TEMPLATES,
    blanks,
    language_of,
    template_key,
    worth_a_letter,
    write_pitch,
)
from backlink_audit.labels import (
    ANSWERED,
    CONTACTED,
    DECLINED,
    FOLLOW_UP,
    LINK_LIVE,
    LOST_AGAIN,
    NEW_LINK,
    OUTREACH_STATES,
    TO_CONTACT,
    WON,
)
from backlink_audit.projects.projects import Project, lock, now
from backlink_audit.projects.snapshots import Snapshot, columns_of_every_row, every_snapshot
from backlink_audit.projects.store import PROSPECTS, SNAPSHOTS, Store, plain
from backlink_audit.report.letters import LONGEST_ADDRESS, Letter, address_of, letter_of
from backlink_audit.report.rows import Tables, WholeTables, shown
from backlink_audit.text.urls import registrable_domains
from backlink_audit.wording import by_number, count, first_of

FACTS = ("referring_domain", *OF_A_LIST)
"""What is kept of a row of a gap or an audit: all that a letter may name, and what the choice was made by."""
LINKS_ALREADY = "links_already"
"""The fact that a site had a live link when it was chosen: no later snapshot can say that it was won."""
_CHANGES = ("state", "contact", "note", "follow_up")  # what a user changes of a prospect
_STATES = frozenset(label.word for label in OUTREACH_STATES)
CLOSED = frozenset({WON.word, LOST_AGAIN.word, DECLINED.word})  # states in which no letter is to be written
COLUMNS = (
    *("outreach_state", "referring_domain", "outreach_reason", "follow_up", "is_due", "found", "contact", "note"),
    *("relevance", "authority", "example_title", "example_url", "our_page", "competitors", "topic", "chosen"),
)
"""Columns of the table of prospects, in order."""
_TEXTS = ("example_title", "example_url", "our_page", "competitors", "topic")
_NUMBERS = ("relevance", "authority")


@dataclass(frozen=True)
class Prospect:
    """One site to ask for a link. `version`: how often it was changed; 0 is not in the store yet."""

    domain: str
    state: str = TO_CONTACT.word
    contact: str = ""
    note: str = ""
    follow_up: date | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)
    known_until: date | None = None
    """The day of the newest snapshot when it was chosen; only later ones can say that it was won."""
    chosen_at: str = ""
    decided_at: str = ""
    version: int = 0

    @property
    def reason(self) -> str:
        return str(self.facts.get("outreach_reason") or NEW_LINK.word)

    def changed(self, **values: Any) -> "Prospect":
        """Return it with another state (decided now), contact, recipient, note or follow-up. Raises InvalidSetting.

        `recipient`: the name of the person to write to.

        >>> Prospect("a.example").changed(state="won", note="since May").state
        'won'
        """
        decided: dict[str, Any] = {"decided_at": now()} if "state" in values else {}
        if "recipient" in values:
            decided["facts"] = {**self.facts, "recipient": " ".join(values.pop("recipient").split())}
        one = replace(self, **decided, **values)
        if one.state not in _STATES:
            raise InvalidSetting(f"“{one.state}” is not a valid state; use {', '.join(sorted(_STATES))}.")
        if one.contact and address_of(one.contact) is None:
            shown = one.contact if len(one.contact) <= LONGEST_ADDRESS else f"{one.contact[:60]}…"
            raise InvalidSetting(f"“{shown}” is not an email address; write it like name@site.example.")
        return one


def kept_prospects(store: Store, project: Project) -> dict[str, Prospect]:
    """Return the prospects of a project by domain, in the order in which they were chosen."""
    query = sa.select(PROSPECTS).where(PROSPECTS.c.project_id == project.id).order_by(PROSPECTS.c.id)
    with store.reading() as connection:
        rows = connection.execute(query).mappings().all()
    return {row["domain"]: Prospect(**{name: row[name] for name in Prospect.__dataclass_fields__}) for row in rows}


def choose(store: Store, project: Project, rows: pd.DataFrame, linking: Collection[str] = ()) -> int:
    """Put domains on the desk and return how many were put there.

    Those that are there already stay as they are; those that link to the site already (`linking`) are left out, unless
    they are asked about a link that they have. `rows` has referring_domain, and as many of FACTS as are known.
    """
    facts = rows[[name for name in FACTS if name in rows.columns]]
    if "outreach_reason" in rows.columns:
        facts = facts.assign(**{LINKS_ALREADY: rows["referring_domain"].isin(list(linking))})
    found = {str(domain): values for domain, values in zip(rows["referring_domain"], _plain(facts), strict=True)}
    moment = now()
    with store.writing() as connection:
        lock(connection, project)
        own = PROSPECTS.c.project_id == project.id
        there = set(connection.execute(sa.select(PROSPECTS.c.domain).where(own)).scalars())
        newest = sa.select(sa.func.max(SNAPSHOTS.c.day)).where(SNAPSHOTS.c.project_id == project.id)
        known_until = connection.execute(newest).scalar_one_or_none()
        added = [
            Prospect(domain, facts=values, known_until=known_until, chosen_at=moment, decided_at=moment, version=1)
            for domain, values in found.items()
            if domain and domain not in there and (domain not in linking or values.get(LINKS_ALREADY))
        ]
        if added:
            connection.execute(sa.insert(PROSPECTS), [{"project_id": project.id} | vars(one) for one in added])
    return len(added)


def change(
    store: Store, project: Project, seen: Mapping[str, Prospect], wanted: Mapping[str, Prospect | None]
) -> list[str]:
    """Put these prospects in place of those that were seen (None: take it off the desk); return what was not changed.

    Not changed is what somebody else changed since it was seen, unless to the very same: theirs stays.
    """
    refused = []
    with store.writing() as connection:
        lock(connection, project)
        own = PROSPECTS.c.project_id == project.id
        rows = connection.execute(sa.select(PROSPECTS).where(own)).mappings().all()
        there = {row["domain"]: row for row in rows}
        for domain, one in wanted.items():
            row = there.get(domain)
            if row is None or row["version"] != seen[domain].version:
                same = row is None if one is None else row is not None and _same(one, row)
                refused += [] if same else [domain]
                continue
            here = sa.and_(own, PROSPECTS.c.domain == domain)
            if one is None:
                connection.execute(sa.delete(PROSPECTS).where(here))
            else:
                values = vars(replace(one, version=row["version"] + 1))
                connection.execute(sa.update(PROSPECTS).where(here).values(values))
    return refused


def _same(one: Prospect, row: sa.RowMapping) -> bool:
    return all(getattr(one, name) == row[name] for name in _CHANGES)


def _plain(facts: pd.DataFrame) -> list[dict[str, Any]]:
    return [{str(name): plain(value) for name, value in row.items()} for row in facts.to_dict("records")]


@dataclass(frozen=True)
class Linking:
    """Which domains link in a snapshot, with a live link."""

    day: date
    made_at: str
    domains: frozenset[str]


@dataclass(frozen=True)
class Found:
    """What the snapshots say of a prospect: won or lost again, the day of the first one that says so, when it came."""

    state: str
    day: date
    made_at: str

    @property
    def sentence(self) -> str:
        return f"links since {self.day}" if self.state == WON.word else f"linked before, but not on {self.day}"


def linking(store: Store, snapshot: Snapshot) -> Linking:
    """Return which domains link in a snapshot, whatever its filters set aside."""
    links = columns_of_every_row(store, snapshot, ["referring_domain", "link_state"])
    live = links.loc[links["link_state"] == LINK_LIVE.word, "referring_domain"]
    return Linking(snapshot.day, snapshot.made_at, frozenset(live.unique()))


def linking_now(store: Store, project: Project) -> frozenset[str]:
    """Return which domains link in a project's last snapshot; none without one."""
    snapshots = every_snapshot(store, project)
    return linking(store, snapshots[-1]).domains if snapshots else frozenset()


def found_of(prospect: Prospect, snapshots: Sequence[Linking]) -> Found | None:
    """Return what the snapshots after its choice say of a prospect; None where it never linked in one of them.

    `snapshots`: the oldest first. What counts is where the link is now: a site that came, went and came back is won,
    since the day on which it was back.
    """
    found: Found | None = None
    for one in snapshots:
        if not _is_later(one, prospect):
            continue
        links = prospect.domain in one.domains
        if links and (found is None or found.state == LOST_AGAIN.word):
            found = Found(WON.word, one.day, one.made_at)
        elif not links and found is not None and found.state == WON.word:
            found = Found(LOST_AGAIN.word, one.day, one.made_at)
    return found


def state_of(prospect: Prospect, found: Found | None) -> str:
    return prospect.state if found is None or found.made_at < prospect.decided_at else found.state


def found_by_domain(prospects: Mapping[str, Prospect], snapshots: Sequence[Linking]) -> dict[str, Found]:
    """Return what the snapshots say, by domain; a site that had a live link is won when its user says so."""
    asked = {domain: one for domain, one in prospects.items() if not one.facts.get(LINKS_ALREADY)}
    by_domain = {domain: found_of(one, snapshots) for domain, one in asked.items()}
    return {domain: found for domain, found in by_domain.items() if found is not None}


def _is_later(snapshot: Linking, prospect: Prospect) -> bool:
    known = prospect.known_until
    return known is None or snapshot.day > known or (snapshot.day == known and snapshot.made_at > prospect.chosen_at)


@dataclass(frozen=True, eq=False)
class OutreachDesk:
    """The prospects of a project by domain, and what later snapshots found of them."""

    prospects: Mapping[str, Prospect]
    found: Mapping[str, Found]
    today: date

    @cached_property
    def states(self) -> dict[str, str]:
        return {domain: state_of(one, self.found.get(domain)) for domain, one in self.prospects.items()}

    @cached_property
    def counts(self) -> dict[str, int]:
        """How many prospects have each state, in the order of the work."""
        states = list(self.states.values())
        return {label.word: states.count(label.word) for label in OUTREACH_STATES}

    @property
    def won(self) -> frozenset[str]:
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

    def worth_a_letter(self, domain: str) -> bool:
        """Whether a letter to this prospect may go out (`judgement.letters.worth_a_letter`)."""
        facts, page = self.prospects[domain].facts, str(self.prospects[domain].facts.get("our_page") or "")
        return worth_a_letter(self.prospects[domain].reason, facts.get("relevance"), page, self._language(domain))

    def template_of(self, domain: str, language: str = "") -> str:
        own = self._language(domain)
        usual = own if own in LANGUAGES else DEFAULT_LANGUAGE
        return template_key(language or usual, self.prospects[domain].reason)

    def _language(self, domain: str) -> str:
        page = self.values(domain)
        return language_of(domain, page["example_title"], page["example_url"])

    def letters(
        self, templates: Mapping[str, str], domains: Collection[str], language: str = "", sender: str = ""
    ) -> list[Letter]:
        """Return the letter to each of these prospects, in the desk's order. Raises InvalidSetting for a template.

        `templates`: by `template_of`; for one that is missing there is the app's. None goes to a prospect that is not
        relevant.
        """
        chosen, written = frozenset(domains), {**TEMPLATES, **templates}
        return [
            letter_of(
                domain,
                one.contact,
                write_pitch(written[self.template_of(domain, language)], self.values(domain, sender)),
            )
            for domain, one in self.prospects.items()
            if domain in chosen and self.worth_a_letter(domain)
        ]

    def blanks(
        self, templates: Mapping[str, str], domains: Collection[str], language: str = "", sender: str = ""
    ) -> dict[str, int]:
        """Return in how many of these letters a placeholder has no value, by its name; only those with any."""
        written = {**TEMPLATES, **templates}
        missing = Counter(
            name
            for domain in domains
            if self.worth_a_letter(domain)
            for name in blanks(written[self.template_of(domain, language)], self.values(domain, sender))
        )
        return dict(missing.most_common())

    def values(self, domain: str, sender: str = "") -> dict[str, str]:
        """Return the values of a template's placeholders in a letter to this prospect."""
        facts = self.prospects[domain].facts
        names = (*PLACEHOLDERS, "example_anchor", "example_target")
        known = {name: " ".join(str(facts.get(name) or "").split()) for name in names}
        words, linked = known.pop("example_anchor"), known.pop("example_target")  # in a gap, of a link to a competitor
        if self.prospects[domain].reason != NEW_LINK.word:
            page = known["our_page"]
            site = registrable_domains(pd.Series([page], dtype="str"))[0]
            known |= {"our_site": site}
            known |= {"our_page": f"{linked} (→ {page})"} if linked else {"link_text": words}
        return known | {"referring_domain": domain, "sender": sender}

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
