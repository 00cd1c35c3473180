"""Stories as the program is wired: assembled over days, corrected, killed, the same again."""

from __future__ import annotations

import multiprocessing
import random
from contextlib import closing
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import numpy as np
import pytest
from conftest import Whole
from told_stories import article, fed, number

import preloaded
from newsloom.engines.pipeline.stages import STAGES, run_stages
from newsloom.kernel.errors import NotFound
from newsloom.ranking.values.models import E5_VECTORS
from newsloom.store import open_store
from newsloom.stories.service import stories
from newsloom.stories.stages.stories import StoryAssembler
from newsloom.stories.values.pages import CorrectionKind, StoryChoice, StoryState
from newsloom.topics.tfidf import shipped
from newsloom.work.service import Leases
from publisher import Publisher
from store.builders import VECTORS, add, embed, pending_vectors, read_texts, unit

DAY = timedelta(days=1)
FERRY = (
    "Ferry sinks off Port Lorne, dozens missing",
    "Dozens missing after ferry sinks near Port Lorne",
    "Rescuers search for missing after Port Lorne ferry sinks",
)
STRIKE = (
    "Baltavia rail workers begin strike over pay",
    "Trains halted as Baltavia rail workers strike over pay",
)
ALONE = ("New species of beetle found in Kestrel Valley museum drawer",)


@pytest.fixture
def told(whole: Whole, publisher: Publisher) -> Whole:
    """Two events and one article alone, of three publishers, over two days."""
    whole.clock.stop()
    now = whole.clock()
    whole.follow(
        fed(publisher, "alpha", (FERRY[0], STRIKE[0], *ALONE), now - DAY),
        fed(publisher, "beta", (FERRY[1], STRIKE[1]), now - DAY / 2),
        fed(publisher, "gamma", (FERRY[2],), now - DAY / 4),
    )
    whole.run()
    return whole


def titles(whole: Whole) -> set[frozenset[str]]:
    """The titles of each story of several articles."""
    reader = whole.app.reader()
    return {
        frozenset(one.title for one in stories.view(reader, line.head.id).members)
        for line in stories.lines(reader)
    }


def test_articles_on_one_event_are_one_story(told: Whole) -> None:
    assert titles(told) == {frozenset(FERRY), frozenset(STRIKE)}
    with pytest.raises(NotFound):
        stories.view(told.app.reader(), 99)
    assert stories.of_article(told.app.reader(), article(told, ALONE[0])) is None
    line = stories.of_article(told.app.reader(), article(told, FERRY[0]))
    assert line is not None
    assert (line.articles, line.sources) == (3, 3)
    assert line.head.title in FERRY
    assert line.head.summary
    found = stories.view(told.app.reader(), line.head.id)
    assert found.first.title == FERRY[0]


def test_every_article_has_a_decision(told: Whole) -> None:
    for title in (*FERRY, *STRIKE, *ALONE):
        last = stories.decisions(told.app.reader(), article=article(told, title))[0]
        assert last.choice in {StoryChoice.ASSIGN, StoryChoice.NEW, StoryChoice.MOVE}
        assert last.judge == "calibrated"


def test_a_second_pass_changes_nothing(told: Whole) -> None:
    before = told.app.store.database, told.app.store.stories.story_generation()
    report = told.run()
    assert {one.stage: one.done for one in report.stages}["stories"] == 0
    assert (told.app.store.database, told.app.store.stories.story_generation()) == before


def test_what_comes_later_joins_by_its_date_and_brings_a_story_back(
    told: Whole, publisher: Publisher
) -> None:
    story, now = number(told, FERRY[0]), told.clock()
    told.clock.ahead += 20 * DAY
    told.run()
    head = told.app.store.stories.story(story)
    assert head is not None
    assert head.state is StoryState.ARCHIVED
    late = "Port Lorne ferry sinks: dozens missing, rescuers say"
    told.follow(fed(publisher, "delta", (late,), now))
    told.run()
    assert number(told, late) == story, "of its own day, though the story is archived by now"
    head = told.app.store.stories.story(story)
    assert head is not None
    assert head.state is StoryState.ARCHIVED


def test_a_reader_s_split_holds_against_what_comes(told: Whole, publisher: Publisher) -> None:
    reader, story = told.app.reader(), number(told, FERRY[0])
    parted = article(told, FERRY[1])
    new = stories.split(reader, story, [parted], CorrectionKind.SPLIT)
    more = tuple(f"{one} (update {at})" for at, one in enumerate(FERRY))
    told.follow(fed(publisher, "delta", more, told.clock()))
    told.run()
    assert number(told, FERRY[1]) == new
    assert number(told, FERRY[0]) == story
    apart = told.app.store.stories.apart()
    assert apart.parts(story, new)
    merged = [one for one in stories.decisions(reader) if one.choice is StoryChoice.MERGE]
    assert merged == []


def test_an_article_that_was_rewritten_is_judged_again(told: Whole, publisher: Publisher) -> None:
    changed = "Baltavia rail strike over pay enters second day as talks fail"
    fed(publisher, "beta", (FERRY[1], changed), told.clock() - DAY / 2)
    before = number(told, STRIKE[1])
    told.clock.ahead += 3 * DAY
    told.run()
    assert number(told, changed) == before
    assert len(stories.decisions(told.app.reader(), article=article(told, changed))) >= 2


