"""Where files come in: the uploaders of the roles, with what to bring, and the list of loaded files in the sidebar."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import TypeVar

import pandas as pd
import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from backlink_audit.audit.result import Audit
from backlink_audit.audit.story import Recognised, recognised
from backlink_audit.audit.tables import own_columns, tables
from backlink_audit.errors import AuditError
from backlink_audit.exports.load import merging_sentence
from backlink_audit.exports.read import read_table
from backlink_audit.exports.recognise import Export, nearest_columns
from backlink_audit.exports.search_console import lacks_site, named_after, names_of, site_given
from backlink_audit.exports.spreadsheet import find_rows, is_workbook, refuse_large
from backlink_audit.report import files, own_workbook
from backlink_audit.report.rows import Tables
from backlink_audit.schema import SCALE, SOURCE_FILE, TABLES, TOOL, Table
from backlink_audit.sources import ROLES, RoleName
from backlink_audit.ui import access, menu, projects, session, show, upload_state
from backlink_audit.ui.session import Key
from backlink_audit.ui.worktable import download
from backlink_audit.wording import count, part_of

T = TypeVar("T")
FILE_TYPES = ["csv", "tsv", "txt", "xlsx", "zip", "jl", "jsonl", "xml"]
WINDOW = "window"  # The `key` of uploaders in the window of all files
NONE = "(none)"
OURS = (SOURCE_FILE.name, TOOL.name, SCALE.name)


def require(role: RoleName) -> Export:
    """Return the export loaded for a role; without one say what to bring, offer the sample, and stop the page."""
    export = upload_state.get(role)
    if export is None:
        ask(role)
        st.stop()
    return export


def ask(*roles: RoleName, sample_opens: str = "") -> None:
    """Show the empty state of a role, or of several that can be used instead: what to bring, and the sample project."""
    with st.container(border=True):
        for role in roles:
            upload(role, key="empty")
    _sample_button(sample_opens)


def upload(role: RoleName, *, key: str = "page") -> None:
    """Show an uploader for a role; `key` distinguishes two. A file that cannot be used changes nothing but is said."""
    kind, slot = ROLES[role], f"{role}:{key}"
    files = st.file_uploader(
        f"**{kind.label}.** {kind.bring}", type=FILE_TYPES, accept_multiple_files=True, key=widget_key(slot)
    )
    if files:
        taken(slot, files)
        with st.spinner(f"Reading {', '.join(show.plain(file.name) for file in files)}"):
            accepted = upload_state.receive_any(role, [(file.name, file.getvalue()) for file in files])
        # The window of all files would be closed by a run of the whole page, and the sentence with it.
        st.rerun(scope="fragment" if key == WINDOW and not accepted else "app")
    for one in upload_state.moved(role):
        st.success(show.plain(f"{one.name} is “{one.what}”, kept as: {ROLES[one.role].label}."))
        for page in menu.pages_that_need(one.role):
            st.page_link(page.path, label=page.title, icon=page.icon)
    refused = upload_state.refusal(role)
    if refused and not refused.loaded:
        sentence = st.empty()
        by_hand(role, slot)
        sentence.error(show.plain((upload_state.refusal(role) or refused).sentence))


def read_at_once(label: str, types: list[str], slot: str, read: Callable[[bytes, str], T]) -> tuple[str, T] | None:
    """Show an uploader of a small file; return a new file's name and what is in it, once, and empty the uploader."""
    file = st.file_uploader(label, type=types, key=widget_key(slot))
    if file is None:
        return None
    try:
        found = read(file.getvalue(), file.name)
    except AuditError as problem:
        show.problem(problem)
        return None
    taken(slot, [file])
    return file.name, found


def _sample_button(then: str = "") -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        clicked = st.button("Open the sample project", key="sample", type="primary")
        st.caption("A fictional shop with 300 backlinks, a crawl and two competitors. No upload needed.")
    if clicked:
        with st.spinner("Opening the sample project"):
            session.leave_project()  # else it would take the place of the open project's files
            upload_state.open_sample()
        if then:
            st.switch_page(then)
        st.rerun()


