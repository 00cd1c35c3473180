"""The rules themselves. Always the whole set of a reader at once: its order is part of it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, delete, insert, select, text, update

from newsloom.kernel.db.aggregate import Aggregate
from newsloom.rules.store import queue
from newsloom.rules.store.tables import rule_sets, rules
from newsloom.rules.values import Rule, RuleId, RuleSet
from newsloom.rules.written import body, rule_of

if TYPE_CHECKING:
    from newsloom.kernel.ids import UserId

_RULES, _SETS = rules.c, rule_sets.c
_MAKE = text("""
    INSERT INTO rule_sets (user_id, version, active) VALUES (:user, 0, FALSE)
    ON CONFLICT DO NOTHING
""")


class RuleSets(Aggregate):
    """Sets of rules."""

    def rules(self, user: UserId) -> RuleSet:
        """All of a reader's, in order."""
        with self.database.read() as connection:
            return rules_of(connection, user)

    def put_rules(
        self, user: UserId, wanted: Sequence[Rule], version: int, now: datetime, since: datetime
    ) -> RuleSet | None:
        """Keep exactly these, in this order, and let them look at what is dated since then.

        A rule without a number gets one; one that is not among them is gone. None: the rules are
        not those of that version any more, and nothing was changed.
        """
        with self.database.write() as connection:
            connection.execute(_MAKE, {"user": user})
            mine = _SETS.user_id == user
            known = connection.scalar(select(_SETS.version).where(mine))
            if known != version:
                return None
            connection.execute(
                delete(rules).where(
                    _RULES.user_id == user, _RULES.id.not_in([one.id for one in wanted if one.id])
                )
            )
            for place, one in enumerate(wanted):
                _put(connection, user, place, one, now)
            active = any(one.enabled for one in wanted)
            connection.execute(
                update(rule_sets).where(mine).values(version=version + 1, active=active)
            )
            queue.look_at_all(connection, user, since)
            return rules_of(connection, user)


def rules_of(connection: Connection, user: int) -> RuleSet:
    """Within the caller's transaction."""
    version = connection.scalar(select(_SETS.version).where(_SETS.user_id == user))
    if version is None:
        return RuleSet(())
    query = select(rules).where(_RULES.user_id == user).order_by(_RULES.place, _RULES.id)
    return RuleSet(tuple(_rule(row) for row in connection.execute(query)), version)


def _put(connection: Connection, user: int, place: int, one: Rule, now: datetime) -> None:
    row = {
        "place": place,
        "name": one.name,
        "enabled": one.enabled,
        "body": body(one),
        "since": one.since or now,
    }
    mine = (_RULES.id == one.id) & (_RULES.user_id == user)
    if not one.id or not connection.execute(update(rules).where(mine).values(row)).rowcount:
        connection.execute(insert(rules).values(user_id=user, **row))


def _rule(row: Any) -> Rule:
    kept = json.loads(row.body) if isinstance(row.body, str) else row.body
    return replace(rule_of(row.name, bool(row.enabled), kept), id=RuleId(row.id), since=row.since)
