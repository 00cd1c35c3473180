"""Further processes that serve pages on the port of `newsloom serve`; see `web.processes`."""

from __future__ import annotations

import asyncio
import logging
import os
import queue
import signal
import subprocess
import threading
from contextlib import suppress
from dataclasses import replace

from newsloom.engines.child import Say
from newsloom.engines.children import Child, Said, Task
from newsloom.engines.port import Job
from newsloom.kernel.settings import Settings
from newsloom.web.reach import resolved
from newsloom.web.server import PATIENCE_SECONDS, bind

log = logging.getLogger(__name__)

# Seconds between two looks whether one ended, which is then replaced; and for one to end before it
# is killed.
LOOK_SECONDS = 1.0
END_SECONDS = PATIENCE_SECONDS + 5.0


async def keep_running(count: int, settings: Settings, stopping: asyncio.Event) -> None:
    """Run so many processes until `stopping`, and replace any that ends before."""
    await asyncio.gather(*(_keep_one(settings, stopping) for _ in range(count)))


async def _keep_one(settings: Settings, stopping: asyncio.Event) -> None:
    heard = queue.Queue[tuple[Child, Said]]()
    child = Child(Task("pages", settings, Job()), heard)
    stopped = asyncio.create_task(stopping.wait())
    while not stopped.done():
        await asyncio.wait({stopped}, timeout=LOOK_SECONDS)
        status = child.process.poll()
        if status is not None and not stopped.done():
            log.warning("A process that serves pages ended (%s); another starts.", status)
            child.stop()
            child = Child(child.task, heard)
    child.stop()
    with suppress(subprocess.TimeoutExpired):
        await asyncio.to_thread(child.process.wait, END_SECONDS)
    child.kill()


def serve(task: Task, over: threading.Event, _say: Say) -> None:
    """What such a process does: serve pages, on a port that others have too, until it is over."""
    from newsloom.cli.serving import serve_until_ended

    def end() -> None:
        over.wait()
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=end, daemon=True).start()
    web = task.settings.web
    bound = bind(resolved(web.host), web.port, shared=True)
    settings = replace(task.settings, web=replace(web, processes=1))
    asyncio.run(serve_until_ended(settings, starter=False, pages_only=True, bound=bound))
