"""Importance at its edges: weights of 0 and 1, and values nobody should send."""

from __future__ import annotations

from datetime import timedelta

import pytest

from newsloom.importance.score import WEIGHTS, Blend, SignalFacts, importance, lasting_points, parts

NAMES = [*WEIGHTS]
NOTHING = SignalFacts(age=timedelta(days=36_500), sources=0)
EVERYTHING = SignalFacts(authority=100, sources=1_000, nearness=1, depth=100)
FULL = {
    "authority": SignalFacts(authority=100, age=NOTHING.age),
    "recency": SignalFacts(),
    "corroboration": SignalFacts(sources=1_000, age=NOTHING.age),
    "topic": SignalFacts(nearness=1, age=NOTHING.age),
    "depth": SignalFacts(depth=100, age=NOTHING.age),
}


def weighed(facts: SignalFacts, weights: dict[str, float]) -> float:
    return importance(lasting_points(facts, weights), facts.age, facts.fade, weights)


@pytest.mark.parametrize("name", NAMES)
def test_a_weight_of_none_leaves_its_signal_out(name: str) -> None:
    weights = {one: 0.0 if one == name else 0.25 for one in NAMES}
    assert weighed(FULL[name], weights) == pytest.approx(weighed(NOTHING, weights))
    assert weighed(EVERYTHING, weights) == pytest.approx(100)


@pytest.mark.parametrize("name", NAMES)
def test_a_weight_of_one_is_its_signal(name: str) -> None:
    weights = {one: float(one == name) for one in NAMES}
    assert weighed(FULL[name], weights) == pytest.approx(100)
    assert weighed(NOTHING, weights) == pytest.approx(0)
    for other in set(NAMES) - {name}:
        assert weighed(FULL[other], weights) == pytest.approx(0)


@pytest.mark.parametrize(
    ("facts", "name", "value"),
    [
        pytest.param(SignalFacts(authority=1e9), "authority", 100, id="too much authority"),
        pytest.param(SignalFacts(authority=-5), "authority", 0, id="less than none"),
        pytest.param(SignalFacts(age=timedelta.max), "recency", 0, id="as old as can be"),
        pytest.param(SignalFacts(age=timedelta.min), "recency", 100, id="from the far future"),
        pytest.param(SignalFacts(sources=-3), "corroboration", 0, id="fewer than no sources"),
        pytest.param(SignalFacts(sources=10**9), "corroboration", 100, id="a billion sources"),
        pytest.param(SignalFacts(nearness=float("inf")), "topic", 100, id="endlessly near"),
        pytest.param(SignalFacts(depth=1e9), "depth", 100, id="endlessly deep"),
    ],
)
def test_values_are_cut(facts: SignalFacts, name: str, value: float) -> None:
    assert parts(facts)[name] == pytest.approx(value)


def test_with_recency_alone_a_blend_has_nothing_that_lasts() -> None:
    assert Blend(0.5, recency=1.0).of(80, 0) == pytest.approx(40)
