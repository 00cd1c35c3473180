"""Feeds that try to buy importance: none gets above the honest median of tier 3.

Every feed has a host of its own, as it would on the web; all of them are the publisher of the test.
"""

from __future__ import annotations

import random
import socket
import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from email.utils import format_datetime
from functools import cache
from html import escape

import pytest
from conftest import Clock, Whole

from newsloom.app import open_app
from newsloom.digests.service.digest_articles import UNKNOWN_TIER, article_of
from newsloom.digests.service.digests import gathered
from newsloom.kernel.settings import Settings
from newsloom.reading.values.reading import Listed, ListQuery, Order, Rows
from publisher import Publisher, publishing
from quick import quick_folder

EVERYTHING = ListQuery(order=Order.IMPORTANT, limit=5_000, unread_only=False, rows=Rows.ARTICLE)
INTERESTS = ("solar power storage", "harbour ferries")

# Of tier 3 in the table, each of another owner.
HONEST = (
    "11alive.com",
    "15min.lt",
    "20minutes.fr",
    "24.hu",
    "404media.co",
    "6abc.com",
    "8thlight.com",
    "972mag.com",
    "9news.com.au",
    "aawsat.com",
    "abc.com.py",
    "abc.es",
)
# Words of what such feeds carry: teasers, summaries and whole articles.
LENGTHS = (18, 30, 45, 60, 120, 250, 400, 550, 700, 1_000)

VOCABULARY = [f"{a}{b}{c}" for a in "bdfgklmnprst" for b in ("a", "en", "or", "il") for c in
              ("dam", "ket", "lin", "mos", "rab", "sten", "tor", "vel", "wick", "zon")]  # fmt: skip
SMALL = "the of to and in that for was on with as by at from it".split()  # noqa: SIM905


def prose(words: int, seed: object, about: Sequence[str] = ()) -> str:
    """Sentences with as many small, common and rare words as prose has, and a few numbers."""
    chance = random.Random(str(seed))
    common = chance.sample(VOCABULARY, 60)
    said = []
    for place in range(words):
        kind = chance.random()
        if about and kind < 0.05:
            word = chance.choice(about)
        elif kind < 0.42:
            word = chance.choice(SMALL)
        elif kind < 0.60:
            word = chance.choice(common)
        elif kind < 0.62:
            word = str(chance.randint(2, 900))
        else:
            word = chance.choice(VOCABULARY) + chance.choice(("", "", "s", "ing", "ed"))
        said.append(f"{word}." if place % 17 == 16 else word)
    return " ".join(said)


@dataclass(frozen=True)
class Item:
    """An article as a feed has it. `age` in hours, below 0 in the future; None without a date."""

    link: str
    title: str
    html: str
    age: float | None = 0.0
    more: str = ""  # further elements

    def element(self, now: datetime) -> str:
        dated = "" if self.age is None else now - timedelta(hours=self.age)
        when = dated and f"<pubDate>{format_datetime(dated)}</pubDate>"
        return (
            f"<item><guid isPermaLink='false'>{self.link}</guid><link>{self.link}</link>"
            f"<title>{escape(self.title)}</title>{when}{self.more}"
            f"<description>{escape(self.html)}</description></item>"
        )


Feeds = Mapping[str, Sequence[Item]]  # by their hosts


def honest() -> Feeds:
    """Some of each source from the last five hours; a fifth are on what the reader follows."""
    feeds: dict[str, list[Item]] = {host: [] for host in HONEST}
    for number in range(5 * len(HONEST)):
        host, words = HONEST[number % len(HONEST)], LENGTHS[number % len(LENGTHS)]
        about = INTERESTS[number % 2].split() if number % 5 == 0 else ()
        text = prose(words, number, about)
        html = "".join(f"<p>{part}.</p>" for part in text.split(". "))
        if words >= 400:
            html += f"<h2>More</h2><p><a href='https://law{number}.example/'>The law</a></p>"
        title = " ".join(prose(8, f"title {number}", about).split()).capitalize()
        feeds[host].append(Item(f"https://{host}/news/{number}", title, html, number % 6 * 5 / 6))
    return feeds


@cache
def told(of: str) -> Sequence[str]:
    """The words of a story, which all of its copies have."""
    return prose(900, of).split()


def story(of: str, host: str, number: int = 0, *, spun: float = 0.0, head: str = "") -> Item:
    """The story of an attack at a domain; `spun` is the share of words that are others there."""
    chance = random.Random(f"{host} {number}")
    words = [chance.choice(VOCABULARY) if chance.random() < spun else word for word in told(of)]
    title = f"Minister {of} to leave the {of} council after report on the {of} quarry"
    return Item(f"https://{host}/story/{number}", title, f"<p>{head}{' '.join(words)}</p>")


