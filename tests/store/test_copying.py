"""Everything of one database in another, of whichever kind: the same rows, found the same way."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import text

from newsloom.duplicates.values import Relation
from newsloom.kernel.errors import StoreError
from newsloom.kernel.ids import FeedId, UserId
from newsloom.reading.search_language import parse
from newsloom.reading.values.reading import EventKind, ListQuery
from newsloom.reading.values.searching import SearchOrder
from newsloom.store import Store, copying

from .builders import (
    HALF_LIVES,
    NOW,
    VECTORS,
    add,
    article,
    duplicate,
    ids_of,
    publish,
    relate,
    run_stages,
    unit,
)
from .conftest import PROCESS, SQLITE, Backend, Postgres, started
from .test_backup import everything

pytestmark = [pytest.mark.each_sqlite, pytest.mark.postgres]


@pytest.fixture
def full(store: Store, reader: UserId, feed: FeedId, subscribe) -> Store:
    """More articles than one batch; some with a copy that came much later."""
    ids = add(store, feed, *(f"article {number}" for number in range(1_200)))
    second = subscribe("second")
    for number in range(3):
        copy = article(second, f"copy {number}", content="<p>" + "fuller " * 50)
        publish(store, second, duplicate(copy, ids[number]))
    run_stages(store, reader)
    relate(store, Relation.SAME_TEXT, (ids[5], ids[6]))
    store.reading.mark(reader, ids[:5], EventKind.LIKE, NOW, "test")
    store.users.set_half_lives(reader, (1, 2, 3, 4, 5), HALF_LIVES)
    with store.database.write() as connection:
        connection.execute(text("UPDATE articles SET author = 'ann\u00e9' WHERE id = 7"))
    return store


@pytest.fixture
def there(backend: Backend | Postgres) -> Backend | Postgres:
    """Another kind of database than the store's."""
    return SQLITE if isinstance(backend, Postgres) else started()


def lists(store: Store, reader: UserId) -> list[object]:
    found = store.lists.search(reader, parse("article"), SearchOrder.NEWEST, 100, NOW, HALF_LIVES)
    return [
        store.lists.page(reader, ListQuery(limit=1000), NOW, HALF_LIVES),
        store.lists.page(reader, ListQuery(limit=1000, unread_only=False), NOW, HALF_LIVES),
        [one.id for one in found.rows],
        [one.id for one in store.articles.nearest(VECTORS, unit(1, seed=8)[0], limit=30)],
    ]


def test_there_and_back_gives_the_same_rows(
    full: Store, reader: UserId, feed: FeedId, folder: Path, backend, there
) -> None:
    with (
        closing(there.open(folder / "there.db")) as other,
        closing(backend.open(folder / "back.db")) as back,
    ):
        copied = copying.copy(full.database, other.database)
        assert copied.rows["articles"] == 1_203
        assert not copied.resumed
        assert everything(other) == everything(full)
        assert lists(other, reader) == lists(full, reader)
        copying.copy(other.database, back.database)
        assert everything(back) == everything(full)
        # What is new has a number of its own, and the old ones stay whose they were.
        for store in (other, back):
            assert add(store, feed, "later") == [1_204]
            assert store.reading.subscribe(reader, "https://third.test/", NOW)[0] == 3
            assert store.models.add_interest(reader, "cats", NOW).id == 1
        assert everything(back) == everything(other)


def test_a_target_with_rows_is_refused(full: Store, folder: Path, there) -> None:
    with closing(there.open(folder / "there.db")) as other:
        reader = other.users.user("somebody", NOW)
        other.reading.subscribe(reader, "https://first.test/", NOW)
        before = everything(other)
        with pytest.raises(StoreError, match="is not empty"):
            copying.copy(full.database, other.database)
        assert everything(other) == before


class _CutOff(Exception):
    pass


def test_a_copy_that_was_cut_off_goes_on(full: Store, folder: Path, there) -> None:
    heard: list[tuple[str, int]] = []

    def cut(table: str, rows: int) -> None:
        if (table, rows) == ("articles", 1_000):
            raise _CutOff

    with closing(there.open(folder / "there.db")) as other:
        with pytest.raises(_CutOff):
            copying.copy(full.database, other.database, cut)
        copied = copying.copy(full.database, other.database, lambda *one: heard.append(one))
        assert copied.resumed
        assert ("articles", 203) in heard, "only what was left"
        assert everything(other) == everything(full)


KILLED = (
    PROCESS
    + """
import os, signal
from newsloom.store import copying
def heard(table, rows):
    if (table, rows) == ("articles", 1000):
        os.kill(os.getpid(), signal.SIGKILL)
source = opened(lambda: None)
sys.argv[1:3] = sys.argv[3:5]
copying.copy(source.database, opened(lambda: None).database, heard)
"""
)


def test_a_copy_whose_process_was_killed_goes_on(
    full: Store, lasting_path: Path, folder: Path, backend, there
) -> None:
    words = (*backend.words(lasting_path), *there.words(folder / "there.db"))
    command = [sys.executable, "-c", KILLED, *words]
    assert subprocess.run(command, check=False).returncode == -9
    with closing(there.open(folder / "there.db")) as other:
        assert copying.copy(full.database, other.database).resumed
        assert everything(other) == everything(full)


def test_a_source_that_changed_between_two_attempts_is_told(
    full: Store, reader: UserId, folder: Path, there
) -> None:
    def cut(table: str, _rows: int) -> None:
        if table == "states":
            raise _CutOff

    with closing(there.open(folder / "there.db")) as other:
        with pytest.raises(_CutOff):
            copying.copy(full.database, other.database, cut)
        starred = ids_of(full, FeedId(1), "article 9")
        full.reading.mark(reader, starred, EventKind.STAR, NOW, "test")
        with pytest.raises(StoreError, match="The copy differs in"):
            copying.copy(full.database, other.database)


def test_an_unfinished_copy_of_another_is_named(full: Store, folder: Path, there) -> None:
    with (
        closing(there.open(folder / "there.db")) as other,
        closing(SQLITE.open(folder / "empty.db", timedelta(seconds=1))) as empty,
    ):
        with pytest.raises(_CutOff):
            copying.copy(full.database, other.database, _stop)
        with pytest.raises(StoreError, match="unfinished copy of"):
            copying.copy(empty.database, other.database)


def _stop(_table: str, _rows: int) -> None:
    raise _CutOff


@pytest.fixture
def nul(folder: Path) -> Iterator[Store]:
    with closing(SQLITE.open(folder / "nul.db")) as store:
        store.users.user("a\0b", NOW)
        yield store


def test_a_text_loses_what_only_sqlite_holds(nul: Store, folder: Path) -> None:
    with closing(started().open(folder / "there.db")) as other:
        copying.copy(nul.database, other.database)
        assert [name for _id, name in other.users.users()] == ["ab"]
        assert other.users.user("a\0b", NOW) == 1
