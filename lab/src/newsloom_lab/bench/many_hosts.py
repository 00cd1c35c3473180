"""Serves a folder of feeds from many loopback addresses, as if each stood on a host of its own.

nginx does, where it is installed; else the small server of `loopback`, which has one address.
"""

from __future__ import annotations

import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from newsloom_lab.bench import loopback

# One process, which the bench ends; what goes beyond loopback is answered 403.
_CONF = """
daemon off; master_process off; pid {place}/pid; error_log {place}/errors.log;
worker_rlimit_nofile 8192;
events {{ worker_connections 4096; }}
http {{
  log_format seconds $msec; access_log {place}/requests.log seconds;
  types {{ application/rss+xml xml; }}
  client_body_temp_path {place}; proxy_temp_path {place}; fastcgi_temp_path {place};
  uwsgi_temp_path {place}; scgi_temp_path {place};
  server {{
    listen {port} backlog=4096; allow 127.0.0.0/8; deny all; root {folder};
  }}
}}
"""
_HOSTS_A_NET = 250
_START_SECONDS = 10


@dataclass(frozen=True, slots=True)
class Served:
    server: str
    urls: tuple[str, ...]
    log: Path | None  # the second of each request, a line each


@contextmanager
def serving(folder: Path, path: Path, feeds: int) -> Iterator[Served]:
    """The feeds' addresses while the server runs; `place` is an empty folder for its own files."""
    nginx = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin")
    if nginx is None or not _answers("127.0.7.7"):
        with loopback.serving(folder) as urls:
            yield Served("own server, one host (nginx is not installed)", urls, None)
        return
    port = _free_port()
    conf = path / "nginx.conf"
    conf.write_text(_CONF.format(place=path, port=port, folder=folder))
    hosts = tuple(f"127.0.{1 + at // _HOSTS_A_NET}.{1 + at % _HOSTS_A_NET}" for at in range(feeds))
    command = [nginx, "-c", str(conf), "-p", str(path)]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as one:  # noqa: S603 - found above
        try:
            _wait(port)
            urls = tuple(f"http://{host}:{port}/{at}.xml" for at, host in enumerate(hosts))
            yield Served(f"nginx, {feeds:,} hosts", urls, path / "requests.log")
        finally:
            one.terminate()


def _answers(address: str) -> bool:
    """Whether this machine has all of 127.0.0.0/8, as Linux does."""
    with socket.socket() as probe:
        try:
            probe.bind((address, 0))
        except OSError:
            return False
    return True


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _wait(port: int) -> None:
    ends = time.monotonic() + _START_SECONDS
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            if time.monotonic() > ends:
                raise
            time.sleep(0.05)
        else:
            return
