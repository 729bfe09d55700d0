import sys
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pandas as pd
import pytest

from backlink_audit.clusters import result as topic_map
from backlink_audit.clusters.charts import topic_map as topic_map_chart
from backlink_audit.clusters.names import group_and_name
from backlink_audit.clusters.result import BETWEEN_PAGES, WITHOUT_HUB, tables
from backlink_audit.clusters.run import find_clusters
from backlink_audit.errors import Cancelled, EmbeddingMismatch, NoRowsLeft
from backlink_audit.exports.load import load
from backlink_audit.settings import ClusterSettings, PageFilters
from backlink_audit.site.vectors import PageVectors
from backlink_audit.sources import Sources
from tests.clusters.made import SITE, clusters_of_sample, crawl, of_sample
from tests.crawls import as_csv
from tests.toy import ToyEncoder


@pytest.fixture(scope="module")
def result():
    return clusters_of_sample()


def test_the_same_crawl_gives_the_same_clusters_twice(toy):
    first, second = (find_clusters(of_sample("pages"), ClusterSettings(k=None), toy) for _ in range(2))
    pd.testing.assert_frame_equal(tables(first).main(), tables(second).main())
    pd.testing.assert_frame_equal(first.curve, second.curve)
    pd.testing.assert_frame_equal(first.topic_map.pages, second.topic_map.pages)


def test_the_number_of_clusters_chosen_is_the_best_of_the_curve(toy):
    words = ["waterproof panniers", "camping stove", "paper maps"]
    titles = [f"{word} {letter * 3}" for word in words for letter in "abcdefgh"]
    found = find_clusters(crawl(titles), ClusterSettings(k=None, k_range=(2, 6)), toy)
    assert found.curve["k"].tolist() == [2, 3, 4, 5, 6]
    assert found.k == found.curve["k"].iloc[found.curve["silhouette"].argmax()] == 3
    assert {name.casefold() for name in found.groups["cluster"]} == set(words)


def test_without_inlinks_missing_links_are_unknown(toy):
    assert find_clusters(crawl(["Tents", "Stoves", "Maps"]), ClusterSettings(), toy).missing_links is None


def test_inlinks_of_another_site_get_a_note(toy):
    pages = crawl(["Tents", "Stoves", "Maps"])
    found = find_clusters(pages, ClusterSettings(), toy, sources=Sources(inlinks=of_sample("inlinks")))
    assert found.missing_links is None
    assert "longroad.example" in found.notes[-1]


def test_referring_pages_stand_on_the_same_map(result):
    referring = result.topic_map.referring
    assert len(result.topic_map.pages) == len(result.pages)
    assert referring["url"].is_unique and len(referring) > 150
    assert referring[["x", "y"]].abs().max().max() <= 1


def test_a_large_site_is_sampled_for_its_map_and_says_so(toy, monkeypatch):
    monkeypatch.setattr(topic_map, "MOST_PAGES", 10)
    found = find_clusters(crawl([f"Page {n} about {n % 4}" for n in range(35)]), ClusterSettings(k=3), toy)
    assert len(found.topic_map.pages) == 9
    assert found.notes[-1] == "The map shows a sample of 9 of 35 pages."


@pytest.mark.parametrize(("pages", "clusters"), [(1, 1), (2, 1), (3, 2)])
def test_few_pages_make_few_clusters_and_a_sentence(toy, pages, clusters):
    found = find_clusters(crawl(["Tents", "Stoves", "Maps"][:pages]), ClusterSettings(k=15), toy)
    assert found.k == clusters
    assert found.notes[0].startswith("You asked for 15 clusters")
    assert found.headline.startswith("1 page forms 1 cluster" if pages == 1 else f"{pages} pages form")


def test_fewer_clusters_than_languages_are_more_clusters_and_a_sentence(toy):
    titles = [f"{word} {letter}" for word in ("Tents", "Zelte", "Tentes") for letter in "abcd"]
    export = crawl(titles, language=["en"] * 4 + ["de"] * 4 + ["fr"] * 4)
    found = find_clusters(export, ClusterSettings(k=2), toy)
    assert found.k == 3
    assert found.notes[0].startswith("You asked for 2 clusters. Languages are not mixed")
    assert find_clusters(export, ClusterSettings(k=2, across_languages=True), toy).k == 2


@pytest.mark.parametrize("k", [15, None])
def test_identical_titles_everywhere_are_one_named_cluster(toy, k):
    found = find_clusters(crawl(["Plumber"] * 40), ClusterSettings(k=k), toy)
    assert found.groups["cluster"].tolist() == ["Plumber"]
    assert len(tables(found).main()) == 40


def test_titles_of_stop_words_only_are_named_all_the_same(toy):
    found = find_clusters(crawl(["About us", "About us", "The", "The"]), ClusterSettings(k=2), toy)
    assert sorted(found.groups["cluster"]) == ["About us", "The"]


def test_scripts_without_spaces_have_names(toy):
    titles = ["自転車の旅 東北", "自転車の旅 九州", "自転車の旅 四国", "料理の本", "料理の道具", "料理の教室"]
    found = find_clusters(crawl(titles), ClusterSettings(k=2), toy)
    assert found.groups["cluster"].is_unique and (found.groups["cluster"].str.len() > 0).all()


def test_pages_without_any_text_are_distinguished_by_their_urls(toy):
    found = find_clusters(crawl([""] * 5), ClusterSettings(k=2), toy)
    assert len(tables(found).main()) == 5
    assert (tables(found).main()["title"] != "").all()


