"""The outreach desk in the browser: prospects chosen in the gap or by hand, changed, and written to."""

from collections.abc import Callable, Collection
from datetime import date
from typing import Any

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from backlink_audit.errors import AuditError, InvalidSetting, StoreProblem
from backlink_audit.exports.lists import sites_in
from backlink_audit.judgement.letters import LANGUAGES, PLACEHOLDERS, TEMPLATES
from backlink_audit.labels import LOST_AGAIN, OUTREACH_STATES, TO_CONTACT, WON
from backlink_audit.projects import outreach_desk as kept
from backlink_audit.projects.outreach_desk import Linking, OutreachDesk, Prospect, change, choose, linking
from backlink_audit.projects.snapshots import Snapshot, every_snapshot
from backlink_audit.projects.store import Store
from backlink_audit.report.files import write_csv
from backlink_audit.report.letters import as_archive, as_table
from backlink_audit.ui import column_looks, gap, projects, session, show, worktable
from backlink_audit.ui.worktable import download
from backlink_audit.wording import by_number, count, first_of

SHOWN = [name for name in kept.COLUMNS if name not in ("example_title", "example_url", "topic")]
STATES = [label.word for label in OUTREACH_STATES]
LONGEST_LIST = 500  # Prospects offered for the preview of a letter; every letter is in the downloads
LETTERS_SHOWN = 50  # Letters that are shown whole before they go into a file


def of_open_project() -> OutreachDesk | None:
    """Return the outreach desk of the open project; None, said in a sentence, where none is open."""
    opened = projects.open_or_ask("The outreach desk needs an open project, which saves it.")
    return None if opened is None else _desk_of(opened)


def won_sites() -> frozenset[str]:
    """Return the domains that outreach won for the site whose links are loaded; none without an open project."""
    opened = projects.current()
    desk = None if opened is None or opened.other_site else _desk_of(opened)
    return frozenset() if desk is None else desk.won


def _desk_of(opened: projects.Open) -> OutreachDesk | None:
    try:
        return kept.desk(projects.opened(), opened.project, date.today(), _read)
    except StoreProblem as problem:
        show.problem(problem)
        return None


def figures(desk: OutreachDesk) -> list[show.Figure]:
    """Return the figures of the desk."""
    return [
        ("Prospects", len(desk.prospects), "Sites on the outreach desk."),
        ("To contact", desk.counts[TO_CONTACT.word], TO_CONTACT.meaning),
        ("In contact", desk.waiting, "Contacted, to follow up, or answered."),
        ("Follow-ups due", len(desk.due), "The follow-up date is today or in the past."),
        ("Won", desk.counts[WON.word], "A later snapshot has a live link from the site, or you marked it as won."),
        ("Lost again", desk.counts[LOST_AGAIN.word], LOST_AGAIN.meaning),
    ]


def work(desk: OutreachDesk) -> None:
    """Show the prospects, and what can be done with those that are selected."""
    rows = show.filtered(desk.table, "desk", columns=SHOWN, filters=("outreach_state",))
    st.caption(count(len(rows), "prospect"))
    action = st.container()
    _, part = worktable.page_to_mark(rows, "desk")
    mark = hash(tuple(part["referring_domain"]))
    shown = column_looks.filled(part, SHOWN)
    places = worktable.grid(part, f"desk:table:{mark}", shown, {}, select="multi-row")
    selected = part.iloc[places]["referring_domain"].tolist()
    with action:
        if len(selected) == 1:
            _edit(desk, selected[0])
        elif selected:
            _edit_many(desk, selected)
        else:
            st.caption("Select the checkbox to the left of a prospect to change it. You can change several at once.")


def add_by_hand() -> None:
    """Show where domains are put on the desk that no gap found."""
    with st.popover("Add sites manually"):
        st.text_area("Domains or URLs, one per line", key="desk-by-hand", height=140)
        st.button("Add them", key="desk-add", type="primary", on_click=_add_by_hand)


def offer(prospects: pd.DataFrame) -> None:
    """Show the button that puts these prospects on the desk of the open project; without one, what to do."""
    if projects.current() is None:
        st.caption("Open a project to add these prospects to its outreach desk.")
        return
    label = f"Add {'this prospect' if len(prospects) == 1 else f'these {len(prospects):,}'} to the outreach desk"
    st.button(label, key="desk-offer", on_click=_add, args=(prospects,), disabled=prospects.empty)


def in_full(row: pd.Series) -> None:
    """Show a prospect of a gap in full, with the button that puts it on the desk."""
    offer_one(row.to_frame().T)
    gap.in_full(row)


