"""The terminal's `crawl`: a site on this machine becomes a crawl and an inlinks export that our readers know."""

import gzip
import re
import sqlite3
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

import pandas as pd
import pytest
import typer

from backlink_audit.errors import Cancelled
from backlink_audit.exports.load import load
from backlink_audit.fetching import requests
from backlink_audit.fetching import site_crawl as site
from backlink_audit.fetching.readers import Readers
from backlink_audit.fetching.reading import SiteLink, SitePage, page_from, read_site_page, read_sitemap
from backlink_audit.fetching.requests import RequestLimits
from backlink_audit.fetching.site_pages import Answer, Found
from backlink_audit.settings import CrawlSettings
from tests.fetching.servers import Page, answer, drip, in_turn, redirect, serving, zeros
from tests.terminal.calls import run

TEXT = "<p>Chains of bicycles are cleaned with a brush and a little oil, then they run well for a long time.</p>"
Site: TypeAlias = dict[str, str | Page]
PAGES: Site = {
    "/": f"""<html lang=en><title>Bicycles</title><link rel=alternate hreflang=de href="/de"><body>
        <nav><a href="/chains">Chains</a></nav><main><h1>All about bicycles</h1>{TEXT}
        <p>Read about <a href="/oil">oil for chains</a> and <a href="/private" rel=nofollow>accounts</a>.</p></main>""",
    "/chains": f'<title>Chains</title><h1>Chains</h1><main>{TEXT}<a href="/">home</a> <a href="/gone">old</a></main>',
    "/oil": f'<title>Oil</title><meta name=robots content=noindex>{TEXT}<a href="/chains">chains</a>',
}


def hang_up(handler) -> None:
    """No answer at all."""
    handler.close_connection = True


class SameProcess(Readers):
    """Reads pages in this process: nobody has to wait for another one to begin."""

    async def read_site_page(self, response):
        return page_from(read_site_page(response.body, response.url, response.headers.get("content-type", "")))

    async def listed(self, response):
        told = read_sitemap(response.body)
        return (told["sitemaps"], told["pages"]) if told else None


@pytest.fixture(autouse=True)
def folder(monkeypatch, tmp_path, caplog):
    """Work in a folder of its own, and read pages in this process."""
    caplog.set_level("CRITICAL")  # trafilatura speaks of short pages; the process that reads them does not listen
    monkeypatch.setattr(site, "Readers", SameProcess)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def crawl(monkeypatch, capsys, start: str, *more: str) -> tuple[int, str]:
    given = ("crawl", start, "-o", "crawl.csv", "--inlinks", "inlinks.csv", "--local", "--pace", "0", *more)
    return run(monkeypatch, capsys, *given)


def pages(server) -> Any:
    table = pd.read_csv("crawl.csv", keep_default_na=False, dtype="str")
    table.index = table["Address"].str.removeprefix(f"http://127.0.0.1:{server.port}")
    return table


def crawled(monkeypatch, capsys, found: Site, *more: str) -> tuple[Any, str, list[str]]:
    """Crawl a site from its home page; return the table by path, what was said, and the paths that were asked."""
    with serving(found) as server:
        code, said = crawl(monkeypatch, capsys, f"http://127.0.0.1:{server.port}/", "--yes", *more)
        assert code == 0, said
        return pages(server), said, [one.path for one in server.asked]


def test_every_page_is_asked_once_and_stands_in_the_table(monkeypatch, capsys):
    table, said, asked = crawled(monkeypatch, capsys, PAGES)
    assert asked[:2] == ["/robots.txt", "/"]
    assert sorted(asked) == sorted(["/robots.txt", *PAGES, "/gone"])
    assert table["Status Code"].to_dict() == {"/": "200", "/chains": "200", "/oil": "200", "/gone": "404"}
    assert table["Crawl Depth"].to_dict() == {"/": "0", "/chains": "1", "/oil": "1", "/gone": "2"}
    assert table["Indexability Status"].to_dict() == {
        "/": "",
        "/chains": "",
        "/oil": "noindex",
        "/gone": "Client Error",
    }
    assert table["Title 1"].tolist() == ["Bicycles", "Chains", "Oil", ""]
    assert table.loc["/chains", ["Inlinks", "Unique Inlinks", "Outlinks"]].tolist() == ["2", "2", "2"]
    assert table.loc["/", ["Language", "H1-1", "HTML hreflang 1"]].tolist() == ["en", "All about bicycles", "de"]
    assert "brush and a little oil" in table.loc["/", "Page Content"]
    assert "4 addresses asked: 3 with 200, 1 with 404." in said


