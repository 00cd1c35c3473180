"""A small feed reader with switches for bad manners, so that every case is seen to fail.

Without a switch it behaves as far as a case looks before its point. It is no reader to use.
"""

from __future__ import annotations

import gzip
import re
import socket
import ssl
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime
from html import unescape
from threading import Event, Thread
from urllib.parse import urljoin, urlsplit

from newsloom_lab.politeness.readers.driver import CAPABILITIES, FeedShown, Shown, Surroundings

HOUR = timedelta(hours=1)
ITEM = re.compile(r"<item>(.*?)</item>", re.DOTALL)
CHUNK = re.compile(rb"\r?\n?([0-9a-fA-F]+)\r\n")


@dataclass
class Followed:
    """One feed as it remembers it."""

    url: str
    due: datetime
    etag: str = ""
    modified: str = ""
    interval: timedelta = HOUR
    failures: int = 0
    problem: str = ""
    title: str = ""
    users: set[str] = field(default_factory=set)
    articles: dict[str, Shown] = field(default_factory=dict)
    asked_at: datetime | None = None
    gone: bool = False
    last_body: bytes = b""


@dataclass
class Got:
    """One answer."""

    status: int
    headers: list[tuple[str, str]]
    body: bytes
    url: str
    whole: bool = True

    def header(self, name: str) -> str:
        return next((value for key, value in self.headers if key == name), "")


