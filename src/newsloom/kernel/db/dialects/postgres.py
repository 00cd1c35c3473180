"""PostgreSQL's forms; full text is in tsvector.py."""

from __future__ import annotations

import json
from collections.abc import Collection

from sqlalchemy import Connection, Table, text

from newsloom.kernel.db.dialects import FullText, tsvector
from newsloom.kernel.db.listening import CHANNEL

NAMES = {"greatest": "GREATEST"}
FORMS = {
    "numbers_in": (
        "(SELECT CAST(value AS BIGINT) AS value FROM json_array_elements_text(CAST({} AS JSON)))"
    ),
    "names_in": "(SELECT value FROM json_array_elements_text(CAST({} AS JSON)))",
    "numbers_by_name": (
        "(SELECT key, CAST(value AS BIGINT) AS value FROM json_each_text(CAST({} AS JSON)))"
    ),
    "distinct_list": "STRING_AGG(DISTINCT {}, ',')",
    "inlined": "{}",
    "apart": "OFFSET 0",
    "claiming": "FOR UPDATE OF {} SKIP LOCKED",
}
FULL_TEXT: FullText = tsvector
# A plan for any LIMIT is taken to read a tenth of a table, so the server would plan the merge of
# five ranges anew for every page: two thirds of what a page took there.
WRITES_OUT = True

# Names lock one of so many numbers each: a server keeps a few thousand locks in all. Another key
# than the writers'; `host` in ASCII.
_NAMES, _NUMBERS = int.from_bytes(b"host"), 1_024
_LOCK_NAMES = text(f"""
    SELECT value FROM json_array_elements_text(CAST(:names AS JSON)) AS n
    WHERE pg_try_advisory_xact_lock({_NAMES}, hashtext(value) & {_NUMBERS - 1})
""")  # noqa: S608
_NOTIFY = text("SELECT pg_notify(:channel, :words)")
_ALLOCATE = text("SELECT setval(:sequence, nextval(:sequence) - 1 + :count)")


def allocate_ids(connection: Connection, table: str, count: int) -> int:
    """From the sequence that numbers single rows too; the writers' lock joins its two halves."""
    values = {"sequence": f"{table}_id_seq", "count": count}
    last = connection.execute(_ALLOCATE, values).scalar_one()
    return int(last) - count + 1


def lock_names(connection: Connection, names: Collection[str]) -> Collection[str]:
    return connection.scalars(_LOCK_NAMES, {"names": json.dumps(list(names))}).all()


def numbered(connection: Connection, table: Table) -> None:
    """Set the sequence of its numbers, if it has one."""
    column = table.autoincrement_column
    if column is not None:
        sequence, last = f"{table.name}_{column.name}_seq", f"MAX({column.name})"
        connection.exec_driver_sql(
            f"SELECT setval('{sequence}', COALESCE({last}, 1), {last} IS NOT NULL)"  # noqa: S608
            f" FROM {table.name}"
        )


def announce(connection: Connection, words: str) -> None:
    connection.execute(_NOTIFY, {"channel": CHANNEL, "words": words})
