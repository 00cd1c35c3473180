"""L-BFGS: the least value of a smooth convex function. Numbers only."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

# Value and slope at a point.
Loss = Callable[[Floats], tuple[float, Floats]]

# The cap only bounds the time of degenerate input; 5 to 60 steps are usual.
MAX_STEPS = 300
MEMORY = 10  # past steps that shape the next one


def minimize(
    loss: Loss, start: Floats, tolerance: float, inverse: Callable[[Floats], Floats]
) -> Floats:
    """The point where no slope is above `tolerance`.

    `inverse` applies an estimate of the inverse curvature, the better the fewer steps.
    """
    point = start
    value, slope = loss(point)
    past: list[tuple[Floats, Floats]] = []
    for _ in range(MAX_STEPS):
        if np.abs(slope).max() <= tolerance:
            break
        step = _direction(slope, past, inverse)
        taken, reached, turned = _search(loss, point, step, value, _dot(slope, step))
        if reached >= value:
            break
        past = [*past, (taken, turned - slope)][-MEMORY:]
        point, value, slope = point + taken, reached, turned
    return point


def _direction(
    slope: Floats, past: list[tuple[Floats, Floats]], inverse: Callable[[Floats], Floats]
) -> Floats:
    """The two loops of L-BFGS: downhill, bent by what past steps taught."""
    result = -slope
    used = []
    for step, change in reversed(past):
        share = _dot(step, result) / _dot(step, change)
        used.append(share)
        result = result - share * change
    result = inverse(result)
    for (step, change), share in zip(past, reversed(used), strict=True):
        result = result + (share - _dot(change, result) / _dot(step, change)) * step
    return np.asarray(result)


def _search(
    loss: Loss, point: Floats, step: Floats, value: float, descent: float
) -> tuple[Floats, float, Floats]:
    """Halve the step until the value falls by a share of what the slope promises."""
    for halvings in range(30):
        taken = step * 0.5**halvings
        reached, slope = loss(point + taken)
        if reached <= value + 1e-4 * descent * 0.5**halvings:
            break
    return taken, reached, slope


def _dot(first: Floats, second: Floats) -> float:
    """Not `@`: on busy cores the threads BLAS starts for each took 20 times as long as the sum."""
    return float(np.einsum("i,i->", first, second, optimize=False))
