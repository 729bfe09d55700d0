"""Who imports whom, read from the code: `python -m tests.house` writes it into docs/architecture.md."""

import ast
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "backlink_audit"
DOCUMENT = ROOT / "docs" / "architecture.md"
BEGIN, END = "<!-- made by `make architecture`, not by hand -->", "<!-- end of what is made -->"
NAME = PACKAGE.name
BASE = {"schema", "settings", "errors", "labels", "glossary", "wording", "progress"}
"""The modules that all packages use, and that use none."""
SCREEN, WORDS = "app and pages", "shared words"
"""The names of groups that are no package."""
PAGES = [ROOT / "app.py", *sorted((ROOT / "pages").rglob("*.py"))]

Graph = dict[str, set[str]]


def modules() -> dict[str, Path]:
    """Return every module of the app and its package by its name."""
    return {_name(path): path for path in [*PAGES, *sorted(PACKAGE.rglob("*.py"))]}


def _name(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def imported(tree: ast.AST) -> Iterator[str]:
    """Yield all that is imported anywhere in the code: at its top, in functions, for types alone."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def graph() -> Graph:
    """Return for each module those of ours that it imports."""
    known = modules()
    found: Graph = {}
    for name, path in known.items():
        names = [one for one in imported(ast.parse(path.read_text(encoding="utf-8"))) if one.split(".")[0] == NAME]
        found[name] = {one if one in known else one.rpartition(".")[0] for one in names}
    return found


def order(edges: Graph) -> list[str]:
    """Return the modules, each below all that it imports. Raises graphlib.CycleError where that cannot be."""
    return list(TopologicalSorter(edges).static_order())[::-1]


def between(edges: Graph, groups: dict[str, str]) -> Graph:
    """Return which groups import which others; `groups` has the group of each module that is in one."""
    found: Graph = {group: set() for group in groups.values()}
    for module, targets in edges.items():
        for target in targets:
            one, other = groups.get(module), groups.get(target)
            if one is not None and other is not None and one != other:
                found[one].add(other)
    return found


def features(edges: Graph) -> dict[str, str]:
    """Return the feature of each module of `pipelines`; modules in no folder are shared ones."""
    parts = {module: module.split(".") for module in edges if module.startswith(f"{NAME}.pipelines.")}
    folders = {names[2] for names in parts.values() if len(names) > 3}
    return {module: names[2] for module, names in parts.items() if names[2] in folders}


def packages(edges: Graph) -> dict[str, str]:
    """Return the package of each module; pages are one, and so are the modules that all of them use."""
    groups = {}
    for module in edges:
        first, _, rest = module.partition(".")
        package = rest.split(".")[0]
        groups[module] = package or "__init__"
        if first != NAME:
            groups[module] = SCREEN
        elif package in BASE:
            groups[module] = WORDS
    return groups


def drawn(edges: Graph) -> str:
    """Return the tables of docs/architecture.md."""
    inside = {module: _last(module) for module in edges if module.startswith(f"{NAME}.analysis.")}
    parts = [
        "### Packages",
        _table("Package", between(edges, packages(edges))),
        "### Features, in `pipelines/`",
        _table("Feature", between(edges, features(edges))),
        "### Inside `analysis/`: what builds on another piece of it",
        _table("Module", {one: others for one, others in between(edges, inside).items() if others}),
    ]
    return "\n\n".join(parts)


def _last(module: str) -> str:
    return module.rpartition(".")[2]


def _table(head: str, edges: Graph) -> str:
    rows = [[head, "imports"], ["---", "---"]]
    for group in sorted(edges, key=lambda one: (-height(one, edges), one)):
        rows.append([_code(group), ", ".join(map(_code, sorted(edges[group]))) or "none of ours"])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _code(group: str) -> str:
    return group if group in (SCREEN, WORDS) else f"`{group}`"


def height(group: str, edges: Graph) -> int:
    """Return how many floors of imports are below a group."""
    return max((height(other, edges) + 1 for other in edges[group] if other in edges), default=0)


def write(text: str, made: str) -> str:
    """Return the document's text with what is made in its place."""
    before, rest = text.split(BEGIN)
    return f"{before}{BEGIN}\n\n{made}\n\n{END}{rest.split(END)[1]}"


if __name__ == "__main__":
    DOCUMENT.write_text(write(DOCUMENT.read_text(encoding="utf-8"), drawn(graph())), encoding="utf-8")
