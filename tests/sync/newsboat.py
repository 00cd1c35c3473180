"""Debian's newsboat, unmodified, in a terminal; what it has is looked up in its cache."""

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
from typing import Any

from . import display
from .scene import Person, Scene

MINUTE = 60.0
# How a terminal is told to do what is no letter.
ENTER, CONTROL_E = "\r", "\x05"


def version() -> tuple[int, ...]:
    text = subprocess.run(["newsboat", "-v"], capture_output=True, text=True, check=False).stdout
    found = re.search(r"newsboat r?(\d+)\.(\d+)", text)
    return tuple(map(int, found.groups())) if found else (0, 0)


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
        "auto-reload no",
        "confirm-exit no",
        "show-read-feeds yes",
    ]
    if mode != "miniflux":  # whose mode in 2.21 has no stars
        lines += [f'{mode}-flag-star "s"', f"{mode}-min-items 100"]
    if mode == "feedhq":
        lines.append("feedhq-show-special-feeds no")
    # With several, newsboat 2.21 finds its own cache locked now and then.
    lines.append("reload-threads 1")
    (home / "config").write_text("\n".join(lines) + "\n")
    (home / "urls").touch()
    places = ("-C", home / "config", "-c", home / "cache.db", "-u", home / "urls")
    return ["newsboat", *map(str, places)]


def reload(command: list[str], home: Path) -> str:
    """Start it, fetch, and end: the only way it learns of other feeds. What it said."""
    found = subprocess.run(
        [*command, "-x", "reload"],
        capture_output=True,
        text=True,
        timeout=MINUTE,
        env={"PATH": os.environ["PATH"], "HOME": str(home), "TERM": "xterm"},
        check=False,
    )
    return found.stdout + found.stderr


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


def _rows(home: Path, question: str) -> list[tuple[Any, ...]]:
    """Of newsboat's cache, read without a lock: newsboat gives up a feed where it is locked."""
    place = f"file:{home / 'cache.db'}?immutable=1"
    with closing(sqlite3.connect(place, uri=True)) as kept:
        return kept.execute(question).fetchall()


def cached(home: Path, *, unread: bool = False) -> int:
    """How many articles newsboat has kept; -1 while it has no cache, or is writing it."""
    try:
        which = "WHERE unread = 1" if unread else ""
        return _rows(home, f"SELECT COUNT(*) FROM rss_item {which}")[0][0]
    except sqlite3.DatabaseError:
        return -1


def picture(command: list[str], home: Path, name: str) -> None:
    """newsboat in an xterm on a display, where pictures are wanted and an xterm is."""
    if not os.environ.get("NEWSLOOM_SHOTS") or shutil.which("xterm") is None:
        return
    shown = ["xterm", "-T", "newsboat", "-fa", "Monospace", "-fs", "11", "-geometry", "108x34+0+0"]
    home.mkdir()
    with display.running([*shown, "-e", *command], home, "newsboat") as desktop:
        desktop.keys("R", "Return")
        desktop.picture(name)


def unread_ids(home: Path, base: int = 16) -> set[int]:
    """The numbers of what newsboat has as unread; with base 10, entry ids of the Miniflux API."""
    found = _rows(home, "SELECT guid FROM rss_item WHERE unread = 1 AND deleted = 0")
    return {int(guid.rpartition("/")[2], base) for (guid,) in found}
