"""A server of its own process that serves every file of a folder as a feed, for benchmarks.

Run as `python -m newsloom_lab.bench.loopback FOLDER`: prints its port on a line, then serves until
its standard input closes. Validators are sent and honoured, as most real servers do.
"""

from __future__ import annotations

import asyncio
import hashlib
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from aiohttp import web


def feed_files(folder: Path) -> tuple[Path, ...]:
    """The files served, in a steady order."""
    return tuple(sorted(one for one in folder.iterdir() if one.is_file()))


@contextmanager
def serving(folder: Path) -> Iterator[tuple[str, ...]]:
    """The URLs of the folder's files while the server runs."""
    command = [sys.executable, "-m", __name__, str(folder)]
    with subprocess.Popen(  # noqa: S603 - our own interpreter, our own module
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as one:
        assert one.stdout is not None
        port = int(one.stdout.readline())
        try:
            yield tuple(f"http://127.0.0.1:{port}/{file.name}" for file in feed_files(folder))
        finally:
            one.terminate()


class _File:
    """A file in memory, read again when it was replaced."""

    def __init__(self, path: Path) -> None:
        self._place = path
        self._written = 0
        self.current()

    def current(self) -> tuple[bytes, str]:
        """What it holds, and the ETag of that."""
        written = self._place.stat().st_mtime_ns
        if written != self._written:
            self._written = written
            self._body = self._place.read_bytes()
            self._etag = f'"{hashlib.sha256(self._body).hexdigest()}"'
        return self._body, self._etag


async def _serve(folder: Path) -> None:
    files = {file.name: _File(file) for file in feed_files(folder)}

    async def feed(request: web.Request) -> web.Response:
        name = request.match_info["name"]
        if name not in files:
            raise web.HTTPNotFound
        body, etag = files[name].current()
        headers = {"ETag": etag}
        if request.headers.get("If-None-Match") == etag:
            return web.Response(status=304, headers=headers)
        return web.Response(body=body, content_type="application/xml", headers=headers)

    app = web.Application()
    app.router.add_get("/{name}", feed)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    print(runner.addresses[0][1], flush=True)  # the port is this program's output
    await asyncio.to_thread(sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(_serve(Path(sys.argv[1])))
