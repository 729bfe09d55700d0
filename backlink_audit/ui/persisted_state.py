"""What a session changed in the open project is kept in the store after every run; what it did not change, never."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from backlink_audit.errors import AuditError, StoreProblem
from backlink_audit.projects.history import keep_earned
from backlink_audit.projects.project_files import (
    NO_NAMED_FILE,
    NamedFile,
    keep_disavow_file,
    keep_widgets,
    replace_files,
)
from backlink_audit.projects.projects import keep_review
from backlink_audit.projects.snapshots import other_site, save
from backlink_audit.projects.store import Store
from backlink_audit.report.client import EARNED
from backlink_audit.sources import ROLES, RoleName
from backlink_audit.ui import audit, projects, risk, session, show, upload_state
from backlink_audit.ui.projects import Open
from backlink_audit.ui.session import Key
from backlink_audit.ui.upload_state import Files
from backlink_audit.wording import first_of


def remember() -> None:
    """Keep in the store whatever this session changed: decisions, files, the audit, tabs and filters."""
    opened = projects.current()
    if opened is None:
        return
    try:
        place = projects.opened()
        _keep_review(place, opened)
        _keep_disavow_file(place, opened)
        _keep_files(place, opened)
        _keep_audit(place, opened)
        _keep_choices(place, opened)
    except StoreProblem as problem:
        st.error(f"Not saved in the project: {show.plain(str(problem))}")


def _keep_review(place: Store, opened: Open) -> None:
    mine = risk.current()
    if mine == opened.review.review:
        return
    kept, lost = keep_review(place, opened.project, opened.review, mine)
    # A click may end the run at each of these. In this order the next one never takes what others decided for a change.
    if kept.review != mine:
        session.remove(Key.FORMER_REVIEWS)  # they lack what the other window decided: undoing would take it back
    session.keep(Key.REVIEW, kept.review)
    opened.review = kept
    states: dict[str, list[str]] = {}
    for scope, key in sorted(lost):
        states.setdefault(_state_of(opened, (scope, key)), []).append(key)
    opened.said += [
        f"{first_of(keys)}: not overwritten, because it was changed to “{state}” in another window."
        for state, keys in states.items()
    ]
    if kept.review != mine:
        st.rerun()


def _state_of(opened: Open, key: tuple[str, str]) -> str:
    decision = opened.review.review.decisions.get(key)
    return decision.state if decision else "undecided again"


def _keep_disavow_file(place: Store, opened: Open) -> None:
    mine: NamedFile = session.kept(Key.DISAVOW_FILE, lambda: NO_NAMED_FILE)
    if mine == opened.disavow:
        return
    kept = keep_disavow_file(place, opened.project, opened.disavow, mine)
    session.keep(Key.DISAVOW_FILE, kept)
    opened.disavow = kept
    if kept != mine:
        theirs = f"it is “{opened.disavow[0]}” now" if opened.disavow[0] else "there is none now"
        tried = f"Your “{mine[0]}” did not replace it" if mine[0] else "It was not removed"
        opened.said.append(
            f"Your current disavow file was changed in another window: {theirs}. {tried}. Repeat your change if you "
            "still want it."
        )
        st.rerun()


def _keep_files(place: Store, opened: Open) -> None:
    """Keep the files of the roles that are others than this session saw last, and leave all others as they are."""
    now = upload_state.fingerprints()
    changed = {role for role in (*now, *opened.files) if now.get(role) != opened.files.get(role)}
    if "backlinks" in changed and not _are_the_projects_own_backlinks(opened):
        changed.remove("backlinks")
    if changed:
        mappings: dict[str, Mapping[str, str]] = {
            role: chosen for role in changed & now.keys() if (chosen := upload_state.mapping_of(role))
        }
        replace_files(place, opened.project, {role: _files_of(opened, role) for role in changed}, mappings)
    opened.files = now


def _files_of(opened: Open, role: RoleName) -> Files:
    """Return the files of a role now, none where it was emptied; competitors that could not be read stay beside it."""
    if role not in upload_state.everything():
        opened.unread.pop(role, None)
        return ()
    files = upload_state.files_of(role)
    if not ROLES[role].many:
        return files
    names = {name for name, _ in files}
    return [*files, *(file for file in opened.unread.get(role, ()) if file[0] not in names)]


def _are_the_projects_own_backlinks(opened: Open) -> bool:
    """Whether the backlinks are to be kept; those of another site are not, and the project keeps what it has."""
    backlinks, former = upload_state.get("backlinks"), opened.other_site
    if backlinks is None:
        opened.other_site = False
        return not former
    site = other_site(opened.project, backlinks)
    opened.other_site = bool(site)
    if site:
        opened.said.append(
            f"{backlinks.name}: its links point to {site}, but the project “{opened.project.name}” is about "
            f"{opened.project.site}. The file is not saved in this project. To work on another site, close the "
            "project first."
        )
    return not site


def _keep_audit(place: Store, opened: Open) -> None:
    audited = audit.last()
    if audited is None or audited is opened.audit or opened.other_site:
        return
    snapshot, notes = save(place, opened.project, audited)
    opened.audit = audited
    opened.said.extend(note for note in notes if "is already saved as the snapshot" not in note)
    performance = upload_state.get("performance")
    if performance is not None and any(map(performance.has, EARNED)):
        try:
            keep_earned(place, opened.project, snapshot, performance, replace=False)
        except AuditError as problem:
            opened.said.append(str(problem))


def _keep_choices(place: Store, opened: Open) -> None:
    new: Mapping[str, Any] = {
        key: value
        for key, value in session.choices().items()
        if key not in opened.widgets or opened.widgets[key] != value
    }
    if new:
        keep_widgets(place, opened.project, new)
        opened.widgets = {**opened.widgets, **new}
