"""A publisher on loopback whose pages a test sets: what it answers, and what it was asked."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import loopback


@dataclass(frozen=True)
class Page:
    """One answer."""

    body: bytes = b""
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()


@dataclass
class Publisher:
    """Set `pages`; read `asked`."""

    url: str
    pages: dict[str, Page] = field(default_factory=dict)
    asked: list[tuple[str, dict[str, str]]] = field(default_factory=list)

    @property
    def host(self) -> str:
        """What the allow list of private hosts needs."""
        return self.url.removeprefix("http://")

    def puts(self, path: str, body: str | bytes, status: int = 200, **headers: str) -> str:
        """Publish at a path; the URL of it."""
        body = body.encode() if isinstance(body, str) else body
        named = tuple((name.replace("_", "-"), value) for name, value in headers.items())
        self.pages[path] = Page(body, status, named)
        return self.url + path


@contextmanager
def publishing() -> Iterator[Publisher]:
    """A publisher with nothing on it, until the block ends."""

    class Handler(loopback.Handler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            publisher.asked.append((self.path, {k.lower(): v for k, v in self.headers.items()}))
            page = publisher.pages.get(self.path, Page(b"nothing here", 404))
            etag = dict(page.headers).get("ETag")
            unchanged = etag is not None and self.headers.get("If-None-Match") == etag
            self.send_response(304 if unchanged else page.status)
            for name, value in page.headers:
                self.send_header(name, value)
            body = b"" if unchanged else page.body
            if not unchanged:
                self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    with loopback.answering(Handler) as port:
        publisher = Publisher(f"http://127.0.0.1:{port}")
        yield publisher


def rss(title: str, *articles: tuple[str, str, str], when: str = "") -> str:
    """A small RSS document; each article is (guid, link, title), its text made of the title."""
    dated = f"<pubDate>{when}</pubDate>" if when else ""
    rows = "".join(
        f"<item><guid isPermaLink='false'>{guid}</guid><link>{link}</link><title>{name}</title>"
        f"<description>{name}: what happened, told in a sentence or two.</description>{dated}"
        "</item>"
        for guid, link, name in articles
    )
    return f"<rss version='2.0'><channel><title>{title}</title>{rows}</channel></rss>"
