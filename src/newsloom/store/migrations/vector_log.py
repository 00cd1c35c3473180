"""What makes the database note every change of a vector; `ranking/store/nearest/block.py` reads the
notes.

By triggers, so that no way of writing can forget it: stages, copies, restored backups. Each note
has a random number: a database that was put back to an earlier state, and then went on, has other
notes under the same ids. Of so many notes the oldest go: whoever needs those reads all vectors.
"""

from __future__ import annotations

from sqlalchemy import Connection

MOST = 200_000

# Two bounds: for one alone PostgreSQL expects a third of the table and scans all of it.
_CUT = f"""
        DELETE FROM vector_log WHERE id BETWEEN (SELECT MIN(id) FROM vector_log)
            AND (SELECT MAX(id) FROM vector_log) - {MOST};"""  # noqa: S608
_NOTE = "INSERT INTO vector_log (maker_id, article_id, nonce)"
_TABLE = """CREATE TABLE IF NOT EXISTS vector_log (
    id {serial} PRIMARY KEY, maker_id {number} NOT NULL, article_id {number} NOT NULL,
    nonce {number} NOT NULL
)"""
_FIRST = f"{_NOTE} SELECT 0, 0, {{nonce}} WHERE NOT EXISTS (SELECT 1 FROM vector_log)"  # noqa: S608


def _noted(row: str) -> str:
    return f"{_NOTE} VALUES ({row}.maker_id, {row}.article_id, random());"


_SQLITE = {
    "insert": f"INSERT ON embeddings BEGIN {_noted('NEW')} {_CUT}",
    "delete": f"DELETE ON embeddings BEGIN {_noted('OLD')}",
    "update": f"UPDATE ON embeddings BEGIN {_noted('OLD')} {_noted('NEW')}",
}
_RANDOM = "CAST(random() * 9e18 AS BIGINT)"
_FUNCTION = f"""CREATE OR REPLACE FUNCTION vector_log_note() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN
        {_NOTE} SELECT maker_id, article_id, {_RANDOM} FROM changed;
        {_CUT}
        RETURN NULL;
    END $$"""  # noqa: S608
_POSTGRES = {
    "insert": "INSERT ON embeddings REFERENCING NEW",
    "delete": "DELETE ON embeddings REFERENCING OLD",
    "update_from": "UPDATE ON embeddings REFERENCING OLD",
    "update_to": "UPDATE ON embeddings REFERENCING NEW",
}


def make(connection: Connection) -> None:
    """The table of notes, with a first one, and the triggers on `embeddings`, after every upgrade.
    Notes that are there stay."""
    run = connection.exec_driver_sql
    if connection.dialect.name == "postgresql":
        run(_TABLE.format(serial="BIGSERIAL", number="BIGINT"))
        run(_FIRST.format(nonce=_RANDOM))
        run(_FUNCTION)
        for name, when in _POSTGRES.items():
            run(
                f"CREATE OR REPLACE TRIGGER vector_log_{name} AFTER {when} TABLE AS changed"
                " FOR EACH STATEMENT EXECUTE FUNCTION vector_log_note()"
            )
        return
    run(_TABLE.format(serial="INTEGER", number="INTEGER"))
    run(_FIRST.format(nonce="random()"))
    for name, when in _SQLITE.items():
        run(f"DROP TRIGGER IF EXISTS vector_log_{name}")
        run(f"CREATE TRIGGER vector_log_{name} AFTER {when} END")
