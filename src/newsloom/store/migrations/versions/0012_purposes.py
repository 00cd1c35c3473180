"""Calls of a language model for any purpose: what each was about, and what each purpose spent.

Revision ID: 0012
Revises: 0011
"""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"

_ADDED = ("prompt_version", "subject_kind", "subject_id", "question_hash")


def upgrade() -> None:
    op.create_table(
        "spending",
        sa.Column("service", sa.Text(), nullable=False),
        sa.Column("purpose", sa.Text(), nullable=False),
        sa.Column("day", sa.Integer(), nullable=False),
        sa.Column("tokens", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("service", "purpose", name="pk_spending"),
    )
    # Every call so far was about the sensitivity of an article.
    op.execute(
        "INSERT INTO spending (service, purpose, day, tokens)"
        " SELECT name, 'sensitivity', day, tokens FROM services WHERE tokens > 0"
    )
    for name in _ADDED:
        op.add_column("model_calls", sa.Column(name, sa.Text(), server_default="", nullable=False))
    op.execute("UPDATE model_calls SET prompt_version = 'rubric@1'")
    op.execute(
        "UPDATE model_calls SET subject_kind = 'article', subject_id = CAST(article_id AS TEXT)"
        " WHERE article_id IS NOT NULL"
    )
    op.drop_index("ix_model_calls_article_id", "model_calls")
    with op.batch_alter_table("model_calls") as calls:
        calls.drop_column("article_id")
        calls.drop_column("text_hash")
    op.create_index("ix_model_calls_question_hash", "model_calls", ["question_hash"])
