"""Which pages do AI answers cite, and what do those pages lack?"""

import streamlit as st

from backlink_audit.ai_answers import charts
from backlink_audit.ai_answers.run import CITED, NEVER, QUERIES, TO_ADD, WHAT_THEY_ARE, AiAnswers, read_answers, tables
from backlink_audit.embedding import models
from backlink_audit.progress import Progress
from backlink_audit.settings import LINKS_MODEL
from backlink_audit.ui import inputs, jobs, menu, show

st.title(menu.AI_ANSWERS.title)
place = inputs.place("citations", "citations", label=menu.AI_ANSWERS.button)
with place:
    cited = inputs.file("citations")
    others = inputs.other_files("citations")


def work(progress: Progress) -> AiAnswers:
    return read_answers(cited, models.load_encoder(LINKS_MODEL, on_progress=progress), others, on_progress=progress)


button = menu.AI_ANSWERS.button
result = jobs.run((cited.fingerprint, others.key), button, work, again_in=place)
if result is None:
    st.stop()

show.headline(result.headline)
show.note(WHAT_THEY_ARE)
show.figures(result.figures)
for note in result.notes:
    st.info(show.plain(note))
names = ("Pages", "Links to add", "Queries", "Never cited", "Download")
pages, links, queries, never, download = st.tabs(names, on_change="rerun", key="ai-answers:tabs")
if pages.open:
    with pages:
        show.chart(charts.changes(result.changes, result.dates), "cited-changes")
        show.chart(charts.topics(result.topics), "cited-topics")
        show.table(CITED, result)
for tab, rows, about in (
    (links, TO_ADD, "From well linked pages about the same subject to cited pages that your site hardly links to."),
    (queries, QUERIES, "A query without a page is a gap to write for: no title of your site is near it in meaning."),
    (never, NEVER, "Pages that are well linked, and visited where clicks are loaded, but that no answer cites."),
):
    if tab.open:
        with tab:
            st.caption(show.plain(about))
            show.table(rows, result)
if download.open:
    with download:
        show.downloads(tables(result), "ai-answers")
