"""Pages of servers on this machine are asked politely, and nothing that they do ends the check."""

import asyncio
import ssl
import time
from dataclasses import replace
from pathlib import Path

import pytest

from backlink_audit import __version__
from backlink_audit.errors import Cancelled, StoreProblem
from backlink_audit.fetching.addresses import public_addresses
from backlink_audit.fetching.answers import DAY, Age, Answer, AnswerCache
from backlink_audit.fetching.check import NO_MORE, PUBLIC, Network, check_pages, plan
from backlink_audit.fetching.hosts import FORBIDS, NO_RULES
from backlink_audit.fetching.requests import RequestLimits
from backlink_audit.progress import silent
from tests.fetching.servers import (
    HERE,
    QUICK,
    FakeClock,
    Page,
    SameProcess,
    answer,
    drip,
    in_turn,
    raw,
    redirect,
    serving,
    zeros,
)

SITES = {"our-site.com"}
LINK = '<a href="https://our-site.com/chains">chains</a>'
PAGE = f"<title>A post</title><p>About {LINK} of bicycles.</p>"
AGE = Age()


@pytest.fixture(autouse=True)
def quiet(caplog):
    """What trafilatura logs of short pages is not for users: the child that reads them logs nothing."""
    caplog.set_level("CRITICAL")


@pytest.fixture
def kept(tmp_path):
    with AnswerCache(tmp_path / "checks.sqlite") as opened:
        yield opened


def ask(kept, *urls: str, limits: RequestLimits = QUICK, network: Network = HERE, age: Age = AGE, on_progress=silent):
    return list(check_pages(urls, SITES, kept, limits, age, on_progress, network))


def one(kept, url: str, **how) -> Answer:
    [found] = ask(kept, url, **how)
    return found


def test_a_page_is_read_in_a_process_of_its_own(kept):
    with serving({"/post": PAGE}) as server:
        found = one(kept, server.url("/post"), network=Network(HERE.find))
        assert found == replace(one(kept, server.url("/post"), age=Age(0)), asked_at=found.asked_at)
    assert server.paths() == ["/post", "/post"]


def test_a_page_is_asked_once_after_robots_txt_by_a_name_with_an_address(kept):
    with serving({"/post": PAGE}) as server:
        found = one(kept, server.url("/post"))
    assert (found.outcome, found.status, found.final_url) == ("read", 200, server.url("/post"))
    assert [link.url for link in found.reading.links] == ["https://our-site.com/chains"]
    assert [asked.path for asked in server.asked] == ["/robots.txt", "/post"]
    assert {asked.agent for asked in server.asked} == {
        f"backlink-audit/{__version__} (link check; +https://pypi.org/project/backlink-audit/)"
    }


def test_without_the_tests_own_network_this_machine_is_never_asked(kept):
    with serving({"/post": PAGE}) as server:
        odd = [f"http://{host}:{server.port}/post" for host in ("127.0.0.1", "localhost", "[::1]", "2130706433")]
        named = server.url("/post", host="localtest.example")
        answers = ask(kept, *odd, named, network=PUBLIC)
    assert not server.asked
    assert {found.outcome for found in answers[:-1]} == {"not asked"}
    assert answers[-1].outcome != "read"


def test_a_name_that_is_public_first_and_private_then_is_not_asked(kept):
    means = [["8.8.8.8"], ["127.0.0.1"]]

    async def resolve(host: str, port: int) -> list[str]:
        return means.pop(0) if len(means) > 1 else means[0]

    async def find(host: str, port: int) -> list[str]:
        found = await public_addresses(host, port, resolve)
        connected.append(found)
        raise OSError("no way there in a test")

    connected: list[list[str]] = []
    with serving({"/post": PAGE}) as server:
        found = one(kept, server.url("/post"), network=replace(HERE, find=find))
    assert (found.outcome, found.reason) == ("not asked", "not a public address")
    assert connected == [["8.8.8.8"]]
    assert not server.asked


