"""The programs that `bench poll` runs, each a process of its own over a folder of its own.

`python -m newsloom_lab.bench.pollers NAME STEP FOLDER [HOURS]`: `prepare` subscribes to the
addresses on the lines of FOLDER/urls; `poll` polls everything once, as if HOURS had gone by,
and says on its last line what came of it.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from urllib.parse import urlsplit


def newsloom(step: str, folder: Path, hours: float) -> None:
    """A poll pass as `newsloom run` begins with, with the store, without the stages after it."""
    from newsloom.app import open_app, polling, utc_now
    from newsloom.feeds.values.polling import PollCounts
    from newsloom.kernel.settings import Settings

    urls = _urls(folder)
    shipped = Settings()
    hosts = tuple({urlsplit(url).hostname or "" for url in urls})
    fetch = replace(shipped.fetch, private_hosts=hosts)
    if len(hosts) == 1:
        fetch = replace(fetch, host_seconds=0.0, per_host=fetch.concurrency)
    settings = replace(
        shipped, store=replace(shipped.store, path=folder / "newsloom.db"), fetch=fetch
    )
    app = open_app(settings, lambda: utc_now() + timedelta(hours=hours))
    try:
        if step == "prepare":
            app.store.reading.subscribe_all(app.user, [(url, "", "") for url in urls], app.now())
        elif step == "poll":

            async def poll() -> PollCounts:
                async with app.fetching() as fetcher:
                    return await polling.poller(app, fetcher, lambda _counts: None).due()

            began = time.perf_counter()
            counts = asyncio.run(poll())
            _tell(time.perf_counter() - began, counts.feeds, counts.failed, counts.new)
    finally:
        app.close()


def lemon24_reader(step: str, folder: Path, _hours: float) -> None:
    """lemon24/reader, with as many threads as its figures are best with."""
    import feedparser_sgmllib

    # Its copy of feedparser asks for a module of Python 2 by the name it had there.
    sys.modules["sgmllib"] = feedparser_sgmllib
    from reader import make_reader

    reader = make_reader(str(folder / "reader.db"), feed_root="")
    try:
        if step == "prepare":
            for url in _urls(folder):
                reader.add_feed(url)
        elif step == "poll":
            had = reader.get_entry_counts().total or 0
            began = time.perf_counter()
            reader.update_feeds(workers=100, scheduled=False)
            seconds = time.perf_counter() - began
            counts = reader.get_feed_counts()
            new = (reader.get_entry_counts().total or 0) - had
            _tell(seconds, counts.total or 0, counts.broken or 0, new)
    finally:
        reader.close()


PROGRAMS: dict[str, Callable[[str, Path, float], None]] = {
    "newsloom": newsloom,
    "reader": lemon24_reader,
}


def command(name: str, step: str, folder: Path, hours: float) -> list[str]:
    return [sys.executable, "-m", __name__, name, step, str(folder), str(hours)]


def newsboat_command(folder: Path) -> list[str]:
    """newsboat reads its addresses, settings and cache from the folder."""
    files = ["-u", folder / "urls", "-C", folder / "config", "-c", folder / "cache.db"]
    return ["newsboat", *map(str, files), "-x", "reload"]


def prepare_newsboat(folder: Path, threads: int) -> None:
    (folder / "config").write_text(f"reload-threads {threads}\nmax-items 0\ncleanup-on-quit no\n")


def _tell(seconds: float, feeds: int, failed: int, new: int) -> None:
    print(json.dumps({"seconds": seconds, "feeds": feeds, "failed": failed, "new": new}))


def _urls(folder: Path) -> Sequence[str]:
    return (folder / "urls").read_text().split()


if __name__ == "__main__":
    PROGRAMS[sys.argv[1]](sys.argv[2], Path(sys.argv[3]), float(sys.argv[4]))
