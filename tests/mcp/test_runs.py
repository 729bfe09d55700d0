"""Runs that take longer than an answer may: what a program is told meanwhile, and what goes wrong."""

import threading

import pytest
from mcp.server.mcpserver.exceptions import ToolError

from backlink_audit.embedding import models
from backlink_audit.errors import OUT_OF_MEMORY, AuditError
from backlink_audit.mcp import runs
from backlink_audit.mcp.runs import KEPT, UNEXPECTED, Runs
from tests.mcp.test_journey import CRAWL
from tests.toy import ToyEncoder


def raising(problem):
    def work(_):
        raise problem

    return work


@pytest.mark.parametrize(
    ("problem", "words"),
    [
        (AuditError("a.csv: it is empty."), "a.csv: it is empty."),
        (MemoryError(), OUT_OF_MEMORY),
        (KeyError("secret"), UNEXPECTED),
    ],
)
def test_a_run_that_fails_says_why_and_is_begun_again_when_asked_again(problem, words):
    some = Runs()
    failed = some.start(("key",), raising(problem))
    assert (failed.state, failed.problem) == ("failed", words)
    again = some.start(("key",), lambda _: 7)
    assert (again.name, again.state, again.result) == ("run-2", "finished", 7)


def test_older_results_make_room_and_are_said_to_be_gone():
    some = Runs()
    for number in range(KEPT + 2):
        some.start((number,), lambda _: None)
    assert not some.knows("run-1") and some.knows(f"run-{KEPT + 2}")
    with pytest.raises(AuditError, match="There is no run 'run-1'"):
        some.get("run-1")


def test_a_server_that_ends_stops_what_is_under_way():
    some = Runs()
    begun, gate = threading.Event(), threading.Event()

    def work(on_progress):
        begun.set()
        assert gate.wait(60)
        on_progress("Embedding", 1, 2)

    threading.Thread(target=some.start, args=(("key",), work), daemon=True).start()
    assert begun.wait(60)
    some.close()
    gate.set()
    run = some.get("run-1")
    assert run.ended.wait(60) and run.state == "failed" and run.done == 0


def test_what_is_not_finished_is_asked_for_again(tools, monkeypatch):
    gate = threading.Event()

    def slow(name, **_):
        assert gate.wait(60)
        return ToyEncoder()

    monkeypatch.setattr(runs, "WAITED", 0.01)
    monkeypatch.setattr(models, "load_encoder", slow)
    first = tools.suggest_internal_links(CRAWL)
    assert first.state in ("waiting", "running") and first.rows == []
    with pytest.raises(ToolError, match="is not finished yet; ask run_status"):
        tools.summarise(first.run)
    gate.set()
    assert tools.runs.get(first.run).ended.wait(60)
    assert tools.suggest_internal_links(CRAWL).rows
    assert tools.export(first.run, "suggestions.csv").bytes == (tools.folder.path / "suggestions.csv").stat().st_size


def test_the_reason_of_a_failed_run_is_given_for_its_result(tools):
    run = tools.runs.start(("key",), raising(AuditError("a.csv: it is empty.")))
    with pytest.raises(ToolError, match="it is empty"):
        tools.list_rows(run.name)
