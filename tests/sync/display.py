"""A display that nobody sees, and a program on it that is driven by keys."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

MINUTE = 60.0
NEEDED = ("Xvfb", "xdotool", "dbus-run-session")


@dataclass
class Desktop:
    """One program on a display of its own."""

    home: Path
    name: str  # of its windows, or the beginning of it
    environment: dict[str, str]
    process: subprocess.Popen[bytes]

    def keys(self, *names: str, window: str = "") -> None:
        """Press keys, one after the other, in a window whose name has this in it."""
        self.focus(window or self.name)
        for name in names:
            self._xdotool("key", name)
            time.sleep(0.3)

    def types(self, text: str, window: str) -> None:
        self.focus(window)
        self._xdotool("type", "--delay", "15", text)

    def click(self, x: int, y: int) -> None:
        self._xdotool("mousemove", str(x), str(y), "click", "1")
        time.sleep(0.3)

    def windows(self, name: str) -> list[str]:
        return self._xdotool("search", "--onlyvisible", "--name", name).split()

    def focus(self, name: str) -> None:
        self.until(lambda: bool(self.windows(name)), f"there is no window {name!r}")
        self._xdotool("windowfocus", self.windows(name)[0])

    def picture(self, name: str) -> None:
        """Into the folder NEWSLOOM_SHOTS, where there is one to look at after a run."""
        shoot(name, self.environment)

    def until(self, met: Callable[[], bool], what: str) -> None:
        end = time.monotonic() + MINUTE
        while not met():
            assert self.process.poll() is None, f"{self.name} ended"
            assert time.monotonic() < end, what
            time.sleep(0.2)

    def _xdotool(self, *words: str) -> str:
        return subprocess.run(
            ["xdotool", *words],
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        ).stdout


def shoot(name: str, environment: dict[str, str]) -> None:
    folder = os.environ.get("NEWSLOOM_SHOTS")
    if folder and shutil.which("import"):
        time.sleep(0.5)
        small = ("+dither", "-colors", "32", f"PNG8:{Path(folder) / name}")
        command = ["import", "-window", "root", *small]
        subprocess.run(command, env=environment, check=False)


def need(*programs: str) -> None:
    """Skip the test where one of these, or what a display is made of, is not there."""
    missing = [one for one in (*programs, *NEEDED) if shutil.which(one) is None]
    if missing:
        pytest.skip(f"needs {', '.join(missing)}: apt-get install $(cat .ci/packages)")


@contextmanager
def running(command: list[str], home: Path, name: str, **variables: str) -> Iterator[Desktop]:
    """A program on a display of its own, until the block ends."""
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "XDG_RUNTIME_DIR": str(home),
        "LANG": "C.UTF-8",
        "LIBGL_ALWAYS_SOFTWARE": "1",
        **variables,
    }
    server, environment["DISPLAY"] = display(home)
    with (home / "program.log").open("wb") as log:
        process = subprocess.Popen(
            ["dbus-run-session", "--", *command],
            env=environment,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    try:
        yield Desktop(home, name, environment, process)
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        server.terminate()
        server.wait()


def display(home: Path) -> tuple[subprocess.Popen[bytes], str]:
    """A display that nobody sees; the server finds a free number and says it once it is there."""
    with (home / "xvfb.log").open("wb") as log:
        server = subprocess.Popen(
            ["Xvfb", "-displayfd", "1", "-screen", "0", "1000x640x24"],
            stdout=subprocess.PIPE,
            stderr=log,
        )
    assert server.stdout is not None
    with server.stdout as told:
        number = told.readline().decode().strip()
    assert number, (home / "xvfb.log").read_text()
    return server, f":{number}"
