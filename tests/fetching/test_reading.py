"""A page's HTML: which links to our site it has, where they stand, and what it says of itself."""

import time

import pytest

from backlink_audit.fetching.reading import Link, Reading, read_page

SITES = {"our-site.com"}
URL = "https://blog.example/2024/post"


def read(html: str, url: str = URL, **told: str) -> Reading:
    return read_page(html.encode(), url, SITES, **told)


@pytest.fixture(autouse=True)
def quiet(caplog):
    """What trafilatura logs of pages without text is not for users: the child that reads them logs nothing."""
    caplog.set_level("CRITICAL")


def link(html: str) -> Link:
    [found] = read(html).links
    return found


def test_a_link_has_its_words_and_those_around_it():
    found = link(
        "<h2>Chains</h2><p>First.</p><p>We like <b>the guide</b> to "
        '<a href="https://our-site.com/chains" rel="Nofollow UGC">bicycle <i>chains</i></a>, which <u>is</u> long.</p>'
    )
    assert (found.anchor, found.before, found.after) == ("bicycle chains", "We like the guide to", ", which is long.")
    assert (found.rel, found.kind, found.heading) == (("nofollow", "ugc"), "text", "Chains")


def test_the_words_around_end_at_the_paragraph():
    found = link('<ul><li>One</li><li><a href="https://our-site.com/">Our site</a></li><li>Three</li></ul>')
    assert (found.before, found.after) == ("", "")


@pytest.mark.parametrize(
    ("html", "place"),
    [
        ("<main><p>{}</p></main>", "content"),
        ("<nav><ul><li>{}</li></ul></nav>", "navigation"),
        ("<div class='site-footer'><p>{}</p></div>", "footer"),
        ("<div id='sidebar-left'><div class='box'>{}</div></div>", "aside"),
        ("<footer><nav>{}</nav></footer>", "navigation"),
        ("<header><p>{}</p></header>", "header"),
        ("<article><header><p>{}</p></header></article>", "content"),
        ("<main><aside>{}</aside></main>", "aside"),
        ("<div role=contentinfo>{}</div>", "footer"),
        ("<div class='navigate-less'><p>{}</p></div>", ""),
        ("<p>{}</p>", ""),
    ],
)
def test_where_a_link_stands_is_what_the_nearest_part_says(html, place):
    assert link(html.format('<a href="https://our-site.com/">us</a>')).place == place


@pytest.mark.parametrize(
    ("html", "kind", "anchor"),
    [
        ('<a href="https://our-site.com/"><img src=x alt=" Our logo "></a>', "image", "Our logo"),
        ('<iframe src="https://our-site.com/widget"></iframe>', "frame", ""),
        ('<form action="https://our-site.com/search"></form>', "form", ""),
        ('<map><area href="https://our-site.com/"></map>', "image", ""),
        ('<head><link rel=canonical href="https://our-site.com/a"></head>', "canonical", ""),
        ('<head><link rel="alternate" href="https://our-site.com/a"></head>', "alternate", ""),
    ],
)
def test_every_kind_of_link_that_tools_list_is_found(html, kind, anchor):
    assert (link(html).kind, link(html).anchor) == (kind, anchor)


def test_a_style_sheet_and_what_is_hidden_are_no_links():
    link = '<a href="https://our-site.com/">x</a>'
    hidden = f"<noscript>{link}</noscript><template>{link}</template>"
    html = f'<link rel=stylesheet href="https://our-site.com/a.css"><p>Text</p>{hidden}'
    assert read(html).links == ()


def test_addresses_follow_the_base():
    found = link('<base href="https://our-site.com/blog/"><a href="../shop?a=1#top">x</a>')
    assert found.url == "https://our-site.com/shop?a=1"


def test_a_page_that_sends_visitors_on_is_named():
    found = link('<a href="/out?to=https%3A%2F%2Four-site.com%2Fshop">x</a>')
    assert (found.url, found.through) == (
        "https://our-site.com/shop",
        "https://blog.example/out?to=https%3A%2F%2Four-site.com%2Fshop",
    )


