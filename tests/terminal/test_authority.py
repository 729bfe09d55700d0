"""The terminal's `authority`, on the sample's files."""

import networkx as nx
import openpyxl
import pandas as pd
import pytest

from tests.terminal.calls import name_of, run

COLUMNS = ["URL", "Link score", "Share", "From outside", "Links in", "Links out", "Verdict", "Why"]


def test_every_page_gets_its_share_and_pairs_of_interlinks_can_be_tried_out(folder, monkeypatch, capsys):
    run(monkeypatch, capsys, "interlinks", name_of("pages"), "--inlinks", name_of("inlinks"), "-o", "pairs.csv")
    arguments = ["authority", name_of("inlinks"), "--pages", name_of("pages"), "--backlinks", name_of("backlinks")]
    code, said = run(monkeypatch, capsys, *arguments, "--add", "pairs.csv", "-o", "out.csv")
    table = pd.read_csv(folder / "out.csv")
    assert code == 0 and "links are added" in said
    assert table.columns.tolist() == [*COLUMNS, "Share after"]
    assert table[["Share", "From outside", "Share after"]].sum().tolist() == pytest.approx([1, 1, 1])
    assert run(monkeypatch, capsys, *arguments, "--add", "pairs.csv", "-o", "out.xlsx")[0] == 0
    assert openpyxl.load_workbook(folder / "out.xlsx").sheetnames[:3] == ["Summary", "Pages", "What if"]


def test_without_backlinks_what_comes_from_outside_is_blank(folder, monkeypatch, capsys):
    code, said = run(monkeypatch, capsys, "authority", name_of("inlinks"), "-o", "out.csv")
    table = pd.read_csv(folder / "out.csv")
    assert code == 0 and "rows are links between two pages" in said
    assert table.columns.tolist() == COLUMNS and table["From outside"].isna().all()


def test_pages_to_strengthen_are_a_list_of_urls(folder, monkeypatch, capsys):
    weakest = pd.read_csv(folder / name_of("inlinks"))["Source"].iloc[-1]
    (folder / "wanted.txt").write_text(f"{weakest}\nhttps://elsewhere.example/\n")
    arguments = ["authority", name_of("inlinks"), "--wanted", "wanted.txt", "-o", "out.csv"]
    assert "1 of 2 pages of your list" in run(monkeypatch, capsys, *arguments)[1]


@pytest.mark.parametrize("role", ["pages", "backlinks"])
def test_another_export_is_refused_in_one_line(folder, monkeypatch, capsys, role):
    code, said = run(monkeypatch, capsys, "authority", name_of(role), "-o", "out.csv")
    assert code == 2 and name_of(role) in said and said.count("\n") == 1


def test_an_empty_file_is_refused_in_one_line(folder, monkeypatch, capsys):
    (folder / "empty.csv").write_text("Type,Source,Destination\n")
    code, said = run(monkeypatch, capsys, "authority", "empty.csv", "-o", "out.csv")
    assert code == 2 and said.count("\n") == 1


def test_the_graph_of_the_site_is_written_for_other_programs(folder, monkeypatch, capsys):
    arguments = ["authority", name_of("inlinks"), "-o", "pages.csv", "--graph", "site.graphml"]
    assert run(monkeypatch, capsys, *arguments)[0] == 0
    graph = nx.read_graphml(folder / "site.graphml")
    pages = pd.read_csv(folder / "pages.csv")
    assert set(graph) == set(pages["URL"])
    assert dict(graph.in_degree())[pages["URL"].iloc[0]] >= pages["Links in"].iloc[0]
