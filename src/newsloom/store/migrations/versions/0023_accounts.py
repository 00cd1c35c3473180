"""Accounts: who may sign in, sessions, app passwords, invitations, the audit, the throttle.

Revision ID: 0023
Revises: 0022
"""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def of_user(table: str, column: str = "user_id") -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint([column], ["users.id"], name=f"fk_{table}_{column}")


def upgrade() -> None:
    op.create_table(
        "accounts",
        sa.Column("user_id", ID, autoincrement=False, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("password_hash", sa.Text(), server_default="", nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        of_user("accounts"),
        sa.PrimaryKeyConstraint("user_id", name="pk_accounts"),
        sa.UniqueConstraint("name", name="uq_accounts_name"),
    )
    op.create_table(
        "sessions",
        sa.Column("id", ID, nullable=False),
        sa.Column("user_id", ID, nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.Column("seen_at", sa.BigInteger(), nullable=False),
        sa.Column("ends_at", sa.BigInteger(), nullable=False),
        sa.Column("address", sa.Text(), server_default="", nullable=False),
        sa.Column("agent", sa.Text(), server_default="", nullable=False),
        of_user("sessions"),
        sa.PrimaryKeyConstraint("id", name="pk_sessions"),
        sa.UniqueConstraint("digest", name="uq_sessions_digest"),
    )
    op.create_index("ix_sessions_user_id", "sessions", ["user_id"])
    op.create_index("ix_sessions_ends_at", "sessions", ["ends_at"])
    op.create_table(
        "app_passwords",
        sa.Column("id", ID, nullable=False),
        sa.Column("user_id", ID, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("fever_digest", sa.Text(), nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.Column("used_at", sa.BigInteger()),
        of_user("app_passwords"),
        sa.PrimaryKeyConstraint("id", name="pk_app_passwords"),
        sa.UniqueConstraint("digest", name="uq_app_passwords_digest"),
        sa.UniqueConstraint("fever_digest", name="uq_app_passwords_fever_digest"),
    )
    op.create_index(
        "ix_app_passwords_user_id_name", "app_passwords", ["user_id", "name"], unique=True
    )
    op.create_table(
        "invitations",
        sa.Column("id", ID, nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("made_by", ID),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        of_user("invitations", "made_by"),
        sa.PrimaryKeyConstraint("id", name="pk_invitations"),
        sa.UniqueConstraint("digest", name="uq_invitations_digest"),
    )
    op.create_index("ix_invitations_made_by", "invitations", ["made_by"])
    op.create_table(
        "sign_ins",
        sa.Column("id", ID, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("user_id", ID),
        sa.Column("address", sa.Text(), server_default="", nullable=False),
        sa.Column("network", sa.Text(), server_default="", nullable=False),
        sa.Column("way", sa.Text(), nullable=False),
        sa.Column("outcome", sa.Text(), nullable=False),
        of_user("sign_ins"),
        sa.PrimaryKeyConstraint("id", name="pk_sign_ins"),
    )
    op.create_index("ix_sign_ins_at", "sign_ins", ["at"])
    op.create_index("ix_sign_ins_user_id_at", "sign_ins", ["user_id", "at"])
    op.create_table(
        "sign_in_failures",
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("times", sa.Integer(), nullable=False),
        sa.Column("last_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_sign_in_failures"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_sign_in_failures_last_at", "sign_in_failures", ["last_at"])
