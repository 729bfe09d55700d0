"""The tables of the store as this version of the program knows them. A change here is a migration, too.

Moments are texts in UTC, as 2026-01-31T09:05:00+00:00: they read and sort alike in every database.
"""

import sqlalchemy as sa

METADATA = sa.MetaData()


def _id(table: str) -> sa.ForeignKey:
    return sa.ForeignKey(f"{table}.id", ondelete="CASCADE")


def _of_project(*, primary_key: bool = False) -> "sa.Column[int]":
    return sa.Column(
        "project_id", sa.Integer, _id("projects"), nullable=False, primary_key=primary_key, index=not primary_key
    )


PROJECTS = sa.Table(
    "projects",
    METADATA,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("owner", sa.String(320), nullable=False, doc='The user that it belongs to; "" on one\'s own machine.'),
    sa.Column("key", sa.String(80), nullable=False, doc="What it is called in an address: its name in plain letters."),
    sa.Column("name", sa.String(200), nullable=False),
    sa.Column("site", sa.String(253), nullable=False, doc='The site\'s domain; "" before the first snapshot.'),
    sa.Column("settings", sa.JSON, nullable=False),
    sa.Column("created_at", sa.String(40), nullable=False),
    sa.Column("archived_at", sa.String(40)),
    sa.UniqueConstraint("owner", "key", name="one_project_of_a_name"),
    sqlite_autoincrement=True,  # else the number of a deleted project is given to the next one
)

SNAPSHOTS = sa.Table(
    "snapshots",
    METADATA,
    sa.Column("id", sa.Integer, primary_key=True),
    _of_project(),
    sa.Column("day", sa.Date, nullable=False),
    sa.Column("day_from", sa.String(40), nullable=False, doc="What the day was taken from."),
    sa.Column("fingerprint", sa.String(128), nullable=False, doc="Of the file and how it was mapped."),
    sa.Column("origin", sa.JSON, nullable=False, doc="File, format, rows, rows excluded, model, device."),
    sa.Column("settings", sa.JSON, nullable=False),
    sa.Column("columns", sa.JSON, nullable=False, doc="The compared columns that the file has."),
    sa.Column("figures", sa.JSON, nullable=False),
    sa.Column("bytes", sa.BigInteger, nullable=False, doc="Of its links."),
    sa.Column("made_at", sa.String(40), nullable=False),
    sa.UniqueConstraint("project_id", "fingerprint", name="one_snapshot_of_a_file"),
    sqlite_autoincrement=True,
)

SNAPSHOT_LINKS = sa.Table(
    "snapshot_links",
    METADATA,
    sa.Column("snapshot_id", sa.Integer, _id("snapshots"), primary_key=True),
    sa.Column("part", sa.String(40), primary_key=True, doc="scored or aside, and the number of the part."),
    sa.Column("data", sa.LargeBinary, nullable=False, doc="A table as parquet."),
)

COMPARISONS = sa.Table(
    "comparisons",
    METADATA,
    sa.Column("older_id", sa.Integer, _id("snapshots"), primary_key=True),
    sa.Column("newer_id", sa.Integer, _id("snapshots"), primary_key=True),
    sa.Column("figures", sa.JSON, nullable=False),
)

DECISIONS = sa.Table(
    "decisions",
    METADATA,
    sa.Column("id", sa.Integer, primary_key=True),
    _of_project(),
    sa.Column("scope", sa.String(20), nullable=False, doc="domain or URL."),
    sa.Column("key", sa.Text, nullable=False),
    sa.Column("item", sa.Text, nullable=False, doc="The domain or URL as it was written."),
    sa.Column("state", sa.String(40), nullable=False),
    sa.Column("note", sa.Text, nullable=False),
    sa.Column("decided_at", sa.String(40), nullable=False),
    sa.Column("version", sa.Integer, nullable=False, doc="How often it was decided."),
    sa.UniqueConstraint("project_id", "scope", "key", name="one_decision_on_an_item"),
)

PROSPECTS = sa.Table(
    "prospects",
    METADATA,
    sa.Column("id", sa.Integer, primary_key=True),
    _of_project(),
    sa.Column("domain", sa.String(253), nullable=False),
    sa.Column("state", sa.String(40), nullable=False),
    sa.Column("contact", sa.Text, nullable=False, doc='Whom to write to, as an e-mail address; "" where unknown.'),
    sa.Column("note", sa.Text, nullable=False),
    sa.Column("follow_up", sa.Date, doc="The follow-up date."),
    sa.Column("facts", sa.JSON, nullable=False, doc="What the gap knew of it, by column."),
    sa.Column("known_until", sa.Date, doc="The day of the newest snapshot when it was chosen."),
    sa.Column("chosen_at", sa.String(40), nullable=False),
    sa.Column("decided_at", sa.String(40), nullable=False, doc="When its state was set last."),
    sa.Column("version", sa.Integer, nullable=False, doc="How often it was changed."),
    sa.UniqueConstraint("project_id", "domain", name="one_prospect_of_a_domain"),
)

FILES = sa.Table(
    "files",
    METADATA,
    sa.Column("id", sa.Integer, primary_key=True),
    _of_project(),
    sa.Column("role", sa.String(40), nullable=False),
    sa.Column("place", sa.Integer, nullable=False),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("mapping", sa.JSON, nullable=False),
    sa.Column("data", sa.LargeBinary, nullable=False, doc="The bytes as they were uploaded, compressed."),
    sa.UniqueConstraint("project_id", "role", "place", name="one_file_in_a_place"),
)

PAGE_STATES = sa.Table(
    "page_states",
    METADATA,
    _of_project(primary_key=True),
    sa.Column("name", sa.String(200), primary_key=True),
    sa.Column("value", sa.JSON, nullable=False),
)
