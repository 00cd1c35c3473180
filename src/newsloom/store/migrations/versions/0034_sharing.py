"""Services to which readers save articles, and the outbox of what is still to be saved.

Revision ID: 0034
Revises: 0033
"""

import sqlalchemy as sa
from alembic import op

revision = "0034"
down_revision = "0033"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "share_services",
        sa.Column("id", ID, nullable=False),
        sa.Column("user_id", ID, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), server_default="", nullable=False),
        sa.Column("secrets", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("stars", sa.SmallInteger(), server_default="0", nullable=False),
        sa.Column("seen_event", ID, server_default="0", nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_share_services_user_id"),
        sa.PrimaryKeyConstraint("id", name="pk_share_services"),
    )
    op.create_index("ix_share_services_user_id", "share_services", ["user_id"])
    op.create_table(
        "shares",
        sa.Column("id", ID, nullable=False),
        sa.Column("service_id", ID, nullable=False),
        sa.Column("article_id", ID, nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("attempts", sa.Integer(), server_default="0", nullable=False),
        sa.Column("error", sa.Text(), server_default="", nullable=False),
        sa.Column("held_by", sa.Text(), server_default="", nullable=False),
        sa.Column("held_until", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["service_id"], ["share_services.id"], name="fk_shares_service_id"),
        sa.ForeignKeyConstraint(["article_id"], ["articles.id"], name="fk_shares_article_id"),
        sa.PrimaryKeyConstraint("id", name="pk_shares"),
    )
    op.create_index(
        "ix_shares_service_id_article_id", "shares", ["service_id", "article_id"], unique=True
    )
    op.create_index("ix_shares_state_at", "shares", ["state", "at"])
