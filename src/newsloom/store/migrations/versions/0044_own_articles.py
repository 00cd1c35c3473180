"""Copies of an article in other feeds become articles of their own.

Until now a copy had no state, and the fullest text of all copies was shown to every reader of any
of the feeds. Each reader gets the articles of the feeds they follow; what they marked or wrote
stays with the article they have. What was made of another feed's text is made again.

Copies that a feed left behind when it moved to another address stay: nobody follows it any more.

Revision ID: 0044
Revises: 0043
"""

import sqlalchemy as sa
from alembic import op

revision = "0044"
down_revision = "0043"

COPIES = """
    SELECT c.id, c.original_id, c.feed_id, c.dated_at, c.language, o.feed_id AS original_feed
    FROM articles c JOIN articles o ON o.id = c.original_id
    WHERE c.original_id <> c.id AND c.feed_id <> o.feed_id AND NOT EXISTS (
        SELECT 1 FROM moves m
        WHERE m.feed_id = c.feed_id AND m.merged_id = o.feed_id AND m.undone_at IS NULL
    )
"""
# Readers of a copy who do not follow the feed of the original: the first of their copies takes the
# place of the original.
ONLY_COPIES = f"""
    SELECT w.user_id, c.original_id, MIN(c.id) AS id FROM ({COPIES}) c
    JOIN subscriptions w ON w.feed_id = c.feed_id
    WHERE NOT EXISTS (
        SELECT 1 FROM subscriptions v WHERE v.user_id = w.user_id AND v.feed_id = c.original_feed
    )
    GROUP BY w.user_id, c.original_id
"""  # noqa: S608
# An article that already has a star or a rating in one place needs none in the others.
ADD_STATES = f"""
    INSERT INTO states (user_id, article_id, feed_id, dated_at, read, sensitivity, relevance,
        rank_key, language, points, topic, arrival, arrived_at)
    SELECT s.user_id, c.id, c.feed_id, c.dated_at, s.read, s.sensitivity, s.relevance, s.rank_key,
        s.language, s.points, s.topic,
        u.arrivals + ROW_NUMBER() OVER (PARTITION BY s.user_id ORDER BY c.id), u.arrived_at
    FROM ({COPIES}) c
    JOIN subscriptions w ON w.feed_id = c.feed_id
    JOIN states s ON s.user_id = w.user_id AND s.article_id = c.original_id
    JOIN users u ON u.id = s.user_id
    WHERE NOT EXISTS (
        SELECT 1 FROM ({ONLY_COPIES}) y WHERE y.user_id = s.user_id AND y.id = c.id
    )
"""  # noqa: S608
COUNT_ARRIVALS = """
    UPDATE users SET arrivals = (SELECT MAX(s.arrival) FROM states s WHERE s.user_id = users.id)
    WHERE arrivals < (SELECT MAX(s.arrival) FROM states s WHERE s.user_id = users.id)
"""


def upgrade() -> None:
    connection = op.get_bind()
    copies = [row.id for row in connection.execute(sa.text(COPIES))]
    if not copies:
        return
    moved = connection.execute(sa.text(ONLY_COPIES)).all()
    connection.execute(sa.text(ADD_STATES))
    connection.execute(sa.text(COUNT_ARRIVALS))
    if moved:
        _give(connection, [row._asdict() for row in moved])
    connection.execute(
        sa.text("""
            UPDATE texts SET maker_id = 0, digest = 0, lead = '', rest = '', title = (
                SELECT a.title FROM articles a WHERE a.id = texts.article_id
            )
            WHERE article_id IN (
                SELECT o.id FROM articles o JOIN articles f ON f.id = o.fullest_id
                WHERE f.feed_id <> o.feed_id
            )
        """)
    )
    own = sa.text("UPDATE articles SET original_id = id, fullest_id = id WHERE id = :id")
    connection.execute(own, [{"id": one} for one in copies])
    connection.execute(
        sa.text("""
            UPDATE articles SET fullest_id = id WHERE original_id = id AND fullest_id <> id
            AND feed_id <> (SELECT f.feed_id FROM articles f WHERE f.id = articles.fullest_id)
        """)
    )


def _give(connection: sa.Connection, moved: list[dict[str, int]]) -> None:
    """What those readers have of an original, in every table that has something of theirs."""
    for table in sa.inspect(connection).get_table_names():
        names = set(connection.execute(sa.text(f"SELECT * FROM {table} LIMIT 0")).keys())  # noqa: S608
        if table != "separations" and {"user_id", "article_id"} <= names:
            connection.execute(
                sa.text(
                    f"UPDATE {table} SET article_id = :id"  # noqa: S608
                    " WHERE user_id = :user_id AND article_id = :original_id"
                ),
                moved,
            )
    connection.execute(
        sa.text("""
            UPDATE states SET scored_by = 0, weighed_by = 0,
                feed_id = (SELECT a.feed_id FROM articles a WHERE a.id = :id)
            WHERE user_id = :user_id AND article_id = :id
        """),
        moved,
    )
