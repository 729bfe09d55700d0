"""The command that starts the app, and the features' commands: arguments and options, made of each one's record."""

import inspect
import runpy
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import Field, fields, is_dataclass, replace
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import typer
from rich.console import Console
from rich.table import Table

from backlink_audit.errors import AuditError, InvalidSetting
from backlink_audit.feature import Feature, Input, Job, Option, named, with_every_row
from backlink_audit.settings import RatingLimits
from backlink_audit.sources import ROLES, Sources
from backlink_audit.terminal.files import load, load_any, notes_of, progress, say

STORE = (
    "The database of projects: a file, or a URL such as postgresql://host/name. Default: a file in your user folder."
)
StoreName = Annotated[str | None, typer.Option("--store", help=STORE)]

PREFIXES = {"filters": "filter_", "bands": "band_", "verdicts": "verdict_", "risk": "risk_"}
"""The beginning of the option's name for a field of settings inside settings."""
AUTO = "auto"  # Given for a number that may be left to the program, or be without a limit
ALL_OR_NONE = typer.Option("--filters", help="Exclude rows by the --filter options, or keep all rows.")
WIDTH = 140  # Characters that the list needs to keep each model on few lines
PORT = 8765


def command_of(feature: Feature) -> Callable[..., None]:
    """Return a feature's command: arguments for its inputs, options for its settings, further files and the rest."""
    kinds = {"settings": feature.settings, **feature.also_settings}
    made = {one.name: one for kind in kinds.values() for one in options_of(kind, feature.apart)}
    arguments = {one: _argument(one) for one in feature.inputs}
    files = {role: ROLES[role] for role, use in feature.roles.items() if use.option}
    own = [_option(one, feature) for one in feature.options if one.terminal]
    out = typer.Option("-o", "--out", help=_what_is_written(feature.writes))

    def command(**given: Any) -> None:
        settings = {name: settings_from(kind(), given) for name, kind in kinds.items()}
        if "choice" in settings:
            settings["choice"] = with_every_row(settings["choice"], settings["settings"])
        paths, words = {}, {}
        for one, parameter in arguments.items():
            value = given[parameter.name]
            if one.word:
                words[one.name] = value
            elif value:
                paths[one.name] = value if isinstance(value, list) else [value]
        for role in files:
            if given[role]:
                paths[role] = given[role] if files[role].several else [given[role]]
        named = {one.name: given[one.name] for one in feature.options if one.terminal}
        job = feature.job(**{"paths": paths, "out": given.get("out"), **settings, **words, **named})
        (feature.command or (lambda job: work(feature, job)))(job)

    parameters = [
        *arguments.values(),
        *([_parameter("out", Path, out, ...)] if feature.writes else []),
        *own,
        *(
            _parameter(role, list[Path] if files[role].several else Path, _named(role, help=feature.roles[role].help))
            for role in files
        ),
        *made.values(),
    ]
    command.__name__, command.__doc__ = feature.name, feature.does
    command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    command.__annotations__ = {one.name: one.annotation for one in parameters} | {"return": None}
    return command


def _argument(one: Input) -> inspect.Parameter:
    typed: Any = str if one.word else list[Path] if one.several else Path
    info = _named(one.name, help=one.help) if one.by_name else typer.Argument(help=one.help)
    return _parameter(one.argument or one.name, typed, info, None if one.optional else ...)


def _option(one: Option, feature: Feature) -> inspect.Parameter:
    words = one.help or words_of(feature.settings, one.name)
    names = one.names or ((_dashed(one.name),) if one.flag else ())
    return _parameter(one.name, one.typed, typer.Option(*names, help=words, **one.more), one.default)


def _named(name: str, **more: Any) -> Any:
    return typer.Option(_dashed(name), **more)


