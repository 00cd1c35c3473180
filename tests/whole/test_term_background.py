"""How rare terms are: counted from what came, and used wherever terms are weighed."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from conftest import Whole

from newsloom.app import passes
from newsloom.ranking.stages.term_background import CountedTerms, CurrentIdf
from newsloom.topics.tfidf import shipped
from publisher import Publisher, rss

WORD = "zabaglione"


@pytest.fixture
def fed(whole: Whole, publisher: Publisher) -> Whole:
    """Sixty articles, half of which have one word that is rare elsewhere, counted."""
    whole.clock.stop()
    publish(whole, publisher, 60)
    assert counted(whole).count_due() == 60
    return whole


def publish(whole: Whole, publisher: Publisher, count: int, first: int = 0) -> None:
    told = [
        (
            str(n),
            f"https://kitchen.test/{n}",
            f"Recipe {n} with {WORD if n % 2 else 'other things'}",
        )
        for n in range(first, first + count)
    ]
    whole.follow(publisher.puts(f"/feed{first}", rss("Recipes", *told)))
    whole.run()


def counted(whole: Whole) -> CountedTerms:
    return CountedTerms(whole.app.store, whole.clock, fewest=50)


def test_every_pass_asks_whether_it_is_due(whole: Whole) -> None:
    assert "terms" in {one.name for one in passes.side_tasks(whole.app)}


def test_what_came_is_counted(fed: Whole) -> None:
    found = fed.app.store.articles.term_background()
    assert found is not None
    assert found.articles == shipped().articles + 60
    assert found.counts["zabaglion"] == shipped().counts.get("zabaglion", 0) + 30


def test_it_is_counted_once_a_week_and_only_what_is_new(fed: Whole) -> None:
    assert counted(fed).count_due() == 0
    fed.clock.ahead += timedelta(days=8)
    assert counted(fed).count_due() == 0, "nothing came since"
    fed.clock.ahead -= timedelta(days=30)
    assert counted(fed).count_due() == 0, "a clock that was set back; still nothing came"


def test_within_the_week_it_is_counted_when_as_much_came_again(
    fed: Whole, publisher: Publisher
) -> None:
    publish(fed, publisher, 59, first=100)
    assert counted(fed).count_due() == 0
    publish(fed, publisher, 1, first=200)
    assert counted(fed).count_due() == 60
    publish(fed, publisher, 60, first=300)
    assert counted(fed).count_due() == 0, "120 are counted now"


def test_what_weighs_terms_follows(fed: Whole) -> None:
    idf = CurrentIdf(fed.app.store, fed.clock)
    assert idf().weight("zabaglion") < shipped().weight("zabaglion")
    fed.clock.ahead += timedelta(minutes=11)  # the stages have looked before it was counted
    weighed = fed.app.services.terms("", WORD, "en")
    assert weighed["zabaglion"] == pytest.approx(idf().weight("zabaglion"))


def test_a_change_is_seen_within_minutes(fed: Whole) -> None:
    idf = CurrentIdf(fed.app.store, fed.clock)
    before = idf()
    found = fed.app.store.articles.term_background()
    assert found is not None
    changed = replace(found, made_at=fed.clock() + timedelta(seconds=1), articles=7)
    fed.app.store.articles.put_term_background(changed)
    assert idf() == before
    fed.clock.ahead += timedelta(minutes=11)
    assert idf().articles == 7


def test_few_articles_change_nothing(whole: Whole, publisher: Publisher) -> None:
    publish(whole, publisher, 2)
    assert counted(whole).count_due() == 0
    assert whole.app.store.articles.term_background() is None
    assert CurrentIdf(whole.app.store, whole.clock)() == shipped()
