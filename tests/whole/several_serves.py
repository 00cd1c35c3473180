"""Several `newsloom serve` processes on one PostgreSQL, behind a proxy that takes them in turn."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import httpx

SOON = 60.0


@dataclass
class Serve:
    """One process, on a port that stays its own."""

    folder: Path
    url: str
    port: int
    process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        environment = {
            **{one: value for one, value in os.environ.items() if "NEWSLOOM" not in one},
            "NEWSLOOM_STORE_URL": self.url,
            "NEWSLOOM_STORE_PATH": str(self.folder / "news.db"),
            "NEWSLOOM_PAGES_ICONS": "false",
            "NEWSLOOM_READING_WORKERS": "0",
            "HOME": str(self.folder),
        }
        log = (self.folder / f"serve-{self.port}.log").open("ab")
        self.process = subprocess.Popen(
            [sys.executable, "-m", "newsloom", "serve", "--port", str(self.port)],
            env=environment,
            cwd=self.folder,
            stdout=log,
            stderr=log,
        )
        log.close()

    def ready(self) -> None:
        # One client: each reads all certificates of the world.
        with httpx.Client(base_url=self.address) as client:
            until(lambda: client.get("/health/ready").status_code == 200)

    def kill(self) -> None:
        assert self.process is not None
        self.process.kill()
        self.process.wait()

    def stop(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            try:
                self.process.wait(30)
            except subprocess.TimeoutExpired:
                self.kill()


def until(true: object, seconds: float = SOON) -> float:
    """Wait until something holds; how long that took."""
    began = time.monotonic()
    while time.monotonic() - began < seconds:
        with suppress(httpx.HTTPError):
            if true():  # type: ignore[operator]
                return time.monotonic() - began
        time.sleep(0.05)
    raise AssertionError(f"not within {seconds} s")


@dataclass
class Balancer:
    """A proxy of TCP connections: each goes to the next server that takes it."""

    ports: list[int]
    listening: socket.socket = field(default_factory=lambda: socket.create_server(("127.0.0.1", 0)))
    turn: int = 0
    open: list[socket.socket] = field(default_factory=list)
    threads: list[threading.Thread] = field(default_factory=list)

    def __post_init__(self) -> None:
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.listening.getsockname()[1]}"

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                browser, _ = self.listening.accept()
                server = self._next()
                if server is None:
                    browser.close()
                    continue
                self.open += (browser, server)
                for one, other in ((browser, server), (server, browser)):
                    passing = threading.Thread(target=_pass_on, args=(one, other), daemon=True)
                    self.threads.append(passing)
                    passing.start()

    def close(self) -> None:
        for one in (self.listening, *self.open):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
        for passing in self.threads:
            passing.join(5)
        for one in (self.listening, *self.open):
            one.close()

    def _next(self) -> socket.socket | None:
        for _ in self.ports:
            self.turn += 1
            port = self.ports[self.turn % len(self.ports)]
            with suppress(OSError):
                return socket.create_connection(("127.0.0.1", port), timeout=5)
        return None


def _pass_on(one: socket.socket, other: socket.socket) -> None:
    with suppress(OSError):
        while part := one.recv(65_536):
            other.sendall(part)
    for end in (one, other):
        with suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)


@contextmanager
def serving(folder: Path, url: str, count: int) -> Iterator[tuple[list[Serve], Balancer]]:
    """So many processes and their balancer, all ready."""
    taken = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [one.getsockname()[1] for one in taken]
    for one in taken:
        one.close()
    serves = [Serve(folder, url, port) for port in ports]
    balancer = Balancer(ports)
    try:
        for one in serves:
            one.start()
        for one in serves:
            one.ready()
        yield serves, balancer
    finally:
        balancer.close()
        for one in serves:
            one.stop()
