"""Importance by the whole path: polled, weighed, listed, explained, and again only when it must."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from conftest import Whole

from newsloom.duplicates.independence import independent
from newsloom.importance.score import WEIGHTS
from newsloom.kernel.ids import ArticleId
from newsloom.reading.values.reading import ListQuery, Order, Rows

EVERYTHING = ListQuery(order=Order.IMPORTANT, limit=1_000, rows=Rows.ARTICLE)


@pytest.fixture
def whole(sampled: Path, tmp_path: Path, open_whole: Callable[..., Whole]) -> Whole:
    """After a pass over the sample."""
    shutil.copy(sampled, tmp_path / "news.db")
    return open_whole("127.0.0.1")


def done(whole: Whole, name: str) -> int:
    """What one stage does in a pass without polls."""
    return next(one.done for one in whole.run([]).stages if one.stage == name)


def value(whole: Whole, article: ArticleId, name: str) -> float:
    signals = whole.app.reader().why(article).signals
    return next(one.value for one in signals if one.name == name)


def test_everything_is_weighed_and_the_parts_add_up(whole: Whole) -> None:
    reader = whole.app.reader()
    rows = reader.page(EVERYTHING)
    assert len(rows) == len(reader.page(ListQuery(limit=1_000))) > 50
    for row in rows[:5] + rows[-5:]:
        signals = reader.why(row.id).signals
        assert [one.name for one in signals] == [*WEIGHTS]
        assert row.importance is not None
        shown = reader.listed([row.id], EVERYTHING)[0]
        assert (
            shown.importance == pytest.approx(sum(one.points for one in signals), abs=0.01)
            or shown.stands_by is not None
        )


def test_the_list_falls_and_can_be_cut(whole: Whole) -> None:
    reader = whole.app.reader()
    rows = [one for one in reader.page(EVERYTHING) if one.cluster is None]
    found = [one.importance for one in rows]
    assert all(one is not None for one in found)
    assert found == sorted(found, reverse=True)
    middle = found[len(found) // 2]
    cut = reader.page(ListQuery(limit=1_000, importance=middle))
    assert 0 < len(cut) < len(reader.page(EVERYTHING))


def test_what_several_tell_whom_nothing_vouches_for_counts_once(whole: Whole) -> None:
    """The sample's papers are made up, and anybody could have made up so many."""
    reader = whole.app.reader()
    rows = reader.page(EVERYTHING)
    several = [
        row
        for row in rows
        if row.cluster and independent(reader.store.duplicates.witnesses(reader.user, row.id)) > 1
    ]
    assert several
    for row in several[:3]:
        assert value(whole, row.id, "corroboration") == 0


def test_time_alone_weighs_nothing_again(whole: Whole) -> None:
    assert (done(whole, "importance"), done(whole, "interest")) == (0, 0)
    whole.clock.ahead += timedelta(hours=7)
    before = whole.app.reader().page(EVERYTHING)
    assert done(whole, "importance") == 0
    whole.clock.ahead += timedelta(days=30)
    assert done(whole, "importance") == 0
    after = {row.id: row.importance for row in whole.app.reader().page(EVERYTHING)}
    assert all((after[row.id] or 0) < (row.importance or 0) for row in before if row.importance)


def test_a_stated_interest_brings_its_articles_up(whole: Whole) -> None:
    reader = whole.app.reader()
    row = next(row for row in reader.page(EVERYTHING) if row.cluster is None)
    before = value(whole, row.id, "topic")
    reader.add_interest(row.title)
    assert done(whole, "interest") > 0
    assert value(whole, row.id, "topic") > before


def test_a_tier_of_ones_own_holds_for_that_reader(whole: Whole) -> None:
    reader, store = whole.app.reader(), whole.app.store
    row = next(row for row in reader.page(EVERYTHING) if row.cluster is None)
    before = value(whole, row.id, "authority")
    store.sources.set_tier(whole.app.user, row.source, 1, whole.clock())
    assert value(whole, row.id, "authority") >= 90 > before
    assert done(whole, "interest") > 0
    now = next(one for one in reader.page(EVERYTHING) if one.id == row.id)
    assert (now.importance or 0) > (row.importance or 0)


def test_parted_articles_lose_their_corroboration(whole: Whole) -> None:
    reader = whole.app.reader()
    row = next(row for row in reader.page(EVERYTHING) if row.cluster and row.cluster.articles == 2)
    reader.split(row.id)
    assert done(whole, "importance") >= 2
    assert value(whole, row.id, "corroboration") == 0


def test_topics_are_shown_and_edited(whole: Whole) -> None:
    from newsloom.importance.service import importance

    reader = whole.app.reader()
    reader.add_interest("harbour ferries")
    shown = {one.term for one in importance.topics(reader)}
    assert any(term.startswith("ferr") for term in shown)
    term = next(one for one in shown if one.startswith("ferr"))
    importance.edit_topic(reader, term, 0.0)
    left = {one.term: one for one in importance.topics(reader)}
    assert left[term].edited == 0.0
    assert left[term].weight == 0.0
    importance.edit_topic(reader, term, None)
    assert {one.term for one in importance.topics(reader)} == shown
