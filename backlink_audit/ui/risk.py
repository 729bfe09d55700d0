"""The risk review in the browser: the signals, their limits, and the table in which decisions are made."""

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Mapping
from datetime import date

import pandas as pd
import streamlit as st

from backlink_audit.audit.result import Audit
from backlink_audit.audit.tables import CAMPAIGNS
from backlink_audit.errors import AuditError, InvalidSetting
from backlink_audit.exports.recognise import Export
from backlink_audit.glossary import figures
from backlink_audit.judgement.risk_signals import SIGNALS
from backlink_audit.labels import DISAVOW, KEEP, REMOVE, STATES, UNDECIDED, WHITELIST
from backlink_audit.progress import Progress
from backlink_audit.report.files import write_csv
from backlink_audit.risk.disavow import NO_FILE, NewDisavowFile, SentFile
from backlink_audit.risk.disavow_file import DisavowFile, parse_disavow_file
from backlink_audit.risk.result import ASK_ABOVE, Question, RiskReview, Risks
from backlink_audit.risk.review import Review, Scope, read_review
from backlink_audit.risk.run import lesson, review_risks
from backlink_audit.risk.tables import CAMPAIGN, CHANGES, GOOD, PASSED, SECOND, STILL
from backlink_audit.settings import BacklinkFilters, RiskLimits
from backlink_audit.ui import inputs, jobs, menu, outreach_desk, session, show, uploads, worktable
from backlink_audit.ui.column_looks import filled, sources
from backlink_audit.ui.session import Key
from backlink_audit.ui.worktable import download
from backlink_audit.wording import count

SETS: Mapping[str, Callable[[pd.DataFrame], pd.DataFrame]] = {
    "Proposed": lambda rows: rows[rows["proposed"]],
    "To review": lambda rows: rows[rows["to_review"]],
    "Signals, but not to review": lambda rows: rows[(rows["signals"] > 0) & ~rows["to_review"]],
    "All": lambda rows: rows,
}  # What the table can show of an audit's links, and which rows that are
STEPS = 20  # How many changes can be undone
Former = tuple[Review, str]  # A review before a change, and the sentence that says what the change was
SHORT_LIST, LIST_HEIGHT = 8, 240  # Domains that are named without scrolling, and the height in pixels of a longer list
MOST_TICKS = 200  # Domains that can be ticked at once; the rest are left out
EXCLUDED = "Excluded unless you select them"
SENT = "Click this after you have uploaded the file to Google. It then becomes your current disavow file."
PREVIEW_LINES = 40  # Lines of the disavow file that are shown; all of them are in the download
ANSWERS = (
    (KEEP.word, "Keep", ":material/check:"),
    (WHITELIST.word, "Trust the site", ":material/verified:"),
    (REMOVE.word, "Ask to remove", ":material/mail:"),
    (DISAVOW.word, "Disavow", ":material/block:"),
)
"""What can be decided on a link that is read, in the order of the keys 1 to 4."""
READ_AT_ONCE = 10


def risks(backlinks: Export, audit: Audit | None, filters: BacklinkFilters, limits: RiskLimits) -> Risks | None:
    """Show the progress while the signals are looked for, and return them, or None until they are there."""

    def work(progress: Progress) -> Risks:
        return review_risks(audit or backlinks, filters, limits, on_progress=progress)

    key: Hashable = (backlinks.fingerprint, audit.made_at if audit else None, filters, limits)
    return jobs.run(key, menu.RISK.button, work, automatic=True)


def reviewed(risks: Risks) -> RiskReview:
    """Return the risks with what was decided and won; made again only when one of these is another."""
    review, won = current(), outreach_desk.won_sites()
    before: frozenset[str] = session.kept(Key.WON, frozenset)
    won = before if won == before else session.keep(Key.WON, won)
    return session.made_of(Key.REVIEWED, (risks, review, won), lambda: RiskReview(risks, review, won))


def limits(key: str) -> RiskLimits:
    """Show from where a fact counts as a risk signal. Limits that contradict each other stop the page."""
    with st.grid(min_column_width=190):
        chosen = inputs.settings_of(RiskLimits, key)
    try:
        return RiskLimits(**chosen)
    except InvalidSetting as problem:
        show.problem(problem)
        st.stop()


