"""The picture of an article, wherever a feed puts it."""

from __future__ import annotations

import pytest

from newsloom.parse import parse_feed

MEDIA = "http://search.yahoo.com/mrss/"
PICTURE = "https://x.test/p.jpg"
THUMBNAIL = f"<media:thumbnail url='{PICTURE}'/>"


def picture(inside: str, namespace: str = MEDIA) -> str:
    document = (
        f"<rss version='2.0' xmlns:media='{namespace}' xmlns:own='https://own.test/ns'><channel>"
        f"<item><title>a</title>{inside}</item></channel></rss>"
    )
    return parse_feed(document.encode(), "https://feeds.test/a/f").articles[0].image


@pytest.mark.parametrize(
    "inside",
    [
        THUMBNAIL,
        f"<media:thumbnail>{PICTURE}</media:thumbnail>",
        f"<media:group>{THUMBNAIL}</media:group>",
        f"<media:group><media:content url='https://x.test/v.mp4'>{THUMBNAIL}</media:content></media:group>",
        f"<media:group><media:group>{THUMBNAIL}</media:group></media:group>",
        f"<media:content url='https://x.test/v.mp4'>{THUMBNAIL}</media:content>",
        f"<media:content><media:group>{THUMBNAIL}</media:group></media:content>",
        f"<media:content><media:content>{THUMBNAIL}</media:content></media:content>",
        f"<media:player url='https://x.test/player'>{THUMBNAIL}</media:player>",
        f"<own:pictures>{THUMBNAIL}</own:pictures>",
        f"<own:pictures><own:first>{THUMBNAIL}</own:first></own:pictures>",
        f"<media:group><media:thumbnail/><media:thumbnail url='{PICTURE}'/></media:group>",
        f"<media:group><media:content url='{PICTURE}' medium='image'/></media:group>",
        f"<media:content url='https://x.test/large.jpg' medium='image'>{THUMBNAIL}</media:content>",
        f"{THUMBNAIL}<media:group><media:thumbnail url='https://x.test/other.jpg'/></media:group>",
    ],
)
def test_at_any_depth(inside: str) -> None:
    assert picture(inside) == PICTURE


@pytest.mark.parametrize(
    "namespace",
    [
        "http://search.yahoo.com/mrss",
        "https://search.yahoo.com/mrss/",
        "http://video.search.yahoo.com/mrss",
        "http://tools.search.yahoo.com/mrss/",
        "http://www.rssboard.org/media-rss",
    ],
)
def test_by_any_of_the_names_of_its_vocabulary(namespace: str) -> None:
    assert picture(f"<media:group>{THUMBNAIL}</media:group>", namespace) == PICTURE


def test_a_relative_one() -> None:
    inside = "<media:group><media:thumbnail url='/p.jpg'/></media:group>"
    assert picture(inside) == "https://feeds.test/p.jpg"


def test_in_an_entry() -> None:
    document = (
        f"<feed xmlns='http://www.w3.org/2005/Atom' xmlns:media='{MEDIA}'><entry><id>1</id>"
        f"<media:group><media:content><media:group>{THUMBNAIL}</media:group></media:content>"
        "</media:group></entry></feed>"
    )
    assert parse_feed(document.encode(), "https://feeds.test/").articles[0].image == PICTURE


def test_words_about_a_picture_are_not_the_articles() -> None:
    inside = (
        "<media:content url='https://x.test/p.jpg' medium='image'><media:title>A caption"
        "</media:title><media:description>More of it</media:description>"
        "<media:category>news/local</media:category><media:keywords>tide, quay</media:keywords>"
        "</media:content>"
    )
    document = f"<rss xmlns:media='{MEDIA}'><channel><item>{inside}</item></channel></rss>"
    (article,) = parse_feed(document.encode(), "https://feeds.test/").articles
    assert (article.title, article.summary) == ("", "")
    assert article.categories == ("news/local", "tide", "quay")
