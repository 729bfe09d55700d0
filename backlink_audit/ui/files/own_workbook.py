"""The user's own workbook with our columns, offered where the backlinks came from one."""

from collections.abc import Callable

import pandas as pd
import streamlit as st

from backlink_audit.errors import AuditError
from backlink_audit.exports.spreadsheet_rows import find_rows, is_workbook, refuse_heavy, refuse_large
from backlink_audit.pipelines.audit.named_figures import NAMES, named_figures
from backlink_audit.pipelines.audit.result import Audit
from backlink_audit.pipelines.audit.tables import SHEETS, own_columns, tables
from backlink_audit.pipelines.tables import Tables
from backlink_audit.report import files, own_workbook, template
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


def offer_template(audit: Audit) -> None:
    """Take a workbook with cells and sheets of our names, and offer it filled in; say why where that cannot be."""
    if preview.is_shown():
        return
    given = st.file_uploader(
        "Your own report template (xlsx)",
        type=["xlsx"],
        key="upload:template",
        help=f"Cells with these names are filled in: {', '.join(NAMES)}. So are sheets with the names of the workbook: "
        f"{', '.join(SHEETS)}. Everything else stays as it is.",
    )
    if given is None:
        return
    data = given.getvalue()
    try:
        refuse_heavy(given.name, data)
        template.check(data, NAMES, SHEETS)
    except AuditError as problem:
        show.problem(problem)
        return
    name = f"{given.name[: -len('.xlsx')]}-filled.xlsx"
    download.button("Your template, filled in", lambda: filled(audit, data), name, show.XLSX, "template")


def made(audit: Audit, data: bytes) -> bytes:
    """Return the workbook with our columns; where that cannot be, the ordinary one with a sheet that says why."""

    def with_columns() -> bytes:
        place = find_rows(data, audit.cleaned.export)
        return own_workbook.add_columns(data, place.sheet, place.header, place.rows, own_columns(audit))

    return _or_ordinary(audit, with_columns)


def filled(audit: Audit, data: bytes) -> bytes:
    """Return the template filled in; where that cannot be, the ordinary workbook with a sheet that says why."""
    return _or_ordinary(audit, lambda: template.fill(data, named_figures(audit), tables(audit).sheets()))


def _or_ordinary(audit: Audit, make: Callable[[], bytes]) -> bytes:
    try:
        return make()
    except AuditError as problem:
        note = pd.DataFrame({"Note": [f"{problem} This is the ordinary workbook instead."]})
        ordinary = tables(audit)
        return files.to_xlsx(Tables(ordinary.main, lambda: {"Your workbook": note, **ordinary.sheets()}))
