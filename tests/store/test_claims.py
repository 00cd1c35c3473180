"""Several that claim feeds of one PostgreSQL at once: none waits, and nothing is claimed twice."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, closing
from datetime import timedelta
from pathlib import Path

import pytest

from newsloom.feeds.store import claims, host_turns
from newsloom.kernel.errors import StoreBusy
from newsloom.store import Store, open_store

from .builders import HOUR, NOW
from .conftest import clock, started
from .test_processes import subscribe_to_many

pytestmark = pytest.mark.postgres

CLAIMERS, FEEDS, HOSTS, AT_ONCE, OF_ONE_HOST = 8, 5_000, 600, 64, 3
SOON = timedelta(seconds=0.5)


@pytest.fixture
def url(folder: Path) -> str:
    """Of a database with feeds that are due, some of every host."""
    url = started().address(folder / "claims.db")
    with closing(open_store(url, now=clock)) as store:
        subscribe_to_many(store, store.users.user("reader", NOW), FEEDS)
        with store.database.write() as connection:
            hosts = f"UPDATE feeds SET host = 'host-' || MOD(id, {HOSTS})"
            connection.exec_driver_sql(hosts)
        store.database.settle()
    return url


@pytest.fixture
def stores(url: str) -> Iterator[tuple[Store, Store]]:
    """Two on one database, with little patience."""
    with ExitStack() as opened:
        first, second = (
            opened.enter_context(closing(open_store(url, now=clock, patience=SOON)))
            for _ in range(2)
        )
        yield first, second


def take(store: Store, owner: str, limit: int = AT_ONCE):
    return store.feeds.claim_due(
        NOW, owner=owner, lease_for=HOUR, limit=limit, per_host=OF_ONE_HOST, turns=owner,
        turns_for=HOUR,
    )  # fmt: skip


def test_many_that_claim_get_everything_once(url: str) -> None:
    began, taken = threading.Barrier(CLAIMERS), {f"claimer {one}": [] for one in range(CLAIMERS)}

    def claim(owner: str) -> None:
        with closing(open_store(url, now=clock)) as store:
            began.wait()
            while due := store.feeds.claim_due(NOW, owner=owner, lease_for=HOUR, limit=AT_ONCE):
                taken[owner] += [one.id for one in due]

    run_each(claim, taken)
    assert Counter(one for ids in taken.values() for one in ids) == Counter(range(1, FEEDS + 1))
    assert sum(bool(ids) for ids in taken.values()) > 1, "more than one was at it"


def test_many_that_claim_share_no_host(url: str) -> None:
    began, taken = threading.Barrier(CLAIMERS), {f"claimer {one}": [] for one in range(CLAIMERS)}

    def claim(owner: str) -> None:
        with closing(open_store(url, now=clock)) as store:
            began.wait()
            while due := take(store, owner):
                taken[owner] += due

    run_each(claim, taken)
    feeds = Counter(one.id for due in taken.values() for one in due)
    assert set(feeds.values()) == {1}
    owners = Counter(host for due in taken.values() for host in {one.host for one in due})
    assert set(owners.values()) == {1}, "a host has one who asks it"
    with closing(open_store(url, now=clock)) as store:
        assert take(store, "another") == (), "nothing of a host that somebody has"
        with store.database.read() as connection:
            count = "SELECT COUNT(*) FROM feeds WHERE lease_owner IS NOT NULL"
            assert connection.exec_driver_sql(count).scalar_one() == sum(feeds.values())


def test_a_claim_waits_for_no_other(stores: tuple[Store, Store]) -> None:
    first, second = stores
    with first.database.claim() as connection:
        open_claim = claims.due(connection, NOW, 20, 1, (), "first", "first")
        held = {one.id for one in open_claim}
        hosts = host_turns.lock_free(connection, {one.host for one in open_claim}, "first", NOW)
        assert len(held) == len(hosts) == 20
        claims.lease(connection, sorted(held), "first", "token", NOW + HOUR)
        host_turns.take(connection, hosts, "first", NOW + HOUR)
        due = take(second, "second")
        assert due
        assert not {one.id for one in due} & held
        assert not {one.host for one in due} & hosts
        with pytest.raises(StoreBusy):
            second.users.user("a writer waits", NOW)
        with pytest.raises(StoreBusy):  # so does who names a feed, which is not to be passed over
            second.feeds.claim_due(NOW, owner="x", lease_for=HOUR, limit=1, feeds=sorted(held)[:1])
    assert {one.host for one in take(second, "second", FEEDS)} & hosts == set()


def test_a_host_that_was_taken_since_the_feeds_were_chosen(stores: tuple[Store, Store]) -> None:
    """Two feeds of one host, chosen by two at once: the second to come takes neither the host."""
    first, second = stores
    with first.database.claim() as one:
        claims.due(one, NOW, 1, 1, (), "first", "first")
        assert host_turns.lock_free(one, {"host-1"}, "first", NOW) == {"host-1"}
        with second.database.claim() as two:
            assert host_turns.lock_free(two, {"host-1"}, "second", NOW) == set()
        host_turns.take(one, {"host-1"}, "first", NOW + HOUR)
    with second.database.claim() as two:
        assert host_turns.lock_free(two, {"host-1"}, "second", NOW) == set()
        assert host_turns.lock_free(two, {"host-1"}, "first", NOW) == {"host-1"}


def test_a_claim_waits_for_a_writer(stores: tuple[Store, Store]) -> None:
    first, second = stores
    with first.database.write(), pytest.raises(StoreBusy):
        take(second, "second")
    assert take(second, "second")


def run_each(act, owners) -> None:
    """In a thread for each; an error in one is raised here."""
    raised: list[BaseException] = []

    def guarded(owner: str) -> None:
        try:
            act(owner)
        except BaseException as error:  # noqa: BLE001
            raised.append(error)

    threads = [threading.Thread(target=guarded, args=[owner]) for owner in owners]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    if raised:
        raise raised[0]
