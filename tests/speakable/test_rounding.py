"""Long numbers are rounded where they count something, and nowhere else."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as some

from newsloom.briefs.speakable import speakable
from newsloom.briefs.speakable.rounding import rounded

LANGUAGES = ("en", "de", "fr", "es", "it", "ko")
# Cases of each language that are rounded, and that stay as they are.
LEAST = 6


def cases() -> list[tuple[str, str, str]]:
    """Language, written, rounded; "=": it stays."""
    table = Path(__file__).with_name("rounded.tsv").read_text(encoding="utf-8")
    return [tuple(line.split("\t")) for line in table.splitlines()]  # type: ignore[misc]


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_number_is_rounded_as_it_would_be_said(language: str) -> None:
    table = [(written, said) for one, written, said in cases() if one == language]
    stays = [written for written, said in table if said == "="]
    assert min(len(stays), len(table) - len(stays)) >= LEAST
    wrong = [
        f"{written!r} is {got!r}, not {said!r}"
        for written, said in table
        if (got := rounded(written, language)) != (written if said == "=" else said)
    ]
    assert not wrong


@pytest.mark.parametrize(
    ("language", "written", "said"),
    [
        ("en", "It lost $1,234,567.", "It lost about one point two million dollars."),
        ("de", "Es waren 1.012.345 Stimmen.", "Es waren rund eine Million Stimmen."),
        ("fr", "Il a 2 345 678 €.", "Il a environ deux virgule trois millions d'euros."),
        (
            "es",
            "Ayer hubo 1.245.678 votos.",
            "Ayer hubo alrededor de uno coma dos millones de votos.",
        ),
        ("ko", "모두 12,345명이 왔다.", "모두 약 만 이천삼백명이 왔다."),
    ],
)
def test_what_is_rounded_can_be_said(language: str, written: str, said: str) -> None:
    assert speakable(rounded(written, language), language) == said


@given(some.integers(10_000, 10**12))
def test_what_is_said_is_near_to_what_was_written(number: int) -> None:
    said = rounded(f"It counted {number:,} votes.", "en")
    found = re.fullmatch(r"It counted (?:about )?([\d,.]+)( million| billion)? votes\.", said)
    assert found
    times = {"": 1, " million": 10**6, " billion": 10**9}[found[2] or ""]
    value = Fraction(found[1].replace(",", "")) * times
    assert abs(value - number) <= number / 20
    assert len(found[1].replace(",", "").replace(".", "").rstrip("0")) <= 3
    assert rounded(said, "en") == said


@given(some.text(max_size=200), some.sampled_from((*LANGUAGES, "xx", "")))
def test_any_text_is_taken_and_one_without_long_numbers_stays(text: str, language: str) -> None:
    if not re.search(r"\d\D{1,2}\d|만", text):
        assert rounded(text, language) == text
    else:
        assert rounded(text, language)
