"""What makes the database note every change of a vector; `ranking/store/nearest/block.py` reads the
notes.

By triggers, so that no way of writing can forget it: stages, copies, restored backups. Each note
has a random number: a database that was put back to an earlier state, and then went on, has other
notes under the same ids. Of so many notes the oldest go: whoever needs those reads all vectors.
"""

from __future__ import annotations

from sqlalchemy import Connection

MOST = 200_000

_CUT = f"DELETE FROM vector_log WHERE id <= (SELECT MAX(id) FROM vector_log) - {MOST};"  # noqa: S608
_NOTE = "INSERT INTO vector_log (maker_id, article_id, nonce)"

_SQLITE = (
    """CREATE TABLE vector_log (
        id INTEGER PRIMARY KEY, maker_id INTEGER NOT NULL, article_id INTEGER NOT NULL,
        nonce INTEGER NOT NULL
    )""",
    f"{_NOTE} VALUES (0, 0, random())",
    f"""CREATE TRIGGER vector_log_insert AFTER INSERT ON embeddings BEGIN
        {_NOTE} VALUES (NEW.maker_id, NEW.article_id, random());
        {_CUT}
    END""",  # noqa: S608
    f"""CREATE TRIGGER vector_log_delete AFTER DELETE ON embeddings BEGIN
        {_NOTE} VALUES (OLD.maker_id, OLD.article_id, random());
    END""",
    f"""CREATE TRIGGER vector_log_update AFTER UPDATE ON embeddings BEGIN
        {_NOTE} VALUES (OLD.maker_id, OLD.article_id, random());
        {_NOTE} VALUES (NEW.maker_id, NEW.article_id, random());
    END""",
)
_RANDOM = "CAST(random() * 9e18 AS BIGINT)"
_POSTGRES = (
    """CREATE TABLE vector_log (
        id BIGSERIAL PRIMARY KEY, maker_id BIGINT NOT NULL, article_id BIGINT NOT NULL,
        nonce BIGINT NOT NULL
    )""",
    f"{_NOTE} VALUES (0, 0, {_RANDOM})",
    f"""CREATE FUNCTION vector_log_note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        {_NOTE} SELECT maker_id, article_id, {_RANDOM} FROM changed;
        {_CUT}
        RETURN NULL;
    END $$""",  # noqa: S608
    *(
        f"""CREATE TRIGGER vector_log_{name} AFTER {what} ON embeddings
        REFERENCING {rows} TABLE AS changed
        FOR EACH STATEMENT EXECUTE FUNCTION vector_log_note()"""
        for name, what, rows in (
            ("insert", "INSERT", "NEW"),
            ("delete", "DELETE", "OLD"),
            ("update_from", "UPDATE", "OLD"),
            ("update_to", "UPDATE", "NEW"),
        )
    ),
)


def make(connection: Connection) -> None:
    """The table of notes, with a first one, and the triggers on `embeddings`."""
    for statement in _POSTGRES if connection.dialect.name == "postgresql" else _SQLITE:
        connection.exec_driver_sql(statement)
