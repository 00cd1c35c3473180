"""What is removed for its age, what never is, and that it does not come back."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import func, select, text

from newsloom.articles.store.tables import articles, texts
from newsloom.kernel.db.schema import metadata
from newsloom.kernel.settings import KeepSettings
from newsloom.reading.values.annotations import Selector
from newsloom.reading.values.reading import EventKind, ListQuery
from newsloom.retention.service import Pruning
from newsloom.retention.store.sweeps import KEPT
from newsloom.retention.store.tables import aged_articles
from newsloom.retention.values import Removal
from newsloom.store import migrations
from newsloom.store.migrations import upkeep

from .builders import (
    HALF_LIVES,
    NOW,
    TEXT,
    VECTORS,
    add,
    article,
    ids_of,
    new,
    pending_texts,
    pending_vectors,
    publish,
    revised,
    run_stages,
    unchanged,
)
from .growing import BOUNDED_BY, RETENTION

DAY = timedelta(days=1)
LONG = "<p>" + "Many words of it. " * 300 + "</p>"
EVERYTHING = KeepSettings(
    texts_days=90, vectors_days=90, keys_days=90, articles_days=90, audit_days=90, digests_days=90
)
REMOVED = Removal.ARTICLES


def test_every_table_says_what_bounds_it() -> None:
    """A new table belongs into one of the two tuples of tests/store/growing.py, once."""
    named = [name for row in (*RETENTION, *BOUNDED_BY) for name in row.tables.split()]
    assert sorted(named) == sorted(metadata.tables)
    settings = {row.setting for row in RETENTION} - {""}
    assert settings <= set(KeepSettings.__dataclass_fields__)
    assert all(row.ages and row.stays for row in RETENTION)


def pruning(store, keep=EVERYTHING, later=100 * DAY) -> Pruning:
    return Pruning(store, keep, 30 * DAY, lambda: NOW + later)


def gone(store) -> set[int]:
    with store.database.read() as connection:
        found = connection.execute(
            select(aged_articles.c.article_id).where(aged_articles.c.articles_at.is_not(None))
        )
        return {row[0] for row in found}


def read(store, reader, *ids) -> None:
    """In a way that teaches nothing."""
    store.reading.mark(reader, ids, EventKind.READ, NOW, "test")


def rows(store, name: str) -> int:
    with store.database.read() as connection:
        return connection.scalar(select(func.count()).select_from(metadata.tables[name]))


def test_what_everybody_has_read_goes_and_does_not_come_back(store, reader, subscribe) -> None:
    feed = subscribe("one")
    ids = add(store, feed, "a", "b", "unread", content=LONG)
    run_stages(store, reader)
    a, b, unread = ids
    read(store, reader, a, b)
    assert gone(store) == set()
    assert pruning(store, later=89 * DAY).prune_all(lambda _one: None) == ()
    told = {one.what: one for one in pruning(store).would_prune()}
    assert told["articles"].rows == 2
    assert told["articles"].bytes > 2_000
    assert gone(store) == set(), "a dry run changes nothing"

    done = {one.what: one.rows for one in pruning(store).prune_all(lambda _one: None)}
    assert done["articles"] == 2
    assert gone(store) == {a, b}
    assert rows(store, "states") == rows(store, "texts") == rows(store, "embeddings") + 1 == 1
    query = ListQuery(unread_only=False)
    assert [one.id for one in store.lists.page(reader, query, NOW, HALF_LIVES)] == [unread]
    assert store.reading.article(reader, a, NOW, HALF_LIVES) is None

    # Its feed still lists it, and changes it: it is known, and nobody's.
    assert ids_of(store, feed, "a", "b") == [a, b]
    again = article(feed, "a", title="Another title", content=LONG)
    publish(store, feed, unchanged(article(feed, "b", content=LONG)), revised(again, a))
    later = store.users.user("late", NOW)
    store.reading.subscribe(later, "https://one.test/feed", NOW)
    assert rows(store, "states") == 2, "the unread one, of both"
    assert pending_texts(store, TEXT, 9) == ()
    assert run_stages(store, reader)[0] == 0
    assert store.reading.undo(reader, NOW, "test") == (), "its marks went with it"
    assert store.reading.article(reader, a, NOW, HALF_LIVES) is None
    assert pruning(store).prune_some() == 0, "it rests for a day"


def test_texts_and_vectors_go_and_stages_leave_it_alone(store, reader, subscribe) -> None:
    feed = subscribe("one")
    (old,) = add(store, feed, "old", content=LONG)
    run_stages(store, reader)
    keep = KeepSettings(texts_days=90, vectors_days=90, keys_days=90)
    done = {one.what: one.rows for one in pruning(store, keep).prune_all(lambda _one: None)}
    assert done["texts"] == done["vectors"] == done["keys"] == 1
    assert rows(store, "embeddings") == 0
    assert pending_texts(store, TEXT, 9) == ()
    assert pending_vectors(store, VECTORS, 9) == ()
    assert store.articles.vectors_wanting(VECTORS, "embed") == 0
    full = store.reading.article(reader, old, NOW, HALF_LIVES)
    assert "Many words of it." in full.html
    assert "deleted on 9 February 2027" in full.html
    assert len(full.html) < len(LONG) / 2
    assert run_stages(store, reader)[:2] == (0, 0)
    with store.database.read() as connection:
        assert connection.scalar(select(texts.c.rest)) == ""

    # A new version of it brings all of it back.
    publish(store, feed, revised(article(feed, "old", content=LONG + "<p>New.</p>"), old))
    assert rows(store, "aged_articles") == 0
    assert run_stages(store, reader)[:2] == (1, 1)
    assert "New." in store.reading.article(reader, old, NOW, HALF_LIVES).html


def test_what_somebody_kept_stays(store, reader, subscribe) -> None:
    """Each reason of `KEPT`, one article each, and one without any."""
    feed = subscribe("one")
    names = [f"kept {place}" for place in range(len(KEPT))]
    ids = dict(zip([one.name for one in KEPT], add(store, feed, *names), strict=True))
    (plain,) = add(store, feed, "plain")
    run_stages(store, reader)
    read(store, reader, *ids.values(), plain)
    with store.write() as tx:
        reading, every = tx.reading, [*ids.values()]
        reading.mark(reader, every[:1], EventKind.STAR, NOW, "test")
        reading.mark(reader, every[1:2], EventKind.FINISHED, NOW, "test")
        tx.annotations.add_tags(reader, every[2:3], ["keep"], NOW)
        tx.annotations.put_note(reader, every[3], "mine", NOW)
        tx.annotations.add_highlight(reader, every[4], Selector("Title", "", "", 0), "", NOW)
    statements = (
        "INSERT INTO stories (id, state, began, latest) VALUES (1, 'archived', 0, 0)",
        "INSERT INTO stories (id, state, began, latest) VALUES (2, 'active', 0, 0)",
        "INSERT INTO story_readers (user_id, story_id, stand) VALUES ({user}, 1, 1)",
        "INSERT INTO story_members VALUES ({0}, 0, 1, 0, 0, 1, 'test', 'direct')",
        "INSERT INTO story_members VALUES ({1}, 0, 2, 0, 0, 1, 'test', 'direct')",
        "INSERT INTO story_corrections (user_id, at, kind, story_id, article_id)"
        " VALUES ({user}, 0, 'split', 1, {2})",
        "INSERT INTO separations VALUES ({3}, {0}, {user}, 0)",
        "INSERT INTO share_services (user_id, kind, secrets, made_at)"
        " VALUES ({user}, 'x', '{{}}', 0)",
        "INSERT INTO shares (service_id, article_id, state, at)"
        " SELECT id, {4}, 'sent', 0 FROM share_services",
        "INSERT INTO bridge_accounts (bridge, remote, user_id) VALUES ('x', '{{}}', {user})",
        "INSERT INTO bridge_entries (account_id, remote, article_id)"
        " SELECT id, 1, {5} FROM bridge_accounts",
        "INSERT INTO left_states (user_id, left_id, article_id, feed_id, dated_at, sensitivity,"
        " rank_key, scored_by) VALUES ({user}, 1, {6}, 1, 0, 0, 0, 0)",
    )
    with store.database.write() as connection:
        for statement in statements:
            connection.execute(text(statement.format(*every[5:], user=reader)))
    pruning(store).prune_all(lambda _one: None)
    assert gone(store) == {plain}
    assert rows(store, "embeddings") == len(KEPT)
    with store.database.read() as connection:
        contents = connection.scalars(select(articles.c.content).order_by("id")).all()
    assert [bool(one) for one in contents] == [True] * len(KEPT) + [False]


def test_a_sweep_goes_on_where_it_was_cut_off(store, reader, subscribe) -> None:
    feed = subscribe("one")
    ids = add(store, feed, *(f"n{one}" for one in range(60)))
    run_stages(store, reader)
    read(store, reader, *ids)
    ticks = iter(range(10_000))
    short = Pruning(
        store,
        KeepSettings(articles_days=90),
        30 * DAY,
        lambda: NOW + 100 * DAY,
        clock=lambda: next(ticks),
        seconds=2,
    )
    first = short.prune_some()
    assert 0 < first < 60, "a transaction at a time, and no more than there is time for"
    seen = {first}
    while (more := short.prune_some()) and len(seen) < 60:
        seen.add(more)
    assert gone(store) == set(ids)
    # What was kept when it was looked at and is no more goes with the sweep that begins anew.
    (starred,) = add(store, feed, "starred")
    read(store, reader, starred)
    store.reading.mark(reader, [starred], EventKind.STAR, NOW, "test")
    pruning(store, later=102 * DAY).prune_some()
    store.reading.undo(reader, NOW, "test")
    pruning(store, later=104 * DAY).prune_some()
    assert starred not in gone(store)
    pruning(store, later=140 * DAY).prune_some()
    assert starred in gone(store)


def test_rows_go_by_their_own_age(store, reader, subscribe) -> None:
    with store.database.write() as connection:
        for number, days in enumerate((0, 50, 100), 1):
            at = int((NOW + days * DAY).timestamp() * 1e6)
            connection.execute(
                text(
                    "INSERT INTO digests (id, user_id, kind, title, end_at, zone, made_at,"
                    f" ready_at, body, memory) VALUES ({number}, {reader}, 'morning', '', {at},"
                    f" 'UTC', {at}, {at}, '{{}}', '{{}}')"
                ).execution_options(no_parameters=True)
            )
            connection.execute(
                text(
                    "INSERT INTO digest_sendings (digest_id, way, target, token, state, at)"
                    f" VALUES ({number}, 'file', 'x', '', 'sent', {at})"
                )
            )
            connection.execute(
                text(f"INSERT INTO redirects (url, at) VALUES ('https://x.test/{number}', {at})")
            )
    keep = KeepSettings(digests_days=31, redirects_days=60)
    done = {one.what: one.rows for one in pruning(store, keep).prune_all(lambda _one: None)}
    assert done == {"digests": 2, "redirects": 1}
    assert rows(store, "digest_sendings") == 1


def test_sizes_are_told(store, backend) -> None:
    found = {one.name: one for one in store.retention.table_sizes()}
    if str(backend).startswith("postgres"):
        assert found["states"].bytes > 0
        assert "ix_states_ranked" in dict(found["states"].indexes)
        with store.database.read() as connection:
            statement = text("SELECT reloptions FROM pg_class WHERE relname = 'states'")
            assert any("vacuum" in one for one in connection.scalar(statement))
        with store.database.write() as connection:
            upkeep.make(connection)  # nothing that was set is set anew
    elif found:
        assert found["states"].bytes > 0
    assert store.retention.free_inside() >= 0


@pytest.mark.parametrize("days", [1, 30])
def test_nothing_younger_than_a_month_goes(store, reader, subscribe, days) -> None:
    (one,) = add(store, subscribe("one"), "a")
    run_stages(store, reader)
    read(store, reader, one)
    keep = KeepSettings(articles_days=days, texts_days=days, unread_days=days)
    pruning(store, keep, later=30 * DAY).prune_all(lambda _one: None)
    assert gone(store) == set()
    publish(store, subscribe("two"), new(article(subscribe("two"), "b")))
    assert migrations.HEAD
