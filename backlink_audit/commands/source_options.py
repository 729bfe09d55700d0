"""Options for the further files of a command, made of the table of roles: `--pages`, `--performance` and the like."""

import inspect
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from backlink_audit.sources import ROLES, Feature, RoleName, Sources, taken_by
from backlink_audit.terminal import load


@dataclass(frozen=True)
class SourceFiles:
    """The further files that a command was given, by role; none is read yet."""

    by_role: Mapping[RoleName, tuple[Path, ...]]

    @property
    def paths(self) -> list[Path]:
        """Every file, for a check that none is written over."""
        return [path for paths in self.by_role.values() for path in paths]

    def load(self) -> Sources:
        """Read the files. Raises FileProblem."""
        return Sources(**{role: load(list(paths), ROLES[role].tables[0]) for role, paths in self.by_role.items()})


def source_options(feature: Feature) -> Iterator[inspect.Parameter]:
    """Yield a parameter for each role that a feature's command takes; all may be left out."""
    for name, use in taken_by(feature).items():
        if not use.option:
            continue
        typed: Any = list[Path] if ROLES[name].several else Path
        annotation = Annotated[typed | None, typer.Option(f"--{name.replace('_', '-')}", help=use.help)]
        yield inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=annotation)


def source_files(given: Mapping[str, Any]) -> SourceFiles:
    """Return the files of what was given for the options, by role."""
    return SourceFiles(
        {
            role.name: tuple(given[role.name]) if role.several else (given[role.name],)
            for role in ROLES.values()
            if given.get(role.name)
        }
    )
