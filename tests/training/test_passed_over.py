"""Where nobody dislikes: likes and what was passed over make a model, and say so."""

from __future__ import annotations

from datetime import datetime, timedelta

import numpy as np
import pytest

from newsloom.kernel.ids import ArticleId, FeedId
from newsloom.ranking.learning import implicit_negatives
from newsloom.ranking.training import TrainingResult, TrainingService
from newsloom.ranking.training.dataset import TrainingSet, Unlabelled
from newsloom.ranking.values.models import ArticleText, ImplicitNegative, StoredModel
from newsloom.reading.values.reading import EventKind
from store.builders import DIMENSIONS, NOW, VECTORS, add, read_texts
from training.world import NEEDED, Encoder, World, trainers

DAYS, A_DAY = 12, 25
DAY = timedelta(days=1)


def live(world: World) -> None:
    """News of some days: each day's articles are dated and first seen on it."""
    feed, _new = world.store.reading.subscribe(world.user, "https://feed.test/feed", NOW)
    draw = np.random.default_rng(5)
    for day in range(DAYS):
        names = [f"{day} {number}" for number in range(A_DAY)]
        made = add(world.store, feed, *names, dated=NOW + day * DAY)
        while read_texts(world.store):
            pass
        rows = draw.standard_normal((A_DAY, DIMENSIONS)).astype(np.float32)
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        world.store.articles.put_vectors(VECTORS, made, rows)
        world.ids += made
    world.now = NOW + DAYS * DAY


