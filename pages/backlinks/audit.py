"""Which backlinks come from pages about the same subject as the page they point to?"""

import pandas as pd
import streamlit as st

from backlink_audit.audit import charts
from backlink_audit.audit.result import Audit
from backlink_audit.audit.story import prospects_of
from backlink_audit.audit.tables import ATTACKS, CAMPAIGNS, CAUSES, OUTREACH, TO_DO, TOLD, tables
from backlink_audit.audit.tasks import Task
from backlink_audit.labels import PITCH, PROTECT, RECLAIM, REVIEW
from backlink_audit.ui import audit, inputs, menu, outreach_desk, report, session, show, upload_state, uploads
from backlink_audit.wording import count

OPENED = "audit:task"  # Where the word of the task is kept whose list is open
OPEN_SENTENCE = "audit:told"  # Where the kind of the story's sentence is kept whose rows are open, "" for none
NOW = "Do this now"


def story(result: Audit) -> None:
    """Say what the links say, each sentence with a button that opens its rows."""
    with st.container(gap="xsmall"):
        for place, sentence in enumerate(result.story):
            with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                with st.container(width="stretch"):
                    if place:
                        st.markdown(show.plain(sentence.text))
                    else:
                        show.headline(sentence.text)
                st.button(
                    count(sentence.number, "link"),
                    key=f"story-{sentence.kind}",
                    on_click=_open,
                    args=(sentence.kind,),
                    type="tertiary",
                    icon=":material/arrow_forward:",
                    help="Show these links",
                )


def _open(kind: str) -> None:
    session.fill_in(OPEN_SENTENCE, kind)
    session.fill_in(audit.TABS, NOW)


def task_of(result: Audit) -> Task:
    """Show the tasks with their numbers; return the one whose list is open: the first to work on."""
    tasks = {task.label.word: task for task in result.tasks}
    first = next((word for word in (RECLAIM.word, REVIEW.word) if tasks[word].number), PROTECT.word)
    words = {word: f"{word} · {task.number:,}" for word, task in tasks.items()}
    return tasks[inputs.one_of(NOW, tuple(tasks), OPENED, words, first, named=False)]


def told(result: Audit, kind: str) -> None:
    """Show the rows of a sentence of the story."""
    sentence = next(one for one in result.story if one.kind == kind)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"**{show.plain(sentence.text)}**", width="stretch")
        st.button("Back to the tasks", key="story-back", on_click=session.fill_in, args=(OPEN_SENTENCE, ""))
    rows = audit.in_order(result.whole or result, "at_stake")
    audit.table(TOLD, result, rows.loc[rows.index.isin(sentence.rows)])


def opened_list(result: Audit, task: Task) -> None:
    """Show the list of a task, what matters most first, and where the work goes on."""
    word = task.label.word
    with st.container(horizontal=True, vertical_alignment="center"):
        stake = task.at_stake(result.site_word)
        none = f"{_nothing(result, word)} " if not task.number else ""
        st.caption(show.plain(f"{none}{task.label.meaning}{f' {stake}.' if stake else ''}"), width="stretch")
        groups = {RECLAIM.word: result.causes, REVIEW.word: result.campaigns}.get(word, pd.DataFrame())
        whole = "Every link" if word == RECLAIM.word else "Every link, single ones too"
        attacked = [ATTACKS.name] if word == REVIEW.word and result.attacks else []
        lists = (*([_GROUPED[word]] if len(groups) else []), *attacked, whole)
        shown = inputs.one_of("List", lists, f"audit:{word}", named=False) if lists[1:] else whole
    rows = result.to_do(word)
    if shown == ATTACKS.name:
        show.table(
            ATTACKS, result, detail=lambda row: named(result.scored.loc[result.attacks[int(str(row.name))].rows])
        )
    elif shown != whole:
        keys = result.reclaims["cause"] if word == RECLAIM.word else result.campaign_keys
        _grouped(result, groups, rows, keys, word)
    elif word == PITCH.word:

        def in_full(row: pd.Series) -> None:
            sites = prospects_of(rows, word)
            outreach_desk.offer_one(sites[sites["referring_domain"] == row["referring_domain"]])
            show.one_row(row, story=show.PITCH, labels=OUTREACH.words(result))

        show.table(OUTREACH, result, rows=rows, detail=in_full)
    else:
        audit.table(next(one for one in TO_DO if one.name == word), result, rows)
    with st.container(horizontal=True, vertical_alignment="center"):
        if word in (RECLAIM.word, PITCH.word):
            outreach_desk.offer(prospects_of(rows, word))
        if word == RECLAIM.word:
            st.page_link(menu.CHANGES.path, label="Find redirect targets for dead pages", icon=menu.CHANGES.icon)
        elif word == REVIEW.word:
            st.page_link(menu.RISK.path, label="Decide in the risk review", icon=menu.RISK.icon)
        elif word == PITCH.word:
            st.page_link(menu.OUTREACH_DESK.path, label="Open the outreach desk", icon=menu.OUTREACH_DESK.icon)


