"""The links of a site as a graph: what is a page, which links count, and what they weigh."""

import pytest

from backlink_audit.errors import NoRowsLeft
from backlink_audit.exports.load import load
from backlink_audit.site.links import ELSEWHERE, FILE, ITSELF, NO_LINK, read_site_links
from tests.crawls import as_csv

SITE = "https://www.shop.example"
HEADER = ("Type", "Source", "Destination", "Status Code", "Follow", "Rel", "Link Position")
CRAWL = ("Address", "Content Type", "Status Code", "Title 1", "Redirect URL")


def link(source, target, *, kind="Hyperlink", status=200, follow="true", rel="", position="Content"):
    whole = [url if "://" in url else f"{SITE}{url}" for url in (source, target)]
    return (kind, *whole, status, follow, rel, position)


def read(*rows, crawl=()):
    inlinks = load([("links.csv", as_csv(HEADER, rows))], "inlinks")
    pages = load([("crawl.csv", as_csv(CRAWL, crawl))], "pages") if crawl else None
    return read_site_links([inlinks.table], inlinks.name, pages)


def paths(links):
    return [url.removeprefix(SITE) for url in links.pages["url"]]


def edges(links):
    names = paths(links)
    return {(names[a], names[b]) for a, b in zip(links.links["source"], links.links["target"], strict=True)}


def weight(links, source, target):
    names = paths(links)
    return links.weights(0.3)[names.index(source), names.index(target)]


def test_only_hyperlinks_between_two_pages_of_the_site_count():
    links = read(
        link("/a", "/b"),
        link("/a", "/photo.jpg"),
        link("/a", "/style.css", kind="CSS"),
        link("/a", "/a#top"),
        link("/a", "https://elsewhere.example/"),
        link("/a", "https://blog.shop.example/", position="Footer"),
    )
    assert edges(links) == {("/a", "/b")} and paths(links) == ["/a", "/b"]
    assert links.left_out == {NO_LINK: 1, ELSEWHERE: 2, FILE: 1, ITSELF: 1}


def test_all_ways_to_write_a_url_are_one_page():
    links = read(link("/a/", "http://shop.example/b?utm_source=x"), link("/b/index.html", "/a"))
    assert len(links.pages) == 2 and len(links.links) == 2


def test_repeated_links_count_once_by_the_one_that_weighs_most():
    links = read(
        link("/a", "/b", position="Footer"),
        link("/a", "/b"),
        link("/a", "/c", position="Navigation"),
        link("/a", "/c", position="Footer"),
        link("/a", "/d", follow="false"),
        link("/b", "/d", rel="nofollow noopener", follow=""),
    )
    assert [weight(links, "/a", target) for target in ("/b", "/c", "/d")] == pytest.approx([1, 0.3, 0])
    assert weight(links, "/b", "/d") == 0


@pytest.mark.parametrize(("word", "followed"), [("follow", True), ("dofollow", True), ("nofollow", False), ("", True)])
def test_a_column_follow_may_hold_words(word, followed):
    assert read(link("/a", "/b", follow=word)).links["followed"].tolist() == [followed]


def test_redirects_are_followed_to_their_end_and_circles_stay_where_they_are():
    links = read(
        link("/a", "/old", status=301),
        link("/a", "/round", status=301),
        link("/a", "/away", status=302),
        link("/old", "/older", kind="HTTP Redirect"),
        crawl=[
            (f"{SITE}/a", "text/html", 200, "A", ""),
            (f"{SITE}/older", "text/html", 301, "", f"{SITE}/new"),
            (f"{SITE}/new", "text/html", 200, "New", ""),
            (f"{SITE}/round", "text/html", 301, "", f"{SITE}/round-2"),
            (f"{SITE}/round-2", "text/html", 301, "", f"{SITE}/round"),
            (f"{SITE}/away", "text/html", 302, "", "https://elsewhere.example/"),
        ],
    )
    assert edges(links) == {("/a", "/new"), ("/a", "/round")}
    assert set(paths(links)) == {"/a", "/new", "/round"}
    assert links.links.sort_values("target")["steps"].tolist() == [2, 2]
    assert links.left_out[ELSEWHERE] == 1


def test_a_crawl_adds_pages_without_links_and_distinguishes_files_from_pages():
    crawl = [
        (f"{SITE}/a", "text/html", 200, "A", ""),
        (f"{SITE}/orphan", "text/html", 200, "Orphan", ""),
        (f"{SITE}/gone", "text/html", 404, "", ""),
        (f"{SITE}/paper", "application/pdf", 200, "", ""),
        (f"{SITE}/list.json", "text/html", 200, "A page all the same", ""),
    ]
    links = read(link("/a", "/paper"), link("/a", "/list.json"), link("/a", "/dead", status=404), crawl=crawl)
    assert set(paths(links)) == {"/a", "/orphan", "/list.json", "/dead"}
    assert links.pages.set_index("url")["status"][f"{SITE}/dead"] == 404


def test_a_crawl_of_another_site_is_left_out_and_one_of_another_day_is_said():
    other = [("https://elsewhere.example/", "text/html", 200, "Other", "")]
    links = read(link("/a", "/b"), crawl=other)
    assert len(links.pages) == 2 and "elsewhere.example" in links.notes[0]
    half = [(f"{SITE}/a", "text/html", 200, "A", "")]
    assert "1 of 2 linking pages (50%)" in read(link("/a", "/b"), link("/b", "/a"), crawl=half).notes[0]


def test_without_positions_that_is_known_and_without_links_refused():
    assert not read(link("/a", "/b", position="")).knows_positions
    with pytest.raises(NoRowsLeft, match="1 row is a hyperlink"):
        read(link("/a", "/b.css", kind="CSS"))
