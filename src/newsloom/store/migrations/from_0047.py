"""Brings a store of revision 0047 to 0048: parents of stories become threads.

A parent keeps its number and its stories; the next passes put the other stories into threads.
"""

from __future__ import annotations

from sqlalchemy import Connection

from newsloom.store.tables import metadata

_ADDED = ("event_terms", "thread_readers", "thread_decisions", "thread_corrections")

_STATEMENTS = (
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
_POSTGRES = (
    "ALTER TABLE threads RENAME CONSTRAINT pk_story_parents TO pk_threads",
    "ALTER TABLE stories RENAME CONSTRAINT fk_stories_parent_id TO fk_stories_thread_id",
    "ALTER SEQUENCE story_parents_id_seq RENAME TO threads_id_seq",
)


def upgrade(connection: Connection) -> None:
    """A kill leaves the old store: all of it is one transaction."""
    sqlite = connection.dialect.name == "sqlite"
    types = {"id": "INTEGER", "words": ""} if sqlite else {"id": "BIGINT", "words": 'COLLATE "C"'}
    if sqlite:  # made again after the upgrade; they name tables that get other names
        for name in connection.exec_driver_sql(
            "SELECT name FROM sqlite_master WHERE type = 'trigger' AND name GLOB 'noted_*'"
        ).scalars():
            connection.exec_driver_sql(f"DROP TRIGGER {name}")
    for statement in (*_STATEMENTS, *(() if sqlite else _POSTGRES)):
        connection.exec_driver_sql(statement.format_map(types))
    if not sqlite:  # PostgreSQL 18 and newer name them
        for name in connection.exec_driver_sql(
            "SELECT conname FROM pg_constraint WHERE conrelid = 'threads'::regclass"
            " AND contype = 'n' AND starts_with(conname::text, 'story_parents_')"
        ).scalars():
            new = name.replace("story_parents", "threads").replace("made_at", "began")
            connection.exec_driver_sql(f"ALTER TABLE threads RENAME CONSTRAINT {name} TO {new}")
    metadata.create_all(
        connection, tables=[metadata.tables[name] for name in _ADDED], checkfirst=False
    )
