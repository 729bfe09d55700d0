"""The store is opened, made private, brought up to date, and says in one sentence what is wrong with it."""

import random
import shutil
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pyarrow as pa
import pytest
import sqlalchemy as sa

from backlink_audit.errors import StoreProblem
from backlink_audit.projects import store as projects_store
from backlink_audit.projects import store as stores
from backlink_audit.projects.history import history
from backlink_audit.projects.outreach_desk import kept_prospects
from backlink_audit.projects.project_files import kept_disavow_file, kept_files, kept_widgets
from backlink_audit.projects.projects import create, delete, every_project, find, kept_review
from backlink_audit.projects.snapshots import every_row, every_snapshot, scored_links
from backlink_audit.projects.store import METADATA, PROJECTS, open_store, unpacking

FORMER = sorted((Path(__file__).parent / "stores").glob("*.sqlite"))
NEXT_VERSION = '''"""A version to come."""
import sqlalchemy as sa
from alembic import op
revision, down_revision, branch_labels, depends_on = "9999", "{head}", None, None
def upgrade():
    op.add_column("projects", sa.Column("colour", sa.String(20)))
    {then}
'''


def with_next_version(tmp_path, monkeypatch, then="pass"):
    folder = tmp_path / "migrations"
    shutil.copytree(projects_store.FOLDER, folder)
    head = max(path.name[1:5] for path in (folder / "versions").glob("v*.py"))
    (folder / "versions" / "v9999_next.py").write_text(NEXT_VERSION.format(head=head, then=then))
    monkeypatch.setattr(projects_store, "FOLDER", folder)


def test_a_store_is_made_where_there_is_none_and_opened_again(address):
    with open_store(address) as store:
        create(store, "Shop")
    with open_store(address) as store:
        assert [one.name for one in every_project(store)] == ["Shop"]


def test_the_tables_are_those_that_the_migrations_make(store):
    with store.reading() as connection:
        made = sa.inspect(connection)
        for table in METADATA.tables.values():
            columns = {column["name"]: column["nullable"] for column in made.get_columns(table.name)}
            assert columns == {column.name: bool(column.nullable) for column in table.columns}
            assert {key["name"] for key in made.get_unique_constraints(table.name)} == {
                one.name for one in table.constraints if isinstance(one, sa.UniqueConstraint)
            }


def test_the_file_is_for_its_user_alone(tmp_path, monkeypatch):
    monkeypatch.setenv("BACKLINK_AUDIT_STORE", str(tmp_path / "new" / "work.sqlite"))
    with open_store():
        assert stat.S_IMODE((tmp_path / "new" / "work.sqlite").stat().st_mode) == 0o600
        assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o700


def test_a_mistyped_store_is_not_made_and_a_file_of_another_program_stays_as_it_is(tmp_path):
    with pytest.raises(StoreProblem, match="the folder does not exist"):
        open_store(str(tmp_path / "typo" / "work.sqlite"))
    with pytest.raises(StoreProblem, match="there is no such store"):
        open_store(str(tmp_path / "typo.sqlite"), to_read=True)
    for name, statement in {"a": "CREATE TABLE notes (text TEXT)", "b": "PRAGMA application_id = 7"}.items():
        with closing(sqlite3.connect(tmp_path / name)) as file:
            file.execute(statement)
        before = (tmp_path / name).read_bytes()
        with pytest.raises(StoreProblem, match="used by another program"):
            open_store(str(tmp_path / name))
        assert (tmp_path / name).read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b"]


def test_a_store_that_is_only_read_is_not_written(tmp_path):
    path = tmp_path / "work.sqlite"
    open_store(str(path)).close()
    before = path.read_bytes()
    path.chmod(0o400)
    tmp_path.chmod(0o500)
    try:
        with open_store(str(path), to_read=True) as store:
            assert every_project(store) == []
    finally:
        tmp_path.chmod(0o700)
    assert path.read_bytes() == before


def test_a_newer_store_is_refused_in_a_sentence_and_left_as_it_is(address, tmp_path, monkeypatch):
    with monkeypatch.context() as later:
        with_next_version(tmp_path, later)
        with open_store(address) as store:
            create(store, "Shop")
    with pytest.raises(StoreProblem, match="created with a newer version of this program"):
        open_store(address)


