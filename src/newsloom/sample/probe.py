"""Whether the network answers, asked through the Fetcher port. Opens no connection of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from newsloom.kernel.errors import NotNow
from newsloom.kernel.http.ports import Fetcher
from newsloom.kernel.http.values import Request


async def online(urls: Sequence[str], fetch: Fetcher, timeout: float) -> bool:  # noqa: ASYNC109
    """Whether any of the feeds answers with a document within so many seconds.

    All are asked at once and the first good answer ends it, since a person waits for this. The
    timeout is a parameter because running into it is an answer here and no error.
    """
    tasks = [asyncio.create_task(_answers(url, fetch)) for url in urls]
    try:
        async with asyncio.timeout(timeout):
            for first in asyncio.as_completed(tasks):
                if await first:
                    return True
    except TimeoutError:
        return False
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    return False


async def _answers(url: str, fetch: Fetcher) -> bool:
    # A refusal (403, 429, 5xx) would fill no page, so it counts like silence. The addresses are
    # https: the sign-in page of a hotel's network cannot pass for one of them.
    try:
        reply = await fetch.get(Request(url))
    except NotNow:
        return False
    return 200 <= reply.status < 300
