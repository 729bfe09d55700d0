"""The version of a store: an older one is copied and brought up to date, a newer one is refused."""

import sqlite3
from contextlib import closing
from pathlib import Path

import sqlalchemy as sa
from alembic.operations import Operations
from alembic.runtime.migration import MigrationContext, RevisionStep
from alembic.script import ScriptDirectory

from backlink_audit.errors import StoreProblem
from backlink_audit.projects.store.connection import Store
from backlink_audit.projects.store.schema_of_store import METADATA

FOLDER = Path(__file__).parent / "migrations"
VERSION_TABLE = "backlink_audit_version"
_LOCK = 0x6261636B
"""Any number of our own: whoever changes a PostgreSQL store locks it meanwhile."""


def bring_up_to_date(store: Store) -> None:
    """Bring the store to the version that this program knows. Raises StoreProblem for a newer or a foreign one."""
    scripts = ScriptDirectory(str(FOLDER))
    with store.reading() as connection:
        if _checked(connection, scripts, store.name) == scripts.get_current_head():
            return
    with store.writing(tables=True) as connection:
        if connection.dialect.name == "postgresql":
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_LOCK})")
        version = _checked(connection, scripts, store.name)  # another program may have done it meanwhile
        if version == scripts.get_current_head():
            return
        if version and connection.dialect.name == "sqlite":
            _copy(Path(str(connection.engine.url.database)), version, store.name)
        _upgrade(connection, scripts)


def version_of(connection: sa.Connection) -> str | None:
    """Return the version of a store; None for one that is empty."""
    return MigrationContext.configure(connection, opts={"version_table": VERSION_TABLE}).get_current_revision()


def _checked(connection: sa.Connection, scripts: ScriptDirectory, name: str) -> str | None:
    version = version_of(connection)
    if version is None:
        foreign = set(sa.inspect(connection).get_table_names()) & set(METADATA.tables)
        if foreign:
            raise StoreProblem(
                f"{name}: this database is used by another program ({', '.join(sorted(foreign))}); use another "
                "database."
            )
    elif version not in {script.revision for script in scripts.walk_revisions()}:
        raise StoreProblem(
            f"{name}: this database was created with a newer version of this program (version {version}); update "
            "the program, or use another database."
        )
    return version


def _upgrade(connection: sa.Connection, scripts: ScriptDirectory) -> None:
    """Run every step that the store lacks, within the transaction of the connection."""

    def steps(version: str, _: MigrationContext) -> list[RevisionStep]:
        return scripts._upgrade_revs("head", version)  # what Alembic's own documentation calls

    context = MigrationContext.configure(connection, opts={"fn": steps, "version_table": VERSION_TABLE})
    with Operations.context(context):
        context.run_migrations()


def _copy(path: Path, version: str, name: str) -> None:
    """Copy the file as it is before the change, beside it. Raises StoreProblem where that cannot be."""
    target = path.with_name(f"{path.stem}-before-{version}{path.suffix}")
    try:
        target.touch(mode=0o600)
        with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(target)) as copy:
            source.backup(copy)
    except (OSError, sqlite3.Error) as error:
        raise StoreProblem(f"{name}: the backup before the update failed ({error}), so nothing was changed.") from error
