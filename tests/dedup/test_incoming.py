"""What one feed document shows to be wrong with its ids and links, mended."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsloom.duplicates import prepare
from newsloom.feeds.values.published import ParsedArticle, ParsedFeed
from newsloom.kernel.ids import FeedId

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


def article(guid="", url="", title="Title", content="<p>Text</p>", published=None, **more):
    return ParsedArticle(
        guid=guid, url=url, title=title, content=content, published=published, **more
    )


def prepared(*articles):
    return prepare(ParsedFeed("rss 2.0", articles=articles), FeedId(7), NOON)


def guids(*articles):
    return [one.copy.guid for one in prepared(*articles)]


def test_one_article():
    written = article(
        " tag:1 ",
        "http://www.news.test/a/?utm_source=rss",
        content="<p>Some  <b>bold</b> words.</p>",
        summary="<p>Some</p>",
        published=NOON - HOUR,
    )
    (one,) = prepared(written)
    assert one.parsed is written
    assert one.copy.guid == "tag:1"
    assert one.copy.url == "http://www.news.test/a/?utm_source=rss"
    assert one.copy.canonical_url == "https://news.test/a"
    assert one.copy.length == len("Someboldwords.")
    assert one.copy.dated == NOON - HOUR
    assert one.copy.feed_id == 7
    assert one.copy.id is one.copy.original is None
    assert one.keys == (("guid", "7 tag:1"), ("url", "https://news.test/a"))


def test_order_is_kept_and_an_empty_document_is_nothing():
    assert guids(article("b"), article("a"), article("c")) == ["b", "a", "c"]
    assert prepared() == ()


def test_the_fuller_of_summary_and_content_counts():
    (one,) = prepared(article("1", content="<p>a</p>", summary="<p>a longer summary</p>"))
    assert one.copy.length == len("alongersummary")


def test_a_text_too_short_to_tell_is_in_the_language_of_most_of_its_document():
    german = "Der Bundestag hat am Freitag über das Gesetz zur Rente abgestimmt, Teil"
    titles = [f"{german} {number}" for number in range(3)]
    every = [article(one, title=one, content="") for one in (*titles, "OK 12", "OK 13")]
    assert [one.detected for one in prepared(*every)] == ["de"] * 5
    assert [one.detected for one in prepared(*every[2:])] == ["de", "", ""]


def test_an_id_twice_on_one_link_is_the_latest_version():
    old = article("1", "https://e.com/a", "Old", published=NOON - HOUR)
    new = article("1", "https://www.e.com/a/", "New", published=NOON - HOUR, updated=NOON)
    for document in ((old, new), (new, old)):
        assert [one.parsed.title for one in prepared(*document)] == ["New"]


def test_versions_of_one_time_are_the_fullest():
    short = article("1", "https://e.com/a", content="<p>Short</p>")
    full = article("1", "https://e.com/a", content="<p>Much more than short</p>")
    for document in ((short, full), (full, short)):
        assert [one.parsed.content for one in prepared(*document)] == [full.content]


PLACEHOLDERS = ("N/A", "n/a", " None ", "null", "undefined", "#", "-", "0", "(null)", "GUID")


def test_a_placeholder_is_no_id():
    ids = {
        one: guids(article(one, "https://e.com/a"), article(one, "https://e.com/b", "Other"))
        for one in PLACEHOLDERS
    }
    assert {one: found for one, found in ids.items() if "https://e.com/b" not in found} == {}


def test_one_id_and_link_for_different_articles_names_none():
    def release(number):
        day = NOON - number * timedelta(days=1)
        title = f"Release {'abcd'[number] * 3}"
        return article("latest", "https://e.com/releases", title, f"Build {number}", day)

    several = [release(number) for number in range(4)]
    assert len(set(guids(*several))) == 4
    assert set(guids(*several[1:])) < set(guids(*several)), "the ids stay when one drops out"
    hours = NOON - 5 * HOUR
    old = article("1", "https://e.com/a", "Ferry runs aground", "One", hours)
    new = article("1", "https://e.com/a", "Ferry runs aground, two hurt", "Two", NOON)
    assert [one.parsed.title for one in prepared(old, new)] == [new.title], "two versions of one"


def test_an_id_on_several_links_is_no_id():
    document = (article("x", "https://e.com/a"), article("x", "https://e.com/b", "Other"))
    assert guids(*document) == ["x https://e.com/a", "x https://e.com/b"]
    assert guids(*reversed(document)) == ["x https://e.com/b", "x https://e.com/a"]


def test_an_id_on_several_titles_without_links_is_no_id():
    assert guids(article("x", title="A"), article("x", title="B")) == ["x a", "x b"]


def test_ids_that_differ_in_case_are_two():
    assert guids(article("aB", "https://e.com/1"), article("Ab", "https://e.com/2", "B")) == [
        "aB",
        "Ab",
    ]


def test_without_ids_the_link_stands_for_the_article():
    assert guids(
        article("", "https://www.e.com/a?utm_source=1"), article("", "https://e.com/b")
    ) == [
        "https://e.com/a",
        "https://e.com/b",
    ]


def test_without_ids_and_on_one_link_the_title_tells_articles_apart():
    found = prepared(
        article("", "https://e.com/day", "One"), article("", "https://e.com/day", "Two")
    )
    assert [one.copy.guid for one in found] == ["https://e.com/day one", "https://e.com/day two"]
    assert [one.copy.canonical_url for one in found] == ["", ""]


def test_without_ids_the_anchor_tells_articles_of_one_page_apart():
    found = prepared(article("", "https://e.com/day#1"), article("", "https://www.e.com/#2", "Two"))
    assert [one.copy.guid for one in found] == ["https://e.com/day#1", "https://e.com/#2"]
    assert [one.copy.canonical_url for one in found] == ["https://e.com/day", ""]


def test_without_ids_and_links_the_words_stand_for_the_article():
    one, other = guids(article(title="A"), article(title="B"))
    assert one != other
    assert guids(article(title="A", published=NOON - HOUR)) == [one]


def test_the_same_words_on_two_days_are_two_articles_without_ids_and_links():
    early, late = article(published=NOON - 2 * HOUR), article(published=NOON - HOUR)
    first, second = guids(early, late)
    assert first != second
    # Whichever is left in the feed is taken for the one that is known already.
    assert guids(early) == guids(late) == [first]
    assert guids(late, early) == [second, first]
    assert len(guids(early, early)) == 1


def test_one_text_under_one_link_is_one_article():
    found = prepared(article("1", "https://e.com/a"), article("2", "https://e.com/a?utm_id=2"))
    assert [one.copy.guid for one in found] == ["1"]
    assert found[0].copy.canonical_url == "https://e.com/a"


def test_several_texts_under_one_link_are_several_articles():
    found = prepared(
        article("1", "https://e.com/show", "Episode 1"),
        article("2", "https://e.com/show", "Episode 2"),
        article("3", "https://e.com/other", "Other"),
    )
    assert [one.copy.canonical_url for one in found] == ["", "", "https://e.com/other"]
    assert found[0].keys == (("guid", "7 1"),)


@pytest.mark.parametrize("url", ["https://e.com/", "https://www.e.com", "mailto:a@e.com", ""])
def test_a_home_page_is_no_address(url):
    assert prepared(article("1", url))[0].copy.canonical_url == ""


@pytest.mark.parametrize(
    ("published", "updated", "expected"),
    [
        (NOON - HOUR, None, NOON - HOUR),
        (None, NOON - HOUR, NOON - HOUR),
        (NOON - 2 * HOUR, NOON - HOUR, NOON - 2 * HOUR),
        (None, None, NOON),
        (NOON + HOUR, None, NOON),
        (datetime(9999, 12, 31, tzinfo=UTC), None, NOON),
        (datetime(1970, 1, 1, tzinfo=UTC), None, NOON),
        (datetime(1, 1, 1, tzinfo=UTC), NOON - HOUR, NOON - HOUR),
        (datetime(1990, 1, 1, tzinfo=UTC), None, datetime(1990, 1, 1, tzinfo=UTC)),
    ],
)
def test_dated(published, updated, expected):
    (one,) = prepared(article("1", published=published, updated=updated))
    assert one.copy.dated == expected


def test_an_article_without_a_date_is_from_when_it_was_seen():
    """And never from the day of its neighbour in the document, which is another article's."""
    found = prepared(
        *(
            article(str(place), title=str(place), published=age and NOON - age * HOUR)
            for place, age in enumerate((None, 1, None, 5, -2, None))
        )
    )
    assert [(NOON - one.copy.dated) / HOUR for one in found] == [0, 1, 0, 5, 0, 0]


