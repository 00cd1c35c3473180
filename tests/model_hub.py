"""A hub of models on loopback: whole, cut off, resumed, wrong, slow, redirecting."""

from __future__ import annotations

import hashlib
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import loopback


class Hub:
    """Files by path under a repository; what was asked, with its range; and what goes wrong."""

    def __init__(self) -> None:
        self.url = ""
        self.files: dict[str, bytes] = {}
        self.asked: list[tuple[str, str]] = []
        self.cut: dict[str, int] = {}  # bytes after which a file's answer ends, once
        self.redirects: dict[str, str] = {}
        self.seconds = 0.0  # before anything is answered
        self.held: set[str] = set()  # files that are answered once `released`
        self.holding, self.released = threading.Event(), threading.Event()
        self.etag: Callable[[bytes], str] = lambda content: (
            f'"{hashlib.sha256(content).hexdigest()[:20]}"'
        )

    def holds(self, folder: Path) -> None:
        for path in folder.rglob("*"):
            if path.is_file():
                self.files[path.relative_to(folder).as_posix()] = path.read_bytes()

    @property
    def ranges(self) -> list[str]:
        return [span for _file, span in self.asked if span]


@contextmanager
def answering(prefix: str) -> Iterator[Hub]:
    """A hub on loopback until the block ends; `prefix` is the path of its files."""
    hub = Hub()

    class Handler(loopback.Handler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            time.sleep(hub.seconds)
            name = self.path.removeprefix("/cdn").removeprefix(prefix)
            if name in hub.redirects and not self.path.startswith("/cdn"):
                self._answer(302, b"", Location=hub.redirects[name])
                return
            content = hub.files.get(name)
            if name in hub.held:
                hub.holding.set()
                hub.released.wait(60)
            span = self.headers.get("Range", "")
            hub.asked.append((name, span))
            if content is None:
                self._answer(404, b"none")
                return
            etag = hub.etag(content)
            begin = re.fullmatch(r"bytes=(\d+)-", span)
            if begin and self.headers.get("If-Range") == etag:
                start = int(begin[1])
                if start >= len(content):
                    self._answer(416, b"", Content_Range=f"bytes */{len(content)}")
                    return
                at = f"bytes {start}-{len(content) - 1}/{len(content)}"
                self._answer(206, content[start:], name, ETag=etag, Content_Range=at)
            else:
                self._answer(200, content, name, ETag=etag)

        def _answer(self, status: int, body: bytes, name: str = "", **headers: str) -> None:
            self.send_response(status)
            for key, value in headers.items():
                self.send_header(key.replace("_", "-"), value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            cut = hub.cut.pop(name, None)
            self.wfile.write(body[:cut])
            if cut is not None:
                self.wfile.flush()
                self.close_connection = True

    with loopback.answering(Handler) as port:
        hub.url = f"http://127.0.0.1:{port}"
        yield hub
