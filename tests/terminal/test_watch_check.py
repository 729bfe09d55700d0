"""`watch --check` asks the pages, keeps what it found by its day, and says what became of each link since."""

from datetime import date
from pathlib import Path

import pandas as pd
import pytest
import sqlalchemy as sa

from backlink_audit.fetching import check as fetching
from backlink_audit.fetching import requests
from backlink_audit.projects.history import KEPT, LISTED, CheckNews, keep_check
from backlink_audit.projects.project_files import CHECKS, kept_files
from backlink_audit.projects.projects import find_or_refuse
from backlink_audit.projects.store import FILES, open_store
from tests.fetching.servers import HERE, QUICK, answer, redirect, serving
from tests.terminal.calls import run

TARGET = "https://our-site.com/chains"


def page(rel: str = "", head: str = "") -> str:
    return f'<head>{head}</head><main><p>All about <a href="{TARGET}" rel="{rel}">chains</a> of bicycles.</p></main>'


@pytest.fixture
def server(folder, monkeypatch, caplog):
    """A server of one page of each kind, and an export of their links."""
    caplog.set_level("CRITICAL")
    monkeypatch.setattr(fetching, "PUBLIC", HERE)
    monkeypatch.setattr(requests, "request_limits_of", lambda settings: QUICK)
    pages = {path: page() for path in ("/marked", "/hidden", "/left", "/taken", "/moving", "/locked", "/same")}
    with serving({**pages, "/returning": "<main>Nothing here.</main>", "/freed": page("nofollow")}) as opened:
        rows = [f"{opened.url(path)},{TARGET},chains" for path in sorted(opened.pages)]
        (folder / "links.csv").write_text("\n".join(["Referring page URL,Target URL,Anchor", *rows]))
        yield opened


def watch(monkeypatch, capsys, *arguments):
    base = ("watch", "Shop", "links.csv", "--store", "s.sqlite", "--dominant-anchor", "1", "--risk-share", "1")
    return run(monkeypatch, capsys, *base, "--check", "--max-age", "0", *arguments)


def test_the_second_check_says_what_became_of_each_link(server, monkeypatch, capsys):
    code, said = watch(monkeypatch, capsys, "--yes")
    assert code == 0 and "The first link check of this project: 9 links." in said
    server.pages |= {
        "/marked": page("ugc nofollow"),
        "/hidden": page(head='<meta name="robots" content="noindex">'),
        "/left": "<main>Nothing here.</main>",
        "/moving": redirect("/new"),
        "/new": page(),
        "/locked": answer(403),
        "/returning": page(),
        "/freed": page(),
    }
    del server.pages["/taken"]
    code, said = watch(monkeypatch, capsys, "--yes", "--digest", "digest.md")
    assert code == 0
    counted = (
        "1 link gone, 1 page gone, 1 now nofollow, 1 now ugc, 1 noindex or canonical elsewhere, 1 moved, 2 came back."
    )
    assert counted in said
    assert f"Now ugc: {server.url('/marked')} to {TARGET}" in said
    assert f"Came back: {server.url('/returning')} to {TARGET}" in said
    assert counted in Path("digest.md").read_text()
    # A page that could not be read is compared with what was known before.
    server.pages |= {"/locked": "<main>Nothing here.</main>"}
    assert "1 link gone." in watch(monkeypatch, capsys, "--yes")[1]
    assert "no link changed" in watch(monkeypatch, capsys, "--yes")[1]


def test_checks_are_no_uploaded_files_and_those_of_a_day_are_one(server, monkeypatch, capsys):
    for _ in range(2):
        watch(monkeypatch, capsys, "--yes")
    with open_store("s.sqlite") as store:
        project = find_or_refuse(store, "Shop")
        assert list(kept_files(store, project)) == ["backlinks"]
        links = pd.DataFrame(columns=KEPT)
        assert keep_check(store, project, links, date(2999, 1, 1)).since == date.today()
        assert keep_check(store, project, links, date(2999, 1, 2)).since == date(2999, 1, 1)
        with store.reading() as connection:
            names = connection.execute(sa.select(FILES.c.name).where(FILES.c.role == CHECKS)).scalars().all()
    assert names == [date.today().isoformat(), "2999-01-01", "2999-01-02"]


def test_without_a_yes_nobody_is_asked_and_nothing_is_kept(server, monkeypatch, capsys):
    code, said = watch(monkeypatch, capsys)
    assert code == 2 and "No request was sent. To send these requests from a script, add --yes." in said
    assert not server.asked


def test_long_lists_are_cut():
    links = pd.DataFrame(
        {"referring_url": "https://a.example/", "target_url": TARGET, "change": ["moved"] * (LISTED + 2)}
    )
    sentences = CheckNews(links, date(2026, 1, 1)).sentences
    assert sentences[0] == f"Since the link check of 2026-01-01: {LISTED + 2} moved."
    assert len(sentences) == LISTED + 2 and sentences[-1] == "Moved: and 2 more."
