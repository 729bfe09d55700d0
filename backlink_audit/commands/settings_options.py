"""Options made of the settings: each field of a settings dataclass is an option, and its sentence is the help.

`InterlinkSettings.per_page` is `--per-page`; of settings inside settings, `AuditSettings.bands.relevant` is
`--band-relevant`. What is not given keeps the field's default.
"""

import inspect
from collections.abc import Callable, Iterator
from dataclasses import Field, fields, is_dataclass, replace
from functools import wraps
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import typer

from backlink_audit.commands.source_options import SourceFiles, source_files, source_options
from backlink_audit.errors import InvalidSetting
from backlink_audit.settings import RatingLimits

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
    from backlink_audit.pipelines.gap.result import read_limits

    for text in given:
        if "=" not in text:
            raise InvalidSetting(f"{option} must be a rating and a number, such as DR=40, not {text!r}.")
    return read_limits(given, ())
