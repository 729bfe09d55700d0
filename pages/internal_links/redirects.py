"""Where should the pages of an old site lead on the new one?"""

from dataclasses import replace
from functools import partial

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from backlink_audit.embedding import models
from backlink_audit.exports.recognise import Export
from backlink_audit.labels import CHOOSE, CONFIDENCES, LIKELY, NO_GOOD_TARGET, SURE
from backlink_audit.progress import Progress
from backlink_audit.redirects import charts
from backlink_audit.redirects.result import MAP, Redirects, tables
from backlink_audit.redirects.rules import server_file
from backlink_audit.redirects.run import map_redirects
from backlink_audit.settings import SERVED, RedirectSettings, asked
from backlink_audit.sources import Sources
from backlink_audit.ui import inputs, jobs, menu, show, upload_state
from backlink_audit.ui.worktable import download

SERVERS = {
    ".htaccess": ("Apache (.htaccess)", "redirects.htaccess"),
    ".map": ("nginx (map)", "redirects.map"),
    "_redirects": ("Netlify, Cloudflare (_redirects)", "_redirects"),
}  # Kind of file -> its button, and the file's name: browsers drop the dot of a name that begins with one


def crawls() -> tuple[Export, Export]:
    """Show the crawls of the old and of the new site and a way to swap them; without both, stop the page."""
    old, new = inputs.file("old_pages"), inputs.file("pages")
    if st.button("Swap old and new", key="redirects:swap"):
        upload_state.swap_crawls()
        st.rerun()
    return old, new


def asked_settings(new: Export, backlinks: Export | None, key: str = "redirects") -> RedirectSettings:
    """Show what the map can be tuned by, and return it as settings; what servers get is chosen beside their files."""
    with st.grid(min_column_width=240):
        model = inputs.model(f"{key}:model") if backlinks else RedirectSettings().model
        brands = inputs.brands(new, key)
        query_urls = inputs.setting(RedirectSettings, "query_urls", f"{key}:query-urls")
    return RedirectSettings(model=model, brands=brands, query_urls=query_urls)


def run(
    old: Export, new: Export, others: Sources, settings: RedirectSettings, place: DeltaGenerator
) -> Redirects | None:
    """Show the button and the progress; return the last map (marked if it is not of these inputs), or None."""

    def work(progress: Progress) -> Redirects:
        encoder = models.load_encoder(settings.model, on_progress=progress) if others.backlinks else None
        return map_redirects(old, new, settings, encoder, others, progress)

    key = (old.fingerprint, new.fingerprint, others.key, settings)
    return jobs.run(key, menu.REDIRECTS.button, work, again_in=place)


def in_full(row: pd.Series) -> None:
    """Show a redirect with its reason, its flags, and the other pages it could lead to."""
    meaning = {label.word: label.meaning for label in CONFIDENCES}[row["confidence"]]
    with st.container(border=True, gap="small"):
        st.markdown(f"**Old:** {show.link(row['old_url'])}  \n**New:** {show.link(row['new_url']) or 'none'}")
        st.markdown(f"**{show.plain(row['confidence'].capitalize())}:** {show.plain(meaning)}")
        st.markdown(f"**Score {row['redirect_score']:.3f}:** {show.plain(row['reason'])}")
        if row["flags"]:
            st.markdown(f"**Flags:** {show.plain(row['flags'])}")
        others = [show.link(row[name]) for name in ("alternative_1", "alternative_2") if row[name]]
        if others:
            st.markdown("**Or:** " + "  \n".join(others))


def download_rules(result: Redirects) -> None:
    """Offer the map as the files that servers read, down to a confidence that is chosen here."""
    st.markdown("**Rules for your server**")
    served = st.segmented_control(
        asked(RedirectSettings, "served").label,
        SERVED,
        default=RedirectSettings().served,
        required=True,
        help=asked(RedirectSettings, "served").help,
        **inputs.kept("redirects:served"),
    )
    chosen = replace(result, settings=replace(result.settings, served=served))
    with st.container(horizontal=True):
        for kind, (label, name) in SERVERS.items():
            rules = partial(_rules, kind, chosen)
            download(show.plain(label), rules, name, f"redirects:rules:{kind}")
    for kind in SERVERS:
        for note in server_file(kind, chosen).notes:
            st.caption(show.plain(note))


def _rules(kind: str, result: Redirects) -> bytes:
    return server_file(kind, result).data


st.title(menu.REDIRECTS.title)
place = inputs.place("redirects", "old_pages", "pages", label=menu.REDIRECTS.button)
with place:
    old, new = crawls()
    others = inputs.other_files("redirects")
    backlinks = others.backlinks
    with st.expander("Settings"):
        settings = asked_settings(new, backlinks)
if backlinks:
    inputs.offer_multilingual(settings.model, [backlinks, old], "redirects:model")
result = run(old, new, others, settings, place)
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

found, sections, download_tab = st.tabs(["Redirects", "Sections", "Download"], on_change="rerun", key="redirects:tabs")
if found.open:
    with found:
        show.table(MAP, result, detail=in_full)
        show.chart(charts.at_risk(result.table), "at-risk")
if sections.open:
    with sections:
        show.chart(charts.sections(result.table), "sections")
if download_tab.open:
    with download_tab:
        st.caption("The workbook contains all tables; csv and parquet contain the redirects.")
        show.downloads(tables(result), "redirects")
        download_rules(result)
