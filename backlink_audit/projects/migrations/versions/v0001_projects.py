"""The first version: projects, their snapshots with all links, decisions, files, and where a visitor was."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "projects",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("owner", sa.String(320), nullable=False),
        sa.Column("key", sa.String(80), nullable=False),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("site", sa.String(253), nullable=False),
        sa.Column("settings", sa.JSON, nullable=False),
        sa.Column("created_at", sa.String(40), nullable=False),
        sa.Column("archived_at", sa.String(40), nullable=True),
        sa.UniqueConstraint("owner", "key", name="one_project_of_a_name"),
    )
    op.create_table(
        "snapshots",
        sa.Column("id", sa.Integer, primary_key=True),
        _of_project(),
        sa.Column("day", sa.Date, nullable=False),
        sa.Column("day_from", sa.String(40), nullable=False),
        sa.Column("fingerprint", sa.String(128), nullable=False),
        sa.Column("origin", sa.JSON, nullable=False),
        sa.Column("settings", sa.JSON, nullable=False),
        sa.Column("columns", sa.JSON, nullable=False),
        sa.Column("figures", sa.JSON, nullable=False),
        sa.Column("bytes", sa.BigInteger, nullable=False),
        sa.Column("made_at", sa.String(40), nullable=False),
        sa.UniqueConstraint("project_id", "fingerprint", name="one_snapshot_of_a_file"),
    )
    op.create_table(
        "snapshot_links",
        sa.Column("snapshot_id", sa.Integer, _id("snapshots"), primary_key=True),
        sa.Column("part", sa.String(40), primary_key=True),
        sa.Column("data", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "comparisons",
        sa.Column("older_id", sa.Integer, _id("snapshots"), primary_key=True),
        sa.Column("newer_id", sa.Integer, _id("snapshots"), primary_key=True),
        sa.Column("figures", sa.JSON, nullable=False),
    )
    op.create_table(
        "decisions",
        sa.Column("id", sa.Integer, primary_key=True),
        _of_project(),
        sa.Column("scope", sa.String(20), nullable=False),
        sa.Column("key", sa.Text, nullable=False),
        sa.Column("item", sa.Text, nullable=False),
        sa.Column("state", sa.String(40), nullable=False),
        sa.Column("note", sa.Text, nullable=False),
        sa.Column("decided_at", sa.String(40), nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.UniqueConstraint("project_id", "scope", "key", name="one_decision_on_an_item"),
    )
    op.create_table(
        "files",
        sa.Column("id", sa.Integer, primary_key=True),
        _of_project(),
        sa.Column("role", sa.String(40), nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("mapping", sa.JSON, nullable=False),
        sa.Column("data", sa.LargeBinary, nullable=False),
        sa.UniqueConstraint("project_id", "role", "place", name="one_file_in_a_place"),
    )
    op.create_table(
        "page_states",
        _of_project(primary_key=True),
        sa.Column("name", sa.String(200), primary_key=True),
        sa.Column("value", sa.JSON, nullable=False),
    )


def _id(table: str) -> sa.ForeignKey:
    return sa.ForeignKey(f"{table}.id", ondelete="CASCADE")


def _of_project(*, primary_key: bool = False) -> "sa.Column[int]":
    return sa.Column(
        "project_id", sa.Integer, _id("projects"), nullable=False, primary_key=primary_key, index=not primary_key
    )
