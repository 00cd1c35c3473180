"""Entries of other programs: the articles they became, and their marks when last seen.

What one page of the other side changes here is one transaction; nothing is decided.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, or_, select, text, update

from newsloom.articles.store import records
from newsloom.articles.store.keys import copies
from newsloom.bridges.store.tables import bridge_accounts, bridge_entries
from newsloom.bridges.values import (
    RATING_KINDS,
    Account,
    AdoptedEntry,
    KnownEntry,
    Mark,
    RatedEntry,
    RemoteState,
)
from newsloom.duplicates.store.cluster_rows import link_copies
from newsloom.duplicates.values import Action, Copy
from newsloom.feeds.store.tables import feeds
from newsloom.kernel.db.sql import CHUNK, Aggregate, Transactions, many, rows_of
from newsloom.kernel.ids import ArticleId, FeedId
from newsloom.reading.store import marks, states

_ADDED = (Action.NEW, Action.DUPLICATE)

_KNOWN = many("""
    SELECT b.remote, a.original_id, b.digest, b.read, b.starred, b.liked, b.disliked,
        COALESCE(s.rating, 0) AS rating, COALESCE(s.starred, FALSE) AS starred_here
    FROM bridge_entries b
    JOIN articles a ON a.id = b.article_id
    LEFT JOIN states s ON s.user_id = :user AND s.article_id = a.original_id
    WHERE b.account_id = :account AND b.remote IN :ids
""")
_ADOPT = text("""
    INSERT INTO bridge_entries (account_id, remote, article_id, digest)
    VALUES (:account, :remote, :article, :digest)
    ON CONFLICT (account_id, remote) DO UPDATE
    SET article_id = excluded.article_id, digest = excluded.digest
""")
_SEE = text("""
    UPDATE bridge_entries SET read = :read, starred = :starred,
        liked = COALESCE(CAST(:liked AS BOOLEAN), liked),
        disliked = COALESCE(CAST(:disliked AS BOOLEAN), disliked)
    WHERE account_id = :account AND remote = :remote
    AND (read <> :read OR starred <> :starred OR liked <> COALESCE(CAST(:liked AS BOOLEAN), liked)
        OR disliked <> COALESCE(CAST(:disliked AS BOOLEAN), disliked))
""")
# What stands there now, whoever put it there; of what it says nothing, nothing changes.
_PRESENT = text("""
    INSERT INTO bridge_writes (account_id, remote, kind, present)
    SELECT account_id, remote, :kind, :present FROM bridge_entries
    WHERE account_id = :account AND remote = :remote
    ON CONFLICT (account_id, remote, kind) DO UPDATE SET present = excluded.present
    WHERE bridge_writes.present IS NULL OR bridge_writes.present <> excluded.present
""")
# A rating's mark that does not stand there is kept only where one stood: else each article that was
# ever looked at had two rows to say that nothing is there.
_ABSENT = text("""
    UPDATE bridge_writes SET present = ''
    WHERE account_id = :account AND remote = :remote AND kind = :kind AND present <> ''
""")
_RATED = text("""
    SELECT b.remote AS key, a.original_id AS article_id, COALESCE(s.rating, 0) AS rating,
        b.liked, b.disliked
    FROM bridge_entries b
    JOIN articles a ON a.id = b.article_id
    LEFT JOIN states s ON s.user_id = :user AND s.article_id = a.original_id
    WHERE b.account_id = :account AND (s.rating <> 0 OR b.liked = TRUE OR b.disliked = TRUE)
    ORDER BY b.remote
