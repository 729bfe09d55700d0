"""The open project in the browser: named in the address, opened after a reload, closed; kept by `persisted_state`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from backlink_audit.errors import AuditError, StoreProblem
from backlink_audit.exports.recognise import Export
from backlink_audit.pipelines.audit.result import Audit
from backlink_audit.projects.content.belongings import (
    NO_NAMED_FILE,
    NamedFile,
    kept_disavow_file,
    kept_files,
    kept_mappings,
    kept_widgets,
)
from backlink_audit.projects.content.decisions import KeptReview, kept_review
from backlink_audit.projects.content.projects import Project, current_state, find
from backlink_audit.projects.content.restore import kept_audit
from backlink_audit.sources import ROLES, RoleName
from backlink_audit.ui import menu, session
from backlink_audit.ui.files import upload_state
from backlink_audit.ui.files.upload_state import Files
from backlink_audit.ui.jobs import jobs
from backlink_audit.ui.pages import audit
from backlink_audit.ui.server import sign_in, store
from backlink_audit.ui.session import DECIDED, PROJECT_IN_ADDRESS, Key
from backlink_audit.ui.tables import show


@dataclass
class Open:
    """The open project, and what of it is in the store already."""

    project: Project
    review: KeptReview
    disavow: NamedFile = NO_NAMED_FILE
    """The disavow file that Google has, and its name."""
    files: Mapping[RoleName, tuple[str, ...]] = field(default_factory=dict)
    """The fingerprints of the files of each role as this session saw them last: only what is another is kept."""
    unread: dict[str, Files] = field(default_factory=dict)
    """Files of the project that could not be read when it was opened. They stay in the store."""
    other_site: bool = False
    """Whether the backlinks that are loaded are of another site, and so not the project's."""
    widgets: Mapping[str, Any] = field(default_factory=dict)
    audit: Audit | None = None
    said: list[str] = field(default_factory=list)
    """Sentences to show once: what the user should know."""
    done: list[str] = field(default_factory=list)
    """Sentences to show once: what was done."""


def current() -> Open | None:
    """Return the open project, or None."""
    return session.kept(Key.PROJECT, lambda: None)


def open_or_ask(why: str) -> Open | None:
    """Return the open project; None, with a sentence why one is needed and the way to open one, where none is."""
    opened = current()
    if opened is None:
        st.info(f"{show.plain(why)} Create or open a project first.")
        st.page_link(menu.PROJECTS.path, label=menu.PROJECTS.title, icon=menu.PROJECTS.icon)
    return opened


def arrive() -> None:
    """Open the project that the address names, or name the open one there; say what there is to say."""
    try:
        _refresh()
        _open_requested()
    except StoreProblem as problem:
        st.error(show.plain(str(problem)))
    opened = current()
    if opened is not None:
        st.sidebar.caption(f"Project: **{show.plain(opened.project.name)}**")
        for sentence in opened.said:
            st.warning(show.plain(sentence))
        for sentence in opened.done:
            st.success(show.plain(sentence))
        opened.said.clear()
        opened.done.clear()


def open_next(project: Project) -> None:
    """Draw the page again with this project open. A click meanwhile does not end it: the next run goes on with it."""
    session.keep(Key.OPENING, project.key)
    st.rerun()


def begin(project: Project) -> None:
    """Open a new project with what is loaded and decided now; `persisted_state.remember` keeps it all."""
    session.keep(Key.PROJECT, Open(project, kept_review(store.opened(), project)))
    st.query_params[PROJECT_IN_ADDRESS] = project.key


def _refresh() -> None:
    """Take over the project's name as it is now; close it where another window deleted it. Raises StoreProblem."""
    here = current()
    if here is None:
        return
    project = current_state(store.opened(), here.project)
    if project is None:
        session.leave_project()
        st.warning(
            f"The project “{show.plain(here.project.name)}” was deleted in another window. Its files stay loaded "
            "here until you close this page."
        )
        return
    if project.key != here.project.key and st.query_params.get(PROJECT_IN_ADDRESS) == here.project.key:
        st.query_params[PROJECT_IN_ADDRESS] = project.key
    here.project = project


