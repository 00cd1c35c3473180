"""Saves articles to the services of readers, from an outbox that outlives the process.

Each is sent by one process at a time. A process that ends after a service took an article, and
before that is written down, sends it again: these services know an article by its address.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from newsloom import __version__
from newsloom.kernel.delivery.outbox import Outbox, again_and_again
from newsloom.kernel.delivery.values import Sent
from newsloom.sharing import services
from newsloom.sharing.values import Share

if TYPE_CHECKING:
    from newsloom.app import App
    from newsloom.kernel.http.ports import ApiCaller
    from newsloom.store import Store

# How long a claim of one holds.
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
        kept = self.store.sharing
        await asyncio.to_thread(kept.ask_shares_of_stars, self.now())
        outbox = Outbox(
            claim=kept.claim_share,
            send=lambda one: _send(one, caller),
            sent=lambda one, at: kept.share_sent(one.id, at),
            later=lambda one, at, problem: kept.share_later(one.id, at, problem),
            give_up=lambda one, at, problem: kept.give_up_share(one.id, at, problem),
            name=lambda one: f"an article to {one.service.kind}",
            now=self.now,
        )
        return await outbox.empty(CLAIM, MOST)

    async def keep(self, stopping: asyncio.Event, caller: ApiCaller) -> None:
        """Again and again until `stopping`; trouble is for the next time."""
        await again_and_again(lambda: self.once(caller), stopping, PAUSE, "saving articles")


async def _send(share: Share, caller: ApiCaller) -> Sent:
    service = services.service(share.service.kind)
    given, token = share.service.given, ""
    if service.log_in is not None:
        found = services.token_of(await caller.call(service.log_in(given)))
        if isinstance(found, Sent):
            return found
        token = found
    return services.outcome(await caller.call(service.save(given, share.article, token)))


def sharing(app: App) -> Sharing:
    return Sharing(app.store, app.now)


@asynccontextmanager
async def calling_services(app: App) -> AsyncIterator[ApiCaller]:
    """The services that readers name, while in use: under the guard that holds for feeds too."""
    from newsloom.kernel.http.api import HttpApi

    settings = app.settings.fetch
    async with HttpApi(
        version=__version__, max_ratio=settings.max_ratio, private_hosts=settings.private_hosts
    ) as caller:
        yield caller
