"""A head distilled from a language model, in force and gone back from; and observed delays."""

from __future__ import annotations

import shutil
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import numpy as np
import pytest
from sqlalchemy import text

from newsloom.app import open_app
from newsloom.engines.pipeline import STAGES, StageContext, run_stages
from newsloom.kernel.errors import ModelError
from newsloom.kernel.ids import ArticleId, FeedId
from newsloom.kernel.settings import RankingSettings, Settings, StoreSettings
from newsloom.ranking.learning import sensitivity
from newsloom.ranking.service import ObservedDelays
from newsloom.ranking.training import ActiveSensitivity
from newsloom.ranking.values.models import ArticleText, PlainText, Rating
from newsloom.reading.values.reading import EventKind
from quick import quick_folder
from store.builders import (
    DIMENSIONS,
    HALF_LIVES,
    NOW,
    TEXT,
    VECTORS,
    add,
    pending_texts,
    pending_vectors,
)
from training.world import Encoder, World

MAKER = "chat/small/1"
DAY = timedelta(days=1)
FEEDS = 6


def looks(ratings, seed):
    """Vectors in which the rating can be seen, a little blurred."""
    draw = np.random.default_rng(seed)
    rows = 0.25 * draw.standard_normal((len(ratings), DIMENSIONS))
    rows[:, 0] += (np.array(ratings) - 3) / 2
    rows[:, 1] += 1
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


@pytest.fixture(scope="module")
def shipped():
    """A head that knows little: fifty articles, and a fifth of them rated wrong."""
    ratings = [1, 2, 3, 4, 5] * 10
    wrong = [6 - rating if number % 5 == 0 else rating for number, rating in enumerate(ratings)]
    articles = [article_text(number) for number in range(50)]
    groups = [str(number % 10) for number in range(50)]
    made = sensitivity.train(articles, looks(ratings, 1), wrong, groups)
    return sensitivity.load(made.to_bytes())


def article_text(number):
    return ArticleText(
        ArticleId(number), f"Old title {number}", "", "old.test", "en", NOW, FeedId(0)
    )


def publish(world, ratings, seed=2):
    """Articles of six feeds with vectors that show the ratings; their ids."""
    ids = []
    for number in range(FEEDS):
        feed, _new = world.store.reading.subscribe(world.user, f"https://f{number}.test/feed", NOW)
        part = ratings[number::FEEDS]
        ids += add(world.store, feed, *(f"{seed} {number} {one}" for one in range(len(part))))
    while raw := pending_texts(world.store, TEXT, 1000):
        world.store.articles.put_texts(TEXT, [PlainText(one.id, one.title, "") for one in raw])
    ordered = [rating for number in range(FEEDS) for rating in ratings[number::FEEDS]]
    world.store.articles.put_vectors(VECTORS, ids, looks(ordered, seed))
    return ids, ordered


def told(world, ids, ratings, producer=MAKER):
    world.store.articles.put_ratings(producer, ids, [Rating(one, 1.0) for one in ratings], NOW)


def in_force(world, shipped):
    return ActiveSensitivity(world.store, shipped, VECTORS, lambda: NOW)


@pytest.fixture(scope="module")
def made(shipped):
    """A database whose language model rated 300 articles, and the head distilled there."""
    with quick_folder() as path:
        world = World(path / "news.db")
        told(world, *publish(world, [1, 2, 3, 4, 5] * 60))
        found = in_force(world, shipped).distil(MAKER)
        world.store.close()
        yield world.path, found


@pytest.fixture
def distilled(made, folder):
    """A copy of it."""
    world = World(Path(shutil.copy(made[0], folder / "copy.db")))
    yield world
    world.store.close()


def test_a_few_ratings_are_not_enough(world, shipped):
    told(world, *publish(world, [1, 2, 3, 4] * 20))
    found = in_force(world, shipped).distil(MAKER)
    assert not found.promoted
    assert found.words.startswith("Not yet: chat/small/1 has rated 80 articles (20 of 1")
    assert found.of_each == (20, 20, 20, 20, 0)


def test_many_ratings_without_enough_of_one_class_are_not_enough(world, shipped):
    told(world, *publish(world, [1, 2, 3, 4] * 80))
    assert in_force(world, shipped).distil(MAKER).words.startswith("Not yet")


def test_a_better_head_goes_in_force(made, distilled, shipped):
    found = made[1]
    assert found.promoted, found.words
    assert found.comparison.judged_on == found.ratings == 300
    assert found.comparison.new.quadratic_weighted_kappa > 0.9
    new = in_force(distilled, shipped).head()
    assert new.model_id == found.model_id != shipped.model_id
    ids, ratings = publish(distilled, [1, 2, 3, 4, 5] * 12, seed=9)
    articles, vectors = distilled.store.articles.texts(ids), looks(ratings, 9)
    wrong = [
        np.abs(np.subtract([one.rating for one in head.rate(articles, vectors)], ratings)).mean()
        for head in (new, shipped)
    ]
    assert wrong[0] < wrong[1]


