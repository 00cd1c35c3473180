"""Readers of other programs: their accounts here, and the feeds that nobody polls. SQL only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, delete, insert, select, update

from newsloom.accounts.store.users.tables import users
from newsloom.bridges.store.tables import bridge_accounts, bridge_feeds
from newsloom.bridges.values import Account, RemoteAccount, RemoteFeed
from newsloom.feeds.store.tables import feeds
from newsloom.kernel.db.aggregate import Aggregate
from newsloom.kernel.ids import AccountId, FeedId, UserId
from newsloom.reading.store import marks, states
from newsloom.reading.store.subscriptions import FIRST_INTERVAL
from newsloom.reading.store.tables import subscriptions


class Accounts(Aggregate):
    """Accounts and feeds."""

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
