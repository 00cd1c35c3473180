"""Charts: whatever the points, an SVG that holds them, in its box, and says what it shows."""

from __future__ import annotations

import math
import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsloom.web import charts
from newsloom.web.charts import Line

numbers = st.floats(allow_nan=False, allow_infinity=False) | st.floats(0, 1)
points = st.lists(st.tuples(numbers, numbers), max_size=40).map(tuple)
anything = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=5) | st.integers(),
    lambda inner: st.lists(inner, max_size=5),
    max_leaves=20,
)


def drawn(words: str, lines: list[Line], across: charts.Axis | None = None) -> ElementTree.Element:
    svg = charts.chart(words, across or charts.unit("x <&> y"), charts.unit("y"), lines)
    return ElementTree.fromstring(str(svg))


@given(points, st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=30))
def test_every_point_stands_in_the_box(made: tuple[tuple[float, float], ...], words: str) -> None:
    band = tuple((x, y, y) for x, y in made)
    svg = drawn(words, [Line(made, dots=(3.0,) * len(made), band=band)])
    assert svg.get("aria-label") == words
    for shape in svg.iter():
        for pair in (shape.get("points") or "").split():
            x, y = map(float, pair.split(","))
            assert charts.LEFT <= x <= charts.WIDTH
            assert 0 <= y <= charts.HEIGHT - charts.BOTTOM
    assert len(list(svg.iter("circle"))) == len(made)


@given(anything)
def test_only_rows_of_finite_numbers_are_read(value: object) -> None:
    for row in charts.finite(value, 2):
        assert len(row) == 2
        assert all(isinstance(one, float) and math.isfinite(one) for one in row)


def test_rows_are_read_as_far_as_they_are_good() -> None:
    rows = [[0, 1, 9], ["a", 1], [True, 1], [1], None, [float("nan"), 1], [0.5, 0.25]]
    assert charts.finite(rows, 2) == ((0.0, 1.0), (0.5, 0.25))


def test_a_line_goes_up_where_its_numbers_do() -> None:
    svg = drawn("up", [Line(((0.0, 0.0), (1.0, 1.0)))])
    (line,) = svg.iter("polyline")
    assert line.get("points") == (
        f"{charts.LEFT:.1f},{charts.HEIGHT - charts.BOTTOM:.1f} "
        f"{charts.WIDTH - charts.RIGHT:.1f},{charts.TOP:.1f}"
    )


@pytest.mark.parametrize("count", [0, 1, 2, 300, 301, 5000])
def test_many_points_become_few_with_both_ends(count: int) -> None:
    made = [(float(one), 0.0) for one in range(count)]
    thin = charts.thinned(made)
    assert len(thin) == min(count, charts.MOST_POINTS)
    assert thin[:1] == tuple(made[:1])
    assert thin[-1:] == tuple(made[-1:])


@pytest.mark.parametrize("values", [[], [0.0], [20, 40, 320], [3, 100_000], [7, 8]], ids=str)
def test_an_axis_of_counts_has_its_numbers_in_order(values: list[float]) -> None:
    axis = charts.counts("labels", values)
    places = [axis.share(tick) for tick, _words in axis.ticks]
    assert places == sorted(set(places))
    assert all(0 <= one <= 1 for one in places)
    assert len(places) >= 2


def test_texts_are_escaped() -> None:
    axis = charts.Axis('"><script>', 0, 1, ((0.0, "<b>"),))
    svg = str(charts.chart('"><script>alert(1)</script>', axis, charts.unit("y"), []))
    assert not re.search(r"<(script|b)\b", svg)
    ElementTree.fromstring(svg)