def _dashed(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _what_is_written(endings: tuple[str, ...]) -> str:
    return f"The file to write: {' or '.join(filter(None, [', '.join(endings[:-1]), *endings[-1:]]))}."


def work(feature: Feature, job: Job) -> Any:
    """Do what a command is for: check where it writes, read, run the feature, write, say what came out; return it."""
    from backlink_audit.embedding.models import warn_of_languages

    check(feature, job)
    exports = read(feature, job)
    with progress() as job.on_progress:
        result = feature.run(job)
    made_by_model = job.embeds and getattr(result, "device", job.settings.model) != ""
    warning = warn_of_languages(job.settings.model, exports) if made_by_model else None
    said = [*notes_of(*exports, *job.sources.exports.values()), *filter(None, [warning])]
    said += [*feature.notes(job, result), result.headline, *feature.also(job, result)]
    cut = feature.write(job, result)
    say(*dict.fromkeys(said), *cut, *([f"Written: {job.out}"] if job.out else []))
    return result


def check(feature: Feature, job: Job) -> None:
    """Raise AuditError where a file could not be written or replaced one that is read, or the feature refuses."""
    from backlink_audit.report.files import check_target

    given = [(one, getattr(job, one.name)) for one in feature.options if one.terminal and not one.more]
    inputs = [path for paths in job.paths.values() for path in paths]
    inputs += [path for one, value in given for path in _paths(value) if not one.writes]
    targets = {path: one.writes for one, value in given for path in _paths(value) if one.writes}
    if feature.writes:
        check_target(job.out, feature.writes, [*inputs, *targets])
    for path, endings in targets.items():
        check_target(path, endings, inputs)
    feature.refuse(job)


def _paths(value: Any) -> list[Path]:
    return [one for one in (value if isinstance(value, list) else [value]) if isinstance(one, Path)]


def read(feature: Feature, job: Job) -> list[Any]:
    """Read a command's files into its job; return the exports of its inputs. Raises FileProblem."""
    exports: list[Any] = []
    for one in feature.inputs:
        paths = job.paths.get(one.name)
        if not paths:
            continue
        if one.read:
            value = one.read(job, paths)
        elif one.several == "joined":
            value = load(paths, one.table, getattr(job, "site", None))
        else:
            each = [load([path], one.table) if one.table else load_any(path) for path in paths]
            value = each if one.several else each[0]
        setattr(job, one.name, value)
        exports += value if one.several == "apart" else [value]
    exports = [one for one in exports if not isinstance(one, Path)]
    read_sources(feature, job, [one for one in exports if one.kind == "backlinks"])
    return exports


def read_sources(feature: Feature, job: Job, links: Sequence[Any] = ()) -> None:
    """Read the further files of a job and give them to it; `links` are what ranks are wanted of. Raises FileProblem."""
    read: dict[str, Any] = {}
    for role in feature.roles:
        paths = job.paths.get(role)
        if paths:
            read[role] = _ranks(paths[0], job, links) if role == "ranks" else load(paths, ROLES[role].tables[0])
    job.sources = Sources(**read)


def _ranks(path: Path, job: Job, links: Sequence[Any]) -> Any:
    """Return the ranks of the links' domains, from a whole release, or those that were kept. Raises FileProblem."""
    from backlink_audit.exports.lists import as_kept, is_whole_release, one_release, read_ranks
    from backlink_audit.exports.load import load as load_exports
    from backlink_audit.report.files import save_bytes

    if not (path.exists() and is_whole_release(path)):
        return one_release(load([path], "domain_ranks"))
    if not links:
        raise InvalidSetting("--ranks: this command needs the ranks that `audit --ranks` keeps of the whole file.")
    domains = {domain for export in links for domain in export.link_keys["referring_domain"]}
    with progress() as on_progress:
        kept = as_kept(read_ranks(path, domains, on_progress))
    if job.out:
        keep = job.out.with_name(f"{job.out.stem}-ranks.csv")
        save_bytes(kept, keep)
        say(f"The ranks of these domains are kept in {keep}; use this file with --ranks next time.")
    return load_exports([(path.name, kept)], "domain_ranks")


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
        option = _dashed(name)
        declared = f"{option}/--no-{option[2:]}" if hint is bool else option
        form = "number|auto" if may_be_auto(hint) else None
        words = f"{words} {shown(default_of(field))}".strip()
        yield _parameter(name, _typed(hint), typer.Option(declared, help=words, metavar=form, show_default=False))


def words_of(kind: type, field: str) -> str:
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
            changed[field.name] = value_of(given[name], hint, _dashed(name))
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
    return hint == int | None


def _typed(hint: Any) -> Any:
    plain = _without_none(hint)
    if get_origin(plain) is tuple and get_args(plain)[-1] is ...:
        return list[str]
    return str if may_be_auto(hint) else plain


def _type_and_sentence(hint: Any) -> tuple[Any, str]:
    if get_origin(hint) is Annotated:
        plain, *words = get_args(hint)
        return plain, str(words[0])
    return hint, ""


def _without_none(hint: Any) -> Any:
    if get_origin(hint) in (Union, UnionType):
        [plain] = [one for one in get_args(hint) if one is not type(None)]
        return plain
    return hint


def _parameter(name: str, typed: Any, option: Any, default: Any = None) -> inspect.Parameter:
    """Return a parameter; its default ...: it is required."""
    kind: Any = typed if default is ... or default is not None else typed | None
    annotation: Any = Annotated[kind, option]
    usual = inspect.Parameter.empty if default is ... else default
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=usual, annotation=annotation)


