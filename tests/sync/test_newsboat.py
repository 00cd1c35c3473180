"""Debian's newsboat, unmodified, in a terminal of its own: it logs in, lists, reads, stars, marks
all, and after each the store is as it should be.

`feedhq` is its Google Reader mode before 2.24, which reads Atom; `freshrss` the one since.
"""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import shutil
import sqlite3
import struct
import subprocess
import termios
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from newsloom.types import EventKind

from .scene import Person, Scene

pytestmark = pytest.mark.sync

MINUTE = 60.0
# How a terminal is told to do what is no letter.
ENTER, CONTROL_E = "\r", "\x05"


def version() -> tuple[int, ...]:
    told = subprocess.run(["newsboat", "-v"], capture_output=True, text=True, check=False).stdout
    found = re.search(r"newsboat r?(\d+)\.(\d+)", told)
    return tuple(map(int, found.groups())) if found else (0, 0)


@pytest.fixture(params=["feedhq", "freshrss"])
def mode(request: pytest.FixtureRequest) -> str:
    if shutil.which("newsboat") is None:
        pytest.skip("needs newsboat: apt-get install newsboat")
    if request.param == "freshrss" and version() < (2, 24):
        pytest.skip(f"newsboat {version()} has no mode for FreshRSS")
    return request.param


@dataclass
class Terminal:
    """newsboat and what it wrote on the screen."""

    process: subprocess.Popen[bytes]
    master: int
    screen: str = ""

    def keys(self, text: str) -> None:
        os.write(self.master, text.encode())

    def read(self) -> None:
        """What came since; escape sequences left out."""
        while select.select([self.master], [], [], 0.02)[0]:
            try:
                came = os.read(self.master, 65_536).decode(errors="replace")
            except OSError:  # it ended
                return
            self.screen += re.sub(r"\x1b(\[[0-9;?]*[A-Za-z]|[()][A-Z0-9]|[=>])", " ", came)

    def until(self, met: Callable[[], bool], what: str) -> None:
        end = time.monotonic() + MINUTE
        while not met():
            self.read()
            assert self.process.poll() is None, f"newsboat ended: {self.screen[-2000:]}"
            assert time.monotonic() < end, f"{what}: {self.screen[-2000:]}"

    def shows(self, text: str) -> None:
        self.until(lambda: text in self.screen, f"{text!r} is not on the screen")
        self.screen = ""


def configured(home: Path, mode: str, scene: Scene, person: Person) -> list[str]:
    """A configuration for a mode; the command with it."""
    root = scene.url + ("/api/greader.php" if mode == "freshrss" else "")
    lines = [
        f'urls-source "{mode}"',
        f'{mode}-url "{root}"',
        f'{mode}-login "{person.name}"',
        f'{mode}-password "{person.secret}"',
        f'{mode}-flag-star "s"',
        f"{mode}-min-items 100",
        "auto-reload no",
        "confirm-exit no",
        "show-read-feeds yes",
    ]
    if mode == "feedhq":
        lines.append("feedhq-show-special-feeds no")
    # With several, newsboat 2.21 finds its own cache locked now and then.
    lines.append("reload-threads 1")
    (home / "config").write_text("\n".join(lines) + "\n")
    (home / "urls").touch()
    places = ("-C", home / "config", "-c", home / "cache.db", "-u", home / "urls")
    return ["newsboat", *map(str, places)]


@contextmanager
def running(command: list[str], home: Path) -> Iterator[Terminal]:
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
    process = subprocess.Popen(
        command,
        stdin=slave,
        stdout=slave,
        stderr=slave,
        start_new_session=True,
        env={
            "PATH": os.environ["PATH"],
            "HOME": str(home),
            "TERM": "xterm",
            "LANG": "C.UTF-8",
            "LC_ALL": "C.UTF-8",
        },
    )
    os.close(slave)
    try:
        yield Terminal(process, master)
    finally:
        process.kill()
        process.wait()
        os.close(master)


def test_a_wrong_password_is_refused(scene: Scene, tmp_path: Path, mode: str):
    nobody = Person(scene.ann.user, "ann", "wrong")
    command = configured(tmp_path, mode, scene, nobody)
    found = subprocess.run(
        [*command, "-x", "reload"],
        capture_output=True,
        text=True,
        timeout=MINUTE,
        env={"PATH": os.environ["PATH"], "HOME": str(tmp_path), "TERM": "xterm"},
        check=False,
    )
    assert "uthentication failed" in found.stdout + found.stderr


def test_log_in_list_read_star_mark_all(scene: Scene, tmp_path: Path, mode: str):
    ann = scene.ann
    mine = set(scene.articles(ann))
    with running(configured(tmp_path, mode, scene, ann), tmp_path) as newsboat:
        newsboat.shows("harbour")
        newsboat.keys("R")  # reload all
        newsboat.until(lambda: cached(tmp_path) == len(mine), "not all articles came")
        newsboat.shows("(6/6)")
        assert scene.unread(ann) == mine

        newsboat.keys(ENTER)  # the first feed
        newsboat.shows("reports 0")
        newsboat.keys(ENTER)  # its first article, which is read with the next key
        newsboat.shows("Told of")
        newsboat.keys(CONTROL_E)
        newsboat.until(lambda: len(scene.unread(ann)) == len(mine) - 1, "nothing was read")
        (read,) = mine - scene.unread(ann)
        newsboat.shows("Flags")
        newsboat.keys("s" + ENTER)
        newsboat.until(lambda: scene.starred(ann) == {read}, "nothing was starred")
        newsboat.keys("N")  # unread again, and back to the feed
        newsboat.until(lambda: scene.unread(ann) == mine, "it was not made unread")
        newsboat.keys("q")
        newsboat.keys("A")  # the feed read
        newsboat.until(lambda: len(scene.unread(ann)) == len(mine) - 6, "the feed was not read")
        newsboat.keys("q")
    assert len(scene.labels(ann)) == 1  # the star; what was read in bulk teaches nothing
    assert scene.unread(scene.bob) == set(scene.articles(scene.bob))


def test_what_is_read_on_the_pages_is_read_there(scene: Scene, tmp_path: Path, mode: str):
    ann = scene.ann
    reader = scene.app.reader()
    one, *rest = scene.articles(ann)
    reader.mark([one], EventKind.READ, "web")
    with running(configured(tmp_path, mode, scene, ann), tmp_path) as newsboat:
        newsboat.shows("harbour")
        newsboat.keys("R")
        newsboat.until(lambda: cached(tmp_path) == len(rest) + 1, "not all articles came")
        newsboat.until(lambda: cached(tmp_path, unread=True) == len(rest), "it is unread there")


def cached(home: Path, *, unread: bool = False) -> int:
    """How many articles newsboat has kept."""
    try:
        with closing(sqlite3.connect(f"file:{home / 'cache.db'}?mode=ro", uri=True)) as kept:
            which = "WHERE unread = 1" if unread else ""
            return kept.execute(f"SELECT COUNT(*) FROM rss_item {which}").fetchone()[0]
    except sqlite3.OperationalError:
        return -1
