"""Which backlinks come from pages about the same subject as the page they point to?"""

import pandas as pd
import streamlit as st

from backlink_audit.audit import charts
from backlink_audit.audit.result import Audit
from backlink_audit.audit.sentences import prospects_of
from backlink_audit.audit.tables import OUTREACH, TO_DO, tables
from backlink_audit.audit.tasks import PITCH, Task
from backlink_audit.labels import PROTECT, RECLAIM, REVIEW
from backlink_audit.ui import (
    audit,
    detail,
    files_panel,
    inputs,
    instant,
    menu,
    outreach_desk,
    preview,
    report,
    session,
    show,
    upload_state,
    uploads,
)
from backlink_audit.wording import count

OPENED = "audit:task"  # Where the word of the task is kept whose list is open


def cards(result: Audit) -> Task:
    """Show each task with its count and what is at stake; return the one whose list is open: the first with any."""
    tasks = {task.label.word: task for task in result.tasks}
    first = next((word for word, task in tasks.items() if task.number), PROTECT.word)
    opened = tasks[session.typed(OPENED, first)]
    with st.grid(4, min_column_width=150):
        for task in tasks.values():
            with st.container(border=True, height="stretch", gap="xsmall"):
                _card(task, result.site_word, result.lost, is_open=task is opened)
    preview.mark()
    return opened


def _card(task: Task, authority: str, lost_links: int | None, *, is_open: bool) -> None:
    word = task.label.word
    st.metric(show.plain(word), task.of_what, help=show.plain(task.label.meaning))
    if task.number:
        where = f"From {count(task.domains, 'domain')}" if task.noun == "link" else "They link to you already"
        lost = ", lost links included" if word == RECLAIM.word else ""
        st.caption(f"{where}{lost}  \n{show.plain(task.at_stake(authority)) or 'No authority in this export'}")
    else:
        none = (
            f": none of the {lost_links:,} lost links is worth asking for"
            if word == RECLAIM.word and lost_links
            else ""
        )
        st.caption(show.plain(f"Nothing to do{none}."))
    with st.container(height="stretch", vertical_alignment="bottom"):
        st.button(
            "Shown below" if is_open else "Show the list",
            key=f"task-{word}",
            on_click=session.fill_in,
            args=(OPENED, word),
            disabled=is_open or not task.number,
            width="stretch",
        )


def opened_list(result: Audit, task: Task) -> None:
    """Show the list of a task, what matters most first, and where the work goes on."""
    word = task.label.word
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"**{show.plain(word)}.** {show.plain(task.label.meaning)}", width="stretch")
        _goes_on(word)
    rows = result.to_do(word)
    if word == PITCH.word:

        def in_full(row: pd.Series) -> None:
            sites = prospects_of(rows, word)
            outreach_desk.offer_one(sites[sites["referring_domain"] == row["referring_domain"]])
            detail.show(row, story=detail.PITCH, labels=OUTREACH.words(result))

        show.table(OUTREACH, result, rows=rows, detail=in_full)
    else:
        audit.table(next(one for one in TO_DO if one.name == word), result, rows)
    if word in (RECLAIM.word, PITCH.word):
        outreach_desk.offer(prospects_of(rows, word))


def _goes_on(word: str) -> None:
    if word == RECLAIM.word:
        st.page_link(menu.CHANGES.path, label="Find redirect targets for dead pages", icon=menu.CHANGES.icon)
    elif word == REVIEW.word:
        st.page_link(menu.RISK.path, label="Decide in the risk review", icon=menu.RISK.icon)
    elif word == PITCH.word:
        st.page_link(menu.OUTREACH_DESK.path, label="Open the outreach desk", icon=menu.OUTREACH_DESK.icon)


st.title(menu.AUDIT.title)
given = upload_state.get("backlinks")
if given is not None and not audit.is_shown():
    files_panel.card(given)
start, place = st.container(), audit.inputs_place()
with place:
    shown = st.container()
    backlinks = inputs.file("backlinks")
    others = inputs.other_files("audit")
    with st.expander("Settings"):
        settings = inputs.audit_settings()
instant.offer_multilingual(settings.model, [backlinks], audit.MODEL)
with start:
    whole = audit.run(backlinks, settings, others, place)
if whole is None:
    st.stop()
with shown:
    result = audit.chosen(whole, inputs.shown_links())
if result.links.empty:
    show.nothing_chosen(result.state_counts)
    st.stop()

show.headline(result.headline)
show.note(result.choice_sentence)
for note in result.attack_notes:
    show.note(note)
show.note(result.subject_note)
show.removed(result.cleaned.removed, len(result.cleaned.export.raw))
show.figures(audit.figures(result))

to_do_now, links, domains, explored, downloads = st.tabs(
    ["Do this now", "Links", "Domains", "Explore", "Downloads"], on_change="rerun", key=audit.TABS
)
if to_do_now.open:
    with to_do_now:
        opened_list(result, cards(result))
        show.chart_of(result, lambda it: charts.verdicts(it.links, it.lost_note), "verdicts", audit.open_links)
if links.open:
    with links:
        audit.links(result)
if domains.open:
    with domains:
        audit.domains(result)
if explored.open:
    with explored:
        audit.show_view(result)
if downloads.open:
    with downloads:
        st.caption(
            "Every scored link. The workbook also contains excluded rows, if there are any. Files are created when "
            "you click."
        )
        show.downloads(tables(result), "backlink-audit")
        uploads.offer(result)
        uploads.offer_template(result)
        report.offer(result)
