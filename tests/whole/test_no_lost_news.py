"""What a feed publishes is unread once: generated histories of feeds, polled and read.

Every text that a reader never had, and every text that its feed publishes again on another day, is
unread exactly once; corrections, other ids, other addresses and copies make nothing unread again.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from email.utils import format_datetime

import pytest
from conftest import Whole

from newsloom.kernel.ids import FeedId
from newsloom.reading.values.reading import ListQuery, Order, Rows
from publisher import Publisher

UNREAD = ListQuery(order=Order.NEWEST, limit=5_000)
HOUR = timedelta(hours=1)
BEGINNINGS = ("bel", "dor", "fen", "gal", "hus", "kor", "lim", "nar", "pol", "ruv")
ENDS = ("ade", "ike", "omo", "una", "esk", "irt", "alp", "oth", "und", "ery")
WORDS = [beginning + end for beginning in BEGINNINGS for end in ENDS]


@dataclass
class Item:
    name: str
    link: str
    title: str
    text: str
    date: datetime
    published: bool = False  # in a document that was polled


@dataclass
class Feed:
    """A feed with habits; `due` are titles that a reader is to find unread at the next poll."""

    habit: str
    chance: random.Random
    items: list[Item] = field(default_factory=list)
    gone: list[Item] = field(default_factory=list)
    due: list[str] = field(default_factory=list)
    made: int = 0
    scheme: str = "https"

    def _number(self) -> int:
        self.made += 1
        return self.made

    def _words(self, count: int) -> str:
        return " ".join(self.chance.choice(WORDS) for _ in range(count))

    def _title(self) -> str:
        words = " ".join(self.chance.sample(WORDS, 3)).capitalize()
        return f"{words} {HABITS.index(self.habit)}x{self._number()}"

    def _add(self, title: str, text: str, now: datetime) -> None:
        number = self._number()
        link = f"://{self.habit}.example/{self._words(1)}-{number}"
        self.items.insert(0, Item(f"{self.habit}-{number}", link, title, text, now))

    def _published(self) -> list[Item]:
        return [one for one in self.items if one.published]

    def news(self, now: datetime) -> None:
        title = self._title()
        self._add(title, f"{self._words(self.chance.choice((9, 30, 90)))}.", now)
        self.due.append(title)

    def again(self, now: datetime) -> None:
        """An alert: a text of another day under a new id and link."""
        old = [one for one in self._published() if now - one.date > 13 * HOUR]
        if old:
            one = self.chance.choice(old)
            if all(now - other.date > 13 * HOUR for other in self.items if other.text == one.text):
                self._add(one.title, one.text, now)
                self.due.append(one.title)

    def copy(self, now: datetime) -> None:
        """The same post in another section: its own id and link, the same date."""
        if self.habit in ("undated", "no-ids-links"):
            return  # nothing tells a copy from an alert
        one = self.chance.choice(self._published())
        self._add(one.title, one.text, one.date)

    def edit(self, now: datetime) -> None:
        if self.habit not in ("no-ids-links", "na-ids-links"):
            one = self.chance.choice(self._published())
            if [other.text for other in self.items].count(one.text) == 1:
                one.text = f"{one.text} {self._words(3).capitalize()}."

    def relink(self, now: datetime) -> None:
        if self.habit in ("plain", "undated"):
            one = self.chance.choice(self._published())
            one.link = f"{one.link}-corrected"

    def reuse(self, now: datetime) -> None:
        """The id and link of an old item for another one."""
        old = [one for one in self._published() if now - one.date > 13 * HOUR]
        if self.habit in ("plain", "links-as-ids") and old:
            one = self.chance.choice(old)
            one.title = self._title()
            one.text, one.date = f"{self._words(40)}.", now
            self.due.append(one.title)

    def flip(self, now: datetime) -> None:
        self.scheme = "http" if self.scheme == "https" else "https"

    def drop(self, now: datetime) -> None:
        if len(self._published()) > 3 and self.items[-1].title not in self.due:
            self.gone.append(self.items.pop())

    def back(self, now: datetime) -> None:
        if self.gone and self.habit != "undated":
            self.items.append(self.gone.pop())

    def step(self, now: datetime) -> None:
        self.news(now)
        if not self._published():
            return
        doings = (self.news, self.again, self.copy, self.edit, self.relink, self.reuse, self.flip,
                  self.drop, self.back)  # fmt: skip
        for do in self.chance.sample(doings, 4):
            do(now)

    def document(self) -> str:
        return (
            f"<rss version='2.0'><channel><title>{self.habit}</title>"
            f"<link>https://{self.habit}.example/</link>"
            f"{''.join(map(self._element, self.items))}</channel></rss>"
        )

    def _element(self, one: Item) -> str:
        link = self.scheme + one.link
        ids = {
            "links-as-ids": link,
            "na-ids": "N/A",
            "na-ids-links": "N/A",
            "one-id": "the feed",
            "home-as-id": "https://home-as-id.example/",
            "no-ids": "",
            "no-ids-links": "",
        }
        name = ids.get(self.habit, one.name)
        if self.habit in ("na-ids-links", "no-ids-links"):
            link = "N/A" if self.habit == "na-ids-links" else ""
        date = "" if self.habit == "undated" else f"<pubDate>{format_datetime(one.date)}</pubDate>"
        guid = f"<guid isPermaLink='false'>{name}</guid>" if name else ""
        return (
            f"<item>{guid}<link>{link}</link><title>{one.title}</title>{date}"
            f"<description>{one.text}</description></item>"
        )


HABITS = (
    *("plain", "undated", "links-as-ids", "na-ids", "na-ids-links", "one-id", "home-as-id"),
    *("no-ids", "no-ids-links"),
)


@pytest.mark.parametrize("seed", range(4))
def test_what_is_new_is_unread_once(whole: Whole, publisher: Publisher, seed: int) -> None:
    whole.clock.stop()
    # One history goes through every stage; the others stop where it is decided what is unread.
    until = "duplicates" if seed else ""
    feeds = [Feed(habit, random.Random(f"{seed} {habit}")) for habit in HABITS]
    ids: list[FeedId] = []
    everything = whole.app.reader().by_rows(Rows.ARTICLE)
    reader = everything.by_rows(Rows.TEXT)
    wrong = []
    for poll in range(7):
        for one in feeds:
            if poll == 0:
                one.news(whole.clock() - 30 * HOUR)
            one.step(whole.clock())
            publisher.puts(f"/{one.habit}", one.document(), Content_Type="application/rss+xml")
            for item in one.items:
                item.published = True
        if poll == 0:
            ids = whole.follow(*(f"{publisher.url}/{one.habit}" for one in feeds))
        whole.run(ids, until=until)
        rows, stored = reader.page(UNREAD), everything.page(replace(UNREAD, unread_only=False))
        for feed, number in zip(feeds, ids, strict=True):
            found = Counter(one.title for one in rows if one.feed_id == number)
            due, feed.due = Counter(feed.due), []
            links = {one.url.partition(":")[2] for one in stored if one.feed_id == number}
            if feed.habit == "plain":
                wrong += [(poll, one.link) for one in feed.items if one.link[1:] not in links]
            if found != due:
                wrong.append((poll, feed.habit, "lost", due - found, "again", found - due))
        assert reader.clear(UNREAD, "test") >= len(rows)
        whole.clock.ahead += 20 * HOUR
    assert wrong == [], "\n".join(map(str, wrong))
