"""Every method of the store: it works, a read writes nothing, and a held lock is said."""

from __future__ import annotations

import inspect
from collections import Counter

import pytest

from newsloom.kernel.db.drivers import choose
from newsloom.kernel.errors import StoreBusy, StoreError

from .builders import AGGREGATES, NOW, add
from .calls import AT_ONCE, CALLS, READS, REMOTE

pytestmark = pytest.mark.each_sqlite

OF_ALL = {"facts"}


def test_every_method_of_the_store_is_called_below(store):
    """By its name, or with that of its aggregate where several have one of that name."""
    methods = [
        (name, method)
        for name in AGGREGATES
        for method, found in inspect.getmembers(type(getattr(store, name)), inspect.isfunction)
        if not method.startswith("_")
    ]
    often = Counter(method for _name, method in methods)
    named = {f"{name}.{one}" if often[one] > 1 else one for name, one in methods}
    assert set(CALLS) == named - {"hand_out", "remember", "still"} | OF_ALL


@pytest.fixture
def filled(backend, path):
    """A store that gives up waiting at once, with an article in it."""
    store = backend.open(path, patience=AT_ONCE)
    user = store.users.user("reader", NOW)
    feed, _ = store.reading.subscribe(user, "https://first.test/feed", NOW)
    add(store, feed, "a")
    store.bridges.bridge_account("test", REMOTE, NOW)
    yield store
    store.close()


def outcome(call, store):
    try:
        call(store)
    except StoreError as error:
        return type(error)
    return None


def test_a_locked_database_is_busy_and_unchanged(filled, sqlite, path):
    """A writer stops writers. A reader it stops only where there is no write-ahead log."""
    before = dict(filled.facts())
    other = choose(sqlite.driver).module.connect(str(path), isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    try:
        came = {name: outcome(call, filled) for name, call in CALLS.items()}
    finally:
        other.close()
    free = READS if sqlite.journal == "wal" else set()
    assert came == {name: None if name in free else StoreBusy for name in CALLS}
    assert filled.facts() == before


def test_busy_says_what_to_do(filled, sqlite, path):
    other = choose(sqlite.driver).module.connect(str(path), isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(StoreBusy, match=r"Another process has locked .* Try again"):
        filled.feeds.release("x")
    other.close()


def test_every_call_works_when_nothing_is_locked(filled):
    assert {outcome(call, filled) for call in CALLS.values()} == {None}


def test_what_is_called_a_read_writes_nothing(filled, sqlite):
    with filled.database.read() as connection:
        connection.exec_driver_sql("PRAGMA query_only = ON")
    assert {outcome(CALLS[name], filled) for name in READS} == {None}
