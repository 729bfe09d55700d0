"""Google's linking texts on the profile: alone, where there are no links, and beside the anchors of the links."""

import streamlit as st

from backlink_audit.errors import AuditError
from backlink_audit.pipelines.profile.linking_texts import ABOUT, LinkingTexts, read_texts
from backlink_audit.pipelines.profile.tables import tables_of_texts
from backlink_audit.report.charts import linking_texts as charts
from backlink_audit.ui.files import upload_state, uploads
from backlink_audit.ui.pages import inputs
from backlink_audit.ui.tables import show

COLUMNS = ("list_place", "linking_text", "anchor_class", "links", "domains")


def alone() -> None:
    """Where no backlinks are loaded, show the texts alone, or ask for links or texts, and stop the page."""
    if upload_state.get("backlinks") is not None:
        return
    if upload_state.get("texts") is None:
        uploads.ask("backlinks", "texts")
        st.stop()
    texts = read_texts(inputs.file("texts"))
    if not texts.site:
        texts = _of_site(texts)
    show.headline(texts.headline)
    show.figures(texts.figures)
    show.note(ABOUT)
    show.chart(charts.text_classes(texts.class_mix), "text-classes")
    _table(texts)
    show.downloads(tables_of_texts(texts), "linking-texts")
    with st.expander("Backlinks (optional)"):
        uploads.upload("backlinks")
    st.stop()


def beside_anchors(texts: LinkingTexts | None) -> None:
    """Show Google's texts with how many of the chosen links have each; nothing without them."""
    if texts is None:
        return
    st.subheader("Linking texts that Google lists", anchor=False)
    show.note(ABOUT)
    show.chart(charts.text_classes(texts.class_mix), "text-classes")
    _table(texts)


def _of_site(texts: LinkingTexts) -> LinkingTexts:
    """Ask which site the list is of, and return the texts with its name as the brand."""
    given = st.text_input("Your site", placeholder="example.com", key="linking-texts:site")
    try:
        return read_texts(texts.export, site=given.strip())
    except AuditError as problem:
        show.problem(problem)
        return texts


def _table(texts: LinkingTexts) -> None:
    columns = [name for name in COLUMNS if name in texts.table]
    show.table(
        texts.table,
        "linking-texts",
        columns=columns,
        filters=("anchor_class",),
        noun="linking text",
        stem="linking-texts",
    )
