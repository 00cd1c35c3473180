"""What changed between two texts: nothing lost, any script, any length."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsloom.kernel.text.difference import MOST_PARTS, Change, Part, changed, difference, excerpt

KEPT, REMOVED, ADDED = Change.KEPT, Change.REMOVED, Change.ADDED


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("", "", []),
        ("Same.", "Same.", [(KEPT, "Same.")]),
        ("", "New.", [(ADDED, "New.")]),
        ("Old.", "", [(REMOVED, "Old.")]),
        (
            "Two people were hurt.",
            "Three people were hurt.",
            [(REMOVED, "Two"), (ADDED, "Three"), (KEPT, " people were hurt.")],
        ),
        (
            "The bridge is closed.",
            "The old bridge is closed again.",
            [(KEPT, "The "), (ADDED, "old "), (KEPT, "bridge is closed"), (ADDED, " again"),
             (KEPT, ".")],
        ),
        (
            "red fox runs",
            "blue cat runs",
            [(REMOVED, "red fox"), (ADDED, "blue cat"), (KEPT, " runs")],
        ),
        ("東京で会議", "大阪で会議", [(REMOVED, "東京"), (ADDED, "大阪"), (KEPT, "で会議")]),
        ("it's late", "it’s late", [(REMOVED, "it's"), (ADDED, "it’s"), (KEPT, " late")]),
        ("हिन्दी में", "हिन्दू में", [(REMOVED, "हिन्दी"), (ADDED, "हिन्दू"), (KEPT, " में")]),
        ("a <b> c", "a <i> c", [(KEPT, "a <"), (REMOVED, "b"), (ADDED, "i"), (KEPT, "> c")]),
        ("Ю́жный ветер", "Северный ветер", [(REMOVED, "Ю́жный"), (ADDED, "Северный"),
                                            (KEPT, " ветер")]),
    ],
    ids=[
        "nothing", "the same", "all new", "all gone", "a word for another", "words put in",
        "words with a space between are one change", "a script without spaces", "an apostrophe",
        "vowel signs",
        "markup is only signs", "a combining accent",
    ],
)  # fmt: skip
def test_what_changed(before, after, told):
    assert [(part.change, part.text) for part in difference(before, after)] == told


texts = st.text(max_size=60) | st.lists(
    st.sampled_from(["the", "tide", "rose", ".", " ", "\n", "東", "é", "👩\u200d🚀", "\ud800"]),
    max_size=40,
).map("".join)


@given(before=texts, after=texts)
def test_both_texts_can_be_read_out_of_the_difference(before, after):
    parts = difference(before, after)
    assert "".join(part.text for part in parts if part.change is not ADDED) == before
    assert "".join(part.text for part in parts if part.change is not REMOVED) == after
    assert changed(parts) is (before != after)
    assert all(part.text for part in parts)
    assert all(one.change is not other.change for one, other in pairwise(parts))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("word " * 200_000, "word " * 200_000 + "end"),
        (" ".join(map(str, range(60_000))), " ".join(map(str, range(60_000, 0, -1)))),
        (
            "".join(f"Sentence {n}. " for n in range(4_000)),
            "".join(f"Sentence {n}. " for n in range(1, 4_001, 2)),
        ),
        ("x" * 1_000_000, "y" * 1_000_000),
        ("?" * 200_000, "!" * 200_000),
    ],
    ids=["much the same", "many words turned round", "every second sentence", "one word", "signs"],
)
def test_a_long_text_is_compared_as_far_as_can_be(before, after):
    parts = difference(before, after)
    assert "".join(part.text for part in parts if part.change is not ADDED) == before
    assert "".join(part.text for part in parts if part.change is not REMOVED) == after
    assert len(parts) <= 4 * MOST_PARTS


def test_an_excerpt_keeps_the_changes_and_what_is_near():
    long = "word " * 500
    parts = difference(f"{long}old {long}", f"{long}new {long}")
    shown = excerpt(parts, around=20)
    assert [part for part in shown if part.change is not KEPT] == [
        Part(REMOVED, "old"),
        Part(ADDED, "new"),
    ]
    assert [len(part.text) < 30 for part in shown] == [True] * 4
    assert shown[0].text.startswith(" …")
    assert shown[-1].text.endswith("…")
    assert excerpt(difference("a", "b")) == difference("a", "b")


def test_sentences_that_stayed_stay_in_long_texts():
    """Texts of code have so many signs that they are compared sentence by sentence."""
    lines = [f"let value_{n} = io (call.one({n}), call.two[{n}]); // again.\n" for n in range(400)]
    same = "".join(lines)
    assert same.count(" ") < MOST_PARTS < sum(not one.isalnum() for one in same)
    found = difference(
        f"In C# it begins.\n{same}It ends in C#.", f"In F# it begins.\n{same}So it ends."
    )
    assert sum(len(part.text) for part in found if part.change is KEPT) > 0.9 * len(same)