@pytest.mark.parametrize(
    "place",
    [
        *("http://127.0.0.1/", "http://169.254.169.254/latest/", "http://[::1]/", "http://2130706433/"),
        *("http://0177.0.0.1/", "http://[::ffff:10.0.0.1]/", "http://localhost/", "file:///etc/passwd"),
        "http://user:pw@blog.example/",
    ],
)
def test_a_redirect_to_where_nothing_may_be_asked_is_not_followed(kept, place):
    with serving({"/post": redirect(place)}) as server:
        found = one(kept, server.url("/post"))
    assert found.outcome == "not asked"
    assert server.paths() == ["/post"]


def test_a_redirect_to_a_name_of_a_private_address_is_not_followed(kept):
    async def find(host: str, port: int) -> list[str]:
        if host == "inside.example":
            return await public_addresses("127.0.0.1", port)
        return ["127.0.0.1"]

    with serving() as server:
        server.pages["/post"] = redirect(server.url("/secret", host="inside.example"))
        found = one(kept, server.url("/post"), network=replace(HERE, find=find))
    assert (found.outcome, found.reason) == ("not asked", "not a public address")
    assert server.paths() == ["/post"]


def test_redirects_are_followed_also_those_of_the_page_itself(kept):
    with serving(
        {"/1": redirect("/2", 308), "/2": '<meta http-equiv=refresh content="0;url=/3">', "/3": PAGE}
    ) as server:
        found = one(kept, server.url("/1"))
    assert (found.outcome, found.final_url) == ("read", server.url("/3"))
    assert server.paths() == ["/1", "/2", "/3"]


def test_a_circle_of_redirects_ends(kept):
    with serving({"/1": redirect("/2"), "/2": redirect("/1")}) as server:
        found = one(kept, server.url("/1"))
    assert (found.outcome, found.reason) == ("not readable", "more than 5 redirects")
    assert server.paths()[:6] == ["/1", "/2", "/1", "/2", "/1", "/2"]


def test_a_page_that_redirects_to_our_site_is_not_followed_there(kept):
    with serving({"/out": redirect("https://our-site.com/chains")}) as server:
        found = one(kept, server.url("/out"))
    assert (found.outcome, found.final_url) == ("read", "https://our-site.com/chains")


@pytest.mark.parametrize("headers_too", [False, True])
def test_a_page_that_comes_byte_by_byte_is_left_after_its_time(kept, headers_too):
    begun = time.monotonic()
    with serving({"/slow": drip(60, headers_too)}) as server:
        limits = RequestLimits(pace=0, seconds=1.0, again_after=0.0)
        found = one(kept, server.url("/slow"), limits=limits)
    assert (found.outcome, found.reason) == ("not readable", "no answer in time")
    assert time.monotonic() - begun < 20


@pytest.mark.slow
def test_ten_gigabytes_of_zeros_are_read_no_further_than_allowed(kept):
    with serving({"/zeros": zeros(10)}) as server:
        found = one(kept, server.url("/zeros"), limits=RequestLimits(pace=0, again_after=0.0))
    assert (found.outcome, found.reason) == ("not readable", "no link in its first 2 MB")


def test_a_link_in_the_part_of_a_large_page_that_is_read_is_found(kept):
    with serving({"/large": PAGE + "<p>" + "x" * 5_000_000}) as server:
        assert one(kept, server.url("/large")).outcome == "read"
        server.pages["/late"] = "<p>" + "x" * 5_000_000 + PAGE
        assert one(kept, server.url("/late")).reason == "no link in its first 2 MB"


@pytest.mark.parametrize("encoding", ["br", "zstd"])
def test_what_is_packed_in_a_way_not_asked_for_is_not_readable(kept, encoding):
    with serving({"/a": answer(200, b"xxxx", Content_Encoding=encoding)}) as server:
        assert one(kept, server.url("/a")).reason == f"packed as {encoding}, which was not asked for"


def test_damaged_packing_is_not_readable(kept):
    with serving({"/a": answer(200, b"not gzip at all", Content_Encoding="gzip")}) as server:
        assert one(kept, server.url("/a")).reason == "its packed text is damaged"


def test_a_file_that_is_no_page_is_not_loaded(kept):
    with serving({"/a.pdf": answer(200, b"%PDF", Content_Type="application/pdf")}) as server:
        assert one(kept, server.url("/a.pdf")).reason == "not an HTML page"


