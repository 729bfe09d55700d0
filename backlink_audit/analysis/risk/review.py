"""What was decided about risky links and domains: a state each, undecided until the user says otherwise.

Decisions are kept by referring domain or by URL, never by row number, so that they apply to the next export too.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from io import BytesIO
from typing import Literal

import pandas as pd

from backlink_audit.analysis.risk.text_files import read_text_file
from backlink_audit.errors import FileProblem, InvalidSetting, MissingColumns, UnreadableFile
from backlink_audit.labels import DISAVOW, KEEP, STATES, UNDECIDED, WHITELIST
from backlink_audit.text.urls.parts import idna_host, normalise_url

Scope = Literal["domain", "URL"]
SCOPES: tuple[Scope, ...] = ("domain", "URL")
WORDS = tuple(label.word for label in STATES)
COLUMNS = ("Scope", "Item", "State", "Note")
NO_REVIEW = "use a review file downloaded from this page"
GUARD = re.compile(r"(?:\A|(?<=[;\t\n]))'(?=[ \"]*[=+\-@\t\r＝＋－＠])")
"""The apostrophe that keeps a spreadsheet from running a cell; our csv files put it there."""


@dataclass(frozen=True)
class Decision:
    """The state of one item and the user's note; `item` is the domain or the URL as it was written."""

    item: str
    state: str
    note: str = ""


@dataclass(frozen=True)
class Review:
    """All decisions, by scope and key; whatever is not in it is undecided."""

    decisions: Mapping[tuple[str, str], Decision] = field(default_factory=dict)

    def decide(self, scope: Scope, items: Iterable[str], state: str, note: str | None = None) -> "Review":
        """Return a review in which these items have that state; undecided removes them. `note` None: the note stays.

        Raises InvalidSetting for a state that is none of `labels.STATES`.
        """
        if state not in WORDS:
            raise InvalidSetting(f"{state!r} is not a state; it must be one of {', '.join(WORDS)}.")
        decisions = dict(self.decisions)
        for item in items:
            key = scope, key_of(scope, item)
            former = decisions.get(key)
            kept = former.note if note is None and former else note or ""
            decisions[key] = Decision(item, state, kept)
        return Review(_without_empty(decisions))

    def states_of_domains(self, domains: pd.Series) -> pd.Series:
        """Return the state of each referring domain."""
        return domains.map(self._states("domain")).astype("str").fillna(UNDECIDED.word)

    def states_of_links(self, links: pd.DataFrame) -> pd.Series:
        """Return the state of each link: that of its referring URL, else that of its domain.

        `links` has referring_key and referring_domain.
        """
        own = links["referring_key"].map(self._states("URL")).astype("str")
        return own.fillna(self.states_of_domains(links["referring_domain"]))

    def with_state(self, scope: Scope, *states: str) -> list[str]:
        """Return the items of a scope that have any of these states, in the order in which they were decided."""
        return [one.item for (kind, _), one in self.decisions.items() if kind == scope and one.state in states]

    @property
    def disavowed_domains(self) -> list[str]:
        """The domains to disavow."""
        return self.with_state("domain", DISAVOW.word)

    @property
    def disavowed_urls(self) -> list[str]:
        """The single URLs to disavow."""
        return self.with_state("URL", DISAVOW.word)

    @property
    def kept_domains(self) -> list[str]:
        """The domains that must not be disavowed."""
        return self.with_state("domain", KEEP.word, WHITELIST.word)

    @property
    def kept_urls(self) -> list[str]:
        """The single URLs that must not be disavowed."""
        return self.with_state("URL", KEEP.word, WHITELIST.word)

    def joined(self, other: "Review") -> "Review":
        """Return both reviews as one; where they differ, the other one has the last word."""
        return Review({**self.decisions, **other.decisions})

    def to_table(self) -> pd.DataFrame:
        """Return one row per decision: Scope, Item, State, Note; `read_review` reads it again."""
        rows = [(scope, one.item, one.state, one.note) for (scope, _), one in self.decisions.items()]
        return pd.DataFrame(rows, columns=list(COLUMNS), dtype="str")

    def _states(self, scope: Scope) -> dict[str, str]:
        return {key: one.state for (kind, key), one in self.decisions.items() if kind == scope}


def key_of(scope: Scope, item: str) -> str:
    """Return what an item is found by: the domain in lower case and IDNA, or the normalised URL.

    >>> key_of("domain", "Example.com "), key_of("URL", "https://www.example.com/a/")
    ('example.com', 'example.com/a')
    """
    return idna_host(item.strip()) if scope == "domain" else normalise_url(item)


def read_review(data: bytes, name: str) -> Review:
    """Read a review that was downloaded as csv, also after a spreadsheet has saved it.

    Raises:
        UnreadableFile: the bytes are no csv.
        MissingColumns: it has not the columns of a review.
        FileProblem: a row has no known state or scope; the sentence names its line.
    """
    text, _ = read_text_file(data, name, NO_REVIEW)
    try:
        separator = max(",;\t", key=text.partition("\n")[0].count)
        table = pd.read_csv(BytesIO(text.encode()), sep=separator, dtype=str, keep_default_na=False)
    except ValueError as problem:
        raise UnreadableFile(name, f"this is not a CSV file; {NO_REVIEW}.") from problem
    lacking = [column for column in COLUMNS[:3] if column not in table.columns]
    if lacking:
        raise MissingColumns(name, f"this is not a review: it has no column {' and no column '.join(lacking)}.")
    return _read_rows(table, name)


def _read_rows(table: pd.DataFrame, name: str) -> Review:
    review: dict[tuple[str, str], Decision] = {}
    notes = table["Note"] if "Note" in table else pd.Series("", index=table.index)
    for line, (scope, item, state, note) in enumerate(
        zip(table["Scope"], table["Item"], table["State"], notes, strict=True), 2
    ):
        known = {word.lower(): word for word in SCOPES}.get(scope.strip().lower())
        if known is None or state.strip().lower() not in WORDS:
            wrong = f"“{scope}” is not a domain or URL" if known is None else f"“{state}” is not a state"
            raise FileProblem(name, f"line {line}: {wrong}.")
        if not item.strip():
            raise FileProblem(name, f"line {line}: the domain or URL is missing.")
        review[known, key_of(known, item)] = Decision(item.strip(), state.strip().lower(), GUARD.sub("", note))
    return Review(_without_empty(review))


def _without_empty(decisions: Mapping[tuple[str, str], Decision]) -> dict[tuple[str, str], Decision]:
    """Return the decisions without those that say nothing: undecided, and no note."""
    return {key: one for key, one in decisions.items() if one.state != UNDECIDED.word or one.note}
