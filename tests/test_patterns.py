"""Every regular expression takes time in proportion to the text it sees: one cell must not hold up a server.

Each pattern of the package meets texts made to lead it astray. A pattern is tried the way its module uses it
(`search`, `fullmatch`, …), one given to pandas through pandas, which has engines of its own.
"""

import ast
import importlib
import re
import signal
from collections.abc import Callable, Iterator
from typing import Any

import pandas as pd
import pytest
import regex

from tests.house import MODULES, PACKAGE

CHARACTERS = 20_000
"""Of each text. What grows with the square of it takes seconds, what grows with it milliseconds."""
SECONDS = 0.6
"""Of the processor, however busy the machine is."""
REPEATED = [
    *("a", "1", "é", "東", " ", "\n", ".", "-", "_", "/", "@", "#", "%", "(", ")", "[", "<", "'", ":"),
    *("a.", "a-", "a ", "a@", "a'", "A.", ". a", "1,", "1.", "1e1", "é.", "é ", "。", " -", " | ", ": ", '."', "”)"),
    *("![", "[a](", "<a ", "<a>", "www.", "http://", "https://a.", "/a", "?a=", "a=a&", "\r\n", "seo ", "a@a.", "a/"),
]
ENDS = ["", "!", "é"]
PATTERN_TYPES = (re.Pattern, type(regex.compile("")))
METHODS = {"search", "match", "fullmatch", "finditer", "findall", "sub", "subn", "split"}
OF_SERIES = {"contains", "match", "fullmatch", "replace", "extract", "count", "split"}


def used_patterns() -> dict[str, Callable[[str], object]]:
    """By name of module, pattern and method: what is done with a text."""
    found: dict[str, Callable[[str], object]] = {}
    for path in MODULES:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        name = ".".join(("backlink_audit", *path.relative_to(PACKAGE).with_suffix("").parts))
        if name.endswith(("__init__", "__main__")) or ".app." in name:
            continue
        found |= {f"{name}.{key}": use for key, use in uses(tree, vars(importlib.import_module(name)))}
    return found


def uses(tree: ast.AST, names: dict[str, Any]) -> Iterator[tuple[str, Callable[[str], object]]]:
    """Yield how a module uses its patterns."""
    called = set()
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
            continue
        method, owner = node.func.attr, node.func.value
        if isinstance(owner, ast.Name) and isinstance(names.get(owner.id), PATTERN_TYPES) and method in METHODS:
            called.add(owner.id)
            yield f"{owner.id}.{method}", with_pattern(names[owner.id], method)
        elif isinstance(owner, ast.Attribute) and owner.attr == "str" and method in OF_SERIES and is_regex(node):
            pattern = value_of(node.args[0], names) if node.args else None
            if pattern is not None:
                yield f"{str(getattr(pattern, 'pattern', pattern))[:60]!r}.{method}", with_series(pattern, method, node)
        elif isinstance(owner, ast.Name) and owner.id in ("re", "regex") and method in METHODS:
            pattern = value_of(node.args[0], names)
            if isinstance(pattern, str):
                compiled = (re if owner.id == "re" else regex).compile(pattern)
                yield f"{pattern[:60]!r}.{method}", with_pattern(compiled, method)
    for name, value in names.items():
        if isinstance(value, PATTERN_TYPES) and name not in called and defined_in(tree, name):
            yield f"{name}.search", with_pattern(value, "search")


def defined_in(tree: ast.AST, name: str) -> bool:
    stored = (node for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
    return any(node.id == name for node in stored)


def is_regex(call: ast.Call) -> bool:
    """Whether a method of a text Series takes its pattern for a regular expression."""
    chosen = [option.value for option in call.keywords if option.arg == "regex"]
    if chosen:
        return not isinstance(chosen[0], ast.Constant) or bool(chosen[0].value)
    return isinstance(call.func, ast.Attribute) and call.func.attr not in ("replace", "split")


def value_of(node: ast.expr, names: dict[str, Any]) -> str | re.Pattern[str] | None:
    value = node.value if isinstance(node, ast.Constant) else names.get(node.id) if isinstance(node, ast.Name) else None
    return value if isinstance(value, (str, *PATTERN_TYPES)) else None


def with_pattern(pattern, method: str) -> Callable[[str], object]:
    def use(text: str) -> object:
        given = text.encode() if isinstance(pattern.pattern, bytes) else text
        if method in ("sub", "subn"):
            return pattern.sub(b"" if isinstance(given, bytes) else "", given)
        found = getattr(pattern, method)(given)
        return sum(1 for _ in found) if method == "finditer" else found

    return use


def with_series(pattern, method: str, call: ast.Call) -> Callable[[str], object]:
    by_method: dict[str, dict[str, Any]] = {"replace": {"repl": "", "regex": True}, "extract": {"expand": False}}
    more = by_method.get(method, {})
    given = {option.arg: option.value for option in call.keywords if option.arg in ("case", "flags")}
    options: dict[str, Any] = {name: value.value for name, value in given.items() if isinstance(value, ast.Constant)}
    return lambda text: getattr(pd.Series([text], dtype="str").str, method)(pattern, **more, **options)


class TooSlow(Exception):
    """A text took too long."""


USES = used_patterns()


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="stops a pattern that does not end by itself")
@pytest.mark.parametrize("name", sorted(USES))
def test_a_pattern_is_as_quick_on_a_hostile_text_as_on_any(name: str):
    assert_quick(USES[name], name)


def test_a_quadratic_pattern_is_found():
    slow = with_pattern(re.compile(r"\b(?:[\w-]+\.)+[a-z]{2,24}\b"), "sub")
    with pytest.raises(pytest.fail.Exception, match="takes long"):
        assert_quick(slow, "slow")


def assert_quick(use: Callable[[str], object], name: str) -> None:
    def stop(*_: object) -> None:
        raise TooSlow

    before = signal.signal(signal.SIGVTALRM, stop)
    try:
        for piece in REPEATED:
            for end in ENDS:
                text = (piece * CHARACTERS)[:CHARACTERS] + end
                signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
                try:
                    use(text)
                except TooSlow:
                    pytest.fail(f"{name} takes long over {piece!r} again and again, then {end!r}")
                finally:
                    signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    finally:
        signal.signal(signal.SIGVTALRM, before)


def test_every_way_of_using_a_pattern_is_found():
    tree = ast.parse("_BAD = 1\n_BAD.fullmatch(x)\nx.str.replace('a', '', regex=True)")
    names = dict(uses(tree, {"_BAD": re.compile(r"(?:[\w-]+\.)+[a-z]+!")}))
    assert set(names) == {"_BAD.fullmatch", "'a'.replace"}
    assert len(USES) > 50
