"""What an audit says in words, and the counts that it says: one sentence of one thing, whole or in parts."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

import pandas as pd

from backlink_audit.embedding.languages import page_languages
from backlink_audit.exports.recognise import Export
from backlink_audit.judgement.losses import newest_day
from backlink_audit.judgement.scales import site_authority
from backlink_audit.labels import (
    BAND_RELEVANT,
    DEAD_PAGE,
    KIND_LIST,
    KIND_VISITORS,
    LINK_LOST,
    LINK_STATES,
    LOST_LINK,
    PROTECT,
    RECLAIM,
    REVIEW,
)
from backlink_audit.schema import MARKS_OF_LOSS
from backlink_audit.settings import LinkChoice
from backlink_audit.text.urls import main_domain
from backlink_audit.wording import by_number, count, part_of, percent

LOST_TOO = " (lost links included)"
SITES_NAMED = 3  # how many sites a note names


def state_counts(links: pd.DataFrame) -> dict[str, int]:
    """Return how many links have which state; states that none has are left out."""
    counts = links["link_state"].value_counts()
    return {label.word: int(counts[label.word]) for label in LINK_STATES if label.word in counts}


def choice_sentence(choice: LinkChoice, shown: int, states: Mapping[str, int]) -> str:
    """Say how many of the scored links the figures are about, by state; "" where it is all of them.

    >>> choice_sentence(LinkChoice(), 240, {"live": 240, "lost": 61, "dead page": 2})
    'Scored: 303 links (live 240, lost 61, dead page 2). Shown: live, 240.'
    """
    scored = sum(states.values())
    if shown == scored:
        return ""
    parts = ", ".join(f"{state} {number:,}" for state, number in states.items())
    one = ", one per referring domain" if choice.one_per_domain else ""
    others = ", without spam attacks" if choice.without_attacks else ""
    return f"Scored: {count(scored, 'link')} ({parts}). Shown: {choice.links}{one}{others}, {shown:,}."


def subject_note(sites: pd.Series, subjects: pd.Series) -> str:
    """Say of which sites the own pages and the linking pages have different subjects; "" where there is none.

    `subjects`: both in words for each link, "" where they agree.
    """
    differ = subjects[subjects != ""].groupby(sites).first()
    if differ.empty:
        return ""
    most = sites[subjects != ""].value_counts().head(SITES_NAMED).index
    named = "; ".join(f"{site}: {differ[site]}" for site in most)
    more = f"; and {count(len(differ) - SITES_NAMED, 'more site')}" if len(differ) > SITES_NAMED else ""
    return (
        f"The pages that link here have another subject than the site's own pages ({named}{more}). This happens with "
        "expired or bought domains and with bought links. In the settings you can choose which of the two counts."
    )


def redirects_sentence(over: int, links: int, old_urls: int) -> str:
    """Say how many of the links arrive over a redirect, and over how many old URLs."""
    if not over:
        return "No redirected links found. Only Ahrefs exports from 2025 or later have this information."
    return (
        f"{part_of(over, links, 'link')} {by_number(over, 'arrives', 'arrive')} through a redirect, "
        f"from {count(old_urls, 'old URL')}. The links with the highest CAS come first."
    )


def relevant_entries(links: pd.DataFrame) -> int:
    """Return how many relevant links are in lists or on pages that visitors wrote; `links` has band and page_kind."""
    entry = links["page_kind"].isin([KIND_LIST.word, KIND_VISITORS.word])
    return int((entry & (links["band"] == BAND_RELEVANT.word)).sum())


def relevant_words(relevant: int, entries: int) -> str:
    """Say on what kind of page the relevant links are.

    >>> relevant_words(1175, 888)
    '888 on list or user-generated pages, 287 on other pages'
    """
    return f"{entries:,} on list or user-generated pages, {relevant - entries:,} on other pages"


def headline(
    verdict_counts: pd.Series, relevant: int, entries: int, backlinks: int, to_reclaim: int | None = None
) -> str:
    """Return the answer in one sentence: how many links are relevant, and how many verdicts need an action.

    `entries`: how many of the relevant ones are `relevant_entries`. `to_reclaim`: how many of all scored links are to
    be won back; None: the counts are of all of them.

    >>> headline(pd.Series({"Protect": 92, "Review": 30}), 104, 81, 269)
    '104 of 269 links are relevant (81 on list or user-generated pages, 23 on other pages); protect 92 and review 30.'
    """
    protect, review, shown = (verdict_counts.get(label.word, 0) for label in (PROTECT, REVIEW, RECLAIM))
    reclaim = shown if to_reclaim is None else to_reclaim
    steps = [f"protect {protect:,}"]
    steps += [f"review {review:,}"] if review else []
    steps += [f"reclaim {reclaim:,}{LOST_TOO if reclaim > shown else ''}"] if reclaim else []
    verdicts = f"{', '.join(steps[:-1])} and {steps[-1]}" if len(steps) > 1 else steps[0]
    on_what = f" ({relevant_words(relevant, entries)})" if entries else ""
    return f"{part_of(relevant, backlinks, 'link')} {by_number(relevant, 'is', 'are')} relevant{on_what}; {verdicts}."


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
