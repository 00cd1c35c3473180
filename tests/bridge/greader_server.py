"""A server of the Google Reader API on loopback, as FreshRSS and as Miniflux answer it.

Written after their sources and documents: FreshRSS takes the token of the header and numbers
articles by microseconds; Miniflux takes only T for changes, pages by offset, keeps no labels on
articles and answers some old requests with an error. FreshRSS answers the question for a label that
is not there with every article, and makes a label when an article, or none, is to carry it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import loopback

USER, PASSWORD = "ann", "api pass&word"
READ = "user/-/state/com.google/read"
STARRED = "user/-/state/com.google/starred"
LIST = "user/-/state/com.google/reading-list"
LABEL = "user/-/label/"

Answer = tuple[int, str, dict[str, str]]


@dataclass
class Item:
    key: int
    feed: str
    title: str
    crawled: int  # Unix seconds
    read: bool = False
    starred: bool = False
    labels: set[str] = field(default_factory=set)
    folder: str = "News"
    content: str = ""

    @property
    def marks(self) -> list[str]:
        states = [LIST, *([READ] if self.read else []), *([STARRED] if self.starred else [])]
        return [*states, LABEL + self.folder, *(LABEL + one for one in sorted(self.labels))]


@dataclass
class GreaderServer:
    """Set `items`; `answers` replaces what a path answers, by its last words."""

    url: str = ""
    flavour: str = "freshrss"
    items: dict[int, Item] = field(default_factory=dict)
    answers: dict[str, Callable[[], Answer]] = field(default_factory=dict)
    labels: set[str] = field(default_factory=set)  # made by somebody, on articles or not
    asked: list[str] = field(default_factory=list)
    logins: int = 0
    page: int = 1_000  # the most a part holds, whatever is asked for
    before_part: Callable[[], None] = lambda: None  # happens before each part of a stream

    def put(self, key: int, title: str, crawled: int, **more: Any) -> Item:
        feed = more.pop("feed", "feed/7")
        self.items[key] = Item(key, feed, title, crawled, **more)
        return self.items[key]

    def labelled(self, label: str) -> set[int]:
        return {one.key for one in self.items.values() if label in one.labels}

    # --- what it answers ---

    def answer(self, method: str, path: str, form: dict[str, list[str]], auth: str) -> Answer:
        self.asked.append(f"{method} {path}")
        for words, made in self.answers.items():
            if path.endswith(words):
                return made()
        if path == "/accounts/ClientLogin":
            return self._login(form)
        token = f"{USER}/secret{self.logins}"
        if self.flavour == "miniflux" and method == "POST":
            allowed = form.get("T") == [token]
        else:
            allowed = auth == f"GoogleLogin auth={token}"
            if method == "POST":
                allowed = allowed and form.get("T") == [self._token()]
        if not allowed:
            return 401, "Unauthorized", {"X-Reader-Google-Bad-Token": "true"}
        return self._api(path.removeprefix("/reader/api/0/"), form)

    def forget_logins(self) -> None:
        """Every token there was is none any more."""
        self.logins += 1

    def _login(self, form: dict[str, list[str]]) -> Answer:
        if (form.get("Email"), form.get("Passwd")) != ([USER], [PASSWORD]):
            return 401, "Unauthorized", {}
        token = f"{USER}/secret{self.logins}"
        return 200, f"SID={token}\nLSID=null\nAuth={token}\n", {}

    def _token(self) -> str:
        return f"{USER}/secret{self.logins}" if self.flavour == "miniflux" else f"T{self.logins}Z"

    def _api(self, path: str, form: dict[str, list[str]]) -> Answer:
        if path == "token":
            return 200, self._token() + "\n", {}
        if path == "edit-tag":
            return self._edit(form)
        if form.get("output") != ["json"]:
            return 400, "only json", {}
        answers = {
            "subscription/list": self._subscriptions,
            "tag/list": self._tags,
            "stream/items/ids": lambda: self._ids(form),
            "stream/items/contents": lambda: self._contents(form),
        }
        return answers[path]() if path in answers else (404, "[]", {})

    def _subscriptions(self) -> Answer:
        feeds = {"feed/7": "News", **{one.feed: one.folder for one in self.items.values()}}
        rows = [
            {"id": feed, "title": f"Feed &amp; {feed[5:]}",
             "categories": [{"id": LABEL + name, "label": name, "type": "folder"}],
             "url": "https://example.org/rss", "htmlUrl": "https://example.org/"}
            for feed, name in sorted(feeds.items())
        ]  # fmt: skip
        return 200, json.dumps({"subscriptions": rows}), {}

    def _tags(self) -> Answer:
        folders = sorted({"News"} | {one.folder for one in self.items.values()})
        rows = [{"id": STARRED}, *({"id": LABEL + one, "type": "folder"} for one in folders)]
        if self.flavour == "freshrss":
            rows += [{"id": LABEL + one, "type": "tag"} for one in sorted(self._known_labels())]
        return 200, json.dumps({"tags": rows}), {}

    def _known_labels(self) -> set[str]:
        return self.labels.union(*(one.labels for one in self.items.values()))

    def _ids(self, form: dict[str, list[str]]) -> Answer:
        self.before_part()
        stream, excluded = form["s"][0], form.get("xt", [""])[0]
        if stream.startswith(LABEL) and self.flavour == "miniflux":
            return 400, '{"error_message": "unsupported stream"}', {}
        everything = (
            stream.startswith(LABEL)
            and stream.removeprefix(LABEL) not in self._known_labels()
            and not any(stream in one.marks for one in self.items.values())
        )
        since = int(form.get("ot", ["0"])[0])
        found = sorted(
            (
                one
                for one in self.items.values()
                if (everything or stream in one.marks)
                and excluded not in one.marks
                and one.crawled >= since
            ),
            key=lambda one: -one.key,
        )
        count = min(int(form.get("n", ["20"])[0]), self.page)
        begin = form.get("c", [""])[0]
        if self.flavour == "miniflux":
            start = int(begin or 0)
            part, more = found[start : start + count], start + count
        else:
            part = [one for one in found if not begin or one.key < int(begin)][:count]
            more = part[-1].key if part else 0
        whole: dict[str, Any] = {"itemRefs": [{"id": str(one.key)} for one in part]}
        if len(part) == count:
            whole["continuation"] = str(more)
        return 200, json.dumps(whole), {}

    def _contents(self, form: dict[str, list[str]]) -> Answer:
        keys = [int(one.rpartition("/")[2], 16) for one in form.get("i", [])]
        found = [self.items[key] for key in keys if key in self.items]
        if not found and self.flavour == "miniflux":
            return 400, '{"error_message": "googlereader: no items returned from the database"}', {}
        user = "user/1/" if self.flavour == "miniflux" else "user/-/"
        rows = [
            {
                "id": f"tag:google.com,2005:reader/item/{one.key:016x}",
                "title": one.title,
                "published": one.crawled - 60,
                "crawlTimeMsec": str(one.crawled * 1000),
                "author": "An Author",
                "alternate": [{"href": f"https://example.org/{one.key}?a=1&b=2"}],
                "summary": {"content": one.content or f"<p>{one.title}</p>"},
                "categories": [mark.replace("user/-/", user) for mark in one.marks],
                "origin": {"streamId": one.feed, "title": "Feed"},
            }
            for one in found
        ]
        return 200, json.dumps({"id": LIST, "updated": 1, "items": rows}), {}

    def _edit(self, form: dict[str, list[str]]) -> Answer:
        keys = [int(one.rpartition("/")[2], 16) for one in form.get("i", [])]
        for change, tag in (("a", form.get("a", [""])[0]), ("r", form.get("r", [""])[0])):
            if not tag:
                continue
            if self.flavour == "miniflux" and tag.startswith(LABEL):
                return 500, '{"error_message": "unsupported tag type"}', {}
            if change == "a":
                self.labels.add(tag.removeprefix(LABEL))
            for key in keys:
                if key in self.items:
                    labels = self.items[key].labels
                    (labels.add if change == "a" else labels.discard)(tag.removeprefix(LABEL))
        return 200, "OK", {}


@contextmanager
def greader_server(flavour: str = "freshrss") -> Iterator[GreaderServer]:
    """A server with nothing on it, until the block ends."""

    class Handler(loopback.Handler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_GET(self) -> None:
            self._handle("GET", b"")

        def do_POST(self) -> None:
            self._handle("POST", self.rfile.read(int(self.headers.get("Content-Length", 0))))

        def _handle(self, method: str, body: bytes) -> None:
            parts = urlsplit(self.path)
            form = parse_qs(parts.query) | parse_qs(body.decode())
            path = unquote(parts.path)
            auth = self.headers.get("Authorization", "")
            status, text, headers = server.answer(method, path, form, auth)
            data = text.encode()
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

    with loopback.answering(Handler) as port:
        server = GreaderServer(f"http://127.0.0.1:{port}", flavour)
        yield server
