"""What feeds say of who first published an article, and where."""

from __future__ import annotations

import pytest

from newsloom.feeds.parse import parse_feed

URL = "https://feed.example/rss"
NAMESPACES = (
    'xmlns:feedburner="http://rssnamespace.org/feedburner/ext/1.0" '
    'xmlns:pheedo="http://www.pheedo.com/namespace/pheedo" '
    'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:atom="http://www.w3.org/2005/Atom"'
)


def rss(inside: str) -> str:
    link = "<link>https://proxy.example/1</link>"
    return f"<rss version='2.0' {NAMESPACES}><channel><item>{link}{inside}</item></channel></rss>"


def atom(inside: str) -> str:
    link = "<link href='https://proxy.example/1'/>"
    return f"<feed xmlns='http://www.w3.org/2005/Atom'><entry>{link}{inside}</entry></feed>"


ORIGINS = {
    "Feedburner": rss("<feedburner:origLink>https://a.example/1</feedburner:origLink>"),
    "Feedburner, relative": rss("<feedburner:origLink> //a.example/1 </feedburner:origLink>"),
    "Pheedo": rss("<pheedo:origLink>https://a.example/1</pheedo:origLink>"),
    "canonical in RSS": rss("<atom:link rel='canonical' href='https://a.example/1'/>"),
    "canonical in Atom": atom("<link rel='canonical' href='https://a.example/1'/>"),
}


@pytest.mark.parametrize("document", ORIGINS.values(), ids=ORIGINS.keys())
def test_an_address_beside_the_link(document: str) -> None:
    (article,) = parse_feed(document.encode(), URL).articles
    assert article.url == "https://proxy.example/1"
    assert article.origin == "https://a.example/1"


PUBLISHERS = {
    "RSS": (
        rss("<source url='https://a.example'>The Example</source>"),
        ("The Example", "https://a.example"),
    ),
    "Dublin Core, a name": (rss("<dc:source>The Example</dc:source>"), ("The Example", "")),
    "Dublin Core, an address": (
        rss("<dc:source>https://a.example/1</dc:source>"),
        ("", "https://a.example/1"),
    ),
    "Atom": (
        atom(
            "<source><title>The Example</title><link rel='self' href='https://a.example/feed'/>"
            "<link href='https://a.example'/><author><name>Jane</name></author></source>"
        ),
        ("The Example", "https://a.example"),
    ),
    "nobody": (rss("<title>x</title>"), ("", "")),
    "no web address": (
        rss("<source url='javascript:alert(1)'>The Example</source>"),
        ("The Example", ""),
    ),
}


@pytest.mark.parametrize(("document", "said"), PUBLISHERS.values(), ids=PUBLISHERS.keys())
def test_whose_it_is(document: str, said: tuple[str, str]) -> None:
    (article,) = parse_feed(document.encode(), URL).articles
    assert (article.publisher, article.publisher_url) == said


def test_an_author_named_there_still_counts() -> None:
    document = PUBLISHERS["Atom"][0]
    (article,) = parse_feed(document.encode(), URL).articles
    assert article.author == "Jane"


def test_a_broken_document_says_it_too() -> None:
    inside = (
        "<source url='https://a.example'>The Example</source>"
        "<feedburner:origLink>https://a.example/1</feedburner:origLink>"
    )
    document = rss(inside).replace("</item>", "<b>&nbsp;</item>")
    feed = parse_feed(document.encode(), URL)
    assert feed.problem
    (article,) = feed.articles
    assert (article.origin, article.publisher) == ("https://a.example/1", "The Example")
