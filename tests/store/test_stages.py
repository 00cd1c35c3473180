"""Stages: what is left to do, what is kept, what a change takes away."""

from __future__ import annotations

import numpy as np
import pytest

from newsloom.ranking import rank_key
from newsloom.ranking.values.models import PlainText, Rating, Score
from newsloom.reading.values.reading import ListQuery
from newsloom.store.texts import LEAD, split
from newsloom.work.values import Put, StageKey

from .builders import (
    DIMENSIONS,
    HALF_LIVES,
    HOUR,
    NOW,
    RATINGS,
    SCORES,
    TEXT,
    VECTORS,
    add,
    article,
    embed,
    pending_ratings,
    pending_scores,
    pending_texts,
    pending_vectors,
    publish,
    rate,
    read_texts,
    revised,
    run_stages,
    score,
    unit,
)


def test_each_stage_is_done_once(store, reader, feed):
    add(store, feed, "a", "b", "c")
    assert run_stages(store, reader) == (3, 3, 3, 3)
    assert run_stages(store, reader) == (0, 0, 0, 0)


def test_a_new_version_recomputes_its_own_stage_only(store, reader, feed):
    add(store, feed, "a", "b")
    run_stages(store, reader)
    assert len(pending_texts(store, "text@2", 10)) == 2
    assert len(pending_vectors(store, "encoder@2", 10)) == 2
    assert len(pending_ratings(store, "sensitivity@2", VECTORS, 10)[0]) == 2
    assert score(store, reader, by="relevance@2") == 2
    assert run_stages(store, reader) == (0, 0, 0, 2)  # the other scores were overwritten


def test_work_comes_in_batches_newest_first(store, feed):
    ids = add(store, feed, "a", "b", "c")
    assert [one.id for one in pending_texts(store, TEXT, 2)] == [ids[2], ids[1]]


def test_the_same_text_again_keeps_what_was_made_of_it(store, reader, feed):
    (one,) = add(store, feed, "a")
    run_stages(store, reader)
    publish(store, feed, revised(article(feed, "a", summary="<i>only markup</i>"), one))
    assert read_texts(store) == 1
    assert run_stages(store, reader) == (0, 0, 0, 0)


def test_another_text_takes_away_what_was_made_of_it(store, reader, feed):
    one, other = add(store, feed, "a", "b")
    run_stages(store, reader)
    publish(store, feed, revised(article(feed, "a", title="Another"), one))
    assert read_texts(store) == 1
    assert set(store.articles.vectors(VECTORS, [one, other])) == {other}
    assert store.articles.rating(RATINGS, one) is None
    assert store.articles.rating(RATINGS, other) == Rating(3, 0.5, "made")
    assert store.lists.unscored(reader) == 0  # it stands by its old score until the new one
    assert run_stages(store, reader) == (0, 1, 1, 1)


def test_a_text_beyond_the_lead_changes_nothing_made(store, reader, feed):
    (one,) = add(store, feed, "a")
    words = "word " * 1000
    store.articles.put_texts(TEXT, [PlainText(one, "Title", words)])
    embed(store)
    store.articles.put_texts("text@2", [PlainText(one, "Title", words + "and more")])
    assert embed(store) == 0


KEYS = {
    "text": StageKey("text", TEXT),
    "embed": StageKey("embed", VECTORS),
    "sensitivity": StageKey("sensitivity", RATINGS, (VECTORS,)),
}