def test_a_page_is_gone_only_when_it_was_seen_twice(kept):
    with serving({"/gone": answer(410), "/back": in_turn(answer(404), PAGE)}) as server:
        gone, back = ask(kept, server.url("/gone"), server.url("/back"))
    assert (gone.outcome, gone.status, gone.times) == ("gone", 410, 2)
    assert back.outcome == "read"


def test_a_page_gone_when_the_check_was_stopped_is_asked_the_second_time_later(kept):
    with serving({"/gone": answer(404)}) as server:
        url = server.url("/gone")
        kept.keep(Answer(url, "gone", status=404, asked_at=time.time()), SITES)
        assert one(kept, url).times == 2
        assert server.paths() == ["/gone"]


@pytest.mark.parametrize("status", [401, 403, 418, 451, 500])
def test_an_answer_that_is_no_page_gives_no_conclusion(kept, status):
    with serving({"/a": answer(status, b"<p>No.</p>")}) as server:
        found = one(kept, server.url("/a"))
    assert (found.outcome, found.reason) == ("not readable", f"the server answered {status}")


def test_a_redirect_to_nowhere_gives_no_conclusion(kept):
    with serving({"/a": answer(301)}) as server:
        assert one(kept, server.url("/a")).reason == "the server answered 301"


@pytest.mark.parametrize("status", [429, 503])
def test_a_server_that_asks_for_time_is_asked_nothing_meanwhile(kept, status):
    clock = FakeClock()
    pages: dict[str, str | Page] = {"/a": in_turn(answer(status, Retry_After="120"), PAGE), "/b": PAGE}
    with serving(pages) as server:
        limits = RequestLimits(pace=2.0, seconds=5, again_after=1.0)
        network = replace(HERE, clock=clock, sleep=clock.sleep)
        first, second = ask(kept, server.url("/a"), server.url("/b"), limits=limits, network=network)
    assert (first.outcome, second.outcome) == ("read", "read")
    assert server.paths() == ["/a", "/b", "/a"]
    assert 119 < max(clock.slept) <= 120


def test_a_server_that_asks_for_more_time_than_we_have_is_left_alone(kept):
    with serving({"/a": answer(429, Retry_After="86400"), "/b": PAGE}) as server:
        first, second = ask(kept, server.url("/a"), server.url("/b"))
    assert second.reason == "the server asks to wait 1,440 minutes"
    assert server.paths() == ["/a"]
    assert first.outcome == second.outcome == "not readable"


def test_two_requests_to_one_host_are_two_seconds_apart_and_robots_txt_is_one(kept):
    clock = FakeClock()
    with serving({"/a": PAGE, "/b": PAGE}) as server:
        network = replace(HERE, clock=clock, sleep=clock.sleep)
        ask(kept, server.url("/a"), server.url("/b"), limits=RequestLimits(), network=network)
    assert clock.slept == [2.0, 2.0]


def test_a_crawl_delay_is_obeyed(kept):
    clock = FakeClock()
    robots = "User-agent: *\nCrawl-delay: 7\n"
    with serving(
        {"/a": PAGE, "/b": PAGE, "/robots.txt": answer(200, robots.encode(), Content_Type="text/plain")}
    ) as server:
        network = replace(HERE, clock=clock, sleep=clock.sleep)
        ask(kept, server.url("/a"), server.url("/b"), limits=RequestLimits(), network=network)
    assert clock.slept == [2.0, 7.0]


@pytest.mark.parametrize(
    ("robots", "outcome", "reason"),
    [
        (
            answer(200, b"User-agent: *\nDisallow: /private", Content_Type="text/plain"),
            "not asked",
            "robots.txt forbids it",
        ),
        (answer(200, b"User-agent: backlink-audit\nDisallow: /"), "not asked", "robots.txt forbids it"),
        (answer(200, b"# a\n" * 200_000 + b"User-agent: *\nDisallow: /", Content_Type="text/plain"), "read", ""),
        (answer(200, b"<html>Not found, friendly", Content_Type="text/html"), "read", ""),
        (answer(404), "read", ""),
        (answer(500), "not asked", NO_RULES),
        (redirect("/robots.txt"), "read", ""),
        (answer(200, b"\xff\xfe\0\x01 rubbish"), "read", ""),
    ],
)
def test_robots_txt_is_obeyed(kept, robots, outcome, reason):
    with serving({"/robots.txt": robots, "/private": PAGE}) as server:
        found = one(kept, server.url("/private"))
    assert (found.outcome, found.reason) == (outcome, reason)
    assert server.paths() == (["/private"] if outcome == "read" else [])


