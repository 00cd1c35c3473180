"""Search: finds what is there, and takes whatever is typed."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from newsloom.store.search import expression
from newsloom.types import PlainText

from .builders import HALF_LIVES, NOW, TEXT, add, article, publish, revised


@pytest.fixture
def texts(store, reader, feed):
    """Articles by name, with these texts."""
    written = {
        "cars": ("Electric cars", "Batteries for every car"),
        "trains": ("Night trains", "Electric trains cross Österreich"),
        "cats": ("Cats", "They sleep. " + "They sleep more. " * 400 + "xylophone"),
    }
    ids = dict(zip(written, add(store, feed, *written), strict=True))
    store.put_texts(TEXT, [PlainText(ids[name], *text) for name, text in written.items()])
    return ids


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("electric", ["cars", "trains"]),
        ("electric cars", ["cars"]),
        ("cars electric", ["cars"]),
        ("ELECTRIC", ["cars", "trains"]),
        ("elec", ["cars", "trains"]),
        ("elec ", []),
        ("osterreich", ["trains"]),
        ("xylophone", ["cats"]),
        ("dogs", []),
        ("electric dogs", []),
        ("", []),
        ("   ", []),
        ("-", []),
        ("electric -", ["cars", "trains"]),
        ('"', []),
        ("cars OR cats", []),
        ("NOT cats", []),
        ("title:cats", []),
        ("electric*", ["cars", "trains"]),
        ("night-trains", ["trains"]),
        ("electric AND cars", []),
        ("NEAR(electric cars)", []),
        ("a\0b", []),
    ],
)
def test_words_are_only_words(store, reader, texts, words, found):
    ids = [one.id for one in store.search(reader, words, 10, NOW, HALF_LIVES)]
    assert ids == [texts[name] for name in found]


def test_title_comes_before_text(store, reader, texts):
    assert store.search(reader, "electric", 1, NOW, HALF_LIVES)[0].id == texts["cars"]


def test_search_is_bounded_to_the_readers_articles(store, texts):
    assert store.search(store.user("other", NOW), "electric", 10, NOW, HALF_LIVES) == ()


def test_a_revised_text_is_found_by_its_new_words_only(store, reader, feed, texts):
    publish(store, feed, revised(article(feed, "cars", title="Bicycles"), texts["cars"]))
    assert store.search(reader, "batteries", 9, NOW, HALF_LIVES)  # until the text is read again
    store.pending_texts(TEXT, 10)
    store.put_texts(TEXT, [PlainText(texts["cars"], "Bicycles", "Two wheels")])
    assert store.search(reader, "batteries", 9, NOW, HALF_LIVES) == ()
    assert [one.id for one in store.search(reader, "wheels", 9, NOW, HALF_LIVES)] == [texts["cars"]]


@settings(
    max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(words=st.text(max_size=40) | st.text(alphabet="\"*()-+^:{}ANDORNOTNEAR \t'", max_size=30))
def test_any_input_is_safe(store, reader, texts, words):
    assert len(store.search(reader, words, 5, NOW, HALF_LIVES)) <= 5


def test_endless_input_is_cut():
    assert len(expression("word " * 10_000).split()) == 32