def copies_of_one_owner() -> Feeds:
    hosts = [f"news{number}.seller.example" for number in range(30)]
    return {host: [story("Densten", host, copy) for copy in range(4)] for host in hosts}


def copies_of_unknown_owners() -> Feeds:
    hosts = [f"herald{number}.example" for number in range(30)]
    return {
        host: [story("Torlin", host, copy, head=f"Read it first at the Herald {number}. ")
               for copy in range(3 + (number < 10))]
        for number, host in enumerate(hosts)
    }  # fmt: skip


def one_feed_in_the_name_of_thirty(spun: float = 0.25) -> Feeds:
    known = (*HONEST, "reuters.com", "apnews.com", "bbc.co.uk", "nytimes.com", "lemonde.fr")
    made_up = tuple(f"gazette{number}.example" for number in range(13))
    return {"mirror.example": [story("Gorwick", host, spun=spun) for host in (*known, *made_up)]}


REPEATED = " ".join([*INTERESTS] * 500)


def of_one(host: str, **items: Item) -> Feeds:
    named = {name: replace(one, link=f"https://{host}/{name}") for name, one in items.items()}
    return {host: list(named.values())}


def stuffed() -> Feeds:
    own = prose(300, "stuffed")
    hidden = ("display:none", "font-size:0", "color:#fff", "position:absolute;left:-9999px")
    return of_one(
        "stuffed.example",
        alone=Item("", "What you follow", f"<p>{REPEATED}</p>"),
        before=Item("", "Council meets", f"<p>{REPEATED}</p><p>{own}</p>"),
        title=Item("", f"{' '.join([*INTERESTS] * 8)}", f"<p>{own}</p>"),
        **{
            f"hidden{place}": Item(
                "", f"Vote {place}", f"<p style='{style}'>{REPEATED}</p><p>{prose(300, style)}</p>"
            )
            for place, style in enumerate(hidden)
        },
    )


def misdated() -> Feeds:
    return of_one(
        "misdated.example",
        future=Item("", "From the future", f"<p>{prose(700, 'f')}</p>", age=-9_000),
        tomorrow=Item("", "From tomorrow", f"<p>{prose(700, 't')}</p>", age=-20),
        now=Item("", "Always now", f"<p>{prose(700, 'n')}</p>", age=0),
    ) | of_one("undated.example", none=Item("", "No date", f"<p>{prose(700, 'u')}</p>", age=None))


def heaped() -> Feeds:
    tables = "<table><tr><td>1</td></tr></table>" * 1_000
    numbers = " ".join(str(number) for number in range(10_000))
    links = "".join(f"<a href='https://site{n}.example/'>see</a> " for n in range(10_000))
    lists = "<h2>So</h2><ul><li>1</li><li>2</li></ul>" * 500
    own = f"<p>{prose(1_200, 'heaped')}</p>"
    dense = " ".join(f"{word} 7" for word in prose(1_000, "dense").split())
    return of_one(
        "heaped.example",
        tables=Item("", "Tables", tables + own),
        numbers=Item("", "Numbers", f"{own}<p>{numbers}</p>"),
        links=Item("", "Links", own + links),
        all=Item("", "All", f"<p>{dense}</p>{tables}{lists}{links}<p>{numbers}</p>"),
        shaped=Item("", "Shaped", f"<p>{dense}</p>{tables[:400]}{lists[:400]}{links[:3_000]}"),
    )


AGENCIES = ("Reuters", "AP", "AFP", "dpa", "EFE", "ANSA", "TASS", "Kyodo")


def as_wire() -> Feeds:
    datelined = [
        story("Larmos", "wired.example", place, spun=0.25, head=f"LONDON, Nov 21 ({name}) - ")
        for place, name in enumerate(AGENCIES)
    ]
    author = "<author>Reuters</author>"
    item = replace(
        story("Bendam", "wired.example", 90), title="Reuters: all of it true", more=author
    )
    other = f"<p>LONDON (Reuters) - {prose(900, 'linked')} (Reporting by A B; editing by C D)</p>"
    linked = Item("https://www.reuters.com/world/made-up", "Reuters on the vote", other)
    origin = "https://apnews.com/article/made-up"
    namespace = "http://rssnamespace.org/feedburner/ext/1.0"
    more = f"<f:origLink xmlns:f='{namespace}'>{origin}</f:origLink>"
    claimed = Item("https://wired.example/c", "Claimed", f"<p>{prose(900, 'c')}</p>", more=more)
    likeness = "reuters.com.wired.example"
    return {
        "wired.example": [*datelined, item, linked, claimed],
        likeness: [Item(f"https://{likeness}/1", "Likeness", f"<p>{prose(900, 'like')}</p>")],
    }


