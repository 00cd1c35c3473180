"""Everything of one person: what to delete, and what to hand over. Found by the tables' own keys.

A row is a person's when it names them as a user, or belongs to a row that is theirs. So a new table
is covered by its foreign keys; what is shared by all (feeds, articles) names nobody.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from sqlalchemy import ColumnElement, Connection, Table, bindparam, delete, or_, select, text

from newsloom.accounts.store.members import only_admin
from newsloom.accounts.store.tables import (
    accounts,
    app_passwords,
    identities,
    invitations,
    sessions,
    users,
)
from newsloom.kernel.db.sql import Aggregate, many, rows_of
from newsloom.kernel.ids import UserId

# Columns that open something, or that only a program can read; no export has them.
KEPT_BACK = frozenset({"password_hash", "digest", "fever_digest", "token", "payload", "secrets"})


# What was found of an article is for all its readers, and stays for another one of them.
_HAND_OVER = text("""
    UPDATE coverage_searches SET user_id = (
        SELECT MIN(s.user_id) FROM states s
        WHERE s.article_id = coverage_searches.article_id AND s.user_id <> :user
    )
    WHERE user_id = :user AND EXISTS (
        SELECT 1 FROM states s
        WHERE s.article_id = coverage_searches.article_id AND s.user_id <> :user
    )
""")


_ARTICLES = many("SELECT id, title, url FROM articles WHERE id IN :ids ORDER BY id")


class Persons(Aggregate):
    """Leaving for good, and taking everything along."""

    def remove_person(self, user: UserId) -> bool:
        """Delete everything of a user, and the user; False, and nothing done, where they are the
        only administrator."""
        with self.database.write() as connection:
            if only_admin(connection, user):
                return False
            connection.execute(_HAND_OVER, {"user": user})
            for table, mine in of_person():
                connection.execute(delete(table).where(mine), {"user": user})
            return True

    def close_account(self, user: UserId) -> None:
        """Delete what a user signs in with, and keep what they read."""
        with self.database.write() as connection:
            for table in (sessions, app_passwords, identities, accounts):
                connection.execute(delete(table).where(table.c.user_id == user))
            connection.execute(delete(invitations).where(invitations.c.made_by == user))

    def everything_of(self, user: UserId) -> dict[str, list[dict[str, Any]]]:
        """Every row of a user by its table, as of one moment; no secret is among them."""
        with self.database.read() as connection:
            return {
                table.name: list(_rows(connection, table, mine, user))
                for table, mine in reversed(of_person(alone=True))
            }

    def articles_named(self, ids: Sequence[int]) -> list[dict[str, Any]]:
        """Number, title and address of articles, in the order of their numbers."""
        with self.database.read() as connection:
            return [row._asdict() for row in rows_of(connection, _ARTICLES, ids)]


@cache
def of_person(*, alone: bool = False) -> tuple[tuple[Table, ColumnElement[bool]], ...]:
    """Every table with rows of one person and the condition that finds them (`:user`), those that
    refer to others first.

    To delete a row, others' rows that hang on it must go too; `alone` leaves those out.
    """
    from newsloom.store.tables import metadata

    found: dict[str, ColumnElement[bool]] = {users.name: users.c.id == bindparam("user")}
    for table in metadata.sorted_tables:  # what is referred to comes before
        named = [
            key.parent == bindparam("user")
            for key in table.foreign_keys
            if key.column.table is users
        ]
        parts = named if alone and named else named + list(_hanging(table, found))
        if parts:
            found[table.name] = or_(*parts)
    ordered = [table for table in metadata.sorted_tables if table.name in found]
    return tuple((table, found[table.name]) for table in reversed(ordered))


def _hanging(table: Table, found: dict[str, ColumnElement[bool]]) -> Iterator[ColumnElement[bool]]:
    """Conditions of rows that refer to rows of a person."""
    for key in table.foreign_keys:
        parent = key.column.table
        if parent is not users and parent is not table and parent.name in found:
            yield key.parent.in_(select(key.column).where(found[parent.name]))


def _rows(
    connection: Connection, table: Table, mine: ColumnElement[bool], user: UserId
) -> Iterator[dict[str, Any]]:
    columns = [one for one in table.columns if one.name not in KEPT_BACK]
    query = select(*columns).where(mine).order_by(*table.primary_key.columns)
    for row in connection.execute(query, {"user": user}):
        yield dict(row._mapping)  # noqa: SLF001 - its public way to a mapping
