"""Stories that articles belong to: laws of pairs, of the linker and of the stream."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from numpy.typing import NDArray

from newsloom.kernel.ids import ArticleId
from newsloom.stories.linking import DayCounts, Linker
from newsloom.stories.placing import Placing
from newsloom.stories.prepared import Background, Prepared, Rows, prepare, rows_of, stepped
from newsloom.stories.same_event import DISTANCE, SameEvent
from newsloom.stories.values.pages import Apart, Piece, StoryArticle, StoryId
from newsloom.topics.tfidf import EMPTY
from newsloom_lab.evaluate import streams

EVENTS = (
    "Earthquake strikes Lima harbour",
    "Bank of Freedonia raises interest rates",
    "Ferry sinks off Zembla coast",
    "Ruritania elects first woman president",
)
NOON = datetime(2026, 11, 1, 12, tzinfo=UTC)


def made(
    number: int,
    title: str,
    vector: object,
    lead: str = "",
    dated: datetime | None = None,
    language: str = "",
    source: str = "",
) -> Prepared:
    piece = Piece(ArticleId(number), title, lead, dated, source, language)
    return prepare(piece, np.asarray(vector, np.float64), Background(EMPTY))


def reports(many: int = 24, seed: int = 1) -> list[Prepared]:
    """Reports of the events in turn, in directions near to each event's own."""
    chance = np.random.default_rng(seed)
    axes = np.eye(16)
    return [
        made(
            number,
            f"{EVENTS[number % 4]} {['today', 'report', 'officials', 'live'][number % 3]}",
            axes[number % 4] + 0.05 * chance.standard_normal(16),
            lead=f"{EVENTS[number % 4]}, it was said.",
            dated=NOON + timedelta(hours=number),
        )
        for number in range(1, many + 1)
    ]


def streamed(articles: list[Prepared], batch: int = 8) -> tuple[Linker, list[StoryId | None]]:
    linker, last = Linker(), 0
    for start in range(0, len(articles), batch):
        last = streams.place(linker, articles[start : start + batch], last).last
    return linker, [linker.story_of(one.piece.id) for one in articles]


def test_each_event_is_one_story_and_the_same_stream_gives_the_same_stories():
    articles = reports()
    linker, found = streamed(articles)
    assert linker.stories == 4
    assert all(len(set(found[event::4])) == 1 for event in range(4))
    assert streamed(articles)[1] == found


def test_equal_dates_may_come_in_any_order():
    articles = [made(n, EVENTS[n % 4], np.eye(16)[n % 4], dated=NOON) for n in range(1, 13)]
    groups = []
    for order in (articles, articles[::-1]):
        linker, _ = streamed(order, batch=12)
        groups.append({linker.members(one) for one in map(StoryId, range(1, 20))} - {()})
    assert groups[0] == groups[1]


def test_the_order_of_restoring_does_not_matter():
    articles = reports()
    stories = {StoryId(event + 1): articles[event::4] for event in range(4)}
    prepared = made(99, EVENTS[0], np.eye(16)[1], lead="Lima", dated=NOON)
    found = []
    for order in (list(stories), list(stories)[::-1]):
        linker = Linker()
        for story in order:
            linker.restore(story, stories[story][::-1] if order[0] != 1 else stories[story])
        assert linker.repairs() == ()
        found.append(linker.candidates(prepared))
    assert found[0] == found[1]
    assert found[0]


def test_what_is_forgotten_leaves_nothing():
    linker, articles = Linker(), reports(4)
    linker.place(articles[0], StoryId(1))
    assert linker.candidates(articles[0]) == ()  # an article is no candidate for itself
    assert linker.candidates(articles[1])
    linker.forget(StoryId(1))
    assert linker.stories == 0
    assert linker.candidates(articles[1]) == ()
    assert linker.repairs() == ()
    assert linker.story_of(ArticleId(1)) is None


def test_probabilities_of_pairs_are_symmetric_and_grow_with_the_cosine():
    judge = SameEvent()
    last = 0.0
    for cosine in np.linspace(-1.0, 1.0, 21):
        one = made(1, EVENTS[0], (1.0, 0.0), lead="Lima")
        other = made(2, EVENTS[1], (cosine, np.sqrt(max(1 - cosine**2, 0.0))), lead="Bank")
        there, back = judge.probability(one, other), judge.probability(other, one)
        assert there == pytest.approx(back)
        assert last <= there <= 1.0
        last = there


def test_an_explanation_names_what_is_shared_and_how_far_apart():
    parts = {part.name: part for part in SameEvent().explain(*reports(5)[::4])}
    assert "Lima" in parts["terms"].detail or "Bank" in parts["terms"].detail
    assert parts["time"].detail == "4 hours apart"


