"""The link check: what is to be asked, what the answers mean for the links of an export, and the tables of it."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property

import numpy as np
import pandas as pd

from backlink_audit import labels
from backlink_audit.exports.clean import Cleaned, clean_backlinks
from backlink_audit.exports.load import load
from backlink_audit.exports.recognise import Export
from backlink_audit.judgement.referring_page_crawl import GONE, IN_HEAD, NO_CONCLUSION, RELS, check_links, found_before
from backlink_audit.labels import CHECK_STATES
from backlink_audit.report.rows import WholeTables, rows_of_file, rows_of_notes, sheet, summary_table, tables_of
from backlink_audit.schema import BACKLINKS, LINK_FACTS, PAGE_FACTS
from backlink_audit.settings import BacklinkFilters
from backlink_audit.text.urls import normalise_urls
from backlink_audit.wording import count

BACK, MOVED, HIDDEN = "came back", "moved", "noindex or canonical elsewhere"
CHANGES = (*GONE, *(f"now {name}" for name in RELS), HIDDEN, MOVED, BACK)
"""What can have become of a link, in the order of the lists."""
SEARCH_CONSOLE_LINKS = "Search Console links"
READ_LINKS = "links-read-from-pages.csv"  # the name of the file of links that were read from listed pages


@dataclass(frozen=True, eq=False)
class LinkCheck:
    """The links of an export, each with what its referring page says (`check.run`)."""

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


WORDS = {
    **{column.name: column.label for column in (*PAGE_FACTS.columns, *LINK_FACTS.columns)},
    "check_state": "State on the page",
    "check_note": "Details",
    "link_state": "State in the export",
    "kind": "Link type on the page",
    "external_links": "External links",
    "page_external_links": "External links on the page",
    "page_status": "HTTP status now",
    "page_title": "Title on the page",
}
MOST_TEXT = 4_000  # Characters of a page's main text in the tables: enough to know what it is about


LINKS = sheet("check.links", lambda result: result.links)
WRITTEN = replace(LINKS, headers=WORDS, rows=lambda result: _shortened(result.links))


def tables(result: LinkCheck) -> WholeTables:
    return tables_of(result, WRITTEN, (WRITTEN,), lambda: summary(result))


def _shortened(links: pd.DataFrame) -> pd.DataFrame:
    return links.assign(main_text=links["main_text"].str.slice(0, MOST_TEXT))


def summary(result: LinkCheck) -> pd.DataFrame:
    """Return what was checked and what came out, as rows of Part, What and Value."""
    return summary_table(
        [
            ("Check", "In a sentence", result.headline),
            ("Check", "File", result.name),
            ("Check", "Created", result.made_at),
            *rows_of_file(len(result.cleaned.export.raw), result.cleaned.removed),
            *(("States", label.word, result.counts[label.word]) for label in CHECK_STATES),
            *(("Meaning", label.word, label.meaning) for label in CHECK_STATES),
            *rows_of_notes(result.notes),
        ]
    )


@dataclass(frozen=True, eq=False)
class Question:
    """The referring pages of an export's links, and the sites to which links are looked for on them."""

    cleaned: Cleaned
    urls: tuple[str, ...]
    sites: frozenset[str]


def question_of(export: Export) -> Question:
    """Return what a check of an export asks: each referring page once. Raises NoRowsLeft where there is none."""
    cleaned = clean_backlinks(export, BacklinkFilters())
    pages = cleaned.table.drop_duplicates("referring_key")["referring_url"]
    return Question(cleaned, tuple(pages), frozenset(cleaned.table["target_domain"]) - {""})


def listed_apart(files: Sequence[tuple[str, bytes]], site: str = "") -> tuple[list[Export], list[tuple[str, bytes]]]:
    """Return those of the files (name, bytes) that list pages without links, read, and the other files."""
    exports = [load([file], BACKLINKS.name, site=site) for file in files]
    listed = [export for export in exports if export.format.name == SEARCH_CONSOLE_LINKS]
    return listed, [file for file, one in zip(files, exports, strict=True) if one not in listed]


def links_read(listed: Export, pages: pd.DataFrame, found: pd.DataFrame) -> pd.DataFrame:
    """Return the links that listed pages have to the site, a row each, under headers that `exports` reads.

    A page that could not be read keeps its row, and leads to the site; one that is gone, or has no such link, is lost.
    `pages` and `found`: what the pages and the links on them say (`schema.PAGE_FACTS`, `schema.LINK_FACTS`).
    """
    rows = listed.table.assign(key=listed.link_keys["referring_key"]).drop_duplicates("key")
    facts = pages.assign(key=normalise_urls(pages["url"])).drop_duplicates("key").set_index("key")
    links = found[~found["kind"].isin(IN_HEAD)].assign(key=normalise_urls(found["referring_url"]))
    links = links.drop_duplicates(["key", "target_url", "page_anchor"])
    joined = rows[["key", "referring_url", "target_url", "last_seen"]].merge(
        links.drop(columns="referring_url").rename(columns={"target_url": "linked"}), on="key", how="left"
    )
    of_page = facts.reindex(joined["key"]).set_axis(joined.index)
    there, outcome = joined["linked"].notna(), of_page["outcome"].fillna("")
    lost = np.select([~there & (outcome == "read"), outcome == "gone"], ["link not on the page", "page gone"], "")
    place = joined["place"].fillna("")
    return pd.DataFrame(
        {
            "referring_url": joined["referring_url"],
            "target_url": joined["linked"].fillna(joined["target_url"]),
            "referring_title": of_page["title"].fillna(""),
            "anchor": joined["page_anchor"].fillna(""),
            "left_context": joined["text_before"].fillna(""),
            "right_context": joined["text_after"].fillna(""),
            "external_links": of_page["external_links"],
            "http_status": of_page["http_status"],
            **{name: joined[f"page_{name}"] for name in RELS},
            "link_type": joined["kind"].fillna(""),
            "in_content": (place == "content").where(place != ""),
            "last_seen": joined["last_seen"],
            "lost_status": lost,
        }
    )


def check(question: Question, pages: pd.DataFrame, found: pd.DataFrame) -> LinkCheck:
    """Return the links with what their pages say (`schema.PAGE_FACTS`, `schema.LINK_FACTS`)."""
    table = question.cleaned.table
    return LinkCheck(question.cleaned, table.join(check_links(table, pages, found)))