def _limits(given: list[str], option: str) -> RatingLimits:
    from backlink_audit.judgement.scales import read_limits

    for text in given:
        if "=" not in text:
            raise InvalidSetting(f"{option} must be a rating and a number, such as DR=40, not {text!r}.")
    return read_limits(given, ())


LOCAL = ("localhost", "127.0.0.1", "::1")
EVERYWHERE = ("0.0.0.0", "::")
PACKAGE = Path(__file__).parent.parent


def app(
    port: Annotated[
        int | None, typer.Option(min=1, max=65_535, help="The port of the app; default: 8501, or the next free port.")
    ] = None,
    address: Annotated[
        str | None,
        typer.Option(help="Who can connect: localhost (only this computer) or 0.0.0.0 (everyone on the network)."),
    ] = None,
    host: Annotated[
        list[str] | None,
        typer.Option(help="A host name under which users open the app, if not localhost; can be repeated."),
    ] = None,
) -> None:
    """Start the app in the browser. Stop it with Ctrl-C."""
    given = {"--server.port": port, "--server.address": address}
    flags = [f"{flag}={value}" for flag, value in given.items() if value is not None]
    flags += [f"--server.allowedHosts={name}" for name in names(address, host or [])]
    sys.argv = ["streamlit", "run", str(script()), *flags]
    runpy.run_module("streamlit", run_name="__main__")


def names(address: str | None, hosts: list[str]) -> list[str]:
    """Return the names that the server is to answer to; none: those of the configuration. Raises InvalidSetting."""
    if address in EVERYWHERE and not hosts:
        raise InvalidSetting(
            f"With --address {address}, also add the host name or IP address under which users open the app: --host "
            "audit.example.com. (Use --host '*' only behind a proxy that checks host names itself.)"
        )
    own = [] if address is None or address in (*LOCAL, *EVERYWHERE) else [address]
    return [*LOCAL, *own, *hosts] if own or hosts else []


def script(package: Path = PACKAGE) -> Path:
    """Return the app's file: inside the package where that was installed, else at the root of the repository."""
    installed = package / "app" / "app.py"
    return installed if installed.is_file() else package.parent / "app.py"


def models() -> None:
    """List the embedding models: which are ready, and which will be downloaded."""
    from backlink_audit.embedding.catalogue import MODELS
    from backlink_audit.embedding.models import own_models, status

    table = Table(box=None, pad_edge=False)
    for heading in ("Model", "Status", "Dimensions", "Size", "Languages"):
        table.add_column(heading, no_wrap=True)
    table.add_column("Best for")
    for model in (*MODELS, *own_models()):
        size = f"{model.size_mb:,} MB"
        table.add_row(model.name, status(model), str(model.dimensions), size, model.languages, model.good_for)
    Console(highlight=False, width=max(Console().width, WIDTH)).print(table)


def mcp(
    folder: Annotated[
        Path, typer.Argument(help="The folder whose files may be read, and to which new files are written.")
    ],
    http: Annotated[
        bool, typer.Option("--http", help="Answer over HTTP on this computer, instead of standard input and output.")
    ] = False,
    port: Annotated[int, typer.Option(min=1, max=65_535, help="With --http: the port.")] = PORT,
    store: StoreName = None,
) -> None:
    """Answer agents: audit, search and explain links by the Model Context Protocol. Stop it with Ctrl-C."""
    try:
        make_server = named("mcp.server:make_server")
        kept = named("mcp.tools:Tools")(named("mcp.runs:base_folder")(folder), store)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in ("mcp", "mcp_types"):
            raise
        raise AuditError("This needs the package mcp: install it with `pip install backlink-audit[mcp]`.") from error
    server = make_server(kept)
    try:
        if http:
            host, path = named("mcp.server:HOST"), named("mcp.server:PATH")
            say(f"Answering at http://{host}:{port}{path} for {kept.folder.path}. Stop with Ctrl-C.")
            named("mcp.server:serve_http")(server, port)
        else:
            server.run("stdio")
    finally:
        kept.runs.close()
