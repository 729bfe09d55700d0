"""What the pages about a crawl ask for alike: the text of a page, the title parts to cut, and given embeddings."""

from collections.abc import Callable, Hashable

import streamlit as st

from backlink_audit.exports.recognise import Export
from backlink_audit.schema import SOURCE_FILE
from backlink_audit.settings import InterlinkSettings, PageText
from backlink_audit.site.pages import suggest_brands
from backlink_audit.site.vectors import PageVectors, crawl_vectors, read_page_vectors
from backlink_audit.ui import session
from backlink_audit.ui.inputs import kept, setting
from backlink_audit.ui.session import Key

MAKE, FROM_CRAWL, FROM_FILE = "Created by the model", "From the crawl", "From a file"


def page_text(key: str) -> PageText | None:
    """Show which text represents a page; return it, None for what the crawl allows."""
    chosen: PageText | None = setting(InterlinkSettings, "text", f"{key}:text")
    return chosen


def columns(pages: Export, key: str) -> tuple[str, ...]:
    """Show the file's own columns, to be joined in place of the page's text; return those chosen."""
    return tuple(
        st.multiselect(
            "Or use these columns",
            [header for header in pages.raw.columns if header != SOURCE_FILE.label],
            placeholder="none",
            help="Choose any columns of the file. Their texts are joined and represent the page.",
            **kept(f"{key}:columns:{pages.fingerprint}"),
        )
    )


def brands(pages: Export, key: str) -> tuple[str, ...] | None:
    """Show what is cut from titles, to be edited; None while it is what was found."""
    known: dict[str, tuple[str, ...]] = session.kept(Key.BRANDS, dict)
    if pages.fingerprint not in known:
        known[pages.fingerprint] = suggest_brands(pages)
    found = known[pages.fingerprint]
    text = st.text_input(
        "Remove from titles",
        " | ".join(found),
        help=(
            "Text that many titles share, such as the brand name; found automatically. Separate several with |. "
            "Leave empty to remove nothing."
        ),
        placeholder="nothing",
        **kept(f"{key}:brands:{pages.fingerprint}"),
    )
    chosen = tuple(part.strip() for part in text.split("|") if part.strip())
    return None if chosen == found else chosen


def given_vectors(pages: Export, key: str) -> PageVectors | None:
    """Show where the embeddings come from; return those given, or None. Raises AuditError."""
    options = [MAKE, *([FROM_CRAWL] if pages.has("embedding") else []), FROM_FILE]
    chosen = st.segmented_control("Embeddings", options, default=MAKE, required=True, key=f"{key}:embeddings")
    if chosen == FROM_CRAWL:
        return _remembered(("crawl", pages.fingerprint), lambda: crawl_vectors(pages))
    if chosen == FROM_FILE:
        file = st.file_uploader("Embeddings saved by an earlier run", type=["npz"], key=f"{key}:npz-in")
        if file:
            return _remembered(("file", file.file_id), lambda: read_page_vectors(file.name, file.getvalue()))
        st.caption("If no file is loaded, the model creates them.")
    return None


def _remembered(key: Hashable, read: Callable[[], PageVectors]) -> PageVectors:
    known: tuple[Hashable, PageVectors] | None = session.kept(Key.PAGE_VECTORS, lambda: None)
    if known is None or known[0] != key:
        known = session.keep(Key.PAGE_VECTORS, (key, read()))
    return known[1]
