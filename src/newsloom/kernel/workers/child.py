"""A worker: `python -m newsloom.kernel.workers.child MODULE MEGABYTES`, its other end on standard
input.

Loads its task, gives up files, connections, children and most memory, then answers one question
after the other until nobody asks. A task whose library reads its own data late may open a few
files, to read them: `FILES` of its module.
Each has its processor time; who takes longer is ended by the
kernel, and the other end sees that.
"""

from __future__ import annotations

import codecs
import encodings.aliases
import gc
import importlib.machinery
import os
import resource
import signal
import socket
import sys
from pathlib import Path
from typing import Any

from newsloom.kernel.errors import ParseError
from newsloom.kernel.text.decoding import CODECS
from newsloom.kernel.workers.tasks import Answer, files_of, ready
from newsloom.kernel.workers.wire import Broken, frame, receive

# What an answer is: done, refused in words for a person, or our own fault.
DONE, REFUSED, TOO_LARGE, FAILED = range(4)
# How it ends when it cannot even say so; no status that Python or a shell gives.
NO_MEMORY = 71
# A worker that still holds this much more than at its start is replaced: memory that was cut up
# by one large document is seldom given back.
_SWOLLEN_MEGABYTES = 150
# And every so often in any case, for what leaks slowly.
_MOST_ANSWERS = 5_000
_MEGABYTE = 1_000_000


def main(module: str, megabytes: int) -> None:
    link = socket.socket(fileno=os.dup(0))
    gc.disable()  # what is loaded stays
    _know_every_encoding()
    answer = ready(module)
    gc.freeze()
    gc.enable()
    memory = _opened_statm()
    _give_up(megabytes, files_of(module))
    # A module that is not there yet is none, as for a library that asks for one it can do without.
    # Looking for it would open folders, which fails as nobody expects of an import.
    sys.meta_path[:] = [importlib.machinery.BuiltinImporter, importlib.machinery.FrozenImporter]
    link.sendall(frame("ready"))
    try:
        _serve(link, answer, memory)
    except MemoryError:  # the question or the answer alone was too much
        os._exit(NO_MEMORY)


def _serve(link: socket.socket, answer: Answer, memory: int | None) -> None:
    swollen = _held(memory) + _SWOLLEN_MEGABYTES * _MEGABYTE
    for left in range(_MOST_ANSWERS - 1, -1, -1):
        try:
            (seconds, question), body = receive(link)
        except (Broken, OSError):
            return
        signal.setitimer(signal.ITIMER_PROF, seconds)
        kind, said = answered(answer, question, body)
        signal.setitimer(signal.ITIMER_PROF, 0)
        last = left == 0 or kind == TOO_LARGE or _held(memory) > swollen
        link.sendall(frame([kind, last], said))
        if last:
            return


def answered(answer: Answer, question: Any, body: bytes) -> tuple[int, bytes]:
    """What kind of answer it is, and the answer."""
    try:
        return DONE, answer(question, body)
    except ParseError as error:
        words, kind = str(error), REFUSED
    except MemoryError:
        words, kind = "", TOO_LARGE
    except Exception as error:  # noqa: BLE001 - one bad document must not end the others
        words, kind = f"{type(error).__name__}: {error}"[:500], FAILED
    return kind, words.encode("utf-8", "replace")


def _know_every_encoding() -> None:
    """Codecs are files, which cannot be opened later. Some have no alias: those of `CODECS` and of
    names of hosts."""
    for name in sorted({*encodings.aliases.aliases.values(), *CODECS, "idna", "punycode"}):
        try:
            codecs.lookup(name)
        except LookupError:  # of another system
            continue


def _give_up(megabytes: int, files: int) -> None:
    """Everything but reading what comes in and answering it."""
    memory = _reserved() + megabytes * _MEGABYTE  # asked of a file, while one can be opened
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nothing, stream)
    os.close(nothing)
    _lower(resource.RLIMIT_NOFILE, files)
    for limit in (resource.RLIMIT_FSIZE, resource.RLIMIT_CORE):
        _lower(limit, 0)
    _lower(resource.RLIMIT_NPROC, 0)
    _lower(resource.RLIMIT_AS, memory)


def _lower(limit: int, to: int) -> None:
    try:
        resource.setrlimit(limit, (to, to))
    except (OSError, ValueError):  # a system that does not have it; the other end still counts time
        return


def _reserved() -> int:
    """The address space in use already, most of it never touched."""
    try:
        return _pages(Path("/proc/self/statm").read_bytes(), 0)
    except OSError:
        return 0


def _opened_statm() -> int | None:
    """Where the kernel tells how much is held, while files can be opened."""
    try:
        return os.open("/proc/self/statm", os.O_RDONLY)
    except OSError:  # no such place; workers are replaced by their count alone
        return None


def _held(statm: int | None) -> int:
    """Memory in use now. Not getrusage's, which begins with that of whoever started this."""
    return 0 if statm is None else _pages(os.pread(statm, 200, 0), 1)


def _pages(statm: bytes, column: int) -> int:
    return int(statm.split()[column]) * resource.getpagesize()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
