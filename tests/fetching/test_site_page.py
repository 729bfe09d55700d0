"""A page of one's own site as a crawler's export has it."""

import pytest

from backlink_audit.fetching.reading import SitePage, page_from, read_site_page

URL = "http://shop.example/shoes/red"


@pytest.fixture(autouse=True)
def quiet(caplog):
    """What trafilatura logs of short pages is not for users: the child that reads them logs nothing."""
    caplog.set_level("CRITICAL")


def read(html: str, **told: str) -> SitePage:
    return page_from(read_site_page(html.encode(), URL, "text/html; charset=utf-8", **told))


def test_a_page_says_what_an_export_has_of_it():
    page = read(
        """<html lang="de"><head><title> Red
        shoes </title><meta name="Description" content="All red shoes"><meta name=robots content="noindex, follow">
        <link rel=canonical href="/shoes"><link rel=alternate hreflang=fr href="https://shop.example/fr/">
        </head><body><nav>Menu of the shop</nav><h1>Red <b>shoes</b></h1><h2>New ones</h2>
        <main><p>They are of leather.</p></main><footer>Imprint</footer></body></html>"""
    )
    assert (page.title, page.h1, page.h2, page.description) == ("Red shoes", "Red shoes", "New ones", "All red shoes")
    assert (page.robots, page.noindex, page.canonical) == ("noindex, follow", True, "http://shop.example/shoes")
    assert (page.language, page.alternates) == ("de", (("fr", "https://shop.example/fr/"),))
    assert page.words == len("Red shoes New ones They are of leather.".split())
    assert "They are of leather." in page.text


def test_links_inside_the_site_have_anchor_rel_and_place():
    page = read(
        """<nav><a href="/">Home</a></nav><main><p><a href="blue#top" rel="NoFollow">blue <i>ones</i></a>
        <a href="https://www.shop.example"><img src=x alt="Our  logo"></a></p></main>
        <a href="https://other.example/">out</a><a href="mailto:a@b.example">mail</a><a href="http://[bad">bad</a>
        <a href="http://shop.example:abc/">bad</a>"""
    )
    found = [(link.url, link.anchor, link.alt_text, link.follow, link.place) for link in page.links]
    assert found == [
        ("http://shop.example/", "Home", "", True, "navigation"),
        ("http://shop.example/shoes/blue", "blue ones", "", False, "content"),
        ("https://www.shop.example/", "", "Our logo", True, "content"),
    ]
    assert page.external_links == 1


def test_addresses_count_from_the_base_of_the_page():
    page = read('<base href="/sale/"><a href="coats">Coats</a><link rel=canonical href="all">')
    assert [link.url for link in page.links] == ["http://shop.example/sale/coats"]
    assert page.canonical == "http://shop.example/sale/all"


def test_a_page_that_asks_not_to_follow_has_no_followed_link():
    assert not read('<a href="/a">a</a>', robots_tag="nofollow").links[0].follow


def test_a_page_sends_its_visitors_on_but_not_to_itself():
    refresh = '<meta http-equiv=refresh content="0;url={}"><p>Wait</p>'
    assert read(refresh.format("/new")).refresh == "http://shop.example/new"
    assert read(refresh.format(URL)).refresh == ""


@pytest.mark.parametrize(
    ("html", "remark"),
    [
        ("<div id=app></div><script src=app.js></script>", "no text without JavaScript"),
        ("<p>Short, but <a href=/a>a page</a></p><script src=count.js></script>", ""),
        ("<form><input type=password></form>", "a login"),
    ],
)
def test_a_shell_without_text_or_links_is_remarked(html, remark):
    assert read(html).remark == remark


def test_html_that_never_closes_is_read():
    page = read("<title>Open</title><div>" * 3 + "<p>Text <a href=/a>link " + "<b>" * 500)
    assert (page.title, page.links[0].url) == ("Open", "http://shop.example/a")


def test_a_page_that_could_not_be_read_has_the_remark_alone():
    assert page_from({"wall": "HTML that takes too long to read"}) == SitePage(
        remark="HTML that takes too long to read"
    )
