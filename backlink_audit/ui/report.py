"""The report for a client in the browser: whose it is, and its download as one HTML file."""

from collections.abc import Callable
from importlib.util import find_spec

import streamlit as st

from backlink_audit.audit.result import Audit
from backlink_audit.errors import StoreProblem
from backlink_audit.labels import ACCENT
from backlink_audit.projects.client_report import audit_report, client_report
from backlink_audit.projects.projects import Project
from backlink_audit.projects.snapshots import every_snapshot
from backlink_audit.projects.store import Store
from backlink_audit.report.client import ClientReport, Look, as_pdf, logo_of, render
from backlink_audit.risk.disavow import NO_FILE
from backlink_audit.risk.disavow_file import DisavowFile
from backlink_audit.risk.review import Review
from backlink_audit.ui import projects, risk, session, show, uploads
from backlink_audit.ui.session import Key
from backlink_audit.ui.worktable import download

WORDS = "report:words:"  # begins the keys of the edited paragraphs


def offer(audit: Audit | None = None) -> None:
    """Show whose report it is, and offer it: on the open project's last snapshot, on this audit where it has none."""
    opened = projects.current()
    try:
        subject = _subject(opened)
    except StoreProblem as problem:
        show.problem(problem)
        return
    with st.container(border=True):
        st.markdown(f"**Report for a client** on {show.plain(subject)}")
        st.caption("One HTML file that opens in any browser without internet access and prints on A4.")
        with st.container(horizontal=True, vertical_alignment="bottom"):
            name = st.text_input("Your name", key="report:name", placeholder="Optional", width=240)
            accent = st.color_picker("Colour of headings", ACCENT, key="report:accent")
            logo = _logo()
        look = Look(str(name), str(accent), logo)
        decided = risk.current()
        _, file = session.kept(Key.DISAVOW_FILE, lambda: ("", NO_FILE))
        kept = (projects.opened(), opened.project) if opened else None  # the file is made when nobody's page is drawn

        words = _edited(lambda: _report(kept, audit, file, decided))

        def made() -> bytes:
            return render(_report(kept, audit, file, decided).edited(words), look)

        stem = opened.project.key if opened else "backlinks"
        with st.container(horizontal=True):
            first = audit is None
            download("Report (HTML)", made, f"{stem}-report.html", "report-html", primary=first)
            if find_spec("weasyprint"):
                as_file = f"{stem}-report.pdf"
                download("Report (PDF)", lambda: as_pdf(made()), as_file, "report-pdf")


def _edited(made: Callable[[], ClientReport]) -> dict[str, str]:
    """Let the paragraphs of the report be changed or left out, and return what was changed, by its place."""
    kept = {key.removeprefix(WORDS): str(value) for key, value in session.with_prefix(WORDS).items()}
    if not st.toggle("Edit the text first", key="report:edit"):
        return kept
    st.caption("Empty a paragraph to leave it out. Your words are kept with the project.")
    return {
        place: st.text_area(place.capitalize(), words, key=f"{WORDS}{place}", height="content", persist_state="session")
        for place, words in made().paragraphs.items()
    }


def _subject(opened: projects.Open | None) -> str:
    snapshots = every_snapshot(projects.opened(), opened.project) if opened else []
    if not snapshots:
        return "this audit"
    return "the project's last snapshot" + (", compared with the one before" if len(snapshots) > 1 else "")


def _report(
    kept: tuple[Store, Project] | None, audit: Audit | None, file: DisavowFile, decided: Review
) -> ClientReport:
    """Return the report on a project; where that has no snapshot, or there is none, on the audit.

    Raises StoreProblem where a snapshot is there and cannot be read: another report would pass for it.
    """
    if kept is not None and (audit is None or every_snapshot(*kept)):
        return client_report(*kept)
    assert audit is not None
    return audit_report(audit, file, decided)


def _logo() -> str:
    """Show the logo that is loaded, with a way to remove it, or where one is loaded; return it as a data URL."""
    name, logo = session.kept(Key.LOGO, lambda: ("", ""))
    if name:
        st.caption(f"Logo: {show.plain(name)}", width="content")
        if st.button("Remove it", key="report-no-logo"):
            session.remove(Key.LOGO)
            st.rerun()
        return logo
    with st.popover("Add a logo"):
        found = uploads.read_at_once(
            "PNG, JPEG, GIF or WebP, up to 1 MB", ["png", "jpg", "jpeg", "gif", "webp"], "logo", _read_logo
        )
    if found is not None:
        session.keep(Key.LOGO, found)
        st.rerun()
    return ""


def _read_logo(data: bytes, name: str) -> str:
    return logo_of(name, data)
