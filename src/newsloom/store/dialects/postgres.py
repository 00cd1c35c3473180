"""PostgreSQL's forms; full text is in tsvector.py."""

from __future__ import annotations

from sqlalchemy import Connection, Table, text

from newsloom.store.dialects import FullText, tsvector

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
}
FULL_TEXT: FullText = tsvector

_ALLOCATE = text("SELECT setval(:sequence, nextval(:sequence) - 1 + :count)")


def allocate_ids(connection: Connection, table: str, count: int) -> int:
    """From the sequence that numbers single rows too; the writers' lock joins its two halves."""
    values = {"sequence": f"{table}_id_seq", "count": count}
    last = connection.execute(_ALLOCATE, values).scalar_one()
    return int(last) - count + 1


def numbered(connection: Connection, table: Table) -> None:
    """Set the sequence of its numbers, if it has one."""
    column = table.autoincrement_column
    if column is not None:
        sequence, last = f"{table.name}_{column.name}_seq", f"MAX({column.name})"
        connection.exec_driver_sql(
            f"SELECT setval('{sequence}', COALESCE({last}, 1), {last} IS NOT NULL)"  # noqa: S608
            f" FROM {table.name}"
        )
