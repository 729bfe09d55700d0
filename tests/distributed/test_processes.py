"""An audit in parts on several processes gives the rows of the audit in one."""

import os
from collections.abc import Callable

import pandas as pd
import pytest

from backlink_audit import sample
from backlink_audit.audit.parts import Here, begin, run_stages
from backlink_audit.distributed.processes import (
    MOST_PROCESSES,
    PROCESSES_SETTING,
    Processes,
    machine_workers,
    process_count,
)
from backlink_audit.embedding.encoder import Encoder
from backlink_audit.errors import AuditError, InvalidSetting, ModelUnavailable
from backlink_audit.exports.parts import split
from backlink_audit.progress import silent
from backlink_audit.settings import AuditSettings, BacklinkFilters
from tests.toy import ToyEncoder, audit_parts

SETTINGS = AuditSettings(filters=BacklinkFilters.none())


@pytest.fixture
def export(tmp_path):
    name, data = sample.files()["backlinks"][0]
    (tmp_path / name).write_bytes(data)
    return split([tmp_path / name], tmp_path, rows_per_part=110)


@pytest.fixture
def audited(export, tmp_path) -> Callable[..., tuple[pd.DataFrame, list[tuple[str, int, int]]]]:
    """Gives the rows of an audit on two processes, and what was said on the way."""

    def run(load):
        told: list[tuple[str, int, int]] = []
        workers = Processes(ToyEncoder(), 2, lambda *how_far: told.append(how_far), load)
        return rows(run_stages(begin(export, SETTINGS, tmp_path / "processes"), workers)), told

    return run


def rows(audit):
    return pd.concat([audit.links(number) for number in range(len(audit.export))])


def toy(_: str) -> Encoder:
    return ToyEncoder()


def not_there(_: str) -> Encoder:
    raise ModelUnavailable("The model is not there.")


def ended(_: str) -> Encoder:
    os._exit(1)


def test_two_processes_give_the_rows_of_one_also_after_a_process_was_ended(export, audited, tmp_path):
    with pytest.raises(AuditError, match="ended early, probably because memory ran out"):
        audited(ended)
    found, told = audited(toy)
    pd.testing.assert_frame_equal(found, rows(audit_parts(export, SETTINGS, ToyEncoder(), tmp_path / "one")))
    assert told[-1] == ("Setting verdicts", export.rows, export.rows)


def test_what_a_process_raises_is_raised(audited):
    with pytest.raises(ModelUnavailable, match="The model is not there."):
        audited(not_there)


def test_a_process_for_each_core_but_none_for_torch(monkeypatch):
    monkeypatch.delenv(PROCESSES_SETTING, raising=False)
    assert 1 <= process_count("Instant", 1_000) <= MOST_PROCESSES
    assert process_count("Instant", 1) == 1
    assert process_count("all-MiniLM-L6-v2", 1_000) == process_count("a/model-of-ones-own", 1_000) == 1


def test_one_process_is_this_one(monkeypatch):
    encoder = ToyEncoder()
    monkeypatch.setenv(PROCESSES_SETTING, "1")
    assert isinstance(machine_workers(encoder, 9, silent), Here)
    monkeypatch.setenv(PROCESSES_SETTING, "2")
    assert isinstance(machine_workers(encoder, 9, silent), Processes)


def test_the_number_of_processes_can_be_set(monkeypatch):
    monkeypatch.setenv(PROCESSES_SETTING, "3")
    assert (process_count("all-MiniLM-L6-v2", 1_000), process_count("Instant", 2)) == (3, 2)


@pytest.mark.parametrize("wrong", ["0", "two", "-1"])
def test_a_number_of_processes_that_is_none_is_refused(wrong, monkeypatch):
    monkeypatch.setenv(PROCESSES_SETTING, wrong)
    with pytest.raises(InvalidSetting, match=f"is “{wrong}”: set it to a whole number from 1"):
        process_count("Instant", 2)
