import io

import openpyxl
import pytest

from backlink_audit.clusters.result import tables
from backlink_audit.clusters.run import find_clusters
from backlink_audit.report import files
from backlink_audit.settings import ClusterSettings
from tests.clusters.made import clusters_of_sample, crawl


@pytest.fixture(scope="module")
def result():
    return clusters_of_sample()


def test_the_main_table_begins_with_cluster_title_and_url(result):
    table = tables(result).main()
    assert table.columns.tolist()[:3] == ["cluster", "title", "url"]
    assert sorted(table["url"]) == sorted(result.cleaned.table["url"])
    assert table["cluster"].drop_duplicates().tolist() == result.groups["cluster"].tolist()


def test_every_page_keeps_its_own_url_when_titles_repeat(toy):
    found = find_clusters(crawl(["Same title"] * 12 + ["Other words"] * 6), ClusterSettings(k=4), toy)
    table = tables(found).main()
    assert table["url"].nunique() == 18
    assert found.groups["size"].tolist() == [12, 6]
    assert set(table.loc[table["title"] == "Same title", "cluster"]) == {found.groups["cluster"][0]}


def test_the_workbook_holds_every_page_cluster_and_missing_link(result):
    book = openpyxl.load_workbook(io.BytesIO(files.to_xlsx(tables(result))))
    assert book.sheetnames == ["Summary", "Pages", "Clusters", "Missing links"]
    assert book["Pages"].max_row - 1 == len(result.pages)
    assert book["Clusters"].max_row - 1 == result.k
    assert book["Missing links"].max_row - 1 == len(result.missing_links)


def test_rows_in_the_summary_add_up(result):
    summary = tables(result).sheets()["Summary"]
    counts = summary[summary["Part"] == "Rows"].set_index("What")["Value"].str.replace(",", "").astype(int)
    assert counts["In the file"] == counts["Clustered"] + counts.filter(like="Excluded").sum()
