"""`newsloom serve` as it is, asked for its list pages by many clients at once.

The server is a process of its own with the pages alone, the clients are another. FreshRSS and
Miniflux stand beside it only where somebody runs them: neither can be installed from here.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from newsloom.errors import UserError
from newsloom_lab.bench import serve_world
from newsloom_lab.bench.serve_client import Load, Seen

# As a reader goes through them: the front page most often, then other lists of theirs.
PATHS = (
    "/",
    "/?order=newest",
    "/?category=World",
    "/",
    "/?feed=3&show=all",
    "/?category=Science&order=newest",
    "/",
    "/?language=de",
)
MARKS_EVERY = 0.5  # seconds between two changes, where there are any
WARM_SECONDS = 2.0
_READY = re.compile(r"ready: (http://\S+)")


@dataclass(frozen=True, slots=True)
class ServeTimes:
    """One load on one server."""

    load: str
    pages_a_second: float
    p50_ms: float
    p99_ms: float
    kilobytes: float  # of an answer on the wire, its head included
    cpu_ms: float  # processor time of the server for a page
    failed: int
    marked: int
    first_mb: float  # resident, as the load began
    last_mb: float


@dataclass(frozen=True, slots=True)
class ServeBench:
    articles: int
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
                f"{one.last_mb:.0f}",
            )
            for one in self.times
        ]


COLUMNS = ("load", "pages/s", "p50 ms", "p99 ms", "KB", "CPU ms", "failed", "MB first", "MB last")


def run(articles: int, feeds: int, readers: int, clients: int, seconds: float) -> ServeBench:
    """Fill a store, serve it, and ask. Raises UserError when the server does not come up."""
    with tempfile.TemporaryDirectory(prefix="newsloom-bench-") as folder:
        place = Path(folder) / "news.db"
        serve_world.fill(place, articles, feeds, readers, datetime.now(UTC))  # noqa: TID251
        with serving(place) as (url, process):
            few = {"paths": PATHS, "clients": clients, "seconds": seconds}
            loads = (
                ("as it stands", Load(url, **few)),  # type: ignore[arg-type]
                (
                    f"a mark every {MARKS_EVERY:g} s",
                    Load(url, articles=articles, marks_every=MARKS_EVERY, **few),  # type: ignore[arg-type]
                ),
                ("uncompressed", Load(url, coding="identity", **few)),  # type: ignore[arg-type]
            )
            times = tuple(_measure(name, load, process) for name, load in loads)
    return ServeBench(articles, feeds, readers, clients, seconds, times)


@contextmanager
def serving(place: Path, arguments: Sequence[str] = ()) -> Iterator[tuple[str, int]]:
    """The address and the process id of a server of the pages alone."""
    command = (sys.executable, "-m", "newsloom", "serve", "--pages-only", "--port", "0", *arguments)
    environment = {**os.environ, "NEWSLOOM_STORE_PATH": str(place), "NEWSLOOM_USER": "me"}
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


def _measure(name: str, load: Load, process: int) -> ServeTimes:
    warm = Load(load.url, load.paths, load.clients, WARM_SECONDS, load.coding)
    _clients(warm)
    first, cpu = _resident_mb(process), _cpu_seconds(process)
    seen = _clients(load)
    cpu = _cpu_seconds(process) - cpu
    times, count = sorted(seen.times), len(seen.times)
    return ServeTimes(
        load=name,
        pages_a_second=count / seen.seconds,
        p50_ms=1000 * times[count // 2],
        p99_ms=1000 * times[min(round(count * 0.99), count - 1)],
        kilobytes=seen.wire / count / 1000,
        cpu_ms=1000 * cpu / count,
        failed=seen.failed,
        marked=seen.marked,
        first_mb=first,
        last_mb=_resident_mb(process),
    )


def _clients(load: Load) -> Seen:
    command = (sys.executable, "-m", "newsloom_lab.bench.serve_client")
    done = subprocess.run(  # noqa: S603 - ourselves
        command, input=json.dumps(asdict(load)), capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise UserError(f"the clients failed: {done.stderr.strip()[-500:]}")
    seen = Seen(**json.loads(done.stdout))
    if not seen.times:
        raise UserError("no page came back")
    return seen


def _cpu_seconds(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _resident_mb(process: int) -> float:
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6
