"""Triggers that note the articles for which a stage may have work; read by work/store/pending.py.

Triggers catch every way of writing: polls, stages, pruning, copies. They note an article when a row
that a query of pending work reads is inserted, updated or deleted, unless the change only removes
work. Writers to these tables hold a lock, so a note that is committed later has a higher number.
"""

from __future__ import annotations

from sqlalchemy import Connection

# What of each table is noted: the events, and the columns that matter when a row is updated.
_INPUT, _RESULT = ("INSERT", "UPDATE", "DELETE"), ("UPDATE", "DELETE")
NOTED: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "articles": (("INSERT", "UPDATE"), ("original_id", "language")),
    "texts": (_INPUT, ("maker_id", "digest")),
    "signatures": (_INPUT, ("maker_id",)),
    "embeddings": (_INPUT, ("maker_id",)),
    "ratings": (_RESULT, ("maker_id",)),
    "importances": (_RESULT, ("maker_id",)),
    "story_members": (_RESULT, ("maker_id",)),
    "same_event_marks": (_RESULT, ("maker_id", "digest")),
    "aged_articles": (_RESULT, ("texts_at", "vectors_at")),
    "work_failures": (("DELETE",), ()),
}
_SERIAL = {"sqlite": "INTEGER PRIMARY KEY", "postgresql": "BIGSERIAL PRIMARY KEY"}
_TABLES = (
    "DROP TABLE IF EXISTS work_notes",
    "DROP TABLE IF EXISTS work_done",
    "CREATE TABLE work_notes (id {serial}, article_id BIGINT NOT NULL)",
    # Of each stage the last note up to which nothing was left.
    "CREATE TABLE work_done (stage TEXT PRIMARY KEY, note_id BIGINT NOT NULL)",
)
_NOTE = "INSERT INTO work_notes (article_id)"


def make(connection: Connection) -> None:
    """Make the tables and triggers, after every upgrade: a table that was made anew has lost its
    triggers. Every stage then scans all articles once."""
    dialect = connection.dialect.name
    for statement in _TABLES:
        connection.exec_driver_sql(statement.format(serial=_SERIAL[dialect]))
    for table, (events, columns) in NOTED.items():
        of = "id" if table == "articles" else "article_id"
        for event in events:
            name = f"work_{table}_{event.lower()}"
            rows = ("OLD",) * (event != "INSERT") + ("NEW",) * (event != "DELETE")
            noted = f"{_NOTE} " + " UNION ".join(f"SELECT {row}.{of}" for row in rows) + ";"
            changed = " OR ".join(f"OLD.{one} {{differs}} NEW.{one}" for one in (of, *columns))
            when = f"WHEN ({changed})" if event == "UPDATE" else ""
            if dialect == "sqlite":
                connection.exec_driver_sql(f"DROP TRIGGER IF EXISTS {name}")
                connection.exec_driver_sql(
                    f"CREATE TRIGGER {name} AFTER {event} ON {table}"
                    f" {when.format(differs='IS NOT')} BEGIN {noted} END"
                )
                continue
            connection.exec_driver_sql(
                f"CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS"
                f" $$ BEGIN {noted} RETURN NULL; END $$"
            )
            connection.exec_driver_sql(
                f"CREATE OR REPLACE TRIGGER {name} AFTER {event} ON {table} FOR EACH ROW"
                f" {when.format(differs='IS DISTINCT FROM')} EXECUTE FUNCTION {name}()"
            )