@pytest.mark.parametrize("value", [np.nan, np.inf, 0.0])
def test_a_vector_without_direction_is_refused(value):
    with pytest.raises(ValueError, match="finite"):
        made(1, "Title", (value, 0.0))


def test_a_vector_of_another_model_is_refused():
    linker = Linker()
    linker.place(made(1, "Title", (1.0, 0.0)), StoryId(1))
    with pytest.raises(ValueError, match="dimensions"):
        linker.place(made(2, "Title", (1.0, 0.0, 0.0)), StoryId(1))


@pytest.mark.parametrize("language", ["", "xx", "ja", "de-AT"])
def test_one_article_and_empty_texts_are_stories_of_their_own(language):
    assert streamed([made(1, "", (1.0, 0.0), language=language)])[0].stories == 1
    assert streamed([])[0].stories == 0
    apart = [made(1, "", (1.0, 0.0)), made(2, "", (0.0, 1.0), language=language)]
    assert streamed(apart)[0].stories == 2


def test_many_identical_titles_take_no_longer_each_than_few():
    linker = Linker()
    articles = [made(n, EVENTS[0], np.eye(16)[0]) for n in range(1, 10_001)]
    linker.restore(StoryId(0), articles)
    more = [made(n, EVENTS[0], np.eye(16)[0]) for n in range(20_000, 20_050)]
    began = time.process_time()
    streams.place(linker, more)
    assert time.process_time() - began < 10
    assert {linker.story_of(one.piece.id) for one in more} == {StoryId(0)}


def issue_of(number: int, title: str, source: str) -> Prepared:
    """One of a series: the same words, the same direction."""
    piece = Piece(ArticleId(number), title, "Linear maps for everyone.", NOON, source)
    return prepare(piece, np.eye(16)[0], Background(EMPTY))


def test_issues_of_one_publishers_series_are_no_story():
    lectures = [issue_of(n, f"Lecture {n}: Linear maps", "uni.example") for n in range(1, 6)]
    linker, found = streamed(lectures)
    assert len(set(found)) == linker.stories == 5
    assert SameEvent().probability(*lectures[:2]) < 0.01
    parts = SameEvent().explain(*lectures[:2])
    assert parts[0].name == "series"
    again = [
        issue_of(n, "Lecture 1: Linear maps", source)
        for n, source in ((1, "uni.example"), (2, "uni.example"), (3, "else.example"))
    ]
    assert streamed(again)[0].stories == 1  # the same issue, and another publisher's
    unknown = [issue_of(n, f"Lecture {n}: Linear maps", "") for n in (1, 2)]
    assert streamed(unknown)[0].stories == 1  # nobody knows whether it is one series


def test_live_pages_of_one_publisher_are_no_story():
    """However their series is called, and whichever day they name."""
    titles = ("Covid-19 live updates for Sunday 16 August", "As it happened: Covid-19 on Saturday")
    pages = [issue_of(n, title, "news.example") for n, title in enumerate(titles, start=1)]
    assert streamed(pages)[0].stories == 2
    report = issue_of(3, "Covid-19 updates its toll", "news.example")
    assert streamed([pages[0], report])[0].stories == 1
    elsewhere = issue_of(4, titles[1], "else.example")
    assert streamed([pages[0], elsewhere])[0].stories == 1


def test_what_is_expected_finds_what_is_found_one_by_one():
    chance = np.random.default_rng(3)
    known = [
        made(n, f"w{n} x{n % 7}", chance.standard_normal(16), dated=NOON) for n in range(1, 601)
    ]
    asked = [
        made(n, f"w{n - 300} x{n % 7}", known[n - 301].vector + 0.02, dated=NOON)
        for n in range(601, 641)
    ]
    found = []
    for together in (True, False):
        linker = Linker()
        for one in known:
            linker.restore(StoryId(int(one.piece.id)), [one])
        if together:
            linker.expect(asked)
        here = []
        for one in asked:
            best = linker.candidates(one)[0]  # of the others leaves may hide one or the other
            here.append((best.story, round(best.probability, 6)))
            linker.place(one, StoryId(int(one.piece.id)))
        found.append(here)
    assert found[0] == found[1]


def test_an_article_that_moves_is_found_where_it_is():
    linker, articles = Linker(), reports(8)
    for one in articles[:7]:
        linker.place(one, StoryId(1))
    linker.move(articles[3].piece.id, StoryId(2))
    assert linker.members(StoryId(2)) == (articles[3].piece.id,)
    assert linker.candidates(articles[7])[0].story == StoryId(2)
    other = made(4, EVENTS[1], np.eye(16)[5], dated=NOON)  # its text changed
    linker.place(other, StoryId(2))
    assert linker.candidates(articles[7])[0].probability < 0.2


