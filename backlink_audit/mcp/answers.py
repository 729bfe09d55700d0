"""What the tools answer: each with a fixed form, so that a program can rely on it."""

from dataclasses import dataclass, field
from typing import Literal

from backlink_audit.mcp.strangers import NOTE

Value = str | int | float | bool | None
State = Literal["waiting", "running", "finished", "failed"]


@dataclass(frozen=True)
class ProjectLine:
    """One project: its snapshots' number, and of the newest one the day and the answer in a sentence."""

    name: str
    site: str
    snapshots: int
    newest: str
    headline: str


@dataclass(frozen=True)
class Projects:
    """The projects of the store."""

    projects: list[ProjectLine]
    note: str = NOTE


@dataclass(frozen=True)
class Recognised:
    """What a file is; without a file's name, which files there are."""

    file: str = ""
    format: str = ""
    table: str = ""
    rows: int = 0
    columns: dict[str, str] = field(default_factory=dict)
    """Our column -> the file's header."""
    notes: list[str] = field(default_factory=list)
    problem: str = ""
    files: list[str] = field(default_factory=list)
    note: str = NOTE


@dataclass(frozen=True)
class RunStatus:
    """How far a run is. Ask again with its name until it is finished or failed."""

    run: str
    state: State
    doing: str
    done: int
    total: int
    problem: str = ""
    note: str = NOTE


@dataclass(frozen=True)
class Summary:
    """The answer of a result: the same sentence and figures as in the app."""

    source: str
    of: str
    headline: str
    figures: dict[str, Value]
    verdicts: dict[str, int]
    to_do: list[str]
    notes: list[str]
    note: str = NOTE


@dataclass(frozen=True)
class Rows:
    """Some rows of a table. `next_offset` is where to go on, None at the end."""

    source: str
    table: str
    total: int
    offset: int
    next_offset: int | None
    rows: list[dict[str, Value]]
    note: str = NOTE


@dataclass(frozen=True)
class Explained:
    """One link: its verdict with the reasons, the numbers behind them, and its risk signals."""

    source: str
    link: int
    verdict: str
    why: str
    meaning: str
    grounds: dict[str, Value]
    facts: dict[str, Value]
    note: str = NOTE


@dataclass(frozen=True)
class SearchFound:
    """Rows that fit a query, best first."""

    source: str
    query: str
    headline: str
    rows: list[dict[str, Value]]
    note: str = NOTE


@dataclass(frozen=True)
class Suggestions:
    """Internal links to add. While `state` is not finished there are no rows yet: ask again."""

    run: str
    state: State
    headline: str
    total: int
    next_offset: int | None
    rows: list[dict[str, Value]]
    problem: str = ""
    note: str = NOTE


@dataclass(frozen=True)
class Exported:
    """The file that was written."""

    file: str
    bytes: int
    notes: list[str]
    note: str = NOTE
