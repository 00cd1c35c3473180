"""Polling many feeds, whole processes with their stores: Newsloom beside newsboat and reader.

Three passes are measured: everything new, nothing changed (each server answers 304), twenty new
articles in every feed. One that is not measured lies before the second: newsboat keeps validators
from its second poll on. What starting costs is told apart: Newsloom and reader time their polling
themselves, newsboat polls from the first request the server sees to the last.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from importlib.util import find_spec
from pathlib import Path

from newsloom.kernel.errors import UserError
from newsloom_lab.bench import pollers
from newsloom_lab.bench.made_feeds import ARTICLES, FeedFiles
from newsloom_lab.bench.many_hosts import Served, serving
from newsloom_lab.bench.watched import watched

# newsboat is fastest here with about as many threads as Newsloom has requests under way: with 100
# it needs the same time and more memory.
NEWSBOAT_THREADS = 32

# A day between the passes: by then everything is due again.
HOURS_BETWEEN = 25.0
_NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class PollPass:
    """One pass over all feeds."""

    seconds: float  # the whole process
    start_seconds: float  # of them: all but polling
    cpu_seconds: float
    peak_mb: float  # of all processes, what they share counted once
    peak_resident_mb: float  # counted for each
    feeds_per_second: float  # of the whole process
    polled_per_second: float  # without what starting takes
    new: int  # articles; -1: not told


@dataclass(frozen=True, slots=True)
class Contender:
    feeds: int
    first: PollPass
    unchanged: PollPass
    changed: PollPass


@dataclass(frozen=True, slots=True)
class PollBench:
    """Ratios to newsboat's rates: of whole processes, and without what starting takes."""

    server: str
    feeds: int
    articles_a_feed: int
    newsloom: Contender
    peers: dict[str, Contender]
    ratios: dict[str, float]

    def table(self) -> list[tuple[str, ...]]:
        """A row for each poller and pass."""
        contenders = {"newsloom": self.newsloom, **self.peers}
        return [_row(name, one, kind) for name, one in contenders.items() for kind in PASSES]


PASSES = ("first", "unchanged", "changed")
COLUMNS = ("poller", "pass", "feeds", "seconds", "starting", "feeds/s", "polled/s", "CPU-s", "MB")


@dataclass(frozen=True, slots=True)
class Poller:
    """One that is measured: its command for a poll so many hours after its first."""

    command: Callable[[float], list[str]]
    feeds: int
    environment: dict[str, str]
    log: Path | None

    def measured(self, hours: float) -> PollPass:
        """Poll everything once."""
        if self.log:
            self.log.write_bytes(b"")  # the server appends
        whole = watched(self.command(hours), self.environment)
        lines = whole.said.strip().splitlines()
        if lines and lines[-1].startswith("{"):
            told = json.loads(lines[-1])
            if told["feeds"] != self.feeds or told["failed"]:
                raise UserError(f"not every feed was polled: {lines[-1]}")
            polling, new = told["seconds"], told["new"]
        else:  # newsboat
            polling, new = self._seen(whole.seconds), -1
        return PollPass(
            seconds=whole.seconds,
            start_seconds=whole.seconds - polling,
            cpu_seconds=whole.cpu_seconds,
            peak_mb=whole.peak_mb,
            peak_resident_mb=whole.peak_resident_mb,
            feeds_per_second=self.feeds / whole.seconds,
            polled_per_second=self.feeds / polling,
            new=new,
        )

    def _seen(self, whole: float) -> float:
        """From the first request to the last; the whole where the server keeps no log."""
        if self.log is None:
            return whole
        times = [float(line) for line in self.log.read_text().split()]
        if len(times) != self.feeds:
            raise UserError(f"{len(times)} requests came for {self.feeds} feeds")
        return max(max(times) - min(times), 0.001)


def run(
    feeds: int,
    *,
    peers: bool,
    reader_feeds: int,
    heard: Callable[[str], None] = lambda _what: None,
) -> PollBench:
    """`reader_feeds`: lemon24/reader polls so many of them, as it takes minutes for 5,000."""
    with tempfile.TemporaryDirectory() as name:
        path = Path(name)
        files = FeedFiles(path / "feeds", feeds)
        files.write(0, _NOON)
        (path / "server").mkdir()
        with serving(files.folder, path / "server", feeds) as served:
            running = {"newsloom": _program("newsloom", path, served, feeds)}
            if peers and shutil.which("newsboat"):
                running["newsboat"] = _newsboat(path, served)
            if peers and find_spec("reader"):
                running["reader"] = _program("reader", path, served, reader_feeds)
            measured = _all_passes(running, files, heard)
    ours = measured.pop("newsloom")
    if ours.unchanged.new or not ours.changed.new:
        raise UserError("the server did not show unchanged feeds, or not changed ones")
    boat = measured.get("newsboat")
    return PollBench(
        server=served.server,
        feeds=feeds,
        articles_a_feed=ARTICLES,
        newsloom=ours,
        peers=measured,
        ratios=_ratios(ours, boat) if boat else {},
    )


def _all_passes(
    running: dict[str, Poller], files: FeedFiles, heard: Callable[[str], None]
) -> dict[str, Contender]:
    passes: dict[str, dict[str, PollPass]] = {name: {} for name in running}
    for number, kind in enumerate(("first", "", *PASSES[1:])):
        hours = HOURS_BETWEEN * number
        if kind == "changed":
            files.write(1, _NOON + timedelta(hours=hours))
        for name, one in running.items():
            heard(f"{name} polls {one.feeds:,} feeds: {kind or 'not measured'}")
            passes[name][kind] = one.measured(hours)
    for measured in passes.values():
        del measured[""]
    return {name: Contender(feeds=one.feeds, **passes[name]) for name, one in running.items()}


def _program(name: str, path: Path, served: Served, feeds: int) -> Poller:
    folder = _folder(name, path, served.urls[:feeds])
    watched(pollers.command(name, "prepare", folder, 0.0), {})
    polls = partial(pollers.command, name, "poll", folder)
    return Poller(polls, len(served.urls[:feeds]), {}, served.log)


def _newsboat(path: Path, served: Served) -> Poller:
    folder = _folder("newsboat", path, served.urls)
    pollers.prepare_newsboat(folder, NEWSBOAT_THREADS)
    # Its own home: it reads and locks files there.
    environment = {"HOME": str(folder), "TERM": "dumb"}
    command = pollers.newsboat_command(folder)
    return Poller(lambda _hours: command, len(served.urls), environment, served.log)


def _folder(name: str, path: Path, urls: tuple[str, ...]) -> Path:
    folder = path / name
    folder.mkdir()
    (folder / "urls").write_text("".join(f"{url}\n" for url in urls))
    return folder


def _ratios(ours: Contender, theirs: Contender) -> dict[str, float]:
    return {
        f"{kind}{apart}": getattr(getattr(ours, kind), rate) / getattr(getattr(theirs, kind), rate)
        for kind in PASSES
        for apart, rate in (("", "feeds_per_second"), ("_polling", "polled_per_second"))
    }


def _row(name: str, one: Contender, kind: str) -> tuple[str, ...]:
    made: PollPass = getattr(one, kind)
    return (
        name,
        kind,
        f"{one.feeds:,}",
        f"{made.seconds:.2f}",
        f"{made.start_seconds:.2f}",
        f"{made.feeds_per_second:,.0f}",
        f"{made.polled_per_second:,.0f}",
        f"{made.cpu_seconds:.2f}",
        f"{made.peak_mb:.0f}",
    )
