"""Rows of Tiny Tiny RSS's own tables, put there by hand, and a bridge over them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from bridge.ranking import HALF_LIVES, SENSITIVITY, rank
from newsloom.bridges.plan import Mapped
from newsloom.bridges.service.sync import AccountReport, Synchroniser
from newsloom.bridges.ttrss import Ttrss
from newsloom.kernel.ids import UserId
from newsloom.kernel.settings import TtrssSettings
from newsloom.reading.values.reading import ListQuery
from newsloom.store import Store
from tiny import Cluster

NOW = datetime(2026, 11, 2, 12, tzinfo=UTC)
THERE = NOW.replace(tzinfo=None)  # its times have no zone
ALL = Mapped()


@dataclass
class Rows:
    """One database with the schema, and what a test puts into it."""

    cluster: Cluster
    name: str

    def sql(self, statement: str, *values: Any) -> list[Any]:
        return self.cluster.sql(self.name, statement, *values)

    def user(self, login: str) -> int:
        return self._made(
            "INSERT INTO ttrss_users (login, pwd_hash) VALUES (%s, '') RETURNING id", login
        )

    def feed(self, owner: int, title: str, category: int | None = None) -> int:
        return self._made(
            "INSERT INTO ttrss_feeds (owner_uid, title, cat_id, feed_url, site_url, auth_pass)"
            " VALUES (%s, %s, %s, 'https://secret@x.org', 'https://x.org/', 'secret')"
            " RETURNING id",
            owner,
            title,
            category,
        )

    def category(self, owner: int, title: str, above: int | None = None) -> int:
        return self._made(
            "INSERT INTO ttrss_feed_categories (owner_uid, title, parent_cat)"
            " VALUES (%s, %s, %s) RETURNING id",
            owner,
            title,
            above,
        )

    def entry(self, title: str, *, guid: str = "", **values: Any) -> int:
        """An entry nobody has yet."""
        fields = {
            "title": title,
            "guid": guid or f"SHA1:{title}",
            "link": f"https://x.org/{title.replace(' ', '-')}",
            "content": f"<p>{title}: what happened.</p>",
            "content_hash": f"hash of {title}",
            "updated": THERE - timedelta(hours=3),
            "date_entered": THERE - timedelta(hours=2),
            "date_updated": THERE - timedelta(hours=2),
            **values,
        }
        return self._insert("ttrss_entries", "id", fields)

    def give(self, owner: int, feed: int | None, entry: int, **values: Any) -> int:
        """The same to a user; returns its int_id."""
        fields = {
            "ref_id": entry,
            "feed_id": feed,
            "owner_uid": owner,
            "uuid": "",
            "tag_cache": "",
            "label_cache": "",
            **values,
        }
        return self._insert("ttrss_user_entries", "int_id", fields)

    def many(self, owner: int, feed: int, count: int, first: int = 1) -> None:
        """As many unread entries, each worth something else."""
        self.sql(
            """
            WITH made AS (
                INSERT INTO ttrss_entries (title, guid, link, content, content_hash, updated,
                    date_entered, date_updated)
                SELECT 'Story ' || n || ' of owner ' || %(owner)s || ' worth ' || (n * 37 %% 101),
                    'SHA1:' || %(owner)s || '-' || n, 'https://x.org/' || %(owner)s || '/' || n,
                    'What happened in story ' || n, 'hash ' || n,
                    now() - interval '3 hours', now() - interval '2 hours', now()
                FROM generate_series(%(first)s::int, %(last)s::int) AS n
                RETURNING id
            )
            INSERT INTO ttrss_user_entries (ref_id, feed_id, owner_uid, uuid, tag_cache,
                label_cache)
            SELECT id, %(feed)s, %(owner)s, '', '', '' FROM made ORDER BY id
            """.replace("%(owner)s", str(owner))
            .replace("%(feed)s", str(feed))
            .replace("%(first)s", str(first))
            .replace("%(last)s", str(first + count - 1))
            .replace("%%", "%")
        )

    def scores(self, owner: int) -> dict[int, int]:
        """Of the unread, by int_id."""
        rows = self.sql(
            "SELECT int_id, score FROM ttrss_user_entries WHERE owner_uid = %s AND unread", owner
        )
        return dict(rows)

    def shown(self, owner: int) -> list[str]:
        """The unread titles in its own order."""
        rows = self.sql(
            "SELECT e.title FROM ttrss_user_entries u JOIN ttrss_entries e ON e.id = u.ref_id"
            " WHERE u.owner_uid = %s AND u.unread"
            " ORDER BY u.score DESC, e.date_entered DESC, e.updated DESC",
            owner,
        )
        return [title for (title,) in rows]

    def settings(self, **values: Any) -> TtrssSettings:
        return TtrssSettings(database=self.cluster.address(self.name, "newsloom"), **values)

    def _made(self, statement: str, *values: Any) -> int:
        return int(self.sql(statement, *values)[0][0])

    def _insert(self, table: str, key: str, fields: dict[str, Any]) -> int:
        names = ", ".join(fields)
        places = ", ".join(["%s"] * len(fields))
        return self._made(
            f"INSERT INTO {table} ({names}) VALUES ({places}) RETURNING {key}", *fields.values()
        )


def synchroniser(
    store: Store, settings: TtrssSettings, now: datetime = NOW, mapped: Mapped = ALL
) -> Synchroniser:
    return Synchroniser(
        store=store,
        remote=Ttrss(settings),
        mapped=mapped,
        rank=lambda: rank(store, now),
        half_lives=lambda _user: HALF_LIVES,
        sensitivity_model=lambda: SENSITIVITY,
        now=lambda: now,
    )


def sync(store: Store, settings: TtrssSettings, login: str, now: datetime = NOW) -> AccountReport:
    """One synchronisation; what came of one user."""
    one = synchroniser(store, settings, now)
    try:
        report = one.sync()
    finally:
        one.remote.close()
    assert not report.problem, report.problem
    return next(found for found in report.accounts if found.login == login)


def user(store: Store, login: str) -> UserId:
    return next(one for one, name in store.users.users() if name == f"ttrss/{login}")


def listed(store: Store, login: str, now: datetime = NOW) -> list[str]:
    page = store.lists.page(user(store, login), ListQuery(limit=10_000), now, HALF_LIVES)
    return [one.title for one in page]


def place(folder: Path) -> Path:
    return folder / "newsloom.db"
