"""The terminal's `clusters`, on the sample's crawl and with a toy encoder."""

import openpyxl
import pandas as pd
import pytest

from tests.test_cli import folder, name_of, run

__all__ = ["folder"]


def test_csv_begins_with_cluster_title_and_url(folder, monkeypatch, capsys):
    code, said = run(monkeypatch, capsys, "clusters", name_of("pages"), "-o", "out.csv")
    table = pd.read_csv(folder / "out.csv")
    assert code == 0 and "68 pages form 15 clusters" in said
    assert table.columns.tolist()[:3] == ["cluster", "title", "url"]
    assert len(table) == 68 and table["url"].is_unique and table["cluster"].nunique() == 15


def test_the_number_can_be_chosen_and_the_workbook_holds_the_curve(folder, monkeypatch, capsys):
    assert run(monkeypatch, capsys, "clusters", name_of("pages"), "-o", "out.xlsx", "--k", "auto")[0] == 0
    assert "Silhouette" in openpyxl.load_workbook(folder / "out.xlsx").sheetnames


def test_inlinks_give_the_links_missing_around_hubs(folder, monkeypatch, capsys):
    arguments = ["clusters", name_of("pages"), "-o", "out.xlsx", "--inlinks", name_of("inlinks")]
    assert run(monkeypatch, capsys, *arguments)[0] == 0
    assert openpyxl.load_workbook(folder / "out.xlsx")["Missing hub links"].max_row > 10


@pytest.mark.parametrize("k", ["many", "0", "-3", "1.5"])
def test_a_number_of_clusters_that_is_none_is_refused_in_one_line(folder, monkeypatch, capsys, k):
    code, said = run(monkeypatch, capsys, "clusters", name_of("pages"), "-o", "out.csv", "--k", k)
    assert code == 2 and len(said.strip().splitlines()) == 1


def test_backlinks_are_refused_where_a_crawl_is_needed(folder, monkeypatch, capsys):
    code, said = run(monkeypatch, capsys, "clusters", name_of("backlinks"), "-o", "out.csv")
    assert code == 2 and name_of("backlinks") in said
