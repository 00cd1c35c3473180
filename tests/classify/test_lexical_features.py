"""Which cue hears what, and that no text can break or stall them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsloom.ranking.learning.lexical_features import WORDS, lexical_features

HEARD = {
    "live": ("Live: cabinet meets on alert levels", "", "a live report by its title"),
    "a stream": ("LIVESTREAM: House hearing", "", "an edition of the day by its title"),
    "breaking": ("Breaking: bridge closed", "", "an alert by its title"),
    "a bulletin": ("Midday bulletin Sep 8", "", "an update by its title"),
    "weather": ("Cyclone nears the coast", "", "weather or danger by its title"),
    "a guide": ("How to prune roses", "", "a guide or explainer by its title"),
    "a question": ("Is the bus late?", "", "a question for a title"),
    "history": ("A short history of glass", "", "history or a life by its title"),
    "speech": ("Mayor warns of cuts", "", "someone says something in the title"),
    "an event": ("Two killed in crash", "", "something happened by its title"),
    "a plan": ("Council set to vote next week", "", "something is to come by its title"),
    "a weekday": ("Rail strike on Monday", "", "a day in the title"),
    "a version": ("Ardent 8.10 is out", "", "a version in the title"),
    "a series": ("Building a shed, part 3", "", "part of a series"),
    "code": ("What Event.preventDefault() does", "", "code in the title"),
    "the writer": (
        "A walk",
        "I went up the hill and lost my hat.",
        "the writer speaks of themselves",
    ),
    "today": ("A vote", "It was passed this morning.", "it speaks of today or this week"),
    "an agency": ("A vote", "ANKARA, Feb 17 (Reuters) - It passed.", "it is an agency report"),
    "officials": ("A vote", "Police said so.", "police, courts or officials act in it"),
}


@pytest.mark.parametrize(("title", "text", "words"), HEARD.values(), ids=HEARD.keys())
def test_a_cue_hears(title, text, words):
    row, silence = lexical_features([title, "Pears"], [text, "Green."])
    column = WORDS.index(words)
    assert row[column] > 0
    assert silence[column] == 0


def test_plain_words_are_no_code():
    [row] = lexical_features(["Plain words here"], ["and there"])
    assert row[WORDS.index("code in the title")] == 0
    assert row[WORDS.index("it contains code or links")] == 0


def test_nothing_has_a_row_too():
    assert lexical_features([""], [""]).shape == (1, len(WORDS))
    assert lexical_features([], []).shape == (0, len(WORDS))


@given(st.text(max_size=400), st.text(max_size=800))
def test_every_cue_is_a_small_number(title, text):
    [row] = lexical_features([title], [text])
    assert ((row >= 0) & (row <= 700)).all()


@pytest.mark.parametrize(
    "unit", ["a", "a ", "'", "1/", "Aa ", "is been was ", "live ", "{<", "— ", "\u202e", "é́"]
)
def test_endless_texts_are_cut(unit):
    long = unit * 500_000
    assert (
        lexical_features([long], [long]).tolist()
        == lexical_features([long[:300]], [long[:600]]).tolist()
    )
