"""Signing originals, here or in processes beside this one. Reads and stores nothing.

Imports nothing of the pipeline or the store: a process that signs comes up in a third of the time.
"""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Sequence
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess

from newsloom.duplicates.layers import TEXT
from newsloom.duplicates.packed import pack
from newsloom.duplicates.signature import Signature
from newsloom.duplicates.signing import sign
from newsloom.duplicates.values import Signed, Unsigned


def signed(articles: Sequence[Unsigned]) -> list[Signed]:
    """Their signatures, as they are kept."""
    return [
        Signed(article.id, article.digest, signature.agency, keys_of(signature), pack(signature))
        for article, signature in zip(articles, sign(articles), strict=True)
    ]


def keys_of(signature: Signature) -> tuple[int, ...]:
    """The keys of all layers."""
    return tuple({key for layer in TEXT for key in layer.keys(signature)})


class SigningPool:
    """Processes that sign, each on a pipe of its own: it ends when ours does, killed or not.

    Threads would wait for one another at every row: the driver gives the interpreter away and asks
    for it back with each, and signing holds it most of the time.
    """

    def __init__(self, count: int) -> None:
        start = multiprocessing.get_context("spawn")
        self._running: list[tuple[BaseProcess, Connection]] = []
        self._at_work: list[Connection] = []
        self._waiting = 0  # for so many to come up
        for _ in range(count):
            ours, theirs = start.Pipe()
            process = start.Process(target=_work, args=(theirs,), name="signer", daemon=True)
            process.start()
            theirs.close()
            self._running.append((process, ours))
            self._waiting += 1

    def ready(self) -> bool:
        """Whether all have come up, which takes a second or so."""
        coming = self._running[: self._waiting]
        while coming and coming[-1][1].poll():
            coming.pop()[1].recv()
            self._waiting -= 1
        return self._waiting == 0

    def begin(self, articles: Sequence[Unsigned]) -> None:
        """Hand them out; `finish` has the result. Once at a time."""
        share = -(-len(articles) // len(self._running))
        for number, (_, pipe) in enumerate(self._running):
            some = articles[number * share : (number + 1) * share]
            if some:
                pipe.send(some)
                self._at_work.append(pipe)

    def finish(self) -> list[Signed]:
        """What was begun, in that order. OSError or EOFError when a process has died."""
        found = [one for pipe in self._at_work for one in pipe.recv()]
        self._at_work.clear()
        return found

    def close(self) -> None:
        for process, pipe in self._running:
            pipe.close()
            process.terminate()
        for process, _ in self._running:
            process.join()
        self._running.clear()


def _work(pipe: Connection) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that asked hears it, and closes
    try:
        pipe.send("ready")
        while True:
            pipe.send(signed(pipe.recv()))
    except (EOFError, OSError):
        return