def test_an_older_store_is_copied_before_it_is_changed(tmp_path, monkeypatch):
    path = tmp_path / "work.sqlite"
    with open_store(str(path)) as store:
        create(store, "Shop")
    with_next_version(tmp_path, monkeypatch)
    with open_store(str(path)) as store, store.reading() as connection:
        assert "colour" in {column["name"] for column in sa.inspect(connection).get_columns("projects")}
        assert find(store, "Shop")
    [copy] = [one for one in tmp_path.glob("work-*.sqlite")]
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    kept = sqlite3.connect(copy)
    assert kept.execute("SELECT name FROM projects").fetchall() == [("Shop",)]
    assert "colour" not in [column[1] for column in kept.execute("PRAGMA table_info(projects)")]
    kept.close()


def test_a_change_that_fails_in_the_middle_leaves_the_older_store(address, tmp_path, monkeypatch):
    open_store(address).close()
    with monkeypatch.context() as broken:
        with_next_version(tmp_path, broken, then='op.execute("SELECT * FROM nothing_of_that_name")')
        with pytest.raises(StoreProblem):
            open_store(address)
    with open_store(address) as store, store.reading() as connection:
        assert "colour" not in {column["name"] for column in sa.inspect(connection).get_columns("projects")}


@pytest.mark.parametrize("path", FORMER, ids=lambda path: path.stem)
def test_a_store_of_every_former_version_opens_with_all_that_it_held(path, tmp_path):
    copied = tmp_path / path.name
    shutil.copy(path, copied)
    with open_store(str(copied)) as store:
        project = find(store, "Long Road")
        assert project
        [first, last] = every_snapshot(store, project)
        assert (str(first.day), str(last.day)) == ("2025-05-01", "2025-11-01")
        assert len(scored_links(store, last).links) == sum(last.figures["states"].values())
        on_the_desk = {"trail.example": "contacted", "camp.example": "to contact"} if path.stem >= "0002" else {}
        assert {domain: one.state for domain, one in kept_prospects(store, project).items()} == on_the_desk
        with store.reading() as connection:
            assert connection.exec_driver_sql("PRAGMA foreign_key_check").all() == []
            made = connection.exec_driver_sql("SELECT sql FROM sqlite_master WHERE sql LIKE '%AUTOINCREMENT%'").all()
            assert len(made) == 2
        delete(store, project)
        with store.reading() as connection:
            for table in METADATA.tables.values():
                assert connection.execute(sa.select(sa.func.count()).select_from(table)).scalar_one() == 0, table.name


def test_every_version_has_a_store_of_its_time():
    numbers = {path.name[1:5] for path in (projects_store.FOLDER / "versions").glob("v*.py")}
    assert {path.stem for path in FORMER} == numbers


def test_another_programs_database_is_refused(tmp_path):
    with sqlite3.connect(tmp_path / "other.sqlite") as other:
        other.execute("CREATE TABLE projects (id)")
    other.close()
    with pytest.raises(StoreProblem, match="this database is used by another program"):
        open_store(str(tmp_path / "other.sqlite"))


def test_a_locked_store_says_so(tmp_path, monkeypatch):
    monkeypatch.setattr(stores, "BUSY_SECONDS", 0.05)
    with open_store(str(tmp_path / "work.sqlite")) as store:
        other = sqlite3.connect(tmp_path / "work.sqlite", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreProblem, match="another program is using it"):
            create(store, "Shop")
        other.execute("ROLLBACK")
        other.close()
        assert create(store, "Shop").name == "Shop"