def offer_one(prospect: pd.DataFrame) -> None:
    """Show the button that puts this one prospect on the desk of the open project; nothing without one."""
    if projects.current() is not None:
        domain = prospect["referring_domain"].iloc[0]
        if st.button(f"Add {show.plain(domain)} to the outreach desk", key=f"desk-one-{domain}"):
            _add(prospect)
            st.rerun()  # the click draws the table alone; what was done is said above it


def letters(desk: OutreachDesk) -> None:
    """Show the template, the letter that it makes of a chosen prospect, and the letters as files."""
    left, right = st.columns(2, gap="medium")
    with right:
        now = desk.to_write_to()
        chosen = st.multiselect(
            "Write to prospects with this state",
            STATES,
            [TO_CONTACT.word],
            key="desk:write",
            persist_state="session",
            placeholder="—",
        )
        due = st.toggle("Also to prospects with a follow-up due", True, key="desk:due", persist_state="session")
        some = [domain for domain, state in desk.states.items() if state in chosen or (due and domain in desk.due)]
        if not some:
            st.info(
                "No prospects match this choice. Choose other states above. Waiting for an email now: "
                f"{count(len(now), 'prospect')}."
            )
            return
        name = st.selectbox(f"Email (of {len(some):,})", some[:LONGEST_LIST], key="desk-letter")
        with st.container(horizontal=True):
            sender = st.text_input("Your name", key="desk:sender", persist_state="session")
            language = st.selectbox(
                "Language",
                ["", *LANGUAGES],
                key="desk:language",
                persist_state="session",
                format_func=lambda code: LANGUAGES[code].name if code else "By the page",
            )
    language, sender = str(language or ""), str(sender or "").strip()
    templates = _templates(left, desk.template_of(name, language), {desk.template_of(one, language) for one in some})
    with right:
        asked = [domain for domain in some if desk.worth_a_letter(domain)]
        if len(asked) < len(some):
            left_out = len(some) - len(asked)
            show.note(
                f"{count(left_out, 'prospect')} {by_number(left_out, 'gets', 'get')} no email: "
                "their page is not about your subject, or no page of yours is about theirs."
            )
        try:
            found = desk.letters(templates, [name], language, sender)
        except InvalidSetting as problem:
            show.problem(problem)
            return
        for one in found:
            st.code(f"To: {one.to}\nSubject: {one.subject}\n\n{one.body}", language=None, wrap_lines=True)
        unknown = sum(not desk.prospects[domain].contact for domain in asked)
        if unknown:
            show.note(
                f"{count(unknown, 'prospect')} {by_number(unknown, 'has', 'have')} no email address yet: add a contact."
            )
        gaps = desk.blanks(templates, some, language, sender)
        missing = ", ".join(f"{{{name}}} in {number:,}" for name, number in gaps.items())
        if missing:
            show.note(
                f"Some emails have an empty placeholder, because a value is missing: {missing}. Change the "
                "template or these emails."
            )
        with st.container(horizontal=True):
            download(
                f"Drafts ({len(asked):,}, zip of .eml)",
                lambda: as_archive(desk.letters(templates, asked, language, sender)),
                "letters.zip",
                "desk-zip",
                primary=True,
                disabled=not asked,
            )
            download(
                "Mail merge (csv)",
                lambda: write_csv(as_table(desk.letters(templates, asked, language, sender)), for_spreadsheets=True),
                "letters.csv",
                "desk-csv",
                disabled=not asked,
            )
            st.button("Mark these as contacted", key="desk-sent", on_click=_apply, args=(desk, asked, desk.once_sent))
        if st.toggle("Read every email before it goes out", key="desk:read"):
            for one in desk.letters(templates, asked[:LETTERS_SHOWN], language, sender):
                st.code(f"{one.domain}\nSubject: {one.subject}\n\n{one.body}", language=None, wrap_lines=True)
            if len(asked) > LETTERS_SHOWN:
                st.caption(f"The first {LETTERS_SHOWN} of {len(asked):,}; all of them are in the files.")


def _templates(place: DeltaGenerator, shown: str, used: Collection[str]) -> dict[str, str]:
    keys = {one: f"desk:template:{one}" for one in used}
    with place:
        more = f" {count(len(used) - 1, 'other template')} in use." if len(used) > 1 else ""
        st.caption(show.plain(f"Email “{shown}”. Choose another prospect to see its email.{more}"))
        st.text_area("Template", TEMPLATES[shown], height=320, key=keys[shown], persist_state="session")
        st.markdown("\n".join(f"- `{{{name}}}` {words}" for name, words in PLACEHOLDERS.items()))
    return {one: str(session.typed(key, TEMPLATES[one])) for one, key in keys.items()}