def widget_key(slot: str) -> str:
    """Return an uploader's key: another after each file."""
    turns: dict[str, int] = session.kept(Key.UPLOADS, dict)
    return f"upload:{slot}:{turns.get(slot, 0)}"


def taken(slot: str, files: Sequence[UploadedFile]) -> None:
    """Give an uploader another key at its next drawing, and drop the bytes of its files: they were taken over."""
    access.forget_uploaded(files)
    turns: dict[str, int] = session.kept(Key.UPLOADS, dict)
    turns[slot] = turns.get(slot, 0) + 1


def summary(export: Export) -> str:
    """Say in one line what the file was recognised as."""
    headers = [header for header in export.raw.columns if header != SOURCE_FILE.label]
    merged = merging_sentence(export)
    if merged:
        return merged.partition(".")[0]
    used = len(set(export.columns.values()) & set(headers))
    return f"{export.format.name}, {count(len(export.raw), 'row')}, {part_of(used, len(headers), 'column')} used"


def editor(role: RoleName) -> None:
    """Show the columns of a role's export, each with a choice of the file's headers, and read it again on demand."""
    export = upload_state.get(role)
    if export is None:
        return
    for note in export.notes:
        st.info(show.plain(note))
    headers = [header for header in export.raw.columns if header != SOURCE_FILE.label]
    chosen = _form(f"{role}:{export.fingerprint[:12]}", TABLES[export.kind], headers, export.columns)
    if chosen is not None and upload_state.receive(role, upload_state.files_of(role), chosen):
        st.rerun()
    refused = upload_state.refusal(role)
    if refused and refused.loaded:
        st.error(show.plain(refused.sentence))


def by_hand(role: RoleName, slot: str) -> None:
    """Under a refused file: let its columns be chosen by hand, if that may help."""
    refused = upload_state.refusal(role)
    if refused is None or not refused.mappable:
        return
    name, data = refused.files[0]
    try:
        raw = read_table(data, name)
    except AuditError:
        return
    headers, table = list(raw.columns), TABLES[ROLES[role].tables[0]]
    if lacks_site(names_of(raw)):
        _ask_site(role, refused.files, slot)
        return
    with st.expander("Choose the columns manually"):
        chosen = _form(f"{slot}:{name}:{len(data)}", table, headers, nearest_columns(raw, table.name))
        if chosen is not None and upload_state.receive(role, refused.files, chosen):
            st.rerun()


def _ask_site(role: RoleName, files: upload_state.Files, slot: str) -> None:
    """Ask where Search Console's links lead, and take the site into the names of the files, as its own exports do."""
    given = st.text_input("Your site", placeholder="example.com", key=f"site:{slot}")
    if not given.strip():
        return
    try:
        site = site_given(given)
    except AuditError as problem:
        show.problem(problem)
        return
    if upload_state.receive(role, named_after(files, site)):
        st.rerun()


def _form(key: str, table: Table, headers: Sequence[str], current: Mapping[str, str]) -> dict[str, str] | None:
    """A choice of header for each column of ours; once sent, the choices that differ from the current ones."""
    needed = ", ".join(table.column(name).label for name in table.required)
    options = [NONE, *headers]
    chosen = {}
    with st.form(f"mapping:{key}", border=False):
        st.caption(f"Required: {needed}. More columns give better results.")
        with st.grid(min_column_width=200):
            for column in table.columns:
                if column.name in OURS:
                    continue
                header = current.get(column.name, NONE)
                chosen[column.name] = st.selectbox(
                    column.label,
                    options,
                    index=options.index(header) if header in options else 0,
                    help=column.help or None,
                    key=f"map:{key}:{column.name}",
                )
        sent = st.form_submit_button("Use these columns")
    if not sent:
        return None
    picked = {name: "" if header == NONE else header for name, header in chosen.items()}
    return {name: header for name, header in picked.items() if header or name in current}


