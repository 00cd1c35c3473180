"""Names of tags: what is taken, and which two are one."""

from __future__ import annotations

import pytest

from newsloom.reading import tag_names as tags


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("  To   read ", "To read"),
        ("#sea", "sea"),
        ("Cafe\u0301", "Caf\u00e9"),  # composed
        ("a\u202eb", "ab"),  # nothing that turns the direction of what stands beside it
        ("C++ & co.", "C++ & co."),
        ("👩\u200d🚀", "👩\u200d🚀"),
        ("x" * 60, "x" * 60),
    ],
)
def test_names_as_they_are_kept(typed, kept):
    assert tags.name(typed) == kept
    assert tags.name(kept) == kept


@pytest.mark.parametrize("typed", ["", " # ", "\u200b", "x" * 61, "a,b", 'say "so"', "\u200d", "́"])
def test_names_that_are_refused(typed):
    with pytest.raises(ValueError, match="tag"):
        tags.name(typed)


def test_names_that_are_one():
    assert tags.key("Straße") == tags.key("STRASSE")
    assert tags.key("Ärger") == tags.key("A\u0308RGER") != tags.key("Arger")
    assert tags.names("Sea, ,sea,Trains, SEA") == ("Sea", "Trains")
