"""The parts of the suite: the publisher, the clock, descriptions, the report, the command."""

from __future__ import annotations

import asyncio
import json
import socket
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from newsloom.kernel.errors import UserError
from newsloom_lab.politeness import usage
from newsloom_lab.politeness.case import Outcome, Verdict
from newsloom_lab.politeness.cases import CASES
from newsloom_lab.politeness.clock import NOON, CaseClock, FastLoop
from newsloom_lab.politeness.feeds import make_feed
from newsloom_lab.politeness.publisher import Answer, publishing
from newsloom_lab.politeness.readers import maker
from newsloom_lab.politeness.readers.description import load
from newsloom_lab.politeness.report import MARKER, markdown, side
from newsloom_lab.politeness.suite import Result, chosen


def said(authority: str, *lines: str) -> bytes:
    host, _, port = authority.partition(":")
    with socket.create_connection((host, int(port)), 5) as line:
        line.sendall(("\r\n".join((*lines, "Connection: close")) + "\r\n\r\n").encode("latin-1"))
        return b"".join(iter(lambda: line.recv(65536), b""))


def test_the_publisher_remembers_what_was_sent_byte_for_byte() -> None:
    clock = CaseClock()
    with publishing(clock, hosts=2) as publisher:
        url = publisher.on(publisher.url("/a?b=c", 1), Answer(b"here"))
        host = publisher.authority(1)
        answer = said(host, "GET /a?b=c HTTP/1.1", f"Host: {host}", 'X-oDD:  two  "spaces" ')
        (request,) = publisher.requests(url)
    assert answer.endswith(b"\r\n\r\nhere")
    assert b"Date: Wed, 18 Nov 2026 12:00:00 GMT" in answer
    assert ("X-oDD", 'two  "spaces" ') in request.headers
    assert (request.at, request.path, request.status) == (NOON, "/a?b=c", 200)


@pytest.mark.parametrize(
    ("lines", "status"),
    [
        ((), b"200"),
        (('If-None-Match: "first"',), b"304"),
        (("If-None-Match: first",), b"200"),
        (("If-Modified-Since: Tue, 17 Nov 2026 08:00:00 GMT",), b"304"),
        (('If-None-Match: "x"', "If-Modified-Since: Tue, 17 Nov 2026 08:00:00 GMT"), b"200"),
    ],
    ids=["plain", "same tag", "tag without quotes", "same date", "the tag decides"],
)
def test_a_feed_answers_conditional_requests(lines: tuple[str, ...], status: bytes) -> None:
    with publishing(CaseClock()) as publisher:
        feed = make_feed(publisher, "/f", last_modified="Tue, 17 Nov 2026 08:00:00 GMT")
        host = publisher.authority()
        answer = said(host, "GET /f HTTP/1.1", f"Host: {host}", *lines)
        assert len(feed.requests) == 1
    assert answer.split(b" ", 2)[1] == status


def test_the_clock_stands_still_until_it_is_set() -> None:
    clock = CaseClock()
    assert clock.now() == clock.now() == NOON
    clock.jump(timedelta(hours=2))
    clock.reach(NOON)
    assert clock.now() == NOON + timedelta(hours=2)


def test_a_fast_loop_waits_a_part_of_its_seconds() -> None:
    loop = FastLoop(50.0)
    began, by_loop = time.monotonic(), loop.time()
    loop.run_until_complete(asyncio.sleep(2.0))
    assert loop.time() - by_loop >= 2.0
    assert time.monotonic() - began < 2.0
    loop.close()


def test_memory_and_processor_time_of_the_tree_are_seen() -> None:
    if not usage.available():
        pytest.skip("needs /proc")
    with usage.Watch() as watch:
        held = bytearray(b"x" * 60_000_000)
        until = time.monotonic() + 60
        while watch.peak_mb <= 40 and time.monotonic() < until:
            time.sleep(usage.BETWEEN_LOOKS)
    assert watch.peak_mb > 40
    assert len(held) == 60_000_000


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("name = 'x'", "neither commands.poll"),
        ("[commands]\npoll = ['x']", "'name'"),
        ("name = 'x'\nspeed = 2\n[commands]\npoll = ['x']", "speed is not known"),
        ("name = 'x'\ncapabilities = ['flies']\n[commands]\npoll = ['x']", "flies is not known"),
        ("name = ", "cannot be read"),
    ],
    ids=["no commands", "no name", "unknown key", "unknown capability", "no TOML"],
)
def test_a_description_that_cannot_be_used_says_why(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "reader.toml"
    path.write_text(text)
    with pytest.raises(UserError, match=words):
        load(path)


def test_an_unknown_reader_and_an_unknown_case_are_told() -> None:
    with pytest.raises(UserError, match="There is no reader none"):
        maker("none")
    with pytest.raises(UserError, match="There is no case P99"):
        chosen(CASES, ["P01", "P99"])


def test_words_in_the_report_cannot_write_it() -> None:
    (case,) = chosen(CASES, ["P01"])
    hostile = Verdict(Outcome.FAILED, "| x |\n# <b>[a](b)</b>", ("`code` \n| y",))
    text = markdown(
        [case],
        [side([Result("P01", case.title, "r", "1|0", hostile, 1.0)], None)],
        datetime(2026, 11, 18, tzinfo=UTC),
    )
    assert "18 November 2026" in text
    assert "\n# " not in text
    assert "<b>" not in text.replace("\\<", "")
    assert "1\\|0" in text
    assert "| 0 of 1 |" in text


def test_the_command_prints_a_table_and_judges(newsloom) -> None:
    printed = newsloom("politeness", "--cases", "p23")
    assert printed.split("\t")[:3] == ["P23", "newsloom", "passed"]
    newsloom("politeness", "--cases", "P99", status=2)


@pytest.mark.politeness
def test_the_report_keeps_its_introduction(newsloom, tmp_path: Path) -> None:
    told = json.loads(newsloom("politeness", "--cases", "P01", "--json"))
    assert told["results"][0]["verdict"]["outcome"] == "passed"
    page = tmp_path / "report.md"
    page.write_text(f"# Kept\n\n{MARKER}\nold\n")
    newsloom("politeness", "--cases", "P01", "--reader", "newsloom", "--report", str(page))
    text = page.read_text()
    assert text.startswith("# Kept")
    assert "| P01 |" in text
    assert "old" not in text
