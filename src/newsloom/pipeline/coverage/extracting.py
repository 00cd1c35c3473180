"""What a page says, found by a worker, which may be killed for it."""

from __future__ import annotations

from dataclasses import dataclass

from newsloom.types import PageFacts, Reply
from newsloom.workers import coverage_page
from newsloom.workers.pool import Workers


@dataclass(frozen=True, slots=True)
class ExtractingPages:
    """Implements pages.Extract."""

    workers: Workers

    async def __call__(self, reply: Reply, title: str) -> PageFacts:
        """Raises WorkerDied when it could not be told."""
        asked = coverage_page.question(reply.url, reply.header("content-type"), title)
        return await self.workers.call(
            coverage_page.TASK, asked, reply.body, coverage_page.understood
        )
