"""Pages that compete for one subject, on a small crawl with the toy encoder."""

from backlink_audit.exports.load import load
from backlink_audit.internal_links.result import with_figures
from backlink_audit.internal_links.run import find_internal_links
from backlink_audit.internal_links.tables import competing_pages, tables
from backlink_audit.settings import InterlinkSettings
from tests.crawls import crawl
from tests.toy import ToyEncoder

SITE = "https://shop.example"
TWO = ("How to oil a teak table", "How to oil your teak table")
FOUR = (*TWO, "Repair a wobbly chair leg", "Repair that wobbly chair leg")


def found(*titles):
    pages = [(f"{SITE}/{place}", title, title, "") for place, title in enumerate(titles)]
    return find_internal_links(crawl(*pages), InterlinkSettings(), ToyEncoder())


def pairs_of(result):
    pairs = competing_pages(result)
    return [{one, other} for one, other in zip(pairs["source_title"], pairs["target_title"], strict=True)]


def with_queries(result, *rows):
    """The result with clicks by page and query: (page, query, impressions)."""
    lines = [f"{SITE}/{page},{query},1,{impressions}" for page, query, impressions in rows]
    text = "\n".join(["Page,Query,Clicks,Impressions", *lines])
    return with_figures(result, load([("search.csv", text.encode())], "performance"))


def test_two_pages_about_one_subject_with_nearly_the_same_title_compete():
    assert pairs_of(found(*TWO, "Interest rates explained")) == [set(TWO)]


def test_each_pair_is_listed_once_the_most_similar_first():
    pairs = competing_pages(found(*FOUR))
    assert len(pairs) == 2 and pairs["similarity"].is_monotonic_decreasing


def test_parts_of_a_series_and_models_do_not_compete():
    assert pairs_of(found("How to oil a teak table 1", "How to oil a teak table 2")) == []
    assert pairs_of(found("Oak table with legs x3", "Oak table with legs x5")) == []


def test_pages_for_each_town_do_not_compete():
    towns = ("Berlin", "New York", "Frankfurt")
    assert pairs_of(found(*(f"Repair of oak tables in {town} today" for town in towns))) == []


def test_pages_for_each_size_do_not_compete_though_each_product_has_two_of_them():
    products = ("Wide teak shelf with doors", "Wool rug made by hand", "Iron lamp made of brass")
    pages = [f"{product} {size}" for product in products for size in ("small", "large")]
    assert pairs_of(found(*pages)) == []
    assert len(pairs_of(found(*pages[:4]))) == 2  # that two products have them is no rule of the site


def test_two_wordings_of_one_title_are_no_template():
    three = (*TWO, "How to oil the teak table")
    assert len(pairs_of(found(*three))) == 3


def test_pairs_that_share_queries_come_first_and_name_those_that_find_both_most():
    result = found(*FOUR)
    assert "shared_queries" not in competing_pages(result)
    last = competing_pages(result).iloc[-1]
    one, other = (url.rpartition("/")[2] for url in (last["source_url"], last["target_url"]))
    rows = [(page, query, seen) for page in (one, other) for query, seen in (("teak oil", 40), ("Wax", 300))]
    pairs = competing_pages(with_queries(result, *rows, (one, "rare", 5)))
    assert pairs["source_url"].iloc[0] == last["source_url"]
    assert pairs["shared_queries"].tolist() == ["wax, teak oil", ""]


def test_a_query_that_hardly_ever_finds_one_of_the_pages_is_not_shared():
    pairs = competing_pages(with_queries(found(*TWO), (0, "oak shop", 950), (1, "oak shop", 50)))
    assert pairs["shared_queries"].tolist() == [""]


def test_the_sheet_has_the_shared_queries():
    sheet = tables(with_queries(found(*TWO), (0, "teak oil", 5), (1, "teak oil", 5))).sheets()["Competing pages"]
    assert sheet["Shared queries"].tolist() == ["teak oil"]


def test_a_crawl_of_one_page_has_none():
    assert competing_pages(found("Alone")).empty
