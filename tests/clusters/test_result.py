import pytest

from backlink_audit.clusters.names import LEFT_OVER, MIXED
from backlink_audit.clusters.result import BETWEEN_PAGES, FROM_HUB, TO_HUB
from tests.clusters.made import clusters_of_sample, of_sample


@pytest.fixture(scope="module")
def result():
    return clusters_of_sample()


def test_every_page_that_the_filters_leave_is_in_one_cluster(result):
    assert len(result.pages) == len(result.cleaned.table) == result.groups["size"].sum()
    assert result.pages.index.equals(result.cleaned.table.index)
    assert result.k == 8


def test_clusters_are_sorted_by_size_and_have_different_names(result):
    assert result.groups["size"].is_monotonic_decreasing
    assert result.groups["cluster"].is_unique
    assert (result.groups["cluster"] != "").all()


def test_each_cluster_has_its_hub_among_its_pages(result):
    hubs = result.pages[result.pages["is_hub"]].set_index("cluster")["url"]
    mixed = result.groups["cluster"].str.startswith((LEFT_OVER, MIXED))
    named = result.groups[~mixed & (result.groups["hub_url"] != "")]
    assert len(hubs) > 1 and hubs.to_dict() == named.set_index("cluster")["hub_url"].to_dict()


def test_with_a_number_given_there_is_no_curve(result):
    assert result.curve.empty


def test_links_missing_inside_a_cluster_do_not_exist_and_stay_in_their_cluster(result):
    missing = result.missing_links
    inlinks = of_sample("inlinks").table
    existing = inlinks[inlinks["link_position"] == "Content"]
    pairs = set(zip(existing["source_url"], existing["target_url"], strict=True))
    assert not pairs & set(zip(missing["source_url"], missing["target_url"], strict=True))
    cluster_of = result.pages.set_index("url")["cluster"]
    assert (cluster_of[missing["source_url"]].array == cluster_of[missing["target_url"]].array).all()
    assert set(missing["direction"]) == {TO_HUB, FROM_HUB, BETWEEN_PAGES}
    assert (missing["source_url"] != missing["target_url"]).all()
    assert result.groups["missing_links"].sum() == len(missing)


def test_missing_and_existing_links_are_all_links_to_and_from_hubs(result):
    inlinks = of_sample("inlinks").table
    existing = inlinks[inlinks["link_position"] == "Content"]
    pairs = set(zip(existing["source_url"], existing["target_url"], strict=True))
    hub_of = result.groups.set_index("cluster")["hub_url"]
    members = result.pages[~result.pages["is_hub"]]
    possible = set()
    for url, cluster in zip(members["url"], members["cluster"], strict=True):
        if hub_of[cluster]:
            possible |= {(url, hub_of[cluster]), (hub_of[cluster], url)}
    found = result.missing_links[result.missing_links["direction"] != BETWEEN_PAGES]
    assert len(found) == len(possible - pairs)
