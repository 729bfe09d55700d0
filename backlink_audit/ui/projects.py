"""The open project in the browser: in the address, in the store after every click, and back after a reload."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from backlink_audit.errors import AuditError, StoreProblem
from backlink_audit.pipelines.audit.result import Audit
from backlink_audit.projects.belongings import (
    NO_NAMED_FILE,
    NamedFile,
    keep_disavow_file,
    keep_files,
    keep_widgets,
    kept_disavow_file,
    kept_files,
    kept_mappings,
    kept_widgets,
)
from backlink_audit.projects.connection import Store
from backlink_audit.projects.decisions import KeptReview, keep_review, kept_review
from backlink_audit.projects.earned import keep_earned
from backlink_audit.projects.projects import NOBODY, Project, find
from backlink_audit.projects.restore import kept_audit
from backlink_audit.projects.snapshots import Snapshot, save
from backlink_audit.projects.store import address, display_name, open_store
from backlink_audit.report.figures import EARNED
from backlink_audit.ui import audit, jobs, loaded, menu, session, show, sign_in
from backlink_audit.ui.risk import decisions
from backlink_audit.ui.roles import ROLES
from backlink_audit.ui.session import Key
from backlink_audit.wording import first_of

PARAMETER = "project"
"""What names the open project in the address."""
HERE = ("localhost", "127.0.0.1", "::1", "[::1]")
OFF = (
    "Projects are off: this app is served to others, and without sign-in everybody would see everything. "
    "Run it on your own machine to keep projects, or ask whoever runs this server to set up sign-in."
)


@dataclass
class Open:
    """The open project, and what of it is in the store already."""

    project: Project
    review: KeptReview
    disavow: NamedFile = NO_NAMED_FILE
    """The disavow file that Google has, and its name."""
    files: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    widgets: Mapping[str, Any] = field(default_factory=dict)
    audit: Audit | None = None
    said: list[str] = field(default_factory=list)
    """Sentences to show once: what the user should know."""
    done: list[str] = field(default_factory=list)
    """Sentences to show once: what was done."""


@st.cache_resource(show_spinner=False)
def _opened(name: str) -> Store:
    return open_store(name or None)


def store() -> Store:
    """Return the store. Raises StoreProblem, also where projects are off."""
    if is_off():
        raise StoreProblem(OFF)
    return _opened(address().render_as_string(hide_password=False))


def is_off() -> bool:
    """Whether the app is served to others and nobody has signed in: then everybody would see everything."""
    if sign_in.owner() != NOBODY:
        return False
    host = (st.context.headers.get("Host") or HERE[0]).rsplit(":", 1)[0]
    return isinstance(st.context.ip_address, str) or host not in HERE  # Streamlit knows no address of this machine


def current() -> Open | None:
    """Return the open project, or None."""
    return session.kept(Key.PROJECT, lambda: None)


def open_or_ask(why: str) -> Open | None:
    """Return the open project; None, with a sentence why one is needed and the way to open one, where none is."""
    opened = current()
    if opened is None:
        st.info(f"{show.plain(why)} Make or open one first.")
        st.page_link(menu.PROJECTS.path, label=menu.PROJECTS.title, icon=menu.PROJECTS.icon)
    return opened


def arrive() -> None:
    """Open the project that the address names, or name the open one there; say what there is to say."""
    here, wanted = current(), st.query_params.get(PARAMETER)
    if wanted and (here is None or here.project.key != wanted):
        try:
            project = find(store(), wanted, sign_in.owner())
            if project is None:
                st.warning(f"There is no project “{show.plain(wanted)}” here.")
                del st.query_params[PARAMETER]
            else:
                with st.spinner(f"Opening {show.plain(project.name)}"):
                    enter(project)
        except StoreProblem as problem:
            st.error(show.plain(str(problem)))
    elif here is not None and not wanted:
        st.query_params[PARAMETER] = here.project.key
    opened = current()
    if opened is not None:
        st.sidebar.caption(f"Project: **{show.plain(opened.project.name)}**")
        for sentence in opened.said:
            st.warning(show.plain(sentence))
        for sentence in opened.done:
            st.success(show.plain(sentence))
        opened.said.clear()
        opened.done.clear()


def enter(project: Project) -> None:
    """Open a project in place of all that is loaded: its files, its last audit, its decisions, tabs and filters."""
    place = store()
    files, mappings = kept_files(place, project), kept_mappings(place, project)
    widgets = kept_widgets(place, project)
    opened = Open(project, kept_review(place, project), kept_disavow_file(place, project), widgets=widgets)
    for role in ROLES.values():
        loaded.drop(role.name)
        if role.name in files:
            try:
                loaded.put(role.name, files[role.name], mappings.get(role.name))
            except AuditError as problem:
                opened.said.append(str(problem))
    opened.files = _fingerprints()
    session.keep(Key.PROJECT, opened)
    session.keep(Key.REVIEW, opened.review.review)
    session.forget(Key.FORMER_REVIEWS)
    session.keep(Key.DISAVOW_FILE, opened.disavow)
    for key, value in widgets.items():
        if session.is_choice(key, value):  # a former version kept others; a stranger's file may hold any
            session.fill_in(key, value)
    backlinks = loaded.get("backlinks")
    opened.audit = None if backlinks is None else kept_audit(place, project, backlinks)
    if opened.audit is not None and backlinks is not None:
        crawl = loaded.get("pages")
        inputs = (backlinks.fingerprint, crawl.fingerprint if crawl else None, opened.audit.settings)
        jobs.put(audit.LABEL, inputs, opened.audit)
    st.query_params[PARAMETER] = project.key


def begin(project: Project) -> None:
    """Open a new project with what is loaded and decided now; `remember` keeps it all."""
    session.keep(Key.PROJECT, Open(project, kept_review(store(), project)))
    st.query_params[PARAMETER] = project.key


def leave() -> None:
    """Close the project. What is loaded stays."""
    session.forget(Key.PROJECT)
    if PARAMETER in st.query_params:
        del st.query_params[PARAMETER]


def remember() -> None:
    """Keep in the store whatever is another than it was: decisions, files, the audit, tabs and filters."""
    opened = current()
    if opened is None:
        return
    try:
        place = store()
        _remember_review(place, opened)
        _remember_disavow_file(place, opened)
        if opened.files != _fingerprints():
            roles = loaded.everything()
            mappings: dict[str, Mapping[str, str]] = {
                role: chosen for role in roles if (chosen := loaded.mapping_of(role))
            }
            keep_files(place, opened.project, {role: loaded.files_of(role) for role in roles}, mappings)
            opened.files = _fingerprints()
        audited = audit.last()
        if audited is not None and audited is not opened.audit:
            opened.audit = audited
            snapshot, notes = save(place, opened.project, audited)
            opened.said.extend(note for note in notes if "kept already" not in note)
            _remember_earned(place, opened, snapshot)
        widgets = session.choices()
        if widgets != opened.widgets:
            keep_widgets(place, opened.project, widgets)
            opened.widgets = widgets
    except StoreProblem as problem:
        st.error(f"Not kept in the project: {show.plain(str(problem))}")


def attempt(change: Callable[[], object]) -> None:
    """Change the store and draw the page anew, or say why the store could not be changed."""
    try:
        change()
    except AuditError as problem:
        st.error(show.plain(str(problem)))
    else:
        st.rerun()


def _remember_review(place: Store, opened: Open) -> None:
    review = decisions.current()
    if review == opened.review.review:
        return
    opened.review, lost = keep_review(place, opened.project, opened.review, review)
    session.keep(Key.REVIEW, opened.review.review)
    states: dict[str, list[str]] = {}
    for scope, key in sorted(lost):
        states.setdefault(_state_of(opened.review, (scope, key)), []).append(key)
    opened.said += [
        f"{first_of(keys)}: changed in another window to “{state}”, and not overwritten."
        for state, keys in states.items()
    ]
    if lost:
        st.rerun()


def _remember_earned(place: Store, opened: Open, snapshot: Snapshot) -> None:
    """Keep with a snapshot what the pages earned, where that is loaded when it is made, and it has none."""
    performance = loaded.get("performance")
    if performance is not None and any(map(performance.has, EARNED)):
        try:
            keep_earned(place, opened.project, snapshot, performance, replace=False)
        except AuditError as problem:
            opened.said.append(str(problem))


def _remember_disavow_file(place: Store, opened: Open) -> None:
    mine: NamedFile = session.kept(Key.DISAVOW_FILE, lambda: NO_NAMED_FILE)
    if mine == opened.disavow:
        return
    opened.disavow = keep_disavow_file(place, opened.project, opened.disavow, mine)
    if opened.disavow != mine:
        session.keep(Key.DISAVOW_FILE, opened.disavow)
        theirs = f"it is “{opened.disavow[0]}” now" if opened.disavow[0] else "there is none now"
        tried = f"Your “{mine[0]}” did not replace it" if mine[0] else "It was not removed"
        opened.said.append(
            f"Your current disavow file was changed in another window: {theirs}. {tried}; do it again if it should."
        )
        st.rerun()


def _state_of(kept: KeptReview, key: tuple[str, str]) -> str:
    decision = kept.review.decisions.get(key)
    return decision.state if decision else "undecided again"


def _fingerprints() -> dict[str, tuple[str, ...]]:
    return {role: tuple(one.fingerprint for one in exports) for role, exports in loaded.everything().items()}


def store_name() -> str:
    """Return where projects are kept, without a password."""
    return display_name(address())