@pytest.mark.parametrize("stage", [*KEYS, "relevance"])
def test_a_result_of_a_text_that_changed_meanwhile_is_not_kept(store, reader, feed, stage):
    """Another process polls and reads a revision between leasing and putting back."""
    (one,) = add(store, feed, "a")
    for run, name in ((read_texts, "text"), (embed, "embed"), (rate, "sensitivity")):
        if stage == name:
            break
        run(store)
    scores = StageKey("relevance", SCORES, (VECTORS, RATINGS), reader)
    lease = store.work.claim_work(KEYS.get(stage, scores), limit=10, now=NOW, until=NOW + HOUR)
    assert lease.ids == (one,)
    if stage == "text":
        batch, _raw = store.articles.leased_texts(lease, 10)
        publish(store, feed, revised(article(feed, "a", title="Another"), one))
        put = store.articles.put_texts(
            TEXT, [PlainText(one, "Title of a", "the old text")], batch=batch
        )
        assert put == Put(0)
        assert [left.title for left in pending_texts(store, TEXT, 10)] == ["Another"]
        return
    leased = {
        "embed": store.articles.leased_vectors,
        "sensitivity": store.articles.leased_ratings,
        "relevance": store.articles.leased_scores,
    }
    batch = leased[stage](lease, 10)[0]
    with store.database.write() as connection:
        connection.exec_driver_sql("UPDATE texts SET digest = digest + 1")
    if stage == "embed":
        put = store.articles.put_vectors(VECTORS, [one], unit(1), batch=batch)
        assert store.articles.vectors(VECTORS, [one]) == {}
    elif stage == "sensitivity":
        put = store.articles.put_ratings(RATINGS, [one], [Rating(5, 1.0)], NOW, batch=batch)
        assert store.articles.rating(RATINGS, one) is None
    else:
        put = store.articles.put_scores(
            reader, SCORES, [Score(one, 99.0, 1)], HALF_LIVES, batch=batch
        )
        assert store.lists.unscored(reader) == 1
    assert put == Put(0)


def test_vectors_come_back_as_they_were(store, feed):
    ids = add(store, feed, *"abcde")
    read_texts(store)
    put = unit(5)
    store.articles.put_vectors(VECTORS, ids, put)
    got = store.articles.vectors(VECTORS, [*ids, 99])
    assert list(got) == ids
    for line, one in zip(put, ids, strict=True):
        assert got[one].dtype == np.float32
        assert np.allclose(got[one], line, atol=1e-3)
        assert np.isclose(np.linalg.norm(got[one]), 1.0, atol=1e-6)


def test_vectors_of_two_models_stand_side_by_side(store, feed):
    (one,) = add(store, feed, "a")
    read_texts(store)
    store.articles.put_vectors(VECTORS, [one], unit(1, seed=1))
    store.articles.put_vectors("encoder@2", [one], unit(1, seed=2))
    first, second = (
        store.articles.vectors(VECTORS, [one])[one],
        store.articles.vectors("encoder@2", [one])[one],
    )
    assert not np.allclose(first, second)
    assert store.articles.vectors("unheard of", [one]) == {}


def test_putting_twice_replaces(store, feed):
    (one,) = add(store, feed, "a")
    read_texts(store)
    for seed in (1, 2):
        store.articles.put_vectors(VECTORS, [one], unit(1, seed=seed))
    assert np.allclose(store.articles.vectors(VECTORS, [one])[one], unit(1, seed=2)[0], atol=1e-3)
    for rating in (2, 4):
        store.articles.put_ratings(RATINGS, [one], [Rating(rating, 0.9, "why")], NOW)
    assert store.articles.rating(RATINGS, one) == Rating(4, 0.9, "why")


def test_pending_ratings_bring_texts_and_vectors_in_one_order(store, feed):
    ids = add(store, feed, *"abc")
    read_texts(store)
    pending = pending_vectors(store, VECTORS, 10)
    put = unit(3)
    store.articles.put_vectors(VECTORS, [one.id for one in pending], put)
    articles, vectors = pending_ratings(store, RATINGS, VECTORS, 10)
    assert sorted(one.id for one in articles) == ids
    order = [[one.id for one in pending].index(article.id) for article in articles]
    assert np.allclose(vectors, put[order], atol=1e-3)


def test_nothing_pending_is_empty_of_the_right_shape(store, reader, feed):
    articles, vectors = pending_ratings(store, RATINGS, VECTORS, 10)
    assert (articles, len(vectors)) == ((), 0)
    articles, vectors, categories, ratings = pending_scores(store, reader)
    assert (articles, len(vectors), categories, ratings) == ((), 0, (), ())


def test_pending_scores_come_newest_first_with_the_readers_categories(store, reader, subscribe):
    news, tech = subscribe("first", "News"), subscribe("second", "Tech")
    (old,) = add(store, news, "old", dated=NOW - 9 * HOUR)
    (young,) = add(store, tech, "young", dated=NOW - HOUR)
    (middle,) = add(store, news, "middle", dated=NOW - 5 * HOUR)
    read_texts(store), embed(store), rate(store, 4)
    articles, vectors, categories, ratings = pending_scores(store, reader)
    assert [one.id for one in articles] == [young, middle, old]
    assert vectors.shape == (3, DIMENSIONS)
    assert categories == ("Tech", "News", "News")
    assert ratings == (4, 4, 4)


