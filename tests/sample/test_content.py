"""What the sample contains: numbers, languages, ages, and that nothing stands in it twice."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from newsloom.kernel.text.html import to_text
from newsloom.sample.content import (
    LAST_GENERATION,
    LINK_STYLES,
    NAMES,
    html,
    planted,
    sample,
    slug,
)

FEEDS = sample()
OWN = [article for feed in FEEDS for article in feed.articles if not article.link]
BY_KEY = {article.key: article for article in OWN}


def words(text: str) -> list[str]:
    return re.findall(r"\w+", to_text(text, 100_000).casefold())


def test_feeds():
    assert len(FEEDS) >= 12
    assert tuple(feed.name for feed in FEEDS) == NAMES


def test_articles():
    assert len(OWN) >= 220
    assert sum(not one.generation for one in OWN) >= 220
    assert len(BY_KEY) == len(OWN)


def test_every_format_is_there():
    formats = Counter(feed.format for feed in FEEDS)
    assert formats.keys() == {"rss 2.0", "rdf 1.0", "atom 1.0", "json 1.1"}
    assert formats["rss 2.0"] == len(FEEDS) - 3


def test_two_languages():
    languages = Counter(article.language for article in OWN)
    assert languages.keys() == {"en", "de"}
    assert 0.15 < languages["de"] / len(OWN) < 0.25
    assert {one.feed for one in OWN if one.language == "de"} == {"talbote", "lantern", "highwater"}


def test_ages_spread_over_twelve_days():
    days = Counter(int(article.hours // 24) for article in OWN)
    assert days.keys() == set(range(12))
    assert min(days.values()) >= 5
    assert all(0 < article.hours < 288 for article in OWN)


def test_articles_are_whole():
    lengths = {article.key: len(words(article.html)) for article in OWN}
    assert {key for key, length in lengths.items() if not 45 <= length <= 175} == set()
    assert {key for key, length in lengths.items() if length < 57} <= {
        article.key for article in OWN if article.feed == "live"
    }
    assert [article.key for article in OWN if not article.author or not article.categories] == []
    assert [article.key for article in OWN if len(article.title) > 100] == []


def test_duplicates():
    assert len(planted().duplicates) >= 12
    again = [one for feed in FEEDS for one in feed.articles if one.link]
    assert {(one.feed, one.key) for one in again} == set(planted().duplicates)
    assert all(one.feed != one.home for one in again)
    assert {one.link for one in again} == LINK_STYLES.keys()
    shorter = [one for one in again if len(one.html) < len(BY_KEY[one.key].html)]
    assert len(shorter) >= 5


def test_revisions():
    assert len(planted().revisions) >= 6
    changed = [BY_KEY[key] for key, _generation in planted().revisions]
    titles = [one for one in changed if one.at(LAST_GENERATION).title != one.title]
    assert len(titles) >= 5
    for one in changed:
        assert one.at(LAST_GENERATION) != one.at(0)
        assert one.at(0).html == one.html


def test_some_articles_come_later():
    assert {generation for _key, generation in planted().late} == {1, 2}
    for key, generation in planted().late:
        feed = next(one for one in FEEDS if one.name == BY_KEY[key].feed)
        assert key not in {one.key for one in feed.shown(generation - 1)}
        assert key in {one.key for one in feed.shown(generation)}


def test_stories_run_through_several_feeds_over_days():
    wide = []
    for name, keys in planted().stories.items():
        hours = [BY_KEY[key].hours for key in keys]
        assert hours == sorted(hours, reverse=True)
        if len({BY_KEY[key].feed for key in keys}) >= 3 and hours[0] - hours[-1] > 48:
            wide.append(name)
    assert len(wide) >= 6


def test_no_text_stands_twice():
    texts = Counter(tuple(words(article.html)) for article in OWN)
    assert texts.most_common(1)[0][1] == 1


def test_no_eight_words_stand_twice():
    """Not templates with swapped words: no run of eight words is shared by two articles."""
    first: dict[tuple[str, ...], str] = {}
    shared = set()
    for article in OWN:
        said = words(article.html)
        for start in range(len(said) - 7):
            run = tuple(said[start : start + 8])
            if (other := first.setdefault(run, article.key)) != article.key:
                shared.add((other, article.key))
    wires = [set(keys) for keys in planted().wires.values()]
    shared = {pair for pair in shared if not any(set(pair) <= wire for wire in wires)}
    # The paper's notices begin alike every week, as they do everywhere.
    assert shared == {("courier/planning-notices-week-47", "courier/planning-notices-week-46")}


def test_one_wire_story_three_events_and_one_that_came_again():
    (wire,) = planted().wires.values()
    assert len({BY_KEY[key].feed for key in wire}) == 3
    assert len(planted().events) == 3
    for event in planted().events.values():
        assert len({BY_KEY[key].feed for key in event}) == 2
        assert BY_KEY[event[0]].hours - BY_KEY[event[-1]].hours < 24
    ((earlier, later),) = planted().reissued
    assert BY_KEY[earlier].feed == BY_KEY[later].feed
    assert BY_KEY[earlier].hours > BY_KEY[later].hours


def test_titles_stand_once_but_for_the_newsletters():
    titles = Counter(article.title for article in OWN)
    assert {title for title, times in titles.items() if times > 1} == {"Weekly links"}


def test_hostile_article_is_hostile():
    text = BY_KEY[planted().hostile].html
    for danger in ("<script", "onerror=", "onclick=", "javascript:", "<iframe", "<form", "style="):
        assert danger in text


def test_markup_varies():
    for tag in ("<ul>", "<ol>", "<table>", "<blockquote>", "<pre>", "<figure>", "<a href="):
        assert any(tag in article.html for article in OWN), tag


def test_feeds_begin_with_the_newest():
    for feed in FEEDS:
        hours = [article.hours for article in feed.articles]
        assert hours == sorted(hours)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("One.\n\nTwo.", "<p>One.</p>\n<p>Two.</p>", id="paragraphs"),
        pytest.param("<ul><li>a</li></ul>", "<ul><li>a</li></ul>", id="block"),
        pytest.param("<b>Note:</b> a", "<p><b>Note:</b> a</p>", id="inline"),
        pytest.param("\n One.\n \n\nTwo.\n", "<p>One.</p>\n<p>Two.</p>", id="white space"),
    ],
)
def test_html(text, expected):
    assert html(text) == expected


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        pytest.param("Review: 'Salt Road'", "review-salt-road", id="signs"),
        pytest.param("Größe für Übung", "groesse-fuer-uebung", id="German"),
        pytest.param("Café 21%", "cafe-21", id="accent"),
    ],
)
def test_slug(title, expected):
    assert slug(title) == expected
