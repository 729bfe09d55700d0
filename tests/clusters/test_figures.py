"""Clusters with what their pages earn: added up, in every table; a file of another site is said to be one."""

from backlink_audit.clusters.result import main_table, sheets, with_figures
from backlink_audit.clusters.run import find_clusters
from backlink_audit.exports.load import load
from backlink_audit.settings import ClusterSettings
from tests.audit.earned import clicks
from tests.clusters.made import SITE, crawl
from tests.toy import ToyEncoder

TITLES = ["Oak chairs", "Oak tables", "Oak benches", "Rose bushes", "Rose hedges"]


def test_the_clicks_of_a_cluster_are_those_of_its_pages():
    found = find_clusters(crawl(TITLES), ClusterSettings(k=2), ToyEncoder(), with_map=False)
    earned = clicks(*((f"{SITE}/item-{row}", 10**row, 3.0) for row in range(4)))
    with_earnings = with_figures(found, earned)
    by_page = with_earnings.pages.groupby("cluster")["clicks"].sum()
    assert with_earnings.groups.set_index("cluster")["clicks"].to_dict() == by_page.to_dict()
    assert with_earnings.groups["clicks"].sum() == 1111 and with_earnings.groups["average_position"].tolist() == [3, 3]
    assert with_earnings.worth == ("clicks", "clicks") and found.worth is None
    assert "4 of 4 pages (100%) are among the crawled pages." in with_earnings.notes[-1]
    assert main_table(with_earnings)["Clicks"].sum() == sheets(with_earnings)["Clusters"]["Clicks"].sum() == 1111
    assert list(main_table(with_earnings).columns)[:3] == ["cluster", "title", "url"]


def test_a_file_of_another_site_is_named_as_such():
    found = find_clusters(crawl(TITLES), ClusterSettings(k=2), ToyEncoder(), with_map=False)
    other = load(
        [("p.csv", b"Top pages,Clicks,Impressions,CTR,Position\nhttps://other.example/a,1,2,50%,3\n")], "performance"
    )
    with_earnings = with_figures(found, other)
    assert with_earnings.notes[-1].endswith("Is this the file of another site?")
    assert with_earnings.groups["clicks"].isna().all()
