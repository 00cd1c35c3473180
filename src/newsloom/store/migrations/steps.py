"""The steps from older schemas. A kill leaves the old store: each is part of one transaction."""

from __future__ import annotations

from sqlalchemy import Connection, inspect, text

from newsloom.store.migrations import search
from newsloom.store.tables import metadata

_COLUMNS = (
    "ALTER TABLE users ADD COLUMN arrivals {id} DEFAULT '0' NOT NULL",
    "ALTER TABLE users ADD COLUMN arrived_at BIGINT DEFAULT '0' NOT NULL",
    "ALTER TABLE states ADD COLUMN arrival {id} DEFAULT '0' NOT NULL",
    "ALTER TABLE states ADD COLUMN arrived_at BIGINT DEFAULT '0' NOT NULL",
    "ALTER TABLE feeds ADD COLUMN left_out {bytes}",
)
_SQLITE_ARRIVALS = (
    # It is made again after the upgrade; for each row it would write a note.
    "DROP TRIGGER noted_states_update",
    """
    UPDATE states SET arrival = article_id, arrived_at = (
        SELECT CASE WHEN w.since > o.first_seen_at THEN w.since ELSE o.first_seen_at END
        FROM articles o LEFT JOIN subscriptions w
        ON w.user_id = states.user_id AND w.feed_id = states.feed_id
        WHERE o.id = states.article_id
    )
    """,
)
# A new type writes all rows and indexes anew. After an UPDATE they took twice the space.
_POSTGRES_ARRIVALS = (
    """
    CREATE FUNCTION pg_temp.arrived(reader BIGINT, feed BIGINT, article BIGINT) RETURNS BIGINT
    STABLE LANGUAGE sql AS $$
        SELECT GREATEST(w.since, o.first_seen_at) FROM articles o
        LEFT JOIN subscriptions w ON w.user_id = reader AND w.feed_id = feed WHERE o.id = article
    $$
    """,
    """
    ALTER TABLE states ALTER arrival TYPE BIGINT USING article_id,
        ALTER arrived_at TYPE BIGINT USING pg_temp.arrived(user_id, feed_id, article_id)
    """,
)
_LAST_ARRIVALS = (
    """
    UPDATE users SET arrivals = COALESCE((SELECT MAX(id) FROM articles), 0),
    arrived_at = COALESCE((SELECT MAX(arrived_at) FROM states WHERE user_id = users.id), 0)
    """,
    "CREATE INDEX ix_states_arrival ON states (user_id, arrival)",
)

_COPIES = """
    SELECT c.id, c.original_id, c.feed_id, c.dated_at, c.language, o.feed_id AS original_feed
    FROM articles c JOIN articles o ON o.id = c.original_id
    WHERE c.original_id <> c.id AND c.feed_id <> o.feed_id AND NOT EXISTS (
        SELECT 1 FROM moves m
        WHERE m.feed_id = c.feed_id AND m.merged_id = o.feed_id AND m.undone_at IS NULL
    )
"""
# Readers of a copy who do not follow the feed of the original: the first of their copies takes the
# place of the original.
_ONLY_COPIES = f"""
    SELECT w.user_id, c.original_id, MIN(c.id) AS id FROM ({_COPIES}) c
    JOIN subscriptions w ON w.feed_id = c.feed_id
    WHERE NOT EXISTS (
        SELECT 1 FROM subscriptions v WHERE v.user_id = w.user_id AND v.feed_id = c.original_feed
    )
    GROUP BY w.user_id, c.original_id
"""  # noqa: S608
# An article that already has a star or a rating in one place needs none in the others.
_ADD_STATES = f"""
    INSERT INTO states (user_id, article_id, feed_id, dated_at, read, sensitivity, relevance,
        rank_key, language, points, topic, arrival, arrived_at)
    SELECT s.user_id, c.id, c.feed_id, c.dated_at, s.read, s.sensitivity, s.relevance, s.rank_key,
        s.language, s.points, s.topic,
        u.arrivals + ROW_NUMBER() OVER (PARTITION BY s.user_id ORDER BY c.id), u.arrived_at
    FROM ({_COPIES}) c
    JOIN subscriptions w ON w.feed_id = c.feed_id
    JOIN states s ON s.user_id = w.user_id AND s.article_id = c.original_id
    JOIN users u ON u.id = s.user_id
    WHERE NOT EXISTS (
        SELECT 1 FROM ({_ONLY_COPIES}) y WHERE y.user_id = s.user_id AND y.id = c.id
    )
"""  # noqa: S608
_COUNT_ARRIVALS = """
    UPDATE users SET arrivals = (SELECT MAX(s.arrival) FROM states s WHERE s.user_id = users.id)
    WHERE arrivals < (SELECT MAX(s.arrival) FROM states s WHERE s.user_id = users.id)
"""
_FORGET_TEXTS = """
    UPDATE texts SET maker_id = 0, digest = 0, lead = '', rest = '', title = (
        SELECT a.title FROM articles a WHERE a.id = texts.article_id
    )
    WHERE article_id IN (
        SELECT o.id FROM articles o JOIN articles f ON f.id = o.fullest_id
        WHERE f.feed_id <> o.feed_id
    )
"""
_OWN_FULLEST = """
    UPDATE articles SET fullest_id = id WHERE original_id = id AND fullest_id <> id
    AND feed_id <> (SELECT f.feed_id FROM articles f WHERE f.id = articles.fullest_id)
"""


