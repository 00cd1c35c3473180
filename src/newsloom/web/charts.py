"""Small line charts: points in, SVG out. Pure; no script and no style of its own.

Colours come from the page's style sheet by class. Every chart says in words what it shows, for
those who cannot see it; the numbers themselves stand in a table beside it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from markupsafe import Markup

WIDTH, HEIGHT = 320.0, 230.0
LEFT, RIGHT, TOP, BOTTOM = 38.0, 8.0, 8.0, 36.0

# More points than pixels only make the page heavy.
MOST_POINTS = 300
MOST_ROWS = 20_000  # read of one curve

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Axis:
    """What runs along one side: its name, from where to where, and the numbers written on it."""

    name: str
    low: float
    high: float
    ticks: tuple[tuple[float, str], ...]
    logarithmic: bool = False

    def share(self, value: float) -> float:
        """Where a value lies, 0 to 1; what lies outside is put on the edge."""
        low, high, at = self.low, self.high, value
        if self.logarithmic:
            low, high, at = (math.log(max(one, 1e-9)) for one in (low, high, at))
        return min(max((at - low) / ((high - low) or 1.0), 0.0), 1.0)


@dataclass(frozen=True, slots=True)
class Line:
    """Points joined by a line, or standing alone; a band between two lines; or dots of a size."""

    points: tuple[Point, ...]
    kind: str = "line"  # its class: "line", "other", "even"
    dots: tuple[float, ...] = ()  # a radius for each point; none: no dots
    joined: bool = True
    band: tuple[tuple[float, float, float], ...] = ()  # x, low, high


def unit(name: str, low: float = 0.0) -> Axis:
    """An axis of shares, 0 to 1 or from `low` to 1."""
    steps = 4 if low == 0.0 else 2
    ticks = [low + (1.0 - low) * step / steps for step in range(steps + 1)]
    return Axis(name, low, 1.0, tuple((tick, f"{tick:.2g}") for tick in ticks))


def counts(name: str, values: Sequence[float]) -> Axis:
    """An axis of numbers that grow by multiples."""
    low, high = max(min(values, default=1.0), 1.0), max(max(values, default=10.0), 2.0)
    known = [base * 10**power for power in range(7) for base in (1, 2, 5)]
    ticks = [one for one in known if low <= one <= high][-5:] or [low, high]
    return Axis(name, low, max(high, low + 1), tuple((t, f"{t:,.0f}") for t in ticks), True)


def tally(name: str, most: float) -> Axis:
    """An axis of numbers from 0."""
    high = max(most, 1.0)
    return Axis(name, 0.0, high, tuple((at, f"{at:,.0f}") for at in (0.0, high)))


def finite(rows: object, width: int) -> tuple[tuple[float, ...], ...]:
    """Rows of so many finite numbers out of what a report holds; anything else is left out."""
    if not isinstance(rows, (list, tuple)):
        return ()
    return tuple(
        tuple(float(one) for one in row[:width])
        for row in rows[:MOST_ROWS]
        if isinstance(row, (list, tuple)) and len(row) >= width and all(map(_number, row[:width]))
    )


def _number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def thinned(points: Sequence[Point], most: int = MOST_POINTS) -> tuple[Point, ...]:
    """At most so many of the points, the first and the last among them."""
    if len(points) <= most:
        return tuple(points)
    step = (len(points) - 1) / (most - 1)
    return tuple(points[round(number * step)] for number in range(most))


def chart(words: str, across: Axis, up: Axis, lines: Sequence[Line]) -> Markup:
    """The whole picture. `words` say what it shows to those who cannot see it."""
    drawn = "".join(_line(one, across, up) for one in lines)
    return Markup(  # noqa: S704 - numbers, and texts that are escaped here
        f'<svg class="chart" viewBox="0 0 {WIDTH:g} {HEIGHT:g}" role="img"'
        f' aria-label="{escape(words)}">{_grid(across, up)}{drawn}</svg>'
    )


def _at(point: Point, across: Axis, up: Axis) -> tuple[str, str]:
    x = LEFT + across.share(point[0]) * (WIDTH - LEFT - RIGHT)
    y = HEIGHT - BOTTOM - up.share(point[1]) * (HEIGHT - TOP - BOTTOM)
    return f"{x:.1f}", f"{y:.1f}"


def _path(points: Sequence[Point], across: Axis, up: Axis) -> str:
    return " ".join(",".join(_at(one, across, up)) for one in points)


def _line(line: Line, across: Axis, up: Axis) -> str:
    points = thinned(line.points)
    drawn = ""
    if line.band:
        edge = [(x, high) for x, _low, high in line.band]
        edge += [(x, low) for x, low, _high in reversed(line.band)]
        drawn += f'<polygon class="band" points="{_path(edge, across, up)}"/>'
    if line.joined and len(points) > 1:
        drawn += f'<polyline class="{escape(line.kind)}" points="{_path(points, across, up)}"/>'
    for point, radius in zip(line.points, line.dots, strict=False):
        x, y = _at(point, across, up)
        drawn += f'<circle class="{escape(line.kind)}" cx="{x}" cy="{y}" r="{radius:.1f}"/>'
    return drawn


def _grid(across: Axis, up: Axis) -> str:
    floor, right = HEIGHT - BOTTOM, WIDTH - RIGHT
    drawn = [f'<path class="ground" d="M{LEFT:g} {TOP:g}V{floor:g}H{right:g}"/>']
    for value, words in up.ticks:
        _x, y = _at((across.low, value), across, up)
        drawn.append(f'<path class="ground" d="M{LEFT:g} {y}H{right:g}"/>')
        drawn.append(f'<text class="end" x="{LEFT - 5:g}" y="{float(y) + 3.5:.1f}">{words}</text>')
    for value, words in across.ticks:
        x, _y = _at((value, up.low), across, up)
        long = len(words) > 4
        side = "end" if long and float(x) > right - LEFT else "middle"
        side = "" if long and float(x) < LEFT + LEFT else side
        drawn.append(f'<text class="{side}" x="{x}" y="{floor + 14:g}">{escape(words)}</text>')
    middle = (LEFT + right) / 2
    drawn.append(
        f'<text class="middle name" x="{middle:g}" y="{HEIGHT - 5:g}">{escape(across.name)}</text>'
    )
    return "".join(drawn)