def _open_requested() -> None:
    """Open the project of the last click, or of the address. Raises StoreProblem; then the former one stays open."""
    here, named = current(), st.query_params.get(PROJECT_IN_ADDRESS)
    wanted = session.kept(Key.OPENING, str) or named
    if not wanted or (here is not None and here.project.key == wanted):
        session.remove(Key.OPENING)
        if here is not None and named != here.project.key:
            st.query_params[PROJECT_IN_ADDRESS] = here.project.key
        return
    session.keep(Key.OPENING, wanted)
    try:
        project = find(store.opened(), wanted, sign_in.owner())
        if project is not None:
            with st.spinner(f"Opening {show.plain(project.name)}"):
                _enter(project)
    except Exception:  # not what ends a run for the next one: that goes on
        session.remove(Key.OPENING)
        if here is not None and current() is here:
            st.query_params[PROJECT_IN_ADDRESS] = here.project.key
        raise
    session.remove(Key.OPENING)
    if project is None:
        st.warning(f"There is no project “{show.plain(wanted)}”.")
        if named:
            del st.query_params[PROJECT_IN_ADDRESS]


def _enter(project: Project) -> None:
    """Open a project in place of all that is loaded: its files, its last audit, its decisions, tabs and filters.

    A click may end this run anywhere. So the former project is closed before the first of its files goes, and this
    one is open only when the last is there: `persisted_state.remember` never meets half of it. Raises StoreProblem.
    """
    place = store.opened()
    files, mappings = kept_files(place, project), kept_mappings(place, project)
    widgets = {key: value for key, value in kept_widgets(place, project).items() if session.is_choice(key, value)}
    opened = Open(project, kept_review(place, project), kept_disavow_file(place, project), widgets=widgets)
    session.remove(Key.PROJECT)
    _clear_former()
    for role in ROLES:
        if role in files:
            _load(opened, ROLES[role].name, files[role], mappings.get(role))
    opened.files = upload_state.fingerprints()
    session.keep(Key.REVIEW, opened.review.review)
    session.keep(Key.DISAVOW_FILE, opened.disavow)
    for key, value in widgets.items():
        session.fill_in(key, value)
    backlinks = upload_state.get("backlinks")
    opened.audit = None if backlinks is None else _audit_of(opened, backlinks)
    if opened.audit is not None and backlinks is not None:
        inputs = (backlinks.fingerprint, upload_state.sources("audit").key, opened.audit.settings)
        jobs.put(audit.LABEL, inputs, opened.audit)
    st.query_params[PROJECT_IN_ADDRESS] = project.key
    session.keep(Key.PROJECT, opened)


def _clear_former() -> None:
    """Remove the files, results, decisions and choices of what was open before."""
    jobs.clear()
    for key in (*DECIDED, Key.TRIED_LINKS):
        session.remove(key)
    session.clear_choices()
    for role in ROLES.values():
        upload_state.drop(role.name)


def _load(opened: Open, role: RoleName, files: Files, mapping: Mapping[str, str] | None) -> None:
    """Read the files of a role, and say which cannot be read: one competitor does not keep out the others."""
    try:
        upload_state.put(role, files, mapping)
    except AuditError as problem:
        single: Sequence[tuple[str, bytes]] = files if ROLES[role].many and len(files) > 1 else ()
        if not single:
            opened.said.append(str(problem))
            opened.unread[role] = [*opened.unread.get(role, ()), *files]
        for file in single:
            _load(opened, role, [file], mapping)


def _audit_of(opened: Open, backlinks: Export) -> Audit | None:
    try:
        return kept_audit(store.opened(), opened.project, backlinks)
    except StoreProblem as problem:  # one damaged snapshot does not keep the project shut
        opened.said.append(str(problem))
        return None