def filtered(rows: pd.DataFrame, key: str, columns: tuple[str, ...], judged: bool) -> pd.DataFrame:
    """Show the filters of the review and return the rows they leave: to review or not, signals, words, state."""
    words = {signal.name: signal.label for signal in SIGNALS if (rows[signal.name] != "").any()}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if judged:
            chosen_set = st.segmented_control(
                "Show",
                list(SETS),
                default="Proposed" if rows["proposed"].any() else "To review",
                required=True,
                key=f"{key}:set",
                persist_state="session",
            )
            left = SETS[str(chosen_set)](rows)
        else:
            least = st.segmented_control(
                "Minimum signals", (0, 1, 2, 3), default=1, required=True, key=f"{key}:least", persist_state="session"
            )
            left = rows[rows["signals"] >= least]
        chosen = st.multiselect(
            "Any of these signals",
            list(words),
            format_func=words.__getitem__,
            key=f"{key}:signals",
            persist_state="session",
        )
    if chosen:
        left = left[(left[chosen] != "").any(axis=1)]
    return show.filtered(left, key, columns=sources(columns), filters=("state", "verdict"))


def mark(risks: Risks, rows: pd.DataFrame, scope: Scope, key: str, columns: tuple[str, ...]) -> None:
    """Show rows a page at a time, let some be selected, and set the state of those or of all rows."""
    noun = "domain" if scope == "domain" else "link"
    action = st.container(horizontal=True, vertical_alignment="bottom")
    offer_undo()
    page, shown = worktable.page_to_mark(rows, key)
    visible = filled(shown, columns)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(count(len(rows), noun), width="stretch")
        download(
            "Download these rows",
            lambda: worktable.for_file(rows, filled(rows, columns)),
            f"risk-{noun}s.csv",
            f"{key}:rows",
        )
    places = worktable.grid(shown, f"{key}:table:{page}:{turn()}", visible, {}, select="multi-row")
    selected = shown.iloc[places]
    if len(selected) == 1:
        in_full(risks, selected.iloc[0], scope)
    with action:
        state = st.selectbox("New state", [label.word for label in STATES], index=None, key=f"{key}:mark:state")
        note = st.text_input("Note", key=f"{key}:mark:note", placeholder="Optional")
        for name, label, some in (
            ("selected", f"Apply to the {len(selected):,} selected", selected),
            ("filtered", f"Apply to all {len(rows):,} filtered", rows),
        ):
            if st.button(label, key=f"{key}:mark:{name}", disabled=state is None or some.empty):
                decide(Question(risks, scope, some, str(state), note))
    ask()


def campaigns(result: RiskReview, audit: Audit) -> None:
    """Show the campaigns of an audit, one row each, and set the state of all links of those that are selected."""
    action = st.container(horizontal=True, vertical_alignment="bottom")
    offer_undo()
    links = result.rows("URL")
    keys = audit.campaign_keys.reindex(links.index, fill_value="")
    decided = links["state"].ne(UNDECIDED.word).groupby(keys).sum()
    table = audit.campaigns.assign(decided=audit.campaigns["campaign"].map(decided).fillna(0).astype("int64"))
    st.caption(
        f"{count(len(table), 'campaign')}: links of one making. Select one or more, and decide on all their links."
    )
    shown = filled(table, ["template", "decided", *CAMPAIGNS.columns[1:]])
    places = worktable.grid(table, f"campaigns:{turn()}", shown, {}, select="multi-row")
    some = links[keys.isin(table.iloc[places]["campaign"].tolist())]
    with action:
        state = st.selectbox("New state", [label.word for label in STATES], index=None, key="campaigns:state")
        note = st.text_input("Note", key="campaigns:note", placeholder="Optional")
        label = f"Apply to {count(len(some), 'link')} of {count(len(places), 'campaign')}"
        if st.button(label, key="campaigns:apply", disabled=state is None or some.empty):
            decide(Question(result.risks, "URL", some, str(state), note))
    if len(places) == 1:
        show.table(CAMPAIGN, result, rows=some)
    ask()


