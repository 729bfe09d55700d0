"""Citations of two dates beside a crawl, its links, clicks and logs; and logs of every form."""

import gzip
import json
from typing import Any

import pandas as pd
import pytest

from backlink_audit.ai_answers import charts
from backlink_audit.ai_answers.bots import CHUNK, LONGEST_LINE, read_logs, read_ranges
from backlink_audit.ai_answers.run import NO_CRAWL, dead_addresses, read_answers, tables
from backlink_audit.errors import UnreadableFile, WrongExport
from backlink_audit.exports.load import load
from backlink_audit.sources import Sources
from tests.toy import ToyEncoder

SITE = "https://shop.example"
MAY = b'\xef\xbb\xbf"Page","Citations"\n"https://shop.example/oak-tables","40"\n"https://www.shop.example/oak-tables","2"\n'
JUNE = b'"Page","Citations"\n' + b"".join(
    b'"https://shop.example/%s","%d"\n' % one for one in ((b"oak-tables", 30), (b"lamp-care", 12), (b"gone", 3))
)
QUERIES = (
    b'"Grounding Query","Intent","Topic","Citations","Citation Share"\n"oak tables","Buy","Furniture","30","40%"\n'
    b'"casino bonus","","","4","3%"\n'
)
FILES = [("ai-pages-2026-05-28.csv", MAY), ("ai-pages-2026-06-29.csv", JUNE), ("ai-queries-2026-06-29.csv", QUERIES)]
PAGES = ("oak-tables", "lamp-care", "red-chairs", "oak-chairs", "blue-lamps", "garden-tools")
COMBINED = '{ip} - - [{day}/Jun/2026:10:00:00 +0000] "GET {path} HTTP/1.1" {status} 120 "-" "Mozilla/5.0 ({bot}/1.2)"'


def crawl():
    rows = [f"{SITE}/{name},text/html,200,{name.replace('-', ' ').capitalize()},{name}" for name in PAGES]
    return load([("crawl.csv", "\n".join(["Address,Content Type,Status Code,Title 1,H1-1", *rows]).encode())], "pages")


def inlinks():
    pairs = [(one, other) for one in PAGES for other in ("red-chairs", "oak-chairs", "oak-tables") if one != other]
    pairs += [("oak-chairs", "blue-lamps"), ("red-chairs", "garden-tools")]
    rows = [f"Hyperlink,{SITE}/{one},{SITE}/{other},{other},true,Content" for one, other in pairs]
    return load(
        [("links.csv", "\n".join(["Type,Source,Destination,Anchor,Follow,Link Position", *rows]).encode())], "inlinks"
    )


def clicks():
    rows = [f"{SITE}/{name},{number},{number * 10},10%,3" for number, name in enumerate(PAGES, start=1)]
    return load([("p.csv", "\n".join(["Top pages,Clicks,Impressions,CTR,Position", *rows]).encode())], "performance")


def answers(**more):
    sources = Sources(pages=crawl(), inlinks=inlinks(), performance=clicks())
    return read_answers(load(FILES, "citations"), ToyEncoder(), sources, **more)


def test_citations_of_two_dates_stand_beside_links_and_clicks():
    result = answers()
    pages = result.pages.set_index("url")
    tables = pages.loc[f"{SITE}/oak-tables"]
    assert (tables["citations"], tables["cited_before"], tables["cited_change"], tables["clicks"]) == (30, 42, -12, 1)
    assert result.dates == ("2026-05-28", "2026-06-29") and result.by_date["citations"].tolist() == [42, 45]
    assert f"{SITE}/lamp-care" in result.hardly_linked["url"].tolist()
    assert set(result.never_cited["url"]) == {f"{SITE}/red-chairs", f"{SITE}/oak-chairs"}
    assert not pages.loc[f"{SITE}/gone", "in_crawl"]
    to_add = result.links_to_add
    assert set(to_add["target_url"]) <= set(result.hardly_linked["url"]) and not to_add.duplicated().any()
    assert result.changes["url"].tolist() == [f"{SITE}/{name}" for name in ("oak-tables", "lamp-care", "gone")]
    assert "45 citations of 3 pages (2026-06-29), 42 on 2026-05-28." in result.headline


def test_dates_are_those_of_one_kind_of_file_and_files_without_a_date_are_left_out():
    files = [*FILES[:2], ("ai-queries-2026-07-10.csv", QUERIES), ("ai-pages.csv", JUNE.replace(b"30", b"99"))]
    result = read_answers(load(files, "citations"), ToyEncoder())
    assert result.dates == ("2026-05-28", "2026-06-29") and result.by_date["citations"].tolist() == [42, 45]
    assert result.total == 45 and any("1 file without a date" in note for note in result.notes)
    assert dict((name, value) for name, value, _ in result.figures)["Visited, never cited"] is None


def test_a_query_has_the_page_nearest_in_meaning_or_none():
    queries = answers().queries.set_index("query")
    assert queries.loc["oak tables", "page_url"] == f"{SITE}/oak-tables"
    assert queries["answered"].tolist() == [True, False]
    assert queries.loc["oak tables", ["intent", "query_topic"]].tolist() == ["Buy", "Furniture"]


