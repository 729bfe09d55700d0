"""A store on SQLite and one on a real PostgreSQL server, which a missing server skips, but not in CI."""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from backlink_audit.projects.store import Store, open_store
from tests.projects.server import Server, found


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    if not found("initdb"):
        if os.environ.get("CI"):
            pytest.fail("there is no PostgreSQL here; .ci/run installs it")
        pytest.skip("there is no PostgreSQL here")
    with tempfile.TemporaryDirectory() as folder:  # not pytest's: that is for the eyes of its own user alone
        made = Server(Path(folder))
        made.start()
        yield made
        made.stop()


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return str(tmp_path / "projects.sqlite")
    server: Server = request.getfixturevalue("server")
    return server.new_database()


@pytest.fixture
def store(address: str) -> Iterator[Store]:
    with open_store(address) as opened:
        yield opened
