"""What templates show: words, addresses and curves out of values."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsloom.feeds.values.published import Enclosure
from newsloom.kernel.ids import ArticleId, FeedId
from newsloom.kernel.text.ages import age_words
from newsloom.ranking.values.models import Explanation, Rating, Reason
from newsloom.reading.values.reading import ArticleState, Listed
from newsloom.web import view, wording

NOW = datetime(2026, 11, 20, 9, 30, tzinfo=UTC)
LISTED = Listed(
    id=ArticleId(5),
    title="A title",
    url="https://a.example/5",
    source="a.example",
    feed_id=FeedId(1),
    feed_title="A feed",
    dated=NOW - timedelta(hours=3),
    relevance=80.0,
    sensitivity=4,
    score=79.3,
    state=ArticleState(),
)


@pytest.mark.parametrize(
    ("age", "words"),
    [
        (timedelta(seconds=-5), "now"),
        (timedelta(seconds=59), "now"),
        (timedelta(minutes=1), "1 min"),
        (timedelta(minutes=59, seconds=59), "59 min"),
        (timedelta(hours=1), "1 h"),
        (timedelta(hours=23, minutes=59), "23 h"),
        (timedelta(days=1), "1 d"),
        (timedelta(days=13), "13 d"),
        (timedelta(days=14), "2 wk"),
        (timedelta(days=59), "8 wk"),
        (timedelta(days=61), "2 mo"),
        (timedelta(days=729), "23 mo"),
        (timedelta(days=731), "2 y"),
        (timedelta(days=20_000), "54 y"),
    ],
    ids=str,
)
def test_an_age_is_one_number_and_one_unit(age: timedelta, words: str) -> None:
    assert age_words(age) == words


@pytest.mark.parametrize(
    ("span", "words"),
    [
        (timedelta(minutes=1), "1 minute"),
        (timedelta(hours=6), "6 hours"),
        (timedelta(days=10), "10 days"),
        (timedelta(days=30), "30 days"),
        (timedelta(days=183), "6 months"),
        (timedelta(days=365), "1 year"),
    ],
    ids=str,
)
def test_a_span_is_said_in_a_sentence(span: timedelta, words: str) -> None:
    assert wording.span_words(span) == words


@pytest.mark.parametrize(
    ("url", "kept"),
    [
        ("https://a.example/x?y=1#z", True),
        ("HTTP://a.example", True),
        ("javascript:alert(1)", False),
        (" javascript:alert(1)", False),
        ("java\nscript:alert(1)", False),
        ("data:text/html,<script>alert(1)</script>", False),
        ("vbscript:x", False),
        ("//a.example/x", False),
        ("/x", False),
        ("https:///x", False),
        ("http://[::1", False),
        ("", False),
    ],
)
def test_only_web_addresses_are_followed(url: str, kept: bool) -> None:
    assert bool(wording.web_address(url)) is kept


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("  two\n lines\t", "two lines"),
        ("nul\0bell\x07", "nul bell"),
        ("a" + "\u0301" * 50, "a" + "\u0301" * 4),
        ("Tiếng Việt đẹp", "Tiếng Việt đẹp"),
        ("abcdefghijklmnopqrstuvwxyz", "abcdefghijklmnopqrst…"),
        ("abcdefghijklmnopqrs e\u0301e\u0301 tail", "abcdefghijklmnopqrs…"),
        ("", ""),
    ],
    ids=[
        "white space",
        "controls",
        "tower of marks",
        "two marks a letter",
        "cut",
        "cut whole",
        "none",
    ],
)
def test_foreign_text_becomes_one_short_line(text: str, cleaned: str) -> None:
    assert wording.clean(text, 20) == cleaned


@given(st.text(max_size=400))
def test_clean_text_is_short_and_has_no_controls(text: str) -> None:
    cleaned = wording.clean(text, 50)
    assert len(cleaned) <= 51
    assert "\n" not in cleaned
    assert "\0" not in cleaned
    assert cleaned == cleaned.strip()


@pytest.mark.parametrize(
    ("tag", "kept"),
    [("en", "en"), ("zh-Hant-TW", "zh-Hant-TW"), ('en" onload="x', ""), ("", ""), ("english", "")],
)
def test_a_language_is_a_tag_or_nothing(tag: str, kept: str) -> None:
    assert wording.language(tag) == kept


def test_a_row_survives_empty_and_wild_fields() -> None:
    wild = replace(
        LISTED, title="", url="javascript:x", score=140.0, sensitivity=9, also_in=1, language="x y"
    )
    row = view.row(wild, NOW)
    assert (row.title, row.url, row.score, row.language) == ("Untitled", "", 100, "")
    assert row.also == "also in 1 feed"
    assert row.fading == view.FADING[3]


def test_an_article_without_a_title_is_called_by_its_first_words() -> None:
    long = "The new slipway is open, and two boats came down today to be painted before the winter."
    for text, title, rest in (
        ("The tide is in.", "The tide is in.", ""),
        (long, long[:80].rpartition(" ")[0].rstrip(",") + "…", None),
        ("One\nTwo", "One Two", ""),
        ("", "Picture" if LISTED.image else "Untitled", ""),
        ("快乐" * 60, "快乐" * 39 + "快…", None),
    ):
        row = view.row(replace(LISTED, title="", excerpt=text), NOW)
        assert row.title == title
        assert len(row.title) <= 80
        shown = row.title.removesuffix("…") + (" " if " " in text and rest is None else "")
        assert row.excerpt == (" ".join(text.split())[len(shown) :] if rest is None else rest)


@given(
    relevance=st.floats(0, 100),
    age=st.timedeltas(timedelta(0), timedelta(days=4_000)),
    half_life=st.timedeltas(timedelta(hours=1), timedelta(days=400)),
)
def test_a_decay_curve_falls_and_stays_in_its_box(
    relevance: float, age: timedelta, half_life: timedelta
) -> None:
    curve = view.decay_curve(relevance, age, half_life)
    points = [
        tuple(map(float, point.split(","))) for point in f"{curve.past} {curve.future}".split()
    ]
    assert all(0 <= x <= view.CURVE_WIDTH and 0 <= y <= view.CURVE_HEIGHT for x, y in points)
    assert [x for x, _y in points] == sorted(x for x, _y in points)
    assert [y for _x, y in points] == sorted(y for _x, y in points)
    assert (curve.now_x, curve.now_y) in points


def test_the_widest_reason_fills_its_half() -> None:
    bars = view.reason_bars(
        (
            Reason("interest", "tides", 10.0),
            Reason("feed", "A feed", -5.0),
            Reason("prior", "start"),
        )
    )
    assert [(bar.start, bar.length, bar.effect) for bar in bars] == [
        (50.0, 50.0, "+10"),
        (25.0, 25.0, "−5"),
        (50.0, 0.0, ""),
    ]


def test_no_reason_makes_no_bar() -> None:
    assert view.reason_bars(()) == ()


def test_an_explanation_says_what_is_left() -> None:
    explanation = Explanation(
        listed=LISTED,
        personal=False,
        made_by="starting order",
        reasons=(),
        rating=Rating(4, 0.0, "not rated yet"),
        half_life=timedelta(days=10),
        age=timedelta(days=10),
        remaining=0.5,
    )
    shown = view.why(explanation, NOW)
    assert (shown.remaining, shown.half_life, shown.age) == ("50", "10 days", "10 days")
    assert shown.confidence == ""


def test_attachments_are_named_by_their_file() -> None:
    shown = view.attachments(
        (
            Enclosure("https://a.example/talk.mp3?x=1", "audio/mpeg", 8_400_000),
            Enclosure("https://a.example/", "text/x-weird", 900),
            Enclosure("javascript:alert(1)", "audio/mpeg"),
        )
    )
    assert [(one.name, one.kind, one.words) for one in shown] == [
        ("talk.mp3", "audio", "audio/mpeg, 8.4 MB"),
        ("https://a.example/", "file", "text/x-weird, 1 kB"),
    ]