def say(world: World, kind: EventKind, wanted: bool, count: int, skip: int = 0) -> list[ArticleId]:
    """The reader marks so many of those they want, or do not want, spread over the days."""
    fitting = [one for one in world.ids if world.tasteful(one) is wanted][skip:]
    chosen = fitting[:: max(len(fitting) // count, 1)][:count]
    for place, one in enumerate(chosen):
        at = NOW + (place + 1) * DAYS * DAY / (count + 1)
        world.store.reading.mark(world.user, [one], kind, at, "test")
    return chosen


def dataset(world: World) -> TrainingSet:
    return world.training().dataset(world.user)


def unlabelled(world: World) -> Unlabelled:
    found = dataset(world).unlabelled
    assert found is not None
    return found


def train(world: World, service: TrainingService | None = None) -> TrainingResult:
    return (service or world.training()).train(world.user, anyway=True)


def active(world: World) -> StoredModel:
    found = world.store.models.active_model(world.user, "relevance")
    assert found is not None
    return found


def test_likes_alone_make_a_model_that_says_what_it_is_of(world: World) -> None:
    live(world)
    say(world, EventKind.LIKE, True, 40)
    result = train(world)
    assert result.promoted, result.words
    count = len(unlabelled(world).passed)
    text = f"Trained on 40 likes and {count} skipped articles; no dislikes"
    assert result.words.startswith(text)
    learned = active(world).learned
    assert (learned.likes, learned.dislikes, learned.implicit_negatives) == (40, 0, count)
    now = world.training().active(world.user)  # as another process sees it
    assert (now.model.personal, now.likes, now.dislikes, now.implicit_negatives) == (
        True,
        40,
        0,
        count,
    )
    # It puts what the reader wants above what they do not, of articles it never saw.
    texts = world.store.articles.texts(world.ids)
    rows = np.array([world.store.articles.vectors(VECTORS, [one.id])[one.id] for one in texts])
    scores = now.model.score(texts, rows, [""] * len(texts))
    wanted = np.array([world.tasteful(one.id) for one in texts])
    assert scores[wanted].mean() > scores[~wanted].mean() + 5
    assert train(world, world.training()).model_id  # again, beside the model in force


def test_it_never_gets_a_label_it_was_not_given(world: World) -> None:
    """Neither what was said, nor what was taken back, nor what was only opened, is passed over."""
    live(world)
    likes = say(world, EventKind.LIKE, True, 30)
    dislikes = say(world, EventKind.DISLIKE, False, 6)
    back = say(world, EventKind.DISLIKE, False, 5, skip=3)
    back = [one for one in back if one not in dislikes]
    for one in back:
        world.store.reading.mark(world.user, [one], EventKind.UNRATE, world.now, "test")
    rest = [one for one in world.ids if one not in {*likes, *dislikes, *back}]
    opened, stars = rest[:4], rest[4:7]
    for group, kind in ((opened, EventKind.OPENED), (stars, EventKind.STAR)):
        world.store.reading.mark(world.user, group, kind, world.now, "test")
    found = dataset(world)
    assert found.said == (len(likes) + len(stars), len(dislikes))
    passed = {one.article.id for one in unlabelled(world).passed}
    assert passed == set(rest[7:])
    assert {one.article.id for one in found.labels}.isdisjoint(passed)
    assert all(0 < one.weight <= 1 for one in unlabelled(world).passed)
    train(world)
    (model, *_rest) = world.store.models.models(world.user, "relevance")
    assert (model.learned.likes, model.learned.dislikes) == found.said


def test_enough_dislikes_switch_and_taking_them_back_switches_back(world: World) -> None:
    live(world)
    say(world, EventKind.LIKE, True, 50)
    assert train(world).promoted
    first = active(world).model_id
    dislikes = say(world, EventKind.DISLIKE, False, 30)
    assert dataset(world).unlabelled is None
    result = train(world)
    assert result.promoted, result.words
    assert result.words.startswith("Trained on 50 likes and 30 dislikes;")
    assert active(world).learned.implicit_negatives == 0
    for one in dislikes:
        world.store.reading.mark(world.user, [one], EventKind.UNRATE, world.now, "test")
    result = train(world)
    assert result.promoted, result.words
    assert active(world).learned.implicit_negatives > 0
    assert active(world).model_id != first


def test_likes_by_chance_are_seldom_promoted(world: World) -> None:
    """The gate: above chance, and above the order without a model, on the newest likes."""
    live(world)
    service, promoted = world.training(), 0
    for trial in range(12):
        draw = np.random.default_rng(trial)
        chosen = [world.ids[row] for row in draw.permutation(len(world.ids))[:30]]
        world.store.reading.mark(world.user, chosen, EventKind.LIKE, world.now, "test")
        promoted += train(world, service).promoted
        if service.active(world.user).model.personal:
            service.roll_back(world.user)
        world.store.reading.mark(world.user, chosen, EventKind.UNRATE, world.now, "test")
        # What was ever said is never passed over: a fresh start for the next trial.
        with world.store.database.write() as connection:
            connection.exec_driver_sql("DELETE FROM events")
            connection.exec_driver_sql("UPDATE states SET read = FALSE, rating = 0")
    assert promoted <= 4


def test_it_can_be_switched_off_and_begins_at_twenty_likes(world: World) -> None:
    live(world)
    say(world, EventKind.LIKE, True, NEEDED[0] - 1)
    assert train(world).too_few
    say(world, EventKind.LIKE, True, 40)
    assert not train(world).too_few
    off = TrainingService(
        world.store, Encoder(), trainers(), NEEDED, lambda: world.now, unlabelled=False
    )
    assert train(world, off).too_few
    slow = world.training(trainers(quick=False))
    assert train(world, slow).too_few


def passed(number: int, came: datetime, **more: bool) -> ImplicitNegative:
    text = ArticleText(ArticleId(number), f"T{number}", "", "", "en", came, FeedId(1))
    return ImplicitNegative(text, "", came, **{"read": False, "alone": False, **more})


def test_exposure_by_what_was_done_by_place_and_by_visits() -> None:
    visits = [NOW + day * DAY for day in (1, 2, 3)]
    lonely = passed(1, NOW)
    (once,) = implicit_negatives.exposures([lonely], visits[:1])
    (often,) = implicit_negatives.exposures([lonely], visits)
    (never,) = implicit_negatives.exposures([passed(2, NOW + 4 * DAY)], visits)
    assert never == 0 < once < often < 1
    crowd = [passed(number, NOW + timedelta(hours=1)) for number in range(2, 500)]
    assert implicit_negatives.exposures([lonely, *crowd], visits)[0] < once
    read = implicit_negatives.exposures([passed(1, NOW, read=True)], [])
    alone = implicit_negatives.exposures([passed(1, NOW, read=True, alone=True)], [])
    assert 0 < read[0] < alone[0] == 1
    weights = [one.weight for one in implicit_negatives.weighted([lonely, *crowd], visits)]
    assert min(weights) >= implicit_negatives.LEAST_WEIGHT
    assert implicit_negatives.weighted([passed(2, NOW + 4 * DAY)], visits) == []


@pytest.mark.parametrize(
    ("likes", "dislikes", "passed", "expected"),
    [
        (19, 0, 500, False),
        (20, 0, 500, True),
        (20, 0, 49, False),
        (20, 19, 500, True),
        (20, 20, 500, False),
        (100, 49, 500, True),
        (100, 50, 500, False),
        (100, 50, 0, False),
    ],
)
def test_when_passed_over_articles_stand_in(
    likes: int, dislikes: int, passed: int, expected: bool
) -> None:
    assert implicit_negatives.takes_over(likes, dislikes, passed, NEEDED) is expected
