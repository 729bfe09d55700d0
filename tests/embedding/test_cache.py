import signal
import sqlite3
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

from backlink_audit.embedding import encoder as cache_module
from backlink_audit.embedding.encoder import VectorCache, cache_folder
from tests.embedding.embedders import vector_of

WRITER = """
import sys
from pathlib import Path
import numpy as np
from backlink_audit.embedding.encoder import VectorCache
from tests.embedding.embedders import vector_of

start, stop, path = int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3])
cache = VectorCache("weights", 8, path)
for first in range(start, stop, 20):
    texts = [f"text {number}" for number in range(first, min(stop, first + 20))]
    cache.store(cache.keys(texts), np.stack([vector_of(text) for text in texts]))
    print(first, flush=True)
"""


def start_writer(start, stop, path):
    command = [sys.executable, "-c", WRITER, str(start), str(stop), str(path)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def read(cache, texts):
    vectors = np.full((len(texts), cache.dimensions), np.nan, dtype=np.float32)
    return cache.fill(cache.keys(texts), vectors), vectors


def store(cache, texts):
    cache.store(cache.keys(texts), np.stack([vector_of(text, cache.dimensions) for text in texts]))


def test_known_rows_are_filled_and_the_others_left_alone():
    cache = VectorCache("weights", 8)
    store(cache, ["a", "c"])
    found, vectors = read(cache, ["a", "b", "c"])
    assert found.tolist() == [True, False, True]
    np.testing.assert_array_equal(vectors[2], vector_of("c"))
    assert np.isnan(vectors[1]).all()


def test_more_keys_than_one_query_takes_are_found():
    cache = VectorCache("weights", 8)
    texts = [f"text {number}" for number in range(2_500)]
    store(cache, texts)
    found, vectors = read(cache, texts[::-1])
    assert found.all()
    np.testing.assert_array_equal(vectors[0], vector_of("text 2499"))


def test_the_file_stands_in_the_named_folder_and_holds_no_text(monkeypatch, tmp_path):
    monkeypatch.setenv("BACKLINK_AUDIT_CACHE", str(tmp_path / "here"))
    store(VectorCache("weights", 8), ["a secret sentence"])
    assert cache_folder() == tmp_path / "here"
    for file in (tmp_path / "here").iterdir():
        assert b"secret" not in file.read_bytes()


def test_two_processes_may_write_at_once(tmp_path):
    path = tmp_path / "vectors.sqlite"
    writers = [start_writer(0, 600, path), start_writer(400, 1000, path)]
    assert [writer.communicate()[1] or writer.returncode for writer in writers] == [0, 0]
    found, vectors = read(VectorCache("weights", 8, path), [f"text {number}" for number in range(1000)])
    assert found.all()
    np.testing.assert_array_equal(vectors[999], vector_of("text 999"))


def test_a_killed_process_leaves_a_sound_file(tmp_path):
    path = tmp_path / "vectors.sqlite"
    writer = start_writer(0, 1_000_000, path)
    written = [int(writer.stdout.readline()) for _ in range(10)][-1]
    writer.send_signal(signal.SIGKILL)
    writer.communicate()
    found, _ = read(VectorCache("weights", 8, path), [f"text {number}" for number in range(written + 20)])
    assert found.all()
    store(VectorCache("weights", 8, path), ["after the kill"])


def test_a_file_that_is_no_database_is_begun_anew(tmp_path, caplog):
    path = tmp_path / "vectors.sqlite"
    path.write_bytes(b"garbage" * 1000)
    cache = VectorCache("weights", 8, path)
    assert not read(cache, ["a"])[0].any()
    assert "damaged" in caplog.text
    store(cache, ["a"])
    assert read(cache, ["a"])[0].all()


def test_damaged_pages_never_give_wrong_vectors(tmp_path):
    path = tmp_path / "vectors.sqlite"
    texts = [f"text {number}" for number in range(500)]
    store(VectorCache("weights", 8, path), texts)
    content = bytearray(path.read_bytes())
    content[len(content) // 2 : len(content) // 2 + 5000] = bytes(range(200)) * 25
    path.write_bytes(content)
    found, vectors = read(VectorCache("weights", 8, path), texts)
    np.testing.assert_array_equal(vectors[found], np.stack([vector_of(text) for text in texts])[found])


def test_vectors_of_another_length_count_as_unknown(tmp_path):
    path = tmp_path / "vectors.sqlite"
    store(VectorCache("weights", 8, path), ["a"])
    assert not read(VectorCache("weights", 16, path), ["a"])[0].any()


def test_without_a_folder_to_write_in_the_run_goes_on(tmp_path, caplog):
    (tmp_path / "file").write_text("not a folder")
    cache = VectorCache("weights", 8, tmp_path / "file" / "vectors.sqlite")
    store(cache, ["a"])
    store(cache, ["b"])
    assert not read(cache, ["a"])[0].any()
    assert caplog.text.count("Continuing without the vector cache") == 1


def test_with_a_folder_that_cannot_even_be_looked_at_the_run_goes_on(tmp_path, caplog):
    cache = VectorCache("weights", 8, tmp_path / ("x" * 300) / "vectors.sqlite")
    assert not read(cache, ["a"])[0].any()
    store(cache, ["a"])
    assert caplog.text.count("Continuing without the vector cache") == 1


def test_a_locked_file_is_waited_for_then_done_without(tmp_path, monkeypatch, caplog):
    monkeypatch.setattr(cache_module, "_BUSY_SECONDS", 0.05)
    path = tmp_path / "vectors.sqlite"
    store(VectorCache("weights", 8, path), ["a"])
    blocker = sqlite3.connect(path, isolation_level=None)
    blocker.execute("BEGIN EXCLUSIVE")
    store(VectorCache("weights", 8, path), ["b"])
    blocker.close()
    assert "locked" in caplog.text


def test_a_file_that_another_process_is_just_beginning_is_waited_for(tmp_path, caplog):
    path = tmp_path / "vectors.sqlite"
    other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    end = threading.Timer(0.2, other.rollback)
    end.start()
    cache = VectorCache("weights", 8, path)
    store(cache, ["a"])
    end.join()
    other.close()
    assert read(cache, ["a"])[0].all()
    assert not caplog.records


def test_the_oldest_vectors_make_room(tmp_path, monkeypatch):
    monkeypatch.setattr(cache_module, "MAX_BYTES", 100_000)
    cache = VectorCache("weights", 8, tmp_path / "vectors.sqlite")
    for start in range(0, 3_000, 100):
        store(cache, [f"text {number}" for number in range(start, start + 100)])
    found, _ = read(cache, [f"text {number}" for number in range(3_000)])
    assert not found[:100].any()
    assert found[-100:].all()


@pytest.mark.parametrize("count", [20_000])
def test_tens_of_thousands_of_lookups_take_a_moment(tmp_path, count):
    cache = VectorCache("weights", 384, tmp_path / "vectors.sqlite")
    vectors = np.random.default_rng(0).standard_normal((count, 384), dtype=np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    keys = cache.keys(str(number) for number in range(count))
    cache.store(keys, vectors)
    filled = np.empty_like(vectors)
    start = time.process_time()
    assert cache.fill(keys, filled).all()
    assert time.process_time() - start < 2
    np.testing.assert_array_equal(filled, vectors)


def test_swapped_vectors_count_as_unknown(tmp_path):
    path = tmp_path / "vectors.sqlite"
    cache = VectorCache("weights", 8, path)
    store(cache, ["a", "b", "c"])
    first, second = cache.keys(["a", "b"])
    with sqlite3.connect(path) as connection:
        rows = dict(connection.execute("SELECT key, vector FROM vectors").fetchall())
        connection.execute("UPDATE vectors SET vector = ? WHERE key = ?", [rows[second], first])
        connection.execute("UPDATE vectors SET vector = ? WHERE key = ?", [rows[first], second])
    connection.close()
    assert read(cache, ["a", "b", "c"])[0].tolist() == [False, False, True]


@pytest.mark.parametrize("schema", ["key BLOB PRIMARY KEY, vector BLOB NOT NULL", "a TEXT", "key, vector, sum, more"])
def test_a_file_of_another_schema_is_begun_anew(tmp_path, schema, caplog):
    path = tmp_path / "vectors.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute(f"CREATE TABLE vectors ({schema})")
    connection.close()
    cache = VectorCache("weights", 8, path)
    store(cache, ["a"])
    assert "will be rebuilt" in caplog.text
    store(cache, ["a"])
    assert read(cache, ["a"])[0].all()
