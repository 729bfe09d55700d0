"""An audit on two Ray nodes gives the rows of the local one, even when a node dies. `make test-cluster` runs this."""

import numpy as np
import pandas as pd
import pytest

from backlink_audit import sample
from backlink_audit.distributed.ray_audit import audit_on_ray, require_shared_folder
from backlink_audit.errors import AuditError, ModelUnavailable, NoRowsLeft
from backlink_audit.exports.parts import split
from backlink_audit.settings import AuditSettings, BacklinkFilters
from tests.distributed.nodes import TIME_LIMIT, slow, within
from tests.toy import ToyEncoder, audit_parts

pytestmark = [pytest.mark.cluster, pytest.mark.filterwarnings("default")]
SETTINGS = AuditSettings(filters=BacklinkFilters.none())


@pytest.fixture
def export(tmp_path, monkeypatch):
    name, data = sample.files()["backlinks"][0]
    (tmp_path / name).write_bytes(data)
    monkeypatch.setattr("backlink_audit.distributed.processes.TEXTS_PER_CHUNK", 40)
    return split([tmp_path / name], tmp_path, rows_per_part=50)


def rows(audit):
    return pd.concat([audit.links(number) for number in range(len(audit.export))])


def test_two_nodes_give_the_rows_of_the_local_run(cluster, export, tmp_path):
    local = rows(audit_parts(export, SETTINGS, ToyEncoder(), tmp_path / "local"))
    result = within(TIME_LIMIT, lambda: audit_on_ray(export, SETTINGS, tmp_path / "ray", load=slow))
    pd.testing.assert_frame_equal(rows(result.audit), local)
    assert len(result.nodes) == 2
    assert len(result.workers) >= 2


def test_a_node_that_dies_in_the_middle_changes_no_row(kill_one, export, tmp_path):
    local = rows(audit_parts(export, SETTINGS, ToyEncoder(), tmp_path / "local"))
    killed: list[int] = []

    def kill_one_node(what, done, total):
        if what == "Embedding texts" and done >= 3 and not killed:
            assert done < total
            killed.append(done)
            kill_one()

    result = within(
        TIME_LIMIT,
        lambda: audit_on_ray(export, SETTINGS, tmp_path / "ray", load=slow, on_progress=kill_one_node),
    )
    assert killed
    pd.testing.assert_frame_equal(rows(result.audit), local)


def test_a_run_is_repeated_over_partial_output_without_embedding_again(cluster, export, tmp_path):
    first = within(TIME_LIMIT, lambda: audit_on_ray(export, SETTINGS, tmp_path / "ray", load=slow))
    expected = rows(first.audit)
    kept = {path: path.stat().st_mtime_ns for path in (tmp_path / "ray").glob("vectors-*.npy")}
    lost = sorted(kept)[0]
    lost.unlink()
    for path in (tmp_path / "ray").glob("[cj]*ed-00001.parquet"):
        path.unlink()
    again = within(TIME_LIMIT, lambda: audit_on_ray(export, SETTINGS, tmp_path / "ray", load=slow))
    pd.testing.assert_frame_equal(rows(again.audit), expected)
    assert len(kept) > 3
    assert all(path.stat().st_mtime_ns == time for path, time in kept.items() if path != lost)
    assert np.load(lost).shape[1] == ToyEncoder().dimensions
    assert len(again.workers) == 1
    third = within(TIME_LIMIT, lambda: audit_on_ray(export, SETTINGS, tmp_path / "ray", load=slow))
    assert third.sentence == "All texts were already embedded."


def test_an_audit_that_has_nothing_to_score_says_so(cluster, tmp_path):
    path = tmp_path / "ftp.csv"
    path.write_text("Referring page URL,Target URL\nftp://a.example/,https://shop.example/\n")
    with pytest.raises(NoRowsLeft, match=r"Not http\(s\) URLs"):
        within(TIME_LIMIT, lambda: audit_on_ray(split([path], tmp_path / "run"), AuditSettings(), tmp_path / "ray"))


@pytest.mark.parametrize("address", ["127.0.0.1:1", "nowhere"])
def test_a_cluster_that_is_not_there_is_said_in_a_sentence(export, tmp_path, monkeypatch, address):
    monkeypatch.setattr("ray.is_initialized", lambda: False)
    with pytest.raises(AuditError, match=f"^The Ray cluster {address} cannot be reached: "):
        audit_on_ray(export, SETTINGS, tmp_path / "ray", address=address)


class BrokenEncoder(ToyEncoder):
    """Cannot do what it is asked for."""

    problem: Exception

    def encode(self, texts, on_progress=lambda *_: None):
        raise self.problem


class Unavailable(BrokenEncoder):
    problem = ModelUnavailable("The model is not on this node.")


class DiskFull(BrokenEncoder):
    problem = OSError(28, "No space left on device")


@pytest.mark.parametrize(
    ("encoder", "words"),
    [
        (Unavailable, "^The model is not on this node.$"),
        (
            DiskFull,
            "^A node of the Ray cluster failed .No space left on device.*run the same command again to continue.$",
        ),
    ],
)
def test_what_goes_wrong_on_a_node_is_said_in_a_sentence(cluster, export, tmp_path, encoder, words):
    with pytest.raises(AuditError, match=words):
        within(TIME_LIMIT, lambda: audit_on_ray(export, SETTINGS, tmp_path / "ray", load=lambda _: encoder()))


def test_a_node_that_does_not_see_the_folder_is_named(cluster, tmp_path):
    import ray

    address = ray.nodes()[0]["NodeManagerAddress"]
    with pytest.raises(AuditError, match=f"the node {address} of the Ray cluster has no access to this folder"):
        require_shared_folder(tmp_path / "not there")
