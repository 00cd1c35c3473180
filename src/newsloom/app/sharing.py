"""Saves articles to the services of readers, from an outbox that outlives the process.

Each is sent by one process at a time. A process that ends after a service took an article, and
before that is written down, sends it again: these services know an article by its address.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from newsloom import __version__
from newsloom.errors import NewsloomError
from newsloom.reader.schedules import retry_after
from newsloom.sharing import services
from newsloom.types import Sent, Share

if TYPE_CHECKING:
    from newsloom.app import App
    from newsloom.ports import ApiCaller
    from newsloom.store import Store

log = logging.getLogger(__name__)

# How long one process may be at one; it is done long before, or it is gone.
CLAIM = timedelta(minutes=5)
# Between two looks at what is asked for: somebody may be waiting for it.
PAUSE = timedelta(seconds=5)
# In one go, so that stopping waits for few.
MOST = 100


@dataclass(frozen=True, slots=True)
class Sharing:
    """Sends what is due."""

    store: Store
    now: Callable[[], datetime]

    async def once(self, caller: ApiCaller) -> int:
        """How many were taken."""
        await asyncio.to_thread(self.store.sharing.ask_shares_of_stars, self.now())
        taken = 0
        for _ in range(MOST):
            now = self.now()
            share = await asyncio.to_thread(self.store.sharing.claim_share, now, now + CLAIM)
            if share is None:
                break
            result = await self._send(share, caller)
            await asyncio.to_thread(self._settle, share, result)
            taken += not result.problem
        return taken

    async def _send(self, share: Share, caller: ApiCaller) -> Sent:
        try:
            service = services.service(share.service.kind)
            given, token = share.service.given, ""
            if service.log_in is not None:
                found = services.token_of(await caller.call(service.log_in(given)))
                if isinstance(found, Sent):
                    return found
                token = found
            return services.outcome(await caller.call(service.save(given, share.article, token)))
        except NewsloomError as error:
            return Sent(str(error))
        except Exception as error:  # our own fault, whatever it is; it is tried again
            log.exception("saving an article failed")
            return Sent(f"Newsloom failed ({type(error).__name__})")

    def _settle(self, share: Share, result: Sent) -> None:
        now, store = self.now(), self.store.sharing
        wait = retry_after(share.attempts)
        if not result.problem:
            store.share_sent(share.id, now)
        elif result.final or wait is None:
            log.warning("an article was not saved to %s: %s", share.service.kind, result.problem)
            store.give_up_share(share.id, now, result.problem)
        else:
            log.info("an article is saved to %s later: %s", share.service.kind, result.problem)
            store.share_later(share.id, now + wait, result.problem)

    async def keep(self, stopping: asyncio.Event, caller: ApiCaller) -> None:
        """Again and again until `stopping`; trouble is for the next time."""
        while not stopping.is_set():
            try:
                await self.once(caller)
            except NewsloomError as error:
                log.warning("saving articles waits: %s", error)
            except Exception:  # our own fault, whatever it is
                log.exception("saving articles failed")
            try:
                await asyncio.wait_for(stopping.wait(), PAUSE.total_seconds())
            except TimeoutError:
                continue


def sharing(app: App) -> Sharing:
    return Sharing(app.store, app.now)


@asynccontextmanager
async def calling_services(app: App) -> AsyncIterator[ApiCaller]:
    """The services that readers name, while in use: under the guard that holds for feeds too."""
    from newsloom.fetch import HttpApi

    settings = app.settings.fetch
    async with HttpApi(
        version=__version__, max_ratio=settings.max_ratio, private_hosts=settings.private_hosts
    ) as caller:
        yield caller
