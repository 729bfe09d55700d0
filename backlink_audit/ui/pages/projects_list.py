"""The list of projects in the browser: made of what is loaded, opened, renamed, put aside, deleted."""

from functools import partial

import streamlit as st

from backlink_audit.errors import StoreProblem, UnreadableFile
from backlink_audit.projects.content import projects as kept
from backlink_audit.projects.content.projects import Project
from backlink_audit.projects.share.one_file import SUFFIX, read_project, write_project
from backlink_audit.ui import session
from backlink_audit.ui.files import upload_state, uploads
from backlink_audit.ui.pages import projects
from backlink_audit.ui.server import sign_in, store
from backlink_audit.ui.tables import download, show
from backlink_audit.wording import count


def every() -> list[Project] | None:
    """Return the projects of this user; None where the store cannot be used, which is said."""
    try:
        return kept.every_project(store.opened(), sign_in.owner())
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
                projects.begin(kept.create(store.opened(), name, sign_in.owner()))
            except StoreProblem as problem:
                st.error(show.plain(str(problem)))
            else:
                st.rerun()


def bring() -> None:
    """Show where a project that was exported is brought in."""
    with st.expander("Import a project"):
        file = st.file_uploader(
            "A file created with “Export”, on this or another computer", key=uploads.widget_key("project")
        )
    if file is not None:
        try:
            made = read_project(store.opened(), file.name, file.getvalue(), sign_in.owner())
        except (StoreProblem, UnreadableFile) as problem:
            show.problem(problem)  # outside of the panel, which may be closed
        else:
            uploads.taken("project")
            projects.open_next(made)


def one(project: Project, snapshots: int) -> None:
    """Show a project with what can be done with it."""
    here = projects.current()
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
                projects.open_next(project)
            label = "Restore" if project.is_archived else "Archive"
            if st.button(label, key=f"projects-aside-{project.id}"):
                store.attempt(lambda: kept.archive(store.opened(), project, not project.is_archived))
            data = partial(write_project, store.opened(), project)
            key = f"projects-export-{project.id}"
            download.button("Export", data, f"{project.key}{SUFFIX}", "application/zip", key)
            with st.popover("Rename"):
                _rename(project)
            with st.popover("Delete"):
                _delete(project, snapshots)


def snapshots_of(found: list[Project]) -> dict[int, int]:
    """Return how many snapshots each project has."""
    return kept.snapshot_counts(store.opened(), sign_in.owner()) if found else {}


def _rename(project: Project) -> None:
    name = st.text_input("New name", project.name, key=f"projects-name-{project.id}")
    if st.button("Rename it", key=f"projects-rename-{project.id}", type="primary"):
        store.attempt(lambda: _renamed(project, name))


def _renamed(project: Project, name: str) -> None:
    renamed, here = kept.rename(store.opened(), project, name), projects.current()
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
    here = projects.current()
    if here is not None and here.project.id == project.id:
        session.leave_project()
    kept.delete(store.opened(), project)
