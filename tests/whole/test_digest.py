"""A digest by the whole path: polled, weighed, grouped, written; as a command and as a page."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from conftest import Whole
from starlette.testclient import TestClient

from newsloom.digests.formats import FORMATS
from newsloom.digests.service import digests
from newsloom.digests.values import DigestKind
from newsloom.kernel.errors import UserError
from newsloom.web.app import create_app
from publisher import Publisher, rss


@pytest.fixture
def whole(sampled: Path, tmp_path: Path, open_whole: Callable[..., Whole]) -> Whole:
    """After a pass over the sample."""
    shutil.copy(sampled, tmp_path / "news.db")
    return open_whole("127.0.0.1")


def test_a_weekly_digest_of_the_sample(whole: Whole) -> None:
    reader = whole.app.reader()
    made = digests.compose(reader, DigestKind.WEEKLY, None, whole.clock(), "Europe/Berlin")
    everything = (*made.top, *made.noteworthy, *made.mentioned)
    assert len(made.top) >= 3
    several = [one for one in everything if one.related]
    assert several, "what several feeds tell is one topic"
    assert all(one.summary for one in made.top)
    ids = [article.id for one in everything for article in (one.lead, *one.related)]
    assert len(ids) == len(set(ids))
    assert made.feeds.polled == made.feeds.succeeded == len(reader.subscriptions())
    assert made.feeds.new_articles > 50
    for form in FORMATS:
        assert made.top[0].lead.title.split()[0] in form.render(made)


def test_what_is_remembered_of_topics_can_be_compared(whole: Whole) -> None:
    end = whole.clock()
    kind = DigestKind.WEEKLY
    made = digests.composed(whole.app.reader(), kind, end - timedelta(days=7), end, "UTC")
    assert any(len(one.articles) == 1 for one in made.memory.topics)
    for one in made.memory.topics:
        assert sum(value * value for value in one.terms.values()) == pytest.approx(1.0)


def test_a_window_without_articles_has_an_empty_digest(whole: Whole) -> None:
    later = whole.clock() + timedelta(days=400)
    made = digests.compose(whole.app.reader(), DigestKind.MIDDAY, None, later, "UTC")
    assert made.top == ()
    assert made.feeds.polled == 0
    with pytest.raises(UserError, match="The end of the period must be after its start"):
        digests.compose(whole.app.reader(), DigestKind.AD_HOC, later, later, "UTC")


def test_a_reader_without_feeds_has_one_too(open_whole: Callable[..., Whole]) -> None:
    opened = open_whole()
    made = digests.compose(opened.app.reader(), DigestKind.MORNING, None, opened.clock(), "UTC")
    assert (made.top, made.feeds.polled) == ((), 0)


OUTLETS = ("bbc.co.uk", "npr.org", "aljazeera.com", "dw.com")
STRIKE = (
    "Ferry crews in Rotterdam strike over night pay",
    "Rotterdam ferry strike halts the crews",
    "Strike of ferry crews closes Rotterdam harbour",
    "Rotterdam: ferry crews on strike",
)
LONE = (
    "Glaciers in the Alps lost a metre of ice",
    "Orchids bloom early at Kew Gardens",
    "Violin by Stradivari sold in Cremona",
    "Comet passes behind the sun in May",
)


@pytest.mark.parametrize(
    ("hosts", "least"),
    [(OUTLETS, 3.0), (tuple(f"unknown{n}.example" for n in range(4)), 0.0)],
    ids=["known sources", "unknown ones, which may be one"],
)
def test_a_topic_gains_by_its_independent_sources(
    open_whole: Callable[..., Whole], publisher: Publisher, hosts: tuple[str, ...], least: float
) -> None:
    whole = open_whole(publisher.host)
    for number, (host, title) in enumerate(zip(hosts, STRIKE, strict=True)):
        rows = [
            (f"a{number}", f"https://{host}/a", title),
            (f"b{number}", f"https://{host}/b", LONE[number]),
        ]
        whole.follow(publisher.puts(f"/{number}", rss(host, *rows)))
    whole.run()
    made = digests.compose(whole.app.reader(), DigestKind.MORNING, None, whole.clock(), "UTC")
    topics = (*made.top, *made.noteworthy, *made.mentioned)
    strike = next(one for one in topics if len(one.related) >= 2)
    gained = strike.importance - max(one.importance for one in topics if not one.related)
    assert gained >= least if least else abs(gained) < 3.0, gained


def test_the_pages_of_digest_and_interests(whole: Whole) -> None:
    with TestClient(
        create_app(whole.app.reader()),
        base_url="http://localhost",
        headers={"sec-fetch-site": "same-origin"},
    ) as visitor:
        page = visitor.get("/digest?kind=weekly")
        assert page.status_code == 200
        assert "Top stories" in page.text
        assert "feeds polled" not in page.text
        assert visitor.get("/digest?since=3d").status_code == 200
        assert visitor.get("/digest?since=the+day+before").status_code == 400
        response = visitor.get("/digest?kind=weekly&form=json")
        assert response.headers["content-type"].startswith("application/json")
        assert response.headers["content-disposition"] == 'attachment; filename="digest.json"'
        assert json.loads(response.text)["kind"] == "weekly"
        whole.app.reader().add_interest("harbour ferries")
        page = visitor.get("/you")
        assert "Your topics" in page.text
        assert 'value="ferri"' in page.text or 'value="ferry"' in page.text
        assert visitor.post("/interests/pace", data={"pace": "weekly"}).status_code in {200, 303}
        assert whole.app.store.users.fade(whole.app.user) == pytest.approx(0.01)
        assert visitor.post("/interests/pace", data={"pace": "never"}).status_code == 400
        assert visitor.post("/interests/topics", data={"term": "x", "say": "so"}).status_code == 400
        assert (
            visitor.post("/interests/topics", data={"term": "no such", "say": "more"}).status_code
            == 404
        )
        assert "importance" in visitor.get("/?order=important").text
        assert visitor.get("/?importance=40").status_code == 200
