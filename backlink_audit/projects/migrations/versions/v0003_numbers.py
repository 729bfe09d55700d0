"""The third version: the number of a project or snapshot that was deleted is never given out again."""

from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the two tables anew on SQLite; a server never gave a number out twice."""
    if op.get_bind().dialect.name != "sqlite":
        return
    for table in ("projects", "snapshots"):
        with op.batch_alter_table(table, recreate="always", table_kwargs={"sqlite_autoincrement": True}):
            pass