def test_links_to_other_sites_are_counted_each_and_those_to_its_own_are_not():
    html = (
        '<a href="https://a.com/">1</a><a href="https://a.com/">2</a><a href="/x">3</a><a href="mailto:a@b.com">4</a>'
    )
    assert read(html + '<a href="https://www.blog.example/">5</a>').external_links == 2


@pytest.mark.parametrize(
    ("html", "tag", "noindex", "nofollow"),
    [
        ('<meta name="Robots" content="NOINDEX, follow">', "", True, False),
        ('<meta name="robots" content="none">', "", True, True),
        ('<meta name="googlebot" content="nofollow">', "", False, True),
        ("", "noindex", True, False),
        ('<meta name="robots" content="max-image-preview:large">', "", False, False),
    ],
)
def test_what_a_page_asks_of_search_engines(html, tag, noindex, nofollow):
    found = read(html, robots_tag=tag)
    assert (found.noindex, found.nofollow) == (noindex, nofollow)


def test_what_a_page_says_of_itself():
    found = read('<html lang="de"><title> A\n page </title><link rel="canonical" href="/2024/post/">')
    assert (found.title, found.language, found.canonical) == ("A page", "de", "https://blog.example/2024/post/")


@pytest.mark.parametrize(
    ("content", "where"),
    [
        ("0; url=/new", "https://blog.example/new"),
        ("3;URL='https://b.example/'", "https://b.example/"),
        ("0;/new", "https://blog.example/new"),
        ("300", ""),
        ("300; url=/live", ""),
        ("", ""),
    ],
)
def test_a_refresh_is_a_redirect_if_it_comes_soon(content, where):
    assert read(f'<meta http-equiv="Refresh" content="{content}">').refresh == where


LONG = "<p>" + "Bicycles are good for long roads. " * 200 + "</p>"


@pytest.mark.parametrize(
    ("html", "wall"),
    [
        ("<title>Just a moment...</title><script>x</script>", "a wall against programs"),
        ("<h1>Access denied</h1><p>You have no permission.</p>", "a wall against programs"),
        (f"<h1>Are you a robot? A history of captchas</h1>{LONG}", ""),
        ("<form><input name=a><input type=password></form>", "a login"),
        (f"{LONG}<form><input type=password></form>", ""),
        ('<div id="root"></div><script src="/app.js"></script>', "no text without JavaScript"),
        ("<p>Short.</p>", ""),
        (LONG, ""),
    ],
)
def test_what_is_shown_instead_of_the_page_is_no_page(html, wall):
    assert read(html).wall == wall


def test_a_page_with_the_link_is_the_page_however_it_looks():
    assert read('<script>x</script><a href="https://our-site.com/">x</a>').wall == ""


def test_the_main_text_is_kept_where_there_is_a_link():
    menu = "<nav><a href=/>Home</a><a href=/b>Cheap flights</a></nav>"
    page = f'<html><body>{menu}<article><h1>Roads</h1>{LONG}<p><a href="https://our-site.com/">us</a></p></article>'
    assert read(page).text.count("Bicycles are good") == 200
    assert "Cheap flights" not in read(page).text
    assert read(LONG).text == ""


@pytest.mark.parametrize(
    "html",
    [
        "x" * 5_000_000,
        '<p><a href="https://our-site.com/">a<b>b<div>' * 500,
        '<a href="https://our-site.com/">' * 2_000,
        "<li><a href='https://a.com/c'>hello</a>" * 10_000,
        "<!--" * 100_000,
        "\0" * 1_000_000,
        "<table><tr><td>" * 2_000 + '<a href="https://our-site.com/">x</a>',
    ],
)
def test_broken_html_is_read_in_a_moment(html):
    begun = time.process_time()
    found = read(html)
    assert isinstance(found, Reading)
    assert time.process_time() - begun < 10


def test_a_page_of_nothing_but_links_to_us_keeps_some():
    assert 1 < len(read('<p><a href="https://our-site.com/">x</a></p>' * 1_000).links) <= 200
