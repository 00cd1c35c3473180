"""Further processes that serve pages on the port of `newsloom serve`, as many as `web.processes`.

Each is this module as a program. Its input begins with the settings and stays open: when it ends,
because `serve` stops or was killed, the process ends too.
"""

from __future__ import annotations

import asyncio
import logging
import os
import pickle
import signal
import sys
import threading
from contextlib import suppress

from newsloom.kernel.settings import Settings
from newsloom.web.reach import resolved
from newsloom.web.server import PATIENCE_SECONDS, bind

log = logging.getLogger(__name__)

# Seconds before a process that ended is replaced, and for one to end before it is killed.
RESTART_SECONDS = 1.0
END_SECONDS = PATIENCE_SECONDS + 5.0


async def keep_running(count: int, settings: Settings, stopping: asyncio.Event) -> None:
    """Run so many processes until `stopping`, and replace any that ends before."""
    await asyncio.gather(*(_keep_one(settings, stopping) for _ in range(count)))


async def _keep_one(settings: Settings, stopping: asyncio.Event) -> None:
    stopped = asyncio.create_task(stopping.wait())
    while not stopped.done():
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-P",
            "-m",
            __name__,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C is for `serve`, which ends the others itself
        )
        assert process.stdin is not None
        process.stdin.write(pickle.dumps(settings))
        ended = asyncio.create_task(process.wait())
        await asyncio.wait({ended, stopped}, return_when=asyncio.FIRST_COMPLETED)
        process.stdin.close()
        if not stopped.done():
            await asyncio.wait({stopped}, timeout=RESTART_SECONDS)
        if not stopped.done():
            log.warning("A process that serves pages ended (%s); another starts.", ended.result())
    with suppress(TimeoutError):
        await asyncio.wait_for(asyncio.shield(ended), END_SECONDS)
    if not ended.done():
        process.kill()
        await ended


def main() -> None:
    """Serve pages, and let other processes have the same port."""
    # Only `keep_running` writes to this pipe, and what it sends is its own settings.
    settings = pickle.load(sys.stdin.buffer)  # noqa: S301
    threading.Thread(target=_end_with_input, daemon=True).start()
    from newsloom.cli.serving import serve_until_ended

    bound = bind(resolved(settings.web.host), settings.web.port, shared=True)
    asyncio.run(serve_until_ended(settings, starter=False, pages_only=True, bound=bound))


def _end_with_input() -> None:
    # By number: a thread in the buffered file would keep the interpreter from ending.
    while os.read(sys.stdin.fileno(), 1024):
        pass
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    main()
