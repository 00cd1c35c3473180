"""Related coverage by its whole path: a feed, a news search, thirty publishers, a model."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from newsloom.app import utc_now
from newsloom.app.coverage import discovery, find_now, quality_policy
from newsloom.coverage.quality import Band
from newsloom.coverage.values import CandidateState
from newsloom.feeds.page_failures import FailureKind as F
from newsloom.feeds.page_failures import Outcome
from newsloom.kernel.errors import NotFound, SettingsError, UserError
from whole.coverage_scene import Scene, scene_in, settings_of
from world_of_coverage import Answer, Kind, Link, Manner, World, coverage_world

HOUR = timedelta(hours=1)

# What is told of each publisher; those who may recover are told of when they had their tries.
TOLD = {
    "courier.example": {""},
    "herald.example": {""},
    "gazette.example": {""},
    "post.example": {""},
    "microsoft.example": {""},
    "winding.example": {""},
    "paywall.example": {F.PAYWALL},
    "consent.example": {F.BOILERPLATE},
    "lost.example": {F.UNAVAILABLE},
    "hostile.example": {F.EMPTY},
    "private.example": {F.ROBOTS},
    "app-daily.example": {F.UNAVAILABLE},
    "portal.example": {F.EMPTY},
    "notice.example": {F.BOILERPLATE},
    "echo.example": {F.REPEATED},
    "ticker.example": {F.EMPTY},
    "yesterday.example": {F.HTTP_ERROR},
    "bouncer.example": {F.HTTP_ERROR},
}
GOOD = {
    "courier.example", "herald.example", "gazette.example", "post.example", "tribune.example",
    "microsoft.example", "winding.example",
}  # fmt: skip


@pytest.fixture(scope="module")
def now() -> datetime:
    return utc_now()


@pytest.fixture
def world(now: datetime) -> Iterator[World]:
    """The world, but its slow publisher answers at once that it cannot; one test waits for it."""
    with coverage_world(now) as one:
        one.publisher("slow").kind = Kind.UNAVAILABLE
        yield one


@pytest.fixture(scope="module")
def polled(now: datetime, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store after a pass over the reader's feed, to copy."""
    path = tmp_path_factory.mktemp("polled") / "news.db"
    with coverage_world(now) as world, scene_in(world, path) as scene:
        scene.poll()
    return path


@pytest.fixture
def store(recalled: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(recalled, tmp_path / "news.db"))


@pytest.fixture
def scene(world: World, store: Path) -> Iterator[Scene]:
    with scene_in(world, store) as one:
        yield one


