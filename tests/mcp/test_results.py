"""Which rows a program gets: by verdict, by words, of a link named by its page, of a project."""

import pandas as pd
import pytest
from mcp.server.mcpserver.exceptions import ToolError

from backlink_audit.mcp import runs as folders
from backlink_audit.mcp.results import value_of
from backlink_audit.projects import projects
from backlink_audit.projects.snapshots import save
from backlink_audit.projects.store import open_store
from tests.mcp.test_journey import CRAWL, in_the_app
from tests.toy import ToyEncoder


def test_links_are_listed_by_verdict_and_by_words(ask, audited):
    every = ask("list_rows", source=audited, limit=50)
    verdict = every["rows"][0]["verdict"]
    chosen = ask("list_rows", source=audited, verdict=verdict.upper(), limit=50)["rows"]
    assert {row["verdict"] for row in chosen} == {verdict}
    named = ask("list_rows", source=audited, contains="TOURING", limit=50)
    assert 0 < named["total"] < every["total"]
    assert all("touring" in str(row).casefold() for row in named["rows"])
    assert "has no verdicts" in ask("list_rows", source=audited, table="outreach", verdict=verdict)["error"]


def test_a_link_is_explained_by_the_page_with_it_and_pages_have_no_links(ask, audited):
    row = ask("list_rows", source=audited, limit=1)["rows"][0]
    by_page = ask("explain_link", source=audited, referring_url=row["referring_url"])
    assert by_page["verdict"] == ask("explain_link", source=audited, link=by_page["link"])["verdict"]
    assert "no such link" in ask("explain_link", source=audited, referring_url="https://no.example/")["error"]
    answer = ask("suggest_internal_links", crawl=CRAWL)
    while answer["state"] != "finished":
        answer = ask("suggest_internal_links", crawl=CRAWL)
    assert "has pages, not backlinks" in ask("explain_link", source=answer["run"], link=0)["error"]


def test_a_project_has_the_rows_of_its_newest_snapshot_once_it_has_one(tools):
    app = in_the_app(ToyEncoder())
    with open_store() as store:
        project = projects.create(store, "Long Road")
        with pytest.raises(ToolError, match="has no snapshot yet"):
            tools.list_rows("Long Road")
        save(store, project, app.whole or app)
    assert tools.list_rows("Long Road").total == tools.list_rows("Long Road").total == app.backlinks
    tools.export("Long Road", "kept.csv")
    kept = pd.read_csv(tools.folder.path / "kept.csv")
    assert len(kept) == app.backlinks and {"Verdict", "CAS"} <= set(kept.columns)


def test_a_file_that_is_too_large_is_refused_and_a_long_list_is_cut(ask, folder, monkeypatch):
    monkeypatch.setattr(folders, "LARGEST", 10)
    assert "larger than" in ask("recognise_file", file=CRAWL)["error"]
    monkeypatch.setattr(folders, "LISTED", 2)
    assert len(ask("recognise_file")["files"]) == 2


def test_whatever_else_a_cell_has_stands_in_brackets():
    assert value_of("languages", ["en", "de"]) == "⟦['en', 'de']⟧"
