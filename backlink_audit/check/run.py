"""The link check: what is to be asked, and what the answers mean for the links of an export."""

from dataclasses import dataclass

import pandas as pd

from backlink_audit.check.result import LinkCheck
from backlink_audit.exports.clean import Cleaned, clean_backlinks
from backlink_audit.exports.recognise import Export
from backlink_audit.judgement.referring_page_crawl import check_links
from backlink_audit.settings import BacklinkFilters


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


def check(question: Question, pages: pd.DataFrame, found: pd.DataFrame) -> LinkCheck:
    """Return the links with what their pages say (`schema.PAGE_FACTS`, `schema.LINK_FACTS`)."""
    table = question.cleaned.table
    return LinkCheck(question.cleaned, table.join(check_links(table, pages, found)))