def test_a_store_that_may_only_be_read_can_be_read(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with open_store(str(tmp_path / "work.sqlite")) as store:
        create(store, "Shop")
    with open_store(f"sqlite:///file:{tmp_path}/work.sqlite?mode=ro&uri=true") as store:
        assert find(store, "Shop")
        with pytest.raises(StoreProblem, match="it is read-only"):
            create(store, "Other")
    assert [path.name for path in tmp_path.iterdir()] == ["work.sqlite"]


def test_a_full_disk_is_said_and_what_was_there_is_there_still(tmp_path):
    with open_store(str(tmp_path / "work.sqlite")) as store:
        create(store, "Shop")
        pages = sqlite3.connect(tmp_path / "work.sqlite")
        [(size,)] = pages.execute("PRAGMA page_count").fetchall()
        pages.close()
        sa.event.listen(store.engine, "connect", lambda one, _: one.execute(f"PRAGMA max_page_count = {size}"))
        big = {"owner": "", "key": "big", "name": "Big", "site": "", "created_at": "", "settings": {"x": "y" * 100_000}}
        with pytest.raises(StoreProblem, match="the disk is full, so nothing was saved"), store.writing() as connection:
            connection.execute(sa.insert(PROJECTS).values(big))
        assert [one.name for one in every_project(store)] == ["Shop"]


def test_a_damaged_store_is_refused_and_left_as_it_is(tmp_path):
    path = tmp_path / "work.sqlite"
    with open_store(str(path)) as store:
        create(store, "Shop")
    data = bytearray(path.read_bytes())
    data[100:30_000] = b"\xff" * (len(data[100:30_000]))
    path.write_bytes(data)
    with pytest.raises(StoreProblem, match="the file is damaged and was not changed"):
        open_store(str(path))
    assert path.read_bytes() == data


def test_damage_in_the_middle_is_one_sentence_wherever_it_is_found(tmp_path):
    whole, path, reported = FORMER[-1].read_bytes(), tmp_path / "work.sqlite", 0
    chance = random.Random(15)
    for _ in range(40):
        data, at = bytearray(whole), chance.randrange(4096, len(whole) - 600)
        data[at : at + 300] = chance.randbytes(300)
        path.write_bytes(data)
        try:
            read_everything(str(path))
        except StoreProblem as problem:
            reported += 1
            assert "damaged" in str(problem)
    assert reported > 10


def read_everything(address):
    with open_store(address) as store:
        for project in every_project(store):
            for one in every_snapshot(store, project):
                every_row(store, one, scored_links(store, one))
            for read in (kept_review, kept_files, kept_disavow_file, kept_widgets, kept_prospects, history):
                read(store, project)


def test_a_file_that_is_no_database_is_refused(tmp_path):
    (tmp_path / "links.csv").write_text("a,b\n" * 1000)
    with pytest.raises(StoreProblem, match="damaged"):
        open_store(str(tmp_path / "links.csv"))


@pytest.mark.parametrize(
    ("named", "words"),
    [
        ("nonsense://", "is not installed"),
        ("://", "is not valid"),
        ("/dev/null/work.sqlite", "the folder does not exist"),
    ],
)
def test_an_address_that_leads_nowhere_is_one_sentence(named, words):
    with pytest.raises(StoreProblem, match=words):
        open_store(named)


def test_a_password_is_never_shown():
    name = stores.display_name(stores.address("postgresql://me:secret@localhost/seo"))
    assert "secret" not in name and "me" in name


@pytest.mark.postgres
def test_a_server_that_goes_away_in_a_write_is_said_and_nothing_is_half_written(server):
    with open_store(server.new_database()) as store:
        create(store, "Shop")
        try:
            with pytest.raises(StoreProblem, match="nothing was saved"), store.writing() as connection:
                values = {"owner": "", "key": "b", "name": "B", "site": "", "created_at": "", "settings": {}}
                connection.execute(sa.insert(PROJECTS).values(values))
                server.stop()
                connection.execute(sa.select(PROJECTS)).all()
            with pytest.raises(StoreProblem, match="the server does not respond"):
                every_project(store)
        finally:
            server.start()
        assert [one.name for one in every_project(store)] == ["Shop"]


def test_too_little_memory_is_not_called_damage():
    with pytest.raises(MemoryError), unpacking("store"):
        raise pa.ArrowMemoryError("malloc of size 1 failed")


@pytest.mark.parametrize(("table", "column"), [("projects", "site"), ("projects", "owner"), ("snapshots", "figures")])
def test_a_store_with_a_column_renamed_is_said_truly(tmp_path, table, column):
    path = tmp_path / "projects.sqlite"
    with open_store(str(path)) as store:
        create(store, "Shop")
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"ALTER TABLE {table} RENAME COLUMN {column} TO other")
        connection.commit()
    with open_store(str(path)) as store, pytest.raises(StoreProblem, match="its tables are not as this app makes them"):
        for project in every_project(store):
            every_snapshot(store, project)
