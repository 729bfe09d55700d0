"""Pages worth linking from, for those that deserve more."""

import pytest

from backlink_audit.authority.result import tables
from backlink_audit.authority.run import find_authority, with_sources
from backlink_audit.exports.load import load
from backlink_audit.settings import AuthoritySettings
from backlink_audit.sources import Sources
from tests.crawls import as_csv, crawl_file
from tests.toy import ToyEncoder

SITE = "https://shop.example"
LINKS = ("Type", "Source", "Destination", "Status Code", "Follow", "Link Position", "Anchor")
TAXES = "Ledger vouchers and invoice audit figures for quarter"
PAGES = (
    (f"{SITE}/", "Shop", "Shop", "Everything for the hills, from boots to ropes, since long ago."),
    (f"{SITE}/tent", "Alpine tent", "Alpine tent", "Poles that hold in storms and snow, camps in wind, pegs for snow."),
    (f"{SITE}/snow", "Snow camp", "Snow camp", "Camps in snow take care. We bring an alpine tent with long pegs."),
    (f"{SITE}/storm", "Storm nights", "Storm nights", "Storms and wind test camps. An alpine tent stays up all night."),
    (f"{SITE}/linked", "Wind", "Wind", "Wind bends poles in camps. Put your alpine tent behind walls."),
    (f"{SITE}/tax", "Tax", "Tax", "Invoices vouchers ledgers depreciation audit quarterly figures."),
    *((f"{SITE}/tax/{n}", f"Ledger {n}", f"Ledger {n}", f"{TAXES} {n}.") for n in range(9)),
)
PAIRS = [("/", "/snow"), ("/", "/storm"), ("/", "/linked"), ("/", "/tax"), ("/linked", "/tent"), ("/snow", "/")]
PAIRS += [("/tax", f"/tax/{n}") for n in range(9)] + [(f"/tax/{n}", "/") for n in range(9)]
PAIRS += [("/linked", f"/tax/{n}") for n in range(9)]


@pytest.fixture(scope="module")
def result():
    rows = [("Hyperlink", SITE + a, SITE + b, 200, "true", "Content", "words") for a, b in PAIRS]
    links = load([("links.csv", as_csv(LINKS, rows))], "inlinks")
    crawl = load([("crawl.csv", crawl_file(*PAGES))], "pages")
    found = find_authority(links, AuthoritySettings(), sources=Sources(pages=crawl), wanted=[f"{SITE}/tent"])
    return with_sources(found, crawl, links.table, ToyEncoder())


def test_the_sources_are_relevant_have_the_words_and_do_not_link_yet(result):
    found = result.sources
    assert set(found["target_url"]) == {f"{SITE}/tent"}
    assert set(found["source_url"]) == {f"{SITE}/snow", f"{SITE}/storm"}
    assert found["anchor"].str.lower().eq("alpine tent").all()
    assert [anchor in sentence for anchor, sentence in zip(found["anchor"], found["sentence"], strict=True)]


def test_the_order_is_what_the_link_would_pass(result):
    pages = result.pages.set_index("url")
    for row in result.sources.itertuples():
        page = pages.loc[row.source_url]
        assert row.passes == pytest.approx(page["pagerank"] / (page["links_out"] + 1) * row.page_relevance / 100)
    assert result.sources["passes"].is_monotonic_decreasing
    assert len(tables(result).sheets()["Sources"]) == len(result.sources)