def test_a_followed_story_ranks_higher(told: Whole) -> None:
    reader, one = told.app.reader(), article(told, FERRY[0])

    def relevance() -> float:
        with told.app.store.database.read() as connection:
            query = f"SELECT relevance FROM states WHERE article_id = {one}"
            return float(connection.exec_driver_sql(query).scalar_one())

    before = relevance()
    stories.set_subscription(reader, number(told, FERRY[0]), stories.FOLLOWS)
    told.run()
    assert relevance() == pytest.approx(min(before + 10, 100))
    stories.set_subscription(reader, number(told, FERRY[0]), 0)
    told.run()
    assert relevance() == pytest.approx(before)


def test_an_encoder_that_says_nothing_leaves_each_article_alone(told: Whole) -> None:
    """A vector without direction is compared with nothing, and stops no batch."""
    runner = told.app.runner(STAGES)
    store = told.app.store
    with store.database.write() as connection:
        connection.exec_driver_sql("DELETE FROM story_members")
        connection.exec_driver_sql("UPDATE embeddings SET vector = zeroblob(length(vector))")
    context = replace(runner.context, stories=told.app.runner(STAGES).context.stories)
    only = tuple(one for one in STAGES if one.name == "stories")
    (report,) = run_stages(context, clock=lambda: 0.0, stages=only)
    assert report.done == 6
    assert titles(told) == set()


processes = multiprocessing.get_context("forkserver")
processes.set_forkserver_preload(["newsloom.engines.pipeline.stages", *preloaded.STORE])
BEGUN = datetime.fromisoformat("2026-11-01T12:00:00+00:00")


def assembler(store, frequencies=shipped) -> StoryAssembler:
    return StoryAssembler(store, lambda: VECTORS, frequencies, lambda: BEGUN + 30 * DAY)


def test_another_encoder_goes_on_with_the_stories_of_the_first(tmp_path: Path) -> None:
    """From the moment its vectors answer; what is in memory is of one encoder only."""
    with closing(open_store(tmp_path / "news.db", now=lambda: BEGUN)) as store:
        user = store.users.user("reader", BEGUN)
        feed, _ = store.reading.subscribe(user, "https://one.test/feed", BEGUN)
        add(store, feed, "early")
        read_texts(store)
        embed(store)
        used = [VECTORS]
        own = StoryAssembler(store, lambda: used[-1], shipped, lambda: BEGUN + DAY)
        with closing(Leases(store, lambda: BEGUN + DAY)) as leases:
            assert own.step(leases) == 1
            add(store, feed, "late")
            read_texts(store)
            articles = pending_vectors(store, E5_VECTORS, 9)
            same = np.tile(unit(1), (len(articles), 1))
            store.articles.put_vectors(E5_VECTORS, [one.id for one in articles], same)
            used.append(E5_VECTORS)
            assert own.step(leases) == 1
            own.finish()
        with store.database.read() as connection:
            sizes = connection.exec_driver_sql(
                "SELECT m.name, SUM(c.size) FROM story_centroids c"
                " JOIN makers m ON m.id = c.maker_id GROUP BY m.name"
            )
            assert dict(sizes.fetchall()) == {VECTORS: 1, E5_VECTORS: 2}


def work(path: Path, told) -> None:
    """The stage, batch by batch, until nothing is left."""
    import newsloom.stories.stages.stories as stage

    stage.BATCH = 4
    with closing(open_store(path, now=lambda: BEGUN)) as store:
        own = assembler(store)
        told.send("begun")
        leases = Leases(store, lambda: BEGUN + 30 * DAY)
        while own.step(leases):
            pass


@pytest.mark.crash
def test_a_kill_at_any_moment_doubles_nothing(tmp_path: Path) -> None:
    path, chance = tmp_path / "news.db", random.Random(5)
    with closing(open_store(path, now=lambda: BEGUN)) as store:
        user = store.users.user("reader", BEGUN)
        feed, _ = store.reading.subscribe(user, "https://one.test/feed", BEGUN)
        ids = add(store, feed, *(f"n{at}" for at in range(120)))
        read_texts(store)
        embed(store)
    for _round in range(8):
        here, there = processes.Pipe()
        one = processes.Process(target=work, args=(path, there))
        one.start()
        here.recv()
        one.join(chance.uniform(0.0, 0.4))
        one.kill()
        one.join()
    with closing(open_store(path, now=lambda: BEGUN)) as store:
        own, later = assembler(store), BEGUN + 40 * DAY
        leases = Leases(store, lambda: later)
        while own.step(leases):
            pass
        leases.close()
        with store.database.read() as connection:

            def count(query: str) -> int:
                return int(connection.exec_driver_sql(query).scalar_one())

            assert count("SELECT COUNT(*) FROM story_members") == len(ids)
            begun = "SELECT COUNT(*) FROM story_decisions WHERE choice IN ('new', 'assign')"
            assert count(begun) == len(ids), "each was decided on once"
            sizes = "SELECT COALESCE(SUM(size), 0) FROM"
            assert count(f"{sizes} stories") == len(ids)
            assert count(f"{sizes} story_centroids") == len(ids)
            wrong = """SELECT COUNT(*) FROM stories s WHERE size <> (
                SELECT COUNT(*) FROM story_members m WHERE m.story_id = s.id)"""
            assert count(wrong) == 0
