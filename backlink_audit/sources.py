"""What a run works on: every role that a file can have, and the further files of a run as one frozen object.

A feature's own file is given to it by itself; what only adds to it comes in `Sources`. The page's uploaders, the
terminal's options and the key of a result are made of the table, so that a new source is one role and one field here.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    import pandas as pd

    from backlink_audit.exports.recognise import Export

RoleName = Literal[
    "backlinks",
    "domains",
    "pages",
    "inlinks",
    "old_pages",
    "older",
    "competitors",
    "performance",
    "texts",
    "referring_pages",
    "outlinks",
    "checked",
    "ranks",
    "citations",
]
FeatureName = Literal[
    "audit",
    "profile",
    "competitors",
    "risk",
    "gap",
    "changes",
    "reclaim",
    "check",
    "watch",
    "crawl",
    "interlinks",
    "clusters",
    "authority",
    "inlinks",
    "redirects",
    "citations",
    "search",
]
"""Features as the terminal calls them."""


@dataclass(frozen=True)
class Use:
    """What a role's file adds to one feature, in the words of the terminal's help.

    `asked`: its page shows an uploader; else the file is taken where it is loaded. `option`: the terminal takes it.
    `later`: it is joined to the result, so that another file needs no new run.
    """

    help: str = ""
    asked: bool = True
    option: bool = True
    later: bool = False


@dataclass(frozen=True)
class Role:
    """What a file is for.

    `tables`: the kinds of export that fit; `many`: several exports, each kept apart; `several`: the terminal's option
    may be repeated; `urls_will_do`: a list of URLs is enough where there is no export; `shows`: what it shows beside an
    audit of backlinks, in words; `adds`: the features that take it besides their own file.
    """

    name: RoleName
    label: str
    bring: str
    tables: tuple[str, ...]
    many: bool = False
    several: bool = False
    urls_will_do: bool = False
    shows: str = ""
    adds: Mapping[FeatureName, Use] = field(default_factory=dict)


def _role(entry: dict[str, Any]) -> Role:
    adds: dict[FeatureName, Use] = {}
    for use in entry.pop("adds", ()):
        adds |= dict.fromkeys(use.pop("to"), Use(**use))
    return Role(tables=tuple(entry.pop("tables")), adds=adds, **entry)


ROLES: dict[str, Role] = {
    one["name"]: _role(dict(one))
    for one in tomllib.loads((files("backlink_audit") / "data" / "roles.toml").read_text("utf-8"))["role"]
}
"""Every role a file can have, in the order in which they are shown."""


@dataclass(frozen=True)
class Sources:
    """The further files of a run, each an export or none, by the names of their roles."""

    backlinks: "Export | None" = None
    domains: "Export | None" = None
    pages: "Export | None" = None
    inlinks: "Export | None" = None
    performance: "Export | None" = None
    texts: "Export | None" = None
    outlinks: "Export | None" = None
    referring_pages: "Export | None" = None
    checked: "Export | None" = None
    ranks: "Export | None" = None

    @property
    def exports(self) -> "dict[str, Export]":
        return {one.name: export for one in fields(self) if (export := getattr(self, one.name)) is not None}

    @property
    def tables(self) -> "dict[str, pd.DataFrame]":
        return {role: export.table for role, export in self.exports.items()}

    @property
    def key(self) -> tuple[tuple[str, str], ...]:
        return tuple((role, export.fingerprint) for role, export in self.exports.items())


NO_SOURCES = Sources()


def taken_by(feature: FeatureName) -> dict[RoleName, Use]:
    """Return the roles that a feature takes besides its own file, in their order.

    >>> list(taken_by("interlinks")), list(taken_by("gap"))
    (['inlinks', 'performance'], ['pages'])
    """
    return {role.name: role.adds[feature] for role in ROLES.values() if feature in role.adds}
