"""Real `run` and `serve` processes beside each other, as the publisher's log shows them."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import pytest

from commands import run_at_once
from newsloom_lab.politeness.clock import CaseClock
from newsloom_lab.politeness.feeds import RSS, Feed, make_feed
from newsloom_lab.politeness.publisher import (
    Answer,
    Exchange,
    Publisher,
    RecordedRequest,
    publishing,
)

PATIENCE = 150.0  # seconds; a busy machine takes ten to start a process


@dataclass
class Neighbours:
    """Processes on one store."""

    publisher: Publisher
    folder: Path
    seconds: float  # of an answer
    pause: float
    running: list[subprocess.Popen[str]] = field(default_factory=list)

    def feed(self, path: str) -> Feed:
        feed = make_feed(self.publisher, path)

        async def slowly(exchange: Exchange) -> None:
            await asyncio.sleep(self.seconds)
            body = feed.document()
            await exchange.head(200, RSS, ("ETag", feed.etag), ("Content-Length", str(len(body))))
            await exchange.send(body)

        feed.answer = lambda _asked: Answer(raw=slowly)
        return feed

    @property
    def environment(self) -> dict[str, str]:
        return {
            **os.environ,
            "HOME": str(self.folder),
            "NEWSLOOM_STORE_PATH": str(self.folder / "news.db"),
            "NEWSLOOM_FETCH_PRIVATE_HOSTS": "127.0.0.1",
            "NEWSLOOM_FETCH_HOST_SECONDS": str(self.pause),
            "NEWSLOOM_PAGES_ICONS": "false",
        }

    def at_once(self, *commands: Sequence[str]) -> list[str]:
        """What commands said that ran beside each other."""
        done = run_at_once(*commands, environment=self.environment)
        assert [one.returncode for one in done] == [0] * len(done), done
        return [one.stdout + one.stderr for one in done]

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        one = subprocess.Popen(
            [sys.executable, "-m", "newsloom", *arguments],
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.running.append(one)
        return one

    def done(self, one: subprocess.Popen[str]) -> str:
        out, err = one.communicate(timeout=PATIENCE)
        assert one.returncode == 0, (out, err)
        return out + err

    def follow(self, number: int) -> list[Feed]:
        feeds = [self.feed(f"/feed{place}.xml") for place in range(number)]
        rows = "".join(f'<outline type="rss" xmlUrl="{one.url}"/>' for one in feeds)
        (self.folder / "feeds.opml").write_text(f"<opml><body>{rows}</body></opml>")
        self.at_once(("import", str(self.folder / "feeds.opml")))
        return feeds

    def wait_for(self, requests: int) -> tuple[RecordedRequest, ...]:
        """The log, once so many requests have been answered."""
        until = time.monotonic() + PATIENCE
        while sum(one.ended > 0 for one in self.publisher.log) < requests:
            assert time.monotonic() < until, f"{len(self.publisher.log)} requests"
            time.sleep(0.05)
        return tuple(sorted(self.publisher.log, key=lambda one: one.began))

    def polite(self, log: tuple[RecordedRequest, ...]) -> None:
        """One at a time, with the pause between the end of one and the beginning of the next."""
        for earlier, later in pairwise(log):
            apart = later.began - earlier.ended
            # The publisher notes an end a moment after the reader has it.
            assert apart >= self.pause - 0.05, f"{apart:.2f} s: {earlier.line()}; {later.line()}"


@contextmanager
def neighbours(folder: Path, seconds: float, pause: float) -> Iterator[Neighbours]:
    with publishing(CaseClock(speed=1.0)) as publisher:
        found = Neighbours(publisher, folder, seconds, pause)
        try:
            yield found
        finally:
            for one in found.running:
                with one:  # it may have been killed already: its pipes are closed all the same
                    one.kill()


QUICK = pytest.param(5, 0.3, 0.6, id="quick")
AS_SHIPPED = pytest.param(14, 1.0, 1.25, id="as shipped", marks=pytest.mark.politeness)
ROWS = pytest.mark.parametrize(("number", "seconds", "pause"), [QUICK, AS_SHIPPED])


@ROWS
def test_two_runs_ask_a_host_as_one(
    tmp_path: Path, number: int, seconds: float, pause: float
) -> None:
    with neighbours(tmp_path, seconds, pause) as both:
        both.follow(number)
        lines = both.at_once(("run",), ("run",))
        log = both.wait_for(number)
        assert len({one.path for one in log}) == len(log) == number
        both.polite(log)
    polled = re.findall(r"(\d+) feeds? polled", "".join(lines))
    assert sum(map(int, polled)) == number


@ROWS
def test_a_run_and_an_add_beside_serve_ask_a_host_in_turn(
    tmp_path: Path, number: int, seconds: float, pause: float
) -> None:
    """Who adds a feed waits for one request of the other's, not for all."""
    with neighbours(tmp_path, seconds, pause) as all_three:
        all_three.follow(number)
        added = all_three.feed("/added.xml")
        serving = all_three.start("serve", "--port", "0")
        all_three.wait_for(1)
        _ran, text = all_three.at_once(("run",), ("add", added.url))
        assert "Following Feed added-xml" in text
        log = all_three.wait_for(number + 1)
        serving.send_signal(signal.SIGTERM)
        all_three.done(serving)
        assert len({one.path for one in log}) == len(log) == number + 1
        all_three.polite(log)


@pytest.mark.politeness
def test_one_feed_by_hand_goes_before_the_others_of_its_host(tmp_path: Path) -> None:
    with neighbours(tmp_path, 0.3, 1.0) as both:
        feeds = both.follow(24)  # half a minute, for a busy machine to start the second
        first = both.start("run")
        both.wait_for(1)
        second = both.start("run", "--feed", "24")
        assert "1 feed polled" in both.done(second)
        requests = [one.path for one in both.wait_for(1)]
        both.done(first)
        both.polite(both.wait_for(24))
    assert len(requests) < len(feeds), "it waited for all"


@pytest.mark.politeness
def test_what_a_killed_process_asked_is_not_asked_at_once(tmp_path: Path) -> None:
    with neighbours(tmp_path, 0.3, 1.5) as both:
        both.follow(4)
        first = both.start("run")
        both.wait_for(2)
        first.kill()
        first.communicate()
        killed = time.monotonic()
        both.done(both.start("run"))
        log = both.wait_for(4)
        late = [one.began for one in log if one.began > killed]
    assert len({one.path for one in log}) == 4
    assert late
    assert late[0] - log[1].ended >= 1.45


@pytest.mark.politeness
def test_a_run_says_what_another_asks(tmp_path: Path) -> None:
    with neighbours(tmp_path, 2.0, 1.0) as both:
        both.follow(20)  # a minute of which the second run sees the beginning
        first = both.start("run")
        both.wait_for(1)
        text = both.done(both.start("run"))
        first.kill()
    assert "Fetched by another process: " in text
    assert "No feed is due" not in text
