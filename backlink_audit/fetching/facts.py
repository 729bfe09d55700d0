"""Answers -> the tables of what the pages and their links say, as a file may bring them too."""

from collections.abc import Iterable

import pandas as pd

from backlink_audit.fetching.answers import Answer
from backlink_audit.fetching.reading import Link
from backlink_audit.schema import LINK_FACTS, PAGE_FACTS, Table

TYPES = {"number": "float64", "flag": "boolean", "date": "datetime64[s]"}
"""Of columns that are no text."""
BY_REDIRECT = "redirect"
"""The kind of a link that is no more than a page that sends its visitors to the target."""


def facts_of(answers: Iterable[Answer]) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the pages (`schema.PAGE_FACTS`) and the links that were found on them (`schema.LINK_FACTS`)."""
    pages, links = [], []
    for answer in answers:
        pages.append(_page(answer))
        links += _links(answer)
    return _table(PAGE_FACTS, pages), _table(LINK_FACTS, links)


def _table(table: Table, rows: list[tuple[object, ...]]) -> pd.DataFrame:
    types = {column.name: TYPES.get(column.kind, "str") for column in table.columns}
    return pd.DataFrame(rows, columns=list(table.names)).astype(types)


def _page(answer: Answer) -> tuple[object, ...]:
    reading = answer.reading
    read = answer.outcome == "read"
    outcome, reason = answer.outcome, answer.reason
    if outcome == "gone" and answer.times < 2:
        outcome, reason = "not readable", f"{reason} once, and a page counts as gone only after a second time"
    return (
        answer.url,
        outcome,
        reason,
        float(answer.status),
        answer.final_url,
        reading.title,
        reading.noindex if read else None,
        reading.canonical,
        float(reading.external_links) if read else None,
        reading.text,
        pd.Timestamp(answer.asked_at, unit="s").floor("s"),
    )


def _links(answer: Answer) -> list[tuple[object, ...]]:
    if answer.outcome == "read" and 300 <= answer.status < 400:
        return [_row(answer.url, Link(answer.final_url, BY_REDIRECT), False)]
    return [_row(answer.url, link, answer.reading.nofollow) for link in answer.reading.links]


def _row(page: str, link: Link, nofollow: bool) -> tuple[object, ...]:
    return (
        page,
        link.url,
        link.kind,
        link.anchor,
        nofollow or "nofollow" in link.rel,
        "ugc" in link.rel,
        "sponsored" in link.rel,
        link.place,
        link.before,
        link.after,
        link.heading,
        link.through,
    )