def in_full(risks: Risks, row: pd.Series, scope: Scope) -> None:
    """Show a domain or a link in full, each of its signals with its evidence."""
    evidence = [(signal.label, row[signal.name]) for signal in SIGNALS]
    story = show.DOMAIN if scope == "domain" else show.LINK
    in_file = None if scope == "domain" else show.same_row(risks.export.raw, row)
    show.one_row(row, story, reasons=evidence, labels=risks.authority_labels, in_file=in_file)


def load_review() -> None:
    """Show the uploader of a saved review, whose decisions replace earlier ones; many once that is confirmed."""
    found = uploads.read_at_once("A review downloaded from this page (csv)", ["csv"], "review", read_review)
    review, loaded = current(), found[1] if found else session.kept(Key.LOADED_REVIEW, Review)
    if len(loaded.decisions) > ASK_ABOVE:
        session.keep(Key.LOADED_REVIEW, loaded)
        _confirm_loading(loaded)
    elif loaded.decisions:
        _load(loaded)
    if st.button("Delete all decisions", key="review:remove", disabled=not review.decisions):
        change(Review(), f"{count(len(review.decisions), 'decision')} removed.")


def _load(loaded: Review) -> None:
    _cancel_loading()
    change(current().joined(loaded), f"{count(len(loaded.decisions), 'decision')} loaded.")


def _cancel_loading() -> None:
    session.remove(Key.LOADED_REVIEW)


@st.dialog("Load these decisions?", on_dismiss=_cancel_loading)
def _confirm_loading(loaded: Review) -> None:
    states = Counter(decision.state for decision in loaded.decisions.values()).most_common()
    said = show.plain(", ".join(f"{state} {number:,}" for state, number in states))
    before = current().decisions
    replaced = sum(key in before and before[key] != decision for key, decision in loaded.decisions.items())
    st.write(f"**{count(len(loaded.decisions), 'decision')}: {said}.** {replaced:,} of yours would be replaced.")
    with st.container(horizontal=True):
        if st.button(f"Load all {len(loaded.decisions):,}", key="review:load", type="primary"):
            _load(loaded)
        if st.button("Cancel", key="review:cancel"):
            _cancel_loading()
            st.rerun()


def download_review() -> None:
    """Offer what was decided as csv, which `load_review` takes again."""
    table = current().to_table()
    download(
        f"Review ({len(table):,} decided, csv)",
        lambda: write_csv(table, for_spreadsheets=True),
        "review.csv",
        "review:csv",
        disabled=table.empty,
    )


def current() -> Review:
    return session.kept(Key.REVIEW, Review)


def turn() -> int:
    return session.kept(Key.REVIEW_TURN, int)


def decide(question: Question) -> None:
    """Set the state of the question's rows at once, or ask first where they are many or one looks worth keeping."""
    if question.is_needed:
        session.keep(Key.REVIEW_QUESTION, question)
    else:
        _answer(question, question.with_ticked())


def ticked_domains() -> frozenset[str]:
    return session.kept(Key.TICKED, frozenset)


def tick_list(worth: Mapping[str, str], key: str, before: Collection[str] = ()) -> list[str]:
    """Show domains that look worth keeping, each with its reasons and a box, and return the ticked ones."""
    if len(worth) > SHORT_LIST and st.checkbox(f"Select all {len(worth):,}", key=f"{key}-all"):
        return list(worth)
    shown = list(worth.items())[:MOST_TICKS]
    with st.container(height=LIST_HEIGHT if len(shown) > SHORT_LIST else "content", border=True):
        chosen = [
            site
            for site, why in shown
            if st.checkbox(f"**{show.plain(site)}**: {show.plain(why)}", site in before, key=f"{key}:{site}")
        ]
    if len(worth) > MOST_TICKS:
        st.caption(
            f"{count(len(worth) - MOST_TICKS, 'more domain')} of this kind: excluded. Select fewer rows to see them."
        )
    return chosen


def change(review: Review, what: str) -> None:
    """Put another review in place of this one, and keep the former one with the sentence on what was changed."""
    former = _former()
    session.keep(Key.FORMER_REVIEWS, (*former, (current(), what))[-STEPS:])
    _put(review)