def test_our_readers_know_both_tables(monkeypatch, capsys, folder):
    crawled(monkeypatch, capsys, PAGES)
    crawl_export = load([("crawl.csv", (folder / "crawl.csv").read_bytes())], "pages")
    links = load([("inlinks.csv", (folder / "inlinks.csv").read_bytes())], "inlinks")
    assert (crawl_export.format.name, links.format.name) == ("Screaming Frog pages", "Screaming Frog all inlinks")
    assert crawl_export.table["content"].str.contains("brush").sum() == 3
    rows = links.table[["anchor", "follow", "link_position", "http_status"]].fillna(0).astype("str").to_numpy().tolist()
    assert rows[:3] == [
        ["Chains", "True", "Navigation", "200.0"],
        ["oil for chains", "True", "Content", "200.0"],
        ["accounts", "False", "Content", "0.0"],
    ]


def test_it_says_first_how_many_requests_it_sends_and_asks(monkeypatch, capsys, folder):
    with serving(PAGES) as server:
        start = f"http://127.0.0.1:{server.port}/"
        code, said = run(monkeypatch, capsys, "crawl", start, "-o", "c.csv", "--local", "--limit", "100")
        assert code == 2
        assert said.splitlines() == [
            "This crawl sends at most 100 requests to 127.0.0.1, robots.txt included, one at a time, 2 seconds apart: "
            "all of them take at least 3 minutes.",
            "No request was sent. To send these requests from a script, add --yes.",
        ]
        assert not server.asked and not list(folder.iterdir())
        monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
        monkeypatch.setattr(typer, "confirm", lambda question, err: True)
        assert crawl(monkeypatch, capsys, start)[0] == 0
        assert server.asked


@pytest.mark.parametrize(
    "start", ["http://127.0.0.1:8000/", "http://localhost/", "http://[::1]/", "https://2130706433"]
)
def test_an_address_that_is_not_public_needs_the_option(monkeypatch, capsys, start):
    code, said = run(monkeypatch, capsys, "crawl", start, "-o", "c.csv", "--yes")
    assert (code, said) == (2, f"{start}: not a public address. If it is a server of your own, add --local.\n")


def test_redirects_are_rows_and_a_circle_of_them_ends(monkeypatch, capsys):
    found: Site = {"/": '<a href="/1">1</a>', "/1": redirect("/2", 302), "/2": redirect("/1")}
    table, _, asked = crawled(monkeypatch, capsys, found)
    assert asked == ["/robots.txt", "/", "/1", "/2"]
    assert table.loc["/1", ["Status Code", "Indexability Status"]].tolist() == ["302", "Redirected"]
    assert table.loc["/1", "Redirect URL"].endswith("/2")


@pytest.mark.parametrize(
    "place", ["http://169.254.169.254/latest", "http://[::1]/", "http://127.0.0.1:9/", "file:///etc"]
)
def test_a_redirect_out_of_the_site_is_not_followed(monkeypatch, capsys, place):
    table, _, asked = crawled(monkeypatch, capsys, {"/": '<a href="/1">1</a>', "/1": redirect(place)})
    assert asked == ["/robots.txt", "/", "/1"]
    assert table.index.tolist() == ["/", "/1"]


def test_a_refresh_is_followed_like_a_redirect(monkeypatch, capsys):
    found: Site = {"/": '<meta http-equiv=refresh content="0;url=/new"><p>Wait', "/new": PAGES["/chains"]}
    table, _, _ = crawled(monkeypatch, capsys, found)
    assert table.loc["/", "Indexability Status"] == "Redirected"
    assert table.loc["/new", "Title 1"] == "Chains"


def test_gigabytes_of_zeros_end_at_the_limit_of_bytes(monkeypatch, capsys):
    table, _, _ = crawled(monkeypatch, capsys, {"/": '<a href="/bomb">b</a>' + TEXT, "/bomb": zeros(10)})
    assert table.loc["/bomb", ["Status Code", "Size (Bytes)"]].tolist() == ["200", "2000000"]


def test_a_server_that_asks_to_wait_is_asked_again_after_that(monkeypatch, capsys):
    busy = in_turn(answer(429, Retry_After="1"), PAGES["/chains"])
    began = time.monotonic()
    table, _, asked = crawled(monkeypatch, capsys, {"/": '<a href="/busy">b</a>' + TEXT, "/busy": busy})
    assert time.monotonic() - began >= 1
    assert asked.count("/busy") == 2
    assert table.loc["/busy", "Status Code"] == "200"


