"""Laws every layer keeps, over generated copies, and a table of what matches."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsloom.duplicates.arrival import ARRIVAL
from newsloom.duplicates.incoming import identity
from newsloom.duplicates.values import Copy
from newsloom.kernel.ids import ArticleId, FeedId

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
A = Copy(
    feed_id=FeedId(1),
    guid="tag:news.test,2026:Story-1",
    url="https://www.news.test/story?utm_source=rss",
    canonical_url="https://news.test/2026/story",
    title="A story",
    length=900,
    content_hash="hash of a",
    dated=NOON,
    id=ArticleId(1),
    original=ArticleId(1),
)

copies = st.builds(
    Copy,
    feed_id=st.sampled_from((FeedId(1), FeedId(2))),
    guid=st.sampled_from(("", "a", "A", "b", "ß", "SS", "Ü", "ü")),
    url=st.just(""),
    canonical_url=st.sampled_from(
        ("", "https://e.com/", "https://e.com/news", "https://e.com/1/a", "https://e.com/?p=1")
    ),
    title=st.sampled_from(("", "?", "One thing", "one thing!", "Another")),
    length=st.integers(0, 2_000),
    content_hash=st.sampled_from(("x", "y")),
    dated=st.sampled_from((NOON, NOON - timedelta(days=10))),
    id=st.one_of(st.none(), st.integers(1, 5).map(ArticleId)),
    original=st.one_of(st.none(), st.integers(1, 5).map(ArticleId)),
)
layers = pytest.mark.parametrize("layer", ARRIVAL, ids=lambda layer: layer.name)


@layers
@given(a=copies, b=copies)
def test_keys_lose_no_match(layer, a, b):
    if layer.compare(a, b) is not None:
        assert layer.keys(a) & layer.keys(b)


@layers
@given(a=copies, b=copies)
def test_comparing_is_symmetric(layer, a, b):
    assert layer.compare(a, b) == layer.compare(b, a)


@layers
@given(a=copies)
def test_a_copy_with_keys_is_itself(layer, a):
    found = layer.compare(a, a)
    assert (found is not None) == bool(layer.keys(a))
    assert found is None or (found.layer == layer.name and 0 < found.score <= 1 and found.detail)


def test_layers_are_cheapest_first_and_named_once():
    assert [layer.name for layer in ARRIVAL] == ["guid", "url"]


GUIDS = {
    "same id": ({}, 1.0),
    "same id, all else changed at once": (
        {"title": "Other words", "canonical_url": "https://news.test/x/y", "content_hash": "b"},
        1.0,
    ),
    "same id, moved, weeks later, with a word of the title": (
        {
            "title": "The story ends",
            "canonical_url": "https://news.test/x/y",
            "content_hash": "b",
            "dated": NOON + timedelta(days=30),
        },
        1.0,
    ),
    "same id, nothing else, weeks later": (
        {
            "title": "Other words",
            "canonical_url": "https://news.test/x/y",
            "content_hash": "b",
            "dated": NOON + timedelta(days=30),
        },
        None,
    ),
    "id in another case, same link": (
        {"guid": "TAG:news.test,2026:story-1", "title": "Other", "content_hash": "b"},
        0.99,
    ),
    "id in another case, same text": (
        {"guid": "TAG:news.test,2026:story-1", "canonical_url": "https://news.test/x/y"},
        0.99,
    ),
    "id in another case, nothing else": (
        {
            "guid": "TAG:news.test,2026:story-1",
            "canonical_url": "https://news.test/x/y",
            "title": "Other",
            "content_hash": "b",
        },
        None,
    ),
    "same id in another feed": ({"feed_id": FeedId(2)}, None),
    "another id": ({"guid": "tag:news.test,2026:Story-2"}, None),
}


@pytest.mark.parametrize(("changes", "score"), GUIDS.values(), ids=GUIDS.keys())
def test_guid(changes, score):
    found = ARRIVAL[0].compare(A, replace(A, **changes))
    assert (None if found is None else found.score) == score


OTHER_FEED = {"feed_id": FeedId(2), "guid": "other"}
OTHER_TEXT = {"title": "Other", "content_hash": "b"}
SECTION = replace(A, canonical_url="https://news.test/podcast")
URLS = {
    "another feed": (A, OTHER_FEED, True),
    "another feed, other words": (A, OTHER_FEED | OTHER_TEXT, False),
    "another feed, same title": (A, OTHER_FEED | {"content_hash": "b"}, True),
    "the publisher's other feed, other words": (
        replace(A, publisher="news.test"),
        OTHER_FEED | OTHER_TEXT,
        True,
    ),
    "another feed of a server elsewhere, other words": (
        replace(A, publisher="planet.test"),
        OTHER_FEED | OTHER_TEXT,
        False,
    ),
    "same feed, other id, same text": (A, {"guid": "other"}, True),
    "same feed, other id, same title": (A, {"guid": "other", "content_hash": "b"}, True),
    "same feed, other id, other words": (A, {"guid": "other", **OTHER_TEXT}, False),
    "a page that changes": (SECTION, OTHER_FEED | OTHER_TEXT, False),
    "a page that changes, same title": (SECTION, OTHER_FEED | {"content_hash": "b"}, True),
    "another address": (A, OTHER_FEED | {"canonical_url": "https://news.test/b"}, False),
    "a home page": (replace(A, canonical_url="https://news.test/"), OTHER_FEED, False),
    "no address": (replace(A, canonical_url=""), OTHER_FEED, False),
}


@pytest.mark.parametrize(("copy", "changes", "same"), URLS.values(), ids=URLS.keys())
def test_url(copy, changes, same):
    assert (ARRIVAL[1].compare(copy, replace(copy, **changes)) is not None) == same


@pytest.mark.parametrize(
    ("given_", "expected"),
    [
        ((" tag:1 \n", "https://e.com/a", "hash"), "tag:1"),
        (("a  b", "", "hash"), "a b"),
        (("", "https://e.com/a", "hash"), "https://e.com/a"),
        (("  ", "", "hash"), "hash"),
        (("\u200b", "", "hash"), "hash"),
    ],
)
def test_identity(given_, expected):
    assert identity(*given_) == expected


def test_a_body_put_into_the_id_is_shortened():
    long, other = identity("a" * 5_000, "", ""), identity("a" * 4_999 + "b", "", "")
    assert len(long) == len(other) == 32
    assert long != other