@pytest.fixture(scope="module")
def searched(now: datetime, polled: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same after all was looked for, to copy."""
    path = Path(shutil.copy(polled, tmp_path_factory.mktemp("searched") / "news.db"))
    with coverage_world(now) as world, scene_in(world, path) as scene:
        world.publisher("slow").kind = Kind.UNAVAILABLE
        scene.coverage.switch(on=True)
        scene.find()
    return path


@pytest.fixture(scope="module")
def recalled(polled: Path, searched: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """As `polled`, but with the vectors of what is found: most of the time of a search."""
    path = Path(shutil.copy(polled, tmp_path_factory.mktemp("recalled") / "news.db"))
    with closing(sqlite3.connect(path)) as database:
        database.execute("ATTACH ? AS searched", (str(searched),))
        for table in ("makers", "coverage_vectors"):
            database.execute(f"INSERT OR IGNORE INTO {table} SELECT * FROM searched.{table}")
        database.commit()
    return path


@pytest.fixture
def after(world: World, searched: Path, tmp_path: Path) -> Iterator[Scene]:
    with scene_in(world, Path(shutil.copy(searched, tmp_path / "news.db"))) as one:
        yield one


def asked_of_strangers(scene: Scene) -> list[str]:
    return [one.host for one in scene.world.requests if one.host != "home.example"]


def test_nothing_is_sent_before_a_reader_switches_it_on(world: World, store: Path) -> None:
    with scene_in(world, store, importance=0.0) as scene:
        scene.poll()
        with pytest.raises(UserError, match="Off: nothing is sent"):
            scene.coverage.find(scene.articles()[0])
        scene.poll()
        assert asyncio.run(find_now(scene.app)) == (0, True)
        assert not asked_of_strangers(scene)
        scene.coverage.switch(on=True)
        assert not asked_of_strangers(scene), "to switch it on asks nobody"
        scene.poll()
        assert world.search.queries, "articles of any importance are searched for"
        scene.coverage.switch(on=False)
        before = len(asked_of_strangers(scene))
        scene.clock.ahead += timedelta(days=1)
        scene.poll()
        assert len(asked_of_strangers(scene)) == before, "what waits stays where it is"


def test_what_is_found_of_each_publisher(world: World, store: Path) -> None:
    world.publisher("slow").kind = Kind.SLOW
    with scene_in(world, store, workers=2) as scene:
        scene.coverage.switch(on=True)
        scene.find()
        kinds, found = scene.kinds(), scene.found()
    assert {domain: kinds.get(domain, set()) for domain in TOLD} == TOLD
    assert "search.example" not in kinds, "nobody is told of for links of the search"
    for domains in found.values():
        assert domains
        assert domains <= GOOD
    assert set().union(*found.values()) >= GOOD - {"tribune.example"}


def test_a_report_in_another_language_is_left_out(scene: Scene) -> None:
    scene.world.publisher("courier").kind = Kind.GERMAN
    scene.coverage.switch(on=True)
    scene.find(last=1)
    assert scene.kinds()["courier.example"] == {F.WRONG_LANGUAGE}
    found = set().union(*scene.found().values())
    assert "courier.example" not in found
    assert "herald.example" in found


def test_a_query_is_made_of_the_articles_words_and_days(scene: Scene) -> None:
    scene.coverage.switch(on=True)
    scene.find()
    day = scene.clock().date()
    for query in scene.world.search.queries:
        words = [one for one in query.split() if ":" not in one]
        assert 2 <= len(words) <= 10, query
        assert "before:" in query
        assert f"after:{day - timedelta(days=2)}" in query or f"after:{day - timedelta(1)}" in query
    assert len(scene.world.search.queries) <= 4 * len(scene.articles())


def test_every_step_that_is_done_again_changes_nothing(after: Scene) -> None:
    after.clock.stop()
    before, asked = after.rows(), len(after.world.requests)
    whole = discovery(after.app)

    async def again() -> None:
        async with after.app.fetching() as fetcher:
            whole.choosing.run()
            whole.preparing.run()
            await whole.searching.run(fetcher)
            whole.ranking.run()
            await whole.resolving.run(fetcher)
            await whole.fetching.run(fetcher)
            whole.judging.run()

    for _ in range(2):
        asyncio.run(again())
    assert after.rows() == before
    assert len(after.world.requests) == asked


def test_an_answer_is_used_again_for_hours(scene: Scene) -> None:
    scene.coverage.switch(on=True)
    scene.find()
    sent = len(scene.world.search.queries)
    scene.clock.ahead += 11 * HOUR
    scene.find()
    assert len(scene.world.search.queries) == sent, "it was looked for hours ago"
    scene.search_again()
    assert len(scene.world.search.queries) == sent, "each answer is used again"
    scene.clock.ahead += 2 * HOUR
    before = scene.rows()["coverage_candidates"]
    scene.search_again()
    assert sent < len(scene.world.search.queries) <= 2 * sent
    assert len(scene.rows()["coverage_candidates"]) == len(before), "each hit once"


def test_no_more_searches_than_an_hour_may_have(world: World, store: Path) -> None:
    with scene_in(world, store, searches_per_hour=2) as scene:
        scene.coverage.switch(on=True)
        scene.find()
        assert len(world.search.queries) == 2
        scene.find()
        assert len(world.search.queries) == 2
        for _ in range(6):
            scene.clock.ahead += HOUR + timedelta(minutes=1)
            scene.find()
        assert all(scene.found().values()), "the rest came later"


def test_who_may_recover_is_asked_again_and_told_of_once(scene: Scene) -> None:
    scene.coverage.switch(on=True)
    scene.find()
    assert "ft.example" not in scene.kinds(), "503 may pass"
    tries = len(scene.world.asked("ft.example"))
    for ahead in (2 * HOUR, timedelta(days=1, hours=1), timedelta(days=1)):
        scene.clock.ahead += ahead
        scene.poll()
    kinds = scene.kinds()
    assert len(scene.world.asked("ft.example")) > tries
    assert kinds["ft.example"] == kinds["broken.example"] == {F.HTTP_ERROR}
    assert kinds["hangup.example"] == {F.NETWORK}
    assert kinds["microsoft.example"] == {""}, "its name ends in another's"


def test_a_blocked_domain_is_left_out_and_its_suffix_is_not(scene: Scene) -> None:
    from newsloom.coverage.domains import Rule

    scene.app.store.quality.set_domain_rule("ft.example", Rule.BLOCK, scene.clock())
    scene.app.store.quality.set_domain_rule("courier.example", Rule.BLOCK, scene.clock())
    scene.coverage.switch(on=True)
    scene.find(last=1)
    assert all("-site:ft.example" in one for one in scene.world.search.queries)
    assert not any("microsoft" in one for one in scene.world.search.queries)
    assert not scene.world.asked("ft.example")
    assert not scene.world.asked("courier.example")
    assert "microsoft.example" in set().union(*scene.found().values())


@pytest.mark.parametrize("link", [Link.REDIRECT, Link.OPAQUE, Link.DIRECT])
def test_links_of_hits_lead_to_their_publishers(scene: Scene, link: Link) -> None:
    scene.world.search.link = link
    scene.coverage.switch(on=True)
    scene.find(last=1)
    for _ in range(3):  # few links of one host are looked into in one pass
        asyncio.run(find_now(scene.app))
    assert set().union(*scene.found().values()) & GOOD


@pytest.mark.parametrize("link", [Link.LOST, Link.SIGNED])
def test_a_link_that_leads_nowhere_is_kept_and_blames_nobody(scene: Scene, link: Link) -> None:
    scene.world.search.link = link
    scene.coverage.switch(on=True)
    scene.find(last=1)
    assert scene.kinds() == {}
    reports = scene.coverage.of(scene.articles()[-1]).covered
    assert reports
    assert all(one.unresolved and one.url.startswith("http://search.example/") for one in reports)
    assert scene.states()["unresolved"]


@pytest.mark.parametrize("answer", [one for one in Answer if one is not Answer.HITS])
def test_a_search_that_does_not_answer_costs_nobody_anything(
    world: World, store: Path, answer: Answer
) -> None:
    world.search.answer = answer
    with scene_in(world, store, seconds=0.3 if answer is Answer.SLOW else 2.0) as scene:
        scene.coverage.switch(on=True)
        scene.find(last=1)
        scene.clock.ahead += HOUR
        scene.poll()
        assert not set().union(*scene.found().values()) - GOOD
        assert "search.example" not in scene.kinds()
        assert not any(one.host == "127.0.0.1" for one in scene.world.requests)


def test_one_page_may_serve_several_articles(after: Scene) -> None:
    """Nothing says that a page belongs to one article."""
    first, second, *_ = after.articles()
    hits = {
        str(one.hit.key): one
        for number in (first, second)
        for one, _said in after.coverage.audit(number)
    }
    with after.app.store.write() as unit:
        page = next(one for one in hits.values() if one.state is CandidateState.ACCEPTED)
        other = page.article
        target = second if other == first else first
        unit.coverage.choose_coverage(
            after.app.user,
            [target],
            "by hand",
            after.clock() + 99 * HOUR,
            again_before=after.clock() + 99 * HOUR,
        )
        assert unit.coverage.put_hits(target, [page.hit], after.clock())
    asked = len(after.world.requests)
    after.clock.ahead += 100 * HOUR
    asyncio.run(find_now(after.app))
    pages = [one for one, _said in after.coverage.audit(target) if one.hit.key == page.hit.key]
    assert [one.page for one in pages] in ([page.page], [None])
    assert not any(one.host == page.url.split("/")[2] for one in after.world.requests[asked:]), (
        "it was not fetched again"
    )


def test_a_reader_says_that_one_is_not_the_same(after: Scene) -> None:
    article = after.articles()[0]
    [first, *rest] = after.coverage.of(article).covered
    assert after.coverage.reject(first.candidate) == article
    assert after.coverage.of(article).covered == tuple(rest)
    assert F.LOW_RELEVANCE in after.kinds()[first.domain]
    with pytest.raises(NotFound):
        after.coverage.reject(first.candidate)


def test_who_is_found_again_and_again_is_offered(after: Scene) -> None:
    offered = {one.domain: one.times for one in after.coverage.offered()}
    assert offered.get("microsoft.example") == len(after.articles()) == 3
    after.app.store.reading.subscribe(
        after.app.user, "http://microsoft.example/feed", after.clock()
    )
    assert "microsoft.example" not in {one.domain for one in after.coverage.offered()}


def test_the_language_model_decides(world: World, store: Path) -> None:
    with scene_in(world, store, model=True) as scene:
        scene.coverage.switch(on=True)
        scene.find()
        found = scene.found()
        assert all(found.values())
        assert set().union(*found.values()) <= GOOD
        [report, *_] = scene.coverage.of(scene.articles()[0]).covered
        decided = scene.app.store.coverage.coverage_judgements(report.candidate)
        assert [one.maker for one in decided] == ["chat/judge/coverage@1"]
        assert world.chat.questions


def test_what_it_decides_goes_by_the_settings(world: World, store: Path) -> None:
    """Ten failures block a domain by the usual numbers, and not where a thousand are wanted."""
    with scene_in(world, store, model=True) as scene:
        quality = replace(scene.app.settings.source_quality, least_samples=1_000)
        scene.app = replace(scene.app, settings=replace(scene.app.settings, source_quality=quality))
        policy, now = quality_policy(scene.app.settings), scene.clock()
        failed = [Outcome("courier.example", now - one * 5 * HOUR, F.PAYWALL) for one in range(10)]
        scene.app.store.quality.record_outcomes(failed, now, policy)
        scene.coverage.switch(on=True)
        scene.find(last=1)
        assert "courier.example" in set().union(*scene.found().values()), "a model decided"
        hosts = ["courier.example"]
        standing = scene.app.store.quality.domain_standings(hosts, scene.clock(), policy)
        assert standing["courier.example"].band is not Band.BLOCKED


@pytest.mark.parametrize("manner", [one for one in Manner if one not in {Manner.GOOD, Manner.SLOW}])
def test_a_model_that_lies_or_fails_shows_nothing_that_is_not_so(
    world: World, store: Path, manner: Manner
) -> None:
    """Fails closed: without an answer no page is shown, and nobody is blamed."""
    world.chat.manner = manner
    # One that is down is asked again after a second, if there is time.
    seconds = 1.0 if manner is Manner.DOWN else 3.0
    with scene_in(world, store, model=True, model_seconds=seconds) as scene:
        scene.coverage.switch(on=True)
        scene.find(last=1)
        assert world.search.queries, "the rules make queries"
        shown = set().union(*scene.found().values())
        assert shown == set(), "what is the same it denies, or it says nothing"
        kinds = scene.kinds()
        if manner in {Manner.LYING, Manner.UNSURE}:
            assert kinds["courier.example"] == {F.REJECTED_BY_MODEL}
        else:
            assert "courier.example" not in kinds, "our own failure is nobody's"
            assert scene.states()["fetched"], "it waits for an answer"


def test_queries_of_a_hostile_model_are_not_sent(world: World, store: Path) -> None:
    def wicked(question: object, _truth: bool) -> object:
        return {
            "entities": ["Evil"], "keywords": [], "tickers": [],
            "queries": ["site:evil.test my secret password is hunter2", 'passwords "of" -everyone'],
        }  # fmt: skip

    world.chat.answers = wicked
    with scene_in(world, store, model=True) as scene:
        scene.coverage.switch(on=True)
        scene.find(last=1)
        assert world.search.queries
        assert not any("evil" in one or "hunter2" in one for one in world.search.queries)
        assert not set().union(*scene.found().values())


def test_an_unusable_template_is_said(world: World, tmp_path: Path) -> None:
    bad = settings_of(world, tmp_path / "news.db", providers=("http://search.example/?q=",))
    from newsloom.app import open_app

    app = open_app(bad)
    try:
        coverage = app.reader().coverage
        with pytest.raises(SettingsError, match="cannot be used"):
            coverage.switch(on=True)
        with pytest.raises(SettingsError, match="cannot be used"):
            _ = coverage.terms
        assert not coverage.status().since
    finally:
        app.close()
