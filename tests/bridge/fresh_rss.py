"""A real FreshRSS on loopback, from a copy of its source that the environment names. Installs it in
a folder of its own, with PHP's own server; the copy itself is left as it is.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

SOURCE = "FRESHRSS_SOURCE"
USER, API_PASSWORD = "ann", "api-password-1"

_OPML = """<opml version="2.0"><body><outline text="News" title="News">
<outline type="rss" text="Paper" title="Paper" xmlUrl="{feed}"/></outline></body></opml>"""


def missing() -> str:
    """Why none can be run here; empty: one can."""
    if not os.environ.get(SOURCE):
        return f"{SOURCE} names no copy of FreshRSS"
    return "" if shutil.which("php") else "there is no php"


@dataclass
class FreshRss:
    """One that runs. `tag` does what a reader does in any of its apps."""

    folder: Path
    base: str

    @property
    def url(self) -> str:
        return f"{self.base}/api/greader.php"

    def php(self, script: str, *words: str) -> None:
        command = ["php", f"cli/{script}.php", *words]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr

    def follow(self, feed: str) -> None:
        opml = self.folder / "feeds.opml"
        opml.write_text(_OPML.format(feed=feed), encoding="utf-8")
        self.php("import-for-user", "--user", USER, "--filename", str(opml))
        self.refresh()

    def refresh(self) -> None:
        self.php("actualize-user", "--user", USER)

    def get(self, path: str, **query: str) -> bytes:
        return self._said("GET", f"reader/api/0/{path}", params={"output": "json", **query})

    def tag(self, keys: list[str], **change: str) -> None:
        """`a` puts a tag on, `r` takes it off."""
        token = self.get("token").decode().strip()
        form = {"T": token, "i": keys, **change}
        assert self._said("POST", "reader/api/0/edit-tag", data=form) == b"OK"

    def _said(self, method: str, path: str, **more: Any) -> bytes:
        form = {"Email": USER, "Passwd": API_PASSWORD}
        login = httpx.post(f"{self.url}/accounts/ClientLogin", data=form)
        token = dict(line.split("=", 1) for line in login.text.splitlines())["Auth"]
        headers = {"Authorization": f"GoogleLogin auth={token}"}
        answer = httpx.request(method, f"{self.url}/{path}", headers=headers, **more)
        return answer.raise_for_status().content


@contextmanager
def fresh_rss(path: Path) -> Iterator[FreshRss]:
    """Installed and running until the block ends."""
    folder = path / "freshrss"
    shutil.copytree(os.environ[SOURCE], folder, ignore=shutil.ignore_patterns(".git"))
    # Else each new user follows the project's own news, which is not to be asked for.
    (folder / "opml.default.xml").write_text('<opml version="2.0"><body/></opml>')
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    made = FreshRss(folder, f"http://127.0.0.1:{port}")
    made.php("prepare")
    made.php(
        "do-install", "--default-user", USER, "--base-url", made.base, "--api-enabled",
        "--db-type", "sqlite", "--environment", "production", "--language", "en",
    )  # fmt: skip
    made.php(
        "create-user", "--user", USER, "--password", "web-password-1",
        "--api-password", API_PASSWORD,
    )  # fmt: skip
    command = ["php", "-S", f"127.0.0.1:{port}", "-t", "p"]
    quiet = subprocess.DEVNULL
    server = subprocess.Popen(command, cwd=folder, stdout=quiet, stderr=quiet)
    try:
        for _try in range(100):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        yield made
    finally:
        server.terminate()
        server.wait()
