"""The full-text index of the table `texts`. kernel/text/folding.py says what its words are.

SQLite has an FTS5 index over a view of the folded texts, and triggers that keep it in step; each
connection has the function `search_words`. PostgreSQL has a table that dialects/tsvector.py writes.
"""

from __future__ import annotations

from sqlalchemy import Connection, text

from newsloom.kernel.db.dialects import full_text

_SQLITE = (
    """CREATE VIEW texts_folded AS SELECT article_id, search_words(title) AS title,
        search_words(lead) AS lead, search_words(rest) AS rest FROM texts""",
    """CREATE VIRTUAL TABLE texts_search USING fts5(
        title, lead, rest,
        content='texts_folded', content_rowid='article_id', tokenize='ascii'
    )""",
    """CREATE TRIGGER texts_search_insert AFTER INSERT ON texts BEGIN
        INSERT INTO texts_search(rowid, title, lead, rest) VALUES (new.article_id,
            search_words(new.title), search_words(new.lead), search_words(new.rest));
    END""",
    """CREATE TRIGGER texts_search_delete AFTER DELETE ON texts BEGIN
        INSERT INTO texts_search(texts_search, rowid, title, lead, rest)
        VALUES ('delete', old.article_id,
            search_words(old.title), search_words(old.lead), search_words(old.rest));
    END""",
    """CREATE TRIGGER texts_search_update AFTER UPDATE OF title, lead, rest ON texts BEGIN
        INSERT INTO texts_search(texts_search, rowid, title, lead, rest)
        VALUES ('delete', old.article_id,
            search_words(old.title), search_words(old.lead), search_words(old.rest));
        INSERT INTO texts_search(rowid, title, lead, rest) VALUES (new.article_id,
            search_words(new.title), search_words(new.lead), search_words(new.rest));
    END""",
    "INSERT INTO texts_search(texts_search) VALUES ('rebuild')",
)
_SQLITE_GONE = (
    *(f"DROP TRIGGER IF EXISTS texts_search_{name}" for name in ("insert", "delete", "update")),
    "DROP TABLE IF EXISTS texts_search",
    "DROP VIEW IF EXISTS texts_folded",
)
_POSTGRES = """CREATE TABLE texts_search (
    article_id BIGINT PRIMARY KEY REFERENCES texts (article_id) ON DELETE CASCADE,
    words TSVECTOR NOT NULL
)"""
_POSTGRES_INDEX = "CREATE INDEX ix_texts_search_words ON texts_search USING gin (words)"
_TEXTS = text("""
    SELECT article_id, title, lead, rest FROM texts
    WHERE article_id > :after ORDER BY article_id LIMIT 1000
""")


def make(connection: Connection) -> None:
    """Index the texts there are.

    To change every row of an index that is there left it 1.6 times as large in PostgreSQL.
    """
    if connection.dialect.name == "sqlite":
        for statement in _SQLITE:
            connection.exec_driver_sql(statement)
        return
    connection.exec_driver_sql(_POSTGRES)
    after = 0
    while rows := connection.execute(_TEXTS, {"after": after}).mappings().all():
        full_text(connection).put(connection, [dict(row) for row in rows])
        after = rows[-1]["article_id"]
    connection.exec_driver_sql(_POSTGRES_INDEX)


def drop(connection: Connection) -> None:
    """The index, of any version; SQLite no longer notes what becomes of the texts."""
    gone = _SQLITE_GONE if connection.dialect.name == "sqlite" else ("DROP TABLE texts_search",)
    for statement in gone:
        connection.exec_driver_sql(statement)