def test_a_page_that_is_always_busy_is_asked_three_times(monkeypatch, capsys):
    table, _, asked = crawled(monkeypatch, capsys, {"/": '<a href="/busy">b</a>', "/busy": answer(503)})
    assert asked.count("/busy") == 3
    assert table.loc["/busy", "Indexability Status"] == "Server Error"


def test_html_that_never_closes_and_a_base_are_read(monkeypatch, capsys):
    found: Site = {"/": '<base href="/deep/"><div><p><a href="page">p' + "<div>" * 300, "/deep/page": TEXT}
    table, _, _ = crawled(monkeypatch, capsys, found)
    assert table.index.tolist() == ["/", "/deep/page"]


def test_robots_txt_is_obeyed_and_said(monkeypatch, capsys):
    robots = answer(200, b"User-agent: *\nDisallow: /chains", Content_Type="text/plain")
    table, _, asked = crawled(monkeypatch, capsys, {**PAGES, "/robots.txt": robots})
    assert "/chains" not in asked
    columns = ["Status Code", "Status", "Indexability Status", "Remark"]
    blocked = "Blocked by robots.txt"
    assert table.loc["/chains", columns].tolist() == ["0", blocked, blocked, "robots.txt forbids it"]


@pytest.mark.parametrize(
    ("home", "robots", "why"),
    [
        (TEXT, answer(500), "robots.txt could not be read"),
        (TEXT, "User-agent: *\nDisallow: /", "robots.txt forbids it"),
        (hang_up, "", "an answer that is not HTTP"),
    ],
)
def test_a_site_that_gives_no_page_is_one_sentence_and_no_table(monkeypatch, capsys, folder, home, robots, why):
    with serving({"/": home, "/robots.txt": robots}) as server:
        code, said = crawl(monkeypatch, capsys, f"http://127.0.0.1:{server.port}/", "--yes")
        assert robots == "" or server.paths() == []
    assert (code, said.splitlines()[-1]) == (2, f"127.0.0.1 gave no page: {why}. Nothing was written.")
    assert not list(folder.iterdir())


SITEMAP_IN_A_SCRIPT = f'<title>A</title><script>var a = "<urlset>"</script><a href="/chains">c</a>{TEXT}'


@pytest.mark.parametrize(
    ("start", "pages_of_site", "expected"),
    [
        ("/", {"/": SITEMAP_IN_A_SCRIPT, "/chains": TEXT}, ["/", "/chains"]),
        ("/s.xml.gz", {"/s.xml.gz": answer(200, gzip.compress(b"<urlset>" + b" " * 60_000_000)), "/": TEXT}, ["/"]),
        ("/s.xml.gz", {"/s.xml.gz": answer(200, b"\x1f\x8b\x08damaged"), "/": TEXT}, ["/s.xml.gz"]),
        ("/s.xml", {"/s.xml": "<urlset><url><loc>{base}/chains</loc><loc>{base}/oil", "/": TEXT}, ["/"]),
        ("/", {"/": answer(200, TEXT.encode(), Content_Type="text/html; charset=rot13")}, ["/"]),
        ("/", {"/": answer(200, b"<p>" + b"words " * 9_000_000, Content_Type="text/html")}, ["/"]),
        ("/", {"/": "<title>\x1b[31mred\x07 &#27;</title>" + TEXT}, ["/"]),
    ],
)
def test_nothing_that_a_site_answers_loses_the_crawl(monkeypatch, capsys, start, pages_of_site, expected):
    with serving(pages_of_site) as server:
        code, said = crawl(monkeypatch, capsys, f"http://127.0.0.1:{server.port}{start}", "--yes")
        assert code == 0, said
        table = pages(server)
    assert sorted(table.index) == expected
    assert not re.search("[\x00-\x08\x0b\x0c\x0e-\x1f]", Path("crawl.csv").read_text("utf-8"))


def test_a_site_without_end_leaves_a_bounded_list(monkeypatch, capsys):
    days = "".join(f'<a href="/events/2031/{month}/{day}">d</a>' for month in range(1, 13) for day in range(1, 29))
    facets = "".join(f'<a href="/shop?color={a}&size={b}">f</a>' for a in range(30) for b in range(20))
    many = "".join(f'<a href="/page-{number}">p</a>' for number in range(4_000))
    table, said, asked = crawled(monkeypatch, capsys, {"/": many + days + facets}, "--limit", "3")
    assert len(asked) == 3
    waiting = re.findall(r"([\d,]+) addresses known", said)[0].replace(",", "")
    assert int(waiting) <= site.BEYOND + 3 * site.PAGES_EACH
    assert "links left aside: days of calendars" in said


