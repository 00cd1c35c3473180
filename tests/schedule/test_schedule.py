"""When a feed is asked for again: every rule in a table, and laws over all of them."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsloom.feeds.schedule import FURTHEST, LADDER, MOST_JITTER, facts, plan
from newsloom.feeds.values.polling import DueFeed, PollFacts, PollOutcome, PollPlan, PublishingRate
from newsloom.feeds.values.published import Damage, PollHints
from newsloom.kernel.http.values import Reply, Request
from newsloom.kernel.ids import FeedId

NOW = datetime(2026, 11, 21, 12, 30, tzinfo=UTC)  # a Saturday
FLOOR = timedelta(hours=1)
CEILING = timedelta(hours=24)

CHANGED, UNCHANGED = PollOutcome.CHANGED, PollOutcome.UNCHANGED
CUT, BROKEN, MENDED = Damage.CUT, Damage.BROKEN, Damage.MENDED
FAILED, UNREADABLE, GONE = PollOutcome.FAILED, PollOutcome.UNREADABLE, PollOutcome.GONE


def hours(number: float) -> timedelta:
    return timedelta(hours=number)


def planned(outcome: PollOutcome, *, jitter: float = 0.0, **known: object) -> PollPlan:
    known = {"interval": FLOOR} | known
    return plan(PollFacts(outcome, **known), NOW, FLOOR, CEILING, jitter)  # type: ignore[arg-type]


def waited(outcome: PollOutcome, **known: object) -> timedelta:
    moment = planned(outcome, **known).next_poll
    assert moment is not None
    return moment - NOW


@pytest.mark.parametrize(
    ("outcome", "known", "wait"),
    [
        # the feed's own rhythm
        (CHANGED, {}, hours(1)),
        (CHANGED, {"unchanged": 40, "interval": hours(24)}, hours(1)),
        (UNCHANGED, {"unchanged": 0}, hours(1)),
        (UNCHANGED, {"unchanged": 3}, hours(1)),
        (UNCHANGED, {"unchanged": 4}, hours(2)),
        (UNCHANGED, {"unchanged": 9}, hours(4)),
        (UNCHANGED, {"unchanged": 14}, hours(8)),
        (UNCHANGED, {"unchanged": 19}, hours(16)),
        (UNCHANGED, {"unchanged": 24}, hours(24)),
        (UNCHANGED, {"unchanged": 10**9}, hours(24)),
        # what the server and the document say only lengthens
        (CHANGED, {"fresh_for": hours(12)}, hours(12)),
        (CHANGED, {"fresh_for": timedelta(minutes=5)}, hours(1)),
        (CHANGED, {"fresh_for": timedelta(days=7)}, timedelta(days=7)),
        (CHANGED, {"hints": PollHints(ttl=hours(6))}, hours(6)),
        (CHANGED, {"hints": PollHints(ttl=timedelta(minutes=1))}, hours(1)),
        (CHANGED, {"hints": PollHints(ttl=timedelta(days=60))}, CEILING),
        (CHANGED, {"hints": PollHints(update_every=hours(8))}, hours(8)),
        (CHANGED, {"hints": PollHints(update_every=timedelta(days=365))}, CEILING),
        (CHANGED, {"hints": PollHints(ttl=hours(3)), "fresh_for": hours(2)}, hours(3)),
        (CHANGED, {"conditional": False}, hours(24)),
        (UNCHANGED, {"conditional": False}, hours(24)),
        (CHANGED, {"retry_after": hours(30)}, hours(30)),
        # what is asked for whole again: an accident costs an hour, a habit a day
        (CHANGED, {"damage": CUT}, hours(1)),
        (CHANGED, {"damage": CUT, "damaged": 1}, hours(4)),
        (CHANGED, {"damage": BROKEN, "damaged": 2}, hours(12)),
        (UNCHANGED, {"damage": BROKEN, "damaged": 3}, hours(24)),
        (UNCHANGED, {"damage": CUT, "damaged": 10**6}, hours(24)),
        (CHANGED, {"damage": CUT, "conditional": False}, hours(1)),
        (UNCHANGED, {"damage": CUT, "unchanged": 24}, hours(1)),
        (CHANGED, {"damage": CUT, "hints": PollHints(ttl=hours(6))}, hours(6)),
        (CHANGED, {"damage": CUT, "fresh_for": hours(12)}, hours(12)),
        (CHANGED, {"damage": MENDED}, hours(1)),
        (CHANGED, {"damage": MENDED, "damaged": 9}, hours(1)),
        (CHANGED, {"damage": MENDED, "damaged": 9, "conditional": False}, hours(24)),
        # failures
        (FAILED, {"failures": 0}, hours(1)),
        (FAILED, {"failures": 1}, hours(4)),
        (FAILED, {"failures": 2}, hours(12)),
        (FAILED, {"failures": 3}, hours(24)),
        (FAILED, {"failures": 4}, hours(48)),
        (FAILED, {"failures": 10**6}, hours(48)),
        (UNREADABLE, {"failures": 1}, hours(4)),
        (FAILED, {"failures": 0, "status": 403}, hours(4)),
        (FAILED, {"failures": 3, "status": 403}, hours(24)),
        (FAILED, {"failures": 0, "status": 401}, hours(1)),
        (FAILED, {"failures": 0, "conditional": False}, hours(1)),
        (FAILED, {"failures": 0, "fresh_for": hours(9)}, hours(1)),
        (FAILED, {"failures": 0, "status": 429, "retry_after": hours(7)}, hours(7)),
        (FAILED, {"failures": 0, "status": 503, "retry_after": timedelta(minutes=2)}, hours(1)),
        (FAILED, {"failures": 2, "status": 503, "retry_after": timedelta(0)}, hours(12)),
        (FAILED, {"failures": 9, "retry_after": timedelta(days=31)}, timedelta(days=31)),
    ],
)
def test_wait(outcome, known, wait):
    assert waited(outcome, **known) == wait


BUSY = PublishingRate(polls=50, per_day=100.0, at=NOW, watched=30.0)
MINUTE = timedelta(minutes=1)


@pytest.mark.parametrize(
    ("known", "wait"),
    [
        pytest.param({"max_age": 20 * MINUTE}, 20 * MINUTE, id="it lowers the usual floor"),
        pytest.param({"max_age": 15 * MINUTE}, 15 * MINUTE, id="as far as it may"),
        pytest.param({"max_age": 5 * MINUTE}, hours(1), id="no default of some software"),
        pytest.param({"max_age": hours(1)}, hours(1), id="no lower than the floor"),
        pytest.param(
            {"max_age": 20 * MINUTE, "pace": PublishingRate()}, hours(1), id="nothing known"
        ),
        pytest.param(
            {"max_age": 20 * MINUTE, "fresh_for": 50 * MINUTE}, 50 * MINUTE, id="never before it"
        ),
        pytest.param({"floor": 15 * MINUTE}, 15 * MINUTE, id="the reader's own"),
        pytest.param({"floor": 5 * MINUTE}, 15 * MINUTE, id="which has a least"),
        pytest.param({"floor": hours(3), "max_age": 20 * MINUTE}, hours(3), id="and goes first"),
        pytest.param({"pushed": True}, hours(24), id="a hub tells"),
    ],
)
def test_who_may_say_how_often(known, wait):
    known = {"pace": BUSY, "newsy": 3} | known
    assert waited(CHANGED, **known) == wait


def test_a_floor_that_was_set_is_no_publishers_to_lower():
    known = PollFacts(CHANGED, FLOOR, pace=BUSY, max_age=20 * MINUTE)
    assert plan(known, NOW, hours(2), CEILING, 0).next_poll == NOW + hours(2)


@pytest.mark.parametrize(
    ("newsy", "interval"),
    [
        pytest.param(0, hours(1), id="once"),
        pytest.param(3, hours(1), id="four times"),
        pytest.param(4, hours(0.5), id="five times in a row"),
        pytest.param(9, hours(0.25), id="ten times"),
        pytest.param(500, hours(0.25), id="always: the floor"),
    ],
)
def test_news_at_every_poll_halves_the_interval(newsy, interval):
    known = PollFacts(CHANGED, FLOOR, newsy=newsy)
    assert plan(known, NOW, 15 * MINUTE, CEILING, 0).next_poll == NOW + interval


@pytest.mark.parametrize(
    ("failures", "known", "wait"),
    [
        pytest.param(0, {"timed_out": True}, MINUTE, id="one more try"),
        pytest.param(1, {"timed_out": True}, hours(1), id="then the ladder"),
        pytest.param(2, {"timed_out": True}, hours(4), id="and on"),
        pytest.param(0, {}, hours(1), id="only for what was late"),
        pytest.param(0, {"status": 429}, hours(1), id="429"),
        pytest.param(0, {"status": 429, "retry_after": hours(5)}, hours(5), id="429 with a time"),
        pytest.param(
            1, {"status": 429, "retry_after": hours(5), "limited": True}, hours(10), id="429 again"
        ),
        pytest.param(
            2, {"status": 429, "retry_after": hours(5), "limited": True}, hours(20), id="and again"
        ),
        pytest.param(
            1, {"status": 429, "retry_after": hours(5)}, hours(5), id="429 after another failure"
        ),
        pytest.param(
            10**6,
            {"status": 429, "retry_after": timedelta(days=20), "limited": True},
            timedelta(days=31),
            id="never longer than a month",
        ),
        pytest.param(0, {"status": 403, "retry_after": hours(1)}, hours(4), id="403"),
        pytest.param(0, {"status": 403, "retry_after": hours(9)}, hours(9), id="403 with a time"),
    ],
)
def test_wait_after_a_failure(failures, known, wait):
    assert waited(FAILED, failures=failures, **known) == wait


@pytest.mark.parametrize(
    ("known", "until"),
    [
        pytest.param({}, None, id="nothing was asked for"),
        pytest.param({"status": 503, "retry_after": hours(2)}, NOW + hours(2), id="503"),
        pytest.param({"status": 429, "retry_after": timedelta(0)}, NOW, id="429 with zero"),
        pytest.param({"status": 403}, NOW + hours(4), id="403"),
    ],
)
def test_what_a_server_asked_for_holds_by_hand_too(known, until):
    assert planned(FAILED, **known).not_before == until


def test_too_many_requests_double_the_interval():
    assert planned(FAILED, status=429, interval=hours(2)).interval == hours(4)
    assert planned(FAILED, status=429, interval=hours(20)).interval == CEILING


@pytest.mark.parametrize(
    ("unchanged", "silent", "least", "most"),
    [
        pytest.param(4, 15, hours(2), hours(4), id="nothing was to be expected"),
        pytest.param(9, 50, hours(4), hours(8), id="two articles are missing"),
        pytest.param(19, 100, hours(8), hours(16), id="four are"),
        pytest.param(24, 15, hours(4), hours(8), id="a long row of polls"),
        pytest.param(49, 15, CEILING, CEILING, id="a very long one"),
    ],
)
def test_a_silence_counts_where_news_was_to_be_expected(unchanged, silent, least, most):
    daily = PublishingRate(polls=50, per_day=1.0, at=NOW - hours(silent), watched=30.0)
    assert least < waited(UNCHANGED, unchanged=unchanged, pace=daily) + MINUTE
    assert waited(UNCHANGED, unchanged=unchanged, pace=daily) <= most


def test_a_feed_that_wakes_is_asked_at_the_floor():
    weekly = PublishingRate(polls=50, per_day=1 / 7, at=NOW, watched=30.0)
    assert waited(CHANGED, unchanged=30, pace=weekly) == FLOOR


def test_gone_is_not_asked_again():
    assert planned(GONE, retry_after=hours(1)).next_poll is None


def test_the_floor_holds_through_failures():
    known = PollFacts(FAILED, interval=FLOOR, failures=0)
    assert plan(known, NOW, hours(6), CEILING, 0).next_poll == NOW + hours(6)


def test_a_floor_above_the_ceiling_wins():
    known = PollFacts(UNCHANGED, interval=FLOOR, unchanged=100)
    assert plan(known, NOW, hours(36), CEILING, 0).next_poll == NOW + hours(36)


def test_one_answer_ends_a_row_of_failures():
    assert waited(CHANGED, failures=10) == waited(UNCHANGED, failures=10) == FLOOR


def test_what_one_answer_asked_for_is_not_the_feeds_rhythm():
    assert planned(CHANGED, fresh_for=timedelta(days=7)).interval == FLOOR
    assert planned(UNCHANGED, unchanged=4).interval == hours(2)
    assert planned(FAILED, interval=hours(8), failures=4).interval == hours(8)


@pytest.mark.parametrize(
    ("hints", "expected"),
    [
        (PollHints(skip_hours=frozenset({14})), NOW + hours(1)),
        (PollHints(skip_hours=frozenset({13})), NOW + hours(2)),
        (PollHints(skip_hours=frozenset(range(12, 24))), NOW + hours(12)),
        (PollHints(skip_days=frozenset({5})), NOW + hours(12)),
        (PollHints(skip_days=frozenset({5, 6})), NOW + hours(36)),
        (PollHints(skip_hours=frozenset({0}), skip_days=frozenset({5, 6})), NOW + hours(37)),
        (PollHints(skip_days=frozenset({0, 1, 2, 3, 5, 6})), NOW + hours(132)),
        (PollHints(skip_hours=frozenset(range(24))), NOW + hours(1)),
        (PollHints(skip_days=frozenset(range(7))), NOW + hours(1)),
    ],
)
def test_hours_and_days_to_skip(hints, expected):
    assert planned(CHANGED, hints=hints).next_poll == expected


def test_jitter_only_adds():
    assert waited(CHANGED, jitter=0.0) == FLOOR
    assert waited(CHANGED, jitter=1.0) == FLOOR * 1.05
    assert waited(FAILED, failures=9, jitter=1.0) == LADDER[-1] + MOST_JITTER
    assert waited(CHANGED, fresh_for=hours(12), jitter=0.5) == hours(12) + MOST_JITTER / 2


EVER_NEW = PublishingRate(9, 99.0, at=NOW, watched=9.0)


@pytest.mark.parametrize(
    ("outcome", "known", "words"),
    [
        (CHANGED, {}, "it had new articles"),
        (UNCHANGED, {}, "no change"),
        (CHANGED, {"pace": EVER_NEW}, "it had new articles; usually all day long"),
        (CHANGED, {"hints": PollHints(ttl=hours(6))}, "the feed's ttl"),
        (CHANGED, {"fresh_for": hours(6)}, "cached by the server until then"),
        (CHANGED, {"conditional": False}, "no conditional requests"),
        (FAILED, {}, "failed 1 time in a row"),
        (FAILED, {"failures": 2}, "failed 3 times in a row"),
        (FAILED, {"retry_after": hours(9)}, "the server asked to wait"),
        (GONE, {}, "discontinued (410)"),
        (
            CHANGED,
            {"hints": PollHints(skip_hours=frozenset({13}))},
            "the feed skips these hours or days",
        ),
    ],
)
def test_reason(outcome, known, words):
    assert planned(outcome, **known).reason == words


# --- laws ---

durations = st.timedeltas(timedelta(0), timedelta(days=31))
hint_values = st.builds(
    PollHints,
    ttl=st.none() | durations,
    skip_hours=st.frozensets(st.integers(0, 23)),
    skip_days=st.frozensets(st.integers(0, 6)),
    update_every=st.none() | durations,
)
any_facts = st.builds(
    PollFacts,
    outcome=st.sampled_from([CHANGED, UNCHANGED, FAILED, UNREADABLE]),
    interval=durations,
    failures=st.integers(0, 10_000),
    unchanged=st.integers(0, 10_000),
    hints=hint_values,
    fresh_for=st.none() | st.timedeltas(timedelta(0), timedelta(days=7)),
    retry_after=st.none() | durations,
    status=st.sampled_from([0, 200, 304, 403, 404, 429, 503]),
    conditional=st.booleans(),
    newsy=st.integers(0, 10_000),
    pace=st.builds(
        PublishingRate,
        polls=st.integers(0, 1000),
        per_day=st.floats(0, 1000),
        hours=st.just(()) | st.just(tuple(1 / 4 * (6 <= hour < 10) for hour in range(24))),
        days=st.just((1 / 7,) * 7),
        at=st.just(NOW) | st.none(),
        watched=st.floats(0, 40),
    ),
    floor=st.none() | st.timedeltas(timedelta(0), timedelta(days=2)),
    max_age=st.none() | durations,
    limited=st.booleans(),
    pushed=st.booleans(),
)
moments = st.timedeltas(timedelta(days=-13_000), timedelta(days=26_000)).map(NOW.__add__)
floors = st.timedeltas(timedelta(minutes=1), timedelta(days=2))
jitters = st.floats(0, 1)


@given(any_facts, moments, floors, floors, jitters)
def test_never_before_anything_that_was_asked_for(known, now, floor, ceiling, jitter):
    made = plan(known, now, floor, ceiling, jitter)
    assert made.next_poll is not None
    wait = made.next_poll - now
    lowest = timedelta(minutes=15) if known.floor is not None or floor == FLOOR else floor
    assert wait >= lowest
    assert known.floor is None or wait >= known.floor
    assert not known.pushed or known.outcome not in {CHANGED, UNCHANGED} or wait >= hours(24)
    assert known.retry_after is None or wait >= known.retry_after
    if known.outcome in {CHANGED, UNCHANGED}:
        assert known.fresh_for is None or wait >= known.fresh_for
        assert known.hints.ttl is None or wait >= min(known.hints.ttl, ceiling)
        assert known.conditional or wait >= hours(24)
    assert made.reason


@given(any_facts, moments, floors, floors, jitters)
def test_never_asleep_for_ever(known, now, floor, ceiling, jitter):
    made = plan(known, now, floor, ceiling, jitter)
    assert made.next_poll is not None
    asked = [known.retry_after or hours(0), known.fresh_for or hours(0)]
    longest = max(floor, known.floor or floor, ceiling, hours(48), *asked)
    if known.limited:
        longest = timedelta(days=31)
    assert made.next_poll - now <= longest + MOST_JITTER + timedelta(days=7)
    assert made.next_poll - now <= FURTHEST or max(floor, known.floor or floor) > hours(48)


@given(any_facts, moments, jitters)
def test_hints_only_lengthen(known, now, jitter):
    bare = replace(known, hints=PollHints(), fresh_for=None, retry_after=None)
    with_hints = plan(known, now, FLOOR, CEILING, jitter).next_poll
    without = plan(bare, now, FLOOR, CEILING, jitter).next_poll
    assert with_hints is not None
    assert without is not None
    assert with_hints >= without


@given(any_facts, moments, jitters)
def test_a_moment_to_skip_is_skipped_where_any_is_left(known, now, jitter):
    hints = known.hints
    moment = plan(known, now, FLOOR, CEILING, jitter).next_poll
    assert moment is not None
    if len(hints.skip_hours) < 24 and len(hints.skip_days) < 7:
        assert moment.hour not in hints.skip_hours
        assert moment.weekday() not in hints.skip_days


def test_a_quiet_feed_and_its_next_post():
    """A month of polls: the interval climbs to the ceiling and falls to the floor with news."""
    now, unchanged, waits = NOW, 0, []
    for _ in range(40):
        known = PollFacts(UNCHANGED, interval=FLOOR, unchanged=unchanged)
        moment = plan(known, now, FLOOR, CEILING, 0).next_poll
        assert moment is not None
        waits.append(moment - now)
        now, unchanged = moment, unchanged + 1
    assert waits == sorted(waits)
    assert (waits[0], waits[-1]) == (FLOOR, CEILING)
    assert waited(CHANGED, unchanged=unchanged) == FLOOR


# --- facts from a reply ---

DUE = DueFeed(FeedId(1), "https://h.test/feed", "lease", interval=hours(3), failures=2, unchanged=7)


def _reply(status: int, **headers: str) -> Reply:
    named = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    return Reply(Request(DUE.url), NOW, 0.1, status=status, headers=named)


def test_facts():
    hints = PollHints(ttl=hours(2))
    reply = _reply(200, etag='"1"', cache_control="max-age=7200", retry_after="60")
    assert facts(DUE, reply, CHANGED, hints) == PollFacts(
        outcome=CHANGED,
        interval=hours(3),
        failures=2,
        unchanged=7,
        hints=hints,
        fresh_for=hours(2),
        retry_after=timedelta(minutes=1),
        status=200,
        conditional=True,
        max_age=hours(2),
    )


@pytest.mark.parametrize(
    ("reply", "conditional"),
    [
        (_reply(200), False),
        (_reply(200, etag='"1"'), True),
        (_reply(200, last_modified="banana"), True),
        (_reply(304), True),
    ],
)
def test_whether_a_feed_can_be_asked_conditionally(reply, conditional):
    assert facts(DUE, reply, UNCHANGED, PollHints()).conditional is conditional


def test_freshness_of_a_failure_is_not_the_feeds():
    reply = _reply(404, cache_control="max-age=604800")
    assert facts(DUE, reply, FAILED, PollHints()).fresh_for is None
    assert facts(DUE, _reply(304, cache_control="max-age=60"), UNCHANGED, PollHints()).fresh_for
