"""The house's rules that a test can hold: who may import whom, and what stays out of where."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from backlink_audit.cli import COMMANDS

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "backlink_audit"
BASE = {"schema", "settings", "errors", "labels", "glossary", "wording", "progress"}

MAY_IMPORT = {
    "exports": BASE | {"exports", "text.urls"},
    "text": BASE | {"text"},
    "embedding": BASE | {"embedding"},
    "analysis": BASE | {"text.urls", "text.word_lists", "analysis"},
    "sample": set(),
    "pipelines": BASE | {"exports", "text", "embedding", "analysis", "pipelines"},
    "report": BASE | {"report"},
    "ui": BASE | {"pipelines", "exports", "embedding", "report", "sample", "ui"},
    "cli": BASE | {"__version__", "commands", "terminal", "embedding"},
    "commands": BASE | {"pipelines", "exports", "embedding", "report", "terminal", "distributed", "commands"},
    "distributed": BASE | {"pipelines", "analysis", "exports", "embedding", "report", "distributed"},
    "terminal": BASE | {"exports", "report"},
    "__main__": {"cli"},
    "__init__": BASE | {"pipelines", "exports", "embedding", "report"},
    "pages": BASE | {"ui", "report.charts", "pipelines"},
}
"""Downwards only. Pages get their results from ui, and may name the pipelines' result types."""

HEAVY = {"torch", "sentence_transformers", "transformers"}
MODULES = sorted(PACKAGE.rglob("*.py"))
PAGES = [ROOT / "app.py", *sorted((ROOT / "pages").rglob("*.py"))]


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
    assert {command.__name__ for command in COMMANDS} <= commands


def test_importing_the_package_and_asking_for_help_load_nothing_heavy():
    code = "import sys, backlink_audit, backlink_audit.cli; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split()
    assert not {"torch", "sentence_transformers", "pandas", "streamlit"} & set(loaded)