""")
_FORGET = many("DELETE FROM bridge_entries WHERE account_id = :account AND remote IN :ids")
_FORGET_WRITES = many("DELETE FROM bridge_writes WHERE account_id = :account AND remote IN :ids")


class Entries(Aggregate):
    """Entries."""

    def known_entries(self, account: Account, keys: Sequence[int]) -> Mapping[int, KnownEntry]:
        """What is kept of those entries; unknown ones are absent."""
        with self.database.read() as connection:
            return _known(connection, account, keys)

    def unread_entries(self, account: Account) -> frozenset[int]:
        """The keys of all that was unread there when last seen."""
        return self._entries(account, bridge_entries.c.read.is_(False))

    def marked_entries(self, account: Account) -> frozenset[int]:
        """The keys of all that was starred, liked or disliked there when last seen."""
        marks = bridge_entries.c.starred, bridge_entries.c.liked, bridge_entries.c.disliked
        return self._entries(account, or_(*(one.is_(True) for one in marks)))

    def rated_entries(self, account: Account) -> tuple[RatedEntry, ...]:
        """All that is liked or disliked, here or there, by key."""
        return self._rows(
            _RATED,
            RatedEntry,
            account=account.id,
            user=account.user,
        )

    def _entries(self, account: Account, marked: ColumnElement[bool]) -> frozenset[int]:
        query = select(bridge_entries.c.remote).where(
            bridge_entries.c.account_id == account.id, marked
        )
        return frozenset(self._column(query, int))

    @contextmanager
    def bridging(self, account: Account) -> Iterator[OpenBridge]:
        """One write transaction; commits on a clean exit, else leaves nothing."""
        with self.database.write() as connection:
            yield OpenBridge(connection, self.database, account)


class OpenBridge:
    """One open write transaction of a pass over an account."""

    def __init__(self, connection: Connection, database: Transactions, account: Account) -> None:
        self._connection = connection
        self._database = database
        self._account = account

    def candidates(
        self, keys: Iterable[tuple[str, str]]
    ) -> Mapping[tuple[str, str], Sequence[Copy]]:
        """Stored copies under each (layer, key); keys without any are absent."""
        with self._database.translate_errors():
            return copies(self._connection, keys)

    def adopt(self, feed: FeedId, entries: Sequence[AdoptedEntry], at: datetime) -> None:
        """Store entries of one feed as judged, and which article each became."""
        with self._database.translate_errors():
            stored = records.store(self._connection, [one.judged for one in entries], at)
            states.add_stored(self._connection, stored, at)
            link_copies(self._connection, stored.links, at)
            self._connection.execute(
                update(feeds)
                .where(feeds.c.id == feed)
                .values(polled_at=at, ok_at=at, changed_at=at)
            )
            number = stored.first
            rows = []
            for one in entries:
                judgement = one.judged.judgement
                if judgement.action in _ADDED:
                    article, number = number, number + 1
                else:
                    assert judgement.target is not None
                    article = judgement.target
                rows.append(
                    {
                        "account": self._account.id,
                        "remote": one.key,
                        "article": article,
                        "digest": one.digest,
                    }
                )
            if rows:
                self._connection.execute(_ADOPT, rows)

    def same_article(self, key: int, digest: str, other: int) -> None:
        """One entry is the article that another became."""
        with self._database.translate_errors():
            article = self._connection.scalar(
                select(bridge_entries.c.article_id).where(
                    bridge_entries.c.account_id == self._account.id,
                    bridge_entries.c.remote == other,
                )
            )
            if article is not None:
                row = {"account": self._account.id, "remote": key, "article": article}
                self._connection.execute(_ADOPT, {**row, "digest": digest})

    def known(self, keys: Sequence[int]) -> Mapping[int, KnownEntry]:
        with self._database.translate_errors():
            return _known(self._connection, self._account, keys)

    def mark(self, wanted: Sequence[Mark], via: str) -> None:
        """In their order; what follows one another with one kind and time is one step."""
        with self._database.translate_errors():
            for step in _steps(wanted):
                first = step[0]
                ids = [one.article for one in step]
                doing = marks.Step(self._account.user, first.kind, first.at, via, reads=False)
                marks.add_marks(self._connection, doing, ids)

    def see(self, seen: Sequence[RemoteState]) -> None:
        """Marks as they stand there now. Entries that are not kept are passed over."""
        flags: list[dict[str, Any]] = []
        present: list[dict[str, Any]] = []
        absent: list[dict[str, Any]] = []
        for one in seen:
            place = {"account": self._account.id, "remote": one.key}
            flags.append(
                {
                    **place,
                    "read": one.read,
                    "starred": one.starred,
                    "liked": one.liked,
                    "disliked": one.disliked,
                }
            )
            for kind, value in (one.present or {}).items():
                if kind in RATING_KINDS and not value:
                    absent.append({**place, "kind": kind})
                else:
                    present.append({**place, "kind": kind, "present": value})
        with self._database.translate_errors():
            for statement, rows in ((_SEE, flags), (_PRESENT, present), (_ABSENT, absent)):
                if rows:
                    self._connection.execute(statement, rows)

    def forget(self, keys: Sequence[int]) -> None:
        """Events from `since` to before `until` teach nothing any more."""
        with self._database.translate_errors():
            for statement in (_FORGET, _FORGET_WRITES):
                for start in range(0, len(keys), CHUNK):
                    values = {"account": self._account.id, "ids": list(keys[start : start + CHUNK])}
                    self._connection.execute(statement, values)

    def come_to(self, cursor: str) -> None:
        """Where the other side is to go on next time."""
        with self._database.translate_errors():
            self._connection.execute(
                update(bridge_accounts)
                .where(bridge_accounts.c.id == self._account.id)
                .values(cursor=cursor)
            )


def _known(
    connection: Connection, account: Account, keys: Sequence[int]
) -> Mapping[int, KnownEntry]:
    rows = rows_of(connection, _KNOWN, keys, account=account.id, user=account.user)
    return {
        row.remote: KnownEntry(
            key=row.remote,
            article=ArticleId(row.original_id),
            digest=row.digest,
            read=bool(row.read),
            starred=bool(row.starred),
            disliked=bool(row.disliked),
            rating=row.rating,
            starred_here=bool(row.starred_here),
            liked=bool(row.liked),
        )
        for row in rows
    }


def _steps(wanted: Sequence[Mark]) -> Iterable[list[Mark]]:
    step: list[Mark] = []
    for one in wanted:
        if step and (step[0].kind, step[0].at) != (one.kind, one.at):
            yield step
            step = []
        step.append(one)
    if step:
        yield step