def test_a_page_put_together_by_javascript_is_said_to_be_so(monkeypatch, capsys):
    table, said, _ = crawled(
        monkeypatch, capsys, {"/": "<title>Shop</title><div id=app></div><script src=a.js></script>"}
    )
    assert table.loc["/", "Remark"] == "no text without JavaScript"
    assert "1 page without text or links until JavaScript runs" in said


def test_other_files_are_rows_whose_body_is_not_read(monkeypatch, capsys):
    pdf = answer(200, b"%PDF" * 1000, Content_Type="application/pdf")
    table, _, _ = crawled(monkeypatch, capsys, {"/": '<a href="/a.pdf">a</a>', "/a.pdf": pdf})
    assert table.loc["/a.pdf", ["Content Type", "Size (Bytes)", "Word Count"]].tolist() == ["application/pdf", "0", ""]


def test_a_connection_that_breaks_off_is_tried_again_and_then_said(monkeypatch, capsys):
    found: Site = {"/": '<a href="/odd">o</a><a href="/chains">c</a>', "/odd": hang_up, "/chains": TEXT}
    table, _, asked = crawled(monkeypatch, capsys, found)
    assert asked.count("/odd") == 3
    assert table.loc["/odd", ["Status Code", "Status"]].tolist() == ["0", "No Response"]


def test_a_server_that_falls_silent_ends_the_crawl_which_goes_on_later(monkeypatch, capsys, folder):
    links = "".join(f'<a href="/{number}">{number}</a>' for number in range(20))
    found: Site = {"/": links, **{f"/{number}": hang_up for number in range(20)}}
    with serving(found) as server:
        start = f"http://127.0.0.1:{server.port}/"
        _, said = crawl(monkeypatch, capsys, start, "--yes")
        assert "The crawl ended early: the server did not answer several times in a row; 20 addresses not asked" in said
        assert len(server.paths()) <= 1 + site.STRIKES + site.AT_ONCE
        server.pages |= {f"/{number}": TEXT for number in range(20)}
        code, said = crawl(monkeypatch, capsys, start, "--yes")
        assert code == 0
        assert "1 page already asked will not be asked again." in said
        assert server.paths().count("/") == 1
        assert pages(server)["Status Code"].tolist() == ["200"] * 21
    assert not (folder / "crawl.csv.unfinished").exists()


def test_the_limit_counts_every_request_and_a_larger_one_goes_on(monkeypatch, capsys):
    with serving(PAGES) as server:
        start = f"http://127.0.0.1:{server.port}/"
        _, said = crawl(monkeypatch, capsys, start, "--yes", "--limit", "3")
        assert len(server.asked) == 3
        assert "at its limit of 3 requests; 2 addresses known but not asked" in said
        _, said = crawl(monkeypatch, capsys, start, "--limit", "3")
        assert "No request is needed. 2 pages already asked will not be asked again." in said
        assert len(server.asked) == 3
        crawl(monkeypatch, capsys, start, "--yes", "--limit", "10")
        assert sorted(server.paths()) == sorted([*PAGES, "/gone"])
        assert len(pages(server)) == 4


def test_another_start_is_another_crawl(monkeypatch, capsys):
    with serving(PAGES) as server:
        crawl(monkeypatch, capsys, f"http://127.0.0.1:{server.port}/", "--yes", "--limit", "2")
        code, said = crawl(monkeypatch, capsys, f"http://127.0.0.1:{server.port}/oil", "--yes")
    assert code == 2
    assert re.search(r"unfinished crawl beside the output began at http://127.0.0.1:\d+/; delete it", said)


def sitemap(kind: str, *urls: str) -> str:
    entries = "".join(f"<entry><loc>{url}</loc></entry>" for url in urls)
    return f'<?xml version="1.0"?><{kind}>{entries}</{kind}>'.replace("entry", "url" if kind == "urlset" else "sitemap")


def test_from_a_sitemap_pages_without_links_are_found_and_have_no_depth(monkeypatch, capsys):
    with serving({**PAGES, "/orphan": TEXT}) as server:
        base = f"http://127.0.0.1:{server.port}"
        listed = sitemap("urlset", f"{base}/chains", f"{base}/orphan", "https://other.example/")
        packed = answer(200, gzip.compress(listed.encode()), Content_Type="application/gzip")
        server.pages |= {"/sitemap.xml": sitemap("sitemapindex", f"{base}/s.xml.gz"), "/s.xml.gz": packed}
        code, said = crawl(monkeypatch, capsys, f"{base}/sitemap.xml", "--yes")
        assert code == 0, said
        table = pages(server)
    assert sorted(table.index) == ["/", "/chains", "/gone", "/oil", "/orphan"]
    assert table["Crawl Depth"].to_dict() == {"/": "0", "/chains": "1", "/oil": "1", "/gone": "2", "/orphan": ""}


