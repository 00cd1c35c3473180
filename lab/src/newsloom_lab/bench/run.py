"""A whole `newsloom run` over a folder of feeds served on loopback: wall time, memory, shares.

feedparser reads the same documents in the same run, as the yardstick. The second pass must store
nothing new.
"""

from __future__ import annotations

import asyncio
import resource
import sys
import tempfile
import time
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

import feedparser

from newsloom.app import App, open_app, polling
from newsloom.engines.pipeline import STAGES
from newsloom.feeds.service.reply import read
from newsloom.feeds.values.polling import DueFeed, PassReport, PollCounts
from newsloom.kernel.http.values import Reply, Request
from newsloom.kernel.settings import Settings
from newsloom_lab.bench.loopback import feed_files, serving

HOST = "127.0.0.1"


# Feeds stored in one transaction when parsing and storing are timed alone; about what a pass over
# fast servers comes to.
BATCH = 16


@dataclass(frozen=True, slots=True)
class RunBench:
    """What one pass over a folder took. Seconds are wall time of this process."""

    feeds: int
    articles: int  # in the documents, as Newsloom reads them
    stored: int
    duplicates: int
    failed: int
    second_pass_new: int
    seconds: float  # the whole first pass
    second_pass_seconds: float
    peak_mb: float
    shares: dict[str, float]  # seconds of the first pass by part; polling is fetch to store
    parse_seconds: float  # alone, from bytes in memory: read and made ready to be judged
    store_seconds: float  # alone, after that: judged and stored
    articles_per_second: float  # parsed and stored
    peers: dict[str, dict[str, float]]
    parse_and_store_ratio: float  # feedparser's seconds / ours to parse and store


def run(folder: Path, *, embed: bool = True) -> RunBench:
    """Poll every file of the folder as a feed into a fresh store, twice; then part by part."""
    with tempfile.TemporaryDirectory() as place, serving(folder) as urls:
        app = _opened(Path(place))
        try:
            feeds = [app.store.reading.subscribe(app.user, url, app.now())[0] for url in urls]
            first = asyncio.run(app.runner(STAGES if embed else STAGES[:1]).once())
            second = asyncio.run(app.runner(stages=()).once(feeds))
        finally:
            app.close()
    peak = _peak_mb()  # before anything else runs in this process
    parse_seconds, store_seconds, articles = _parse_and_store(folder)
    peer_seconds, peer_articles = _feedparser_alone(folder)
    return RunBench(
        feeds=first.polls.feeds,
        articles=first.polls.articles,
        stored=first.polls.new + first.polls.duplicates,
        duplicates=first.polls.duplicates,
        failed=first.polls.failed,
        second_pass_new=second.polls.new + second.polls.duplicates + second.polls.revised,
        seconds=first.seconds,
        second_pass_seconds=second.seconds,
        peak_mb=peak,
        shares=shares_of(first),
        parse_seconds=parse_seconds,
        store_seconds=store_seconds,
        articles_per_second=articles / (parse_seconds + store_seconds),
        peers={
            "feedparser": {
                "seconds": peer_seconds,
                "articles": peer_articles,
                "articles_per_second": peer_articles / peer_seconds,
            }
        },
        parse_and_store_ratio=peer_seconds / (parse_seconds + store_seconds),
    )


def shares_of(done: PassReport) -> dict[str, float]:
    """Seconds of a run by part. A stage runs again for a newly chosen encoder."""
    stages = dict.fromkeys((one.stage for one in done.stages), 0.0)
    for one in done.stages:
        stages[one.stage] += one.seconds
    return {"polling": done.seconds - sum(stages.values()), **stages}


def _opened(path: Path) -> App:
    return open_app(settled(path))


def settled(path: Path) -> Settings:
    """The settings of a store in a folder, for feeds that are served on loopback."""
    settings = Settings()
    return replace(
        settings,
        store=replace(settings.store, path=path / "bench.db"),
        # All feeds stand on one host here; in life they stand on many.
        fetch=replace(settings.fetch, private_hosts=(HOST,), per_host=32, host_seconds=0.0),
    )


def _parse_and_store(folder: Path) -> tuple[float, float, int]:
    """Seconds to read all documents, seconds to judge and store them, articles."""
    bodies = [file.read_bytes() for file in feed_files(folder)]
    with tempfile.TemporaryDirectory() as place:
        app = _opened(Path(place))
        try:
            for number in range(len(bodies)):
                app.store.reading.subscribe(app.user, f"https://{number}.example/feed", app.now())
            poller = polling.poller(app, NoNetwork(), lambda _counts: None)
            due = poller.claim(len(bodies), None)
            began = time.perf_counter()
            polled = [
                read(feed, _reply(feed, body, app.now()))
                for feed, body in zip(due, bodies, strict=True)
            ]
            parsed = time.perf_counter()
            counts = PollCounts()
            for start in range(0, len(polled), BATCH):
                counts += poller.recorder.store_all(polled[start : start + BATCH])
            return parsed - began, time.perf_counter() - parsed, counts.articles
        finally:
            app.close()


class NoNetwork:
    """A Fetcher for work that fetches nothing."""

    async def get(self, request: Request) -> Reply:
        raise RuntimeError(f"nothing should fetch {request.url} here")


def _reply(feed: DueFeed, body: bytes, now: datetime) -> Reply:
    return Reply(Request(feed.url), now, 0.0, status=200, url=feed.url, body=body)


def _feedparser_alone(folder: Path) -> tuple[float, int]:
    bodies = [file.read_bytes() for file in feed_files(folder)]
    began = time.perf_counter()
    articles = sum(len(feedparser.parse(body).entries) for body in bodies)
    return time.perf_counter() - began, articles


def _peak_mb() -> float:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1 << 20) if sys.platform == "darwin" else peak / 1024
