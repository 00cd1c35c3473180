"""Whether a model's chances still hold for what came since."""

from __future__ import annotations

import numpy as np
import pytest

from newsloom.ranking.learning.promotion import LEAST, drift

DRAW = np.random.default_rng(5)


def came(chances):
    return DRAW.random(len(chances)) < chances


CASES = {
    "as expected": (lambda: DRAW.uniform(0.1, 0.9, 400), lambda chances: came(chances), False),
    "far fewer liked": (lambda: np.full(200, 0.7), lambda chances: came(chances - 0.3), True),
    "far more liked": (lambda: np.full(200, 0.2), lambda chances: came(chances + 0.3), True),
    "few, and unlucky": (lambda: np.full(LEAST, 0.5), lambda chances: chances > 1, True),
    "certain and right": (lambda: np.ones(50), lambda chances: chances > 0.5, False),
    "certain, wrong once": (lambda: np.ones(50), lambda chances: np.arange(50) > 0, False),
}


@pytest.mark.parametrize(("chances", "truth", "alarming"), CASES.values(), ids=CASES)
def test_only_what_chance_does_not_explain_is_told(chances, truth, alarming):
    expected = chances()
    found = drift(truth(expected), 100.0 * expected)
    assert found is not None
    assert found.alarming is alarming, found
    assert ("changed" in found.words) is alarming


def test_too_few_labels_say_nothing():
    assert drift(np.ones(LEAST - 1, bool), np.full(LEAST - 1, 10.0)) is None