def from_0042(connection: Connection) -> None:
    """Revision 0042 (commit 980f0b6e) to 0047.

    Articles get numbers in the order in which they reached each reader. Apps hold numbers of
    articles: those stay valid as arrival numbers, and new ones are above them.

    Copies of an article in other feeds become articles of their own. Until now a copy had no
    state, and the fullest text of all copies was shown to every reader of any of the feeds.
    Each reader gets the articles of the feeds they follow; what they marked or wrote stays with
    the article they have. What was made of another feed's text is made again. Copies that a
    feed left behind when it moved to another address stay: nobody follows it any more.

    Search finds words in text without spaces and in any spelling: its index is built again.
    """
    sqlite = connection.dialect.name == "sqlite"
    types = {"id": "INTEGER", "bytes": "BLOB"} if sqlite else {"id": "BIGINT", "bytes": "BYTEA"}
    for statement in (
        *(column.format_map(types) for column in _COLUMNS),
        *(_SQLITE_ARRIVALS if sqlite else _POSTGRES_ARRIVALS),
        *_LAST_ARRIVALS,
    ):
        connection.exec_driver_sql(statement)
    search.drop(connection)
    _separate_copies(connection)
    search.make(connection)


def _separate_copies(connection: Connection) -> None:
    copies = connection.scalars(text(_COPIES)).all()
    if not copies:
        return
    moved = [dict(row) for row in connection.execute(text(_ONLY_COPIES)).mappings()]
    connection.execute(text(_ADD_STATES))
    connection.execute(text(_COUNT_ARRIVALS))
    if moved:
        _give(connection, moved)
    connection.execute(text(_FORGET_TEXTS))
    own = text("UPDATE articles SET original_id = id, fullest_id = id WHERE id = :id")
    connection.execute(own, [{"id": one} for one in copies])
    connection.execute(text(_OWN_FULLEST))


def _give(connection: Connection, moved: list[dict[str, int]]) -> None:
    """What those readers have of an original, in every table that has something of theirs."""
    for table in inspect(connection).get_table_names():
        names = set(connection.execute(text(f"SELECT * FROM {table} LIMIT 0")).keys())  # noqa: S608
        if table != "separations" and {"user_id", "article_id"} <= names:
            connection.execute(
                text(
                    f"UPDATE {table} SET article_id = :id"  # noqa: S608
                    " WHERE user_id = :user_id AND article_id = :original_id"
                ),
                moved,
            )
    connection.execute(
        text("""
            UPDATE states SET scored_by = 0, weighed_by = 0,
                feed_id = (SELECT a.feed_id FROM articles a WHERE a.id = :id)
            WHERE user_id = :user_id AND article_id = :id
        """),
        moved,
    )


_ADDED_0047 = ("event_terms", "thread_readers", "thread_decisions", "thread_corrections")

