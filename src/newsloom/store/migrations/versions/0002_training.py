"""Models with a history, forgetting, half-lives of each reader, language models' calls.

Revision ID: 0002
Revises: 0001
"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.add_column("users", sa.Column("half_lives", sa.JSON(none_as_null=True)))
    op.add_column("users", sa.Column("trained_at", sa.BigInteger()))
    op.add_column("users", sa.Column("trained_words", sa.Text(), server_default="", nullable=False))
    op.add_column("models", sa.Column("trainer", sa.Text(), server_default="head", nullable=False))
    op.add_column("models", sa.Column("verdict", sa.Text(), server_default="", nullable=False))
    op.add_column("models", sa.Column("promoted_at", sa.BigInteger()))
    op.add_column("models", sa.Column("withdrawn_at", sa.BigInteger()))
    op.add_column("models", sa.Column("made_of", sa.Text(), server_default="", nullable=False))
    op.add_column("models", sa.Column("judge", sa.LargeBinary()))
    op.add_column("models", sa.Column("judge_sha256", sa.Text(), server_default="", nullable=False))
    op.execute("UPDATE models SET promoted_at = trained_at WHERE active")
    op.create_index(
        "ix_models_in_force",
        "models",
        ["user_id", "kind"],
        unique=True,
        sqlite_where=sa.text("active = TRUE"),
        postgresql_where=sa.text("active = TRUE"),
    )
    op.create_table(
        "forgettings",
        sa.Column("id", ID, nullable=False),
        sa.Column("user_id", ID, nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("lifted_at", sa.BigInteger()),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_forgettings_user_id"),
        sa.PrimaryKeyConstraint("id", name="pk_forgettings"),
    )
    op.create_index("ix_forgettings_user_id", "forgettings", ["user_id"])
    op.create_table(
        "evaluations",
        sa.Column("id", ID, nullable=False),
        sa.Column("user_id", ID, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("model_id", sa.Text(), nullable=False),
        sa.Column("protocol", sa.Text(), nullable=False),
        sa.Column("report", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_evaluations_user_id"),
        sa.PrimaryKeyConstraint("id", name="pk_evaluations"),
    )
    op.create_index("ix_evaluations_user_id_id", "evaluations", ["user_id", "id"])
    op.create_table(
        "services",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("ok_at", sa.BigInteger()),
        sa.Column("failed_at", sa.BigInteger()),
        sa.Column("failures", sa.Integer(), server_default="0", nullable=False),
        sa.Column("open_until", sa.BigInteger()),
        sa.Column("problem", sa.Text(), server_default="", nullable=False),
        sa.Column("day", sa.Integer(), server_default="0", nullable=False),
        sa.Column("tokens", sa.BigInteger(), server_default="0", nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_services"),
    )
    op.create_table(
        "model_calls",
        sa.Column("id", ID, nullable=False),
        sa.Column("service", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("article_id", ID),
        sa.Column("purpose", sa.Text(), nullable=False),
        sa.Column("maker", sa.Text(), nullable=False),
        sa.Column("text_hash", sa.Text(), server_default="", nullable=False),
        sa.Column("tokens_in", sa.Integer(), server_default="0", nullable=False),
        sa.Column("tokens_out", sa.Integer(), server_default="0", nullable=False),
        sa.Column("seconds", sa.Float(), nullable=False),
        sa.Column("verdict", sa.Text(), nullable=False),
        sa.Column("answer", sa.Text(), server_default="", nullable=False),
        sa.ForeignKeyConstraint(["article_id"], ["articles.id"], name="fk_model_calls_article_id"),
        sa.PrimaryKeyConstraint("id", name="pk_model_calls"),
    )
    op.create_index("ix_model_calls_article_id", "model_calls", ["article_id"])
