"""`newsloom serve` as a process of its own, and a publisher whose feeds wait at their gates."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from email.utils import format_datetime
from pathlib import Path

import loopback
from migrated import store_url
from newsloom.app import utc_now

# Articles of a feed.
EACH = 12


@dataclass
class Slow:
    """Feeds /0, /1 and so on: each is answered once its gate is open."""

    url: str
    gates: list[threading.Event] = field(default_factory=list)

    @property
    def host(self) -> str:
        return self.url.removeprefix("http://")

    def opml(self) -> bytes:
        feeds = "".join(
            f'<outline type="rss" text="Feed {number}" xmlUrl="{self.url}/{number}"/>'
            for number in range(len(self.gates))
        )
        return f'<opml version="2.0"><body>{feeds}</body></opml>'.encode()


def _feed(number: int) -> bytes:
    now = utc_now()
    items = "".join(
        f"<item><guid isPermaLink='false'>{number}-{one}</guid>"
        f"<title>Story {one} of feed {number}</title><description>Told in a line.</description>"
        f"<pubDate>{format_datetime(now - timedelta(hours=one + number))}</pubDate></item>"
        for one in range(EACH)
    )
    head = f"<rss version='2.0'><channel><title>Feed {number}</title>"
    return f"{head}{items}</channel></rss>".encode()


@contextmanager
def slow_feeds(count: int) -> Iterator[Slow]:
    """That many feeds, none of which answers yet."""

    class Handler(loopback.Handler):
        def do_GET(self) -> None:
            number = int(self.path.strip("/") or 0) if self.path.strip("/").isdigit() else -1
            if not 0 <= number < count:
                self.send_error(404)
                return
            feeds.gates[number].wait(100)
            body = _feed(number)
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    with loopback.answering(Handler) as port:
        feeds = Slow(f"http://127.0.0.1:{port}", [threading.Event() for _ in range(count)])
        try:
            yield feeds
        finally:
            for gate in feeds.gates:
                gate.set()


@contextmanager
def newsloom_serve(folder: Path, feeds: Slow) -> Iterator[str]:
    """The command, as anyone starts it; the address of its pages."""
    environment = {
        "HOME": str(folder),
        "NEWSLOOM_STORE_PATH": str(folder / "news.db"),
        "NEWSLOOM_STORE_URL": store_url(folder / "news.db"),
        "NEWSLOOM_FETCH_PRIVATE_HOSTS": feeds.host,
        "NEWSLOOM_FETCH_HOST_SECONDS": "0",
        "NEWSLOOM_FETCH_PER_HOST": "16",
        "NEWSLOOM_FETCH_TIMEOUT_SECONDS": "110",
        "NEWSLOOM_PAGES_ICONS": "false",
    }
    process = subprocess.Popen(
        [sys.executable, "-m", "newsloom", "serve", "--port", "0"],
        env=os.environ | environment,
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert process.stdout is not None
    try:
        for line in process.stdout:
            ready = re.search(r"is ready: (http://\S+)/", line)
            if ready:
                break
        yield ready[1]
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.communicate(timeout=30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
