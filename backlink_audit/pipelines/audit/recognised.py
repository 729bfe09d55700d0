"""What a backlink export was recognised as, and what it lacks: said before anything is scored."""

from dataclasses import dataclass
from datetime import date

import pandas as pd

from backlink_audit.analysis.changes.links import main_domain
from backlink_audit.analysis.profile.velocity import newest_day
from backlink_audit.exports.recognise import Export
from backlink_audit.pipelines.languages import page_languages
from backlink_audit.schema import MARKS_OF_LOSS
from backlink_audit.wording import percent

LACKS: tuple[tuple[tuple[str, ...], str], ...] = (
    (("referring_title",), "page titles (relevance is then read from the URLs alone)"),
    (("domain_rating", "url_rating"), "authority (nothing can be called strong)"),
    (("nofollow",), "nofollow (every link counts as followed)"),
    (MARKS_OF_LOSS, "lost links (nothing to reclaim): export all links, not only live ones"),
    (("first_seen", "last_seen"), "dates (no new and lost links by month)"),
    (("page_traffic",), "page traffic (no visits)"),
)
"""Columns, any one of which shows something, and what is missing without them."""
LANGUAGES_NAMED = 2


@dataclass(frozen=True)
class Recognised:
    """What an export is: of which tool, how much, of which site and day, in which languages; and what it lacks."""

    name: str
    tool: str
    rows: int
    site: str
    """The domain most of its links go to."""
    newest: date | None
    """The newest date in it that is not in the future; None without dates."""
    languages: str
    """The most frequent languages of the referring pages with their shares, "" where none is known."""
    lacks: tuple[str, ...]
    """What more columns would show."""


def recognised(export: Export, today: date) -> Recognised:
    """Return what an export of backlinks was recognised as."""
    newest = newest_day(export.table, today)
    return Recognised(
        name=export.name,
        tool=" + ".join(export.merged.tools) if export.merged else export.format.name,
        rows=len(export.raw),
        site=main_domain(export.link_keys["target_domain"]),
        newest=None if newest is None else newest.date(),
        languages=_in_words(page_languages(export)),
        lacks=tuple(words for names, words in LACKS if not any(_shows(export, name) for name in names)),
    )


def _shows(export: Export, name: str) -> bool:
    """Whether the export has a column, and where it is no mark of loss, a value in it: no link may be lost."""
    return export.has(name) and (name in MARKS_OF_LOSS or bool(_known(export.table[name]).any()))


def _known(values: pd.Series) -> pd.Series:
    return values.notna() & (values != "")


def _in_words(codes: pd.Series) -> str:
    """Return the most frequent languages; of a page with several the first counts.

    >>> _in_words(pd.Series(["en", "en, es", "en", "fr", "und"]))
    'en 60%, fr 20%'
    """
    shares = codes[codes != ""].str.split(",").str[0].value_counts(normalize=True).drop("und", errors="ignore")
    return ", ".join(f"{code} {percent(share)}" for code, share in shares.head(LANGUAGES_NAMED).items())
