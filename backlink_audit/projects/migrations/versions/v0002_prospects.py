"""The second version: the prospects of the outreach desk."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table."""
    of_project = sa.ForeignKey("projects.id", ondelete="CASCADE")
    op.create_table(
        "prospects",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("project_id", sa.Integer, of_project, nullable=False, index=True),
        sa.Column("domain", sa.String(253), nullable=False),
        sa.Column("state", sa.String(40), nullable=False),
        sa.Column("contact", sa.Text, nullable=False),
        sa.Column("note", sa.Text, nullable=False),
        sa.Column("follow_up", sa.Date, nullable=True),
        sa.Column("facts", sa.JSON, nullable=False),
        sa.Column("known_until", sa.Date, nullable=True),
        sa.Column("chosen_at", sa.String(40), nullable=False),
        sa.Column("decided_at", sa.String(40), nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.UniqueConstraint("project_id", "domain", name="one_prospect_of_a_domain"),
    )