def offer(audit: Audit) -> None:
    """Offer the one workbook that the backlinks came from with our columns; say why where that cannot be."""
    loaded = upload_state.get("backlinks")
    if loaded is None or loaded.fingerprint != audit.cleaned.export.fingerprint:
        return
    uploaded = upload_state.files_of("backlinks")
    if len(uploaded) != 1 or not is_workbook(uploaded[0][0]):
        return
    [(name, data)] = uploaded
    try:
        refuse_large(data, audit.cleaned.export)
        own_workbook.refuse_lost(data)
    except AuditError as problem:
        st.caption(show.plain(f"{problem} Use the workbook above."))
        return
    download(
        "Your workbook with our columns",
        lambda: made(audit, data),
        f"{name[: -len('.xlsx')]}-audit.xlsx",
        "own-workbook",
    )
    st.caption("Your file, with our columns at the right of every scored link. Your other sheets stay as they are.")


def made(audit: Audit, data: bytes) -> bytes:
    """Return the workbook with our columns; where that cannot be, the ordinary one with a sheet that says why."""
    try:
        place = find_rows(data, audit.cleaned.export)
        return own_workbook.add_columns(data, place.sheet, place.header, place.rows, own_columns(audit))
    except AuditError as problem:
        note = pd.DataFrame({"Note": [f"{problem} This is the ordinary workbook instead."]})
        ordinary = tables(audit)
        return files.to_xlsx(Tables(ordinary.main, lambda: {"Your workbook": note, **ordinary.sheets()}))


def sidebar() -> None:
    """Show in the sidebar what is loaded, and the button that opens the window."""
    with st.sidebar:
        st.markdown("**Your files**")
        for role, exports in upload_state.everything().items():
            names = "  \n".join(f"{show.plain(export.name)} ({count(len(export.raw), 'row')})" for export in exports)
            st.caption(f"**{ROLES[role].label}**  \n{names}")
        if not upload_state.everything():
            st.caption("No files yet. To keep files after a reload, save them in a project.")
        elif projects.current() is None and not projects.is_off():
            st.caption("No project is open: these files are lost when you reload the page.")
            st.page_link(menu.PROJECTS.path, label="Save them as a project", icon=menu.PROJECTS.icon)
        if st.button("Add or replace files", key="open-files", width="stretch"):
            window()


@st.dialog("Your files", width="large")
def window() -> None:
    """Show every role: its files, its columns, an uploader, and a way to remove it."""
    for role in ROLES.values():
        exports = upload_state.everything().get(role.name, ())
        names = ", ".join(show.plain(export.name) for export in exports)
        with st.expander(f"{role.label}: {names}" if exports else role.label):
            for export in exports:
                st.caption(f"{show.plain(export.name)}: {summary(export)}.")
            upload(role.name, key=WINDOW)
            if exports and st.button("Remove", key=f"remove:{role.name}"):
                upload_state.drop(role.name)
                st.rerun()


def card(export: Export) -> None:
    """Show what the backlinks were recognised as, what they lack, and which further files would show more."""
    found: Recognised = session.made_of(Key.RECOGNISED, (export,), lambda: recognised(export, date.today()))
    st.subheader(f"{show.plain(found.name)} is ready", anchor=False)
    facts = {
        "Recognised as": found.tool,
        "Rows": f"{found.rows:,}",
        "Site": found.site,
        "Newest date": f"{found.newest or 'no dates'}",
        "Language of the pages": found.languages or "not known",
    }
    with st.container(border=True), st.grid(min_column_width=150, gap="small"):
        for label, value in facts.items():
            with st.container(gap="xxsmall"):
                st.caption(show.plain(label))
                st.markdown(f"**{show.plain(value)}**")
    if found.lacks:
        st.caption(f"Not in this file: {show.plain('; '.join(found.lacks))}.")
    loaded = upload_state.everything()
    more = {role.label: role.shows for role in ROLES.values() if role.shows and role.name not in loaded}
    if more:
        with st.container(horizontal=True, vertical_alignment="center"):
            wanted = "; ".join(f"{label.lower()} ({gives})" for label, gives in more.items())
            st.caption(f"To see more, add: {show.plain(wanted)}.", width="stretch")
            if st.button("Add files", key="add-files", icon=":material/add:"):
                window()
