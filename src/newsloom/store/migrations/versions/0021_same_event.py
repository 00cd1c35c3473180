"""Which articles were asked for reports of the same event.

Revision ID: 0021
Revises: 0020
"""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "same_event_marks",
        sa.Column("article_id", ID, nullable=False),
        sa.Column("maker_id", ID, nullable=False),
        sa.Column("digest", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["article_id"], ["articles.id"], name="fk_same_event_marks_article_id"
        ),
        sa.PrimaryKeyConstraint("article_id", name="pk_same_event_marks"),
    )
    op.create_index(
        "ix_same_event_marks_maker_id_article_id", "same_event_marks", ["maker_id", "article_id"]
    )
