"""The house's rules that a test can check: which module may import whom, and what stays out of where."""

import ast
import re
import subprocess
import sys
from graphlib import CycleError
from pathlib import Path

import pytest

from backlink_audit.cli import COMMANDS
from tests import house
from tests.house import BASE, PACKAGE, PAGES, ROOT

MAY_IMPORT = {
    "exports": BASE | {"exports", "text.urls"},
    "text": BASE | {"text"},
    "embedding": BASE | {"embedding"},
    "analysis": BASE
    | {"text.urls", "text.chains", "text.countries", "text.word_lists", "text.page_shapes", "text.known_languages"}
    | {"text.institutions"}
    | {"analysis"},
    "fetching": BASE | {"__version__", "text.urls", "fetching"},
    "sample": set(),
    "pipelines": BASE | {"exports", "text", "embedding", "analysis", "pipelines"},
    "report": BASE | {"report"},
    "projects": BASE
    | {"pipelines", "exports", "analysis", "report.client", "report.figures", "report.letters", "projects"},
    "ui": BASE | {"projects", "pipelines", "exports", "embedding", "report", "sample", "fetching", "ui"},
    "cli": BASE | {"__version__", "commands", "terminal", "embedding"},
    "commands": BASE
    | {"pipelines", "exports", "embedding", "report", "terminal", "distributed", "commands", "projects", "fetching"},
    "distributed": BASE | {"pipelines", "analysis", "exports", "embedding", "report", "distributed"},
    "terminal": BASE | {"exports", "report"},
    "__main__": {"cli"},
    "__init__": BASE | {"pipelines", "exports", "embedding", "report"},
    "pages": BASE | {"ui", "report.charts", "pipelines", "projects"},
}
"""Downwards only. Pages get their results from ui, and may name the pipelines' result types."""

HEAVY = {"torch", "sentence_transformers", "transformers"}
MODULES = sorted(PACKAGE.rglob("*.py"))


def layer(path: Path) -> str:
    if path in PAGES:
        return "pages"
    parts = path.relative_to(PACKAGE).parts
    return "base" if parts[0].removesuffix(".py") in BASE else parts[0].removesuffix(".py")


def imports(tree: ast.AST) -> set[str]:
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def ours(tree: ast.AST) -> set[str]:
    return {name.removeprefix("backlink_audit.") for name in imports(tree) if name.startswith("backlink_audit.")}


def within(name: str, allowed: set[str]) -> bool:
    return any(name == prefix or name.startswith(f"{prefix}.") for prefix in allowed)


def parse(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", [*MODULES, *PAGES], ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_go_downwards_only(path: Path):
    allowed = BASE if layer(path) == "base" else MAY_IMPORT[layer(path)]
    names = {name for name in ours(parse(path)) if not any(name == other for other in ("", "backlink_audit"))}
    parents = {allowed_name.rsplit(".", 1)[0] for allowed_name in allowed if "." in allowed_name}
    assert not {name for name in names if not within(name, allowed) and name not in parents}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_streamlit_is_imported_in_ui_alone(path: Path):
    if layer(path) != "ui":
        assert not any(name.split(".")[0] == "streamlit" for name in imports(parse(path)))


@pytest.mark.parametrize("path", [*MODULES, *PAGES], ids=lambda path: str(path.relative_to(ROOT)))
def test_the_session_is_read_and_written_in_one_module_alone(path: Path):
    if path != PACKAGE / "ui" / "session.py":
        assert "session_state" not in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_torch_is_imported_inside_functions_of_embedding_alone(path: Path):
    tree = parse(path)
    at_the_top = ast.Module([node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)], [])
    where = tree if layer(path) != "embedding" else at_the_top
    assert not {name for name in imports(where) if name.split(".")[0] in HEAVY}


@pytest.mark.parametrize("path", [*MODULES, *PAGES], ids=lambda path: str(path.relative_to(ROOT)))
def test_every_module_says_what_it_is_for(path: Path):
    assert ast.get_docstring(parse(path))


def test_every_feature_has_a_command_of_its_name():
    features = {path.parent.name for path in (PACKAGE / "pipelines").glob("*/run.py")}
    commands = {path.stem for path in (PACKAGE / "commands").glob("*.py")}
    assert len(features) >= 7
    assert features <= commands
    names = [command.__name__ for command in COMMANDS]
    assert set(names) <= commands
    assert len(names) == len(set(names))


def test_importing_the_package_and_asking_for_help_load_nothing_heavy():
    code = "import sys, backlink_audit, backlink_audit.cli; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split()
    assert not {"torch", "sentence_transformers", "pandas", "streamlit"} & set(loaded)


def test_no_circle_of_imports_not_even_for_types():
    edges = house.graph()
    assert len(edges) == len(MODULES) + len(PAGES)
    assert len(house.order(edges)) == len(edges)


def test_a_circle_is_noticed_also_inside_functions_and_for_types():
    one = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from backlink_audit.b import B\n"
    other = "def work():\n    from backlink_audit import a\n"
    assert "backlink_audit.b.B" in house.imported(ast.parse(one))
    assert "backlink_audit.a" in house.imported(ast.parse(other))
    with pytest.raises(CycleError):
        house.order({"a": {"b"}, "b": {"a"}})


def test_features_lean_on_the_audit_and_on_what_pages_share_alone():
    edges = house.graph()
    for feature, others in house.between(edges, house.features(edges)).items():
        assert others <= ({"audit", "crawl"} if feature not in ("audit", "crawl") else set())


def test_a_result_knows_no_table_and_no_run_and_tables_lean_on_the_result_alone():
    edges = house.graph()
    features = [
        module.removesuffix(".run")
        for module in edges
        if module.startswith("backlink_audit.pipelines.") and module.endswith(".run")
    ]
    assert len(features) >= 7
    for feature in features:
        result = f"{feature}.result"
        above = {f"{feature}.tables", f"{feature}.run"}
        assert not edges[result] & above
        assert f"{feature}.run" not in edges[f"{feature}.tables"]
        assert f"{feature}.tables" not in edges[f"{feature}.run"]


def charts(path: Path) -> list[str]:
    made = [node for node in parse(path).body if isinstance(node, ast.FunctionDef) and node.returns]
    names = [node.name for node in made if node.returns and ast.unparse(node.returns) == "go.Figure"]
    return [name for name in names if not name.startswith("_")]


def test_every_chart_is_drawn_on_a_page():
    drawn = "".join(path.read_text(encoding="utf-8") for path in [*PAGES, *(PACKAGE / "ui").rglob("*.py")])
    paths = [path for path in (PACKAGE / "report" / "charts").glob("*.py") if path.stem != "theme"]
    found = [name for path in paths for name in charts(path)]
    assert len(found) > 20
    assert [name for name in found if not re.search(rf"\.{name}\b", drawn)] == []


def test_the_tables_of_the_architecture_are_up_to_date():
    text = house.DOCUMENT.read_text(encoding="utf-8")
    assert text == house.write(text, house.drawn(house.graph())), "run `make architecture`"
