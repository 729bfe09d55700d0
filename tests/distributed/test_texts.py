"""Distinct texts: numbered once, embedded in chunks, found again."""

import numpy as np
import pytest

from backlink_audit import sample
from backlink_audit.audit.parts import begin
from backlink_audit.distributed.processes import StoredVectors, chunk_texts, embed_chunk, vectors_of, write_texts
from backlink_audit.exports.parts import split
from backlink_audit.settings import AuditSettings
from tests.toy import ToyEncoder

PER_CHUNK = 100


@pytest.fixture
def run(tmp_path):
    """A run of three parts, cleaned, with the texts of each written."""
    name, data = sample.files()["backlinks"][0]
    (tmp_path / name).write_bytes(data)
    run = begin(split([tmp_path / name], tmp_path, rows_per_part=120), AuditSettings(), tmp_path / "stages")
    run.find_repeats()
    for number in range(run.parts):
        run.clean(number)
    for number in range(run.parts):
        write_texts(run, number, run.sites())
    return run


def test_every_distinct_text_is_embedded_once(run):
    toy = ToyEncoder()
    for chunk in range(chunk_texts(run, PER_CHUNK)):
        embed_chunk(run.folder, chunk, toy)
    wanted = [set(run.texts(number, run.sites())) for number in range(run.parts)]
    assert len(toy.seen) == len(set(toy.seen))
    assert set(toy.seen) == set.union(*wanted)
    assert sum(map(len, wanted)) > len(toy.seen)


def test_each_part_gets_the_vectors_of_its_own_texts(run):
    toy = ToyEncoder()
    for chunk in range(chunk_texts(run, PER_CHUNK)):
        embed_chunk(run.folder, chunk, toy)
    for number in range(run.parts):
        stored = StoredVectors(run.folder, number)
        texts = run.texts(number, run.sites())
        assert stored.dimensions == toy.dimensions
        np.testing.assert_array_equal(stored.encode(texts), toy.encode(texts))


def test_a_chunk_that_has_been_embedded_is_not_embedded_again(run):
    chunk_texts(run, PER_CHUNK)
    embed_chunk(run.folder, 0, ToyEncoder())
    again = ToyEncoder()
    embed_chunk(run.folder, 0, again)
    assert again.seen == []
    assert vectors_of(run.folder, 0).exists()


def test_other_texts_than_those_numbered_are_refused(run):
    for chunk in range(chunk_texts(run, PER_CHUNK)):
        embed_chunk(run.folder, chunk, ToyEncoder())
    with pytest.raises(ValueError, match="but 1 were expected"):
        StoredVectors(run.folder, 0).encode(["one"])
