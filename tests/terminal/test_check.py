"""The terminal's `check`: first says what it sends, and asks; then one row for each link."""

import sys

import openpyxl
import pandas as pd
import pytest
import typer

from backlink_audit.fetching import check as fetching
from backlink_audit.fetching import requests
from tests.fetching.servers import HERE, QUICK, answer, serving
from tests.terminal.calls import run

LINK = '<a href="https://our-site.com/chains" rel="nofollow">chains</a>'
PAGES = {"/post": f"<main><p>All about {LINK} of bicycles.</p></main>", "/none": "<p>Nothing here.</p>"}


@pytest.fixture
def server(monkeypatch, tmp_path, caplog):
    """A server under every name, in place of the network; requests may follow each other at once."""
    caplog.set_level("CRITICAL")  # trafilatura speaks of short pages; the process that reads them does not listen
    monkeypatch.setattr(fetching, "PUBLIC", HERE)
    monkeypatch.setattr(requests, "request_limits_of", lambda settings: QUICK)
    monkeypatch.chdir(tmp_path)
    with serving({**PAGES, "/locked": answer(403)}) as opened:
        yield opened


def write_export(server, *paths: str) -> None:
    rows = [f"{server.url(path)},https://our-site.com/chains,chains,false,3" for path in paths]
    head = "Referring page URL,Target URL,Anchor,Nofollow,External links"
    with open("links.csv", "w", encoding="utf-8") as file:
        file.write("\n".join([head, *rows]))


def test_each_link_gets_a_state_and_what_its_page_says(server, monkeypatch, capsys):
    write_export(server, "/post", "/none", "/locked", "/gone")
    code, said = run(monkeypatch, capsys, "check", "links.csv", "-o", "checked.csv", "--yes")
    assert code == 0
    assert "sends at least 5 requests to 1 host: 4 pages, and robots.txt of each host" in said
    assert "4 links checked: 1 there, 2 gone, 1 without a conclusion." in said
    table = pd.read_csv("checked.csv", keep_default_na=False)
    states = ["there, now nofollow", "link gone", "not readable", "page gone"]
    assert table["State on the page"].tolist() == states
    first = table.iloc[0]
    assert (first["Place on the page"], first["Text before"], first["Text after"]) == (
        "content",
        "All about",
        "of bicycles.",
    )
    assert first["Details"] == "Nofollow on the page, not in the export; 1 external link, 3 in the export."
    assert table["Details"][2] == "The server answered 403."


def test_the_workbook_says_what_each_state_means(server, monkeypatch, capsys):
    write_export(server, "/post")
    assert run(monkeypatch, capsys, "check", "links.csv", "-o", "checked.xlsx", "--yes")[0] == 0
    book = openpyxl.load_workbook("checked.xlsx")
    assert book.sheetnames == ["Summary", "Links"]
    assert "not readable" in {row[1] for row in book["Summary"].iter_rows(values_only=True)}


def test_without_a_yes_nobody_is_asked(server, monkeypatch, capsys):
    write_export(server, "/post")
    code, said = run(monkeypatch, capsys, "check", "links.csv", "-o", "checked.csv")
    assert (code, said.splitlines()[-1]) == (2, "No request was sent. To send these requests from a script, add --yes.")
    assert not server.asked


@pytest.mark.parametrize(("answered", "code", "asked"), [("n", 2, False), ("y", 0, True)])
def test_at_a_terminal_the_user_is_asked_first(server, monkeypatch, capsys, answered, code, asked):
    write_export(server, "/post")
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    monkeypatch.setattr(typer, "confirm", lambda question, err: answered == "y")
    ended, said = run(monkeypatch, capsys, "check", "links.csv", "-o", "checked.csv")
    assert (ended, bool(server.asked)) == (code, asked)
    assert asked or said.splitlines()[-1] == "No request was sent."


def test_a_second_run_asks_nobody_and_says_so(server, monkeypatch, capsys):
    write_export(server, "/post")
    run(monkeypatch, capsys, "check", "links.csv", "-o", "checked.csv", "--yes")
    asked = len(server.asked)
    code, said = run(monkeypatch, capsys, "check", "links.csv", "-o", "again.csv")
    assert code == 0
    assert "No request is needed. 1 page already checked will not be asked again." in said
    assert len(server.asked) == asked
    again, before = pd.read_csv("again.csv"), pd.read_csv("checked.csv")
    pd.testing.assert_frame_equal(again, before)


@pytest.mark.parametrize("pace", ["0", "0.99", "-1", "nan"])
def test_nobody_can_ask_faster_than_once_a_second(server, monkeypatch, capsys, pace):
    write_export(server, "/post")
    code, said = run(monkeypatch, capsys, "check", "links.csv", "-o", "checked.csv", "--yes", "--pace", pace)
    assert code == 2
    assert "Seconds between two requests to the same host must be between 1 and 3600" in said
    assert not server.asked


def test_the_address_of_who_asks_cannot_carry_a_second_header(server, monkeypatch, capsys):
    write_export(server, "/post")
    about = "https://a.example\r\nX-Evil: 1"
    code, said = run(monkeypatch, capsys, "check", "links.csv", "-o", "checked.csv", "--yes", "--about", about)
    assert code == 2 and "must be a plain URL" in said


def test_without_the_extra_one_sentence_says_what_to_install(server, monkeypatch, capsys):
    write_export(server, "/post")
    monkeypatch.setattr("backlink_audit.fetching.ask.find_spec", lambda name: None)
    code, said = run(monkeypatch, capsys, "check", "links.csv", "-o", "checked.csv", "--yes")
    assert (code, said) == (2, 'The link check needs more packages: install "backlink-audit[fetch]".\n')