class RudeReader:
    """A driver. `rude` names its bad manners."""

    name, version = "rude", "1.0"
    capabilities = frozenset(CAPABILITIES) - {"loop"}
    quick = False

    def __init__(self, around: Surroundings, *rude: str) -> None:
        self.around = around
        self.rude = frozenset(rude)
        self.speed = around.speed
        self.feeds_followed: dict[str, Followed] = {}
        self.cookies: dict[str, str] = {}
        self.pauses: dict[str, datetime] = {}
        self.kept_revisions = 0

    def now(self) -> datetime:
        return self.around.clock.now()

    # --- the driver ---

    def subscribe(self, url: str, *, user: str = "") -> None:
        if "head first" in self.rude:
            self._ask_one(url, method="HEAD")
        known = self.feeds_followed.get(url)
        if known is None:
            got = self._ask_one(url)
            if got.status == 200 and "html" in got.header("content-type"):
                found = re.search(rb'href="([^"]+)"', got.body)
                if found:
                    self.subscribe(urljoin(url, found[1].decode()), user=user)
                    return
            known = self.feeds_followed[url] = Followed(url, self.now())
            if "keeps temporary" in self.rude and got.url != url:
                known.url = got.url
            if "a hub without a secret" in self.rude:
                self._ask_hub(got)
            self._take(known, got)
        elif "a poll for each reader" in self.rude:
            self._poll(known)
        known.users.add(user)

    def subscribe_all(self, urls: Sequence[str]) -> None:
        for url in urls:
            self.feeds_followed[url] = Followed(url, self.now(), users={""})

    def import_opml(self, document: bytes) -> None:
        self.subscribe_all(re.findall(r'xmlUrl="([^"]+)"', document.decode()))

    def unsubscribe(self, url: str, *, user: str = "") -> None:
        self.feeds_followed[url].users.discard(user)

    def poll(self) -> None:
        for one in tuple(self.feeds_followed.values()):
            if one.due <= self.now() and self._wanted(one):
                self._poll(one)

    def advance(self, span: timedelta, step: timedelta | None = None) -> None:
        clock = self.around.clock
        until = clock.now() + span
        while True:
            due = [one.due for one in self.feeds_followed.values() if self._wanted(one)]
            if not due or min(due) > until:
                break
            clock.reach(max(min(due), clock.now() + timedelta(seconds=1)))
            self.poll()
        clock.reach(until)

    def restart(self) -> None:
        if "forgets when restarted" in self.rude:
            for one in self.feeds_followed.values():
                one.due = self.now()

    def articles(self) -> tuple[Shown, ...]:
        shown = [one for feed in self.feeds_followed.values() for one in feed.articles.values()]
        return tuple(sorted(shown, key=_dated, reverse=True))

    def poll_together(self) -> None:
        """Each has half of the feeds, and knows nothing of the other."""
        due = [one for one in self.feeds_followed.values() if one.due <= self.now()]
        halves = [
            Thread(target=lambda few=few: [*map(self._poll, few)]) for few in (due[::2], due[1::2])
        ]
        for half in halves:
            half.start()
        for half in halves:
            half.join()

    def poll_killed(self, when: Event, after: timedelta) -> None:
        for one in self.feeds_followed.values():
            kept = dict(one.articles)
            self._poll(one)
            one.articles = kept  # the validators are stored, what they stand for is not

    def close(self) -> None:
        """Nothing is open."""

    def refresh(self, url: str) -> str:
        self._poll(self.feeds_followed[url])
        return ""

    def feeds(self) -> tuple[FeedShown, ...]:
        return tuple(
            FeedShown(one.url, one.problem, one.title) for one in self.feeds_followed.values()
        )

    def icons(self, views: int) -> None:
        for _ in range(min(views, 20)):
            for one in self.feeds_followed:
                self._ask_one(urljoin(one, "/favicon.ico"))

    def want_full_text(self, url: str) -> None:
        for one in self.feeds_followed[url].articles.values():
            self._ask_one(one.link)
            time.sleep(1.1 / self.speed)
        self._ask_one(urljoin(url, "/robots.txt"))

    def moved(self, url: str) -> tuple[str, ...]:
        return ()

    def undo_move(self, url: str) -> None:
        """Nothing is kept."""

    def revisions(self) -> int:
        return self.kept_revisions

    def mark_all_read(self) -> None:
        for feed in self.feeds_followed.values():
            feed.articles = {
                key: Shown(one.feed, one.title, one.guid, one.link, one.published, unread=False)
                for key, one in feed.articles.items()
            }

    def kill_workers(self) -> int:
        return 0

    def let_in(self, url: str) -> None:
        """There is no quarantine."""

    def hub_calls(
        self, url: str, headers: Sequence[tuple[str, str]], body: bytes | None
    ) -> tuple[int, str]:
        return 200, "a-challenge"

    def longest_wait(self) -> float:
        return 0.0

    # --- polling ---

    def _wanted(self, one: Followed) -> bool:
        if one.gone:
            return False
        return bool(one.users) or "asks for what nobody follows" in self.rude

    def _poll(self, one: Followed) -> None:
        one.asked_at = self.now()
        one.due = self.now() + one.interval
        try:
            got = self._ask_one(one.url, one)
        except OSError as error:
            one.problem = str(error)
            if "tries again at once" in self.rude:
                with suppress(OSError):
                    self._ask_one(one.url, one)
            return
        self._take(one, got)
        if "burns" in self.rude and len(one.last_body) > 1_000_000:
            end = time.process_time() + 4.5
            while time.process_time() < end:
                pass

    def _take(self, one: Followed, got: Got) -> None:
        one.due = self.now() + self._wait(one, got)
        if got.status == 410:
            one.problem = "gone"
            one.gone = "asks what is gone" not in self.rude
        if got.status == 304:
            if "ignores what a 304 says" not in self.rude:
                one.etag = got.header("etag") or one.etag
                one.modified = got.header("last-modified") or one.modified
            return
        if got.status != 200:
            one.failures += 1
            return
        one.failures = 0
        text = self._text(got)
        readable = "</rss>" in text or "takes in half" in self.rude
        if readable or "keeps validators of trouble" in self.rude:
            self._keep_validators(one, got)
        if "takes a page for a feed" in self.rude and "<h1>" in text:
            one.articles.clear()
        if readable:
            self._take_in(one, text)
        one.last_body = got.body

    def _keep_validators(self, one: Followed, got: Got) -> None:
        if "forgets after a touch" in self.rude and got.body == one.last_body:
            return
        if "keeps dropped validators" in self.rude and not got.header("etag"):
            return
        stale = got.header("expires") or "no-" in got.header("cache-control")
        if "stale means no validators" in self.rude and stale:
            one.etag = one.modified = ""
            return
        one.etag, one.modified = got.header("etag"), got.header("last-modified")
        if "tidies validators" in self.rude:
            one.etag = one.etag.removeprefix("W/").strip('"')

    def _take_in(self, one: Followed, text: str) -> None:
        found = re.search(r"<channel>.*?<title>(.*?)</title>", text, re.DOTALL)
        one.title = unescape(found[1]) if found else ""
        pieces: Iterable[str] = ITEM.findall(text)
        if "takes in half" in self.rude:
            pieces = text.split("<item>")[1:]
        came = {}
        for place, piece in enumerate(pieces):
            title = unescape(_part(piece, "title"))
            guid = _part(piece, "guid")
            key = guid if "guids are all" in self.rude else title
            if "edits are new" in self.rude:
                key += _part(piece, "description")
            if "shows all there is" in self.rude:
                key += f" {place}"
            if "no NUL" not in self.rude:
                title = title.replace("\x00", "")
            old = one.articles.get(key)
            came[key] = Shown(
                one.url,
                title[:3000],
                guid,
                _part(piece, "link"),
                self._date(_part(piece, "pubDate")),
                unread=old.unread if old else True,
            )
        if "deletes what is not there" in self.rude:
            one.articles.clear()
        one.articles.update(came)

    def _date(self, text: str) -> datetime | None:
        try:
            date = parsedate_to_datetime(text)
        except (ValueError, TypeError, IndexError):
            return None
        if date.tzinfo is None:
            return None
        return date if "believes dates" in self.rude else min(date, self.now())

    def _text(self, got: Got) -> str:
        if "one encoding" in self.rude:
            return got.body.decode("latin-1")
        return got.body.decode("utf-8", "surrogateescape").encode("utf-8", "replace").decode()

    def _wait(self, one: Followed, got: Got) -> timedelta:
        """How long until the next request."""
        wait = one.interval
        if got.status == 200 and not (got.header("etag") or got.header("last-modified")):
            wait = HOUR if "eager without validators" in self.rude else 24 * HOUR
        if "ignores freshness" not in self.rude:
            age = re.search(r"(?<!s-)max-age=(\d+)", got.header("cache-control"))
            if age:
                gone_by = int(got.header("age") or 0)
                wait = max(wait, min(timedelta(seconds=int(age[1]) - gone_by), 7 * 24 * HOUR))
            elif until := self._date_header(got.header("expires")):
                own = self.now() if "by its own clock" in self.rude else None
                said = own or self._date_header(got.header("date")) or self.now()
                wait = max(wait, until - said)
        if got.status >= 400 and "ignores failures" not in self.rude:
            said = got.header("retry-after")
            asked = timedelta(seconds=min(int(said), 10**6) if said.isdigit() else 0)
            wait = max(wait, asked, (1, 4, 12, 24, 48)[min(one.failures, 4)] * HOUR)
        if "minutes of ttl" in self.rude:
            ttl = re.search(rb"<ttl>(\d+)</ttl>", got.body)
            wait = timedelta(minutes=int(ttl[1])) if ttl else wait
        return wait

    def _date_header(self, text: str) -> datetime | None:
        try:
            return parsedate_to_datetime(text)
        except (ValueError, TypeError):
            return None

    # --- asking ---

    def _ask_one(self, url: str, one: Followed | None = None, method: str = "GET") -> Got:
        """With its redirects."""
        most = 40 if "follows for ever" in self.rude else 5
        place = url
        secret = urlsplit(url).netloc.rpartition("@")[0]
        for hop in range(most + 1):
            headers = [("User-Agent", self._agent()), ("Accept", "application/rss+xml")]
            headers += [("Accept-Encoding", "gzip"), ("Connection", "close")]
            if "says where it was" in self.rude and hop:
                headers.append(("Referer", url))
            if secret and (not hop or "tells passwords" in self.rude):
                headers.append(("Authorization", "Basic YW5uOnNlY3JldA=="))
            if "keeps cookies" in self.rude and self.cookies:
                text = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
                headers.append(("Cookie", text))
            shown = not hop or "shows validators to all" in self.rude
            if one and shown and "unconditional" not in self.rude:
                headers += [("If-None-Match", one.etag)] if one.etag else []
                headers += [("If-Modified-Since", one.modified)] if one.modified else []
            got = self._exchange(method, place, headers)
            if got.status not in {301, 302, 303, 307, 308}:
                return got
            place = urljoin(place, got.header("location"))
            if "keeps temporary" in self.rude and one:
                one.url = place
            inner = urlsplit(place).hostname == "169.254.169.254"
            insecure = url.startswith("https") and place.startswith("http:")
            if inner or (insecure and "goes back to http" not in self.rude):
                return Got(599, [], b"", place)
        return Got(599, [], b"", place)

    def _agent(self) -> str:
        return (
            "Mozilla/5.0" if "hides" in self.rude else "Rude/1.0 (+http://x.example; 1 subscribers)"
        )

    def _ask_hub(self, got: Got) -> None:
        found = re.search(rb'rel="hub" href="([^"]+)".*rel="self" href="([^"]+)"', got.body)
        if found:
            form = f"hub.mode=subscribe&hub.topic={found[2].decode()}&hub.callback=http://x/"
            head = [("Content-Length", str(len(form)))]
            self._exchange("POST", found[1].decode(), head, form.encode())

    def _exchange(
        self, method: str, url: str, headers: list[tuple[str, str]], body: bytes = b""
    ) -> Got:
        parts = urlsplit(url)
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        host, port = parts.hostname or "", parts.port or 80
        authority = parts.netloc.rpartition("@")[2]
        if self.around.proxy:
            proxy = urlsplit(self.around.proxy)
            host, port, target = proxy.hostname or "", proxy.port or 0, url
        patience = 3.0 if "waits for ever" in self.rude else 30.0 / max(self.speed, 10.0)
        patience = 0.3 if "takes in half" in self.rude else patience
        lines = [f"{method} {target} HTTP/1.1", f"Host: {authority}"]
        lines += [f"{name}: {value}" for name, value in headers]
        end = time.monotonic() + patience
        with socket.create_connection((host, port), patience) as plain:
            line = plain
            if parts.scheme == "https":
                line = ssl.create_default_context(cafile=self.around.authority).wrap_socket(
                    plain, server_hostname=host
                )
            line.sendall(("\r\n".join(lines) + "\r\n\r\n").encode("latin-1") + body)
            return self._answer(line, url, end)

    def _answer(self, line: socket.socket, url: str, until: float) -> Got:
        most = 10**9 if "takes everything" in self.rude else 16_000_000
        data, broken, whole = bytearray(), False, 0
        try:
            while len(data) < most and time.monotonic() < until:
                line.settimeout(max(until - time.monotonic(), 0.01))
                piece = line.recv(1 << 16)
                if not piece:
                    break
                data += piece
                whole = whole or _whole(data)
                if whole and len(data) >= whole:
                    break
        except OSError:
            broken = True
        start = 0
        while data.startswith(b"HTTP/1.1 1", start) and (end := data.find(b"\r\n\r\n", start)) > 0:
            start = end + 4
        data = data[start:]
        head, found, body = bytes(data).partition(b"\r\n\r\n")
        if not found:
            raise OSError("no answer")
        return self._understood(head, body, url, broken)

    def _understood(self, head: bytes, body: bytes, url: str, broken: bool) -> Got:
        rows = head.decode("latin-1").split("\r\n")
        headers = [
            (name.lower(), value.strip())
            for name, _, value in (row.partition(":") for row in rows[1:])
        ]
        got = Got(int(rows[0].split()[1]), headers, body, url)
        if "keeps cookies" in self.rude and (cookie := got.header("set-cookie")):
            name, _, value = cookie.partition(";")[0].partition("=")
            self.cookies[name] = value
        if got.header("transfer-encoding"):
            got.body = body.partition(b"\r\n")[2]
            broken = True
        length = got.header("content-length")
        short = length.isdigit() and len(body) < int(length) and got.status != 304 and body
        if (broken or short) and "takes in half" not in self.rude:
            raise OSError("the answer broke off")
        coding = ", ".join(value for key, value in headers if key == "content-encoding")
        if coding and "decodes anything" in self.rude:
            while got.body.startswith(b"\x1f\x8b"):
                got.body = gzip.decompress(got.body)
        elif coding not in {"", "gzip"}:
            raise OSError("a coding that was not asked for")
        elif coding:
            with suppress(EOFError, OSError):
                got.body = gzip.decompress(got.body)
        return got


def _whole(data: bytearray) -> int:
    """How long the answer will be; 0 while that is not known."""
    end = data.find(b"\r\n\r\n", 0, 1 << 17)
    if end < 0:
        return 0
    head = bytes(data[:end])
    if head.split(b" ", 2)[1:2] == [b"304"]:
        return end + 4
    found = re.search(rb"content-length: *(\d+)", head, re.IGNORECASE)
    return end + 4 + int(found[1]) if found else 0


def _part(text: str, name: str) -> str:
    found = re.search(rf"<{name}[^>]*>(.*?)(?:</{name}>|$)", text, re.DOTALL)
    return found[1] if found else ""


def _dated(one: Shown) -> float:
    return one.published.timestamp() if one.published else 0.0