def offer_undo() -> None:
    """Say what was changed last, with a button that undoes it; nothing at first."""
    former = _former()
    if not former:
        return
    review, what = former[-1]
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(show.plain(what), width="content")
        if st.button("Undo", key="review:undo", icon=":material/undo:"):
            session.keep(Key.FORMER_REVIEWS, former[:-1])
            _put(review)


def ask() -> None:
    """Show the question that waits for an answer, if there is one."""
    question = session.kept(Key.REVIEW_QUESTION, lambda: None)
    if question is not None:
        _dialog(question)


def _former() -> tuple[Former, ...]:
    first: tuple[Former, ...] = ()
    return session.kept(Key.FORMER_REVIEWS, lambda: first)


def _cancel() -> None:
    session.remove(Key.REVIEW_QUESTION)


@st.dialog("Apply this state?", on_dismiss=_cancel)
def _dialog(question: Question) -> None:
    st.write(f"**{show.plain(question.sentence)}**")
    chosen: list[str] = []
    worth = question.worth_keeping
    if len(worth):
        st.warning(f"{count(len(worth), 'domain')} that may be worth keeping. {EXCLUDED}:")
        chosen = tick_list(dict(zip(worth["referring_domain"], worth["why"], strict=True)), "question:tick")
    st.write(f"The largest: {show.plain(question.largest)}.")
    items = question.with_ticked(chosen)
    with st.container(horizontal=True):
        label = f"Apply to {len(items):,} of {len(question.items):,}" if len(worth) else f"Apply to all {len(items):,}"
        if st.button(label, key="question:apply", type="primary", disabled=not items):
            session.keep(Key.TICKED, ticked_domains() | frozenset(chosen))
            _answer(question, items)
        if st.button("Cancel", key="question:cancel"):
            _cancel()
            st.rerun()


def _answer(question: Question, items: list[str]) -> None:
    _cancel()
    review = current().decide(question.scope, items, question.state, question.note or None)
    change(review, f"{count(len(items), question.noun)} set to “{question.state}”.")


def _put(review: Review) -> None:
    session.keep(Key.REVIEW, review)
    session.keep(Key.REVIEW_TURN, turn() + 1)
    st.rerun()


def existing_file() -> DisavowFile:
    """Show the disavow file that Google has now, with ways to load and to remove it, and return it."""
    name, file = session.kept(Key.DISAVOW_FILE, lambda: ("", NO_FILE))
    if name:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(f"**Your current file: {show.plain(name)}** ({_summary(file)})", width="stretch")
            if st.button("Remove this file", key="disavow:remove"):
                session.remove(Key.DISAVOW_FILE)
                st.rerun()
    label = "Replace it with another disavow file (txt)" if name else "Your current disavow file (txt), if you have one"
    found = uploads.read_at_once(label, ["txt"], "disavow", parse_disavow_file)
    if found is not None:
        session.keep(Key.DISAVOW_FILE, found)
        st.rerun()
    return file


def preview(result: RiskReview, existing: DisavowFile) -> None:
    """Show what the new disavow file changes, its lines, and its download; or why it cannot be written."""
    for note in existing.notes:
        st.info(show.plain(note))
    try:
        _tick_what_is_worth_keeping(result, existing)
        new = _new_file(result, existing)
        data = new.data
    except AuditError as problem:
        show.problem(problem)
        return
    if not new.file.domains and not new.file.urls and not new.dropped and not new.held_back:
        st.info("Nothing to disavow yet. Set the state “disavow” on the tab Review to add lines here.")
        return
    counted = {"domains": len(new.file.domains), "urls": len(new.file.urls), "comments": new.file.comments}
    counted |= {"added": len(new.added), "held_back": len(new.held_back), "dropped": len(new.dropped)}
    show.figures(figures("disavow", counted))
    if not new.file.lines:
        st.info("The new file would be empty: no line of your current file is included, and nothing new is disavowed.")
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        download("Download disavow.txt", data, "disavow.txt", "disavow:txt", primary=True)
        if new.file.lines != existing.lines and st.button("I uploaded it to Google", key="disavow-sent", help=SENT):
            session.keep(Key.DISAVOW_FILE, (f"disavow.txt, uploaded {date.today()}", new.file))
            st.rerun()
    show.table(CHANGES, new)
    lines = [line.text for line in new.file.lines]
    if len(lines) > PREVIEW_LINES:
        st.caption(f"The first {PREVIEW_LINES} of {count(len(lines), 'line')}. The download has all of them.")
    st.code("\n".join(lines[:PREVIEW_LINES]), language=None)


