"""What the visitor has loaded: files go in by role, exports come out."""

import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from backlink_audit import sample
from backlink_audit.errors import AuditError, MissingColumns, WrongExport
from backlink_audit.exports import load
from backlink_audit.exports.formats import Format
from backlink_audit.exports.lists import load_pages_or_urls
from backlink_audit.exports.recognise import Export
from backlink_audit.sources import ROLES, FeatureName, Role, RoleName, Sources, taken_by
from backlink_audit.ui import session
from backlink_audit.ui.access import limits, refuse_without_memory
from backlink_audit.ui.session import Key

_READING = threading.BoundedSemaphore(max(1, limits().readings))
"""A file that is read takes several times its size for a while."""
Files = Sequence[tuple[str, bytes]]  # Uploaded files: name and content
HOMES = {table: role.name for role in reversed(ROLES.values()) for table in role.tables}
"""The role of a file of each kind that was dropped on the uploader of another: the first that takes such."""


@dataclass(frozen=True)
class _Shelf:
    """One role's exports, and the files they came from (kept so that columns can be mapped again)."""

    exports: tuple[Export, ...]
    files: tuple[tuple[str, bytes], ...]
    mapping: Mapping[str, str] | None = None  # Our column -> the file's header, where it was chosen by hand


@dataclass(frozen=True)
class Refusal:
    """Files that could not be used, and the sentence that says why."""

    files: Files
    sentence: str
    mappable: bool  # Whether choosing the columns by hand may help
    loaded: bool  # Whether they are loaded nevertheless, with other columns: only the new choice of columns was refused


def get(role: RoleName) -> Export | None:
    """Return the export loaded for a role, or None. For the role `competitors` ask `competitors()`."""
    exports = _exports(role)
    return exports[0] if exports else None


def competitors() -> tuple[Export, ...]:
    return _exports("competitors")


def everything() -> dict[RoleName, tuple[Export, ...]]:
    return {role.name: _exports(role.name) for role in ROLES.values() if _exports(role.name)}


def fingerprints() -> dict[RoleName, tuple[str, ...]]:
    return {role: tuple(one.fingerprint for one in exports) for role, exports in everything().items()}


def sources(feature: FeatureName) -> Sources:
    """Return the loaded files that a run of the feature takes besides its own."""
    taken = [role for role, use in taken_by(feature).items() if not use.later]
    return Sources(**{role: get(role) for role in taken})


def put(role: RoleName, files: Files, mapping: Mapping[str, str] | None = None) -> None:
    """Read files for a role; they replace what it had. Raises AuditError; what was loaded before stays.

    Several are merged, except competitors, which stay apart and are added: there a file of the same name replaces the
    former one. `mapping`: our column -> the file's header ("" for none), chosen by hand; None: recognised.
    """
    kind = ROLES[role]
    refuse_without_memory()
    with _READING:
        if kind.many:
            files = _added(role, files)
            exports = tuple(_one_of(kind, name, data) for name, data in files)
        else:
            exports = (_merged(kind, files, mapping),)
    rows, most = sum(len(export.raw) for export in exports), limits().rows
    if most and rows > most:
        raise AuditError(
            f"{exports[0].name}: the file has {rows:,} rows, but this server allows {most:,}. For larger files, use "
            "the terminal: backlink-audit audit."
        )
    _shelves()[role] = _Shelf(exports, tuple(files), mapping)
    session.remove(Key.SAMPLE_RUNS)


def receive(role: RoleName, files: Files, mapping: Mapping[str, str] | None = None) -> bool:
    """Put files, and return whether they could be used; if not, they are kept as the role's refusal."""
    _refusals().pop(role, None)
    try:
        put(role, files, mapping)
    except AuditError as problem:
        mappable = mapping is not None or isinstance(problem, MissingColumns | WrongExport)
        held = _shelves().get(role)
        _refusals()[role] = Refusal(
            tuple(files),
            str(problem),
            mappable=mappable and not ROLES[role].many,
            loaded=mapping is not None and held is not None and held.files == tuple(files),
        )
        return False
    return True


@dataclass(frozen=True)
class Moved:
    """A file that was dropped elsewhere: its name, what it is, and the role that has it now."""

    name: str
    what: str
    role: RoleName


def receive_any(role: RoleName, files: Files) -> bool:
    """Put files dropped on a role's uploader where they belong, and return whether all could be used."""
    _moved()[role] = []
    if receive(role, files):
        return True
    if len(files) == 1 and isinstance(_kind_of(*files[0]), AuditError):
        return False
    kinds = [_kind_of(*file) for file in files]
    homes = [_home(role, kind) for kind in kinds]
    mine = [file for file, home in zip(files, homes, strict=True) if home in (role, None)]
    accepted = receive(role, mine) if mine else drop_refusal(role)
    for home in dict.fromkeys(one for one in homes if one not in (role, None)):
        theirs = [file for file, one in zip(files, homes, strict=True) if one == home]
        if receive(home, theirs):
            names = {file[0]: kind.name for file, kind in zip(files, kinds, strict=True) if isinstance(kind, Format)}
            _moved()[role] += [Moved(name, names[name], home) for name, _ in theirs]
        else:
            accepted = False
    return accepted