def test_small_stories_are_grouped_anew():
    articles, linker = reports(9), Linker()
    for story, numbers in {1: (1, 2), 2: (5, 6)}.items():
        linker.restore(StoryId(story), [articles[n - 1] for n in numbers])
    both = [StoryId(1), StoryId(2)]
    assert linker.regrouped(both, frozenset()) == [[1, 5], [2, 6]]
    assert linker.regrouped(both, frozenset({ArticleId(1)})) == []


def test_a_title_that_the_other_article_has_brings_both_nearer():
    one = made(1, "Ferry sinks off Zembla", np.eye(4)[0], dated=NOON)
    others = [
        made(2, "Ferry sinks off Zembla", np.eye(4)[0], dated=NOON),
        made(3, "Nine drown", np.eye(4)[0], "A ferry sinks off Zembla.", NOON),
        made(4, "Nine drown", np.eye(4)[0], "A ferry burns.", NOON),
        made(5, "Parliament votes on pensions", np.eye(4)[0], dated=NOON),
    ]
    rows, slots = rows_of(others)
    titled = rows.titled(one, slots)
    assert titled == pytest.approx([1, 1 / 2, 1 / 6, 0])
    back = [rows_of([one])[0].titled(other, np.zeros(1, np.int64))[0] for other in others]
    assert back == pytest.approx(titled)
    none = np.zeros(len(others))
    distances = DISTANCE.of(rows.compare(one, slots), none, titled, none.astype(np.bool_))
    assert sorted(distances) == distances.tolist() == [*dict.fromkeys(distances)]


def distance(
    one: Prepared, held: Rows, slots: NDArray[np.int64], steps: bool = False
) -> NDArray[np.float64]:
    none, titled = np.zeros(len(slots)), held.titled(one, slots)
    return DISTANCE.of(held.compare(one, slots), none, titled, np.full(len(slots), steps))


@pytest.mark.parametrize(
    ("one", "other", "another"),
    [
        ("No new cases for 15th day in a row", "No new cases for 16th day in a row", True),
        ("Covid-19: updates on Saturday 15 August", "Updates for Sunday 16 August: Covid-19", True),
        ("Ferry sinks off Zembla, 11 dead", "Ferry sinks off Zembla, dozens missing", False),
        ("Ferry sinks off Zembla, 11 dead", "Ferry sinks off Zembla, 11 dead and 3 hurt", False),
        ("Ferry sinks off Zembla, 11 dead", "Bank robbed of 12 paintings", False),
        ("", "", False),
        ("15", "16", False),
    ],
)
def test_titles_of_one_frame_with_other_numbers_are_of_other_days(one, other, another):
    first, second = made(1, one, np.eye(4)[0]), made(2, other, np.eye(4)[0])
    assert stepped(first, [second, first]).tolist() == [another, False]
    assert stepped(second, [first]).tolist() == [another]


def test_another_number_counts_by_the_share_of_a_day_between():
    title = "No new cases for 15th day in a row"
    one = made(1, title, np.eye(4)[0], dated=NOON)
    days = (0.0, 0.25, 1.0, 3.0)
    dates = [NOON + timedelta(days=day) for day in days] + [None]
    held, slots = rows_of([made(n, title, np.eye(4)[0], dated=at) for n, at in enumerate(dates, 2)])
    more = distance(one, held, slots, steps=True) - distance(one, held, slots)
    assert more == pytest.approx(DISTANCE.stepped * np.array([0.0, 0.25, 1.0, 1.0, 0.0]))


def test_two_articles_of_one_publisher_are_farther_apart():
    axis, rows = np.eye(4)[0], {}
    for source in ("a.example", "b.example", ""):
        other = made(2, "Zembla ferry sinks", np.eye(4)[1], dated=NOON, source=source)
        rows[source] = rows_of([other])
    one = made(1, "Ferry sinks off Zembla", axis, dated=NOON, source="a.example")
    own, foreign, unknown = (distance(one, held, slots)[0] for held, slots in rows.values())
    assert own == pytest.approx(foreign + DISTANCE.source)
    assert unknown == foreign
    nobody = made(3, "Ferry sinks off Zembla", axis, dated=NOON)
    held, slots = rows[""]
    assert not held.compare(nobody, slots).sources.any(), "two unknown publishers are not one"


