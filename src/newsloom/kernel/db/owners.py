"""Names for processes that hold leases, and whether such a process still lives. No database.

A name is "host:pid:start", where host includes the process namespace (two containers may share a
host name and number their processes alike) and start tells a process from a later one that got its
number. Anything after a third colon is the holder's own.
"""

from __future__ import annotations

import os
import socket
import subprocess
from pathlib import Path


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
