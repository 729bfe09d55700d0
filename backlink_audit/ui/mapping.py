"""Which header of the file is which of our columns: shown, and every one of them to be changed by hand."""

import streamlit as st

from backlink_audit.errors import AuditError
from backlink_audit.exports.recognise import Export
from backlink_audit.schema import TABLES
from backlink_audit.ui import session

NONE = "(not in this file)"


def summary(export: Export) -> str:
    """Say in one sentence what the file was recognised as."""
    unnamed = [header for header in export.raw.columns if header.startswith("Unnamed ")]
    sentence = (
        f"{export.format.name}, {len(export.raw):,} rows; "
        f"{len(export.columns)} of {len(export.raw.columns)} columns recognised."
    )
    if not unnamed:
        return sentence
    return f"{sentence} {len(unnamed)} have no name: {', '.join(unnamed[:6])}{', …' if len(unnamed) > 6 else ''}."


def editor(role: session.RoleName) -> None:
    """Show the recognised columns of a role's export, each with a choice of the file's headers."""
    export = session.get(role)
    if export is None:
        return
    table = TABLES[export.kind]
    headers = [NONE, *export.raw.columns]
    with st.form(f"mapping:{role}", border=False):
        st.caption(f"{summary(export)} Needed: {', '.join(table.column(name).label for name in table.required)}.")
        chosen = {}
        with st.grid(min_column_width=210):
            for column in table.columns:
                if column.name in ("source_file", "tool"):
                    continue
                header = export.columns.get(column.name, NONE)
                chosen[column.name] = st.selectbox(
                    column.label,
                    headers,
                    index=headers.index(header) if header in headers else 0,
                    help=column.help or None,
                    key=f"map:{role}:{export.fingerprint[:12]}:{column.name}",
                )
        pressed = st.form_submit_button("Use these columns")
    if pressed:
        _apply(role, {name: header for name, header in chosen.items() if header != NONE})


def _apply(role: str, columns: dict[str, str]) -> None:
    try:
        session.remap(role, columns)
    except AuditError as problem:
        st.error(str(problem))
    else:
        st.rerun()
