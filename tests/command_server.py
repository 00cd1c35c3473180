"""A process that has imported Newsloom and forks once for each command: see commands.py."""

from __future__ import annotations

import gc
import importlib
import json
import os
import signal
import socket
import sys

LARGEST = 1 << 20  # bytes of a request


def _import_everything() -> None:
    import preloaded

    for name in (*preloaded.COMMANDS, *preloaded.APP):
        importlib.import_module(name)
    from newsloom.kernel.text import urls

    urls.source("https://news.example/")  # reads the list of public suffixes, as most commands do


def serve(door: socket.socket) -> None:
    """Run what comes through the door, each command in two processes: itself, and its parent, which
    says what its number is, and then how it ended."""
    _import_everything()
    gc.collect()
    gc.freeze()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while True:
        message, files, _flags, _address = socket.recv_fds(door, LARGEST, 4)
        if not message:
            return
        if os.fork() == 0:
            door.close()
            _watch(json.loads(message), files)
        for one in files:
            os.close(one)


def _watch(request: dict[str, object], files: list[int]) -> None:
    *streams, report = files
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    command = os.fork()
    if command == 0:
        os.close(report)
        _become(request, streams)
    for one in streams:
        os.close(one)
    os.write(report, f"{command}\n".encode())
    _, status = os.waitpid(command, 0)
    os.write(report, f"{os.waitstatus_to_exitcode(status)}\n".encode())
    os._exit(0)


def _become(request: dict[str, object], streams: list[int]) -> None:
    """Be the command until it ends, as `python -m newsloom` does."""
    from newsloom.cli import main

    for number, one in enumerate(streams):
        os.dup2(one, number)
        os.close(one)
    os.environ.clear()
    os.environ.update(request["environment"])  # type: ignore[call-overload]
    os.chdir(str(request["folder"]))
    os.umask(int(str(request["umask"])))
    sys.argv = ["newsloom", *request["arguments"]]  # type: ignore[misc]
    status: object = 0
    try:
        main()
    except SystemExit as leaving:
        status = leaving.code or 0
    except BaseException:  # noqa: BLE001 - as the interpreter does
        sys.excepthook(*sys.exc_info())
        status = 1
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status if isinstance(status, int) else 1)


if __name__ == "__main__":
    with socket.socket(fileno=int(sys.argv[1])) as inner:
        serve(inner)
