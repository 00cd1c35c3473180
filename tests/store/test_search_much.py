"""Search where more is found than is counted or put in order at once."""

from __future__ import annotations

from contextlib import closing

import pytest
from sqlalchemy import insert, select, text

from newsloom.articles.store.tables import texts
from newsloom.duplicates.store.tables import clusters
from newsloom.kernel.db.dialects import full_text
from newsloom.ranking.values.models import PlainText
from newsloom.reading.store.lists.store import MANY
from quick import quick_folder

from .builders import NOW, TEXT
from .searching import NEWEST, SCORE, ids, search


@pytest.fixture(scope="module")
def crowd(backend):
    """More articles than are put in order at once; every third has a second word, of which a few
    share a row, and dates do not go by numbers."""
    articles = MANY + 3_000
    with quick_folder() as folder, closing(backend.open(folder / "crowd.db")) as store:
        reader = store.users.user("reader", NOW)
        feed, _new = store.reading.subscribe(reader, "https://first.test/", NOW)
        with store.database.write() as connection:
            more = f"SELECT i + 1 FROM n WHERE i < {articles}"
            numbers = f"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL {more})"
            columns = "feed_id, original_id, fullest_id, first_seen_at, dated_at, version_at"
            connection.execute(
                text(
                    f"{numbers} INSERT INTO articles (id, {columns})"
                    f" SELECT i, {feed}, i, i, 0, i * 7919 % 20011, 0 FROM n"
                )
            )
            connection.execute(
                text(
                    "INSERT INTO states (user_id, article_id, feed_id, dated_at, rank_key, read)"
                    f" SELECT {reader}, id, feed_id, dated_at, dated_at, id % 2 = 1 FROM articles"
                )
            )
            connection.execute(
                text(
                    f"{numbers} INSERT INTO texts (article_id, maker_id, digest, title, lead)"
                    " SELECT i, 1, i, 'common', CASE WHEN i % 3 = 0 THEN 'third' ELSE '' END FROM n"
                )
            )
            made = connection.execute(select(texts)).mappings().all()
            full_text(connection).put(connection, made)
            rows = [
                {"article_id": one, "cluster_id": one % 5 * 3 + 3, "text_id": one}
                for one in range(3, 3_000, 3)
            ]
            connection.execute(insert(clusters), rows)
        yield store, reader, articles


def by_date(articles):
    return sorted(articles, key=lambda one: (one * 7919 % 20011, one), reverse=True)


@pytest.mark.parametrize("order", [NEWEST, SCORE])
@pytest.mark.parametrize("typed", ["common ", "-zebra", "common -zebra is:unread OR is:read"])
def test_what_is_too_much_to_count_still_comes_in_order(crowd, order, typed):
    store, reader, articles = crowd
    expected, seen = [], set()
    for one in by_date(range(1, articles + 1)):
        row = one % 5 if one % 3 == 0 and one < 3_000 else -one
        if row not in seen:
            seen.add(row)
            expected.append(one if row < 0 else row)
    found, after = [], None
    for _number in range(4):
        page = search(store, reader, typed, order, 40, after=after)
        assert (page.count, page.more) == (MANY, True)
        found += [one.id % 5 if one.cluster else one.id for one in page.rows]
        after = page.after
    assert found == expected[:160]


def test_the_best_match_of_too_much_is_among_what_came_last(crowd):
    store, reader, articles = crowd
    first = search(store, reader, "common ", limit=50)
    assert (first.count, first.more) == (MANY, True)
    second = search(store, reader, "common ", limit=50, after=first.after)
    found = ids(first) + ids(second)
    assert len({*found}) == 100
    assert min(found) > articles - MANY


@pytest.fixture
def commonplace(crowd):
    """The newest of the crowd, with another word while a test lasts."""
    store, _reader, articles = crowd
    newest = by_date(range(1, articles + 1))[0]
    store.articles.put_texts(TEXT, [PlainText(newest, "commonplace", "")])
    yield newest
    store.articles.put_texts(TEXT, [PlainText(newest, "common", "")])


def test_a_word_that_is_common_is_taken_as_whole(crowd, commonplace):
    """To look for all that begins with it would find little more and take long."""
    store, reader, _articles = crowd
    first = commonplace
    assert ids(search(store, reader, "common*", NEWEST))[0] == first
    assert ids(search(store, reader, "common", NEWEST))[0] != first
    assert ids(search(store, reader, "commonp")) == [first]
