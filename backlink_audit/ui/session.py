"""What the visitor has loaded: files go in by role, exports come out, and an empty role says what to bring.

Pages ask `require("backlinks")` or `get("pages")`; nothing outside this module touches the session's own keys.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import streamlit as st

from backlink_audit.errors import AuditError, WrongExport
from backlink_audit.exports import load
from backlink_audit.exports.recognise import Export

RoleName = Literal["backlinks", "pages", "inlinks", "older", "competitors"]


@dataclass(frozen=True)
class Role:
    """What a file is for. `tables`: the kinds of export that fit; `many`: several exports, each kept apart."""

    name: str
    label: str
    bring: str
    tables: tuple[str, ...]
    many: bool = False


ROLES = {
    role.name: role
    for role in (
        Role(
            "backlinks",
            "Backlinks",
            "A backlink export of your site: Ahrefs, Semrush, Majestic or Moz, as downloaded (csv, tsv or xlsx). "
            "Several files are merged.",
            ("backlinks",),
        ),
        Role(
            "pages",
            "Crawl of your site",
            "A crawl of your site, for instance Screaming Frog's “Internal: HTML” export (csv or xlsx).",
            ("pages",),
        ),
        Role("inlinks", "Internal links", "Screaming Frog's “All inlinks” export of the same crawl.", ("inlinks",)),
        Role(
            "older",
            "Older backlinks",
            "An earlier backlink export of the same site, to compare with.",
            ("backlinks",),
        ),
        Role(
            "competitors",
            "Competitors",
            "Up to five competitors: one backlink or referring domains export each.",
            ("backlinks", "referring_domains"),
            many=True,
        ),
    )
}
"""Every role a file can have, in the order in which they are shown."""

MOST_COMPETITORS = 5

FILE_TYPES = ["csv", "tsv", "txt", "xlsx"]

Files = Sequence[tuple[str, bytes]]
"""Uploaded files: name and content."""


@dataclass(frozen=True)
class _Shelf:
    """One role's exports, and the files they came from (kept so that columns can be mapped anew)."""

    exports: tuple[Export, ...]
    files: tuple[tuple[str, bytes], ...]


def get(role: RoleName) -> Export | None:
    """Return the export loaded for a role, or None. For the role `competitors` ask `competitors()`."""
    exports = _exports(role)
    return exports[0] if exports else None


def competitors() -> tuple[Export, ...]:
    """Return the competitors' exports, in the order they were loaded; empty if there are none."""
    return _exports("competitors")


def loaded() -> dict[str, tuple[Export, ...]]:
    """Return every role that has something, in the order of ROLES."""
    return {name: _exports(name) for name in ROLES if _exports(name)}


def put(role: str, files: Files, mapping: dict[str, str] | None = None) -> None:
    """Read files for a role; they replace what it held.

    Args:
        role: One of ROLES.
        files: Names and contents. Several are merged, except competitors, which stay apart.
        mapping: Our column -> the file's header, chosen by hand; None: recognised.

    Raises:
        AuditError: A file cannot be used; what was loaded before stays.
    """
    kind = ROLES[role]
    if kind.many:
        files = files[:MOST_COMPETITORS]
        exports = tuple(_one_of(kind, name, data) for name, data in files)
    else:
        exports = (load.load(files, table=kind.tables[0], mapping=mapping),)
    _shelves()[role] = _Shelf(exports, tuple(files))


def remap(role: str, mapping: dict[str, str]) -> None:
    """Read a role's files again with columns chosen by hand. Raises AuditError."""
    put(role, _shelves()[role].files, mapping)


def drop(role: str) -> None:
    """Forget what a role holds."""
    _shelves().pop(role, None)


def open_sample() -> None:
    """Load the sample project: an invented shop with every file this app can use."""
    from backlink_audit import sample

    for role, files in sample.files().items():
        put(role, files)


def upload(role: str, *, key: str = "page") -> None:
    """Show an uploader for a role. A file that cannot be used leaves a sentence and changes nothing else.

    Args:
        role: One of ROLES.
        key: Tells two uploaders of the same role apart.
    """
    kind = ROLES[role]
    turns = st.session_state.setdefault("upload_turns", {})
    slot = f"{role}:{key}"
    # A new key after each upload empties the uploader, so that the server does not hold the bytes twice.
    files = st.file_uploader(
        kind.label,
        type=FILE_TYPES,
        accept_multiple_files=True,
        key=f"upload:{slot}:{turns.get(slot, 0)}",
        help=kind.bring,
    )
    if files:
        turns[slot] = turns.get(slot, 0) + 1
        with st.spinner(f"Reading {', '.join(file.name for file in files)}"):
            _try_to_put(role, [(file.name, file.getvalue()) for file in files])
        st.rerun()
    if problem := _problems().get(role):
        st.error(problem)


def require(role: RoleName) -> Export:
    """Return the export loaded for a role; without one say what to bring, offer the sample, and stop the page."""
    export = get(role)
    if export is not None:
        return export
    ask(role)
    st.stop()


def ask(role: str) -> None:
    """Show the empty state of a role: what to bring, an uploader, and the sample project."""
    with st.container(border=True):
        st.markdown(f"**{ROLES[role].label}.** {ROLES[role].bring}")
        upload(role, key="empty")
    sample_button()


def sample_button(*, primary: bool = False) -> None:
    """Show the button that opens the sample project."""
    with st.container(horizontal=True, vertical_alignment="center"):
        clicked = st.button("Open the sample project", key="sample", type="primary" if primary else "secondary")
        st.caption("An invented shop with 300 backlinks, a crawl and a competitor. Nothing to upload.")
    if clicked:
        with st.spinner("Opening the sample project"):
            open_sample()
        st.rerun()


def _exports(role: str) -> tuple[Export, ...]:
    shelf = _shelves().get(role)
    return shelf.exports if shelf else ()


def _shelves() -> dict[str, _Shelf]:
    return st.session_state.setdefault("shelves", {})


def _problems() -> dict[str, str]:
    return st.session_state.setdefault("upload_problems", {})


def _try_to_put(role: str, files: Files) -> None:
    _problems().pop(role, None)
    try:
        put(role, files)
    except AuditError as problem:
        _problems()[role] = str(problem)


def _one_of(kind: Role, name: str, data: bytes) -> Export:
    export = load.recognise_file(name, data)
    if export.kind not in kind.tables:
        wanted = " or ".join(table.replace("_", " ") for table in kind.tables)
        raise WrongExport(name, f"this is {export.format.name}, but {wanted} are needed here.")
    return export
