"""What a reader asks for besides feeds: pages of articles, and hubs."""

from __future__ import annotations

import hashlib
import hmac
import itertools
from collections import Counter
from datetime import timedelta
from threading import Lock
from urllib.parse import parse_qsl

from newsloom_lab.politeness.case import Case, Stage, gap, require
from newsloom_lab.politeness.feeds import HTML, Item, page
from newsloom_lab.politeness.publisher import Answer, RecordedRequest

TEXT = "The council met on Tuesday and spoke for two hours about the bridge over the river. " * 12
HUBS_REACH = "http://reader.example"


def p33(stage: Stage) -> str:
    feed = stage.feed("/feed.xml", articles=0)
    home = stage.publisher.url("")
    rules = b"User-agent: *\nDisallow: /private/\n"
    robots = stage.publisher.on(
        f"{home}/robots.txt", Answer(rules, 200, (("Content-Type", "text/plain"),))
    )
    paths = [f"/open/{number}" for number in range(4)] + ["/private/1", "/private/2"]
    picture = f"<img src='{home}/picture.png'>"
    for path in paths:
        body = f"<article><p>{TEXT}</p>{picture}<p>{TEXT}</p></article>"
        stage.publisher.on(home + path, Answer(page(f"Page {path}", body), 200, (HTML,)))
        feed.items.append(Item(path, f"Story at {path}", home + path, "A short teaser."))
    stage.reader.subscribe(feed.url)
    stage.reader.want_full_text(feed.url)
    for _ in range(6):
        stage.reader.poll()
        stage.clock.jump(timedelta(minutes=5))
    stage.advance(days=3, step=timedelta(hours=1))
    stage.reader.poll()
    log = stage.publisher.log
    times = Counter(one.path for one in log)
    for path in paths[:4]:
        require(times[path] == 1, f"{path} was asked {times[path]} times", log)
    hidden = [one for one in log if one.path.startswith("/private/")]
    require(not hidden, "a page that robots.txt keeps back was asked", hidden)
    require(
        1 <= times["/robots.txt"] <= 4, f"robots.txt was asked {times['/robots.txt']} times", log
    )
    first_page = next(one for one in log if one.path in paths)
    rules_asked = stage.publisher.requests(robots)[0]
    require(rules_asked.number < first_page.number, "a page was asked before robots.txt", log)
    require(not times["/picture.png"], "a picture of a page was loaded", log)
    together = [
        later
        for earlier, later in itertools.pairwise(log)
        if max(
            (later.began - earlier.began) * stage.reader.speed, gap(earlier, later).total_seconds()
        )
        < 1
    ]
    require(not together, "pages were asked within a second of one another", together)
    return "each page once, after robots.txt and by its word, a second apart, without pictures"


def p34(stage: Stage) -> str:
    hub = _Hub(stage)
    feed = stage.feed("/feed.xml", 0)
    feed.channel = (
        f'<atom:link rel="hub" href="{hub.url}"/><atom:link rel="self" href="{feed.url}"/>'
    )
    stage.follow(feed)
    for _ in range(4):
        stage.clock.jump(timedelta(minutes=2))
        stage.reader.poll()
    require(hub.asked, "it did not ask the hub that the feed names")
    require(hub.mode == "subscribe" and hub.topic == feed.url, f"it asked for {hub.topic!r}")
    require(hub.secret, "it gave the hub no secret, so that anybody may send it news")
    require(hub.confirm(), "it does not confirm what it asked for")
    require(
        not hub.confirm("http://publisher.example/other"), "it confirms what it never asked for"
    )
    began = stage.clock.now()
    stage.advance(days=6)
    times = [one for one in feed.requests if one.at > began]
    require(len(times) <= 6, f"asked {len(times)} times in six days with a hub that tells", times)
    for number in range(3):
        feed.news(f"Told by the hub {number}")
        mark = stage.publisher.mark
        status = hub.send(feed.document())
        require(200 <= status < 300, f"news from the hub got {status}")
        require(f"Told by the hub {number}" in stage.titles(), "news from the hub is not shown")
        stage.advance(minutes=30)
        require(
            not feed.requests_since(mark), "news from the hub made it ask the feed", feed.requests
        )
    forged = feed.document().replace(b"Told by the hub 2", b"Forged news")
    hub.send(forged, b"no secret")
    require("Forged news" not in stage.titles(), "news with a wrong signature is shown")
    return f"{len(times)} polls in six days; pushed news shown at once, forged news never"


class _Hub:
    """A hub that remembers one subscription."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._lock = Lock()
        self.asked: list[RecordedRequest] = []
        self.mode = self.topic = self.secret = self._callback = ""
        self._lease = "864000"
        self.url = stage.publisher.on(stage.publisher.url("/hub", 1), self._hears)

    def _hears(self, request: RecordedRequest) -> Answer:
        form = dict(parse_qsl(request.body.decode("latin-1")))
        with self._lock:
            self.asked.append(request)
            self.mode, self.topic = form.get("hub.mode", ""), form.get("hub.topic", "")
            self.secret = form.get("hub.secret", self.secret)
            self._callback = form.get("hub.callback", "")
            self._lease = form.get("hub.lease_seconds", self._lease)
        return Answer(b"", 202)

    def confirm(self, topic: str = "") -> bool:
        """Make sure of it, as a hub does; whether the challenge came back."""
        url = (
            f"{self._callback}?hub.mode=subscribe&hub.topic={topic or self.topic}"
            f"&hub.challenge=a-challenge&hub.lease_seconds={self._lease}"
        )
        status, said = self._stage.reader.hub_calls(url, (), None)
        return 200 <= status < 300 and said == "a-challenge"

    def send(self, document: bytes, secret: bytes = b"") -> int:
        """Distribute a document, signed."""
        signature = hmac.new(secret or self.secret.encode(), document, hashlib.sha256).hexdigest()
        headers = (
            ("Content-Type", "application/rss+xml"),
            ("X-Hub-Signature", f"sha256={signature}"),
        )
        return self._stage.reader.hub_calls(self._callback, headers, document)[0]


CASES = (
    Case(
        "P33",
        "Pages once each, by robots.txt, without their pictures",
        "RFC 9309",
        p33,
        frozenset({"full text"}),
        flows=True,
    ),
    Case(
        "P34",
        "With a hub, polls are rare, and only its own word counts",
        "W3C WebSub",
        p34,
        frozenset({"websub"}),
        hosts=2,
        settings=(("push.url", HUBS_REACH), ("push.plain_http", True)),
    ),
)