def test_pending_scores_merge_what_different_models_scored(store, reader, feed):
    names = "abcdef"
    ids = [
        add(store, feed, name, dated=NOW - number * HOUR)[0] for number, name in enumerate(names)
    ]
    read_texts(store), embed(store), rate(store)
    for number, one in enumerate(ids):
        store.articles.put_scores(reader, f"old {number % 3}", [Score(one, 50.0, 3)], HALF_LIVES)
    articles, *_ = pending_scores(store, reader, limit=4)
    assert [one.id for one in articles] == ids[:4]
    assert score(store, reader) == 6
    assert score(store, reader) == 0


def test_a_reader_has_a_sole_producer_when_nothing_is_left_to_score(store, reader, feed):
    ids = add(store, feed, *"abc")
    read_texts(store), embed(store), rate(store)

    def sole():
        found = store.articles.sole_producers("relevance")
        assert (found.get(reader) == SCORES) == (not pending_scores(store, reader)[0])
        return found

    assert sole() == {}
    store.articles.put_scores(reader, "old", [Score(one, 50.0, 3) for one in ids], HALF_LIVES)
    assert sole() == {reader: "old"}
    store.articles.put_scores(reader, SCORES, [Score(ids[0], 50.0, 3)], HALF_LIVES)
    assert sole() == {}
    score(store, reader)
    assert sole() == {reader: SCORES}
    add(store, feed, "d")
    read_texts(store), embed(store), rate(store)
    assert sole() == {}
    assert store.articles.sole_producers("interest") == {}


def test_scores_set_what_the_list_is_ordered_by(store, reader, feed):
    (one,) = add(store, feed, "a", dated=NOW - HOUR)
    (listed,) = store.lists.page(reader, ListQuery(), NOW, HALF_LIVES)
    assert (listed.relevance, listed.sensitivity) == (
        rank_key.UNSCORED_RELEVANCE,
        rank_key.UNSCORED_SENSITIVITY,
    )
    assert store.lists.unscored(reader) == 1
    store.articles.put_scores(reader, SCORES, [Score(one, 80.0, 5), Score(99, 1.0, 1)], HALF_LIVES)
    (listed,) = store.lists.page(reader, ListQuery(), NOW, HALF_LIVES)
    assert (listed.relevance, listed.sensitivity) == (80.0, 5)
    assert listed.score == pytest.approx(80 * 0.5 ** (1 / 24 / 5))
    assert store.lists.unscored(reader) == 0


def test_scores_belong_to_one_reader(store, reader, feed, subscribe):
    other = store.users.user("other", NOW)
    subscribe("first", user=other)
    add(store, feed, "a")
    read_texts(store), embed(store), rate(store)
    assert score(store, reader) == 1
    assert (store.lists.unscored(reader), store.lists.unscored(other)) == (0, 1)
    assert score(store, other) == 1


@pytest.mark.parametrize(
    "text",
    ["", "short", "x" * (LEAD + 5), "word " * 1000, " " + "y" * (2 * LEAD), "a\n" * LEAD],
    ids=["empty", "short", "one long word", "words", "leading space", "lines"],
)
def test_split_loses_nothing(text):
    lead, rest = split(text)
    assert lead + rest == text
    assert len(lead) <= LEAD
    assert (rest == "") == (len(text) <= LEAD)


def test_texts_give_the_lead_and_what_is_known_of_the_article(store, feed):
    a, b = add(store, feed, "a", "b")
    store.articles.put_texts(TEXT, [PlainText(a, "Read title", "word " * 1000)])
    first, second = store.articles.texts([b, a, 99])[::-1]
    assert (first.id, first.title, len(first.text)) == (a, "Read title", LEAD - 1)
    assert (second.id, second.title, second.text) == (b, "Title of b", "")
    assert (first.source, first.feed_id, first.dated) == (f"site-{feed}.test", feed, NOW)
