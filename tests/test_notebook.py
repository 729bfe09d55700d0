"""The notebook of the docs, cell by cell, on the sample files with the real bundled models."""

import ast
import json
from typing import Any

import pandas as pd
import plotly.graph_objects as go
import pytest

from tests.house import ROOT

CELLS = [
    "".join(cell["source"])
    for cell in json.loads((ROOT / "docs" / "notebook.ipynb").read_text(encoding="utf-8"))["cells"]
    if cell["cell_type"] == "code"
]


def shown(cell: str, names: dict[str, Any]) -> Any:
    """Run a cell; return what a notebook would show: the value of its last line, if that is an expression."""
    body = ast.parse(cell).body
    last = body.pop() if isinstance(body[-1], ast.Expr) else None
    exec(compile(ast.Module(body, []), "cell", "exec"), names)
    return eval(compile(ast.Expression(last.value), "cell", "eval"), names) if isinstance(last, ast.Expr) else None


@pytest.mark.model
@pytest.mark.slow
def test_the_notebook_runs_from_its_first_cell_to_its_last_and_shows_sentences_tables_and_charts():
    names: dict[str, Any] = {}
    values = [shown(cell, names) for cell in CELLS]
    assert sum(isinstance(value, go.Figure) for value in values) == 2
    assert all(len(value) for value in values if isinstance(value, pd.DataFrame))
    assert sum(isinstance(value, str) and value.endswith(".") for value in values) >= 5
    own = next(
        value for value in values if isinstance(value, pd.DataFrame) and "relevance" in value and len(value) == 2
    )
    assert own["relevance"].iloc[0] > own["relevance"].iloc[1]


def test_no_output_of_a_cell_is_kept_in_the_repository():
    notebook = json.loads((ROOT / "docs" / "notebook.ipynb").read_text(encoding="utf-8"))
    assert [cell["id"] for cell in notebook["cells"] if cell.get("outputs")] == []
