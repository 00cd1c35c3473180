"""Debian's Liferea, unmodified, on a display that nobody sees: it logs in, lists, reads, stars,
marks all, and after each the store is as it should be.

Run where `liferea`, `Xvfb`, `xdotool` and `dbus-run-session` are; elsewhere it is skipped.
"""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from .scene import Scene

pytestmark = pytest.mark.sync

NEEDED = ("liferea", "Xvfb", "xdotool", "dbus-run-session")
MINUTE = 60.0

FEEDLIST = """<?xml version="1.0"?>
<opml version="1.0"><head><title>Liferea Feed List Export</title></head><body>
<outline title="Newsloom" text="Newsloom" description="Newsloom" type="source" id="newslom"
 sortColumn="time" sourceType="fl_google_reader" xmlUrl="{url}" username="{name}"
 password="{secret}" expanded="true" collapseState="0"/>
</body></opml>
"""


@dataclass
class Desktop:
    """Liferea on a display."""

    home: Path
    environment: dict[str, str]
    process: subprocess.Popen[bytes]

    def keys(self, *names: str) -> None:
        found = subprocess.run(
            ["xdotool", "search", "--onlyvisible", "--class", "liferea"],
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        ).stdout.split()
        if found:
            asked = ["xdotool", "windowfocus", found[0]]
            subprocess.run(asked, env=self.environment, check=False)
        for name in names:
            subprocess.run(["xdotool", "key", name], env=self.environment, check=False)
            time.sleep(0.3)

    def picture(self, name: str) -> None:
        """Into the folder NEWSLOOM_SHOTS, where there is one to look at after a run."""
        folder = os.environ.get("NEWSLOOM_SHOTS")
        if folder and shutil.which("import"):
            command = ["import", "-window", "root", str(Path(folder) / name)]
            subprocess.run(command, env=self.environment, check=False)

    def until(self, met: Callable[[], bool], what: str) -> None:
        end = time.monotonic() + MINUTE
        while not met():
            assert self.process.poll() is None, "Liferea ended"
            assert time.monotonic() < end, what
            time.sleep(0.2)

    def kept(self, where: str = "1") -> int:
        """How many articles it has."""
        place = self.home / ".local/share/liferea/liferea.db"
        try:
            with closing(sqlite3.connect(f"file:{place}?mode=ro", uri=True)) as found:
                return found.execute(f"SELECT COUNT(*) FROM items WHERE {where}").fetchone()[0]
        except sqlite3.OperationalError:
            return -1


@pytest.fixture
def desktop(scene: Scene, tmp_path: Path) -> Iterator[Desktop]:
    missing = [one for one in NEEDED if shutil.which(one) is None]
    if missing:
        pytest.skip(f"needs {', '.join(missing)}")
    config = tmp_path / ".config/liferea"
    config.mkdir(parents=True)
    ann = scene.ann
    (config / "feedlist.opml").write_text(
        FEEDLIST.format(url=scene.url, name=ann.name, secret=ann.secret)
    )
    kept = tmp_path / ".config/glib-2.0/settings"
    kept.mkdir(parents=True)
    (kept / "keyfile").write_text("[org/gnome/liferea]\nconfirm-mark-all-read=false\n")
    ours = {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path),
        "XDG_RUNTIME_DIR": str(tmp_path),
        "LANG": "C.UTF-8",
        "GSETTINGS_BACKEND": "keyfile",
        "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1",
        "NO_AT_BRIDGE": "1",
        "LIBGL_ALWAYS_SOFTWARE": "1",
    }
    server, ours["DISPLAY"] = display(tmp_path)
    with (tmp_path / "liferea.log").open("wb") as log:
        process = subprocess.Popen(
            ["dbus-run-session", "--", "liferea", "--debug-update", "--disable-plugins"],
            env=ours,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    try:
        yield Desktop(tmp_path, ours, process)
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        server.terminate()
        server.wait()


def display(home: Path) -> tuple[subprocess.Popen[bytes], str]:
    """A display that nobody sees: the first number that is free."""
    for number in range(90, 120):
        with (home / "xvfb.log").open("wb") as log:
            server = subprocess.Popen(
                ["Xvfb", f":{number}", "-screen", "0", "1200x800x24"], stdout=log, stderr=log
            )
        environment = {"PATH": os.environ["PATH"], "DISPLAY": f":{number}"}
        while server.poll() is None:
            asked = subprocess.run(
                ["xdotool", "getdisplaygeometry"],
                env=environment,
                capture_output=True,
                check=False,
            )
            if asked.returncode == 0:
                return server, f":{number}"
            time.sleep(0.1)
    raise AssertionError((home / "xvfb.log").read_text())


def test_log_in_list_read_star_mark_all(scene: Scene, desktop: Desktop):
    ann, mine = scene.ann, set(scene.articles(scene.ann))
    desktop.until(lambda: desktop.kept() == len(mine), "not all articles came")
    assert desktop.kept("read = 0") == len(mine)
    assert scene.unread(ann) == mine
    desktop.keys("ctrl+n")  # the next unread article
    desktop.until(lambda: len(scene.unread(ann)) == len(mine) - 1, "nothing was read")
    (read,) = mine - scene.unread(ann)
    desktop.keys("ctrl+t")  # flagged
    desktop.until(lambda: scene.starred(ann) == {read}, "nothing was starred")
    desktop.picture("liferea.png")
    desktop.keys("ctrl+m")  # unread again
    desktop.until(lambda: scene.unread(ann) == mine, "it was not made unread")
    desktop.keys("ctrl+r")  # the feed read
    desktop.until(lambda: len(scene.unread(ann)) == len(mine) - 6, "the feed was not read")
    assert len(scene.labels(ann)) == 1
