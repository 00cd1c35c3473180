"""Digest entries of articles whose feed has a summary beside the text, or only a short text."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from conftest import Whole
from sqlalchemy import update

from newsloom.digests.service.digests import compose
from newsloom.digests.values import DigestKind, DigestTopic
from newsloom.feeds.store.tables import feeds
from newsloom.kernel.ids import ArticleId
from publisher import Publisher

SCENE = "It was dark when the first boats came in. "
TEXT = SCENE + "Anna Berg stood on the wall and counted them, as on any other day of the year. " * 9
TEASER = "Fishermen of Lunden returned after a week at sea, all 31 of them"


NEWS = "Lost fishermen of Lunden are back in its harbour after a storm of nine days. "


def feed(teaser: str, text: str) -> bytes:
    return f"""<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/">
        <channel><title>A</title><item><guid>1</guid><link>https://a.test/1</link>
        <title>Lost fishermen of Lunden are back</title><description>{teaser}</description>
        <content:encoded><![CDATA[<p>{text}</p>]]></content:encoded></item></channel></rss>""".encode()


@pytest.mark.parametrize(("teaser", "text", "opening"), [
    (TEASER, TEXT, f"{TEASER}."),
    (SCENE + "Anna Berg stood", TEXT, SCENE.strip()),
    ("The company says that all 31 of them are back.", TEXT, SCENE.strip()),
    (TEASER, NEWS + TEXT, NEWS.strip()),
    ("", TEXT, SCENE.strip()),
])  # fmt: skip
def test_a_teaser_opens_an_entry(
    whole: Whole, publisher: Publisher, teaser: str, text: str, opening: str
) -> None:
    whole.run(whole.follow(publisher.puts("/a.xml", feed(teaser, text))))
    end = whole.clock() + timedelta(minutes=1)
    made = compose(whole.app.reader(), DigestKind.AD_HOC, end - timedelta(days=1), end, "UTC")
    (entry,) = (*made.top, *made.noteworthy)
    assert entry.summary[0].text == opening


ONE = "Lost fishermen of Lunden are back in its harbour after a storm of nine days."
MORE = "All 31 of them were found by a trawler near Skagen, the coast guard said on Monday."
PAGE = f"""<html><body><nav><a href='/'>Home</a></nav><article><h1>Lost fishermen of Lunden are back
    </h1><p>{ONE} {MORE}</p><p>{"Anna Berg stood on the wall and counted the boats. " * 9}</p>
    </article></body></html>"""


def entry_of(whole: Whole) -> DigestTopic:
    """The one entry of a digest that is made now."""
    end = whole.clock() + timedelta(minutes=1)
    made = compose(whole.app.reader(), DigestKind.AD_HOC, end - timedelta(days=1), end, "UTC")
    (entry,) = (*made.top, *made.noteworthy)
    return entry


def of_site(publisher: Publisher, sentence: str = ONE) -> str:
    """A feed with one sentence of an article that has a page; its address."""
    document = feed(sentence, "").replace(b"https://a.test/1", f"{publisher.url}/1".encode())
    return publisher.puts("/a.xml", document)


@pytest.fixture
def fetching(whole: Whole, publisher: Publisher) -> Whole:
    """A reader whose digests have pages fetched."""
    publisher.puts("/1", PAGE, Content_Type="text/html")
    digest = replace(whole.app.settings.digest, fetch_pages=True)
    whole.app = replace(whole.app, settings=replace(whole.app.settings, digest=digest))
    return whole


def page_requests(publisher: Publisher) -> int:
    """How many requests the article's page got."""
    return [path for path, _headers in publisher.asked].count("/1")


def test_a_digest_tells_more_after_the_page_was_fetched(
    fetching: Whole, publisher: Publisher
) -> None:
    fetching.run(fetching.follow(of_site(publisher)))
    assert [one.text for one in entry_of(fetching).summary] == [ONE]
    for _pass in range(2):
        fetching.run()
        assert [one.text for one in entry_of(fetching).summary] == [ONE, MORE]
        assert page_requests(publisher) == 1
    assert MORE not in fetching.app.reader().article(ArticleId(1)).html


def test_a_page_is_not_fetched_where_the_feed_has_enough(
    fetching: Whole, publisher: Publisher
) -> None:
    fetching.run(fetching.follow(of_site(publisher, TEXT)))
    fetching.run()
    assert page_requests(publisher) == 0


def test_a_page_is_not_fetched_that_the_feed_may_not_speak_for(
    fetching: Whole, publisher: Publisher
) -> None:
    fetching.run(fetching.follow(of_site(publisher)))
    with fetching.app.store.database.write() as connection:  # type: ignore[attr-defined]
        connection.execute(update(feeds).values(url="https://a.example/feed"))
    fetching.run()
    assert page_requests(publisher) == 0


def test_pages_are_only_fetched_where_the_settings_say_so(
    whole: Whole, publisher: Publisher
) -> None:
    publisher.puts("/1", PAGE, Content_Type="text/html")
    whole.run(whole.follow(of_site(publisher)))
    whole.run()
    assert page_requests(publisher) == 0
