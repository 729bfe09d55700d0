"""The link check: what is to be asked, and what the answers mean for the links of an export."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from backlink_audit.check.result import LinkCheck
from backlink_audit.exports.clean import Cleaned, clean_backlinks
from backlink_audit.exports.load import load
from backlink_audit.exports.recognise import Export
from backlink_audit.judgement.referring_page_crawl import IN_HEAD, RELS, check_links
from backlink_audit.schema import BACKLINKS
from backlink_audit.settings import BacklinkFilters
from backlink_audit.text.urls import normalise_urls

SEARCH_CONSOLE_LINKS = "Search Console links"
READ_LINKS = "links-read-from-pages.csv"  # the name of the file of links that were read from listed pages


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


def listed_without_targets(export: Export) -> bool:
    return export.format.name == SEARCH_CONSOLE_LINKS


def listed_apart(files: Sequence[tuple[str, bytes]], site: str = "") -> tuple[list[Export], list[tuple[str, bytes]]]:
    """Return those of the files (name, bytes) that list pages without links, read, and the other files."""
    exports = [load([file], BACKLINKS.name, site=site) for file in files]
    listed = [export for export in exports if listed_without_targets(export)]
    return listed, [file for file, one in zip(files, exports, strict=True) if one not in listed]


def links_read(listed: Export, pages: pd.DataFrame, found: pd.DataFrame) -> pd.DataFrame:
    """Return the links that listed pages have to the site, a row each, under headers that `exports` reads.

    A page that could not be read keeps its row, and leads to the site; one that is gone, or has no such link, is lost.

    Args:
        listed: Pages that link to a site (`listed_without_targets`).
        pages: What the pages say (`schema.PAGE_FACTS`).
        found: The links on them to the site (`schema.LINK_FACTS`).
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
