"""Records of domains in every database: counted, blocked, released, ruled, forgotten."""

from __future__ import annotations

import subprocess
import sys
from datetime import timedelta

import pytest

from newsloom.coverage.domains import Rule
from newsloom.coverage.quality import Band, Policy
from newsloom.coverage.store import quality as records
from newsloom.feeds.page_failures import FailureKind, OurFailure, Outcome

from .builders import NOW
from .conftest import PROCESS

DAY = timedelta(days=1)
HTTP = FailureKind.HTTP_ERROR
POLICY = Policy()


def record(store, *kinds, host="paper.example", at=NOW, judged=None):
    store.quality.record_outcomes([Outcome(host, at, kind, judged) for kind in kinds], at, POLICY)


def blocked(store, host="ft.example", until=NOW):
    for day in range(5, 0, -1):
        record(store, HTTP, host=host, at=until - day * DAY)


def one(store, host, now=NOW):
    return store.quality.domain_standings([host], now, POLICY)[host]


def test_an_unknown_domain_has_a_standing(store):
    found = one(store, "https://paper.example/a")
    assert (found.domain, found.band, found.wilson) == ("paper.example", Band.UNKNOWN, 0.4)
    assert store.quality.domain_records(NOW, POLICY) == ()
    assert store.quality.domain_standings([], NOW, POLICY) == {}


def test_what_came_is_counted_by_domain(store):
    record(store, None, None, HTTP, FailureKind.TOO_SHORT, host="www.paper.example", judged=8.0)
    record(store, None, HTTP, OurFailure.PARSER, host="https://a.paper.example/x")
    record(store, OurFailure.NETWORK, FailureKind.DOMAIN_BLOCKED, host="other.example")
    record(store)
    (found,) = store.quality.domain_records(NOW, POLICY)
    assert (found.reputation.domain, found.successes, found.attempts) == ("paper.example", 3, 6)
    assert found.failures == {HTTP: 2, FailureKind.TOO_SHORT: 1}
    assert (found.reputation.counts.successes, found.reputation.counts.failures) == (3, 2.5)
    assert found.reputation.judged == pytest.approx(8.0)
    assert found.last_at == NOW.replace(minute=0, second=0, microsecond=0)


def test_a_domain_is_blocked_tried_and_released(store):
    blocked(store)
    found = one(store, "ft.example", NOW - DAY)
    assert found.band is Band.BLOCKED
    assert one(store, "microsoft.example").band is Band.UNKNOWN
    assert store.quality.excluded_domains(NOW - DAY, POLICY) == ("ft.example",)
    after = found.block.until
    assert (one(store, "ft.example", after).tries_left) == 3
    assert store.quality.excluded_domains(after, POLICY) == ()
    record(store, None, host="ft.example", at=after + timedelta(hours=1))
    assert one(store, "ft.example", after + DAY).block is None


def test_a_block_outlives_what_led_to_it(store):
    blocked(store)
    short = Policy(half_life=timedelta(hours=1))
    record(store, OurFailure.DISK, host="ft.example")
    assert one(store, "ft.example", NOW - DAY).blocked
    found = store.quality.domain_records(NOW + DAY, short)
    assert [(row.attempts, row.reputation.band) for row in found] == [(0, Band.BLOCKED)]


def test_old_outcomes_are_pruned_with_new_ones(store):
    record(store, HTTP, at=NOW - POLICY.retention - DAY)
    record(store, None, at=NOW)
    with store.database.read() as connection:
        rows = connection.exec_driver_sql("SELECT COUNT(*) FROM domain_outcomes").scalar()
    assert rows == 1


def test_a_time_of_the_future_is_taken_for_now(store):
    store.quality.record_outcomes([Outcome("paper.example", NOW + 999 * DAY, None)], NOW, POLICY)
    (found,) = store.quality.domain_records(NOW, POLICY)
    assert found.last_at <= NOW


@pytest.mark.parametrize("rule", list(Rule))
def test_a_rule_is_before_the_record(store, rule):
    blocked(store)
    store.quality.set_domain_rule("ft.example", rule, NOW)
    assert one(store, "www.ft.example", NOW - DAY).blocked is (rule is Rule.BLOCK)
    assert bool(store.quality.excluded_domains(NOW, POLICY)) is (rule is Rule.BLOCK)
    store.quality.set_domain_rule("ft.example", Rule.ALLOW, NOW)
    assert store.quality.domain_rules() == {"ft.example": Rule.ALLOW}


