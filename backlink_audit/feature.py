"""What a feature is, said once: its command, its function and its tool are made of the record.

Each feature's folder has its record in `feature.py`; `features.py` lists them. A record loads nothing heavy: what works
is imported by the functions that it names when they are called.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Literal

from backlink_audit.errors import InvalidSetting, UnreadableFile
from backlink_audit.progress import silent
from backlink_audit.settings import EVERYTHING, AuditSettings, BacklinkFilters, LinkChoice
from backlink_audit.sources import NO_SOURCES, FeatureName, RoleName, Use, taken_by
from backlink_audit.wording import set_aside

if TYPE_CHECKING:
    from backlink_audit.embedding.encoder import Encoder
    from backlink_audit.report.files import Tables
    from backlink_audit.site.vectors import PageVectors

SUFFIXES = (".xlsx", ".csv", ".parquet")
GOES_ON = "Stopped. Run the same command again to continue where it stopped."  # Said by commands that keep what is done
KEEP_THEM = "`--filters none` keeps all rows."  # Said after how many rows were set aside
NO_TOOL = "A program has ten tools, for an audit, internal links and questions on both."
ASKS_FIRST = "It sends requests, about which a person is asked first."


@dataclass(frozen=True)
class Input:
    """A file that a feature works on.

    `table`: the kind of export, "" for any; `several`: one export of several files, or each apart; `roles`: what it is
    on the pages, any one will do; `argument`: its name in the terminal, where it has another there; `word`: no file but
    a word; `by_name`: the terminal and Python ask for it by its name; `read`: how the terminal reads it where it has
    a way of its own; `typed`: its type in Python.
    """

    name: str
    help: str
    table: str = ""
    several: Literal["", "joined", "apart"] = ""
    roles: tuple[RoleName, ...] = ()
    argument: str = ""
    optional: bool = False
    by_name: bool = False
    word: bool = False
    read: "Callable[[Job, list[Path]], Any] | None" = None
    typed: str = "Export"


@dataclass(frozen=True)
class Option:
    """What only one feature, or a few, may be told. A path is read, or `writes` has the endings of what is written.

    `help`: that of the settings' field where it is ""; `typed`: its type; `flag`: it has no opposite; `names`: where it
    has others in the terminal; `more`: for typer. `terminal`: whether the terminal has it.
    """

    name: str
    help: str = ""
    typed: Any = Path
    default: Any = None
    writes: tuple[str, ...] = ()
    flag: bool = False
    names: tuple[str, ...] = ()
    terminal: bool = True
    python: str = ""  # Its type as Python's function has it; "" where that has none
    more: Mapping[str, Any] = field(default_factory=dict)


SCORES = Option(
    "scores",
    "Audit the links first, to add their topics, relevance, CAS and verdicts.",
    bool,
    default=True,
    python="bool",
)
SITE = Option(
    "site",
    "The site that a Search Console export is about, for instance example.com; only needed if the file name does not "
    "contain it.",
    str,
)
YES = Option("yes", "Send the requests without asking first.", bool, default=False, flag=True)
EMBEDDINGS = (
    Option("embeddings", "Use embeddings saved by an earlier run (.npz)."),
    Option("crawl_embeddings", "Use the embeddings in the crawl file.", bool, default=False, flag=True),
)
BACKLINKS = Input(
    "backlinks",
    "Backlink exports from Ahrefs, Semrush, Majestic, Moz or Search Console, as downloaded.",
    "backlinks",
    "joined",
    ("backlinks",),
    argument="files",
)
CRAWL = Input(
    "pages",
    "A crawl of the site: URLs with titles or H1s, and the content if available.",
    "pages",
    roles=("pages",),
    argument="crawl",
)

INLINKS = Input(
    "inlinks", "All inlinks export: the links between the pages of the site.", "inlinks", roles=("inlinks",)
)


class Job(SimpleNamespace):
    """What a feature works on, by the names of its record: inputs, `settings`, options; and what every job has.

    `sources`: the further files; `vectors`: embeddings of pages that are known; `out`: the file that the terminal
    writes, None elsewhere; `paths`: the files that it reads for each input and role.
    """

    given_encoder: Any
    settings: Any

    @property
    def encoder(self) -> "Encoder":
        """The encoder given, or the one of the settings, loaded when asked for; of a crawl that of its languages."""
        from backlink_audit.embedding.models import load_encoder, model_for

        if self.given_encoder is None:
            if getattr(self, "pages", None) is not None:
                self.settings = replace(self.settings, model=model_for(self.settings.model, self.pages))
            self.given_encoder = load_encoder(self.settings.model, on_progress=self.on_progress)
        self.embeds = True
        return self.given_encoder


def _nothing(*_: Any) -> Sequence[str]:
    return ()


def _notes(job: Job, result: Any) -> Sequence[str]:
    return result.notes


def save_tables(job: Job, result: Any) -> Sequence[str]:
    """Write a result's tables to the job's file; return what had to be cut. Raises AuditError."""
    from backlink_audit.report.files import save

    return save(tables_of(result), job.out)


@dataclass(frozen=True)
class Feature:
    """One feature. Its functions get the job, those after `run` the result too.

    `apart`: fields of the settings that are no options; `also_settings`: further settings by name; `positional`: what
    Python takes without a name after the inputs; `writes`: endings of the file that the terminal writes.
    `refuse` raises AuditError before the work; `notes` are said before the headline, what `also` returns after it: it
    may write further files; `write` writes the file in another way; `command` does all that the terminal does.
    `without`: why there is no function, page or tool.
    """

    name: FeatureName
    title: str
    does: str
    inputs: tuple[Input, ...]
    settings: type
    run: Callable[[Job], Any] = _nothing
    button: str = ""
    returns: str = "Any"
    also_settings: Mapping[str, type] = field(default_factory=dict)
    apart: tuple[str, ...] = ()
    options: tuple[Option, ...] = ()
    positional: tuple[str, ...] = ("settings",)
    writes: tuple[str, ...] = SUFFIXES
    refuse: Callable[[Job], Any] = _nothing
    notes: Callable[[Job, Any], Sequence[str]] = _notes
    also: Callable[[Job, Any], Iterable[str]] = _nothing
    write: Callable[[Job, Any], Sequence[str]] = save_tables
    command: Callable[[Job], None] | None = None
    tool: str = ""
    without: Mapping[Literal["page", "function", "tool"], str] = field(default_factory=dict)

    @property
    def roles(self) -> dict[RoleName, Use]:
        return taken_by(self.name)

    def job(self, **given: Any) -> Job:
        """Return a job of what is given, the rest as it is by default."""
        usual: dict[str, Any] = {one.name: None for one in self.inputs} | dict.fromkeys(self.also_settings)
        usual |= {option.name: option.default for option in self.options}
        always = {
            "sources": NO_SOURCES,
            "on_progress": silent,
            "given_encoder": None,
            "embeds": False,
            "out": None,
            "vectors": None,
        }
        return Job(**usual | always | {"settings": self.settings(), "paths": {}} | given)


def with_every_row(choice: LinkChoice, settings: AuditSettings) -> LinkChoice:
    """Return the choice of links; where no filter is to set any row aside, every link unless a choice was made."""
    return EVERYTHING if settings.filters == BacklinkFilters.none() and choice == LinkChoice() else choice


def aside(removed: Mapping[str, int], rows: int, hint: str = "") -> list[str]:
    """Return the sentence on the rows of a file that the filters removed, if they did any, and the hint after it."""
    sentence = set_aside(removed, rows)
    return [f"{sentence} {hint}".strip()] if sentence else []


def page_notes(_: Job, result: Any) -> list[str]:
    """Return the notes of a result about pages, and which pages were set aside."""
    return [*result.notes, *aside(result.cleaned.removed, len(result.cleaned.export.raw))]


def given_vectors(job: Job) -> "PageVectors | None":
    """Return the embeddings that the page or the file gives, or else those in the crawl if asked for."""
    from backlink_audit.site.vectors import crawl_vectors, read_page_vectors

    if job.vectors is None and job.embeddings:
        return read_page_vectors(job.embeddings.name, read_bytes(job.embeddings))
    return crawl_vectors(job.pages) if job.crawl_embeddings else job.vectors


def read_bytes(path: Path) -> bytes:
    """The file's bytes. Raises UnreadableFile."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise UnreadableFile(str(path), f"cannot be opened ({(error.strerror or 'unknown error').lower()}).") from error


def named(reference: str) -> Any:
    """Return what stands at "module:name": for what is built on a feature, and works for it where it is asked to."""
    module, _, name = reference.partition(":")
    return getattr(import_module(f"backlink_audit.{module}"), name)


def tables_of(result: Any) -> "Tables":
    """Return a result's tables: every feature has them beside its result. Raises InvalidSetting for anything else."""
    package, _, _ = type(result).__module__.rpartition(".")
    if not package.startswith("backlink_audit.") or not hasattr(result, "headline"):
        raise InvalidSetting(f"{type(result).__name__} is no result: give what audit, profile, gap … return.")
    homes = (type(result).__module__, f"{package}.result", f"{package}.tables")
    modules = (import_module(home) for home in homes if find_spec(home))
    made: Tables = next(module for module in modules if hasattr(module, "tables")).tables(result)
    return made
