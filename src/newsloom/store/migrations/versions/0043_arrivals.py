"""The order in which articles reached each reader. Apps hold numbers of articles: those stay valid
as arrival numbers, and new ones are above them.

Revision ID: 0043
Revises: 0042
"""

import sqlalchemy as sa
from alembic import op

revision = "0043"
down_revision = "0042"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")

_STATES = """
    UPDATE states SET arrival = article_id, arrived_at = (
        SELECT CASE WHEN w.since > o.first_seen_at THEN w.since ELSE o.first_seen_at END
        FROM articles o LEFT JOIN subscriptions w
        ON w.user_id = states.user_id AND w.feed_id = states.feed_id
        WHERE o.id = states.article_id
    )
"""
_USERS = """
    UPDATE users SET arrivals = COALESCE((SELECT MAX(id) FROM articles), 0),
    arrived_at = COALESCE((SELECT MAX(arrived_at) FROM states WHERE user_id = users.id), 0)
"""


def upgrade() -> None:
    connection = op.get_bind()
    if connection.dialect.name == "sqlite":
        # It is made again after the upgrade; for each row it would write a note.
        connection.exec_driver_sql("DROP TRIGGER IF EXISTS noted_states_update")
    for table, column in (("users", "arrivals"), ("states", "arrival")):
        op.add_column(table, sa.Column(column, ID, server_default="0", nullable=False))
        op.add_column(
            table, sa.Column("arrived_at", sa.BigInteger(), server_default="0", nullable=False)
        )
    op.execute(_STATES)
    op.execute(_USERS)
    op.create_index("ix_states_arrival", "states", ["user_id", "arrival"])
