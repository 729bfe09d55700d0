"""Arguments and options that several commands have."""

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import Field, dataclass, fields, is_dataclass, replace
from functools import wraps
from pathlib import Path
from types import UnionType
from typing import TYPE_CHECKING, Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import typer

from backlink_audit.audit.run import Engine, PageEngine
from backlink_audit.errors import InvalidSetting
from backlink_audit.settings import EVERYTHING, AuditSettings, BacklinkFilters, LinkChoice, RatingLimits
from backlink_audit.sources import ROLES, Feature, RoleName, Sources, taken_by
from backlink_audit.terminal.files import aside, finish, load, progress, read_bytes, say

GOES_ON = "Stopped. Run the same command again to continue where it stopped."
"""Said by commands that keep what is done."""
KEEP_THEM = "`--filters none` keeps all rows."
"""Said after how many rows were set aside."""


def with_every_row(choice: LinkChoice, settings: AuditSettings) -> LinkChoice:
    """Return the choice of links; where no filter is to set any row aside, every link unless a choice was made."""
    return EVERYTHING if settings.filters == BacklinkFilters.none() and choice == LinkChoice() else choice


Out = Annotated[Path, typer.Option("-o", "--out", help="The file to write: .xlsx, .csv or .parquet.")]
Backlinks = Annotated[
    list[Path],
    typer.Argument(help="Backlink exports from Ahrefs, Semrush, Majestic, Moz or Search Console, as downloaded."),
]
Site = Annotated[
    str | None,
    typer.Option(
        help=(
            "The site that a Search Console export is about, for instance example.com; only needed if the file name "
            "does not contain it."
        )
    ),
]
Scores = Annotated[bool, typer.Option(help="Audit the links first, to add their topics, relevance, CAS and verdicts.")]
StoreName = Annotated[
    str | None,
    typer.Option(
        "--store",
        help=(
            "The database of projects: a file, or a URL such as postgresql://host/name. Default: a file in your "
            "user folder."
        ),
    ),
]
Address = Annotated[
    str | None,
    typer.Option(help="With --engine ray: the cluster, as host:port. Default: the processor cores of this computer."),
]
Folder = Annotated[
    Path | None,
    typer.Option(
        help="The folder for temporary files of --engine parts and ray; with ray, all nodes must have access to it."
    ),
]


def check_place(engine: Engine | PageEngine, address: str | None, folder: Path | None) -> None:
    """Raise InvalidSetting where a cluster or a folder is named for an engine that never uses one."""
    if folder and engine == "memory":
        raise InvalidSetting("--folder has no effect with --engine memory: remove it.")
    if address and engine != "ray":
        raise InvalidSetting("--address only works with --engine ray: add --engine ray, or remove --address.")


@dataclass(frozen=True)
class SourceFiles:
    """The further files that a command was given, by role; none is read yet."""

    by_role: Mapping[RoleName, tuple[Path, ...]]

    @property
    def paths(self) -> list[Path]:
        """Every file, for a check that none is written over."""
        return [path for paths in self.by_role.values() for path in paths]

    def load(self, domains: "Collection[str]" = (), keep: Path | None = None) -> Sources:
        """Read the files. Raises FileProblem.

        `domains`: whose ranks are wanted where a file has those of all; `keep`: the file that gets these ranks.
        """
        return Sources(
            **{
                role: _ranks(paths[0], domains, keep) if role == "ranks" else load(list(paths), ROLES[role].tables[0])
                for role, paths in self.by_role.items()
            }
        )


def _ranks(path: Path, domains: "Collection[str]", keep: Path | None) -> "Export":
    """Return the ranks of the domains, read from a whole release, or those that were kept. Raises FileProblem."""
    from backlink_audit.exports.load import load as load_exports
    from backlink_audit.exports.ranks import as_kept, is_whole_release, one_release, read_ranks
    from backlink_audit.report.files import save_bytes

    if not (path.exists() and is_whole_release(path)):
        return one_release(load([path], "domain_ranks"))
    if not domains:
        raise InvalidSetting("--ranks: this command needs the ranks that `audit --ranks` keeps of the whole file.")
    with progress() as on_progress:
        kept = as_kept(read_ranks(path, domains, on_progress))
    if keep is not None:
        save_bytes(kept, keep)
        say(f"The ranks of these domains are kept in {keep}; use this file with --ranks next time.")
    return load_exports([(path.name, kept)], "domain_ranks")


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


