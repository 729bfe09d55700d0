"""The open project in the browser: named in the address, opened after a reload, closed; kept by `persisted_state`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from backlink_audit.audit.result import Audit
from backlink_audit.errors import AuditError, StoreProblem
from backlink_audit.exports.recognise import Export
from backlink_audit.projects import projects as kept
from backlink_audit.projects.decisions import KeptReview, kept_review
from backlink_audit.projects.project_files import (
    NO_NAMED_FILE,
    NamedFile,
    kept_audit,
    kept_disavow_file,
    kept_files,
    kept_mappings,
    kept_widgets,
)
from backlink_audit.projects.projects import Project, current_state, find
from backlink_audit.sources import ROLES, RoleName
from backlink_audit.ui import access, jobs, menu, session, show, store, upload_state
from backlink_audit.ui.session import DECIDED, PROJECT_IN_ADDRESS, Key
from backlink_audit.ui.upload_state import Files
from backlink_audit.wording import count


@dataclass
class Open:
    """The open project, and what of it is in the store already."""

    project: Project
    review: KeptReview
    disavow: NamedFile = NO_NAMED_FILE  # The disavow file that Google has, and its name
    files: Mapping[RoleName, tuple[str, ...]] = field(default_factory=dict)
    """The fingerprints of the files of each role as this session saw them last: only what is another is kept."""
    unread: dict[str, Files] = field(default_factory=dict)
    """Files of the project that could not be read when it was opened. They stay in the store."""
    other_site: bool = False  # Whether the backlinks that are loaded are of another site, and so not the project's
    widgets: Mapping[str, Any] = field(default_factory=dict)
    audit: Audit | None = None
    said: list[str] = field(default_factory=list)  # Sentences to show once: what the user should know
    done: list[str] = field(default_factory=list)  # Sentences to show once: what was done


def current() -> Open | None:
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
        project = find(store.opened(), wanted, access.owner())
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
        jobs.put(menu.AUDIT.button, inputs, opened.audit)
    st.query_params[PROJECT_IN_ADDRESS] = project.key
    session.keep(Key.PROJECT, opened)


def _clear_former() -> None:
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


def every() -> list[Project] | None:
    """Return the projects of this user; None where the store cannot be used, which is said."""
    try:
        return kept.every_project(store.opened(), access.owner())
    except StoreProblem as problem:
        st.error(show.plain(str(problem)))
        return None


def make() -> None:
    """Show how to keep what is loaded as a new project."""
    if not upload_state.everything():
        st.info("Load files first, or open the sample project on Home. A new project saves the loaded files.")
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        name = st.text_input("Name of the new project", key="projects-name")
        if st.button("Save as a project", key="projects-make", type="primary", disabled=not name.strip()):
            try:
                begin(kept.create(store.opened(), name, access.owner()))
            except StoreProblem as problem:
                st.error(show.plain(str(problem)))
            else:
                st.rerun()


def one(project: Project, snapshots: int) -> None:
    """Show a project with what can be done with it."""
    here = current()
    is_open = here is not None and here.project.id == project.id
    with st.container(border=True):
        words = (
            f"{project.site or 'no snapshot yet'}, {count(snapshots, 'snapshot')}, created {project.created_at[:10]}"
        )
        with st.container(horizontal=True, vertical_alignment="center"):
            mark = " (open)" if is_open else " (archived)" if project.is_archived else ""
            st.markdown(f"**{show.plain(project.name)}**{mark}  \n{show.plain(words)}", width="stretch")
            if is_open and st.button("Close", key=f"projects-close-{project.id}"):
                session.leave_project()
                st.rerun()
            if not is_open and st.button("Open", key=f"projects-open-{project.id}", type="primary"):
                open_next(project)
            label = "Restore" if project.is_archived else "Archive"
            if st.button(label, key=f"projects-aside-{project.id}"):
                store.attempt(lambda: kept.archive(store.opened(), project, not project.is_archived))
            with st.popover("Rename"):
                _rename(project)
            with st.popover("Delete"):
                _delete(project, snapshots)


def snapshots_of(found: list[Project]) -> dict[int, int]:
    return kept.snapshot_counts(store.opened(), access.owner()) if found else {}


def _rename(project: Project) -> None:
    name = st.text_input("New name", project.name, key=f"projects-name-{project.id}")
    if st.button("Rename it", key=f"projects-rename-{project.id}", type="primary"):
        store.attempt(lambda: _renamed(project, name))


def _renamed(project: Project, name: str) -> None:
    renamed, here = kept.rename(store.opened(), project, name), current()
    if here is not None and here.project.id == project.id:
        here.project = renamed
        st.query_params[session.PROJECT_IN_ADDRESS] = renamed.key


def _delete(project: Project, snapshots: int) -> None:
    st.markdown(
        f"**{show.plain(project.name)}** with {count(snapshots, 'snapshot')}, its files and its decisions will be "
        "deleted permanently. This cannot be undone."
    )
    if st.button("Delete it", key=f"projects-delete-{project.id}", type="primary"):
        store.attempt(lambda: _deleted(project))


def _deleted(project: Project) -> None:
    here = current()
    if here is not None and here.project.id == project.id:
        session.leave_project()
    kept.delete(store.opened(), project)