def ferries(others: int, dated: datetime) -> Linker:
    """Two stories on a ferry, and so many others of that day."""
    axes = np.eye(16)
    linker = Linker()
    linker.restore(StoryId(1), [made(1, "Ferry sinks off Zembla", axes[0], dated=NOON)])
    missing = "Ferry sinks, dozens of people missing"
    linker.restore(StoryId(2), [made(2, missing, axes[1] + 0.05 * axes[0], dated=NOON)])
    for number in range(3, 3 + others):
        linker.restore(StoryId(number), [made(number, f"w{number}", axes[2], dated=dated)])
    return linker


@pytest.mark.parametrize(("hours", "together"), [(0, True), (6, True), (24, False)])
def test_two_single_articles_a_day_apart_must_be_nearer(hours, together):
    linker, axes = ferries(2_000, NOON - timedelta(days=100)), np.eye(16)
    later = NOON + timedelta(hours=hours)
    missing = made(
        2, "Ferry sinks, dozens of people missing", axes[1] + 0.05 * axes[0], dated=later
    )
    linker.place(missing, StoryId(2))
    groups = linker.regrouped([StoryId(1), StoryId(2)], frozenset())
    assert ([1, 2] in groups) is together


@pytest.mark.parametrize(("days", "together"), [(100, True), (0, False)])
def test_among_more_competing_articles_small_stories_must_be_nearer(days, together):
    linker = ferries(2_000, NOON - timedelta(days=days))
    groups = linker.regrouped([StoryId(1), StoryId(2)], frozenset())
    assert ([1, 2] in groups) is together


def test_vectors_whitened_by_few_articles_must_be_nearer():
    long_ago = NOON - timedelta(days=100)
    reaches = [ferries(others, long_ago)._reach(2) for others in (10, 100, 1_998, 2_500)]
    assert reaches == sorted(reaches)
    assert reaches[0] < reaches[1] < reaches[2] == reaches[3]


@pytest.mark.parametrize(
    "apart",
    [
        Apart(),
        Apart(pinned=frozenset({ArticleId(1), ArticleId(5)})),
        Apart(stories=frozenset({(StoryId(1), StoryId(2))})),
        Apart(articles=frozenset({(ArticleId(1), StoryId(2)), (ArticleId(5), StoryId(1))})),
    ],
)
def test_two_stories_become_one_unless_a_reader_said_otherwise(apart):
    articles, linker = reports(9), Linker()
    linker.restore(StoryId(1), [articles[0]])
    linker.restore(StoryId(2), [articles[4]])
    piece = articles[8].piece
    article = StoryArticle(piece.id, piece.title, piece.lead, NOON, "", "")
    placing = Placing(linker, apart, NOON, 0, 2, lambda _article: "", {})
    changes = placing.place([(article, articles[8])])
    one, other, new = (linker.story_of(ArticleId(n)) for n in (1, 5, 9))
    assert (one == other) is (apart == Apart())
    assert new in {one, other}
    kept = {each.article: each.story for each in (*changes.members, *changes.moved)}
    for gone, into in changes.merges:
        kept = {each: into if story == gone else story for each, story in kept.items()}
    assert all(linker.story_of(each) == story for each, story in kept.items())


def test_among_more_rivals_the_same_likeness_says_less():
    pair = [made(n, EVENTS[0], (1.0, 0.2 * n, 0.0), dated=NOON) for n in (1, 2)]
    likely = []
    for many in (0, 500):
        linker = Linker()
        linker.place(pair[0], StoryId(1))
        for n in range(10, 10 + many):
            linker.place(made(n, f"w{n} x{n}", (0.0, 0.0, 1.0), dated=NOON), StoryId(n))
        likely.append(linker.candidates(pair[1])[0].probability)
    assert likely[0] > likely[1]


def test_only_what_is_of_the_same_days_is_a_rival():
    crowd = DayCounts()
    for day in (0.0, 3.5, 20.0, 100.0, np.nan):
        crowd.add(day)
    assert [crowd.around(day) for day in (1.0, 100.0, 500.0, np.nan)] == [3, 2, 1, 5]
    crowd.discard(3.5)
    crowd.discard(np.nan)
    assert [crowd.around(day) for day in (1.0, np.nan)] == [1, 3]


def test_what_was_looked_for_is_less_likely_than_what_is_even_beforehand():
    one = made(1, EVENTS[0], (1.0, 0.0), lead="Lima", dated=NOON)
    other = made(2, EVENTS[1], (0.9, 0.4), lead="Bank", dated=NOON)
    judge = SameEvent()
    found, even = judge.probability_of_found(one, other), judge.probability(one, other)
    assert 0.0 < found < even < 1.0
