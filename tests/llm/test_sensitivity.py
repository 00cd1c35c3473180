"""The question and the reading of its answer, as laws over any text."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from llm.world import about
from newsloom.llm.purpose import Unusable
from newsloom.llm.untrusted import BYTES_PER_TOKEN, inert
from newsloom.ranking import purposes as sensitivity
from newsloom.ranking.purposes import (
    CONFIDENCES,
    LONGEST_EXPLANATION,
    SCHEMA,
    SENSITIVITY,
)
from newsloom.ranking.values.models import Rating

SIGNS = "0123456789abcdef"
ANY = st.text(max_size=300)


@given(ANY, st.text(max_size=3_000), st.integers(512, 8_192))
def test_a_question_fits_and_shows_only_what_a_reader_sees(title, text, context):
    prompt = sensitivity.prompt(about(title, text), SIGNS, context)
    lines = prompt.user.split("\n")
    assert prompt.system == sensitivity.RUBRIC
    assert lines[0] == lines[-2] == SIGNS
    assert len(lines) in {4, 5}
    assert all(line.isprintable() for line in lines)
    most = (context - sensitivity.ANSWER_TOKENS - sensitivity.RUBRIC_TOKENS) * BYTES_PER_TOKEN
    assert len(prompt.user.encode()) <= max(most, sensitivity.LEAST_ARTICLE_BYTES + 120)


@given(st.text(max_size=500))
def test_any_answer_is_a_rating_or_words(answer):
    found = sensitivity.parse(answer)
    assert isinstance(found, Unusable)
    assert found.words


@given(st.recursive(st.none() | st.booleans() | st.floats() | st.integers() | ANY, st.lists))
def test_only_a_whole_number_from_1_to_5_is_a_score(score):
    said = json.dumps({"score": score, "confidence": "high", "explanation": ""})
    good = type(score) is int and 1 <= score <= 5
    assert isinstance(sensitivity.parse(said), Rating) is good


@given(ANY, st.sampled_from(list(CONFIDENCES)), st.integers(1, 5))
def test_an_explanation_is_one_inert_line(words, confidence, score):
    said = json.dumps({"score": score, "confidence": confidence, "explanation": words})
    found = sensitivity.parse(said)
    assert isinstance(found, Rating)
    assert (found.rating, found.confidence) == (score, CONFIDENCES[confidence])
    assert len(found.explanation) <= LONGEST_EXPLANATION
    assert found.explanation.isprintable()
    assert not set(found.explanation) & set("<>[]{}`*#|\\~")


@pytest.mark.parametrize(
    ("words", "left"),
    {
        "link": ("see [this](http://evil.test/x) now", "see this now"),
        "picture": ("a ![b](http://evil.test/?q=1) c", "a c"),
        "address": ("go to https://evil.test/a?b=c today", "go to today"),
        "address without a scheme": ("go //evil.test/x or www.evil.test now", "go or now"),
        "script": ("a<script>alert(1)</script>b", "ab"),
        "escaped script": ("a&lt;script&gt;alert(1)&lt;/script&gt;b", "ab"),
        "javascript": ("click javascript:alert(1) now", "click now"),
        "escapes": ("\x1b[31mred\x1b[0m \x1b]8;;http://evil.test\x07link\x1b]8;;\x07", "red link"),
        "direction": ("\u202eabc\u202c \u2066d\u2069", "abc d"),
        "lines": ("a\n\n- b\r\n# c", "a - b c"),
        "markdown": ("**a** `b` ~~c~~ | d", "a b c d"),
        "plain": ("Ärger im Rathaus: 3,5 % mehr (vorläufig).",) * 2,
        "another script": ("これは速報です。",) * 2,
    }.values(),
)
def test_words_are_made_plain(words, left):
    assert inert(words, LONGEST_EXPLANATION) == left


def test_the_schema_is_what_the_reading_wants():
    assert set(SCHEMA["required"]) == set(SCHEMA["properties"])
    assert SCHEMA["additionalProperties"] is False
    assert SCHEMA["properties"]["explanation"]["maxLength"] == LONGEST_EXPLANATION


def test_the_maker_names_the_model_and_the_prompt():
    assert SENSITIVITY.producer("ministral-8b") == f"chat/ministral-8b/{sensitivity.PROMPT_VERSION}"
