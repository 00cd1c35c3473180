"""How much of a relevance is the raise of a followed story."""

from __future__ import annotations

import pytest

from newsloom.ranking.values.models import StorySubscription
from newsloom.stories.service.stories import lift, reason
from newsloom.stories.values.pages import StoryId

FOLLOWED = StorySubscription(StoryId(3), "Ferry", 1, 10.0)
MUTED = StorySubscription(StoryId(3), "Ferry", -1, 0.0)


@pytest.mark.parametrize(
    ("subscription", "relevance", "parts", "lifted"),
    [
        (FOLLOWED, 72.0, (12.0,), 10.0),
        (FOLLOWED, 62.0, (12.0,), 0.0),
        (FOLLOWED, 72.4, (11.0, 1.0), 10.0),
        (FOLLOWED, 34.0, (-26.0,), 10.0),
        (FOLLOWED, 100.0, (47.0,), 3.0),
        (FOLLOWED, 100.0, (50.0,), 0.0),
        (FOLLOWED, 100.0, (20.0,), 10.0),
        (MUTED, 72.0, (12.0,), 0.0),
        (None, 72.0, (12.0,), 0.0),
    ],
)
def test_the_raise_is_what_the_parts_leave_open(subscription, relevance, parts, lifted):
    assert lift(subscription, relevance, 50.0 + sum(parts)) == pytest.approx(lifted)


def test_a_line_for_each_way_to_stand():
    assert reason(FOLLOWED, 10.0).text == "you follow its story “Ferry”"
    assert reason(FOLLOWED, 0.0).text.endswith("the next pass adds 10 points for it")
    assert reason(MUTED, 0.0).text.startswith("you muted its story “Ferry”")
    assert reason(MUTED, 0.0).story == 3
