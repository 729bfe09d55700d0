"""What belongs together is together, and the house stays small. Who may import whom is held by import-linter."""

import ast
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

from tests.house import MODULES, PACKAGE, PAGES, ROOT

JUDGES = ("judgement", "text", "fetching.")
"""What no page asks itself: a page shows what a feature found."""

BUDGET = {
    "ui": 4_930,
    "judgement": 4_550,
    "text": 3_790,
    "exports": 3_540,
    "projects": 3_300,
    "audit": 2_650,
    "fetching": 2_650,
    "internal_links": 2_640,
    "pages": 2_190,
    "report": 1_960,
    "embedding": 1_860,
    "backlink_audit": 1_730,
    "risk": 1_680,
    "clusters": 1_650,
    "redirects": 1_380,
    "profile": 1_300,
    "changes": 1_190,
    "gap": 1_050,
    "site": 1_040,
    "mcp": 1_050,
    "ai_answers": 710,
    "authority": 670,
    "existing_links": 600,
    "terminal": 520,
    "distributed": 420,
    "competitors": 290,
    "check": 290,
    "search": 290,
    "app.py": 60,
    "sample": 30,
}
"""Lines of product Python a room may have. Raising one is a line in a commit that says why; the aim is 48,000 in all."""
MOST_FILES, MOST_LINES = 248, 49_870


def test_the_house_stays_within_its_budget():
    lines: Counter[str] = Counter()
    for path in [*MODULES, *PAGES]:
        parts = path.relative_to(ROOT).parts
        room = parts[1] if parts[0] == "backlink_audit" and len(parts) > 2 else parts[0]
        lines[room] += len(path.read_text("utf-8").splitlines())
    assert {room: number for room, number in lines.items() if number > BUDGET.get(room, 0)} == {}
    assert lines.total() <= MOST_LINES and len(MODULES) + len(PAGES) <= MOST_FILES


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