def moved(role: RoleName) -> Sequence[Moved]:
    return _moved().get(role, [])


def drop_refusal(role: RoleName) -> bool:
    """Forget the files last refused for a role; return True."""
    _refusals().pop(role, None)
    return True


def _kind_of(name: str, data: bytes) -> Format | AuditError:
    try:
        return load.recognise_file(name, data).format
    except AuditError as problem:
        return problem


def _home(role: RoleName, kind: Format | AuditError) -> RoleName | None:
    if isinstance(kind, AuditError):
        return None
    return role if kind.table in ROLES[role].tables else HOMES.get(kind.table)


def _moved() -> dict[str, list[Moved]]:
    return session.kept(Key.MOVED, dict)


def refusal(role: RoleName) -> Refusal | None:
    return _refusals().get(role)


def files_of(role: RoleName) -> Files:
    return _shelves()[role].files


def mapping_of(role: RoleName) -> Mapping[str, str] | None:
    return _shelves()[role].mapping


def drop(role: RoleName) -> None:
    """Remove the files of a role."""
    _shelves().pop(role, None)
    _refusals().pop(role, None)
    session.remove(Key.SAMPLE_RUNS)


def drop_competitor(name: str) -> None:
    """Remove one competitor, by the name of its file."""
    left = [file for file in files_of("competitors") if file[0] != name]
    drop("competitors")
    if left:
        put("competitors", left)


def swap_with_older(role: RoleName) -> None:
    """Exchange the older file and the one loaded for a role; each goes where exports of its kind belong."""
    older = get("older")
    if older is None:
        return
    shelves = _shelves()
    before, after = shelves["older"], shelves[role]
    drop(role)
    drop("older")
    shelves["older"] = after
    shelves["domains" if older.kind == "referring_domains" else "backlinks"] = before


def swap_crawls() -> None:
    """Exchange the crawl of the site and that of the old site; both must be loaded."""
    shelves = _shelves()
    shelves["pages"], shelves["old_pages"] = shelves["old_pages"], shelves["pages"]


def needs(needed: Sequence[Sequence[RoleName]]) -> str:
    """Say which files a page needs, and which of them are loaded; each need is met by any one of its roles."""
    missing = [
        " or ".join(ROLES[role].label.lower() for role in roles)
        for roles in needed
        if not any(_exports(role) for role in roles)
    ]
    if not missing:
        return "Ready: all required files are loaded."
    return f"Upload: {', '.join(missing)}."


def open_sample() -> None:
    """Load the sample project: an invented shop with every file this app can use. It replaces what was loaded."""
    for role in ROLES.values():
        drop(role.name)
    for name, files in sample.files().items():
        put(ROLES[name].name, files)
    session.keep(Key.SAMPLE_RUNS, set())


def starts_by_itself(label: str) -> bool:
    """Return whether the sample project is loaded and nothing was run under this label yet: then no click is needed."""
    runs: set[str] | None = session.kept(Key.SAMPLE_RUNS, lambda: None)
    if runs is None or label in runs:
        return False
    runs.add(label)
    return True


def _exports(role: RoleName) -> tuple[Export, ...]:
    shelf = _shelves().get(role)
    return shelf.exports if shelf else ()


def _shelves() -> dict[str, _Shelf]:
    return session.kept(Key.FILES, dict)


def _refusals() -> dict[str, Refusal]:
    return session.kept(Key.REFUSALS, dict)


def _added(role: RoleName, files: Files) -> Files:
    shelf = _shelves().get(role)
    names = {name for name, _ in files}
    return [*(file for file in (shelf.files if shelf else ()) if file[0] not in names), *files]


def _merged(kind: Role, files: Files, mapping: Mapping[str, str] | None) -> Export:
    if kind.urls_will_do and mapping is None and len(files) == 1:
        return load_pages_or_urls(*files[0])
    try:
        return load.load(files, table=kind.tables[0], mapping=mapping)
    except WrongExport:
        for other in kind.tables[1:]:
            with suppress(AuditError):
                return load.load(files, table=other, mapping=mapping)
        raise


def _one_of(kind: Role, name: str, data: bytes) -> Export:
    export = load.recognise_file(name, data)
    if export.kind not in kind.tables:
        wanted = " or ".join(table.replace("_", " ") for table in kind.tables)
        raise WrongExport(name, f"this file is “{export.format.name}”, but this page needs {wanted}.")
    return export
