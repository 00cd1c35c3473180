"""Sentences that are never chosen for a summary, and those beside them that may be."""

from __future__ import annotations

import pytest

from newsloom.summaries.boilerplate import tells_nothing


@pytest.mark.parametrize(
    "sentence",
    [
        "Watch the latest media briefing here.",
        "The station broadcasts a special service at dawn - you can watch it here.",
        "Read our guide to the new rules for travellers here.",
    ],
)
def test_an_invitation_to_look_elsewhere_tells_nothing(sentence):
    assert tells_nothing(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "The union leader said that there was no future for the crews here.",
        "Watch repairers in the old town have lost half of their trade since spring.",
        "Residents came to see what the minister had promised to build here in May.",
    ],
)
def test_a_sentence_with_the_same_words_may_tell_something(sentence):
    assert not tells_nothing(sentence)
