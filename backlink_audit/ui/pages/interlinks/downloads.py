"""The internal links as files: the workbook, the pairs, the matrix, the embeddings, and the sentences with links."""

import streamlit as st

from backlink_audit.pipelines.interlinks.insertions import as_json, insertions
from backlink_audit.pipelines.interlinks.result import Opportunities
from backlink_audit.pipelines.interlinks.tables import tables
from backlink_audit.report.csv import write_csv
from backlink_audit.report.matrix import MOST_PAGES, NEAREST, similarity_matrix
from backlink_audit.ui.tables import download, show


def offer(result: Opportunities) -> None:
    """Offer the workbook, the pairs, the matrix and the embeddings, each built when asked for."""
    show.downloads(tables(result), "internal-links")
    whole = len(result.pages) <= MOST_PAGES
    with st.container(horizontal=True):
        download.button(
            "Similarity matrix (csv)" if whole else f"The {NEAREST} most similar pages of each page (csv)",
            lambda: matrix(result),
            "similarity-matrix.csv",
            "text/csv",
            "interlinks:matrix",
        )
        download.button(
            "Embeddings (npz)",
            result.vectors.to_npz,
            "page-embeddings.npz",
            "application/octet-stream",
            "interlinks:npz",
        )
        download.button(
            "Sentences with new links (csv)",
            lambda: write_csv(insertions(result), for_spreadsheets=True),
            "link-insertions.csv",
            "text/csv",
            "interlinks:insertions_csv",
        )
        download.button(
            "Sentences with new links (json)",
            lambda: as_json(insertions(result)),
            "link-insertions.json",
            "application/json",
            "interlinks:insertions_json",
        )


def matrix(result: Opportunities) -> bytes:
    """Return the labelled matrix; of a site too large for it, the nearest pages of each page."""
    vectors = result.vectors.vectors
    return similarity_matrix(result.pages["url"], vectors, *result.matrix_pages(), result.nearest_pairs)
