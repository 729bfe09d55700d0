"""Which header of the file is which of our columns: shown, and every one of them to be chosen by hand."""

from collections.abc import Mapping, Sequence

import streamlit as st

from backlink_audit.errors import AuditError
from backlink_audit.exports.merge_tools import merging_sentence
from backlink_audit.exports.read import read_table
from backlink_audit.exports.recognise import Export
from backlink_audit.exports.search_console import lacks_site, named_after, site_given
from backlink_audit.schema import SCALE, SOURCE_FILE, TABLES, TOOL, Table
from backlink_audit.sources import ROLES, RoleName
from backlink_audit.ui.files import upload_state
from backlink_audit.ui.tables import show
from backlink_audit.wording import count, part_of

NONE = "(none)"
OURS = (SOURCE_FILE.name, TOOL.name, SCALE.name)


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
    """Under a refused file: let its columns be chosen by hand, if that may help.

    `slot` distinguishes the places where a page shows it: its own uploader, and that in the window of all files.
    """
    refused = upload_state.refusal(role)
    if refused is None or not refused.mappable:
        return
    name, data = refused.files[0]
    try:
        headers = list(read_table(data, name).columns)
    except AuditError:
        return
    if lacks_site(headers):
        _ask_site(role, refused.files, slot)
        return
    with st.expander("Choose the columns manually"):
        chosen = _form(f"{slot}:{name}:{len(data)}", TABLES[ROLES[role].tables[0]], headers, {})
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