ATTACKS: Mapping[str, Callable[[], Feeds]] = {
    "a hundred copies over thirty names of one owner": copies_of_one_owner,
    "a hundred copies over thirty unknown domains": copies_of_unknown_owners,
    "one feed in the name of thirty domains": one_feed_in_the_name_of_thirty,
    "what the reader follows, five hundred times": stuffed,
    "false dates": misdated,
    "heaps of tables, numbers and links": heaped,
    "in the name of an agency": as_wire,
}


@dataclass
class Weighed:
    """All of it polled and weighed at once: rows by the host of the feed that carried them."""

    whole: Whole
    rows: Mapping[str, Sequence[Listed]]

    def importances(self, hosts: Iterator[str] | Sequence[str]) -> list[float]:
        return [one.importance or 0.0 for host in hosts for one in self.rows.get(host, ())]


def publish(publisher: Publisher, feeds: Feeds, now: datetime) -> list[str]:
    """The feeds' addresses."""
    port = publisher.host.rpartition(":")[2]
    for host, items in feeds.items():
        body = "".join(one.element(now) for one in items)
        page = f"<rss version='2.0'><channel><title>{host}</title>{body}</channel></rss>"
        publisher.puts(f"/{host}", page, Content_Type="application/rss+xml")
    return [f"http://{host}:{port}/{host}" for host in feeds]


@pytest.fixture(scope="module")
def weighed() -> Iterator[Weighed]:
    made = [honest(), *(attack() for attack in ATTACKS.values())]
    feeds = {host: items for some in made for host, items in some.items()}
    clock, settings = Clock(), Settings()
    clock.stop()
    with pytest.MonkeyPatch.context() as patch, publishing() as publisher, quick_folder() as folder:
        patch.setattr(socket, "getaddrinfo", at_home(socket.getaddrinfo, set(feeds)))
        app = open_app(
            replace(
                settings,
                pages=replace(settings.pages, icons=False),
                schedule=replace(settings.schedule, by_hand_minutes=0.0),
                reading=replace(settings.reading, workers=0),
                store=replace(settings.store, path=folder / "news.db"),
                fetch=replace(
                    settings.fetch, private_hosts=tuple(feeds), per_host=8, host_seconds=0.0
                ),
            ),
            clock,
        )
        whole = Whole(app, clock)
        for one in INTERESTS:
            app.reader().add_interest(one)
        ids = whole.follow(*publish(publisher, feeds, clock()))
        whole.run(ids, until="interest")  # importance depends on no later stage
        clock.ahead += timedelta(hours=3)
        publish(publisher, misdated(), clock())  # the same articles, from now again
        whole.run(ids, until="interest")
        rows: dict[str, list[Listed]] = {}
        titles = {one.feed_id: one.title for one in app.reader().subscriptions()}
        for one in app.reader().page(EVERYTHING):
            rows.setdefault(titles[one.feed_id], []).append(one)
        yield Weighed(whole, rows)
        app.close()


def at_home(system: Callable[..., object], hosts: set[str]) -> Callable[..., object]:
    """A lookup by which those names are this machine, and no others are anywhere."""

    def look_up(host: str, port: object, *more: object, **named: object) -> object:
        if host not in hosts and host != "127.0.0.1":
            raise socket.gaierror(socket.EAI_NONAME, "not in this test")
        return system("127.0.0.1", port, *more, **named)

    return look_up


def test_what_is_honest_came_whole(weighed: Weighed) -> None:
    found = weighed.importances(HONEST)
    assert len(found) == 5 * len(HONEST)
    assert all(found)


def test_digests_credit_the_feed_and_not_what_it_links_to(weighed: Weighed) -> None:
    reader = weighed.whole.app.reader()
    rows = gathered(reader, replace(EVERYTHING, limit=5_000), weighed.whole.clock())
    hosts = {one.feed_id: one.title for one in reader.subscriptions()}
    articles = [(hosts[one.listed.feed_id], article_of(one, {})) for one in rows]
    assert {one.source for host, one in articles if host in HONEST} == set(HONEST)
    wrong = {
        (host, one.source, one.tier)
        for host, one in articles
        if host not in HONEST and not (host.endswith(one.source) and one.tier == UNKNOWN_TIER)
    }
    assert wrong == set()


@pytest.mark.parametrize("attack", ATTACKS)
def test_importance_is_not_for_sale(weighed: Weighed, attack: str) -> None:
    median = statistics.median(weighed.importances(HONEST))
    bought = [one for host in ATTACKS[attack]() for one in weighed.rows.get(host, ())]
    assert bought, "it was polled"
    assert {
        (one.url, round(one.importance or 0, 1)): {
            part.name: round(part.value) for part in weighed.whole.app.reader().why(one.id).signals
        }
        for one in bought
        if (one.importance or 0) > median
    } == {}, f"above {median:.1f}"
