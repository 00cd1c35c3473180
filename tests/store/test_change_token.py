"""The token of a store changes with every write, of whoever, and with nothing else."""

from __future__ import annotations

from dataclasses import replace

import pytest

from newsloom.reading.values.reading import EventKind, ListQuery

from .builders import HALF_LIVES, NOW, add, article, duplicate, ids_of, publish
from .conftest import Postgres

pytestmark = pytest.mark.each_sqlite


def test_it_stays_while_nobody_writes(backend, store, reader):
    """On PostgreSQL "nobody" is nobody on the server: its own upkeep moves the token too, now and
    then. What moved it here would do so at each of many looks."""

    def stays() -> bool:
        token = store.database.change_token(reader)
        store.lists.subscriptions(reader)
        store.lists.page(reader, ListQuery(), NOW, HALF_LIVES)
        return store.database.change_token(reader) == token

    assert stays() or (isinstance(backend, Postgres) and any(stays() for _ in range(20)))


def test_every_write_changes_it(store, reader):
    seen = {store.database.change_token(reader)}
    feed, _ = store.reading.subscribe(reader, "https://first.test/feed", NOW)
    seen.add(store.database.change_token(reader))
    (one,) = add(store, feed, "one")
    seen.add(store.database.change_token(reader))
    store.reading.mark(reader, [one], EventKind.READ, NOW, "test")
    seen.add(store.database.change_token(reader))
    assert len(seen) == 4


def test_a_category_and_a_language_find_copies_too(store, reader):
    """A copy in a feed of the category stands in it, whatever category the first has."""
    home, _ = store.reading.subscribe(reader, "https://a.test/feed", NOW, category="Home")
    other, _ = store.reading.subscribe(reader, "https://b.test/feed", NOW, category="Other")
    there = add(store, home, "one", "two", language="de")
    add(store, home, "english", language="en")
    copied, _alone = add(store, other, "copied", "alone", language="de")
    publish(store, home, duplicate(article(home, "copy", language="de"), copied))
    query = ListQuery(category="Home", language="de")
    found = store.lists.page_ids(reader, query, NOW, HALF_LIVES)
    (copy,) = ids_of(store, home, "copy")
    assert sorted(found) == sorted([*there, copy])
    assert store.lists.page_ids(reader, replace(query, language="fr"), NOW, HALF_LIVES) == ()
