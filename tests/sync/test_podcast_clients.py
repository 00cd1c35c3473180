"""Debian's podboat and gPodder, unmodified: they subscribe to a podcast and fetch its episode."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import select
import shutil
import struct
import subprocess
import termios
import time
from pathlib import Path

import httpx
import pytest

from cli.briefed import run, settings, world_of_today
from cli.serving import served

pytestmark = pytest.mark.sync


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with a brief that can be heard."""
    made = world_of_today(tmp_path_factory.mktemp("podcast"))
    run(made, "--minutes", "1")
    return made


def status(url: str) -> int:
    return httpx.get(url, timeout=60).status_code


def environment(path: Path) -> dict[str, str]:
    return {name: value for name, value in settings(path).items() if name.startswith("NEWSLOOM_")}


def address(path: Path, base: str) -> str:
    """A new one: the one before leads nowhere from now on."""
    made = json.loads(run(path, "POST", "/briefs/podcasts/en", name="api"))
    token = made["url"].split("/podcasts/")[1]
    return f"{base.rstrip('/')}/podcasts/{token}"


def sound(path: Path) -> bytes:
    (file,) = (path.parent / "briefs").glob("*.mp3")
    return file.read_bytes()


@pytest.mark.skipif(shutil.which("gpo") is None, reason="gPodder is not installed")
def test_gpodder_subscribes_and_fetches_it(path: Path, tmp_path: Path) -> None:
    home = {
        "HOME": str(tmp_path),
        "GPODDER_HOME": str(tmp_path / "gpodder"),
        "PATH": os.environ["PATH"],
    }
    with served(path, "--pages-only", **environment(path)) as base:
        url = address(path, base)

        def gpo(*words: str) -> str:
            done = subprocess.run(
                ["gpo", *words], env=home, capture_output=True, text=True, check=False, timeout=120
            )
            return done.stdout + done.stderr

        gpo("subscribe", url)
        assert "Newsloom brief (en)" in gpo("list")
        text = gpo("download")
        fetched = list((tmp_path / "gpodder").rglob("*.mp3"))
        assert len(fetched) == 1, text
        assert fetched[0].read_bytes() == sound(path)
        new = address(path, base)
        assert status(url) == 404
        assert status(new) == 200


@pytest.mark.skipif(shutil.which("podboat") is None, reason="podboat is not installed")
def test_newsboat_lists_it_and_podboat_fetches_it(path: Path, tmp_path: Path) -> None:
    home = {"HOME": str(tmp_path), "PATH": os.environ["PATH"], "TERM": "xterm"}
    folder = tmp_path / ".newsboat"
    folder.mkdir()
    with served(path, "--pages-only", **environment(path)) as base:
        url = address(path, base)
        (folder / "urls").write_text(f"{url}\n")
        (folder / "config").write_text(
            f'download-path "{tmp_path}/fetched"\npodcast-auto-enqueue yes\n'
        )
        done = subprocess.run(
            ["newsboat", "-x", "reload"], env=home, capture_output=True, text=True, check=False,
            timeout=120,
        )  # fmt: skip
        queue = folder / "queue"
        assert queue.exists(), done
        assert f"{base.rstrip('/')}/podcasts/" in queue.read_text()
        _podboat(home, tmp_path / "fetched", len(sound(path)))
        (fetched,) = (tmp_path / "fetched").rglob("*.mp3")
        assert fetched.read_bytes() == sound(path)
        run(path, "DELETE", "/briefs/podcasts/en", name="api")
        assert status(url) == 404


def _podboat(home: dict[str, str], folder: Path, size: int) -> None:
    """Fetches what is in its queue; it wants a terminal."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
    process = subprocess.Popen(
        ["podboat", "-a"], env=home, stdin=slave, stdout=slave, stderr=slave, start_new_session=True
    )
    os.close(slave)
    try:
        ends = time.monotonic() + 60
        while sum(one.stat().st_size for one in folder.rglob("*.mp3")) < size:
            assert time.monotonic() < ends, process.poll()
            while select.select([master], [], [], 0.05)[0]:
                os.read(master, 65_536)
    finally:
        process.kill()
        process.wait()
        os.close(master)
