"""The store and the open project in the browser: named in the address, opened after a reload, closed."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from backlink_audit.audit.result import Audit
from backlink_audit.errors import AuditError, StoreProblem
from backlink_audit.exports.recognise import Export
from backlink_audit.projects import project_files
from backlink_audit.projects import projects as kept
from backlink_audit.projects.projects import NOBODY, KeptReview, Project, current_state, find, kept_review
from backlink_audit.projects.store import Store, address, display_name, open_store
from backlink_audit.sources import ROLES, RoleName
from backlink_audit.ui import access, jobs, menu, session, show, upload_state
from backlink_audit.ui.access import limits
from backlink_audit.ui.session import DECIDED, PROJECT_IN_ADDRESS, Key
from backlink_audit.ui.upload_state import Files
from backlink_audit.wording import count

HERE = frozenset({"localhost", "127.0.0.1", "::1"})  # Names and addresses of one's own machine alone
OF_A_PROXY = frozenset({"forwarded", "via", "x-real-ip", "x-client-ip", "true-client-ip", "cf-connecting-ip"})
"""Headers that nobody but a proxy writes, beside those that begin with `x-forwarded-`."""
OFF = (
    "Projects are switched off: other people use this app, and without sign-in everybody would see all projects. "
    "Run the app on your own computer, or ask the administrator of this server to set up sign-in."
)


@st.cache_resource(show_spinner=False)
def _opened(name: str) -> Store:
    return open_store(name or None)


def opened() -> Store:
    """Return the store. Raises StoreProblem, also where projects are off."""
    if is_off():
        raise StoreProblem(OFF)
    return _opened(address().render_as_string(hide_password=False))


def is_off() -> bool:
    return access.owner() == NOBODY and not limits().shared and is_served_to_others()


def is_served_to_others() -> bool:
    return not (_is_for_this_machine() and _is_from_here())


def _is_for_this_machine() -> bool:
    names = st.get_option("server.allowedHosts") or ["*"]
    others = st.get_option("server.corsAllowedOrigins")
    return st.get_option("server.address") in HERE and HERE.issuperset(names) and not others


def _is_from_here() -> bool:
    names = [name.lower() for name in st.context.headers]
    passed_on = any(name in OF_A_PROXY or name.startswith("x-forwarded-") for name in names)
    return not isinstance(st.context.ip_address, str) and not passed_on  # Streamlit knows no address of this machine


def name() -> str:
    return display_name(address())


def attempt(change: Callable[[], object]) -> None:
    """Change the store and draw the page again, or say why the store could not be changed."""
    try:
        change()
    except AuditError as problem:
        st.error(show.plain(str(problem)))
    else:
        st.rerun()


@dataclass
class Open:
    """The open project, and what of it is in the store already."""

    project: Project
    review: KeptReview
    disavow: project_files.NamedFile = project_files.NO_NAMED_FILE  # The disavow file that Google has, and its name
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
    here = current()
    if here is None:
        st.info(f"{show.plain(why)} Create or open a project first.")
        st.page_link(menu.PROJECTS.path, label=menu.PROJECTS.title, icon=menu.PROJECTS.icon)
    return here


def arrive() -> None:
    """Open the project that the address names, or name the open one there; say what there is to say."""
    try:
        _refresh()
        _open_requested()
    except StoreProblem as problem:
        st.error(show.plain(str(problem)))
    here = current()
    if here is not None:
        st.sidebar.caption(f"Project: **{show.plain(here.project.name)}**")
        for sentence in here.said:
            st.warning(show.plain(sentence))
        for sentence in here.done:
            st.success(show.plain(sentence))
        here.said.clear()
        here.done.clear()


def begin(project: Project) -> None:
    """Open a new project with what is loaded and decided now; `persisted_state.remember` keeps it all."""
    session.keep(Key.PROJECT, Open(project, kept_review(opened(), project)))
    st.query_params[PROJECT_IN_ADDRESS] = project.key


def _refresh() -> None:
    here = current()
    if here is None:
        return
    project = current_state(opened(), here.project)
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
        project = find(opened(), wanted, access.owner())
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
    place = opened()
    files, mappings = project_files.kept_files(place, project), project_files.kept_mappings(place, project)
    widgets = {
        key: value for key, value in project_files.kept_widgets(place, project).items() if session.is_choice(key, value)
    }
    here = Open(project, kept_review(place, project), project_files.kept_disavow_file(place, project), widgets=widgets)
    session.remove(Key.PROJECT)
    _clear_former()
    for role in ROLES:
        if role in files:
            _load(here, ROLES[role].name, files[role], mappings.get(role))
    here.files = upload_state.fingerprints()
    session.keep(Key.REVIEW, here.review.review)
    session.keep(Key.DISAVOW_FILE, here.disavow)
    for key, value in widgets.items():
        session.fill_in(key, value)
    backlinks = upload_state.get("backlinks")
    here.audit = None if backlinks is None else _audit_of(here, backlinks)
    if here.audit is not None and backlinks is not None:
        inputs = (backlinks.fingerprint, upload_state.sources("audit").key, here.audit.settings)
        jobs.put(menu.AUDIT.button, inputs, here.audit)
    st.query_params[PROJECT_IN_ADDRESS] = project.key
    session.keep(Key.PROJECT, here)


def _clear_former() -> None:
    jobs.clear()
    for key in (*DECIDED, Key.TRIED_LINKS):
        session.remove(key)
    session.clear_choices()
    for role in ROLES.values():
        upload_state.drop(role.name)


def _load(here: Open, role: RoleName, files: Files, mapping: Mapping[str, str] | None) -> None:
    """Read the files of a role, and say which cannot be read: one competitor does not keep out the others."""
    try:
        upload_state.put(role, files, mapping)
    except AuditError as problem:
        single: Sequence[tuple[str, bytes]] = files if ROLES[role].many and len(files) > 1 else ()
        if not single:
            here.said.append(str(problem))
            here.unread[role] = [*here.unread.get(role, ()), *files]
        for file in single:
            _load(here, role, [file], mapping)


def _audit_of(here: Open, backlinks: Export) -> Audit | None:
    try:
        return project_files.kept_audit(opened(), here.project, backlinks)
    except StoreProblem as problem:  # one damaged snapshot does not keep the project shut
        here.said.append(str(problem))
        return None


def every() -> list[Project] | None:
    """Return the projects of this user; None where the store cannot be used, which is said."""
    try:
        return kept.every_project(opened(), access.owner())
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
                begin(kept.create(opened(), name, access.owner()))
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
                session.keep(Key.OPENING, project.key)
                st.rerun()
            label = "Restore" if project.is_archived else "Archive"
            if st.button(label, key=f"projects-aside-{project.id}"):
                attempt(lambda: kept.archive(opened(), project, not project.is_archived))
            with st.popover("Rename"):
                name = st.text_input("New name", project.name, key=f"projects-name-{project.id}")
                if st.button("Rename it", key=f"projects-rename-{project.id}", type="primary"):
                    attempt(lambda: _renamed(project, name))
            with st.popover("Delete"):
                _delete(project, snapshots)


def snapshots_of(found: list[Project]) -> dict[int, int]:
    return kept.snapshot_counts(opened(), access.owner()) if found else {}


def _renamed(project: Project, name: str) -> None:
    renamed, here = kept.rename(opened(), project, name), current()
    if here is not None and here.project.id == project.id:
        here.project = renamed
        st.query_params[session.PROJECT_IN_ADDRESS] = renamed.key


def _delete(project: Project, snapshots: int) -> None:
    st.markdown(
        f"**{show.plain(project.name)}** with {count(snapshots, 'snapshot')}, its files and its decisions will be "
        "deleted permanently. This cannot be undone."
    )
    if st.button("Delete it", key=f"projects-delete-{project.id}", type="primary"):
        attempt(lambda: _deleted(project))


def _deleted(project: Project) -> None:
    here = current()
    if here is not None and here.project.id == project.id:
        session.leave_project()
    kept.delete(opened(), project)
