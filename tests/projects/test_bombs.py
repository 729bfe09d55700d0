"""A project file of a stranger: what is too large is refused before it is unpacked, what is strange makes nothing."""

import re
import time
from pathlib import Path

import pytest

from backlink_audit.errors import UnreadableFile
from backlink_audit.projects import one_file
from backlink_audit.projects.one_file import read_project, write_project
from backlink_audit.projects.projects import NOBODY, every_project
from backlink_audit.projects.store import open_store
from tests.projects.bombs import BOMBS, STRANGE
from tests.projects.made import filled

MOST_MEGABYTES = 300
"""That a refusal may add to what the process takes; some of these unpack to gigabytes."""
SECONDS = 120
"""On a busy machine; alone each takes less than 15."""


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    with open_store(str(tmp_path_factory.mktemp("bombs") / "projects.sqlite")) as store:
        return write_project(store, filled(store))


@pytest.fixture
def store(tmp_path):
    with open_store(str(tmp_path / "projects.sqlite")) as opened:
        yield opened


def refused(store, data):
    """The sentence that a file gets, for which nothing is made."""
    with pytest.raises(UnreadableFile) as problem:
        read_project(store, "shop.zip", data, NOBODY)
    assert every_project(store) == []
    return str(problem.value)


def megabytes():
    """The most memory that this process took since that was forgotten."""
    found = re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text())
    assert found
    return int(found[1]) / 1024


@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="only Linux says how much memory was taken")
@pytest.mark.slow
@pytest.mark.parametrize("bomb", BOMBS)
def test_a_bomb_is_refused_in_little_memory(store, data, bomb):
    made = BOMBS[bomb](data)
    Path("/proc/self/clear_refs").write_text("5")  # the most so far is forgotten
    before, start = megabytes(), time.monotonic()
    said = refused(store, made)
    assert said == f"shop.zip: {one_file.TOO_LARGE}" or bomb == "nesting without end"
    assert megabytes() - before < MOST_MEGABYTES
    assert time.monotonic() - start < SECONDS


@pytest.mark.parametrize("strange", STRANGE)
def test_what_this_app_never_writes_is_no_project_file(store, data, strange):
    assert refused(store, STRANGE[strange](data)) == f"shop.zip: {one_file.NO_PROJECT}"
