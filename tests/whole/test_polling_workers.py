"""Four workers that poll one store, killed at random moments: no host is asked twice at once or
without its pause, no feed too early, and what a dead worker had goes on at once."""

from __future__ import annotations

import itertools
import os
import random
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import pytest

import loopback
import postgres
from kills import kill_count
from newsloom.store import open_store
from publisher import rss

KILLS = kill_count(20)
WORKERS, HOSTS, FEEDS = 4, 10, 4  # feeds of each host
TAKES, PAUSE = 0.15, 0.4  # seconds an answer takes, and between two requests to a host
SOON = 60.0

pytestmark = pytest.mark.crash


class Site:
    """A host with some feeds, and when it was asked for which: (path, from, until)."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.asked: list[tuple[str, float, float]] = []
        self.port = 0

    @property
    def urls(self) -> list[str]:
        return [f"http://127.0.0.1:{self.port}/{feed}.xml" for feed in range(FEEDS)]

    @contextmanager
    def answering(self) -> Iterator[Site]:
        site = self

        class Handler(loopback.Handler):
            def do_GET(self) -> None:
                began = time.monotonic()
                time.sleep(TAKES)
                name = f"{site.number}-{self.path}"
                body = rss(name, (name, f"https://of.test/{name}", f"Own news {name}")).encode()
                self.send_response(200 if self.path.endswith(".xml") else 404)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)
                site.asked.append((self.path, began, time.monotonic()))

        with loopback.answering(Handler) as self.port:
            yield self


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Of a new PostgreSQL database; "": an SQLite file."""
    if request.param == "sqlite":
        yield ""
        return
    programs = postgres.programs()
    if programs is None:
        pytest.skip("there is no PostgreSQL on this machine")
    with postgres.running(programs) as cluster:
        cluster.make("news")
        yield cluster.address("news")


def started(folder: Path, url: str, hosts: list[str]) -> subprocess.Popen[bytes]:
    environment = {
        **{one: value for one, value in os.environ.items() if "NEWSLOOM" not in one},
        "NEWSLOOM_STORE_PATH": str(folder / "news.db"),
        "NEWSLOOM_FETCH_PRIVATE_HOSTS": ",".join(hosts),
        "NEWSLOOM_FETCH_HOST_SECONDS": str(PAUSE),
        "NEWSLOOM_PAGES_ICONS": "false",
        "HOME": str(folder),
    } | ({"NEWSLOOM_STORE_URL": url} if url else {})
    with (folder / "log").open("ab") as log:
        return subprocess.Popen(
            [sys.executable, "-m", "newsloom", "work", "--watch", "--poll", "--stages", "text"],
            env=environment,
            cwd=folder,
            stdout=log,
            stderr=log,
        )


@pytest.mark.timeout(240)
def test_killed_workers_leave_hosts_to_others(url: str, tmp_path: Path) -> None:
    chance, place = random.Random(35), url or tmp_path / "news.db"
    with ExitStack() as stack:
        sites = [stack.enter_context(Site(one).answering()) for one in range(HOSTS)]
        rows = [(address, "", "") for one in sites for address in one.urls]
        with closing(open_store(place)) as store:
            now = store.database.now()
            store.reading.subscribe_all(store.users.user("reader", now), rows, now)
        hosts = [f"127.0.0.1:{one.port}" for one in sites]
        workers = [started(tmp_path, url, hosts) for _ in range(WORKERS)]
        kills = 0
        try:
            ends = time.monotonic() + SOON
            while any(len({path for path, *_ in one.asked}) < FEEDS for one in sites):
                assert time.monotonic() < ends, (tmp_path / "log").read_text()
                asked = sum(len(one.asked) for one in sites)
                if kills < KILLS and 2 * KILLS * asked > kills * HOSTS * FEEDS:
                    victim = workers.pop(chance.randrange(WORKERS))
                    victim.kill()
                    victim.wait()
                    kills += 1
                    workers.append(started(tmp_path, url, hosts))
                time.sleep(0.02)
            assert kills == KILLS
            time.sleep(2 * PAUSE)  # who might ask once more has the time to
        finally:
            for one in workers:
                one.terminate()
            for one in workers:
                one.wait(30)
    times: dict[str, int] = defaultdict(int)
    for site in sites:
        in_order = sorted(site.asked, key=lambda one: one[1])
        for (_, _, until), (_, began, _) in itertools.pairwise(in_order):
            assert began >= until, "a host was asked twice at once"
            assert began - until >= 0.5 * (PAUSE - TAKES), "it was asked without its pause"
        for path, *_ in in_order:
            times[f"{site.number}{path}"] += 1
    # A kill may come between the answer and its commit, of the few that a worker had under way.
    again = sum(times.values()) - HOSTS * FEEDS
    assert 0 <= again <= kills * HOSTS, times
    with closing(open_store(place)) as store, store.database.read() as connection:
        count = "SELECT COUNT(*), COUNT(DISTINCT title) FROM articles"
        assert tuple(connection.exec_driver_sql(count).one()) == (HOSTS * FEEDS, HOSTS * FEEDS)
        left = "SELECT COUNT(*) FROM feeds WHERE lease_owner IS NOT NULL OR polled_at IS NULL"
        assert connection.exec_driver_sql(left).scalar() == 0
