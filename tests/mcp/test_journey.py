"""The journey of a program: recognise, audit, summarise, list, explain, search, export; its numbers are the app's."""

import os
import sys
from typing import Any

import anyio
import pandas as pd
import pytest
from mcp import Client, StdioServerParameters

from backlink_audit import sample
from backlink_audit.audit.run import audit_backlinks
from backlink_audit.embedding.models import load_encoder
from backlink_audit.exports.load import load
from backlink_audit.settings import AuditSettings, LinkChoice
from backlink_audit.sources import Sources
from tests.house import ROOT
from tests.toy import ToyEncoder

TOOLS = {
    *("list_projects", "recognise_file", "start_audit", "run_status", "summarise", "list_rows", "explain_link"),
    *("search_pages", "suggest_internal_links", "export"),
}
LINKS, CRAWL = "longroad-backlinks-2025-11.csv", "longroad-crawl.csv"
BYTES = 24_000
"""Of an answer: 8,000 tokens of three bytes."""


def in_the_app(encoder):
    backlinks, pages = load(sample.files()["backlinks"]), load(sample.files()["pages"], "pages")
    return audit_backlinks(backlinks, AuditSettings(), encoder, Sources(pages=pages)).chosen(LinkChoice())


def test_a_journey_in_memory_has_the_numbers_of_the_app(ask, audited, folder):
    app = in_the_app(ToyEncoder())
    assert ask("recognise_file", file=LINKS)["rows"] == len(app.cleaned.export.raw)
    summary = ask("summarise", source=audited)
    assert summary["headline"] == app.headline
    assert [sentence[1:-1] for sentence in summary["story"]] == [sentence.text for sentence in app.story] != []
    assert (summary["figures"]["links"], summary["figures"]["domains"]) == (app.backlinks, app.domains)
    assert {word: n for word, n in summary["verdicts"].items() if n} == dict(app.verdict_counts) | {
        "Reclaim": app.to_reclaim
    }
    rows = ask("list_rows", source=audited, limit=5)
    assert rows["total"] == app.backlinks
    assert [row["link"] for row in rows["rows"]] == list(app.ordered("at_stake")[:5])
    first = app.links.loc[rows["rows"][0]["link"]]
    explained = ask("explain_link", source=audited, link=rows["rows"][0]["link"])
    assert explained["verdict"] == first["verdict"]
    assert explained["grounds"]["relevance"] == pytest.approx(first["relevance"], abs=0.001)
    assert ask("search_pages", source=audited, query="Long Road")["rows"][0]["match"] == "exact words"
    assert ask("export", source=audited, file="scored.csv")["bytes"] == (folder / "scored.csv").stat().st_size
    assert len(pd.read_csv(folder / "scored.csv")) == app.backlinks


def test_rows_are_listed_to_the_end_each_once_and_no_answer_is_too_long(ask, audited):
    offset: int | None = 0
    seen: list[int] = []
    while offset is not None:
        answer = ask("list_rows", source=audited, limit=50, offset=offset, links="everything")
        assert len(str(answer).encode()) < BYTES
        seen += [row["link"] for row in answer["rows"]]
        offset = answer["next_offset"]
    assert len(seen) == len(set(seen)) == answer["total"]


def test_internal_links_are_suggested_once_the_run_has_finished(ask):
    answer = ask("suggest_internal_links", crawl=CRAWL, inlinks="longroad-all-inlinks.csv")
    while answer["state"] != "finished":
        answer = ask("suggest_internal_links", crawl=CRAWL, inlinks="longroad-all-inlinks.csv")
    assert answer["total"] > len(answer["rows"]) > 0 and answer["next_offset"] == len(answer["rows"])
    assert ask("summarise", source=answer["run"])["figures"]["suggestions"] == answer["total"]
    page = answer["rows"][0]["source_url"].strip("⟦⟧")
    of_page = ask("suggest_internal_links", crawl=CRAWL, inlinks="longroad-all-inlinks.csv", page=page)
    assert 0 < of_page["total"] < answer["total"]
    assert ask("search_pages", source=answer["run"], query="panniers")["rows"]
    assert {"orphans", "isolated"} & {ask("list_rows", source=answer["run"], table="orphans")["table"]}


@pytest.mark.model
@pytest.mark.slow
def test_the_same_journey_over_standard_input_with_the_real_model(folder):
    async def journey() -> dict[str, Any]:
        kept = ("PATH", "BACKLINK_AUDIT_CACHE", "BACKLINK_AUDIT_STORE", "HF_HUB_OFFLINE", "BACKLINK_AUDIT_PRECISION")
        server = StdioServerParameters(
            command=sys.executable,
            args=["-m", "backlink_audit", "mcp", str(folder)],
            env={name: os.environ[name] for name in kept if name in os.environ} | {"PYTHONPATH": str(ROOT)},
        )
        async with Client(server) as client:

            async def ask(tool: str, **arguments: object) -> dict[str, Any]:
                answer = await client.call_tool(tool, arguments)
                assert not answer.is_error and answer.structured_content is not None, answer
                return answer.structured_content

            assert {tool.name for tool in (await client.list_tools()).tools} == TOOLS
            status = await ask("start_audit", files=[LINKS], pages=CRAWL)
            while status["state"] in ("waiting", "running"):
                await anyio.sleep(0.5)
                status = await ask("run_status", run=status["run"])
            summary = await ask("summarise", source=status["run"])
            await ask("export", source=status["run"], file="scored.xlsx")
            return summary

    summary = anyio.run(journey)
    assert summary["headline"] == in_the_app(load_encoder(AuditSettings().model)).headline
    assert (folder / "scored.xlsx").exists()
