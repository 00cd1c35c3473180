"""`newsloom serve` that is stopped, killed and started again at one port; and a relay before it
that loses an answer."""

from __future__ import annotations

import os
import signal
import ssl
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

import loopback
from migrated import store_url


@dataclass
class Served:
    """The command on a store that is there."""

    folder: Path
    port: int
    process: subprocess.Popen[str] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        usual = {name: value for name, value in os.environ.items() if "NEWSLOOM_" not in name}
        environment = {
            "HOME": str(self.folder),
            "NEWSLOOM_STORE_PATH": str(self.folder / "newsloom.db"),
            "NEWSLOOM_STORE_URL": store_url(self.folder / "newsloom.db"),
        }
        self.process = subprocess.Popen(
            [sys.executable, "-m", "newsloom", "serve", "--pages-only", "--port", str(self.port)],
            env=usual | environment,
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert self.process.stdout is not None
        said: list[str] = []
        for line in self.process.stdout:
            said.append(line)
            if "is ready:" in line:
                return
        self.stop()
        raise AssertionError("it ended: " + "".join(said))

    def stop(self, how: int = signal.SIGTERM) -> None:
        if self.process is not None:
            self.process.send_signal(how)
            self.process.communicate(timeout=30)
            self.process = None


# Trusts nobody: the server speaks http alone, and to load who is trusted takes a while.
NO_CERTIFICATES = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


@contextmanager
def losing_relay(server: Served) -> Iterator[tuple[str, threading.Event]]:
    """Its address; and once the event is set, the server is killed when it has answered a mark, and
    that answer is lost."""
    armed = threading.Event()
    there = httpx.Client(verify=NO_CERTIFICATES, timeout=60)

    class Handler(loopback.Handler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self._relay()

        def do_POST(self) -> None:
            self._relay()

        def _relay(self) -> None:
            length = int(self.headers.get("content-length", 0))
            body = self.rfile.read(length)
            if self.path == "/events":  # streams are not relayed here
                self.send_error(503)
                return
            try:
                answer = there.request(
                    self.command,
                    f"{server.url}{self.path}",
                    content=body,
                    headers={
                        name.lower(): value
                        for name, value in self.headers.items()
                        if name.lower() not in {"accept-encoding", "connection"}
                    }
                    | {"accept-encoding": "identity", "connection": "close"},
                )
            except httpx.HTTPError:
                self.close_connection = True
                return
            if armed.is_set() and self.command == "POST" and self.path.endswith("/marks"):
                armed.clear()
                server.stop(signal.SIGKILL)
                self.close_connection = True
                return
            self.send_response(answer.status_code)
            for name, value in answer.headers.multi_items():
                if name.lower() not in {"content-length", "transfer-encoding", "connection"}:
                    self.send_header(name, value)
            self.send_header("connection", "close")
            self.send_header("content-length", str(len(answer.content)))
            self.end_headers()
            self.wfile.write(answer.content)

    with there, loopback.answering(Handler) as port:
        yield f"http://127.0.0.1:{port}", armed