def disavowed_links(links: pd.DataFrame, existing: DisavowFile) -> None:
    """Show which links the current disavow file disavows, and which of them are worth keeping; nothing without one."""
    if not existing.lines:
        return
    sent = session.made_of(Key.SENT_FILE, (existing, links), lambda: SentFile(existing, links))
    st.subheader("Your current file", anchor=False)
    show.note(sent.sentence)
    if len(sent.good):
        st.warning(
            f"{count(len(sent.good), 'good link')} in it. To remove them from the file, set their domains to “keep” "
            "in the review."
        )
        show.table(GOOD, sent)
    if len(sent.domains):
        show.table(STILL, sent)


def _summary(file: DisavowFile) -> str:
    parts = [count(len(file.domains), "domain"), count(len(file.urls), "URL"), count(file.comments, "comment")]
    return ", ".join(parts + ([count(len(file.broken), "invalid line")] if file.broken else []))


def _tick_what_is_worth_keeping(result: RiskReview, existing: DisavowFile) -> None:
    """Show the disavowed domains that look worth keeping, and keep which of them are ticked. Raises FileProblem."""
    new = _new_file(result, existing)
    every = {**new.held_back, **new.on_purpose}
    worth = {site: every[site] for site in result.risks.worth_keeping["referring_domain"] if site in every}
    if not worth:
        return
    domains = count(len(worth), "disavowed domain")
    st.warning(f"{domains} that may be worth keeping. {EXCLUDED}; the file names them in a comment:")
    chosen = frozenset(tick_list(worth, "disavow:tick", new.on_purpose))
    if chosen != frozenset(new.on_purpose):
        session.keep(Key.TICKED, (ticked_domains() - frozenset(worth)) | chosen)


def _new_file(result: RiskReview, existing: DisavowFile) -> NewDisavowFile:
    ticked = ticked_domains()
    return session.made_of(Key.NEW_DISAVOW_FILE, (result, existing, ticked), lambda: result.disavow(existing, ticked))


def show_lesson(result: RiskReview) -> None:
    """Show what was learned, what is sure, and the links whose reading would teach most, each with its answers."""
    found = session.made_of(Key.LESSON, (result,), lambda: lesson(result))
    if found is None:
        st.info("Run the audit first: without its scores nothing can be learned from your decisions.")
        return
    st.caption("Your decision on these links teaches most. The keys 1 to 4 answer for the first one.")
    offer_undo()
    for place, (_, row) in enumerate(found.to_read.head(READ_AT_ONCE).iterrows()):
        with st.container(border=True, gap="xsmall"):
            title = row["referring_title"] or row["referring_url"]
            st.markdown(f"{show.link(row['referring_url'], title)} links to {show.link(row['target_url'])}")
            said = show.plain(f"{row['verdict']}. {row['why']} Anchor: {row['anchor'] or 'none'}.")
            st.markdown(f":small[{said}]")  # no caption: addresses in it become links, too pale there
            with st.container(horizontal=True, gap="small"):
                for number, (state, words, icon) in enumerate(ANSWERS, 1):
                    key = f"read:{state}:{row['referring_url']}:{row['target_url']}"
                    shortcut = None if place else str(number)
                    if st.button(words, key=key, icon=icon, shortcut=shortcut):
                        decide(Question(result.risks, "URL", found.to_read.loc[[row.name]], state))
    ask()
    show.note(found.headline)
    show.note(found.promise)


def show_second_opinion(result: RiskReview) -> None:
    """Show where the tool and the audit disagree, both ways."""
    if not result.risks.second_opinion:
        st.info("The export has no judgement of the tool's own, such as a toxic score, or the audit has not run.")
        return
    show.note(result.risks.second_opinion)
    st.markdown("**The tool flags it, and the audit finds it fine**")
    show.table(SECOND, result)
    st.markdown("**The tool passes it, and the audit asks to review it**")
    show.table(PASSED, result)
