"""One worker as Newsloom sees it: started, asked, killed, and what became of it in words.

Knows no task beyond the name of its module, and nothing of who is asked next: pool does.
"""

from __future__ import annotations

import os
import signal
import socket
import struct
import subprocess
import sys
import time
from contextlib import suppress
from typing import Any

from newsloom.kernel.settings import ReadingSettings
from newsloom.kernel.workers import child
from newsloom.kernel.workers.wire import frame, receive

# A worker counts its processor time itself; on a busy machine that is a fraction of the time that
# passes. After this many times as much it is taken for stuck.
_PATIENCE = 6
_START_SECONDS = 60
# What a worker may know of this process's surroundings: where Python finds things, no secrets.
_SURROUNDINGS = ("PATH", "PYTHONPATH", "LANG", "LC_ALL")


class Process:
    """One process and the connection to it; used by one thread, killed from any."""

    def __init__(self, module: str, settings: ReadingSettings) -> None:
        self._settings = settings
        self._patience = _PATIENCE * settings.seconds
        self._deadline = 0.0
        self._ready = False
        self.ended = False
        self._link, theirs = socket.socketpair()
        known = {key: os.environ[key] for key in _SURROUNDINGS if key in os.environ}
        try:
            self._process = subprocess.Popen(  # noqa: S603 - this Python, with our own words
                [sys.executable, "-P", "-m", child.__name__, module, str(settings.megabytes)],
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                env={**known, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
                start_new_session=True,  # Ctrl-C is for Newsloom, which ends its workers itself
            )
        except BaseException:
            self._link.close()
            raise
        finally:
            theirs.close()

    @property
    def pid(self) -> int:
        return self._process.pid

    def ask(self, question: Any, body: bytes) -> tuple[int, bytes]:
        """What kind of answer it gives, and the answer. Raises what `wire.receive` does."""
        if not self._ready:
            self._within(_START_SECONDS)
            receive(self._link, self._late)
            self._ready = True
            self._within(self._patience)
        self._deadline = time.monotonic() + self._patience
        self._link.sendall(frame([self._settings.seconds, question], body))
        (kind, self.ended), said = receive(self._link, self._late)
        return kind, said

    def _within(self, seconds: float) -> None:
        """From now on, by the kernel: a timeout of Python's costs two more calls of it a time."""
        span = struct.pack("@ll", int(seconds), int(seconds % 1 * 1e6))
        self._link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, span)
        self._link.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, span)
        self._deadline = time.monotonic() + seconds

    def _late(self) -> bool:
        """Bytes that come one by one must not take longer than all of them."""
        return time.monotonic() > self._deadline

    def kill(self) -> None:
        """At once."""
        self.ended = True
        self._process.kill()

    def end(self) -> None:
        """Leave no zombie. One that answered its last question ends by itself, if it is honest."""
        self._link.close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=1)
            return
        self._process.kill()
        self._process.wait()

    def death(self, error: BaseException) -> str:
        """Of what it died after that error, in words; if it still lives, of being killed here."""
        late = isinstance(error, TimeoutError | BlockingIOError)
        if not late:
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(timeout=1)
        self.kill()
        code = self._process.wait()
        if not self._ready:
            return "The parser process could not be started."
        if code == -signal.SIGPROF:
            return f"Parsing took more than {self._settings.seconds:g} seconds."
        if late:
            return f"Parsing took more than {self._patience:g} seconds."
        if code == child.NO_MEMORY:
            return f"Parsing exceeded {self._settings.megabytes} MB of memory."
        if code < 0 and code != -signal.SIGKILL:
            return f"Parsing crashed the process ({signal.Signals(-code).name})."
        return "Parsing crashed the process."
