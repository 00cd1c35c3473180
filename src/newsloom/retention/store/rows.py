"""Rows that go by their own age, table by table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import text

from newsloom.kernel.db.aggregate import Aggregate
from newsloom.kernel.db.columns import micros
from newsloom.kernel.db.dialects import portable


@dataclass(frozen=True, slots=True)
class AgedTable:
    """A table whose rows go when they are old. `setting` is of the group `keep`."""

    name: str
    setting: str
    aged: str  # the column of the age
    key: str = "id"
    besides: str = "TRUE"  # another condition on a row `t`
    first: tuple[tuple[str, str], ...] = ()  # (table, column) of rows that refer to it, and go too


# Decisions are read in the order of their ids, so that the oldest are found without an index.
AGED = (
    AgedTable("story_decisions", "audit_days", "at"),
    AgedTable("digest_sendings", "audit_days", "at", besides="t.state <> 'waiting'"),
    AgedTable("brief_sendings", "audit_days", "at", besides="t.state <> 'waiting'"),
    AgedTable(
        "coverage_pages",
        "audit_days",
        "at",
        besides="NOT EXISTS (SELECT 1 FROM coverage_candidates c WHERE c.page_id = t.id)",
    ),
    # The last of each reader and kind remembers what was told.
    AgedTable(
        "digests",
        "digests_days",
        "made_at",
        besides="EXISTS (SELECT 1 FROM digests n WHERE n.user_id = t.user_id AND n.kind = t.kind"
        " AND n.id > t.id) AND NOT EXISTS (SELECT 1 FROM digest_sendings w"
        " WHERE w.digest_id = t.id AND w.state = 'waiting')",
        first=(("digest_sendings", "digest_id"),),
    ),
    # What has a sound has files, which brief.days_kept removes first.
    AgedTable(
        "briefs",
        "digests_days",
        "made_at",
        besides="t.sound IS NULL AND t.state IN ('ready', 'failed')"
        " AND EXISTS (SELECT 1 FROM briefs n WHERE n.user_id = t.user_id AND n.id > t.id)"
        " AND NOT EXISTS (SELECT 1 FROM brief_sendings w"
        " WHERE w.brief_id = t.id AND w.state = 'waiting')",
        first=(("brief_sendings", "brief_id"), ("brief_places", "brief_id")),
    ),
    AgedTable("redirects", "redirects_days", "at", key="url"),
)
_BY_NAME: Mapping[str, AgedTable] = {one.name: one for one in AGED}


class AgedRows(Aggregate):
    """Rows that are old."""

    def aged_keys(self, table: str, before: datetime, limit: int) -> tuple[Any, ...]:
        """The keys of the oldest rows that may go. Reads only."""
        one = _BY_NAME[table]
        statement = text(
            f"SELECT t.{one.key} FROM {table} t WHERE t.{one.aged} < :before AND {one.besides}"  # noqa: S608
            f" ORDER BY t.{one.key} LIMIT :limit"
        )
        return self._column(statement, str, before=before, limit=limit)

    def count_aged(self, table: str, before: datetime) -> int:
        """How many rows may go."""
        one = _BY_NAME[table]
        statement = text(
            f"SELECT COUNT(*) FROM {table} t WHERE t.{one.aged} < :before AND {one.besides}"  # noqa: S608
        )
        return self._value(statement, int, before=before) or 0

    def remove_rows(self, table: str, before: datetime, keys: Sequence[Any]) -> int:
        """Delete those of the rows that still may go, in one transaction; how many."""
        one = _BY_NAME[table]
        with self.database.write() as connection:
            mine = (
                f"SELECT t.{one.key} FROM {table} t WHERE t.{one.key} IN :keys"  # noqa: S608
                f" AND t.{one.aged} < :before AND {one.besides}"
            )
            bound = _keys(mine)
            found = list(connection.scalars(bound, {"keys": list(keys), "before": micros(before)}))
            if found:
                for other, column in one.first:
                    drop = _keys(f"DELETE FROM {other} WHERE {column} IN :keys")  # noqa: S608
                    connection.execute(drop, {"keys": found})
                drop = _keys(f"DELETE FROM {table} WHERE {one.key} IN :keys")  # noqa: S608
                connection.execute(drop, {"keys": found})
        return len(found)


def _keys(query: str) -> Any:
    from sqlalchemy import bindparam

    return portable(query).bindparams(bindparam("keys", expanding=True))