_GROUPED = {RECLAIM.word: "By cause", REVIEW.word: "By campaign"}


def _nothing(result: Audit, word: str) -> str:
    if word != RECLAIM.word:
        return "Nothing to do."
    if result.lost is None:
        return "Not known: the export does not mark lost links."
    return f"None of the {result.lost:,} lost links is worth asking for." if result.lost else "No link is lost."


def _grouped(result: Audit, groups: pd.DataFrame, rows: pd.DataFrame, keys: pd.Series, word: str) -> None:
    """Show one row for each cause or campaign; the opened one with its links."""
    key, sheet = ("cause", CAUSES) if word == RECLAIM.word else ("campaign", CAMPAIGNS)

    def in_full(row: pd.Series) -> None:
        own = rows[keys.reindex(rows.index) == row[key]]
        st.markdown(f"**{show.plain(row['what_happened' if key == 'cause' else 'template'])}**")
        named(own)

    show.table(sheet, result, rows=groups, detail=in_full)
    if key == "campaign":
        single = int((keys.reindex(rows.index) == "").sum())
        st.caption(f"{count(single, 'single link')} besides. Decide on a campaign at once in the risk review.")


def named(links: pd.DataFrame) -> None:
    """Name the first links of a cause, a campaign or an attack."""
    st.caption(count(len(links), "link"))
    lines = (
        f"- {show.link(one['referring_url'], one['referring_title'] or one['referring_url'])}: "
        f"{show.plain(one['anchor'] or 'no anchor text')}"
        for one in links.head(LINKS_NAMED).to_dict("records")
    )
    st.markdown("\n".join(lines))
    if len(links) > LINKS_NAMED:
        st.caption(f"and {len(links) - LINKS_NAMED:,} more")


LINKS_NAMED = 30  # of a cause, a campaign or an attack


st.title(menu.AUDIT.title)
given = upload_state.get("backlinks")
if given is not None and not audit.is_shown():
    uploads.card(given)
start, place = st.container(), audit.inputs_place()
with place:
    shown = st.container()
    backlinks = inputs.file("backlinks")
    others = inputs.other_files("audit")
    with st.expander("Settings"):
        settings = inputs.audit_settings()
inputs.offer_multilingual(settings.model, [backlinks], audit.MODEL)
with start:
    whole = audit.run(backlinks, settings, others, place)
if whole is None:
    st.stop()
with shown:
    result = audit.chosen(whole, inputs.shown_links())
if result.links.empty:
    show.nothing_chosen(result.state_counts)
    st.stop()

story(result)
show.note(result.choice_sentence)

to_do_now, links, domains, explored, downloads = st.tabs(
    [NOW, "Links", "Domains", "Explore", "Downloads"], on_change="rerun", key=audit.TABS
)
if to_do_now.open:
    with to_do_now:
        kind = str(session.typed(OPEN_SENTENCE, ""))
        if any(sentence.kind == kind for sentence in result.story):
            told(result, kind)
        else:
            task = task_of(result)
            opened_list(result, task)
            if task.number > 1 and task.label in (RECLAIM, PROTECT, REVIEW):
                show.chart(charts.task(result, task.label), f"task-{task.label.word}")
        show.chart_of(result, lambda it: charts.verdicts(it.links), "verdicts", audit.open_links)
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
        report.offer(result)

show.figures(audit.figures(result))
show.note(result.subject_note)
show.removed(result.cleaned.removed, len(result.cleaned.export.raw))
