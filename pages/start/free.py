"""A whole audit without a paid tool: which steps, what each sends, and what is missing."""

import pandas as pd
import streamlit as st

from backlink_audit.check.run import READ_LINKS, links_read, listed_apart, question_of
from backlink_audit.embedding.encoder import checks_file
from backlink_audit.fetching.ask import ask, plan_of
from backlink_audit.progress import Progress
from backlink_audit.report.files import write_csv
from backlink_audit.ui import audit, inputs, jobs, menu, session, show, upload_state, uploads
from backlink_audit.ui.session import Key

st.title(menu.FREE.title)
st.markdown(
    "Search Console and Bing Webmaster Tools list who links to your site, free of charge. This page reads the linking "
    "pages and makes backlinks of them, with title, anchor, the words around and rel: then every page here works."
)
st.subheader("1. The lists", anchor=False)
st.caption(
    "Search Console > Links > Export external links > Latest links. Bing Webmaster Tools > Backlinks > Pages. Nothing "
    "is sent anywhere."
)
uploads.upload("backlinks", key="free")
links = upload_state.get("backlinks")
if links is None:
    st.stop()
listed, others = session.made_of(Key.LISTED, (links,), lambda: listed_apart(upload_state.files_of("backlinks")))
rows = sum(len(export.table) for export in listed)
st.markdown(show.plain(f"{links.name}: {rows:,} linking pages without their links; {len(others)} other files."))

st.subheader("2. The linking pages", anchor=False)
if listed:
    inputs.require_allowed()
    with st.expander("Settings"):
        settings = inputs.asked_settings("free")
    questions = [question_of(export) for export in listed]
    urls = [url for question in questions for url in question.urls]
    sites = {site for question in questions for site in question.sites}
    if jobs.last(menu.FREE.button, (links.fingerprint, settings)) is None:
        st.caption(show.plain(plan_of(urls, sites, settings, checks_file()).sentence))

    def read(progress: Progress) -> bytes:
        """Ask the pages; return the links on them as a file."""
        facts = ask(urls, sites, settings, checks_file(), progress)
        return write_csv(pd.concat([links_read(export, *facts) for export in listed], ignore_index=True))

    made = jobs.run((links.fingerprint, settings), menu.FREE.button, read)
    if made is None:
        st.stop()
    upload_state.put("backlinks", [*others, (READ_LINKS, made)])
    st.rerun()
lost = int(links.table["lost_status"].ne("").sum())
st.markdown(f"{len(links.table):,} links are read; {lost:,} linking pages are gone or have no such link any more.")

st.subheader("3. Authority (optional)", anchor=False)
st.caption(
    "Common Crawl publishes the ranks of all domains four times a year (a file of 2 to 3 GB: cc-main-…-domain-ranks."
    "txt.gz). In the terminal, `backlink-audit audit LINKS --ranks FILE -o audit.xlsx` keeps those of your links in a "
    "small file: upload that here. Without it, the audit judges everything but strength."
)
uploads.upload("ranks", key="free")
st.subheader("4. The audit", anchor=False)
st.caption("Missing beside a paid tool: links that neither list has, visits of linking pages, and dates before today.")
if st.button(menu.AUDIT.button, key="free-audit", type="primary"):
    audit.ask()
    st.switch_page(menu.AUDIT.path)
