"""The score of a feed, from its polls; and the words for how it is."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsloom.feeds.health import advice, reason, reliability, tally
from newsloom.feeds.values.health import FeedState
from newsloom.feeds.values.polling import FeedHealth, PastPoll, PollOutcome, PollTally, Verdict
from newsloom.kernel.ids import FeedId

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
CHANGED, UNCHANGED, FAILED, UNREADABLE, GONE = PollOutcome


def poll(outcome: PollOutcome, articles: int = 0, misdated: int = 0, problem: str = "") -> PastPoll:
    return PastPoll(NOW, outcome, articles=articles, misdated=misdated, problem=problem)


@pytest.mark.parametrize(
    ("polls", "score", "parts"),
    [
        ([], None, (None, None, None)),
        ([poll(UNCHANGED)], 100, (1.0, None, None)),
        ([poll(CHANGED, 10)], 100, (1.0, 1.0, 1.0)),
        ([poll(CHANGED, 10), poll(FAILED)], 75, (0.5, 1.0, 1.0)),
        ([poll(CHANGED, 10, 10)], 80, (1.0, 1.0, 0.0)),
        ([poll(CHANGED, 10, problem="cut short")], 70, (1.0, 0.0, 1.0)),
        ([poll(UNREADABLE, problem="HTML")], 62, (1.0, 0.0, None)),
        ([poll(FAILED), poll(GONE)], 0, (0.0, None, None)),
    ],
)
def test_the_score_and_its_parts(polls, score, parts):
    found = reliability(tally(polls))
    assert (found.score, (found.uptime, found.valid, found.dated)) == (score, parts)
    assert found.polls == len(polls)


POLLS = st.lists(
    st.builds(
        poll,
        st.sampled_from(list(PollOutcome)),
        st.integers(0, 1_000),
        st.just(0),
        st.sampled_from(["", "broken"]),
    ),
    max_size=100,
)


@given(POLLS)
def test_a_score_lies_between_nothing_and_a_hundred(polls):
    score = reliability(tally(polls)).score
    assert (score is None) == (not polls)
    assert score is None or 0 <= score <= 100


@given(POLLS)
def test_a_failure_more_makes_no_feed_more_reliable(polls):
    before = reliability(tally(polls)).score
    after = reliability(tally([*polls, poll(FAILED)])).score
    assert before is None or after <= before


def known(state: FeedState, **more: object) -> FeedHealth:
    return FeedHealth(
        FeedId(1), "https://a.example/", "A", "", state, NOW, seen=False, tally=PollTally(), **more
    )


@pytest.mark.parametrize(
    ("one", "words", "what"),
    [
        (known(FeedState.HEALTHY), "", ""),
        (
            known(FeedState.DEAD),
            "discontinued this feed (410)",
            "unfollow it",
        ),
        (
            known(FeedState.HELD, held_because="Another title."),
            "Another title.",
            "approve or block it",
        ),
        (
            known(FeedState.HELD, verdict=Verdict(NOW, same=False)),
            "You blocked it",
            "unblock it",
        ),
        (
            known(FeedState.SLOW, failures=1, problem="no answer."),
            "The last fetch failed: no answer.",
            "",
        ),
        (known(FeedState.SLOW), "was slow", "tries again later"),
        (
            known(FeedState.UNHEALTHY, failures=4, unreadable=4, problem="HTML"),
            "could not be read 4 times in a row: HTML.",
            "another feed",
        ),
        (
            known(FeedState.UNHEALTHY, failures=6, unreadable=2),
            "could not be fetched",
            "another feed",
        ),
        (known(FeedState.MOVED), "It has moved", "undo the move if the old address is right"),
    ],
)
def test_every_state_says_why_and_what_to_do(one: FeedHealth, words: str, what: str):
    assert words in reason(one)
    assert what in advice(one)
