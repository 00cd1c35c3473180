"""Laws that every layer of signatures keeps, over generated articles in many scripts."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from newsloom.duplicates.layers import TEXT
from newsloom.duplicates.signing import sign
from newsloom.duplicates.values import PROFILES, Thresholds
from signed import NOON, article, articles, edited, prose, signed, vocabulary

NAMES = ("angela merkel", "berlin", "united nations", "tuesday", "nasa", "paris")


@st.composite
def pairs(draw):
    """Two signatures, the second often made of the first."""
    first = draw(articles)
    second = draw(articles)
    kind = draw(st.sampled_from(("other", "same text", "same title", "near title", "near text")))
    if kind == "same text":
        second = replace(second, text=first.text)
    elif kind == "same title":
        second = replace(second, title=first.title)
    elif kind == "near title":
        words = first.title.split()
        place = draw(st.integers(0, max(len(words) - 1, 0)))
        words[place : place + 1] = draw(st.sampled_from(([], ["ren"], ["ren", "stoka"], ["7"])))
        second = replace(second, title=" ".join(words))
    elif kind == "near text":
        second = replace(second, text=edited(first.text, 0.1, seed=draw(st.integers(1, 9))))
    a, b = sign([first, second])
    return _with_entities(draw, a), _with_entities(draw, b)


def _with_entities(draw, signature):
    names = draw(st.lists(st.sampled_from(range(len(NAMES))), unique=True))
    return replace(
        signature,
        names=tuple(names),
        entities=draw(
            st.one_of(st.none(), st.just(frozenset(f"person:{NAMES[n]}" for n in names)))
        ),
        dated=NOON + timedelta(hours=draw(st.sampled_from((0, 5, 20, 30)))),
    )


layers = pytest.mark.parametrize("layer", TEXT, ids=lambda layer: layer.name)
thresholds = st.one_of(
    st.sampled_from(tuple(PROFILES.values())),
    st.builds(
        Thresholds,
        title_jaccard=st.sampled_from((0.5, 0.85, 1.0)),
        short_title_jaccard=st.sampled_from((0.5, 0.95)),
        title_levenshtein=st.sampled_from((0.5, 0.9)),
        simhash_distance=st.sampled_from((0, 3, 20)),
        containment=st.sampled_from((0.3, 0.5)),
        minhash_jaccard=st.sampled_from((0.3, 0.7)),
        shared_sentences=st.sampled_from((1, 2)),
    ),
)


@layers
@settings(max_examples=40)
@given(pair=pairs(), limits=thresholds)
def test_keys_lose_no_match_and_order_makes_no_difference(layer, pair, limits):
    a, b = pair
    found = layer.compare(a, b, limits)
    assert layer.compare(b, a, limits) == found
    if found is not None:
        assert layer.keys(a) & layer.keys(b)
        assert found.layer == layer.name
        assert 0 < found.score <= 1
        assert found.detail


@settings(max_examples=30)
@given(one=articles)
def test_an_article_is_itself_where_it_has_anything_to_compare(one):
    signature = sign([one])[0]
    for layer in TEXT[:2]:
        found = layer.compare(signature, signature, Thresholds())
        assert (found is not None) == bool(layer.keys(signature))
        assert found is None or found.score == 1


def test_titles_meet_wherever_their_words_are_alike():
    """Every way to the seed's threshold: the sizes, and how many words are whose."""
    words = list(dict.fromkeys(vocabulary(400)))
    nothing = signed()

    def keys(some):
        return TEXT[0].keys(replace(nothing, title=" ".join(some)))

    checked = 0
    for size, gone, more in product(range(1, 41), range(7), range(7)):
        if size - gone < 0.85 * (size + more):
            continue
        for start in range(0, 100, 20):
            mine = words[start : start + size]
            theirs = mine[gone:] + words[200 + start : 200 + start + more]
            assert keys(mine) & keys(theirs), (size, gone, more)
            checked += 1
    assert checked > 1_000


def test_keys_of_each_layer_are_few_64_bit_numbers():
    one = signed(prose(200), "Fire in the old harbour of Lorent")
    found = {layer.name: layer.keys(one) for layer in TEXT}
    assert all(found.values())
    assert all(-(2**63) <= key < 2**63 for keys in found.values() for key in keys)
    assert sum(map(len, found.values())) < 40
    assert not any(layer.keys(sign([article()])[0]) for layer in TEXT)
