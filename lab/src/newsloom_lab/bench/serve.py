"""`newsloom serve` as it is, used by many signed-in readers at once.

The server is a process of its own with the pages alone, the clients are another, and a third adds
what polls find. FreshRSS stands beside it where a checkout of it is given: see `serve_freshrss`.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path

from newsloom.kernel.errors import UserError
from newsloom_lab.bench import serve_world
from newsloom_lab.bench.serve_client import MARK, ZONE, Load, Person, Seen, text_of

# What readers ask for, by how often of a hundred requests: made up, since we know of no published
# log of a feed reader. A list first, articles out of it, marks as they go.
SHARES = {
    "list": 25.0,
    "next page": 10.0,
    "feed": 15.0,
    "category": 15.0,
    "language": 3.0,
    "article": 15.0,
    "search": 7.0,
    MARK: 10.0,
}
LISTS = {"list": 60.0, "feed": 15.0, "category": 20.0, "language": 5.0}
# A reader of 1,900 feeds that are asked every half hour.
POLLS_EVERY = 1.0
WARM_SECONDS = 3.0
LARGE_READERS = 2
SAMPLES = 100  # of memory, in one load
_READY = re.compile(r"ready: (http://\S+)")
_NEXT = re.compile(r'href="([^"]+)" rel="next"')


@dataclass(frozen=True, slots=True)
class ServeTimes:
    """One load on one server."""

    load: str
    pages_a_second: float
    p50_ms: float
    p99_ms: float
    kilobytes: float  # of an answer on the wire, its head included; marks are not in these
    cpu_ms: float  # processor time of the server for a request
    failed: int
    first_mb: float  # resident, as the load began
    middle_mb: float  # and half way
    last_mb: float
    growth_mb: float  # a minute, in the second half; of a few seconds it says nothing
    requests: int
    kinds: dict[str, tuple[int, float, float]]  # of each kind: how many, and p50 and p99 in ms


@dataclass(frozen=True, slots=True)
class ServeBench:
    articles: int  # unread, of each reader
    feeds: int
    readers: int
    clients: int
    seconds: float
    times: tuple[ServeTimes, ...]

    def table(self) -> list[tuple[str, ...]]:
        return [
            (
                one.load,
                f"{one.pages_a_second:.0f}",
                f"{one.p50_ms:.1f}",
                f"{one.p99_ms:.1f}",
                f"{one.kilobytes:.1f}",
                f"{one.cpu_ms:.1f}",
                str(one.failed),
                f"{one.first_mb:.0f}",
                f"{one.middle_mb:.0f}",
                f"{one.last_mb:.0f}",
                f"{one.growth_mb:+.1f}",
            )
            for one in self.times
        ]

    def kinds(self) -> list[tuple[str, ...]]:
        return [
            (one.load, kind, str(count), f"{p50:.1f}", f"{p99:.1f}")
            for one in self.times
            for kind, (count, p50, p99) in one.kinds.items()
        ]


COLUMNS = (
    "load", "pages/s", "p50 ms", "p99 ms", "KB", "CPU ms", "failed",
    "MB first", "MB middle", "MB last", "MB/min",
)  # fmt: skip
KINDS = ("load", "kind", "requests", "p50 ms", "p99 ms")


def run(
    articles: int,
    feeds: int,
    readers: int,
    clients: int,
    seconds: float,
    *,
    large: int = 0,
    freshrss: Path | None = None,
    minutes: float = 0,
) -> ServeBench:
    """Fill a store, serve it, and ask; the same with so many articles each of two readers, if any
    are named, and of FreshRSS, if there is a checkout. With minutes it is asked only as it is used,
    for so long. Raises UserError when one does not come up.
    """
    if minutes:
        name, long = f"as it is used, {minutes:g} minutes", 60 * minutes
        times = _loads(articles, feeds, readers, clients, long, only=name)
        return ServeBench(articles, feeds, readers, clients, long, times)
    times = _loads(articles, feeds, readers, clients, seconds)
    if freshrss is not None:
        times += (_freshrss(freshrss, articles, feeds, readers, clients, seconds),)
    if large:
        few = min(readers, LARGE_READERS)
        for count in (articles, large):
            name = f"{few} readers of {count:,}"
            times += _loads(count, feeds, few, clients, seconds, only=name)
    return ServeBench(articles, feeds, readers, clients, seconds, times)


def _loads(
    articles: int, feeds: int, readers: int, clients: int, seconds: float, *, only: str = ""
) -> tuple[ServeTimes, ...]:
    """One store under all loads, or as it is used alone, under that name."""
    with tempfile.TemporaryDirectory(prefix="newsloom-bench-") as folder:
        path = Path(folder) / "news.db"
        world = serve_world.fill(path, articles, feeds, readers, datetime.now(UTC))  # noqa: TID251
        with serving(path) as (url, process):
            people = tuple(_person(url, world, reader) for reader in range(readers))
            used = Load(url, people, SHARES, clients, seconds)
            polls = serve_world.Polls(path, world, POLLS_EVERY)
            if only:
                return (measure(only, used, process, polls.going()),)
            lists = Load(url, people, LISTS, clients, seconds)
            plain = Load(url, people, LISTS, clients, seconds, coding="identity")
            return (
                measure("lists, nothing written", lists, process),
                measure("as it is used", used, process, polls.going()),
                measure("lists, uncompressed", plain, process),
            )


def _freshrss(
    checkout: Path, articles: int, feeds: int, readers: int, clients: int, seconds: float
) -> ServeTimes:
    """The lists of FreshRSS; it has no pages by language."""
    from newsloom_lab.bench import serve_freshrss

    shares = {kind: share for kind, share in LISTS.items() if kind != "language"}
    now = datetime.now(UTC)  # noqa: TID251
    with (
        tempfile.TemporaryDirectory(prefix="freshrss-bench-") as folder,
        serve_freshrss.serving(checkout, Path(folder), articles, feeds, readers, now) as served,
    ):
        url, people, process = served
        load = Load(url, people, shares, clients, seconds, coding="gzip")
        return measure("FreshRSS, lists, nothing written", load, process)


def _person(url: str, world: serve_world.World, reader: int) -> Person:
    """What one reader asks for: addresses of the world, and the second pages of three lists."""
    cookie = f"newsloom-session={world.tokens[reader]}; {ZONE}"
    feeds = world.feeds[reader]
    lists = ("/", "/?order=newest", "/", "/", "/?show=all")
    categories = tuple(f"/?category={one}" for one in serve_world.CATEGORIES)
    own = [*world.articles(reader, 4_000)]
    nexts = (_next(url, cookie, one) for one in (lists[0], lists[1], categories[0]))
    return Person(
        cookie,
        {
            "list": lists,
            "next page": tuple(one for one in nexts if one) or lists,
            "feed": tuple(f"/?feed={one}" for one in feeds[:40]),
            "category": categories,
            "language": ("/?language=de", "/?language=en"),
            "article": tuple(f"/articles/{one}" for one in own[:200]),
            "search": tuple(f"/search?q={one}" for one in serve_world.searched()),
        },
        tuple(f"/articles/{one}/marks" for one in own),
    )


def _next(url: str, cookie: str, path: str) -> str:
    """The address of the page after a list's first."""
    found = _NEXT.search(asyncio.run(text_of(url, path, cookie)))
    return found[1].replace("&amp;", "&") if found else ""


