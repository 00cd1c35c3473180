"""Notices of PostgreSQL, by triggers, whoever writes: of whom a transaction changed something.

A notice is sent when the transaction commits, once for each reader however much was changed, and
says no more than the reader's number: who hears it looks for itself. A statement that changes
rows of very many readers sends one notice, EVERYBODY. Notices are about what open pages show
(web/live.py): states and marks, sessions and accounts, and what goes on for a reader.

One connection hears the notices, for as long as it is wanted. What is heard is never trusted: it
names a reader, or nothing, and who hears it looks for itself. While the connection is lost nothing
is heard; with each new one everybody may have changed. A pool between us and the server (PgBouncer)
must keep a connection with its client ("session"), or nothing comes through: callers look for
themselves from time to time all the same.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Any

from sqlalchemy import Connection

log = logging.getLogger(__name__)

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

# Seconds between attempts to connect, twice as long each time.
FIRST_WAIT, LONGEST_WAIT = 0.2, 5.0
# Seconds without a notice, after which the server is asked whether it is still there.
SILENT = 15
# How soon the thread notices that it is to end.
LOOK = 0.5

# Longer than any reader's number; whatever else comes is of nobody.
LONGEST_WORDS = 20


def make_notices(connection: Connection) -> None:
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


class Listener:
    """Hears notices in a thread of its own, from `start` to `close`."""

    def __init__(self, connect: Callable[[], Any], heard: Callable[[str], None]) -> None:
        """`connect` makes a connection of psycopg; `heard` is called from the thread."""
        self._connect = connect
        self._on_notice = heard
        self._ending = threading.Event()
        self._listens = False
        self._thread = threading.Thread(target=self._run, name="listening", daemon=True)

    @property
    def listens(self) -> bool:
        """Whether what happens now is heard; else callers look for themselves."""
        return self._listens

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        self._ending.set()
        if self._thread.is_alive():
            self._thread.join(2 * LOOK)

    def _run(self) -> None:
        wait = FIRST_WAIT
        while not self._ending.is_set():
            try:
                with self._connect() as connection:
                    connection.execute(f"LISTEN {CHANNEL}")
                    self._listens, wait = True, FIRST_WAIT
                    self._on_notice(EVERYBODY)  # what happened before was not heard
                    self._listen(connection)
            except Exception as error:  # noqa: BLE001 - whatever it is, the next may do
                if self._listens:
                    log.warning("notices of the database are not heard now: %s", _line(error))
            finally:
                self._listens = False
            self._ending.wait(wait)
            wait = min(2 * wait, LONGEST_WAIT)

    def _listen(self, connection: Any) -> None:
        silent = 0.0
        while not self._ending.is_set():
            came = False
            for notice in connection.notifies(timeout=LOOK, stop_after=100):
                came = True
                if len(notice.payload) <= LONGEST_WORDS:
                    self._on_notice(notice.payload)
            silent = 0.0 if came else silent + LOOK
            if silent >= SILENT:
                connection.execute("SELECT 1")
                silent = 0.0


def _line(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__
