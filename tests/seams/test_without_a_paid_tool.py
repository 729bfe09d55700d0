"""From Search Console's list of linking pages and Common Crawl's ranks to a finished audit, in one command."""

import gzip
from typing import Any

import pandas as pd
import pytest

from backlink_audit.fetching import check as fetching
from backlink_audit.fetching import requests
from tests.exports.test_ranks import HEADER
from tests.fetching.servers import HERE, QUICK, serving
from tests.terminal.calls import run, work_in

LISTED = "https___our-site.com_-Latest links-2026-07-18.csv"
PAGE = """<title>All about oak chairs</title><main><h1>Oak chairs</h1><p>We like the
<a href="https://our-site.com/oak-chairs"{rel}>oak chairs</a> of this shop, and how they
are made, very much.</p></main>"""
RANKS = f"{HEADER}\n1\t9\t1\t9\texample.blog\t1\n4\t1\t3\t1\torg.x\t1\n"


@pytest.fixture
def server(monkeypatch, tmp_path, caplog):
    caplog.set_level("CRITICAL")
    work_in(tmp_path, monkeypatch)
    monkeypatch.setattr(fetching, "PUBLIC", HERE)
    monkeypatch.setattr(requests, "request_limits_of", lambda settings: QUICK)
    pages: dict[str, Any] = {
        "/good": PAGE.format(rel=""),
        "/nofollow": PAGE.format(rel=' rel="nofollow"'),
        "/none": "<p>Nothing.</p>",
    }
    with serving(pages) as opened:
        (tmp_path / "ranks.txt.gz").write_bytes(gzip.compress(RANKS.encode()))
        listed = [f"{opened.url(path)},2026-07-0{day}" for day, path in enumerate([*pages, "/gone"], start=1)]
        (tmp_path / LISTED).write_text("\n".join(["Linking page,Last crawled", *listed]))
        yield opened


def test_the_links_of_listed_pages_are_read_rated_and_judged(server, monkeypatch, capsys):
    given = "audit", LISTED, "--check", "--yes", "--ranks", "ranks.txt.gz", "-o", "out.csv", "--links", "everything"
    code, said = run(monkeypatch, capsys, *given)
    assert code == 0 and "4 pages, and robots.txt" in said
    table = pd.read_csv("out.csv", keep_default_na=False).set_index("referring_url")
    good = table.loc[server.url("/good")]
    assert (good["target_url"], good["anchor"]) == ("https://our-site.com/oak-chairs", "oak chairs")
    assert (good["referring_title"], float(good["external_links"])) == ("All about oak chairs", 1)
    assert table["State"].tolist() == ["live", "live", "lost", "lost"]
    assert table["nofollow"].tolist()[:2] == ["False", "True"]
    again = "audit", "out-links-read-from-pages.csv", "--ranks", "out-ranks.csv", "-o", "again.csv"
    assert run(monkeypatch, capsys, *again, "--links", "everything")[0] == 0
    verdicts = pd.read_csv("again.csv")["Verdict"].tolist()
    assert verdicts == table["Verdict"].tolist()
