"""Leases on rows: one process holds a row for a while; the row is free again once the time is over
or the process is gone."""

from __future__ import annotations

import logging
import os
import socket
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import Column, Row, Select, Table, Text, update

from newsloom.kernel.db.columns import Moment
from newsloom.kernel.db.sql import Transactions
from newsloom.kernel.errors import NewsloomError

log = logging.getLogger(__name__)

# What a statement sets so that nobody holds the row.
FREE = {"held_by": "", "held_until": None}


def lease_columns() -> tuple[Column[Any], ...]:
    """The columns of a table whose rows can be held."""
    return Column("held_by", Text, nullable=False, server_default=""), Column("held_until", Moment)


def claim_first(
    database: Transactions,
    table: Table,
    due: Select[Any],
    now: datetime,
    until: datetime,
    **changed: object,
) -> Row[Any] | None:
    """Hold the first free row of `due` until then; the row as it was before, or None.

    Reads before it takes the write lock, because mostly nothing is due. `changed`: other columns
    that change with the claim.
    """
    with database.read() as connection:
        if connection.execute(due.limit(1)).one_or_none() is None:
            return None
    with database.write() as connection:
        for row in connection.execute(due):
            if not row.held_by or not held(row.held_by, row.held_until, now):
                values = {**changed, "held_by": this_process(), "held_until": until}
                connection.execute(update(table).where(table.c.id == row.id).values(values))
                return row
    return None


@contextmanager
def renewing(renew: Callable[[], bool], pause: timedelta, what: str) -> Iterator[threading.Event]:
    """Renews a lease again and again while the block runs; the event is set once it is lost."""
    over, lost = threading.Event(), threading.Event()

    def beat() -> None:
        while not over.wait(pause.total_seconds()):
            try:
                if not renew():
                    lost.set()
                    return
            except NewsloomError as error:
                log.warning("the lease of %s is renewed later: %s", what, error)

    heart = threading.Thread(target=beat, name=f"lease of {what}", daemon=True)
    heart.start()
    try:
        yield lost
    finally:
        over.set()
        heart.join()


def held(owner: str, until: datetime | None, now: datetime) -> bool:
    """Whether a lease still holds: its time is not over, and its process may be alive."""
    return until is not None and until > now and alive(owner)


# A name is "host:pid:start", where host includes the process namespace (two containers may share
# a host name and number their processes alike) and start tells a process from a later one that
# got its number. Anything after a third colon is the holder's own.


def owner_name(host: str, pid: int) -> str:
    """The name of a living process of this machine."""
    return f"{_host(host)}:{pid}:{_start(pid)}"


def this_process() -> str:
    """The name of the process that asks."""
    return owner_name(socket.gethostname(), os.getpid())


def alive(owner: str) -> bool:
    """False only when the owner was a process of this machine that is certainly gone."""
    try:
        host, pid, start = owner.split(":")[:3]
        number = int(pid)
    except ValueError:
        return True
    return host != _host(socket.gethostname()) or _start(number) == start


def _host(name: str) -> str:
    try:
        namespace = str(Path("/proc/self/ns/pid").readlink()).strip("pid:[]")
    except OSError:
        namespace = ""
    return f"{name}/{namespace}".replace(":", "_")


def _start(pid: int) -> str:
    """When a process began, in whatever unit the system tells; empty when there is none."""
    if Path("/proc/self/stat").exists():
        try:
            # The name of the program, in parentheses, may hold anything.
            fields = Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2]
        except OSError:
            return ""
        state, *rest = fields.split()
        return "" if state in {"Z", "X"} else rest[18]
    shown = subprocess.run(  # noqa: S603
        ["/bin/ps", "-o", "lstart=", "-p", str(pid)], capture_output=True, text=True, check=False
    )
    return shown.stdout.strip().replace(":", ".").replace(" ", "_")
