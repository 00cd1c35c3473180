"""Quality of domains: what came of their candidates, blocks, rules, hits of searches.

Revision ID: 0018
Revises: 0017
"""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    op.create_table(
        "domain_outcomes",
        sa.Column("domain", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("times", sa.Integer(), nullable=False),
        sa.Column("judged", sa.Float(), nullable=False),
        sa.Column("scored", sa.Integer(), server_default="0", nullable=False),
        sa.PrimaryKeyConstraint("domain", "at", "kind", name="pk_domain_outcomes"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "domain_blocks",
        sa.Column("domain", sa.Text(), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
        sa.Column("times", sa.Integer(), nullable=False),
        sa.Column("lifted_at", sa.BigInteger()),
        sa.PrimaryKeyConstraint("domain", name="pk_domain_blocks"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "domain_rules",
        sa.Column("domain", sa.Text(), nullable=False),
        sa.Column("rule", sa.Text(), nullable=False),
        sa.Column("set_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("domain", name="pk_domain_rules"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "domain_hits",
        sa.Column("domain", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("times", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("domain", "at", name="pk_domain_hits"),
        sqlite_with_rowid=False,
    )
