"""Categories that stand by themselves, and the order in which a reader put them and their feeds.

Who read here before has no use for a tour of the pages.

Revision ID: 0029
Revises: 0028
"""

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "categories",
        sa.Column("user_id", ID, autoincrement=False, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("position", sa.Integer(), server_default="0", nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_categories_user_id"),
        sa.PrimaryKeyConstraint("user_id", "name", name="pk_categories"),
        sqlite_with_rowid=False,
    )
    for table in ("subscriptions", "left_feeds"):
        position = sa.Column("position", sa.Integer(), server_default="0", nullable=False)
        op.add_column(table, position)
    op.execute(
        "INSERT INTO preferences (user_id, scope, name, chosen)"
        " SELECT id, '', 'tour', 'seen' FROM users"
    )