@contextmanager
def serving(path: Path, arguments: Sequence[str] = ()) -> Iterator[tuple[str, int]]:
    """The address and the process id of a server of the pages alone."""
    command = (sys.executable, "-m", "newsloom", "serve", "--pages-only", "--port", "0", *arguments)
    environment = {**os.environ, "NEWSLOOM_STORE_PATH": str(path)}
    with subprocess.Popen(  # noqa: S603 - ourselves
        command,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as server:
        assert server.stdout is not None
        said = ""
        for line in server.stdout:
            said += line
            if found := _READY.search(line):
                break
        else:
            raise UserError(f"newsloom serve did not come up: {said[-500:]}")
        # What it says later must not fill the pipe.
        threading.Thread(target=server.stdout.read, daemon=True).start()
        try:
            yield found[1].rstrip("/"), server.pid
        finally:
            server.terminate()


def measure(
    name: str,
    load: Load,
    process: int,
    beside: AbstractContextManager[None] | None = None,
) -> ServeTimes:
    """One load on one process, as it is now, while something goes on beside it."""
    _clients(replace(load, seconds=min(load.seconds, WARM_SECONDS)))
    cpu = _cpu_seconds(process)
    memory = _Memory(process)
    with memory.sampled(load.seconds), beside or nullcontext():
        seen = _clients(replace(load, seed=2))
    cpu = _cpu_seconds(process) - cpu
    pages = sorted(chain.from_iterable(t for kind, t in seen.times.items() if kind != MARK))
    requests = sum(map(len, seen.times.values()))
    return ServeTimes(
        load=name,
        pages_a_second=len(pages) / seen.seconds,
        p50_ms=_part(pages, 0.5),
        p99_ms=_part(pages, 0.99),
        kilobytes=seen.wire / len(pages) / 1000,
        cpu_ms=1000 * cpu / requests,
        failed=seen.failed,
        first_mb=memory.samples[0][1],
        middle_mb=memory.samples[len(memory.samples) // 2][1],
        last_mb=memory.samples[-1][1],
        growth_mb=memory.growth,
        requests=requests,
        kinds={
            kind: (len(times), _part(sorted(times), 0.5), _part(sorted(times), 0.99))
            for kind, times in sorted(seen.times.items())
        },
    )


@dataclass(slots=True)
class _Memory:
    """What a process holds while a load lasts."""

    process: int
    samples: list[tuple[float, float]] = field(default_factory=list)  # seconds, MB

    @contextmanager
    def sampled(self, seconds: float) -> Iterator[None]:
        """While the block lasts, some hundred times if that is so many seconds."""
        ended = threading.Event()

        def sample() -> None:
            begun = time.monotonic()
            while True:
                self.samples.append((time.monotonic() - begun, _resident_mb(self.process)))
                if ended.wait(seconds / SAMPLES):
                    break
            self.samples.append((time.monotonic() - begun, _resident_mb(self.process)))

        thread = threading.Thread(target=sample)
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join()

    @property
    def growth(self) -> float:
        """The slope of the line through the second half: caches are full by then. MB a minute."""
        line = statistics.linear_regression(
            *zip(*self.samples[len(self.samples) // 2 :], strict=True)
        )
        return 60 * line.slope


def _part(times: Sequence[float], part: float) -> float:
    """That part of the sorted times took no longer, in ms."""
    return 1000 * times[min(round(len(times) * part), len(times) - 1)]


def _clients(load: Load) -> Seen:
    command = (sys.executable, "-m", "newsloom_lab.bench.serve_client")
    done = subprocess.run(  # noqa: S603 - ourselves
        command, input=json.dumps(asdict(load)), capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise UserError(f"the clients failed: {done.stderr.strip()[-500:]}")
    seen = Seen(**json.loads(done.stdout))
    if not any(kind != MARK for kind in seen.times):
        raise UserError("no page came back")
    return seen


def _cpu_seconds(process: int) -> float:
    """Of a process and those it started, waited for or not."""
    total = 0
    for one in _with_children(process):
        fields = Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()
        total += sum(map(int, fields[11:15]))
    return total / os.sysconf("SC_CLK_TCK")


def _resident_mb(process: int) -> float:
    """What several share counts for each."""
    pages = sum(
        int(Path(f"/proc/{one}/statm").read_text().split()[1]) for one in _with_children(process)
    )
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def _with_children(process: int) -> list[int]:
    text = Path(f"/proc/{process}/task/{process}/children").read_text()
    return [process, *map(int, text.split())]
