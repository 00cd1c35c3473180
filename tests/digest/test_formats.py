"""Formats: the seed's sections in each, and nothing hostile is active in any."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta
from html.parser import HTMLParser

import pytest

from newsloom.digests.charts import source_mix
from newsloom.digests.formats import COLUMNS, FORMATS, also_by, attributed, format_of
from newsloom.digests.values import DigestKind, FeedReport, Trend

from .test_select import NOW, article, digest, group

HOSTILE = [
    "<script>alert(1)</script>",
    "[click](javascript:alert(1))",
    "]]><img src=x onerror=alert(1)>",
    "line\nbreak\r\n# heading",
    "\u202egnirts desrever\u202c",
    "| table | `code` *bold* _it_ ~~gone~~",
    "a" * 500,
    "",
]
URLS = [
    "javascript:alert(1)",
    "https://x.example/)(<b>",
    "data:text/html,x",
    "https:// evil",
    "//x",
]


def hostile():
    groups = []
    for number, words in enumerate(HOSTILE):
        one = article(
            number,
            90 - number,
            title=words,
            url=URLS[number % len(URLS)],
            publisher=words,
            category=words,
            text=f"The harbour was closed on Friday {words} after a strike of the crews.",
        )
        groups.append(replace(group(one, article(50 + number, 20, title=words)), label=words))
    feeds = FeedReport(9, 8, 1, 40, 3, (Trend(HOSTILE[0], 9, 1.0, 5, 0.01),))
    made = digest(groups, DigestKind.MORNING, NOW - timedelta(days=1), NOW, "Europe/Berlin", feeds)
    return replace(made, title=HOSTILE[0])


class Page(HTMLParser):
    """The tags and attributes of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag, attrs):
        self.seen.append((tag, dict(attrs)))


@pytest.mark.parametrize("form", FORMATS, ids=lambda one: one.name)
def test_every_format_has_every_topic_and_the_feeds(form):
    groups = [group(article(number, 95 - 2 * number)) for number in range(30)]
    feeds = FeedReport(9, 8, 1, 40, 3)
    made = digest(groups, DigestKind.MORNING, NOW - timedelta(days=1), NOW, "Europe/Berlin", feeds)
    told = form.render(made)
    for topic in (*made.top, *made.noteworthy, *made.mentioned):
        assert topic.lead.title in told
    if form.name != "json":
        assert "9 feeds polled, 8 successful, 1 error" in told
        assert "40 new articles, 3 duplicates removed" in told
    assert form.render(made) == told


def test_markdown_has_the_sections_of_the_seed():
    groups = [group(article(number, 95 - 3 * number)) for number in range(31)]
    feeds = FeedReport(1, 1)
    made = digest(groups, DigestKind.MORNING, NOW - timedelta(days=1), NOW, "Europe/Berlin", feeds)
    headings = [
        line for line in format_of("markdown").render(made).splitlines() if line.startswith("## ")
    ]
    assert headings == [
        "## Top stories",
        "## Noteworthy",
        "## Also mentioned",
        "## Feed health",
    ]


@pytest.mark.parametrize("form", FORMATS, ids=lambda one: one.name)
def test_where_nothing_was_polled_no_feed_is_counted(form):
    begin = NOW - timedelta(days=60)
    made = digest([], DigestKind.AD_HOC, begin, begin, "Europe/Berlin", FeedReport())
    assert "feed health" not in form.render(made).lower()


def test_nothing_hostile_is_active_in_html():
    page = Page()
    page.feed(format_of("html").render(hostile()))
    tags = {tag for tag, _ in page.seen}
    assert not tags & {"script", "img", "iframe", "b", "object"}
    for tag, attributes in page.seen:
        assert not any(name.startswith("on") for name in attributes), tag
        assert (attributes.get("href") or "https://").startswith("https://")


def test_nothing_hostile_is_active_in_markdown():
    text = format_of("markdown").render(hostile())
    lines = text.splitlines()
    assert "](javascript:" not in text.replace("\\[", "").replace("\\]", "")
    assert "<script" not in text.replace("\\<", "")
    assert [line for line in lines if line.startswith("# ")] == lines[:1]
    assert "\u202e" not in text


def test_plain_text_keeps_its_columns_but_for_addresses():
    text = format_of("text").render(hostile())
    for line in text.splitlines():
        assert len(line) <= COLUMNS or " " not in line


def test_json_is_whole():
    made = hostile()
    told = json.loads(format_of("json").render(made))
    assert [one["label"] for one in told["top"]] == [one.label for one in made.top]
    assert told["begin"] == made.begin.isoformat()


def test_who_says_several_sentences_is_named_once_behind_them():
    one = article(1, 90, publisher="Harbour Post")
    made_of = digest([group(one)], DigestKind.MORNING, NOW - timedelta(days=1), NOW, "UTC",
                     FeedReport())  # fmt: skip
    (topic,) = made_of.top
    assert len(topic.summary) > 1
    told = attributed(topic)
    assert [by for _sentence, by in told[:-1]] == [""] * (len(told) - 1)
    assert told[-1][1] == "(Harbour Post)"


def test_a_publisher_that_the_summary_names_is_not_named_below_it_again():
    one, other = article(1, 90, event=1), article(3, 70, event=1, publisher="Third Paper")
    same = article(2, 80, event=1, publisher="Second Paper", text=one.text)
    made_of = digest([group(one, same, other)], DigestKind.MORNING, NOW - timedelta(days=1), NOW,
                     "UTC", FeedReport())  # fmt: skip
    (topic,) = made_of.top
    assert "Second Paper" in attributed(topic)[-1][1]
    assert also_by(topic) == "Also reported by Third Paper."


@pytest.mark.parametrize(
    "form", [one for one in FORMATS if one.name != "json"], ids=lambda one: one.name
)
def test_other_events_stand_under_a_heading_after_who_reports_the_entry(form):
    lead, same = article(1, 90, event=1), article(2, 80, event=1, publisher="The Second Paper")
    other = article(3, 70, event=2, title="Another strike in the north")
    groups = [replace(group(lead, same, other), label="")]
    made = digest(groups, DigestKind.MORNING, NOW - timedelta(days=1), NOW, "UTC", FeedReport())
    text = form.render(made)
    places = [
        text.index(one) for one in ("Also reported by", "Related:", "Another strike in the north")
    ]
    assert places == sorted(places)


def test_sources_beyond_the_first_eight_are_one_row_unless_it_is_a_single_one():
    def bars(publishers: int) -> str:
        groups = [group(article(number, 95 - number)) for number in range(publishers)]
        begin = NOW - timedelta(days=1)
        return source_mix(digest(groups, DigestKind.MORNING, begin, NOW, "UTC", FeedReport()))

    assert "others" not in bars(9)
    assert "Paper 8" in bars(9)
    assert "2 others" in bars(10)
    assert "Paper 9" not in bars(10)