articles = st.builds(
    article,
    guid=st.sampled_from(("", "1", "2", " 1", "A", "a", "\ud800", "x" * 2_000)),
    url=st.sampled_from(
        ("", "https://e.com/a", "http://www.e.com/a#b", "https://e.com/", "x", "/")
    ),
    title=st.sampled_from(("", "One", "Two", "one!", "\ud800")),
    content=st.sampled_from(("", "<p>a", "<p>b", "<p>a</p>")),
    published=st.sampled_from((None, NOON, NOON - HOUR, datetime(1, 1, 1, tzinfo=UTC))),
)


@given(st.lists(articles, max_size=8))
def test_laws_of_a_document(written):
    found = prepared(*written)
    identities = [one.copy.guid for one in found]
    assert len(set(identities)) == len(identities)
    assert all(identities)
    addresses = [one.copy.canonical_url for one in found if one.copy.canonical_url]
    assert len(set(addresses)) == len(addresses)
    assert all(one.copy.dated <= NOON for one in found)


@given(st.lists(articles, max_size=8))
def test_nothing_is_dropped_that_is_not_there_in_another_version(written):
    """What is dropped has the id, or the link and the text, of what is kept or of what that has."""

    def names(one):
        copy = prepared(one)[0].copy
        return {copy.guid, (copy.canonical_url, copy.content_hash)}

    known = set().union(*(names(one.parsed) for one in prepared(*written)))
    for _ in written:
        known |= set().union(*(names(one) for one in written if names(one) & known))
    assert all(names(one) & known for one in written)


@given(st.lists(articles, max_size=8))
def test_the_same_document_again_says_the_same(written):
    assert prepared(*written) == prepared(*written)
