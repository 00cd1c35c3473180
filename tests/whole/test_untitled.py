"""An article without a title is called by its first words wherever a page or command names it."""

from __future__ import annotations

from collections.abc import Iterator
from html import unescape

import pytest
from conftest import Whole
from fastapi.testclient import TestClient

from newsloom.kernel.ids import ArticleId
from newsloom.reading.service import annotating
from newsloom.reading.values.reading import EventKind, ListQuery
from newsloom.rules.service import rules
from newsloom.rules.values import Rule, RuleAction, RuleCondition, RuleMatch
from newsloom.sharing.service import sharing
from newsloom.web.app import create_app
from publisher import Publisher

WORDS = "The harbour of Lunden is closed until Friday because a crane fell into the basin at night."
SHOWN = "The harbour of Lunden is closed until Friday because a crane fell into the…"
FEED = f"""<rss version="2.0"><channel><title>A</title><item><guid>1</guid>
<link>https://a.test/1</link><description>&lt;p&gt;{WORDS}&lt;/p&gt;</description></item>
</channel></rss>"""
SAME = {"origin": "http://testserver"}


def muting() -> Rule:
    condition = RuleCondition("words", "harbour")
    return Rule("Mute", RuleMatch.ALL, (condition,), (RuleAction("mute", ""),))


@pytest.fixture
def pages(whole: Whole, publisher: Publisher) -> Iterator[TestClient]:
    whole.run(whole.follow(publisher.puts("/a.xml", FEED.encode())))
    with TestClient(create_app(whole.app.reader(), hosts=("testserver",))) as client:
        yield client


@pytest.fixture
def article(whole: Whole, pages: TestClient) -> ArticleId:
    return whole.app.reader().page(ListQuery(unread_only=False))[0].id


def names(pages: TestClient, path: str) -> None:
    page = unescape(pages.get(path).text)
    assert SHOWN in page, path
    assert "Untitled" not in page, path


def test_what_a_reader_keeps_of_it(whole: Whole, pages: TestClient, article: ArticleId) -> None:
    reader = whole.app.reader()
    annotating.write_note(reader, article, "Ask about the crane")
    annotating.highlight(reader, article, WORDS, "a crane fell", 0, "")
    names(pages, "/highlights")
    names(pages, "/highlights/export.md")
    number = sharing.added(reader, "readeck", "Shelf", {"url": "https://a.test", "token": "t"})
    sharing.save(reader, int(number), article)
    names(pages, "/sharing")
    whole.app.store.coverage.choose_coverage(reader.user, [article], "by hand", whole.clock())
    names(pages, "/coverage")
    step = reader.mark([article], EventKind.STAR, via="web")
    (event,) = reader.store.reading.events(step)
    assert event.title == SHOWN


def test_what_rules_do_to_it(whole: Whole, pages: TestClient, article: ArticleId) -> None:
    reader = whole.app.reader()
    assert [one.title for one in rules.tried(reader, muting()).named] == [SHOWN]
    rules.save(reader, muting())
    rules.apply(reader)
    names(pages, "/rules/muted")
