"""Blocks over simulated time: when they begin, how they end, how long the next one is."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsloom.coverage.quality import Band, Policy, block_after, reputation_of, tallied
from newsloom.feeds.page_failures import FailureKind, OurFailure, Outcome, weight

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
HTTP = FailureKind.HTTP_ERROR
POLICY = Policy()


class History:
    """One domain over time, as the store keeps it."""

    def __init__(self, policy=POLICY):
        self.outcomes, self.block, self.now, self.policy = [], None, NOW, policy

    def came(self, *kinds, after=timedelta(0)):
        """Record together what came of pages, after some time."""
        self.now += after
        self.outcomes += [Outcome("paper.example", self.now, kind) for kind in kinds]
        self.block = block_after(self.tallies, self.block, self.now, self.policy)
        return self

    @property
    def tallies(self):
        return tallied(self.outcomes).get("paper.example", [])

    @property
    def reputation(self):
        rules = {}
        return reputation_of(
            "paper.example", self.tallies, self.block, rules, self.now, self.policy
        )

    def blocked(self):
        """Failed for five days."""
        for _ in range(5):
            self.came(HTTP, after=DAY)
        return self


def test_it_is_tried_last_before_it_is_blocked():
    history = History()
    bands = [history.came(HTTP, after=DAY).reputation.band for _ in range(5)]
    assert bands == [
        *(Band.UNKNOWN, Band.UNKNOWN),
        *(Band.DEPRIORITISED, Band.DEPRIORITISED, Band.BLOCKED),
    ]
    assert history.block.until - history.block.since == 7 * DAY


def test_four_failures_are_too_few():
    history = History()
    for _ in range(4):
        history.came(HTTP, after=DAY)
    assert history.block is None


def test_a_server_that_is_down_for_an_hour_is_not_blocked():
    history = History().came(*[HTTP] * 30).came(*[HTTP] * 30, after=HOUR)
    assert history.reputation.band is Band.DEPRIORITISED
    assert history.came(HTTP, after=12 * HOUR).reputation.band is Band.BLOCKED


@pytest.mark.parametrize(
    ("good", "bad", "blocked"),
    [
        pytest.param(0, 5, True, id="none of five"),
        pytest.param(1, 5, True, id="one of six: .030"),
        pytest.param(3, 6, True, id="three of nine: .121"),
        pytest.param(3, 5, True, id="three of eight: .137"),
        pytest.param(4, 5, False, id="four of nine: .189"),
    ],
)
def test_successes_keep_a_domain_from_being_blocked(good, bad, blocked):
    history = History(Policy(half_life=10_000 * DAY))
    history.came(*[None] * good, HTTP).came(*[HTTP] * (bad - 1), after=DAY)
    assert (history.block is not None) is blocked


def test_when_the_block_ends_it_is_on_trial():
    history = History().blocked()
    history.now = history.block.until - HOUR
    assert history.reputation.blocked
    history.now = history.block.until
    assert (history.reputation.band, history.reputation.tries_left) == (Band.DEPRIORITISED, 3)


def test_a_success_on_trial_lifts_the_block_and_forgets_what_was_before():
    history = History().blocked().came(None, after=8 * DAY)
    assert history.block.lifted_at is not None
    assert history.reputation.band is Band.UNKNOWN
    assert history.reputation.counts.failures == 0
    assert history.reputation.block is None


def test_failures_on_trial_block_it_again_for_longer():
    history = History().blocked().came(HTTP, after=7 * DAY)
    assert (history.reputation.band, history.reputation.tries_left) == (Band.DEPRIORITISED, 2)
    history.came(HTTP, HTTP, after=HOUR)
    assert history.reputation.blocked
    assert (history.block.times, history.block.until - history.block.since) == (2, 14 * DAY)


def test_a_failure_on_trial_takes_a_try_by_its_weight():
    history = History().blocked()
    history.came(*[OurFailure.NETWORK] * 9, after=7 * DAY)
    assert history.reputation.tries_left == 3
    history.came(FailureKind.TOO_SHORT)
    assert history.reputation.tries_left == 3
    history.came(FailureKind.TOO_SHORT)
    assert history.reputation.tries_left == 2


def test_blocks_grow_up_to_a_limit():
    history, lengths = History().blocked(), []
    for _ in range(8):
        lengths.append((history.block.until - history.block.since) // DAY)
        history.now = history.block.until
        history.came(HTTP, HTTP, HTTP)
    assert lengths == [7, 14, 28, 56, 90, 90, 90, 90]


@pytest.mark.parametrize(("days", "times"), [(30, 2), (100, 1)])
def test_a_block_long_past_is_not_counted(days, times):
    history = History().blocked().came(None, after=8 * DAY)
    history.now += days * DAY
    history.blocked()
    assert history.block.times == times


def test_what_arrives_during_a_block_changes_nothing():
    """A page that was asked for before, or in another process."""
    history = History().blocked()
    before = history.block
    assert history.came(None, None, HTTP, after=DAY).block == before
    history.now = before.until
    assert history.reputation.tries_left == 3
    assert history.reputation.wilson < 0.2  # the whole record counts: it is tried last


def test_a_longest_block_that_is_shorter_than_the_first_is_the_first():
    policy = Policy(block=7 * DAY, longest_block=DAY)
    history = History(policy).blocked()
    assert history.block.until - history.block.since == 7 * DAY


# --- laws ---

steps = st.lists(
    st.tuples(
        st.lists(st.sampled_from([None, *FailureKind, *OurFailure]), max_size=6),
        st.integers(0, 20 * 24),
    ),
    max_size=15,
)


@given(steps)
def test_never_blocked_without_the_least_samples(given_steps):
    history, against = History(), 0
    for kinds, hours in given_steps:
        against += sum(1 if kind is None else weight(kind) for kind in kinds)
        history.came(*kinds, after=timedelta(hours=hours))
        assert history.block is None or round(against) >= POLICY.least_samples


@given(steps)
def test_failures_of_ours_never_change_a_block(given_steps):
    one, other = History(), History()
    for kinds, hours in given_steps:
        one.came(*kinds, after=timedelta(hours=hours))
        theirs = [kind for kind in kinds if not isinstance(kind, OurFailure)]
        other.came(*theirs, after=timedelta(hours=hours))
        assert one.block == other.block
        assert one.reputation == other.reputation


@given(steps)
def test_every_block_ends(given_steps):
    history = History()
    for kinds, hours in given_steps:
        history.came(*kinds, after=timedelta(hours=hours))
    history.now += POLICY.longest_block
    assert not history.reputation.blocked
