"""`store.bridges`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, delete, insert, select, text, update

from newsloom.accounts.store.tables import users
from newsloom.articles.store.reader_tables import subscriptions
from newsloom.bridges.store.entries import Entries
from newsloom.bridges.store.importing import Importing
from newsloom.bridges.store.tables import bridge_accounts, bridge_feeds
from newsloom.bridges.values import (
    DISLIKED_KIND,
    LIKED_KIND,
    Account,
    PendingWrite,
    RankedEntry,
    RemoteAccount,
    RemoteFeed,
    RemoteWrite,
)
from newsloom.feeds.store.tables import feeds
from newsloom.kernel.db import producers
from newsloom.kernel.db.columns import micros, moment
from newsloom.kernel.ids import AccountId, FeedId, UserId
from newsloom.ranking import rank_key
from newsloom.ranking.ports import HalfLives
from newsloom.reading.store import marks, states
from newsloom.reading.store.lists.ranking_queries import LEVELS
from newsloom.reading.store.subscriptions import FIRST_INTERVAL

# What other programs are to be told: what should stand there, what does, what waits. SQL only.

_SHIFTS = " ".join(f"WHEN {level} THEN CAST(:shift_{level} AS BIGINT)" for level in LEVELS)
# The order of the ranked list; a duplicate right behind its original.
_STANDINGS = text(f"""
    SELECT b.remote, a.feed_id, a.title, s.relevance, s.sensitivity, s.dated_at,
        COALESCE(l.confidence, r.confidence, 0) AS confidence,
        COALESCE(l.explanation, r.explanation, '') AS explanation
    FROM bridge_entries b
    JOIN articles a ON a.id = b.article_id
    JOIN states s ON s.user_id = :user AND s.article_id = a.original_id
    LEFT JOIN ratings r ON r.maker_id = :ratings AND r.article_id = a.original_id
    LEFT JOIN ratings l ON l.maker_id = :told_by AND l.article_id = a.original_id
    WHERE b.account_id = :account AND b.read = FALSE
    ORDER BY s.rank_key - CASE s.sensitivity {_SHIFTS} END DESC, s.article_id DESC,
        b.article_id, b.remote
""")  # noqa: S608
_PRESENTS = text(
    "SELECT remote, kind, present FROM bridge_writes"
    " WHERE account_id = :account AND present IS NOT NULL"
)
_WRITES = text(
    "SELECT remote, kind, wanted, present, next_try_at FROM bridge_writes"
    " WHERE account_id = :account"
)
_WANT = text("""
    INSERT INTO bridge_writes (account_id, remote, kind, wanted, next_try_at)
    VALUES (:account, :remote, :kind, :wanted, :next_try_at)
    ON CONFLICT (account_id, remote, kind) DO UPDATE
    SET wanted = excluded.wanted, next_try_at = excluded.next_try_at
""")
_PENDING = text("""
    SELECT remote, kind, wanted, attempts FROM bridge_writes
    WHERE account_id = :account AND next_try_at <= :now
    ORDER BY kind, remote LIMIT :limit
""")
_DONE = text("""
    UPDATE bridge_writes SET present = :value, attempts = 0, problem = '',
        next_try_at = CASE WHEN wanted = :value THEN NULL ELSE next_try_at END
    WHERE account_id = :account AND remote = :remote AND kind = :kind
""")
# What was told is seen: taken off there before the next look, it is taken back here.
_TOLD = {
    LIKED_KIND: text(
        "UPDATE bridge_entries SET liked = :stands WHERE account_id = :account AND remote = :remote"
    ),
    DISLIKED_KIND: text(
        "UPDATE bridge_entries SET disliked = :stands"
        " WHERE account_id = :account AND remote = :remote"
    ),
}
_PUT_OFF = text("""
    UPDATE bridge_writes SET attempts = attempts + 1, problem = :problem, next_try_at = :next_try_at
    WHERE account_id = :account AND remote = :remote AND kind = :kind AND wanted = :value
