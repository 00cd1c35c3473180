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
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import feedparser

from newsloom.app import App, open_app
from newsloom.bench.loopback import feed_files, serving
from newsloom.errors import ParseError
from newsloom.parse import parse_feed
from newsloom.pipeline import STAGES
from newsloom.ports import Ingest, Store
from newsloom.settings import Settings
from newsloom.types import PassReport

HOST = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class RunBench:
    """What one pass over a folder took. Seconds are wall time; shares are of `seconds`."""

    feeds: int
    articles: int  # in the documents, as Newsloom reads them
    stored: int
    duplicates: int
    failed: int
    second_pass_new: int
    seconds: float  # the whole first pass
    poll_seconds: float  # fetch, parse, judge, store
    second_pass_seconds: float
    peak_mb: float
    articles_per_second: float  # polled and stored, without the stages
    shares: dict[str, float]  # seconds by part
    peers: dict[str, dict[str, float]]
    parse_and_store_ratio: float  # feedparser's seconds / ours for parse, judge and store


@dataclass(slots=True)
class _Timed:
    """Seconds spent inside the store's write transactions."""

    store: Store
    seconds: float = 0.0

    @contextmanager
    def ingest(self) -> Iterator[Ingest]:
        began = time.perf_counter()
        with self.store.ingest() as open_ingest:
            yield open_ingest
        self.seconds += time.perf_counter() - began

    def __getattr__(self, name: str) -> object:
        return getattr(self.store, name)


def run(folder: Path, *, embed: bool = True) -> RunBench:
    """Poll every file of the folder as a feed into a fresh store, twice."""
    with tempfile.TemporaryDirectory() as place, serving(folder) as urls:
        settings = Settings()
        settings = replace(
            settings,
            store=replace(settings.store, path=Path(place) / "bench.db"),
            # All feeds stand on one host here; in life they stand on many.
            fetch=replace(settings.fetch, private_hosts=(HOST,), per_host=32),
        )
        app = open_app(settings)
        timed = _Timed(app.store)
        app = replace(app, store=timed)  # type: ignore[arg-type]
        try:
            feeds = [app.store.subscribe(app.user, url, app.now())[0] for url in urls]
            first, poll_seconds = _pass(app, embed)
            store_seconds = timed.seconds
            second = asyncio.run(app.runner(stages=()).once(feeds))
        finally:
            app.close()
    peak = _peak_mb()  # before the peer reads anything
    parse_seconds = _parse_alone(folder)
    peer_seconds, peer_articles = _feedparser_alone(folder)
    stages = {one.stage: round(one.seconds, 3) for one in first.stages}
    polls = first.polls
    return RunBench(
        feeds=polls.feeds,
        articles=polls.articles,
        stored=polls.new + polls.duplicates,
        duplicates=polls.duplicates,
        failed=polls.failed,
        second_pass_new=second.polls.new + second.polls.duplicates + second.polls.revised,
        seconds=first.seconds,
        poll_seconds=poll_seconds,
        second_pass_seconds=second.seconds,
        peak_mb=peak,
        articles_per_second=polls.articles / poll_seconds,
        shares={
            "parse": round(parse_seconds, 3),
            "judge and store": round(store_seconds, 3),
            "fetch and wait": round(poll_seconds - parse_seconds - store_seconds, 3),
            **stages,
        },
        peers={
            "feedparser": {
                "seconds": peer_seconds,
                "articles": peer_articles,
                "articles_per_second": peer_articles / peer_seconds,
            }
        },
        parse_and_store_ratio=peer_seconds / (parse_seconds + store_seconds),
    )


def _pass(app: App, embed: bool) -> tuple[PassReport, float]:
    report = asyncio.run(app.runner(STAGES if embed else STAGES[:1]).once())
    return report, report.seconds - sum(one.seconds for one in report.stages)


def _parse_alone(folder: Path) -> float:
    bodies = [file.read_bytes() for file in feed_files(folder)]
    began = time.perf_counter()
    for body in bodies:
        try:
            parse_feed(body, f"http://{HOST}/")
        except ParseError:
            continue
    return time.perf_counter() - began


def _feedparser_alone(folder: Path) -> tuple[float, int]:
    bodies = [file.read_bytes() for file in feed_files(folder)]
    began = time.perf_counter()
    articles = sum(len(feedparser.parse(body).entries) for body in bodies)
    return time.perf_counter() - began, articles


def _peak_mb() -> float:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1 << 20) if sys.platform == "darwin" else peak / 1024
