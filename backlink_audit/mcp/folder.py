"""The one folder whose files may be read and written: nothing outside it, and nothing over a link."""

import os
import stat
from dataclasses import dataclass
from pathlib import Path, PurePath

from backlink_audit.errors import AuditError

LARGEST = 100 * 1024**2
"""Bytes of a file that is read here; larger ones are for the terminal, which works in parts."""
LISTED = 100
"""Files that are listed at most."""


@dataclass(frozen=True)
class BaseFolder:
    """A folder as it was given when the server was started."""

    path: Path

    def read(self, name: str) -> bytes:
        """Return the bytes of a file. Raises AuditError for one that is not there, too large, or not inside."""
        path = self.place(name)
        flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)
        try:
            with open(os.open(path, flags), "rb") as file:
                found = os.fstat(file.fileno())
                if not stat.S_ISREG(found.st_mode):
                    raise AuditError(f"{name}: this is not a file.")
                if found.st_size > LARGEST:
                    raise AuditError(
                        f"{name}: larger than {LARGEST // 1024**2} MB; use `backlink-audit audit` in the terminal."
                    )
                return file.read(LARGEST + 1)
        except OSError as error:
            raise AuditError(f"{name}: cannot be opened ({(error.strerror or 'unknown error').lower()}).") from error

    def place(self, name: str) -> Path:
        """Return where a file of that name is, or would be. Raises AuditError for a name that leads elsewhere."""
        parts = PurePath(name.replace("\\", "/") if os.name == "nt" else name).parts
        inside = PurePath(name)
        if not parts or inside.is_absolute() or inside.drive or ".." in parts or "\0" in name:
            raise AuditError(f"{name}: only files in the folder of this server can be used; give a name inside it.")
        path = self.path
        for part in parts:
            path = path / part
            if path.is_symlink() or _is_junction(path):
                raise AuditError(f"{name}: links are not followed; copy the file into the folder of this server.")
        return path

    def new(self, name: str) -> Path:
        """Return where a new file of that name would be. Raises AuditError where there is one already."""
        path = self.place(name)
        if path.exists():
            raise AuditError(f"{name}: this file exists already and is never replaced; choose another name.")
        return path

    def files(self) -> list[str]:
        """Return the names of the files inside, links and hidden ones left out, in order, LISTED at most."""
        found: list[str] = []
        for folder, folders, names in os.walk(self.path, followlinks=False):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            inside = [Path(folder) / name for name in sorted(names) if not name.startswith(".")]
            found += [path.relative_to(self.path).as_posix() for path in inside if not path.is_symlink()]
            if len(found) > LISTED:
                break
        return found[:LISTED]


def base_folder(path: Path) -> BaseFolder:
    """Return the base folder at a path. Raises AuditError where there is none, or a link is in its place."""
    if path.is_symlink() or _is_junction(path):
        raise AuditError(f"{path}: this is a link; name the folder itself: {path.resolve()}.")
    if not path.is_dir():
        raise AuditError(f"{path}: there is no such folder.")
    return BaseFolder(path.resolve())


def _is_junction(path: Path) -> bool:
    """Return whether a path is what Windows has besides links; Python tells since 3.12."""
    tells = getattr(path, "is_junction", None)
    return bool(tells and tells())
