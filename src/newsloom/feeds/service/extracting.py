"""What a page that was fetched says: found by a worker, which may be killed for it."""

from __future__ import annotations

from dataclasses import dataclass

from newsloom.feeds.values.pages import PageFacts
from newsloom.feeds.workers import page
from newsloom.kernel.http.values import Reply
from newsloom.kernel.workers.pool import Workers


@dataclass(frozen=True, slots=True)
class ExtractPage:
    """Implements page_reading.Extract."""

    workers: Workers

    async def __call__(self, reply: Reply, title: str) -> PageFacts:
        """Raises WorkerDied when it could not be found out."""
        rows = page.question(reply.url, reply.header("content-type"), title)
        return await self.workers.call(page.TASK, rows, reply.body, page.understood)