def test_without_other_files_the_citations_are_shown_and_the_rest_is_said():
    result = read_answers(load(FILES[1:2], "citations"), ToyEncoder())
    assert NO_CRAWL in result.notes and result.links_to_add.empty and result.without_page.empty
    assert dict((name, value) for name, value, _ in result.figures)["Cited, hardly linked"] is None
    assert {"Summary", "Cited pages", "Queries"} <= set(tables(result).sheets())
    assert "two dates" in charts.changes(result.changes, result.dates).layout.annotations[0].text
    assert len(charts.topics(result.topics).data[0].y) >= 1
    assert charts.changes(answers().changes, answers().dates).data[0].x is not None


def test_every_column_has_a_header_in_words():
    sheets = tables(answers(bots=read_logs([], {}).pages)).sheets().values()
    assert not [header for sheet in sheets for header in sheet if str(header)[0].islower()]


def test_a_file_of_another_site_is_named_and_one_of_another_kind_refused():
    other = load([("x.csv", JUNE.replace(b"shop.example", b"else.example"))], "citations")
    result = read_answers(other, ToyEncoder(), Sources(pages=crawl()))
    assert any("cites pages of else.example, but the crawl is of shop.example" in note for note in result.notes)
    with pytest.raises(WrongExport, match="citations are required"):
        read_answers(crawl(), ToyEncoder())


def log(*visits, **defaults) -> bytes:
    values = {"ip": "20.15.240.9", "day": "03", "path": "/oak-tables", "status": 200, "bot": "GPTBot"} | defaults
    return "\n".join(COMBINED.format(**(values | visit)) for visit in visits).encode() + b"\n"


def test_bots_are_counted_by_page_and_day_and_checked_by_their_ranges(tmp_path):
    (tmp_path / "gptbot.json").write_text(
        json.dumps({"prefixes": [{"ipv4Prefix": "20.15.240.0/20"}, {"ipv6Prefix": "2600:1f18::/32"}]})
    )
    visits: list[dict[str, Any]] = [
        {},
        {"ip": "2600:1f18::5"},
        {"ip": "9.9.9.9"},
        {"bot": "Googlebot", "day": "01"},
        {"bot": "curl"},
    ]
    visits += [{"path": "/red-chair?x=1", "status": 404}]
    (tmp_path / "a.log.gz").write_bytes(gzip.compress(b"not a line\n" + log(*visits)))
    found = read_logs([tmp_path / "a.log.gz"], read_ranges([tmp_path / "gptbot.json"]))
    pages = found.pages.set_index(["bot", "bot_verified", "page_path"])["visits"].to_dict()
    assert pages == {
        ("GPTBot", "yes", "/oak-tables"): 2,
        ("GPTBot", "no", "/oak-tables"): 1,
        ("Googlebot", "says it is", "/oak-tables"): 1,
        ("GPTBot", "yes", "/red-chair"): 1,
    }
    assert found.days["visited_on"].tolist() == ["2026-06-01", "2026-06-03"]
    result = answers(bots=found.pages)
    assert result.pages.set_index("url")["bot_visits"][f"{SITE}/oak-tables"] == 3  # one was not that bot
    dead = dead_addresses(found.pages, result.pages, ToyEncoder())
    assert dead[["page_path", "visits"]].to_numpy().tolist() == [["/red-chair", 1]]


def test_lines_that_are_too_long_or_of_another_form_are_left_out(tmp_path):
    long = b"x" * (3 * LONGEST_LINE) + b"GPTBot" + b"y" * (20 * 1024 * 1024) + b"\n"
    (tmp_path / "a.log").write_bytes(log({}) + long + b"GPTBot was here\n" + log({"day": "02"}))
    found = read_logs([tmp_path / "a.log"], {})
    assert sum(found.by_page.values()) == 2 and found.unread == 2 and "2 lines of another form skipped" in found.note


def test_after_a_line_that_is_too_long_and_ends_with_a_piece_the_next_is_read(tmp_path):
    (tmp_path / "a.log").write_bytes(log({}) + b"x" * (2 * CHUNK - len(log({})) - 1) + b"\n" + log({"day": "02"}))
    found = read_logs([tmp_path / "a.log"], {})
    assert (sum(found.by_page.values()), found.unread) == (2, 1)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"a,b,c\n1,2,3\n", "no line of a server's log"),
        (b'1.2.3.4 - - [03/Jun/2026:10:00:00 +0000] "GET / HTTP/1.1" 200 12\n', "name no user agent"),
        (gzip.compress(log(*[{}] * 9_000))[:-900], "cannot be read to its end"),
    ],
)
def test_other_files_are_no_logs(tmp_path, data, says):
    (tmp_path / "a.log").write_bytes(data)
    with pytest.raises(UnreadableFile, match=says):
        read_logs([tmp_path / "a.log"], {})


@pytest.mark.parametrize(("name", "text", "says"), [("x.json", "{}", "no bot"), ("gptbot.json", "[]", "no list")])
def test_files_without_ranges_are_refused(tmp_path, name, text, says):
    (tmp_path / name).write_text(text)
    with pytest.raises(UnreadableFile, match=says):
        read_ranges([tmp_path / name])


def test_a_page_without_any_citation_is_no_topic():
    assert isinstance(answers().topics, pd.DataFrame) and answers().topics["share"].sum() == pytest.approx(1)
