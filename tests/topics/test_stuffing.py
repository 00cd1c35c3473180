"""What only repeats words is about nothing; what is written is not taken for that."""

from __future__ import annotations

import pytest

from newsloom.articles.stuffing import stuffed

PROSE = """Ferries between the two harbours were cancelled on Monday after a crack was found in
the loading ramp. The company said engineers would need a week to replace the steel plates, and that
passengers could take buses through the tunnel instead. The union of dock workers had warned of rust
in spring; its chairwoman called the delay a scandal. Last year 40,000 lorries used the crossing."""


@pytest.mark.parametrize(
    ("title", "text", "is_stuffed"),
    [
        pytest.param("", "", False, id="nothing"),
        pytest.param("Ferries, ferries, ferries", "", False, id="a headline"),
        pytest.param("Ferries cancelled", PROSE, False, id="prose"),
        pytest.param("", "solar storage " * 9, False, id="too short to tell"),
        pytest.param("", "solar power storage harbour ferries " * 500, True, id="five words"),
        pytest.param("", PROSE + " solar storage" * 500, True, id="after prose"),
        pytest.param("", "solar storage " * 500 + PROSE, True, id="before prose"),
        pytest.param("solar storage " * 20, PROSE, True, id="in the title"),
        pytest.param("", "太陽光発電" * 50, True, id="without spaces"),
    ],
)
def test_stuffed(title: str, text: str, is_stuffed: bool) -> None:
    assert stuffed(title, text, "ja" if "太" in text else "en") is is_stuffed
