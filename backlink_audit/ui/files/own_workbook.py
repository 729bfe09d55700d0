"""The user's own workbook with our columns, offered where the backlinks came from one."""

import pandas as pd
import streamlit as st

from backlink_audit.errors import AuditError
from backlink_audit.exports.spreadsheet_rows import find_rows, is_workbook, refuse_large
from backlink_audit.pipelines.audit.result import Audit
from backlink_audit.pipelines.audit.tables import own_columns, tables
from backlink_audit.pipelines.tables import Tables
from backlink_audit.report import files, own_workbook
from backlink_audit.ui import preview
from backlink_audit.ui.files import upload_state
from backlink_audit.ui.tables import download, show


def offer(audit: Audit) -> None:
    """Offer the one workbook that the backlinks came from with our columns; say why where that cannot be."""
    loaded = upload_state.get("backlinks")
    if preview.is_shown() or loaded is None or loaded.fingerprint != audit.cleaned.export.fingerprint:
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
    download.button(
        "Your workbook with our columns",
        lambda: made(audit, data),
        f"{name[: -len('.xlsx')]}-audit.xlsx",
        show.XLSX,
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
