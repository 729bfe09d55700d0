"""The terminal's `redirects`: one map, as a table or as a server's file."""

import pandas as pd
import pytest

from tests.crawls import crawl_file
from tests.terminal.calls import name_of, run

NEW = crawl_file(("https://longroad.example/fresh-start", "Fresh start", "Fresh start", "A new page."))


@pytest.fixture
def new(folder):
    (folder / "new.csv").write_bytes(NEW)
    return folder


def test_a_table_has_its_columns_and_the_cas_at_risk(new, monkeypatch, capsys):
    arguments = ["redirects", name_of("pages"), "new.csv", "-o", "map.csv", "--backlinks", name_of("backlinks")]
    code, said = run(monkeypatch, capsys, *arguments)
    assert code == 0 and "The new crawl does not have" in said
    table = pd.read_csv(new / "map.csv")
    assert list(table.columns)[:3] == ["Old URL", "New URL", "Confidence"]
    assert table["CAS at risk"].is_monotonic_decreasing and table["CAS at risk"].iloc[0] > 0


@pytest.mark.parametrize("name", ["_redirects", ".htaccess", "site.map"])
def test_the_name_decides_the_kind_of_file(new, monkeypatch, capsys, name):
    assert run(monkeypatch, capsys, "redirects", name_of("pages"), "new.csv", "-o", name)[0] == 0
    assert "longroad.example" in (new / name).read_text()


def test_another_name_is_refused_before_any_work(new, monkeypatch, capsys):
    code, said = run(monkeypatch, capsys, "redirects", name_of("pages"), "new.csv", "-o", "map.conf")
    assert code == 2 and "must end in" in said
