"""What is said for what is written: tables of cases by language, and laws over any text.

A table has lines of kind, written, spoken, parted by tabs; each was read as a newsreader would.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from newsloom.briefs.speakable import speakable
from newsloom.briefs.speakable.speaking import LANGUAGES
from newsloom.briefs.values import Pronunciation

# How many cases each table must have.
LEAST = {"en": 320, "de": 65, "es": 65, "fr": 65, "ko": 65}


def cases(language: str) -> list[tuple[str, str, str]]:
    lines = (Path(__file__).parent / f"{language}.tsv").read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines]
    return [(kind, written.replace("\\t", "\t"), said) for kind, written, said in rows]


ALL = [(language, *case) for language in LANGUAGES for case in cases(language)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_is_said_as_a_newsreader_says_it(language: str) -> None:
    table = cases(language)
    assert len(table) >= LEAST[language]
    wrong = [
        f"{kind}: {written!r} is {got!r}, not {said!r}"
        for kind, written, said in table
        if (got := speakable(written, language)) != said
    ]
    assert not wrong


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_said_stays_when_it_is_said_again(language: str) -> None:
    again = [(said, speakable(said, language)) for _, _, said in cases(language)]
    assert not [pair for pair in again if pair[0] != pair[1]]


@settings(max_examples=150, deadline=None)
@given(
    some.text(max_size=120) | some.sampled_from([written for _, _, written, _ in ALL]),
    some.sampled_from((*LANGUAGES, "en-GB", "nl", "ja", "ru", "xx", "", "a b")),
)
def test_any_text_is_said(text: str, language: str) -> None:
    said = speakable(text, language)
    assert bool(said) == bool(text.strip())
    if language[:2] in LANGUAGES:
        assert not any(one.isdigit() for one in said)
    assert not any(0x202A <= ord(one) <= 0x202E or ord(one) < 32 for one in said)


@settings(max_examples=100, deadline=None)
@given(
    some.lists(some.sampled_from([written for _, _, written, _ in ALL]), max_size=6).map(" ".join),
    some.sampled_from(LANGUAGES),
)
def test_cases_side_by_side_leave_no_digit(text: str, language: str) -> None:
    assert not any(one.isdigit() for one in speakable(text, language))


OWN = (
    Pronunciation("Nguyen", "win"),
    Pronunciation("Nguyen Van", "win van 7"),
    Pronunciation("SQL", "sequel"),
    Pronunciation("Reading", "Redding", "en"),
)


@pytest.mark.parametrize(
    ("language", "text", "said"),
    [
        ("en", "Mr. Nguyen won.", "Mister win won."),
        ("en", "nguyen van knows SQL", "win van 7 knows sequel"),
        ("en", "MySQL in Reading", "MySQL in Redding"),
        ("de", "Reading", "Reading"),
    ],
)
def test_a_readers_own_come_first_and_are_not_rewritten(
    language: str, text: str, said: str
) -> None:
    assert speakable(text, language, OWN) == said


@pytest.mark.parametrize(
    ("language", "text", "said"),
    [
        ("en-GB", "on 3/4/2026", "on April third, twenty twenty-six"),
        ("nl", "21 mensen", "eenentwintig mensen"),
        ("ja", "東京", "東京"),
        ("en", "😀", "."),
        ("en", "  ", ""),
    ],
)
def test_other_languages_and_nothing_to_say(language: str, text: str, said: str) -> None:
    assert speakable(text, language) == said


HOSTILE = (
    "1",
    "1.",
    "1,",
    "(",
    "<a",
    "1-",
    "A.",
    "$1",
    "1/",
    "@a",
    "#a",
    "a.b",
    "&",
    "'",
    "1 ",
    "*",
)


@pytest.mark.parametrize("language", [*LANGUAGES, "nl"])
def test_hostile_text_takes_steps_in_proportion(language: str) -> None:
    """Calls of Python per character do not grow; patterns are bounded, held by the time limit."""

    def steps(text: str) -> int:
        count = 0

        def each(*_: object) -> None:
            nonlocal count
            count += 1

        sys.setprofile(each)
        try:
            speakable(text, language)
        finally:
            sys.setprofile(None)
        return count

    for unit in HOSTILE:
        speakable(unit * 20, language)
        short, long = unit * (2_000 // len(unit)), unit * (16_000 // len(unit))
        assert steps(long) <= 9 * steps(short) + 2_000, unit
