"""States and heat of stories."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from newsloom.ranking.scoring import raised
from newsloom.stories import lifecycle
from newsloom.stories.lifecycle import band, heat, weight

NOW = datetime(2026, 11, 1, tzinfo=UTC)
DAY = timedelta(days=1)


def test_an_article_revives_a_story_of_the_last_months() -> None:
    latest = NOW - 95 * DAY
    assert not lifecycle.revivable(latest, NOW)
    assert lifecycle.revivable(latest, NOW - 30 * DAY)


def test_heat_is_the_sum_of_what_cools() -> None:
    assert heat([(NOW, 70), (NOW, 40), (NOW, 0)], NOW) == pytest.approx(6)
    assert heat([(NOW - DAY, 0)], NOW) == pytest.approx(0.7408, abs=1e-4)
    assert heat([(NOW + DAY, 0)], NOW) == pytest.approx(1), "a date to come counts as now"
    assert [weight(points) for points in (0, 34.9, 35, 59.9, 60)] == [1, 1, 2, 2, 3]
    assert [band(value) for value in (0.9, 1, 3.9, 4)] == [
        "quiet",
        "developing",
        "developing",
        "hot",
    ]


def test_a_followed_story_is_raised_to_the_top_at_most() -> None:
    assert raised(70, followed=False) == 70
    assert raised(70, followed=True) == 80
    assert raised(95, followed=True) == 100
