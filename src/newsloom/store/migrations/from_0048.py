"""Brings a store of revision 0048 to 0049: language models are asked about threads."""

from __future__ import annotations

from sqlalchemy import Connection

from newsloom.store.tables import metadata

_STATEMENTS = (
    "ALTER TABLE thread_decisions ADD COLUMN confidence FLOAT DEFAULT '0' NOT NULL",
    "ALTER TABLE thread_decisions ADD COLUMN relation TEXT {words} DEFAULT '' NOT NULL",
    "ALTER TABLE thread_decisions ADD COLUMN prompt TEXT {words} DEFAULT '' NOT NULL",
)


def upgrade(connection: Connection) -> None:
    """A kill leaves the old store: all of it is one transaction."""
    words = "" if connection.dialect.name == "sqlite" else 'COLLATE "C"'
    held = connection.exec_driver_sql("SELECT * FROM thread_decisions LIMIT 0").keys()
    if "prompt" not in held:  # the step before made the table as it is now
        for statement in _STATEMENTS:
            connection.exec_driver_sql(statement.format(words=words))
    metadata.create_all(connection, tables=[metadata.tables["thread_questions"]], checkfirst=False)