_STATEMENTS_0047 = (
    "ALTER TABLE story_parents RENAME TO threads",
    "ALTER TABLE threads DROP COLUMN title",
    "ALTER TABLE threads RENAME COLUMN made_at TO began",
    "ALTER TABLE threads ADD COLUMN kind TEXT {words} DEFAULT '' NOT NULL",
    "ALTER TABLE threads ADD COLUMN size INTEGER DEFAULT '0' NOT NULL",
    "ALTER TABLE threads ADD COLUMN merged_into {id} CONSTRAINT fk_threads_merged_into"
    " REFERENCES threads (id)",
    "CREATE INDEX ix_threads_latest_id ON threads (latest, id)",
    "DROP INDEX ix_stories_parent_id",
    "ALTER TABLE stories RENAME COLUMN parent_id TO thread_id",
    "CREATE INDEX ix_stories_thread_id ON stories (thread_id)",
    "ALTER TABLE stories ADD COLUMN thread_by TEXT {words} DEFAULT '' NOT NULL",
    "ALTER TABLE stories ADD COLUMN threaded_at BIGINT",
    "ALTER TABLE story_readers ADD COLUMN thread_id {id}"
    " CONSTRAINT fk_story_readers_thread_id REFERENCES threads (id)",
    "UPDATE stories SET thread_by = 'calibrated' WHERE thread_id IS NOT NULL",
    """
    UPDATE threads SET
        size = (SELECT COUNT(*) FROM stories s WHERE s.thread_id = threads.id),
        began = COALESCE(
            (SELECT MIN(s.began) FROM stories s WHERE s.thread_id = threads.id), began),
        latest = COALESCE(
            (SELECT MAX(s.latest) FROM stories s WHERE s.thread_id = threads.id), latest)
    """,
)
_POSTGRES_0047 = (
    "ALTER TABLE threads RENAME CONSTRAINT pk_story_parents TO pk_threads",
    "ALTER TABLE stories RENAME CONSTRAINT fk_stories_parent_id TO fk_stories_thread_id",
    "ALTER SEQUENCE story_parents_id_seq RENAME TO threads_id_seq",
)


def from_0047(connection: Connection) -> None:
    """Revision 0047 to 0048: parents of stories become threads.

    A parent keeps its number and its stories; the next passes put the other stories into threads.
    """
    sqlite = connection.dialect.name == "sqlite"
    types = {"id": "INTEGER", "words": ""} if sqlite else {"id": "BIGINT", "words": 'COLLATE "C"'}
    if sqlite:  # made again after the upgrade; they name tables that get other names
        for name in connection.exec_driver_sql(
            "SELECT name FROM sqlite_master WHERE type = 'trigger' AND name GLOB 'noted_*'"
        ).scalars():
            connection.exec_driver_sql(f"DROP TRIGGER {name}")
    for statement in (*_STATEMENTS_0047, *(() if sqlite else _POSTGRES_0047)):
        connection.exec_driver_sql(statement.format_map(types))
    if not sqlite:  # PostgreSQL 18 and newer name them
        for name in connection.exec_driver_sql(
            "SELECT conname FROM pg_constraint WHERE conrelid = 'threads'::regclass"
            " AND contype = 'n' AND starts_with(conname::text, 'story_parents_')"
        ).scalars():
            new = name.replace("story_parents", "threads").replace("made_at", "began")
            connection.exec_driver_sql(f"ALTER TABLE threads RENAME CONSTRAINT {name} TO {new}")
    metadata.create_all(
        connection, tables=[metadata.tables[name] for name in _ADDED_0047], checkfirst=False
    )


_STATEMENTS_0048 = (
    "ALTER TABLE thread_decisions ADD COLUMN confidence FLOAT DEFAULT '0' NOT NULL",
    "ALTER TABLE thread_decisions ADD COLUMN relation TEXT {words} DEFAULT '' NOT NULL",
    "ALTER TABLE thread_decisions ADD COLUMN prompt TEXT {words} DEFAULT '' NOT NULL",
)


def from_0048(connection: Connection) -> None:
    """Revision 0048 to 0049: language models judge threads."""
    words = "" if connection.dialect.name == "sqlite" else 'COLLATE "C"'
    held = connection.exec_driver_sql("SELECT * FROM thread_decisions LIMIT 0").keys()
    if "prompt" not in held:  # the step before made the table as it is now
        for statement in _STATEMENTS_0048:
            connection.exec_driver_sql(statement.format(words=words))
    metadata.create_all(connection, tables=[metadata.tables["thread_questions"]], checkfirst=False)


_ADDED_0049 = ("playback_positions", "idempotency_keys")


def from_0049(connection: Connection) -> None:
    """Revision 0049 to 0050: playback positions and idempotency keys."""
    tables = [metadata.tables[name] for name in _ADDED_0049]
    metadata.create_all(connection, tables=tables, checkfirst=False)