def test_undo_holds_for_every_process_at_once(distilled, shipped):
    one, other = in_force(distilled, shipped), in_force(distilled, shipped)
    assert other.head() is not shipped
    assert one.undo().startswith("Activated again: the shipped head")
    assert other.head() is shipped
    assert one.undo() == "The shipped head is active; there is nothing to undo."


def test_the_same_ratings_teach_nothing_twice(distilled, shipped):
    again = in_force(distilled, shipped).distil(MAKER)
    assert not again.promoted
    assert again.words.startswith("Not yet: of the ratings only 0 are of articles")


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param("UPDATE models SET payload = x'00' WHERE active", id="bytes"),
        pytest.param("UPDATE models SET sha256 = 'other' WHERE active", id="hash"),
    ],
)
def test_a_damaged_head_lets_the_shipped_one_rate(distilled, shipped, damage):
    with distilled.store.database.write() as connection:
        connection.execute(text(damage))
    assert in_force(distilled, shipped).head() is shipped


def test_after_a_swap_the_stages_rate_and_rank_anew(distilled, shipped):
    one = in_force(distilled, shipped)
    assert stages(distilled, one.head) == (300, 300)
    assert stages(distilled, one.head) == (0, 0)
    one.undo()
    assert stages(distilled, one.head) == (300, 300)
    assert stages(distilled, one.head) == (0, 0)


def stages(world, head, delays=None):
    """What the last two stages did."""
    context = StageContext(
        store=world.store,
        embedder=Encoder(),
        sensitivity=head,
        users=lambda: [world.user],
        present=lambda: [world.user],
        relevance=lambda _user: Even(),
        broken=lambda *_: None,
        half_lives=HALF_LIVES,
        now=lambda: NOW,
        **({} if delays is None else {"delays": delays.of}),
    )
    done = run_stages(context, clock=lambda: 0.0, stages=STAGES[-2:])
    assert all(not report.problem for report in done)
    return tuple(report.done for report in done)


class Three:
    """A judge that calls everything a running story."""

    model_id = "three@1"

    def rate(self, articles, vectors):
        return [Rating(3, 1.0)] * len(articles)


class Even:
    """A model without an opinion."""

    model_id = "even@1"
    personal = False

    def score(self, articles, vectors, categories):
        return np.full(len(articles), 50.0)


def test_delays_move_the_listed_class_by_one_and_only_where_asked_for(world):
    quick, usual, slow = (
        world.store.reading.subscribe(world.user, f"https://{name}.test/feed", NOW)[0]
        for name in ("quick", "usual", "slow")
    )
    for feed, hours in ((quick, 1), (usual, 15), (slow, 200)):
        ids = add(world.store, feed, *(f"{feed} {number}" for number in range(30)))
        for number, article in enumerate(ids):
            at = NOW + timedelta(hours=hours, minutes=number)
            world.store.reading.mark(world.user, [article], EventKind.READ, at, "web")
    while raw := pending_texts(world.store, TEXT, 1000):
        world.store.articles.put_texts(TEXT, [PlainText(one.id, one.title, "") for one in raw])
    articles = pending_vectors(world.store, VECTORS, 1000)
    world.store.articles.put_vectors(VECTORS, [one.id for one in articles], looks([3] * 90, 4))
    later = NOW + 20 * DAY
    off = ObservedDelays(world.store, lambda: later, on=False)
    on = ObservedDelays(world.store, lambda: later, on=True)
    assert stages(world, Three, off) == (90, 90)
    assert sensitivities(world) == {feed: {3} for feed in (quick, usual, slow)}
    assert stages(world, Three, on) == (0, 90)  # what orders them has another name
    assert sensitivities(world) == {quick: {4}, usual: {3}, slow: {2}}
    assert stages(world, Three, on) == (0, 0)
    assert "you read this feed after 1 h" in on.of(world.user).words(quick)
    assert off.of(world.user).words(quick) == ""
    rows = [why(world, feed, later).delayed for feed in (quick, usual, slow)]
    assert rows == [on.of(world.user).words(feed) for feed in (quick, usual, slow)]
    assert [words.split(":")[0] for words in rows] == [
        "moved one class faster",
        "",
        "moved one class slower",
    ]


def why(world, feed, now):
    """What the reader is told of an article of that feed, with the setting on."""
    settings = Settings(
        store=StoreSettings(path=world.path), ranking=RankingSettings(observed_delays=True)
    )
    with closing(open_app(settings, lambda: now)) as app:
        with world.store.database.read() as connection:
            query = text("SELECT MIN(article_id) FROM states WHERE feed_id = :feed")
            article = connection.scalar(query, {"feed": feed})
        return app.reader().why(article)


def sensitivities(world):
    found = {}
    with world.store.database.read() as connection:
        query = text("SELECT feed_id, sensitivity FROM states ORDER BY article_id")
        for feed, level in connection.execute(query):
            found.setdefault(FeedId(feed), set()).add(level)
    return found


def test_vectors_of_another_encoder_are_refused(shipped):
    with pytest.raises(ModelError, match="reads vectors of 8"):
        shipped.rate([article_text(1)], np.zeros((1, 4), np.float32))