def _edit(desk: OutreachDesk, domain: str) -> None:
    one = desk.prospects[domain]
    key = f"{domain}-{one.version}"
    with st.container(border=True):
        st.markdown(f"**{show.plain(domain)}**")
        with st.grid(min_column_width=170):
            place = STATES.index(desk.states[domain])
            st.selectbox("State", STATES, place, key=f"desk-state-{key}")
            st.date_input("Follow-up date", one.follow_up, key=f"desk-day-{key}")
            st.text_input("Contact (email)", one.contact, key=f"desk-contact-{key}")
            st.text_input("Name of the contact", one.facts.get("recipient", ""), key=f"desk-recipient-{key}")
        st.text_area("Note", one.note, key=f"desk-note-{key}", height=80)

        def wanted(_domain: str) -> dict[str, Any]:
            names = {"state": "state", "follow_up": "day"}
            texts = {
                name: str(session.typed(f"desk-{name}-{key}", "") or "") for name in ("contact", "recipient", "note")
            }
            values = {name: session.typed(f"desk-{field}-{key}", None) for name, field in names.items()}
            return values | texts | {"contact": texts["contact"].strip()}

        with st.container(horizontal=True):
            st.button("Save", key=f"desk-save-{key}", type="primary", on_click=_apply, args=(desk, [domain], wanted))
            st.button("Remove from the desk", key=f"desk-drop-{key}", on_click=_apply, args=(desk, [domain], None))


def _edit_many(desk: OutreachDesk, domains: list[str]) -> None:
    """Show what several prospects can be given at once; what is left empty stays as it is."""
    with st.container(border=True, horizontal=True, vertical_alignment="bottom"):
        st.selectbox("New state", STATES, None, key="desk-state-many", width=160)
        st.date_input("Follow-up date", None, key="desk-day-many", width=160)

        def wanted(_domain: str) -> dict[str, Any]:
            values = {
                "state": session.typed("desk-state-many", None),
                "follow_up": session.typed("desk-day-many", None),
            }
            return {name: value for name, value in values.items() if value is not None}

        label = f"Apply to the {len(domains):,} selected"
        st.button(label, key="desk-save-many", type="primary", on_click=_apply, args=(desk, domains, wanted))
        st.button("Remove these from the desk", key="desk-drop-many", on_click=_apply, args=(desk, domains, None))


def _apply(desk: OutreachDesk, domains: list[str], wanted: Callable[[str], dict[str, Any]] | None) -> None:
    """Change these prospects as the desk showed them (None: take them off), and say what somebody else had changed.

    Called by a click before the page is drawn again: `desk` is what the visitor saw when clicking.
    """
    opened = projects.current()
    if opened is None:
        return
    try:
        changes = {domain: _changed(desk, domain, wanted(domain)) if wanted else None for domain in domains}
        refused = change(projects.opened(), opened.project, desk.prospects, changes)
    except AuditError as problem:
        opened.said.append(f"Not saved: {problem}")
        return
    if refused:
        opened.said.append(f"{first_of(refused)}: not overwritten, because it was changed in another window.")


def _changed(desk: OutreachDesk, domain: str, values: dict[str, Any]) -> Prospect:
    if values.get("state") == desk.states[domain]:
        values = {name: value for name, value in values.items() if name != "state"}
    return desk.prospects[domain].changed(**values)


def _add(prospects: pd.DataFrame) -> None:
    opened = projects.current()
    if opened is None:
        return
    try:
        place = projects.opened()
        snapshots = every_snapshot(place, opened.project)
        links = _read(place, snapshots[-1]).domains if snapshots else frozenset()
        added = choose(place, opened.project, prospects, links)
    except StoreProblem as problem:
        opened.said.append(f"Not saved: {problem}")
        return
    rest = len(prospects) - added
    more = (
        f" {rest:,} {by_number(rest, 'is', 'are')} already on the desk, or {by_number(rest, 'links', 'link')} to you."
    )
    opened.done.append(f"{count(added, 'prospect')} added to the outreach desk.{more if rest else ''}")


def _add_by_hand() -> None:
    _add(pd.DataFrame({"referring_domain": sites_in(str(session.typed("desk-by-hand", "")))}, dtype="str"))
    session.fill_in("desk-by-hand", "")


def _read(place: Store, snapshot: Snapshot) -> Linking:
    return _linking(place.name, snapshot.id, snapshot.made_at, snapshot.day, place, snapshot)


@st.cache_resource(max_entries=50, show_spinner=False)
def _linking(name: str, identity: int, made_at: str, day: date, _store: Store, _snapshot: Snapshot) -> Linking:
    return linking(_store, _snapshot)