PREFIXES = {"filters": "filter_", "bands": "band_", "verdicts": "verdict_", "risk": "risk_"}
"""The beginning of the option's name for a field of settings inside settings."""
AUTO = "auto"
"""Given for a number that may be left to the program, or be without a limit."""
ALL_OR_NONE = typer.Option("--filters", help="Exclude rows by the --filter options, or keep all rows.")


def with_options(*apart: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command an option for every field of its settings, which it gets made of what was given.

    Settings are the parameters whose type is a dataclass: `settings`, `choice`. Fields named in `apart` get no option:
    the command asks for them in its own way, or does not use them. A parameter of the type SourceFiles stands for the
    options of the further files that the feature takes.
    """

    def given_options(command: Callable[..., None]) -> Callable[..., None]:
        signature = inspect.signature(command, eval_str=True)
        kinds: dict[str, Any] = {
            name: one.annotation for name, one in signature.parameters.items() if is_dataclass(one.annotation)
        }
        others = [name for name, kind in kinds.items() if kind is SourceFiles]
        kinds = {name: kind for name, kind in kinds.items() if kind is not SourceFiles}
        feature: Any = command.__name__
        taken = {one.name: one for one in source_options(feature)} if others else {}
        made = {option.name: option for kind in kinds.values() for option in options_of(kind, apart)}

        @wraps(command)
        def called(**arguments: Any) -> None:
            given = {name: arguments.pop(name) for name in made}
            arguments |= dict.fromkeys(others, source_files({name: arguments.pop(name) for name in taken}))
            command(**arguments, **{name: settings_from(kind(), given) for name, kind in kinds.items()})

        own = [one for name, one in signature.parameters.items() if name not in {*kinds, *others}]
        parameters = [
            *(one.replace(kind=inspect.Parameter.KEYWORD_ONLY) for one in own),
            *taken.values(),
            *made.values(),
        ]
        called.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
        called.__annotations__ = {one.name: one.annotation for one in parameters} | {"return": None}
        return called

    return given_options


def options_of(kind: type, apart: tuple[str, ...] = (), inside: str = "") -> Iterator[inspect.Parameter]:
    """Yield a parameter for each field of a settings dataclass, and of the settings inside it; all may be left out."""
    hints = get_type_hints(kind, include_extras=True)
    for field in fields(kind):
        if field.name in apart:
            continue
        hint, words = _type_and_sentence(hints[field.name])
        if is_dataclass(hint):
            assert isinstance(hint, type)
            if hasattr(hint, "none"):
                yield _parameter(field.name, Literal["default", "none"], ALL_OR_NONE)
            yield from options_of(hint, inside=field.name)
            continue
        name = PREFIXES.get(inside, "") + field.name
        option = f"--{name.replace('_', '-')}"
        declared = f"{option}/--no-{option[2:]}" if hint is bool else option
        form = "number|auto" if may_be_auto(hint) else None
        words = f"{words} {shown(default_of(field))}".strip()
        yield _parameter(name, _typed(hint), typer.Option(declared, help=words, metavar=form, show_default=False))


def words_of(kind: type, field: str) -> str:
    """Return the sentence of a field, for a command that asks for it in its own way."""
    return _type_and_sentence(get_type_hints(kind, include_extras=True)[field])[1]


def settings_from(default: Any, given: dict[str, Any], inside: str = "") -> Any:
    """Return the settings with what was given in place of the defaults. Raises InvalidSetting."""
    changed: dict[str, Any] = {}
    for field in fields(default):
        former = getattr(default, field.name)
        if is_dataclass(former):
            if given.get(field.name) == "none":
                kept: Any = type(former)
                former = kept.none()
            changed[field.name] = settings_from(former, given, field.name)
            continue
        name = PREFIXES.get(inside, "") + field.name
        if given.get(name) is not None:
            hint, _ = _type_and_sentence(get_type_hints(type(default), include_extras=True)[field.name])
            changed[field.name] = value_of(given[name], hint, f"--{name.replace('_', '-')}")
    return replace(default, **changed)


def value_of(given: Any, hint: Any, option: str) -> Any:
    """Return what was given for an option as the field has it. Raises InvalidSetting.

    >>> value_of("auto", int | None, "--k"), value_of("12", int | None, "--k")
    (None, 12)
    >>> value_of(["DR=40"], RatingLimits, "--verdict-strong-from")
    (('DR', 40.0),)
    """
    plain = _without_none(hint)
    if may_be_auto(hint):
        if given.lower() == AUTO:
            return None
        if not given.isdecimal():
            raise InvalidSetting(f"{option} must be a whole number or {AUTO}, not {given!r}.")
        return int(given)
    if plain == RatingLimits:
        return _limits(given, option)
    if get_origin(plain) is tuple and get_args(plain)[-1] is ...:
        return tuple(filter(None, given))
    return given


def default_of(field: "Field[Any]") -> Any:
    """Return the default of a field."""
    return field.default_factory() if callable(field.default_factory) else field.default


def shown(default: Any) -> str:
    """Return how the help states a default; "" where there is nothing to state.

    >>> shown(15), shown(True), shown((2, 40)), shown(None)
    ('Default: 15.', 'Default: yes.', 'Default: 2 40.', '')
    """
    if default is None or default in ("", ()):
        return ""
    if isinstance(default, bool):
        return f"Default: {'yes' if default else 'no'}."
    return f"Default: {' '.join(map(str, default)) if isinstance(default, tuple) else default}."


def may_be_auto(hint: Any) -> bool:
    """Return whether a field is a whole number, or None to leave it to the program."""
    return hint == int | None


def _typed(hint: Any) -> Any:
    """Return the type that the terminal reads for a field of this type."""
    plain = _without_none(hint)
    if get_origin(plain) is tuple and get_args(plain)[-1] is ...:
        return list[str]
    return str if may_be_auto(hint) else plain


def _type_and_sentence(hint: Any) -> tuple[Any, str]:
    """Return a field's type and its sentence."""
    if get_origin(hint) is Annotated:
        plain, *words = get_args(hint)
        return plain, str(words[0])
    return hint, ""


def _without_none(hint: Any) -> Any:
    if get_origin(hint) in (Union, UnionType):
        [plain] = [one for one in get_args(hint) if one is not type(None)]
        return plain
    return hint


def _parameter(name: str, typed: Any, option: Any) -> inspect.Parameter:
    annotation = Annotated[typed | None, option]
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=annotation)


