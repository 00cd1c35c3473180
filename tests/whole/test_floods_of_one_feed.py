"""What one feed can do to a store by changing everything at every poll: little, and it is told."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from migrated import migrated
from newsloom.app import App, open_app, polling
from newsloom.articles.store.records import MOST_REVISIONS
from newsloom.feeds.service.reply import read
from newsloom.feeds.values.polling import PollCounts, PollOutcome
from newsloom.kernel.http.values import Reply, Request
from newsloom.kernel.ids import FeedId
from newsloom.kernel.settings import Settings
from newsloom.reading.values.reading import EventKind, ListQuery
from newsloom_lab.bench.run import NoNetwork

BEGAN = datetime(2026, 11, 1, 6, tzinfo=UTC)
URL = "https://flood.test/feed"


@dataclass
class Feed:
    """One feed, polled without a network: what it is said to answer is read, judged and stored."""

    app: App
    now: list[datetime]
    id: FeedId = field(init=False)

    def __post_init__(self) -> None:
        self.id, _ = self.app.store.reading.subscribe(self.app.user, URL, self.now[0])
        self.poller = polling.poller(self.app, NoNetwork(), lambda _counts: None)

    def answers(self, body: str, status: int = 200, **headers: str) -> PollCounts:
        (due,) = self.poller.claim(1, [self.id])
        sent = tuple((name.replace("_", "-"), value) for name, value in headers.items())
        reply = Reply(
            Request(due.url), self.now[0], 0.1, status, due.url, headers=sent, body=body.encode()
        )
        counts = self.poller.recorder.store_all([read(due, reply)])
        self.now[0] += timedelta(hours=1)
        return counts

    def rows(self, table: str) -> int:
        return int(self.asks(f"SELECT COUNT(*) FROM {table}")[0][0])

    def asks(self, query: str) -> list[tuple[object, ...]]:
        with self.app.store.database.read() as connection:  # type: ignore[attr-defined]
            return [tuple(row) for row in connection.exec_driver_sql(query)]

    def problem(self) -> str:
        return str(self.asks("SELECT problem FROM polls ORDER BY id DESC LIMIT 1")[0][0])


@pytest.fixture
def feed(tmp_path: Path) -> Iterator[Feed]:
    now = [BEGAN]
    settings = Settings()
    app = open_app(
        replace(settings, store=replace(settings.store, path=migrated(tmp_path / "flood.db"))),
        now=lambda: now[0],
    )
    yield Feed(app, now)
    app.close()


def rss(items: Iterable[str]) -> str:
    head = "<rss version='2.0'><channel><title>Flood</title><link>https://flood.test/</link>"
    return f"{head}{''.join(items)}</channel></rss>"


def item(
    number: int, *, guid: str = "", link: str = "", words: str = "as it was", title: str = ""
) -> str:
    day = f"{1 + number % 28:02} Oct 2026 {number % 24:02}:00:00 GMT"
    return (
        f"<item><title>{title or f'Report {number}'}</title>"
        f"<link>{link or f'https://flood.test/{number}'}</link>"
        f"<guid isPermaLink='false'>{guid or number}</guid><pubDate>{day}</pubDate>"
        f"<description>Report {number} {words}.</description></item>"
    )


# What changes, and how many polls are played.
RENAMED: dict[str, tuple[Callable[[int, int], str], int]] = {
    "ids and links": (
        lambda number, poll: item(
            number, guid=f"{number}-{poll}", link=f"https://flood.test/{poll}/{number}"
        ),
        100,
    ),
    "ids": (lambda number, poll: item(number, guid=f"{number}-{poll}"), 5),
    "links, without ids": (
        lambda number, poll: item(number, guid=" ", link=f"https://flood.test/{poll}/{number}"),
        5,
    ),
}


@pytest.mark.parametrize(("made", "polls"), RENAMED.values(), ids=RENAMED)
def test_other_ids_at_every_poll_make_no_other_articles(
    feed: Feed, made: Callable[[int, int], str], polls: int
) -> None:
    """F13: 200 articles, 100 polls."""
    for poll in range(polls):
        counts = feed.answers(rss(made(number, poll) for number in range(200)))
        assert counts.new == (200 if poll == 0 else 0)
        if poll == 2:
            assert "other ids" in feed.problem(), "the alarm"
    assert feed.rows("articles") == 200
    assert feed.rows("revisions") == 0
    assert feed.rows("states") == 200


def test_news_among_renamed_articles_is_news(feed: Feed) -> None:
    """F13."""
    made, _ = RENAMED["ids and links"]
    feed.answers(rss(made(number, 0) for number in range(20)))
    counts = feed.answers(rss(made(number, 1) for number in range(3, 23)))
    assert (counts.new, feed.rows("articles")) == (3, 23)


def test_articles_edited_at_every_poll_keep_so_many_revisions(feed: Feed) -> None:
    """F14."""
    for poll in range(MOST_REVISIONS + 6):
        feed.answers(rss(item(number, words=f"in edition {poll}") for number in range(20)))
    assert feed.rows("articles") == 20
    most = feed.asks("SELECT MAX(n) FROM (SELECT COUNT(*) n FROM revisions GROUP BY article_id)")
    assert most == [(MOST_REVISIONS,)]
    assert feed.rows("states") == 20


def test_duplicate_ids_in_one_document_make_neither_copies_nor_more_at_each_poll(
    feed: Feed,
) -> None:
    """F12: one id for all, and twice the same article."""
    document = rss([item(number, guid="the same") for number in range(5)] + [item(1)] * 3)
    first = feed.answers(document)
    stored = feed.rows("articles")
    assert stored == first.new == 5, "one for each place"
    for number in range(3):
        feed.answers(document.replace("</channel>", f"<!-- {number} --></channel>"))
    assert feed.rows("articles") == stored


def test_ids_that_change_their_case_are_the_same_articles(feed: Feed) -> None:
    """F12."""
    feed.answers(rss(item(number, guid=f"Article-{number}-X") for number in range(20)))
    counts = feed.answers(rss(item(number, guid=f"ARTICLE-{number}-x") for number in range(20)))
    assert (counts.new, feed.rows("articles")) == (0, 20)


def test_a_feed_that_empties_and_refills_announces_nothing_again(feed: Feed) -> None:
    """F15: what was read stays read, and nothing is deleted."""
    full = rss(item(number) for number in range(20))
    feed.answers(full)
    reader = feed.app.reader()
    reader.mark([row.id for row in reader.page(ListQuery())], EventKind.READ, "test")
    for body in (rss([]), full, rss([item(3)]), full):
        counts = feed.answers(body)
        assert (counts.new, counts.revised) == (0, 0)
    assert feed.rows("articles") == 20
    assert reader.unread() == 0


def test_of_a_hundred_thousand_articles_the_newest_thousand_are_kept_and_it_is_said(
    feed: Feed,
) -> None:
    """F17."""
    counts = feed.answers(rss(item(number) for number in range(100_000)))
    assert counts.new == feed.rows("articles") == 1_000
    assert "100,000 articles, of which the newest 10,000 are read" in feed.problem()


@pytest.mark.parametrize("dated", [True, False], ids=["dated", "undated"])
@pytest.mark.parametrize("newest_first", [True, False], ids=["newest first", "newest last"])
def test_a_long_feed_loses_nothing_new(feed: Feed, dated: bool, newest_first: bool) -> None:
    """The newest 1,000 of 1,200, then all that is new since, wherever it stands."""

    def document(count: int) -> str:
        items = [long_item(number, dated=dated) for number in range(count)]
        return rss(reversed(items) if newest_first else items)

    def stored() -> set[int]:
        return {int(title.split()[1]) for (title,) in feed.asks("SELECT title FROM articles")}

    feed.answers(document(1_200))
    assert stored() == set(range(200, 1_200))
    assert "has 1,200 articles; the 200 oldest were skipped" in feed.problem()
    assert feed.answers(document(1_205)).new == 5
    assert feed.answers(document(1_203)).new == 0
    assert feed.answers(document(1_207)).new == 2
    assert stored() == set(range(200, 1_207))


def test_new_articles_in_the_middle_of_a_long_feed_without_dates_are_found(feed: Feed) -> None:
    items = [long_item(number, dated=False) for number in range(1_500)]
    feed.answers(rss(items))
    news = [long_item(number, dated=False) for number in range(2_000, 2_010)]
    assert feed.answers(rss([*items[:700], *news, *items[700:]])).new == 10
    assert feed.answers(rss([*items[:300], *news, *items[300:]])).new == 0


def long_item(number: int, *, dated: bool) -> str:
    day = f"<pubDate>{date(2020, 1, 1) + timedelta(number)}</pubDate>" if dated else ""
    return f"<item><guid>n-{number}</guid><title>Entry {number} of many</title>{day}</item>"


def test_validators_of_an_unreadable_document_are_not_kept(feed: Feed) -> None:
    """P09: a 304 would hide the articles from then on."""
    feed.answers(rss([item(1)]), etag='"good"', last_modified="then")
    counts = feed.answers("<!doctype html><p>Please log in", etag='"page"', last_modified="now")
    assert counts.failed == 1
    (due,) = feed.poller.claim(1, [feed.id])
    assert (due.etag, due.last_modified) == ('"good"', "then")
    assert due.unreadable == 1
    assert feed.rows("articles") == 1


def test_a_document_the_store_refuses_keeps_no_validators_either(feed: Feed) -> None:
    """P09: what went wrong behind the parser counts as well."""
    (due,) = feed.poller.claim(1, [feed.id])
    body = rss([item(1)]).encode()
    reply = Reply(Request(due.url), feed.now[0], 0.1, 200, due.url, (), (("etag", "x"),), body)
    polled = read(due, reply)
    assert polled.outcome is PollOutcome.CHANGED
    (only,) = polled.incoming
    broken = replace(only, parsed=only.parsed._replace(author="\ud800"))
    counts = feed.poller.recorder.store_all([replace(polled, incoming=(broken,))])
    assert counts.failed == 1
    (due,) = feed.poller.claim(1, [feed.id])
    assert (due.etag, due.body_hash) == ("", "")


class DiedError(Exception):
    """As a process that is killed, but the test lives on."""


def test_a_poll_that_dies_before_its_commit_costs_one_more_request_and_doubles_nothing(
    feed: Feed,
) -> None:
    """P10: validators and articles are of one transaction, also with those of other feeds."""
    other, _ = feed.app.store.reading.subscribe(
        feed.app.user, "https://other.test/feed", feed.now[0]
    )
    body, etag = rss([item(1), item(2)]).encode(), (("etag", '"good"'),)
    claimed = feed.poller.claim(2, [feed.id, other])
    polled = [
        read(due, Reply(Request(due.url), feed.now[0], 0.1, 200, due.url, (), etag, body))
        for due in claimed
    ]
    jitter = iter([0.0])

    def dies_at_the_second() -> float:
        if (one := next(jitter, None)) is None:
            raise DiedError
        return one

    with pytest.raises(DiedError):
        replace(feed.poller.recorder, jitter=dies_at_the_second).store_all(polled)
    feed.app.store.feeds.release(feed.poller.owner)
    again = feed.poller.claim(2, [feed.id, other])
    assert {due.etag for due in again} == {""}, "one more unconditional request of each"
    feed.poller.recorder.store_all(
        [replace(one, due=due) for one, due in zip(polled, again, strict=True)]
    )
    assert feed.rows("articles") == 4
    assert feed.rows("polls") == 2
    assert {due.etag for due in feed.poller.claim(2, [feed.id, other])} == {'"good"'}