def test_robots_txt_of_each_host_on_the_way_is_obeyed(kept):
    with serving({"/robots.txt": answer(404)}) as server:
        server.pages["b.example/robots.txt"] = "User-agent: *\nDisallow: /"
        server.pages["/a"] = redirect(server.url("/b", host="b.example"))
        found = one(kept, server.url("/a"))
    assert (found.outcome, found.reason) == ("not asked", FORBIDS)
    assert server.paths() == ["/a"]


def test_robots_txt_that_failed_for_a_while_is_asked_once_more(kept):
    with serving({"/robots.txt": in_turn(answer(503), answer(404)), "/a": PAGE}) as server:
        assert one(kept, server.url("/a")).outcome == "read"


def test_a_host_that_does_not_answer_is_not_asked_for_every_page(kept):
    with serving() as server:
        port = server.port
    urls = [f"http://blog.example:{port}/{number}" for number in range(6)]
    answers = ask(kept, *urls)
    assert {found.outcome for found in answers} == {"not readable"}
    assert answers[0].reason == "the server cannot be reached"
    assert {found.reason for found in answers[3:]} == {NO_MORE}


def test_a_name_that_nobody_knows_is_not_readable(kept):
    async def nobody(host: str, port: int) -> list[str]:
        raise OSError("Name or service not known")

    found = one(kept, "http://no-such-name.example/", network=replace(HERE, find=nobody))
    assert (found.outcome, found.reason) == ("not readable", "the name is not known")


def own_certificate() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(Path(__file__).with_name("server.pem"))
    return context


def test_a_certificate_that_nobody_vouches_for_is_not_readable(kept):
    with serving({"/a": PAGE}, tls=own_certificate()) as server:
        found = one(kept, server.url("/a", scheme="https"))
    assert (found.outcome, found.reason) == ("not readable", "its certificate or encryption (TLS) is not valid")
    assert not server.asked


def test_a_certificate_for_another_name_is_not_readable_and_one_for_this_name_is(kept):
    trusted = ssl.create_default_context(cafile=str(Path(__file__).with_name("server.pem")))
    with serving({"/a": PAGE}, tls=own_certificate()) as server:
        network = replace(HERE, trusted=trusted)
        assert one(kept, server.url("/a", scheme="https"), network=network).outcome == "read"
        other = one(kept, server.url("/a", "other.example", "https"), network=network)
    assert other.reason == "its certificate or encryption (TLS) is not valid"


def test_no_tls_where_it_should_be_is_not_readable(kept):
    with serving({"/a": PAGE}) as server:
        found = one(kept, server.url("/a", scheme="https"))
    assert found.outcome == "not readable"


def test_an_answer_that_is_not_http_is_not_readable(kept):
    with serving({"/a": raw(b"hello\r\n\r\n")}) as server:
        assert one(kept, server.url("/a")).reason == "an answer that is not HTTP"


def test_endless_headers_are_not_readable(kept):
    with serving({"/a": raw(b"HTTP/1.1 200 OK\r\n" + b"A: b\r\n" * 50_000)}) as server:
        assert one(kept, server.url("/a")).outcome == "not readable"


def test_nothing_is_asked_twice_before_its_answer_is_old(kept):
    with serving({"/a": PAGE, "/b": answer(403), "/c": PAGE}) as server:
        urls = [server.url(path) for path in ("/a", "/b")]
        before = ask(kept, *urls)
        asked = len(server.asked)
        assert ask(kept, *urls) == before
        assert len(server.asked) == asked
        after = ask(kept, *urls, server.url("/c"))
        assert after[:2] == before
        assert [request.path for request in server.asked[asked:]] == ["/c"]


