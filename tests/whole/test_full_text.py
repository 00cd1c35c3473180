"""Full texts of articles: fetched once, as the site allows; shown and read when longer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import insert, select

from newsloom.articles.store.reader_tables import states
from newsloom.articles.store.tables import articles
from newsloom.feeds.full_text import full_text
from newsloom.feeds.service.full_text import NOT_OLDER, FullTexts
from newsloom.feeds.store.tables import feeds, pauses
from newsloom.feeds.store.tables import pages as pages_table
from newsloom.feeds.values.pages import PageFacts
from newsloom.feeds.workers.page import answer, question, understood
from newsloom.kernel.errors import NotFound, ParseError
from newsloom.kernel.http.values import Failure, Reply, Request
from newsloom.kernel.ids import ArticleId, FeedId
from newsloom.reading.values.reading import FullArticle, ListQuery
from newsloom.web.app import create_app
from publisher import Publisher, rss
from whole.conftest import Whole

DAY = timedelta(days=1)
SITE = "https://site.example"
ROBOTS = f"{SITE}/robots.txt"
HTML = (("content-type", "text/html; charset=utf-8"),)


def told(paragraph: int) -> str:
    """Sentences as articles have them: of words that differ."""
    return " ".join(
        f"Witness{paragraph}{number} saw item{paragraph}{number} before place{paragraph}{number}, "
        f"as reporter{paragraph}{number} wrote."
        for number in range(4)
    )


LONG = told(99)


def page(name: str, paragraphs: int = 6) -> str:
    text = "".join(f"<p>{name} {number}. {told(number)}</p>" for number in range(paragraphs))
    return (
        f"<html><head><title>{name}</title></head><body><nav><a href='/'>Home</a></nav>"
        f"<article><h1>{name}</h1>{text}<p>{LONG} <a href='more'>Linked</a> words.</p></article>"
        "<footer>All rights reserved</footer></body></html>"
    )


@dataclass
class Web:
    """A fetcher that answers from a table, and says what it was asked."""

    now: Callable[[], datetime]
    answers: dict[str, tuple[int, str]] = field(default_factory=dict)
    headers: Mapping[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)
    leads: Mapping[str, str] = field(default_factory=dict)
    failures: Mapping[str, Failure] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    requests: list[Request] = field(default_factory=list)

    async def get(self, request: Request) -> Reply:
        self.asked.append(request.url)
        self.requests.append(request)
        failure = self.failures.get(request.url)
        status, body = self.answers.get(request.url, (404, ""))
        return Reply(
            request=request,
            received=self.now(),
            seconds=0.1,
            status=0 if failure else status,
            url=self.leads.get(request.url, request.url),
            headers=self.headers.get(request.url, HTML),
            body=b"" if failure else body.encode(),
            failure=failure,
            problem="no answer" if failure else "",
        )

    def puts(self, url: str, body: str, status: int = 200) -> None:
        self.answers[url] = (status, body)


@dataclass
class Room:
    """A store with a feed that asks for full texts, and the side task over it."""

    whole: Whole
    web: Web
    feed: FeedId
    per_host: int = 10
    paused: list[float] = field(default_factory=list)

    def run(self) -> int:
        async def pause(seconds: float) -> None:
            self.paused.append(seconds)

        async def extract(reply: Reply, title: str) -> PageFacts:
            rows = question(reply.url, reply.header("content-type"), title)
            return understood(answer(rows, reply.body))

        side_task = FullTexts(
            self.whole.app.store, self.whole.clock, extract, self.per_host, pause=pause
        )
        return asyncio.run(side_task.run(self.web))

    def write(
        self, *rows: tuple[str, str], age: timedelta = timedelta(hours=1), **more: str
    ) -> None:
        """Articles of the feed: (address, the feed's own text)."""
        at = self.whole.clock()
        with self.whole.app.store.database.write() as connection:  # type: ignore[attr-defined]
            for url, text in rows:
                number = len(connection.execute(select(articles.c.id)).all()) + 1
                facts = {
                    "id": number, "original_id": number, "fullest_id": number,
                    "feed_id": self.feed, "url": url, "title": f"Title {number}",
                    "content": text, "length": len(text), "first_seen_at": at,
                    "dated_at": at - age + timedelta(seconds=number), "version_at": at,
                }  # fmt: skip
                connection.execute(insert(articles).values(**{**facts, **more}))
                state = {"user_id": 1, "article_id": number, "feed_id": self.feed}
                dated = {"dated_at": facts["dated_at"], "rank_key": 0.0}
                connection.execute(insert(states).values(**state, **dated))

    def pages(self) -> list[tuple[str, int, str]]:
        query = select(pages_table.c.url, pages_table.c.tries, pages_table.c.problem)
        with self.whole.app.store.database.read() as connection:  # type: ignore[attr-defined]
            return [tuple(row) for row in connection.execute(query.order_by(pages_table.c.url))]

    def article(self, number: int) -> FullArticle:
        return self.whole.app.reader().article(ArticleId(number))

    @property
    def asked(self) -> list[str]:
        return [url for url in self.web.asked if url != ROBOTS]


@pytest.fixture
def room(open_whole: Callable[..., Whole]) -> Room:
    whole = open_whole()
    whole.clock.stop()
    [feed] = whole.follow("https://feeds.example/feed")
    whole.app.reader().set_full_text(feed, True)
    return Room(whole, Web(whole.clock), feed)


def test_each_page_is_fetched_once(room: Room) -> None:
    """P33."""
    room.write((f"{SITE}/a#top", "Short."), (f"{SITE}/b", "Short."))
    room.web.puts(f"{SITE}/a", page("A"))
    room.web.puts(f"{SITE}/b", page("B"))
    assert room.run() == 2
    for day in range(6):
        room.whole.clock.ahead = day * DAY
        assert room.run() == 0
    assert room.asked == [f"{SITE}/b", f"{SITE}/a"]  # the newest first
    assert [one.max_megabytes for one in room.web.requests if one.url != ROBOTS] == [5.0, 5.0]
    assert all("text/html" in one.accept for one in room.web.requests if one.url != ROBOTS)


def test_a_longer_text_is_shown_and_the_feeds_stays(room: Room) -> None:
    room.write((f"{SITE}/a/", "<p>Short teaser.</p>"))
    room.web.puts(f"{SITE}/a/", page("Title 1"))
    room.run()
    full = room.article(1)
    assert "Title 1 5." in full.html
    assert "Title 1 5." not in full.own_html
    assert f'href="{SITE}/a/more"' in full.html
    assert "<h1>" not in full.html  # its title stands above it
    assert "rights reserved" not in full.html
    assert (full.own_html, full.page_url) == ("<p>Short teaser.</p>", f"{SITE}/a/")
    client = TestClient(create_app(room.whole.app.reader()), base_url="http://127.0.0.1")
    body = client.get("/articles/1").text
    assert "Full text from the article's page." in body
    assert "Feed version" in body
    assert "Short teaser." in body


def test_turned_off_the_feeds_text_is_shown_again(room: Room) -> None:
    room.write((f"{SITE}/a", "Short teaser."))
    room.web.puts(f"{SITE}/a", page("A"))
    room.run()
    reader = room.whole.app.reader()
    reader.set_full_text(room.feed, False)
    assert (room.article(1).html, room.article(1).page_url) == ("Short teaser.", "")
    reader.set_full_text(room.feed, True)
    assert "A 5." in room.article(1).html
    assert room.asked == [f"{SITE}/a"]
    assert [one.full_text for one in reader.subscriptions()] == [True]
    with pytest.raises(NotFound):
        reader.set_full_text(FeedId(99), True)


def test_what_models_read_follows(room: Room) -> None:
    store = room.whole.app.store
    room.write((f"{SITE}/a", "Short teaser."))
    stages = room.whole.app.runner().stages[:1]

    def text() -> str:
        room.whole.app.runner(stages).rank()
        return store.articles.texts([ArticleId(1)])[0].text

    assert text() == "Short teaser."
    room.web.puts(f"{SITE}/a", page("A"))
    room.run()
    assert "A 5." in text()
    store.sites.set_full_text(room.feed, False)
    assert text() == "Short teaser."


@pytest.mark.parametrize("own", [LONG * 40, "", "Short."], ids=["long", "none", "short"])
def test_only_a_longer_text_counts(room: Room, own: str) -> None:
    room.write((f"{SITE}/a", own))
    room.web.puts(f"{SITE}/a", page("A", paragraphs=2))
    longer = len(own) < 1_000
    assert room.run() == longer
    assert bool(room.article(1).page_url) is longer
    said = "" if longer else "the page has no more text than the feed"
    assert room.pages() == [(f"{SITE}/a", 1, said)]


def test_a_page_that_lacks_the_feeds_text_is_not_shown(room: Room) -> None:
    """Its comments were taken for the article."""
    own = "".join(f"<p>{told(number)}</p>" for number in range(30, 36))
    room.write((f"{SITE}/a", own))
    room.web.puts(f"{SITE}/a", page("A", paragraphs=9))
    assert room.run() == 0
    assert room.article(1).html == own
    assert room.article(1).page_problem == "the page has a different text"


def test_what_a_page_lacks_of_the_feeds_text_is_added_also_later(room: Room) -> None:
    """A standfirst, and a correction that came when the page had been fetched, on every surface."""
    room.write((f"{SITE}/a", f"<p>{told(30)}</p><p>{told(0)}</p>"))
    room.web.puts(f"{SITE}/a", page("A"))
    assert room.run() == 1
    with room.whole.app.store.database.write() as connection:  # type: ignore[attr-defined]
        revised = f"<p>{told(30)}</p><p>{told(0)}</p><p>{told(31)}</p>"
        connection.execute(articles.update().values(content=revised))
    full = room.article(1).html
    assert [full.count(told(number)) for number in (30, 0, 31, 1, 5)] == [1] * 5
    assert full.index(told(30)) < full.index(told(0)) < full.index(told(31)) < full.index(told(1))
    room.whole.app.runner(room.whole.app.runner().stages[:1]).rank()
    [read] = room.whole.app.store.articles.texts([ArticleId(1)])
    reader = room.whole.app.reader()
    [sent] = reader.store.syncing.stream_articles(
        reader.user, [ArticleId(1)], room.whole.clock(), reader.half_lives
    )
    assert told(31) in read.text
    assert sent.html == full


def test_a_revision_that_is_longer_goes_before(room: Room) -> None:
    room.write((f"{SITE}/a", "Short."))
    room.web.puts(f"{SITE}/a", page("A"))
    room.run()
    with room.whole.app.store.database.write() as connection:  # type: ignore[attr-defined]
        longer = {"content": LONG * 40, "length": len(LONG) * 40}
        connection.execute(articles.update().values(**longer))
    assert room.article(1).html == LONG * 40


@pytest.mark.parametrize(
    ("rules", "allowed"),
    [
        ("User-agent: *\nDisallow: /", False),
        ("User-agent: *\nDisallow: /private", True),
        ("User-agent: *\nDisallow: /\n\nUser-agent: newsloom\nAllow: /", True),
        ("User-agent: *\nAllow: /\n\nUser-agent: Newsloom\nDisallow: /news", False),
        ("User-agent: otherbot\nDisallow: /", True),
        ("User-agent: *\nDisallow: /*.html$\nAllow: /", True),
        ("User-agent: *\nDisallow: /\nAllow: /news", True),  # the longest that matches
        ("User-agent: *\nDisallow:", True),
        ("\ufeffUser-agent: *\nDisallow: /", False),
        ("<!doctype html><p>not here", True),
        ("Disallow: /" + "*a" * 3_000 + "\n" * 9 + "User-agent: *\nDisallow: /news", False),
        ("User-agent: *\n" + "Allow: /x\n" * 60_000 + "Disallow: /news", True),  # beyond 500 KiB
    ],
    ids=range(12),
)
def test_what_robots_may_read(room: Room, rules: str, allowed: bool) -> None:
    room.write((f"{SITE}/news/a", "Short."))
    room.web.puts(ROBOTS, rules)
    room.web.puts(f"{SITE}/news/a", page("A"))
    assert room.run() == allowed
    assert room.asked == ([f"{SITE}/news/a"] if allowed else [])


@pytest.mark.parametrize(
    ("status", "allowed"),
    [(404, True), (410, True), (401, True), (403, True), (429, False), (500, False), (503, False)],
)
def test_a_robots_txt_that_is_not_there(room: Room, status: int, allowed: bool) -> None:
    room.write((f"{SITE}/a", "Short."))
    room.web.puts(ROBOTS, "", status=status)
    room.web.puts(f"{SITE}/a", page("A"))
    assert room.run() == allowed
    room.web.puts(ROBOTS, "", status=404)
    room.whole.clock.ahead = timedelta(hours=23)
    assert room.run() == 0
    room.whole.clock.ahead = timedelta(hours=25)
    assert room.run() == (not allowed)
    assert room.asked == [f"{SITE}/a"]


def test_robots_txt_is_asked_for_once_a_day(room: Room) -> None:
    for number in range(3):
        room.write((f"{SITE}/{number}", "Short."))
        room.web.puts(f"{SITE}/{number}", page("A"))
        room.run()
    assert room.web.asked.count(ROBOTS) == 1
    room.whole.clock.ahead = DAY
    room.write((f"{SITE}/more", "Short."))
    room.run()
    assert room.web.asked.count(ROBOTS) == 2


def test_pauses_that_a_site_asks_for(room: Room) -> None:
    room.write(*[(f"{SITE}/{number}", "Short.") for number in range(3)])
    room.web.puts(ROBOTS, "User-agent: *\nCrawl-delay: 7")
    room.run()
    assert room.paused == [7.0, 7.0, 7.0]
    assert len(room.asked) == 3


def test_the_pauses_of_a_site_hold_from_pass_to_pass(room: Room) -> None:
    """And so from process to process."""
    room.web.puts(ROBOTS, "User-agent: *\nCrawl-delay: 7")
    for number, seconds in enumerate((0, 3, 30)):
        room.write((f"{SITE}/{number}", "Short."))
        room.whole.clock.ahead = timedelta(seconds=seconds)
        room.run()
    assert room.paused == [7.0, 4.0, 0.0]


def test_a_long_pause_is_one_page_at_a_time(room: Room) -> None:
    room.write(*[(f"{SITE}/{number}", "Short.") for number in range(3)])
    room.web.puts(ROBOTS, "User-agent: *\nCrawl-delay: 120")
    counts = []
    for seconds in (0, 60, 121, 180, 242):
        room.whole.clock.ahead = timedelta(seconds=seconds)
        room.run()
        counts.append(len(room.asked))
    assert counts == [1, 1, 2, 2, 3]
    assert room.paused == []


@pytest.mark.parametrize(
    ("status", "asked"),
    [(500, 3), (503, 3), (429, 3), (408, 3), (404, 1), (410, 1), (403, 1), (402, 1)],
)
def test_what_fails_is_tried_twice_more_on_later_days(room: Room, status: int, asked: int) -> None:
    room.write((f"{SITE}/a", "Short."))
    room.web.puts(f"{SITE}/a", "", status=status)
    seen = []
    for hour in range(0, 24 * 6, 12):
        room.whole.clock.ahead = timedelta(hours=hour)
        room.run()
        seen.append(len(room.asked))
    assert seen[-1] == asked
    assert seen[:2] == [1, 1]
    assert room.pages() == [(f"{SITE}/a", asked, f"the server returned {status}")]


@pytest.mark.parametrize(
    ("failure", "asked"), [(Failure.TIMEOUT, 2), (Failure.DNS, 2), (Failure.BLOCKED, 1)]
)
def test_failures(room: Room, failure: Failure, asked: int) -> None:
    room.write((f"{SITE}/a", "Short."))
    room.web.failures = {f"{SITE}/a": failure}
    room.run()
    room.web.failures = {}
    room.web.puts(f"{SITE}/a", page("A"))
    room.whole.clock.ahead = DAY + timedelta(hours=1)
    assert room.run() == asked - 1
    assert len(room.asked) == asked


def test_who_asks_to_be_left_alone_is(room: Room) -> None:
    room.write(*[(f"{SITE}/{number}", "Short.") for number in range(5)])
    for number in range(5):
        room.web.puts(f"{SITE}/{number}", "", status=429)
    room.web.headers = {f"{SITE}/4": (("retry-after", "259200"),)}
    room.run()
    assert room.asked == [f"{SITE}/4"]
    room.whole.clock.ahead = 2 * DAY
    room.run()
    assert room.asked == [f"{SITE}/4", f"{SITE}/3"]


def wall(words: str, times: int = 1) -> str:
    text = f"<p>{words}</p>" * times
    return f"<html><head><title>Site</title></head><body><div>{text}</div></body></html>"


CONSENT = (
    "Welcome. We and our 842 partners use cookies to store and access information on your device, "
    "to measure audiences and to show advertising that fits you, whatever you read with us. "
)
CONSENTS = {
    "a banner": wall(CONSENT + "Accept all cookies to go on."),
    "with a subscription beside it": wall(
        CONSENT + "Accept all cookies, or subscribe to continue reading without advertising."
    ),
    "over pages of partners": wall(CONSENT + "Manage your consent.", 12),
    "in German": wall(
        "Mit Werbung weiterlesen: Wir verwenden Cookies und geben Daten an Partner weiter, um "
        "Anzeigen auszuwählen. Alle akzeptieren, oder weiterlesen mit einem Abonnement."
    ),
    "in French": wall(
        "Avec votre accord, nos partenaires et nous utilisons des cookies pour mesurer notre "
        "audience et choisir la publicité. Continuer sans accepter, ou tout accepter."
    ),
}
WALLS = {
    **{name: (html, "it asks for cookie consent") for name, html in CONSENTS.items()},
    "a sign-in": (
        wall("Sign in to continue to Site, with the name and the password that you chose when you "
             "made the account. Forgot your password? We send you a mail that lets you set one."),
        "it requires sign-in",
    ),
    "a subscription": (
        wall("Subscribe to continue reading this and every other story of Site, on all of your "
             "devices, from one pound a week for the first year, and end it whenever you like."),
        "it requires a subscription",
    ),
    "an error page": (
        wall("The page you requested could not be found. It may have moved to another address, or "
             "the address that led here has a mistake in it. Try the front page or the search."),
        "it is not available",
    ),
}  # fmt: skip


def test_a_wall_is_no_article(room: Room) -> None:
    """The feed's text stays, with the real reason."""
    room.per_host = len(WALLS)
    room.write(*[(f"{SITE}/{number}", "Short.") for number in range(len(WALLS))])
    for number, (html, _why) in enumerate(WALLS.values()):
        room.web.puts(f"{SITE}/{number}", html)
    assert room.run() == 0
    found = {name: room.article(number) for number, name in enumerate(WALLS, start=1)}
    assert {name: (one.html, one.page_problem) for name, one in found.items()} == {
        name: ("Short.", why) for name, (_html, why) in WALLS.items()
    }
    with TestClient(create_app(room.whole.app.reader()), base_url="http://localhost") as client:
        assert "it asks for cookie consent" in client.get("/articles/1").text


def test_a_redirect_to_a_wall_is_one(room: Room) -> None:
    room.write((f"{SITE}/a", "Short."), (f"{SITE}/b", "Short."))
    for name in "ab":
        room.web.puts(f"{SITE}/{name}", page(name))
    consent, login = "https://consent.example/?continue=a", f"{SITE}/login?to=/b"
    room.web.leads = {f"{SITE}/a": consent, f"{SITE}/b": login}
    room.web.puts("https://consent.example/robots.txt", "", status=404)
    assert room.run() == 0
    assert [problem for _url, _tries, problem in room.pages()] == [
        "it asks for cookie consent",
        "it requires sign-in",
    ]


@pytest.mark.parametrize(
    "words",
    [
        "海に近い町で新しい橋の工事が始まり、市長は安全を約束した。",
        "The mayor was told that it has been removed; nobody knows by whom, item {n}. ",
    ],
)
def test_articles_of_any_script_pass(room: Room, words: str) -> None:
    text = "".join(f"<p>{words.format(n=n)}{n}</p>" for n in range(20))
    room.write((f"{SITE}/a", "Short."))
    room.web.puts(f"{SITE}/a", f"<html><body><article>{text}</article></body></html>")
    assert (room.run(), room.pages()[0][2]) == (1, "")


@pytest.mark.parametrize("kind", ["application/pdf", "image/png", "", "text/plain"])
def test_only_web_pages_are_read(room: Room, kind: str) -> None:
    room.write((f"{SITE}/a", "Short."))
    room.web.puts(f"{SITE}/a", page("A"))
    room.web.headers = {f"{SITE}/a": (("content-type", kind),)}
    assert room.run() == 0
    [(_url, _tries, problem)] = room.pages()
    assert "its link is not a web page" in problem


def test_links_that_lead_to_no_page_of_their_own(room: Room) -> None:
    room.write(
        (f"{SITE}/", "Short."),
        (f"{SITE}/list#one", "Short."),
        (f"{SITE}/list#two", "Short."),
        ("mailto:ann@site.example", "Short."),
        ("", "Short."),
    )
    room.web.puts(f"{SITE}/list", page("A"))
    assert room.run() == 1
    room.run()
    assert room.asked == [f"{SITE}/list"]


def test_where_a_page_leads_robots_must_be_welcome_too(room: Room) -> None:
    room.write((f"{SITE}/a", "Short."))
    room.web.puts(f"{SITE}/a", page("A"))
    room.web.leads = {f"{SITE}/a": "https://other.example/a"}
    room.web.puts("https://other.example/robots.txt", "User-agent: *\nDisallow: /")
    assert room.run() == 0
    assert room.pages()[0][2] == "robots.txt forbids the page"


def test_few_of_one_host_in_one_pass(room: Room) -> None:
    room.per_host = 2
    room.write(*[(f"{SITE}/{number}", "Short.") for number in range(5)])
    room.write(("https://other.example/x", "Short."))
    counts = []
    for _pass in range(4):
        room.run()
        counts.append(len([one for one in room.asked if one.startswith(SITE)]))
    assert counts == [2, 4, 5, 5]
    room.per_host = 0
    room.write((f"{SITE}/last", "Short."))
    room.run()
    assert f"{SITE}/last" not in room.asked


def test_old_articles_are_let_be(room: Room) -> None:
    room.write((f"{SITE}/old", "Short."), age=NOT_OLDER + DAY)
    room.run()
    assert room.asked == []


@pytest.mark.parametrize("state", ["off", "dead", "paused", "unfollowed", "page's host paused"])
def test_who_is_left_alone(room: Room, state: str) -> None:
    room.write((f"{SITE}/a", "Short."))
    store, now = room.whole.app.store, room.whole.clock()
    with store.database.write() as connection:  # type: ignore[attr-defined]
        if state == "dead":
            connection.execute(feeds.update().values(dead=True))
        if "paused" in state:
            host = "feeds.example" if state == "paused" else "site.example"
            connection.execute(feeds.update().values(host="feeds.example"))
            pause = {"host": host, "at": now, "until": now + DAY, "because": "429"}
            connection.execute(insert(pauses).values(**pause))
    if state == "off":
        room.whole.app.reader().set_full_text(room.feed, False)
    if state == "unfollowed":
        room.whole.app.reader().unsubscribe(room.feed)
    room.run()
    assert room.web.asked == []


def test_a_killed_pass_has_asked(room: Room) -> None:
    class Killed(Exception):
        """Ends a pass where a kill would."""

    room.write((f"{SITE}/a", "Short."))
    answering = room.web.get

    async def dying(request: Request) -> Reply:
        if request.url != ROBOTS:
            raise Killed
        return await answering(request)

    room.web.get = dying  # type: ignore[method-assign]
    with pytest.raises(ExceptionGroup):
        room.run()
    room.web.get = answering  # type: ignore[method-assign]
    room.run()
    assert room.asked == []
    assert room.pages() == [(f"{SITE}/a", 1, "the download was incomplete")]


def test_scripts_of_a_page_are_never_shown(room: Room) -> None:
    room.write((f"{SITE}/a", "Short."))
    evil = page("A").replace("</article>", "<p onclick=x()>Click</p><script>x()</script></article>")
    room.web.puts(f"{SITE}/a", evil.replace("href='more'", "href='javascript:x()'"))
    room.run()
    html = room.article(1).html
    assert "A 5." in html
    assert "Linked" in html
    assert not [one for one in ("script", "onclick", "javascript:") if one in html]


def test_through_the_whole_house(open_whole: Callable[..., Whole], publisher: Publisher) -> None:
    """Real fetching, workers that may be killed, store, stages."""
    whole = open_whole(publisher.host, workers=2)
    link = publisher.puts("/a", page("One"), Content_Type="text/html; charset=utf-8")
    nested = publisher.puts("/b", "<div>" * 100_000, Content_Type="text/html")
    feed = publisher.puts("/feed", rss("F", ("1", link, "One"), ("2", nested, "Two")))
    [followed] = whole.follow(feed)
    whole.app.reader().set_full_text(followed, True)
    report = whole.run(stages=whole.app.runner().stages[:1])
    assert ("full texts", 1) in [(one.stage, one.done) for one in report.stages]
    rows = whole.app.reader().page(ListQuery())
    texts = {row.title: row.excerpt for row in rows}
    summary = "One: what happened, told in a sentence or two."
    assert texts["One"].startswith(f"{summary}\nOne 0. Witness00 saw item00")
    assert texts["Two"].startswith("Two: what happened")
    requests = [path for path, _headers in publisher.asked]
    assert sorted(requests) == ["/a", "/b", "/feed", "/robots.txt"]


@pytest.mark.parametrize(
    ("html", "words"),
    [
        ("<div>" * 100_000 + "x", "nested too deeply"),
        ("<p " + " ".join(f"a{n}=1" for n in range(120_000)) + ">x</p>", "attributes"),
        ("x" * 5_000_001, "too large"),
        ("", "no article"),
        ("<p>", "no article"),
    ],
    ids=["depth", "attributes", "size", "nothing", "nothing in it"],
)
def test_pages_that_would_take_for_ever_are_refused(html: str, words: str) -> None:
    with pytest.raises(ParseError, match=words):
        full_text(html.encode(), SITE, "text/html", "")


@pytest.mark.parametrize("encoding", ["utf-8", "windows-1251", "iso-8859-2"])
def test_encodings(encoding: str) -> None:
    words = {"windows-1251": "Привет мир", "iso-8859-2": "Zażółć gęślą"}.get(encoding, "日本 ü")
    said = f"text/html; charset={encoding}"
    html = full_text(page(words).encode(encoding), f"{SITE}/a", said, "")
    assert words in html


def test_addresses_follow_the_pages_base() -> None:
    html = page("A").replace("<head>", '<head><base href="https://cdn.example/x/">')
    assert 'href="https://cdn.example/x/more"' in full_text(html.encode(), f"{SITE}/a", "", "")