def test_a_file_emptied_by_the_filters_says_by_which(toy):
    pages = crawl(["Tents", "Stoves"], None, **{"Content Type": "image/png"})
    with pytest.raises(NoRowsLeft, match="Not HTML"):
        find_clusters(pages, ClusterSettings(filters=PageFilters()), toy)


def test_given_embeddings_are_used_instead_of_the_encoders(toy):
    pages = crawl(["Tents", "Stoves", "Maps", "Charts"])
    vectors = np.eye(2, toy.dimensions, dtype=np.float32)[[0, 0, 1, 1]]
    given = PageVectors(tuple(pages.table["url"]), vectors, toy.name, None)
    assert find_clusters(pages, ClusterSettings(k=2), toy, vectors=given).pages["cluster_number"].tolist() == [
        0,
        0,
        1,
        1,
    ]


def test_columns_of_the_file_joined_stand_for_a_page(toy):
    pages = crawl(["Same"] * 4, Product=["Tent", "Tent", "Stove", "Stove"], Use=["camp", "camp", "cook", "cook"])
    found = find_clusters(pages, ClusterSettings(k=2, columns=("Product", "Use")), toy)
    assert found.texts.texts == ("Tent. camp", "Tent. camp", "Stove. cook", "Stove. cook")
    assert found.texts.mode == "Product + Use"
    assert found.pages["cluster_number"].tolist() == [0, 0, 1, 1]


def test_embeddings_of_other_pages_are_refused(toy):
    pages = crawl(["Tents", "Stoves"])
    given = PageVectors((f"{SITE}/elsewhere",), np.eye(1, toy.dimensions, dtype=np.float32), toy.name, None)
    with pytest.raises(EmbeddingMismatch):
        find_clusters(pages, ClusterSettings(), toy, vectors=given)


def test_a_run_can_be_stopped(toy):
    def stop(what, done, total):
        raise Cancelled

    with pytest.raises(Cancelled):
        find_clusters(crawl(["Tents", "Stoves"]), ClusterSettings(), toy, on_progress=stop)


def test_the_table_passed_in_is_not_changed(toy):
    pages = of_sample("pages")
    before = pages.table.copy()
    find_clusters(pages, ClusterSettings(k=3), toy)
    pd.testing.assert_frame_equal(pages.table, before)


def test_no_two_clusters_have_a_name_that_reads_the_same(toy):
    contents = ["the of and to in"] * 4 + ["we you they them our"] * 4
    pages = crawl(["Home"] * 4 + ["home"] * 4, contents)
    found = find_clusters(pages, ClusterSettings(k=2, text="content"), toy)
    assert found.groups["cluster"].tolist() == ["Home", "Home (2)"]
    assert found.pages.groupby("cluster").size().tolist() == [4, 4]


def test_pages_of_a_template_are_in_one_cluster():
    titles = ["Report 1", "Report 2", "Fence", "Gate", "Boat", "Violin"]
    texts = ["oak table lamp", "oak table rope", "fence stove", "fence stove gate", "boat kite drum", "violin clock"]
    found = find_clusters(crawl(titles, texts), ClusterSettings(text="content", k=5), ToyEncoder(), with_map=False)
    assert found.pages["cluster_number"].head(2).nunique() == 1


def test_a_cluster_without_a_page_about_its_name_says_that_it_has_no_hub():
    texts = [f"oak table care {word}" for word in ("one", "two", "red", "blue")]
    pages = crawl(["Alder", "Birch", "Cedar", "Dogwood"], texts)
    rows = [("Hyperlink", f"{SITE}/item-0", f"{SITE}/item-1", "see", "Content")]
    inlinks = load([("l.csv", as_csv(("Type", "Source", "Destination", "Anchor", "Link Position"), rows))], "inlinks")
    settings = ClusterSettings(text="content", k=1)
    found = find_clusters(pages, settings, ToyEncoder(), sources=Sources(inlinks=inlinks))
    assert found.groups["cluster"].tolist() == ["Oak table care"]
    assert found.groups[["hub_title", "hub_url"]].to_numpy().tolist() == [[WITHOUT_HUB, ""]]
    assert found.missing_links is not None and set(found.missing_links["direction"]) <= {BETWEEN_PAGES}
    on_map = found.pages.join(found.topic_map.pages, how="inner")
    assert topic_map_chart(on_map, found.groups, found.topic_map.referring).data


def test_large_mixed_clusters_are_split_unless_their_number_was_given(monkeypatch):
    rng = np.random.default_rng(0)
    vectors = np.repeat(np.eye(5, dtype="float32")[:3], 12, axis=0) + 0.05 * rng.random((36, 5), dtype="float32")
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)

    def named(_, found, *rest):
        return [f"Mixed: {number}" if size > 20 else f"Lamps {number}" for number, size in enumerate(found.sizes)]

    monkeypatch.setattr(sys.modules[group_and_name.__module__], "name_clusters", named)
    urls, texts = [""] * 36, cast(Any, SimpleNamespace(names=["Lamp"] * 36))
    for settings, sizes in ((ClusterSettings(k_range=(2, 2)), [12, 12, 12]), (ClusterSettings(k=2), [24, 12])):
        found, names, *_ = group_and_name(texts, vectors, np.zeros(36), settings, None, urls)
        assert found.sizes.tolist() == sizes and names == named(None, found)
