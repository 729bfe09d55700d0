import pytest

from backlink_audit.clusters.names import LEFT_OVER, MIXED
from backlink_audit.clusters.result import tables
from backlink_audit.clusters.run import rename_cluster, split_cluster
from backlink_audit.errors import InvalidSetting
from tests.clusters.made import clusters_of_sample


@pytest.fixture(scope="module")
def result():
    return clusters_of_sample()


def test_a_new_name_stands_in_every_table_and_the_result_before_stays(result):
    before = result.groups["cluster"].tolist()
    renamed = rename_cluster(result, 1, "  Tents &  porches ")
    assert renamed.groups["cluster"].tolist() == [before[0], "Tents & porches", *before[2:]]
    sheets = tables(renamed).sheets()
    for sheet, column in (("Pages", "cluster"), ("Clusters", "Cluster"), ("Missing links", "Cluster")):
        assert "Tents & porches" in set(sheets[sheet][column])
        assert before[1] not in set(sheets[sheet][column])
    assert result.groups["cluster"].tolist() == before


@pytest.mark.parametrize("other", ["", " ", "taken"])
def test_a_blank_name_and_one_that_is_taken_are_refused(result, other):
    name = result.groups["cluster"][0].upper() if other == "taken" else other
    with pytest.raises(InvalidSetting):
        rename_cluster(result, 1, name)


def test_a_cluster_split_again_leaves_the_others_as_they_are(result, toy):
    renamed = rename_cluster(result, 3, "My own name")
    split = split_cluster(renamed, 0, 3, toy)
    assert split.k == result.k + 2
    assert split.groups["size"].is_monotonic_decreasing and split.groups["cluster"].is_unique
    assert "My own name" in set(split.groups["cluster"])
    assert result.groups["cluster"][0] not in set(split.groups["cluster"]) or split.groups["size"].max() < 20
    others = result.pages["cluster_number"] > 0
    pairs = set(zip(renamed.pages["cluster"][others], split.pages["cluster"][others], strict=True))
    assert all(former == now for former, now in pairs)
    parts = split.pages["cluster"][~others]
    assert parts.nunique() == 3 and not set(parts) & set(split.pages["cluster"][others])


def test_each_part_has_a_hub_and_missing_links_of_its_own(result, toy):
    split = split_cluster(result, 0, 2, toy)
    hubs = split.pages.groupby("cluster")["is_hub"].sum()
    assert (hubs <= ~hubs.index.str.startswith((LEFT_OVER, MIXED))).all() and hubs.sum() > 1
    cluster_of = split.pages.set_index("url")["cluster"]
    missing = split.missing_links
    assert missing is not None and len(missing)
    assert (cluster_of[missing["source_url"]].array == missing["cluster"].array).all()
    assert (cluster_of[missing["target_url"]].array == missing["cluster"].array).all()
    assert split.groups["missing_links"].sum() == len(missing)


def test_a_cluster_of_one_page_is_not_split(result, toy):
    alone = int(result.groups.index[-1])
    once = split_cluster(result, alone, 20, toy) if result.groups["size"][alone] > 2 else result
    smallest = int(once.groups.index[-1])
    with pytest.raises(InvalidSetting, match="too few"):
        for _ in range(5):
            once = split_cluster(once, smallest, 20, toy)
            smallest = int(once.groups.index[-1])
