"""Internal links on two Ray nodes are those of the local run, even when a node dies. `make test-cluster` runs this."""

import numpy as np
import pandas as pd
import pytest

from backlink_audit.distributed.ray_audit import ClusterEncoder, find_internal_links_on_ray
from backlink_audit.embedding import nearest
from backlink_audit.embedding.nearest import search_partitions
from backlink_audit.internal_links import order
from backlink_audit.internal_links.run import find_internal_links
from backlink_audit.settings import InterlinkSettings
from tests.crawls import crawl
from tests.distributed.nodes import TIME_LIMIT, slow, within
from tests.toy import ToyEncoder

pytestmark = [pytest.mark.cluster, pytest.mark.filterwarnings("default")]
SETTINGS = InterlinkSettings(min_similarity=0.2, per_page=5)
WORDS = "garden soil spade seed rose fern moss pond path hedge lawn tree fruit leaf root frost sun rain".split()
SPLIT_CHUNKS = "backlink_audit.distributed.ray_audit.TEXTS_PER_CHUNK"


@pytest.fixture
def pages():
    rng = np.random.default_rng(0)
    titles = [" ".join([*rng.choice(WORDS, 5), f"no{number}"]) for number in range(400)]
    return crawl(*((f"https://garden.example/{n}", title, title, "") for n, title in enumerate(titles)))


@pytest.fixture
def large(monkeypatch):
    """Takes 400 pages for more than can be compared with each other, and parts them."""
    monkeypatch.setattr(order, "EXACT_ROWS", 100)
    monkeypatch.setattr(nearest, "PARTITION_ROWS", 20)
    monkeypatch.setattr(nearest, "REACH", 8)
    monkeypatch.setattr(nearest, "QUERIES_AT_ONCE", 40)


def test_a_small_site_gets_the_suggestions_of_the_local_run(cluster, pages, tmp_path, monkeypatch):
    monkeypatch.setattr(SPLIT_CHUNKS, 50)
    local = find_internal_links(pages, SETTINGS, ToyEncoder())
    result = within(TIME_LIMIT, lambda: find_internal_links_on_ray(pages, SETTINGS, ToyEncoder(), tmp_path, load=slow))
    pd.testing.assert_frame_equal(result.table, local.table)
    np.testing.assert_array_equal(result.vectors.vectors, local.vectors.vectors)
    assert result.device == "cluster"


def test_a_large_site_is_searched_by_partitions_and_says_how_many_it_finds(cluster, pages, large, tmp_path):
    local = find_internal_links(pages, SETTINGS, ToyEncoder(), search=search_partitions)
    result = within(TIME_LIMIT, lambda: find_internal_links_on_ray(pages, SETTINGS, ToyEncoder(), tmp_path, load=slow))
    pd.testing.assert_frame_equal(result.table, local.table, atol=1e-6)
    assert any("In a sample" in note for note in result.notes)


@pytest.mark.parametrize("during", ["Embedding texts", "Searching for similar pages"])
def test_a_node_that_dies_in_the_middle_changes_no_suggestion(kill_one, pages, large, tmp_path, monkeypatch, during):
    monkeypatch.setattr(SPLIT_CHUNKS, 20)
    local = find_internal_links(pages, SETTINGS, ToyEncoder(), search=search_partitions)
    killed: list[int] = []

    def kill_one_node(what, done, total):
        if what == during and done >= 3 and not killed:
            assert done < total
            killed.append(done)
            kill_one()

    result = within(
        TIME_LIMIT,
        lambda: find_internal_links_on_ray(
            pages, SETTINGS, ToyEncoder(), tmp_path, load=slow, on_progress=kill_one_node
        ),
    )
    assert killed
    pd.testing.assert_frame_equal(result.table, local.table, atol=1e-6)


def test_texts_are_embedded_once_and_found_again(cluster, tmp_path, monkeypatch):
    monkeypatch.setattr(SPLIT_CHUNKS, 2)
    texts = ["a rose", "a fern", "a rose", "moss", "a pond"]
    encoder = ClusterEncoder(ToyEncoder(), "toy", tmp_path, slow)
    vectors = within(TIME_LIMIT, lambda: encoder.encode(texts))
    np.testing.assert_array_equal(vectors, ToyEncoder().encode(texts))
    written = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("vectors-*.npy")}
    assert len(written) == 2
    np.testing.assert_array_equal(ClusterEncoder(ToyEncoder(), "toy", tmp_path, slow).encode(texts), vectors)
    assert all(path.stat().st_mtime_ns == time for path, time in written.items())
    assert encoder.encode([]).shape == (0, ToyEncoder().dimensions)
