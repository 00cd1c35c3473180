"""What leads to feeds, read by workers: a document that may be one, a page, a list.

For people who wait for an answer: what cannot be read is said to them, not kept.
"""

from __future__ import annotations

from dataclasses import dataclass

from newsloom.feeds.parse.opml import Outline
from newsloom.feeds.service.reply import Reading
from newsloom.feeds.values.polling import DueFeed
from newsloom.feeds.values.published import ParsedFeed
from newsloom.feeds.workers import outlines
from newsloom.feeds.workers import page_links as pages
from newsloom.kernel.errors import UserError
from newsloom.kernel.http.values import Reply
from newsloom.kernel.ids import FeedId
from newsloom.kernel.workers.pool import WorkerDied, Workers


@dataclass(frozen=True, slots=True)
class Finding:
    """What reads documents of strangers."""

    reading: Reading
    workers: Workers

    async def feed(self, reply: Reply) -> ParsedFeed | None:
        """The feed in a reply that nobody subscribes to yet; None when it holds none.

        Raises UserError when it could not be told.
        """
        polled = await self.reading.read(DueFeed(FeedId(0), reply.url, ""), reply)
        if polled.failed:
            raise UserError(f"{reply.url} could not be read: {polled.problem}")
        return polled.feed

    async def page(self, reply: Reply) -> pages.PageLinks:
        """Where the feeds of a page are. Raises UserError when it could not be told."""
        question = pages.question(reply)
        try:
            return await self.workers.call(pages.TASK, question, reply.body, pages.understood)
        except WorkerDied as error:
            raise UserError(f"{reply.url} could not be read: {error}") from error

    def outline(self, document: bytes) -> Outline:
        """A list of feeds. Raises ParseError as `read_outline` does, UserError when it could not
        be told."""
        asked = self.workers.submit(
            outlines.TASK, outlines.question(), document, outlines.understood
        )
        try:
            return asked.result()
        except WorkerDied as error:
            raise UserError(f"The list could not be read: {error}") from error
