"""Topics: their labels, leads and keys; trends that one feed cannot make."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsloom.articles.terms import terms
from newsloom.kernel.ids import ArticleId
from newsloom.topics.grouping import LONGEST_LABEL, TopicArticle, label, matched, topics
from newsloom.topics.tfidf import shipped
from newsloom.topics.trends import Watched, at_least, trends

NOW = datetime(2026, 11, 21, tzinfo=UTC)


def article(number, title, text="", importance=50.0, tier=3):
    return TopicArticle(
        ArticleId(number), title, text, "en", importance, tier, NOW,
        shipped().weighted(terms(title, text, "en")),
    )  # fmt: skip


FERRY = [
    article(1, "Ferry strike halts harbour crossings"),
    article(2, "Harbour crossings stop as ferry crews strike"),
    article(3, "Ferry strike: harbour crossings suspended"),
]


def places(*names):
    """What finds a place in the first titles that it is given."""
    return lambda texts: [[("place", one)] for one in names] + [()] * (len(texts) - len(names))


OTHERS = [article(9, "Chess champion retires after thirty years")]


def test_articles_on_one_matter_are_one_topic():
    found, alone = topics([*FERRY, *OTHERS])
    assert [set(one.articles) for one in found] == [{1, 2, 3}]
    assert alone == (9,)


def test_a_label_reads_as_printed_and_begins_with_the_name():
    found, _alone = topics(FERRY, names=places("Rotterdam", "Rotterdam"))
    name, _colon, rest = found[0].label.partition(": ")
    assert name == "Rotterdam"
    words = rest.split(", ")
    assert 1 <= len(words) <= 3
    printed = " ".join(one.title for one in FERRY).lower()
    assert all(word.lower() in printed for word in words)
    assert len(set(words)) == len(words)


def test_a_name_that_few_have_stands_before_no_label():
    few = [article(one, "Ferry strike in harbour") for one in range(5)]
    assert "Oslo" not in topics(few, names=places("Oslo"))[0][0].label


def test_a_date_is_no_name():
    found, _alone = topics(FERRY, names=lambda texts: [[("date", "Thursday")]] * len(texts))
    assert "Thursday" not in found[0].label


def test_ties_for_the_lead_go_by_importance_then_tier():
    same = "Ferry strike halts harbour crossings"
    a, b, c = article(1, same), article(2, same, importance=60.0), article(3, same, tier=1)
    assert topics([a, b, c])[0][0].articles == (2, 3, 1)


@given(title=st.text(max_size=300), name=st.text(max_size=300))
def test_any_title_gives_a_bounded_label(title, name):
    one = article(1, title)
    text = label([one, one], one.terms, [[("person", name)]] * 2)
    assert len(text) <= LONGEST_LABEL
    assert "\n" not in text
    assert "\u202e" not in text


def test_an_empty_window_has_no_topics():
    assert topics([]) == ((), ())


def test_a_topic_keeps_its_key_in_the_next_window():
    centre = topics(FERRY)[0][0].centre
    other = topics([article(4, "Chess champion retires"), article(5, "Chess champion retires")])
    assert matched({"k1": centre}, [other[0][0].centre, centre]) == ["", "k1"]


def test_one_key_is_given_once():
    centre = topics(FERRY)[0][0].centre
    assert sorted(matched({"k1": centre}, [centre, centre])) == ["", "k1"]


BUSY = (100, 100, 100)


@pytest.mark.parametrize(
    ("watched", "emerging", "declining"),
    [
        pytest.param(Watched("new", 20, 12, (0, 0, 0)), ["new"], [], id="from nowhere"),
        pytest.param(Watched("gone", 0, 0, (20, 20, 20)), [], ["gone"], id="to nothing"),
        pytest.param(Watched("same", 9, 5, (5, 4, 6)), [], [], id="as ever"),
        pytest.param(Watched("flood", 400, 1, (0, 0, 0)), [], [], id="one feed posts 400"),
        pytest.param(Watched("small", 4, 2, (0, 0, 0)), [], [], id="too few to tell"),
    ],
)
def test_trends(watched, emerging, declining):
    up, down = trends([watched], 100, BUSY)
    assert ([one.label for one in up], [one.label for one in down]) == (emerging, declining)


def test_more_sources_in_all_are_no_trend():
    """Twice as many feeds are followed now, so every topic has twice as many sources."""
    assert trends([Watched("all", 20, 10, (5, 5, 5))], 200, BUSY) == ((), ())


def test_of_a_hundred_chances_few_are_told():
    watched = [Watched(f"t{one}", 5, 3 + one % 4, (4, 4, 4)) for one in range(100)]
    assert trends(watched, 100, BUSY) == ((), ())


@pytest.mark.parametrize(
    ("hits", "tries", "share", "expected"),
    [(0, 5, 0.5, 1.0), (5, 5, 0.5, 0.03125), (1, 2, 0.5, 0.75), (6, 5, 0.5, 0.0), (3, 3, 1.0, 1.0)],
)
def test_the_binomial_tail(hits, tries, share, expected):
    assert at_least(hits, tries, share) == pytest.approx(expected)
