"""Search by meaning in the browser: what the search box of a table finds once it goes by meaning."""

from collections.abc import Callable

import pandas as pd
import streamlit as st

from backlink_audit.audit.result import Audit
from backlink_audit.embedding import models
from backlink_audit.embedding.encoder import Encoder
from backlink_audit.errors import InvalidSetting
from backlink_audit.gap.result import Gap
from backlink_audit.internal_links.result import Opportunities
from backlink_audit.search.run import SearchIndex, index_links, index_pages, index_pairs, index_prospects, search
from backlink_audit.ui import session
from backlink_audit.ui.session import Key
from backlink_audit.ui.worktable import MATCH, Meaning

DOMAIN, PAGE, PAIR = ("referring_domain",), ("url",), ("source_url", "target_url")
MOST = 1_000  # Rows that a search leaves at most


def links(audit: Audit) -> Meaning:
    return _meaning(audit.settings.model, audit.scored, lambda encoder: index_links(audit.scored, encoder))


def prospects(gap: Gap) -> Meaning:
    return _meaning(gap.settings.model, gap.domains, lambda encoder: index_prospects(gap.domains, encoder), DOMAIN)


def pairs(result: Opportunities) -> Meaning:
    return _meaning(result.settings.model, result.table, lambda encoder: index_pairs(result.table, encoder), PAIR)


def pages(result: Opportunities) -> Meaning:
    """Return the search of a crawl's pages."""
    table = result.cleaned.table
    return _meaning(result.settings.model, table, lambda encoder: index_pages(table, encoder), PAGE)


def _meaning(
    model: str, table: pd.DataFrame, index: Callable[[Encoder], SearchIndex], same: tuple[str, ...] = ()
) -> Meaning:
    def found(rows: pd.DataFrame, query: str) -> pd.DataFrame:
        with st.spinner("Searching by meaning"):
            encoder = models.load_encoder(model)
            made = session.made_of(Key.SEARCHED, (table,), lambda: index(encoder))
            return among(rows, made, query, encoder, same)

    return found


def among(
    rows: pd.DataFrame, index: SearchIndex, query: str, encoder: Encoder, same: tuple[str, ...] = ()
) -> pd.DataFrame:
    """Return those of some rows of the indexed table that a query means, best first, with why each was found.

    `same`: the columns that say which row of the indexed table each is, where its index does not.
    """
    try:
        table = search(index, query, encoder, len(index.rows)).table
    except InvalidSetting:  # a query without any word
        return rows.head(0)
    if same:
        places = pd.MultiIndex.from_frame(rows[[*same]]).get_indexer(pd.MultiIndex.from_frame(table[[*same]]))
    else:
        places = rows.index.get_indexer(table.index)
    there = places >= 0
    return rows.iloc[places[there][:MOST]].assign(**{MATCH: table.loc[there, MATCH].to_numpy()[:MOST]})