""")
_DROP = text("""
    UPDATE bridge_writes SET next_try_at = NULL
    WHERE account_id = :account AND remote = :remote AND kind = :kind AND wanted = :value
""")
_WAITING = text(
    "SELECT COUNT(*) FROM bridge_writes WHERE account_id = :account AND next_try_at IS NOT NULL"
)


def _presents(connection: Connection, account: Account) -> Mapping[int, Mapping[str, str]]:
    found: dict[int, dict[str, str]] = defaultdict(dict)
    for row in connection.execute(_PRESENTS, {"account": account.id}):
        found[row.remote][row.kind] = row.present
    return found


def _standing(
    row: Row[Any], present: Mapping[str, str], now: datetime, half_lives: HalfLives
) -> RankedEntry:
    age = now - moment(row.dated_at)
    return RankedEntry(
        key=row.remote,
        feed=FeedId(row.feed_id),
        title=row.title,
        score=rank_key.score(row.relevance, row.sensitivity, age, half_lives),
        sensitivity=row.sensitivity,
        confidence=row.confidence,
        explanation=row.explanation,
        present=present,
    )


def _due(row: Row[Any] | None, value: str, now: datetime) -> int:
    """When to tell it: what waits already keeps its time, unless it is something else now."""
    waits = row is not None and row.wanted == value and row.next_try_at is not None
    return row.next_try_at if waits and row is not None else micros(now)


def _want(
    account: Account, place: tuple[int, str], value: str | None, due: int | None
) -> dict[str, Any]:
    return {
        "account": account.id,
        "remote": place[0],
        "kind": place[1],
        "wanted": value,
        "next_try_at": due,
    }


def _entry(account: Account, write: RemoteWrite) -> dict[str, Any]:
    return {"account": account.id, "remote": write.key}


def _place(account: Account, write: RemoteWrite) -> dict[str, Any]:
    return {
        **_entry(account, write),
        "kind": write.kind,
        "value": write.value,
    }


# Readers of other programs: their accounts here, and the feeds that nobody polls. SQL only.


def _accounts() -> Any:
    return (
        select(bridge_accounts, users.c.name)
        .join(users, users.c.id == bridge_accounts.c.user_id)
        .order_by(bridge_accounts.c.id)
    )


def _account(row: Row[Any]) -> Account:
    return Account(
        id=AccountId(row.id),
        bridge=row.bridge,
        remote=RemoteAccount(row.remote, row.name.partition("/")[2]),
        user=UserId(row.user_id),
        cursor=row.cursor,
        synced=row.synced_at,
        failures=row.failures,
        next_try=row.next_try_at,
        problem=row.problem,
    )


def _make_account(
    connection: Connection, bridge: str, remote: RemoteAccount, now: datetime
) -> None:
    """The user is named for the login; a login that another account had before gets its key too."""
    name = f"{bridge}/{remote.login}"
    taken = select(users.c.id).where(users.c.name == name)
    if connection.scalar(taken) is not None:
        name = f"{name} ({remote.key})"
    made = connection.execute(insert(users).values(name=name, made_at=now))
    key = made.inserted_primary_key
    assert key is not None
    connection.execute(
        insert(bridge_accounts).values(bridge=bridge, remote=remote.key, user_id=key[0])
    )


def _make_feed(connection: Connection, account: Account, remote: RemoteFeed, now: datetime) -> int:
    """A feed that nobody polls: its articles come over the bridge."""
    url = f"{account.bridge}://{account.remote.key}/{remote.key}"
    feed = connection.scalar(select(feeds.c.id).where(feeds.c.url == url))
    if feed is None:
        made = connection.execute(
            insert(feeds).values(url=url, next_poll_at=None, interval=FIRST_INTERVAL)
        )
        key = made.inserted_primary_key
        assert key is not None
        feed = int(key[0])
    connection.execute(
        insert(bridge_feeds).values(account_id=account.id, remote=remote.key, feed_id=feed)
    )
    connection.execute(
        insert(subscriptions).values(
            user_id=account.user,
            feed_id=feed,
            title=remote.title,
            category=remote.category,
            since=now,
        )
    )
    return int(feed)


def _leave_feed(connection: Connection, account: Account, key: str, feed: int) -> None:
    connection.execute(
        delete(subscriptions).where(
            subscriptions.c.user_id == account.user, subscriptions.c.feed_id == feed
        )
    )
    states.drop_unread(connection, account.user, FeedId(feed))
    connection.execute(
        delete(bridge_feeds).where(
            bridge_feeds.c.account_id == account.id, bridge_feeds.c.remote == key
        )
    )


def _put_subscription(
    connection: Connection, user: UserId, feed: int, remote: RemoteFeed, now: datetime
) -> bool:
    """Title and category as they are there; whether they were others."""
    mine = (subscriptions.c.user_id == user) & (subscriptions.c.feed_id == feed)
    same = (subscriptions.c.title == remote.title) & (subscriptions.c.category == remote.category)
    changed = connection.execute(
        update(subscriptions)
        .where(mine, ~same)
        .values(title=remote.title, category=remote.category)
    )
    connection.execute(
        update(feeds)
        .where(feeds.c.id == feed)
        .values(title=remote.title, site_url=remote.site_url, polled_at=now, ok_at=now)
    )
    return changed.rowcount > 0


class BridgeStore(Entries, Importing):
    """What comes from elsewhere: readers that marks are exchanged with, and labelled articles."""

    def bridge_account(self, bridge: str, remote: RemoteAccount, now: datetime) -> Account:
        """The account of that key, made with a user of its own if there is none."""
        with self.database.write() as connection:
            found = connection.execute(
                _accounts().where(
                    bridge_accounts.c.bridge == bridge, bridge_accounts.c.remote == remote.key
                )
            ).one_or_none()
            if found is None:
                _make_account(connection, bridge, remote, now)
                found = connection.execute(
                    _accounts().where(
                        bridge_accounts.c.bridge == bridge, bridge_accounts.c.remote == remote.key
                    )
                ).one()
        return _account(found)

    def bridge_accounts(self, bridge: str) -> tuple[Account, ...]:
        """Every account of a bridge, in the order met."""
        with self.database.read() as connection:
            rows = connection.execute(_accounts().where(bridge_accounts.c.bridge == bridge)).all()
        return tuple(_account(row) for row in rows)

    def put_remote_feeds(
        self, account: Account, remote: Sequence[RemoteFeed], now: datetime
    ) -> Mapping[str, FeedId]:
        """Follow exactly these, with their titles and categories; by their keys."""
        with self.database.write() as connection:
            known = {
                row.remote: row.feed_id
                for row in connection.execute(
                    select(bridge_feeds).where(bridge_feeds.c.account_id == account.id)
                )
            }
            for one in remote:
                if one.key not in known:
                    known[one.key] = _make_feed(connection, account, one, now)
            wanted = {one.key for one in remote}
            for key, feed in known.items():
                if key not in wanted:
                    _leave_feed(connection, account, key, feed)
            changed = [
                _put_subscription(connection, account.user, known[one.key], one, now)
                for one in remote
            ]
            if any(changed) or len(known) > len(wanted):
                marks.change_taste(connection, account.user)
        return {key: FeedId(known[key]) for key in wanted}

    def bridge_synced(self, account: Account, now: datetime) -> None:
        """All went well."""
        self._tell(account, synced_at=now, failures=0, next_try_at=None, problem="")

    def bridge_failed(self, account: Account, problem: str, next_try: datetime) -> None:
        """It did not; when to try again by itself."""
        self._tell(
            account,
            failures=bridge_accounts.c.failures + 1,
            next_try_at=next_try,
            problem=problem,
        )

    def _tell(self, account: Account, **values: Any) -> None:
        mine = bridge_accounts.c.id == account.id
        self._change(update(bridge_accounts).where(mine).values(**values))

    def ranked_entries(
        self,
        account: Account,
        now: datetime,
        half_lives: HalfLives,
        sensitivity_model: str,
        language_model: str = "",
    ) -> tuple[RankedEntry, ...]:
        """Every entry unread there, in the order of the ranked list."""
        shifts = rank_key.shifts(now, half_lives)
        values = {f"shift_{level}": shift for level, shift in shifts.items()}
        with self.database.read() as connection:
            values |= {
                "account": account.id,
                "user": account.user,
                "ratings": producers.known(connection, sensitivity_model),
                "told_by": producers.known(connection, language_model),
            }
            present = _presents(connection, account)
            rows = connection.execute(_STANDINGS, values).all()
        return tuple(_standing(row, present.get(row.remote, {}), now, half_lives) for row in rows)

    def remote_present(self, account: Account) -> Mapping[int, Mapping[str, str]]:
        """The last known value on the server, by entry and kind."""
        with self.database.read() as connection:
            return _presents(connection, account)

    def want(self, account: Account, writes: Iterable[RemoteWrite], now: datetime) -> int:
        """Queue exactly these values for the server; how many it lacks.

        What was queued before keeps its time.
        """
        wanted = {(one.key, one.kind): one.value for one in writes}
        with self.database.write() as connection:
            rows = connection.execute(_WRITES, {"account": account.id}).all()
            known = {(row.remote, row.kind): row for row in rows}
            changes = []
            for place, value in wanted.items():
                row = known.get(place)
                subscriptions = row is not None and row.present == value
                due = None if subscriptions else _due(row, value, now)
                if row is None or row.wanted != value or row.next_try_at != due:
                    changes.append(_want(account, place, value, due))
            changes += [
                _want(account, place, row.wanted, None)
                for place, row in known.items()
                if place not in wanted and row.next_try_at is not None
            ]
            if changes:
                connection.execute(_WANT, changes)
            return connection.scalar(_WAITING, {"account": account.id}) or 0

    def pending_writes(
        self, account: Account, now: datetime, limit: int
    ) -> tuple[PendingWrite, ...]:
        """What is to be told now, by kind and key."""
        return self._rows(
            _PENDING,
            lambda row: PendingWrite(RemoteWrite(row.remote, row.kind, row.wanted), row.attempts),
            account=account.id,
            now=now,
            limit=limit,
        )

    def waiting_writes(self, account: Account) -> int:
        return self._value(_WAITING, int, account=account.id) or 0

    def writes_done(self, account: Account, writes: Sequence[RemoteWrite]) -> None:
        """The server has these values now."""
        rows = [_place(account, one) for one in writes]
        if rows:
            with self.database.write() as connection:
                connection.execute(_DONE, rows)
                for kind, statement in _TOLD.items():
                    records = [
                        {**_entry(account, one), "stands": bool(one.value)}
                        for one in writes
                        if one.kind == kind
                    ]
                    if records:
                        connection.execute(statement, records)

    def put_off(
        self, account: Account, writes: Sequence[tuple[RemoteWrite, datetime]], problem: str
    ) -> None:
        """The server lacks these values, for that reason; each is retried at its time."""
        rows = [
            {**_place(account, one), "next_try_at": micros(at), "problem": problem}
            for one, at in writes
        ]
        if rows:
            with self.database.write() as connection:
                connection.execute(_PUT_OFF, rows)

    def drop_writes(self, account: Account, writes: Sequence[RemoteWrite]) -> None:
        """They are to be told no more."""
        rows = [_place(account, one) for one in writes]
        if rows:
            with self.database.write() as connection:
                connection.execute(_DROP, rows)