@pytest.mark.parametrize(
    ("outcome", "days", "asked"),
    [
        ("read", 29, False),
        ("read", 31, True),
        ("read", -3, False),
        ("not readable", 0.5, False),
        ("not readable", 2, True),
    ],
)
def test_an_answer_counts_by_its_age_also_if_the_clock_was_set_back(kept, outcome, days, asked):
    with serving({"/a": PAGE}) as server:
        url = server.url("/a")
        kept.keep(Answer(url, outcome, "the server answered 403", 403, url, time.time() - days * DAY), SITES)
        one(kept, url)
        assert bool(server.asked) == asked


def test_another_site_to_look_for_is_another_question(kept):
    with serving({"/a": PAGE}) as server:
        one(kept, server.url("/a"))
        list(check_pages([server.url("/a")], {"other.com"}, kept, QUICK, AGE, silent, HERE))
        assert server.paths() == ["/a", "/a"]


def test_the_plan_says_how_many_requests_to_how_many_hosts_and_asks_nobody(kept):
    with serving({"/a": PAGE}) as server:
        urls = [server.url("/a"), server.url("/b"), server.url("/a", "other.example"), "ftp://x", server.url("/a")]
        ahead = plan(urls, SITES, kept, RequestLimits(), AGE)
        assert not server.asked
        assert (len(ahead.pages), ahead.hosts, ahead.requests, ahead.known) == (3, 2, 5, 0)
        assert ahead.sentence == (
            "This check sends at least 5 requests to 2 hosts: 3 pages, and robots.txt of each host. It takes at least "
            "a minute."
        )
        one(kept, server.url("/a"))
        later = plan(urls, SITES, kept, RequestLimits(), AGE)
        assert (len(later.pages), later.hosts, later.requests, later.known) == (2, 2, 3, 1)
        assert later.sentence.endswith(" 1 page already checked will not be asked again.")


def test_a_stop_ends_the_check_at_once_and_keeps_what_was_answered(kept):
    def stop(what: str, done: int, total: int) -> None:
        if done:
            raise Cancelled

    with serving({"/a": PAGE, "/slow": drip(60)}) as server:
        begun = time.monotonic()
        with pytest.raises(Cancelled):
            ask(
                kept,
                server.url("/a"),
                server.url("/slow", "other.example"),
                limits=RequestLimits(pace=0),
                on_progress=stop,
            )
        assert time.monotonic() - begun < 15
        assert kept.answer(server.url("/a"), SITES) is not None


def test_a_bug_is_not_hidden(kept):
    async def broken(host: str, port: int) -> list[str]:
        raise KeyError("a bug")

    with pytest.raises(KeyError):
        ask(kept, "http://blog.example/", network=replace(HERE, find=broken))


def test_a_full_disk_is_one_sentence_and_keeps_what_was_answered(tmp_path):
    with serving({f"/{number}": PAGE for number in range(60)}) as server, AnswerCache(tmp_path / "c.sqlite") as kept:
        pages = kept._connection.execute("PRAGMA page_count").fetchone()[0]
        kept._connection.execute(f"PRAGMA max_page_count = {pages + 2}")
        with pytest.raises(StoreProblem, match="full.*continues where it stopped"):
            ask(kept, *(server.url(f"/{number}") for number in range(60)))
        known = sum(kept.answer(server.url(f"/{number}"), SITES) is not None for number in range(60))
        assert 0 < known < 60


def test_a_damaged_file_of_answers_is_begun_anew(tmp_path):
    path = tmp_path / "c.sqlite"
    path.write_bytes(b"no database" * 1_000)
    with AnswerCache(path) as kept:
        assert kept.answer("https://blog.example/", SITES) is None


def test_no_more_pages_are_asked_than_may_wait_to_be_read(kept):
    waiting, most = [0], [0]

    class Slow(SameProcess):
        async def read(self, response, sites):
            waiting[0] += 1
            most[0] = max(most[0], waiting[0])
            await asyncio.sleep(0.02)
            waiting[0] -= 1
            return await super().read(response, sites)

    with serving({"/post": PAGE}) as server:
        pages = [server.url("/post", host=f"site{number}.example") for number in range(12)]
        found = ask(kept, *pages, limits=replace(QUICK, at_once=2), network=Network(HERE.find, readers=Slow))
    assert {answer.outcome for answer in found} == {"read"} and most[0] == 2
