"""The terminal's `clusters`, on the sample's crawl and with a toy encoder."""

import openpyxl
import pandas as pd
import pytest

from tests.terminal.calls import name_of, run


def test_csv_begins_with_cluster_title_and_url(folder, monkeypatch, capsys):
    code, said = run(monkeypatch, capsys, "clusters", name_of("pages"), "-o", "out.csv", "--k", "15")
    table = pd.read_csv(folder / "out.csv")
    assert code == 0 and "68 pages form 15 clusters" in said
    assert table.columns.tolist()[:3] == ["cluster", "title", "url"]
    assert len(table) == 68 and table["url"].is_unique and table["cluster"].nunique() == 15


def test_the_number_can_be_chosen_and_the_workbook_holds_the_curve(folder, monkeypatch, capsys):
    assert run(monkeypatch, capsys, "clusters", name_of("pages"), "-o", "out.xlsx", "--k", "auto")[0] == 0
    assert "Silhouette" in openpyxl.load_workbook(folder / "out.xlsx").sheetnames


def test_inlinks_give_the_links_missing_inside_clusters(folder, monkeypatch, capsys):
    arguments = ["clusters", name_of("pages"), "-o", "out.xlsx", "--inlinks", name_of("inlinks")]
    assert run(monkeypatch, capsys, *arguments)[0] == 0
    assert openpyxl.load_workbook(folder / "out.xlsx")["Missing links"].max_row > 10


@pytest.mark.parametrize("k", ["many", "0", "-3", "1.5"])
def test_a_number_of_clusters_that_is_none_is_refused_in_one_line(folder, monkeypatch, capsys, k):
    code, said = run(monkeypatch, capsys, "clusters", name_of("pages"), "-o", "out.csv", "--k", k)
    assert code == 2 and len(said.strip().splitlines()) == 1


def test_backlinks_are_refused_where_a_crawl_is_needed(folder, monkeypatch, capsys):
    code, said = run(monkeypatch, capsys, "clusters", name_of("backlinks"), "-o", "out.csv")
    assert code == 2 and name_of("backlinks") in said


def test_embeddings_saved_by_interlinks_give_the_clusters_of_the_encoder(folder, monkeypatch, capsys):
    run(monkeypatch, capsys, "interlinks", name_of("pages"), "-o", "pairs.csv", "--save-embeddings", "pages.npz")
    run(monkeypatch, capsys, "clusters", name_of("pages"), "-o", "made.csv")
    arguments = ["clusters", name_of("pages"), "-o", "given.csv", "--embeddings", "pages.npz"]
    assert run(monkeypatch, capsys, *arguments)[0] == 0
    pd.testing.assert_frame_equal(pd.read_csv(folder / "given.csv"), pd.read_csv(folder / "made.csv"))


def test_a_crawl_without_embeddings_of_its_own_says_so_in_one_line(folder, monkeypatch, capsys):
    code, said = run(monkeypatch, capsys, "clusters", name_of("pages"), "-o", "out.csv", "--crawl-embeddings")
    assert code == 2 and "no column with embeddings" in said and said.count("\n") == 1


def test_columns_can_be_joined_and_one_that_is_not_there_is_named(folder, monkeypatch, capsys):
    arguments = ["clusters", name_of("pages"), "-o", "out.xlsx", "--columns", "Title 1", "--columns", "H1-1"]
    assert run(monkeypatch, capsys, *arguments)[0] == 0
    summary = openpyxl.load_workbook(folder / "out.xlsx")["Summary"]
    assert "Title 1 + H1-1" in [row[2] for row in summary.iter_rows(values_only=True)]
    code, said = run(monkeypatch, capsys, *arguments, "--columns", "Colour")
    assert code == 2 and "“Colour”" in said and said.count("\n") == 1


def test_a_crawl_that_the_model_cannot_read_is_said(folder, monkeypatch, capsys):
    titles = ["Las sillas de la cocina y del jardín", "Cómo hacer una mesa de roble", "Muebles de madera para la casa"]
    rows = [f"https://a.example/{n},200,{title}" for n, title in enumerate(titles)]
    (folder / "crawl.csv").write_text("\n".join(["Address,Status Code,Title 1", *rows]), encoding="utf-8")
    code, said = run(
        monkeypatch, capsys, "clusters", "crawl.csv", "-o", "out.csv", "--model", "paraphrase-MiniLM-L3-v2"
    )
    assert code == 0 and "100% of the 3 pages" in said and "only supports English" in said
    code, said = run(
        monkeypatch, capsys, "clusters", "crawl.csv", "-o", "out.csv"
    )  # the default follows the crawl's language
    assert code == 0 and "only supports" not in said