def test_a_workbook_has_both_tables(monkeypatch, capsys):
    with serving(PAGES) as server:
        start = f"http://127.0.0.1:{server.port}/"
        assert run(monkeypatch, capsys, "crawl", start, "-o", "c.xlsx", "--local", "--pace", "0", "--yes")[0] == 0
    assert list(pd.read_excel("c.xlsx", sheet_name=None))[:2] == ["Pages", "Inlinks"]


def test_nobody_else_can_be_asked_faster_than_once_a_second(monkeypatch, capsys):
    code, said = run(monkeypatch, capsys, "crawl", "https://shop.example/", "-o", "c.csv", "--yes", "--pace", "0.5")
    assert code == 2
    assert "The seconds between two requests must be between 1 and 3600" in said


def test_a_bug_is_not_hidden(monkeypatch, capsys):
    def broken(*_: object) -> None:
        raise KeyError("a bug")

    monkeypatch.setattr(site, "site_of", broken)
    with serving({"/": redirect("/1")}) as server, pytest.raises(KeyError, match="a bug"):
        crawl(monkeypatch, capsys, f"http://127.0.0.1:{server.port}/", "--yes")


def test_a_file_that_is_no_crawl_is_one_sentence(monkeypatch, capsys, folder):
    (folder / "crawl.csv.unfinished").write_bytes(b"something else" * 100)
    code, said = crawl(monkeypatch, capsys, "http://127.0.0.1:9/", "--yes")
    assert code == 2
    assert "crawl.csv.unfinished: what the crawl found cannot be kept" in said
    with sqlite3.connect(folder / "other.unfinished") as file:
        file.execute("PRAGMA user_version = 99")
    file.close()
    (folder / "other.unfinished").rename(folder / "crawl.csv.unfinished")
    assert "another version of this program" in crawl(monkeypatch, capsys, "http://127.0.0.1:9/", "--yes")[1]


def test_without_the_extra_one_sentence_says_what_to_install(monkeypatch, capsys):
    monkeypatch.setattr("backlink_audit.crawl.find_spec", lambda name: None)
    code, said = run(monkeypatch, capsys, "crawl", "https://shop.example/", "-o", "c.csv", "--yes")
    assert (code, said) == (2, 'The crawl needs more packages: install "backlink-audit[crawl]".\n')


def test_a_slow_page_is_given_up(monkeypatch, capsys):
    monkeypatch.setattr(requests, "RequestLimits", partial(RequestLimits, seconds=0.3))
    table, _, _ = crawled(monkeypatch, capsys, {"/": '<a href="/slow">s</a>' + TEXT, "/slow": drip(3)})
    assert table.loc["/slow", "Remark"] == "no answer in time"


def test_a_stop_ends_the_crawl_and_keeps_what_was_found(monkeypatch, capsys, folder):
    def stop(what: str, done: int, total: int) -> None:
        if done:
            raise Cancelled("Stopped.")

    monkeypatch.setattr(site, "TICK", 0.01)
    settings = CrawlSettings(local=True, pace=0.1)
    with serving(PAGES) as server, Found(folder / "found") as found:
        plan = site.begin(f"http://127.0.0.1:{server.port}/", settings, found)
        with pytest.raises(Cancelled):
            site.crawl(plan, settings, found, stop)
        assert (found.count("done"), len(server.asked)) == (1, 2)


def test_a_page_behind_a_nofollow_link_is_asked_where_another_link_is_followed(monkeypatch, capsys):
    found: Site = {"/": '<a href="/a" rel=nofollow>a</a><a href="/b">b</a>', "/b": '<a href="/a">a</a>', "/a": TEXT}
    table, _, _ = crawled(monkeypatch, capsys, found)
    assert table["Crawl Depth"].to_dict() == {"/": "0", "/a": "2", "/b": "1"}


def test_depth_is_the_least_number_of_clicks_whatever_was_asked_first(folder):
    links = {"/": ["/far", "/near"], "/far": ["/deep"], "/near": []}
    with Found(folder / "found") as found:
        found.add(["/"], depth=5, kind="start")
        while address := found.next(()):
            page = SitePage(links=tuple(SiteLink(url) for url in links.get(address.url, [])))
            found.record(address, Answer(status=200, page=page), sent=1)
        found.add(["/"], depth=0)
        found.shorten()
        assert {row.url: row.depth for row in found.rows()} == {"/": 0, "/far": 1, "/near": 1, "/deep": 2}
