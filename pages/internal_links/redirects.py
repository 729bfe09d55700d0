"""Where should the pages of an old site lead on the new one?"""

import streamlit as st

from backlink_audit.labels import CHOOSE, LIKELY, NO_GOOD_TARGET, SURE
from backlink_audit.redirects import charts
from backlink_audit.redirects.tables import tables
from backlink_audit.ui import instant, menu, show
from backlink_audit.ui.pages import inputs, redirects

COLUMNS = ("old_url", "new_url", "confidence", "cas_at_risk", "redirect_score", "reason", "clicks", "flags")
MORE = ("impressions", "average_position", "views", "alternative_1", "alternative_2", "inlinks")

st.title(menu.REDIRECTS.title)
place = inputs.place("redirects", "old_pages", "pages", label=menu.REDIRECTS.button)
with place:
    old, new = redirects.crawls()
    others = inputs.other_files("redirects")
    backlinks = others.backlinks
    with st.expander("Settings"):
        settings = redirects.settings(new, backlinks)
if backlinks:
    instant.offer_multilingual(settings.model, [backlinks, old], "redirects:model")
result = redirects.run(old, new, others, settings, place)
if result is None:
    st.stop()

counts = result.counts
show.headline(result.headline)
show.figures(
    [
        (
            "Old URLs to redirect",
            len(result.table),
            "Old URLs that are not in the new crawl and that the new site does not redirect yet.",
        ),
        ("Sure", counts[SURE.word], SURE.meaning),
        ("Likely", counts[LIKELY.word], LIKELY.meaning),
        ("Choose yourself", counts[CHOOSE.word], CHOOSE.meaning),
        ("No good target", counts[NO_GOOD_TARGET.word], NO_GOOD_TARGET.meaning),
        ("CAS at risk", result.cas_at_risk, "load the backlinks of the old site to see this"),
    ]
)
for note in result.notes:
    st.info(show.plain(note))

found, sections, download = st.tabs(["Redirects", "Sections", "Download"], on_change="rerun", key="redirects:tabs")
if found.open:
    with found:
        show.table(
            result.table,
            "redirects",
            columns=COLUMNS,
            more=MORE,
            filters=("confidence", "flags"),
            noun="redirect",
            stem="redirects",
            detail=redirects.in_full,
        )
        show.chart(charts.at_risk(result.table), "at-risk")
if sections.open:
    with sections:
        show.chart(charts.sections(result.table), "sections")
if download.open:
    with download:
        st.caption("The workbook contains all tables; csv and parquet contain the redirects.")
        show.downloads(tables(result), "redirects")
        redirects.download_rules(result)
