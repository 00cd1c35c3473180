"""Wilson's bound, decay, bands, the order of attempts, what a search leaves out."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from newsloom.coverage.domains import Rule
from newsloom.coverage.quality import (
    Band,
    Policy,
    Reputation,
    attempt_value,
    counted,
    excluded,
    reputation_of,
    tallied,
    wilson,
)
from newsloom.feeds.page_failures import (
    NATURES,
    FailureKind,
    Fault,
    OurFailure,
    Outcome,
    counts,
    weight,
)

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
DAY = timedelta(days=1)
POLICY = Policy()
HTTP = FailureKind.HTTP_ERROR


def came(*kinds, at=NOW, host="paper.example", judged=None):
    return [Outcome(host, at, kind, judged) for kind in kinds]


def standing(outcomes, now=NOW, rules=None, policy=POLICY):
    tallies = tallied(outcomes).get("paper.example", ())
    return reputation_of("paper.example", tallies, None, rules or {}, now, policy)


# --- the kinds ---


def test_seventeen_kinds_count_each_by_whose_fault_it_is():
    assert set(NATURES) == set(FailureKind)
    assert len({words for _fault, words in NATURES.values()}) == len(FailureKind)
    against = [kind for kind in FailureKind if weight(kind) > 0]
    assert len(against) == 17
    assert set(FailureKind) - set(against) == {FailureKind.DOMAIN_BLOCKED}
    least = {fault: min(weight(kind) for kind in against if NATURES[kind][0] is fault)
             for fault in Fault if fault is not Fault.OURS}  # fmt: skip
    assert least[Fault.DOMAIN] > least[Fault.PAGE] > least[Fault.MATCH]
    assert weight(None) == 0


def test_what_is_ours_is_never_recorded():
    assert not any(counts(kind) or weight(kind) for kind in OurFailure)
    assert not counts(FailureKind.DOMAIN_BLOCKED)
    assert counts(None)


# --- Wilson ---


# statsmodels.stats.proportion.proportion_confint(s, n, method="wilson"), lower ends.
@pytest.mark.parametrize(
    ("successes", "attempts", "bound"),
    [
        pytest.param(0, 5, 0.0, id="none of five"),
        pytest.param(5, 5, 0.56552, id="all of five"),
        pytest.param(3, 5, 0.23072, id="three of five"),
        pytest.param(1, 10, 0.01788, id="one of ten"),
        pytest.param(5, 10, 0.23659, id="half of ten"),
        pytest.param(8, 10, 0.49016, id="eight of ten"),
        pytest.param(9, 10, 0.59585, id="nine of ten"),
        pytest.param(2, 20, 0.02787, id="two of twenty"),
        pytest.param(50, 100, 0.40383, id="half of a hundred"),
    ],
)
def test_the_lower_bound(successes, attempts, bound):
    assert wilson(successes, attempts - successes) == pytest.approx(bound, abs=2e-5)


def test_without_an_attempt_the_bound_is_nothing():
    assert wilson(0, 0) == 0.0


numbers = st.floats(0, 1e6, allow_nan=False)


@given(numbers, numbers)
def test_the_bound_is_a_share_below_what_was_seen(successes, failures):
    assume(successes + failures > 0)
    assert 0 <= wilson(successes, failures) <= successes / (successes + failures) + 1e-9


@given(numbers, numbers)
def test_another_success_never_lowers_and_a_failure_never_raises_it(successes, failures):
    here = wilson(successes, failures)
    assert wilson(successes + 1, failures) >= here - 1e-9
    assert wilson(successes, failures + 1) <= here + 1e-9


# --- counts ---


@pytest.mark.parametrize(
    ("days", "weight"), [(0, 1.0), (30, 0.5), (60, 0.25), (15, 0.7071), (179, 0.016), (181, 0.0)]
)
def test_an_old_outcome_counts_less(days, weight):
    tallies = tallied(came(None, at=NOW - days * DAY))["paper.example"]
    assert counted(tallies, NOW, POLICY).successes == pytest.approx(weight, abs=1e-3)


def test_the_half_life_is_a_setting():
    tallies = tallied(came(HTTP, at=NOW - DAY))["paper.example"]
    assert counted(tallies, NOW, Policy(half_life=DAY)).failures == pytest.approx(0.5)


def test_a_domain_is_what_somebody_registered():
    hosts = ("www.paper.co.uk", "https://news.paper.co.uk/a", "paper.co.uk", "other.co.uk")
    found = tallied([Outcome(host, NOW, None) for host in hosts])
    assert {name: sum(one.times for one in rows) for name, rows in found.items()} == {
        "paper.co.uk": 3,
        "other.co.uk": 1,
    }


@pytest.mark.parametrize("host", ["", "http://", "\0", "[broken", "x" * 5_000])
def test_what_is_no_host_leaves_nothing(host):
    assert tallied([Outcome(host, NOW, None)]) == {}


# --- bands ---


@pytest.mark.parametrize(
    ("outcomes", "band"),
    [
        pytest.param([], Band.UNKNOWN, id="nothing"),
        pytest.param(came(None, None), Band.UNKNOWN, id="two successes"),
        pytest.param(came(None, None, None), Band.GOOD, id="three successes"),
        pytest.param(came(HTTP, HTTP), Band.UNKNOWN, id="two failures"),
        pytest.param(came(HTTP, HTTP, HTTP), Band.DEPRIORITISED, id="three failures"),
        pytest.param(came(*[HTTP] * 50), Band.DEPRIORITISED, id="blocking is decided elsewhere"),
        pytest.param(came(*[None] * 5, *[HTTP] * 3), Band.GOOD, id="five of eight"),
        pytest.param(came(*[None] * 3, *[HTTP] * 2), Band.DEPRIORITISED, id="three of five"),
        pytest.param(came(*[FailureKind.TOO_SHORT] * 50), Band.DEPRIORITISED, id="never any text"),
        pytest.param(
            came(*[FailureKind.LOW_RELEVANCE] * 5, judged=2.0),
            Band.DEPRIORITISED,
            id="always about something else",
        ),
        pytest.param(
            came(*[FailureKind.LOW_RELEVANCE] * 4, judged=2.0), Band.UNKNOWN, id="four such"
        ),
        pytest.param(
            came(*[None] * 5, *[FailureKind.LOW_RELEVANCE] * 40), Band.GOOD, id="often in searches"
        ),
        pytest.param(
            came(*[FailureKind.WRONG_LANGUAGE] * 8), Band.DEPRIORITISED, id="another language"
        ),
    ],
)
def test_the_band_of_a_record(outcomes, band):
    assert standing(outcomes).band is band


@pytest.mark.parametrize(("rule", "band"), [(Rule.ALLOW, Band.GOOD), (Rule.BLOCK, Band.BLOCKED)])
@pytest.mark.parametrize("kind", [None, HTTP])
def test_a_rule_is_before_any_record(rule, band, kind):
    found = standing(came(*[kind] * 40), rules={"paper.example": rule})
    assert (found.band, found.rule) == (band, rule)


def test_below_three_attempts_the_usual_is_assumed():
    assert standing(came(None, None)).wilson == 0.40
    assert standing(came(None, None, None)).wilson == pytest.approx(0.4385, abs=1e-3)
    assert standing([]).judged == 5.0
    assert standing(came(None, None, judged=8.0)).judged == pytest.approx(8.0)


# --- the order of attempts, and searches ---


def test_the_value_of_an_attempt():
    unknown = Reputation("paper.example", Band.UNKNOWN)
    assert attempt_value(0.8, unknown) == pytest.approx(0.5 * 0.8 + 0.25 * 0.4 + 0.25 * 0.5)
    known = standing(came(None, None, None, judged=10.0))
    assert attempt_value(0.8, known) == pytest.approx(0.4 + 0.25 * 0.4385 + 0.25, abs=1e-3)
    assert attempt_value(-3, unknown) == attempt_value(0, unknown)


def test_a_search_leaves_out_what_turns_up_most():
    hits = {"b.example": 5, "c.example": 9, "unblocked.example": 99}
    names = ["a.example", "b.example", "c.example"]
    assert excluded(names, {}, hits, 2) == ("c.example", "b.example")
    assert excluded([f"{n:02}.example" for n in range(40)], {}, {}) == tuple(
        f"{n:02}.example" for n in range(28)
    )


def test_a_search_leaves_out_nothing_above_an_allowed_name():
    rules = {"good.a.example": Rule.ALLOW}
    assert excluded(["a.example", "ood.a.example"], rules, {}) == ("ood.a.example",)


# --- laws ---

kinds = st.sampled_from([None, *FailureKind, *OurFailure])
outcomes = st.lists(
    st.builds(
        Outcome,
        st.sampled_from(["paper.example", "www.paper.example", "other.example"]),
        st.integers(0, 90 * 24).map(lambda hours: NOW - timedelta(hours=hours)),
        kinds,
        st.one_of(st.none(), st.floats(0, 10)),
    ),
    max_size=40,
)


@given(outcomes, st.randoms())
def test_the_order_of_records_does_not_matter(found, random):
    mixed = list(found)
    random.shuffle(mixed)
    one, other = standing(found), standing(mixed)
    assert one.band is other.band
    assert (one.wilson, one.judged) == pytest.approx((other.wilson, other.judged))


@given(outcomes, st.lists(st.sampled_from([*OurFailure, FailureKind.DOMAIN_BLOCKED]), max_size=20))
def test_what_fails_at_our_end_changes_nothing(found, ours):
    assert standing(found) == standing([*found, *came(*ours)])


@given(outcomes, st.sampled_from(Rule))
def test_a_rule_always_wins(found, rule):
    assert standing(found, rules={"paper.example": rule}).blocked is (rule is Rule.BLOCK)


@given(outcomes)
def test_without_a_block_or_rule_nothing_is_blocked(found):
    assert not standing(found).blocked
