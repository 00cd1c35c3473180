"""Notices of PostgreSQL, by triggers, whoever writes: of whom a transaction changed something.

A notice is sent when the transaction commits, once for each reader however much was changed, and
says no more than the reader's number: who hears it looks for itself. A statement that changed
something of very many sends one notice for all, EVERYBODY. Named here is what open pages are told
of (web/live.py): states and marks, sessions and accounts, and what goes on for a reader.
"""

from __future__ import annotations

from sqlalchemy import Connection

# The channel, of this database alone.
CHANNEL = "newsloom"
EVERYBODY = "0"

# A statement that is about more readers than that sends one notice for all.
MOST_NAMED = 32

TABLES = ("accounts", "activities", "events", "sessions", "states")

_FUNCTION = f"""
CREATE OR REPLACE FUNCTION newsloom_noticed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    readers BIGINT[];
BEGIN
    SELECT array_agg(user_id) INTO readers
    FROM (SELECT DISTINCT user_id FROM changed LIMIT {MOST_NAMED + 1}) AS found;
    IF cardinality(readers) > {MOST_NAMED} THEN
        PERFORM pg_notify('{CHANNEL}', '{EVERYBODY}');
    ELSIF readers IS NOT NULL THEN
        PERFORM pg_notify('{CHANNEL}', CAST(one AS text)) FROM unnest(readers) AS one;
    END IF;
    RETURN NULL;
END $$
"""  # noqa: S608


def make(connection: Connection) -> None:
    """After every upgrade. In SQLite one watches the counter of commits instead."""
    if connection.dialect.name != "postgresql":
        return
    connection.exec_driver_sql(_FUNCTION)
    for table in TABLES:
        for what, rows in (("INSERT", "NEW"), ("UPDATE", "NEW"), ("DELETE", "OLD")):
            connection.exec_driver_sql(
                f"CREATE OR REPLACE TRIGGER noticed_{table}_{what.lower()} AFTER {what}"
                f" ON {table} REFERENCING {rows} TABLE AS changed"
                " FOR EACH STATEMENT EXECUTE FUNCTION newsloom_noticed()"
            )
