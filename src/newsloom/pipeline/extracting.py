"""The article in a page that was fetched: found by a worker, which may be killed for it."""

from __future__ import annotations

from dataclasses import dataclass

from newsloom.types import Reply
from newsloom.workers.pool import Workers

TASK = "full text"  # of newsloom.workers.tasks


@dataclass(frozen=True, slots=True)
class Extracting:
    """Implements what FullTexts extracts with."""

    workers: Workers

    async def __call__(self, reply: Reply, title: str) -> str:
        """HTML. Raises ParseError when there is none, WorkerDied when it could not be told."""
        asked = [reply.url, reply.header("content-type"), title]
        return await self.workers.call(TASK, asked, reply.body, bytes.decode)