def _limits(given: list[str], option: str) -> RatingLimits:
    from backlink_audit.judgement.scales import read_limits

    for text in given:
        if "=" not in text:
            raise InvalidSetting(f"{option} must be a rating and a number, such as DR=40, not {text!r}.")
    return read_limits(given, ())


if TYPE_CHECKING:
    from collections.abc import Collection

    from backlink_audit.clusters.result import Clusters
    from backlink_audit.exports.recognise import Export
    from backlink_audit.internal_links.result import Opportunities
    from backlink_audit.report.files import Tables
    from backlink_audit.site.vectors import PageVectors

Crawl = Annotated[
    Path, typer.Argument(help="A crawl of the site: URLs with titles or H1s, and the content if available.")
]
Embeddings = Annotated[Path | None, typer.Option(help="Use embeddings saved by an earlier run (.npz).")]
CrawlEmbeddings = Annotated[bool, typer.Option("--crawl-embeddings", help="Use the embeddings in the crawl file.")]


def given_vectors(pages: "Export", file: Path | None, *, crawl_embeddings: bool) -> "PageVectors | None":
    """Return the embeddings of the file, or else those in the crawl if asked for. Raises AuditError."""
    from backlink_audit.site.vectors import crawl_vectors, read_page_vectors

    if file:
        return read_page_vectors(file.name, read_bytes(file))
    return crawl_vectors(pages) if crawl_embeddings else None


def finish_pages(result: "Opportunities | Clusters", tables: "Tables", out: Path, notes: list[str]) -> None:
    """Write a result about pages, and say what came out; a model that does not know their language is warned of."""
    from backlink_audit.embedding.languages import warn_of_languages

    made_by_model = result.device != ""
    warning = warn_of_languages(result.settings.model, [result.cleaned.export]) if made_by_model else None
    notes = [*notes, *([warning] if warning else [])]
    removed = aside(result.cleaned.removed, len(result.cleaned.export.raw))
    finish(tables, out, *notes, *result.notes, *removed, result.headline)