def test_a_rule_of_a_name_below(store):
    store.quality.set_domain_rule("live.paper.example", Rule.BLOCK, NOW)
    record(store, None, None, None)
    found = store.quality.domain_standings(["paper.example", "live.paper.example"], NOW, POLICY)
    assert [reputation.band for reputation in found.values()] == [Band.GOOD, Band.BLOCKED]
    assert store.quality.excluded_domains(NOW, POLICY) == ("live.paper.example",)


def test_a_domain_is_forgotten(store):
    blocked(store)
    record(store, None)
    store.quality.set_domain_rule("ft.example", Rule.BLOCK, NOW)
    store.quality.forget_domain("ft.example")
    assert one(store, "ft.example", NOW - DAY).band is Band.UNKNOWN
    assert [row.reputation.domain for row in store.quality.domain_records(NOW, POLICY)] == [
        "paper.example"
    ]


def test_a_part_of_the_domains(store):
    for number in range(4):
        record(store, *[None] * (number + 1), host=f"{number}.example")
    store.quality.set_domain_rule("none.example", Rule.BLOCK, NOW)
    every = store.quality.domain_records(NOW, POLICY)
    assert [row.reputation.domain for row in every] == [
        *(f"{number}.example" for number in (3, 2, 1, 0)),
        "none.example",
    ]
    parts = [store.quality.domain_records(NOW, POLICY, most=2, after=one) for one in (0, 2, 4, 6)]
    assert [row for part in parts for row in part] == list(every)
    assert store.quality.count_domains(NOW, POLICY) == 5


def test_those_that_turn_up_most_are_left_out_first(store):
    for host in ("a.example", "b.example", "c.example"):
        store.quality.set_domain_rule(host, Rule.BLOCK, NOW)
    store.quality.record_hits(["www.b.example", "b.example", "c.example", ""], NOW, POLICY)
    store.quality.record_hits(["b.example"], NOW - DAY, POLICY)
    store.quality.record_hits(["", "\0"], NOW, POLICY)
    assert store.quality.excluded_domains(NOW, POLICY, 2) == ("b.example", "c.example")
    hits = {row.reputation.domain: row.hits for row in store.quality.domain_records(NOW, POLICY)}
    assert hits == {"a.example": 0, "b.example": 3, "c.example": 1}


def test_a_kind_of_a_newer_version_is_left_out(store):
    record(store, None)
    with store.database.write() as connection:
        connection.exec_driver_sql(
            "INSERT INTO domain_outcomes (domain, at, kind, times, judged, scored)"
            " SELECT domain, at, 'something new', 1, 0.0, 0 FROM domain_outcomes"
        )
    (found,) = store.quality.domain_records(NOW, POLICY)
    assert found.attempts == 1


def test_it_is_recorded_with_other_writes_or_not_at_all(store):
    class StoppedError(Exception):
        pass

    with pytest.raises(StoppedError), store.database.write() as connection:  # noqa: PT012
        records.record_outcomes(connection, [Outcome("a.example", NOW, None)], NOW, POLICY)
        records.record_hits(connection, ["a.example"], NOW, POLICY)
        raise StoppedError
    assert store.quality.domain_records(NOW, POLICY) == ()
    with store.write() as unit:
        unit.quality.record_outcomes([Outcome("a.example", NOW, None)], NOW, POLICY)
    assert len(store.quality.domain_records(NOW, POLICY)) == 1


RECORDING = (
    PROCESS
    + """
from datetime import datetime, UTC
from newsloom.feeds.page_failures import Outcome, FailureKind
from newsloom.coverage.quality import Policy
now = datetime(2026, 11, 20, 12, tzinfo=UTC)
store = opened(lambda: now)
for _ in range(50):
    came = [Outcome("busy.example", now, one) for one in (None, FailureKind.HTTP_ERROR)]
    store.quality.record_outcomes(came, now, Policy())
    store.quality.record_hits(["busy.example"], now, Policy())
"""
)


@pytest.mark.each_sqlite
def test_two_processes_that_record_at_once_lose_nothing(store, backend, lasting_path):
    words = [sys.executable, "-c", RECORDING, *backend.words(lasting_path)]
    for process in [subprocess.Popen(words) for _ in range(3)]:
        assert process.wait(timeout=100) == 0
    (found,) = store.quality.domain_records(NOW, POLICY)
    assert (found.successes, found.failures, found.hits) == (150, {HTTP: 150}, 150)
