"""The disavow file in the browser: the one that Google has now, what the new one changes, and its download."""

from datetime import date

import pandas as pd
import streamlit as st

from backlink_audit.errors import AuditError
from backlink_audit.pipelines.risk.disavow import NO_FILE, DisavowFile, NewDisavowFile, parse_disavow_file
from backlink_audit.pipelines.risk.result import RiskReview
from backlink_audit.pipelines.risk.sent_file import SentFile
from backlink_audit.ui import session
from backlink_audit.ui.files import uploads
from backlink_audit.ui.pages.risk import decisions
from backlink_audit.ui.pages.risk.decisions import EXCLUDED
from backlink_audit.ui.session import Key
from backlink_audit.ui.tables import download, show
from backlink_audit.wording import count

SENT = "Click this after you have uploaded the file to Google. It then becomes your current disavow file."
PREVIEW_LINES = 40
"""Lines of the disavow file that are shown; all of them are in the download."""
GOOD_COLUMNS = ("verdict", "referring_domain", "entry", "referring_url", "anchor", "target_url")


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
    show.figures(
        [
            ("Domains", len(new.file.domains), "Lines that begin with domain:"),
            ("URLs", len(new.file.urls), "Single pages."),
            ("Comments", new.file.comments, "Lines that begin with #, copied from your file."),
            ("Added", len(new.added), "Not in your current file."),
            ("Excluded", len(new.held_back), "Domains that may be worth keeping and are not selected."),
            (
                "Not included",
                len(new.dropped),
                "Lines of your current file that are duplicates, already covered, invalid, or set to “keep” in the "
                "review.",
            ),
        ]
    )
    if not new.file.lines:
        st.info("The new file would be empty: no line of your current file is included, and nothing new is disavowed.")
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        download.button("Download disavow.txt", data, "disavow.txt", "text/plain", "disavow:txt", primary=True)
        if new.file.lines != existing.lines and st.button("I uploaded it to Google", key="disavow-sent", help=SENT):
            session.keep(Key.DISAVOW_FILE, (f"disavow.txt, uploaded {date.today()}", new.file))
            st.rerun()
    show.table(new.changes, "disavow:changes", noun="change", search=False)
    lines = [line.text for line in new.file.lines]
    if len(lines) > PREVIEW_LINES:
        st.caption(f"The first {PREVIEW_LINES} of {count(len(lines), 'line')}. The download has all of them.")
    st.code("\n".join(lines[:PREVIEW_LINES]), language=None)


def disavowed_links(links: pd.DataFrame, existing: DisavowFile) -> None:
    """Show which links the current disavow file disavows, and which of them are worth keeping; nothing without one."""
    if not existing.lines:
        return
    sent = _sent_file(links, existing)
    st.subheader("Your current file", anchor=False)
    show.note(sent.sentence)
    if len(sent.good):
        st.warning(
            f"{count(len(sent.good), 'good link')} in it. To remove them from the file, set their domains to “keep” "
            "in the review."
        )
        show.table(sent.good, "disavow-good", columns=GOOD_COLUMNS, noun="good link", stem="disavowed-good-links")
    if len(sent.domains):
        show.table(sent.domains, "disavow-still", noun="domain", stem="disavowed-and-linking")


def _summary(file: DisavowFile) -> str:
    parts = [count(len(file.domains), "domain"), count(len(file.urls), "URL"), count(file.comments, "comment")]
    return ", ".join(parts + ([count(len(file.broken), "invalid line")] if file.broken else []))


def _sent_file(links: pd.DataFrame, existing: DisavowFile) -> SentFile:
    """Return what the current file does to the links, made again only for other links or another file."""
    return session.made_of(Key.SENT_FILE, (existing, links), lambda: SentFile(existing, links))


def _tick_what_is_worth_keeping(result: RiskReview, existing: DisavowFile) -> None:
    """Show the disavowed domains that look worth keeping, and keep which of them are ticked. Raises FileProblem."""
    new = _new_file(result, existing)
    every = {**new.held_back, **new.on_purpose}
    worth = {site: every[site] for site in result.risks.worth_keeping["referring_domain"] if site in every}
    if not worth:
        return
    domains = count(len(worth), "disavowed domain")
    st.warning(f"{domains} that may be worth keeping. {EXCLUDED}; the file names them in a comment:")
    chosen = frozenset(decisions.tick_list(worth, "disavow:tick", new.on_purpose))
    if chosen != frozenset(new.on_purpose):
        session.keep(Key.TICKED, (decisions.ticked() - frozenset(worth)) | chosen)


def _new_file(result: RiskReview, existing: DisavowFile) -> NewDisavowFile:
    """Return the new file, made again only after another decision, tick or existing file. Raises FileProblem."""
    ticked = decisions.ticked()
    return session.made_of(Key.NEW_DISAVOW_FILE, (result, existing, ticked), lambda: result.disavow(existing, ticked))
