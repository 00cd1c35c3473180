"""Importance of almost nothing: one article, one source, no feeds; each signal alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from conftest import Clock, Whole

from migrated import migrated
from newsloom.app import open_app
from newsloom.digests.service import digests
from newsloom.digests.values import DigestKind
from newsloom.importance.score import WEIGHTS
from newsloom.importance.service import importance
from newsloom.kernel.settings import Settings
from newsloom.reading.values.reading import ListQuery, Order, Rows
from publisher import Publisher, rss

EVERYTHING = ListQuery(order=Order.IMPORTANT, limit=100, rows=Rows.ARTICLE)
NAMES = [*WEIGHTS]
ARTICLE = ("1", "https://11alive.com/news/1", "Ferries cancelled after a crack in the ramp")
Opened = Callable[..., Whole]


@pytest.fixture
def opened(tmp_path: Path, publisher: Publisher) -> Iterator[Opened]:
    made: list[Whole] = []

    def make(**weights: float) -> Whole:
        settings, clock = Settings(), Clock()
        clock.stop()
        if weights:
            told = tuple(weights.get(name, 0.0) for name in NAMES)
            weighing = replace(settings.importance, weights=told)  # type: ignore[arg-type]
            settings = replace(settings, importance=weighing)
        settings = replace(
            settings,
            pages=replace(settings.pages, icons=False),
            reading=replace(settings.reading, workers=0),
            store=replace(settings.store, path=migrated(tmp_path / "news.db")),
            fetch=replace(settings.fetch, private_hosts=(publisher.host,)),
        )
        made.append(Whole(open_app(settings, clock), clock))
        return made[-1]

    yield make
    for one in made:
        one.app.close()


def polled(whole: Whole, publisher: Publisher, *articles: tuple[str, str, str], when: str) -> None:
    url = publisher.puts("/feed", rss("News", *articles, when=when), Content_Type="text/xml")
    whole.run(whole.follow(url))


@pytest.mark.parametrize("name", NAMES)
def test_one_article_by_one_signal(opened: Opened, publisher: Publisher, name: str) -> None:
    whole = opened(**{name: 1.0})
    polled(whole, publisher, ARTICLE, when="")
    (row,) = whole.app.reader().page(EVERYTHING)
    values = {one.name: one.value for one in whole.app.reader().why(row.id).signals}
    assert row.importance == pytest.approx(values[name], abs=0.01)
    assert values["recency"] == 100
    known = values[name] if name in {"authority", "depth"} else 0
    assert values["corroboration"] == values["topic"] == known  # as what counts, where unknown


@pytest.mark.parametrize(
    ("when", "recency"),
    [
        pytest.param("Fri, 01 Jan 2100 00:00:00 GMT", 100, id="the future"),
        pytest.param("", 100, id="none"),
        pytest.param("yesterday, perhaps", 100, id="no date"),
        pytest.param("Thu, 01 Jan 1970 00:00:00 GMT", 100, id="the clock's beginning"),
        pytest.param("Sat, 01 Jan 2000 00:00:00 GMT", 0, id="long ago"),
    ],
)
def test_dates(opened: Opened, publisher: Publisher, when: str, recency: float) -> None:
    whole = opened()
    polled(whole, publisher, ARTICLE, when=when)
    (row,) = whole.app.reader().page(EVERYTHING)
    values = {one.name: one.value for one in whole.app.reader().why(row.id).signals}
    assert values["recency"] == pytest.approx(recency, abs=0.01)
    assert 0 < (row.importance or 0) < 100


def test_one_source_corroborates_nothing_by_itself(opened: Opened, publisher: Publisher) -> None:
    whole = opened()
    many = [(str(n), f"https://11alive.com/{n}", f"Ferry report number {n}") for n in range(8)]
    polled(whole, publisher, *many, when="")
    rows = whole.app.reader().page(EVERYTHING)
    assert len(rows) == len(many)
    signals = whole.app.store.articles.importance([row.id for row in rows])
    assert {(one.sources, one.corroboration) for one in signals.values()} == {(1, 0.0)}


def test_a_reader_without_feeds(opened: Opened) -> None:
    whole = opened()
    whole.run([])
    reader = whole.app.reader()
    assert reader.page(EVERYTHING) == ()
    assert reader.page(replace(EVERYTHING, importance=1.0)) == ()
    assert importance.topics(reader) == ()
    for kind in DigestKind:
        made = digests.compose(reader, kind, None, whole.clock(), "UTC")
        assert (made.top, made.noteworthy, made.mentioned) == ((), (), ())
        assert made.feeds.polled == 0


def test_an_empty_window_between_articles(opened: Opened, publisher: Publisher) -> None:
    whole = opened()
    polled(whole, publisher, ARTICLE, when="")
    end = whole.clock() - timedelta(days=30)
    made = digests.compose(whole.app.reader(), DigestKind.WEEKLY, None, end, "UTC")
    assert (made.top, made.noteworthy, made.mentioned) == ((), (), ())
