"""What belongs together is together, and the house stays small. Who may import whom is held by import-linter."""

import ast
import re
import subprocess
import sys
from pathlib import Path

from tests.house import MODULES, PACKAGE, PAGES, ROOT

JUDGES = ("judgement", "text", "fetching.")
"""What no page asks itself: a page shows what a feature found."""


def test_pages_judge_nothing_themselves():
    names = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in PAGES
        for name in re.findall(r"^\s*from backlink_audit\.?(\S*) import", path.read_text("utf-8"), re.MULTILINE)
        if name.startswith(JUDGES) and name != "fetching.ask"
    ]
    assert not names


def test_the_session_is_read_and_written_in_one_module_alone():
    found = [path for path in [*MODULES, *PAGES] if "session_state" in path.read_text(encoding="utf-8")]
    assert found == [PACKAGE / "ui" / "session.py"]


def test_importing_the_package_and_asking_for_help_load_nothing_heavy():
    code = "import sys, backlink_audit, backlink_audit.cli; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split()
    assert not {"torch", "sentence_transformers", "pandas", "streamlit"} & set(loaded)


def charts(path: Path) -> list[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    made = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.returns]
    names = [node.name for node in made if node.returns and ast.unparse(node.returns) == "go.Figure"]
    return [name for name in names if not name.startswith("_")]


def test_every_chart_is_drawn_on_a_page():
    drawn = "".join(path.read_text(encoding="utf-8") for path in [*PAGES, *(PACKAGE / "ui").rglob("*.py")])
    paths = [path for path in PACKAGE.rglob("charts.py") if path.parent.name != "report"]
    found = [name for path in paths for name in charts(path)]
    assert len(found) > 20
    assert [name for name in found if not re.search(rf"\.{name}\b", drawn)] == []
