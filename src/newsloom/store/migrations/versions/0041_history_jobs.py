"""Jobs over everything that is stored.

Revision ID: 0041
Revises: 0039
"""

import sqlalchemy as sa
from alembic import op

revision = "0041"
down_revision = "0039"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def _words(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), server_default="", nullable=False)


def _many(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.BigInteger(), server_default="0", nullable=False)


def _moment(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.BigInteger())


def upgrade() -> None:
    op.create_table(
        "history_jobs",
        sa.Column("id", ID, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("open_kind", sa.Text()),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("user_id", ID),
        sa.Column("wish", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("position", sa.JSON(none_as_null=True), nullable=False),
        _many("total"),
        _many("done"),
        _many("refused"),
        sa.Column("pace", sa.Float()),
        sa.Column("share", sa.Float()),
        _words("words"),
        sa.Column("started_at", sa.BigInteger(), nullable=False),
        _moment("ended_at"),
        _moment("moved_at"),
        _moment("window_at"),
        _many("window_done"),
        sa.Column("rate", sa.Float(), server_default="0", nullable=False),
        _words("token"),
        _words("owner"),
        _moment("until"),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_history_jobs_user_id"),
        sa.PrimaryKeyConstraint("id", name="pk_history_jobs"),
        sa.UniqueConstraint("open_kind", name="uq_history_jobs_open_kind"),
    )
    op.create_index("ix_history_jobs_user_id", "history_jobs", ["user_id"])
