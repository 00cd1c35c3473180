"""The summary that a feed gives beside a text opens the entry of a digest."""

from __future__ import annotations

from datetime import timedelta

import pytest
from conftest import Whole

from newsloom.digests.service.digests import compose
from newsloom.digests.values import DigestKind
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
