"""Articles found by their author, and by the host that published them.

Revision ID: 0010
Revises: 0009
"""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    for name in ("author", "source"):
        op.create_index(
            f"ix_articles_{name}",
            "articles",
            [name, "original_id"],
            sqlite_where=sa.text(f"{name} <> ''"),
            postgresql_where=sa.text(f"{name} <> ''"),
        )
