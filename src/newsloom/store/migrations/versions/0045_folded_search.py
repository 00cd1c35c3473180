"""Search finds words in text without spaces and in any spelling. 0047 fills its index.

In SQLite the index is over a view of the texts as text/folding.py makes them, by a function that
each connection has.

Revision ID: 0045
Revises: 0044
"""

from alembic import op

revision = "0045"
down_revision = "0044"

SQLITE = (
    "DROP TRIGGER texts_search_insert",
    "DROP TRIGGER texts_search_delete",
    "DROP TRIGGER texts_search_update",
    "DROP TABLE texts_search",
    "DROP VIEW IF EXISTS texts_folded",  # of a test that goes a step back
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
)


def upgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        for statement in SQLITE:
            op.execute(statement)
