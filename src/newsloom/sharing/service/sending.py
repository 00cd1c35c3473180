"""Saves articles to the services of readers, from an outbox that outlives the process.

Each is sent by one process at a time. A process that ends after a service took an article, and
before that is written down, sends it again: these services know an article by its address.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from newsloom import __version__
from newsloom.kernel.delivery.outbox import run_periodically, send_due
from newsloom.kernel.delivery.values import Sent, Webhook
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
        await asyncio.to_thread(self.store.sharing.ask_shares_of_stars, self.now())
        return await send_due(
            self.store.sharing,
            lambda one: send(one, caller, self.now()),
            lambda one: f"an article to {one.service.kind}",
            self.now,
            held=CLAIM,
            most=MOST,
        )

    async def run(self, stopping: asyncio.Event, caller: ApiCaller) -> None:
        """Again and again until `stopping`; trouble is for the next time."""
        await run_periodically(lambda: self.once(caller), stopping, PAUSE, "saving articles")


async def send(share: Share, caller: ApiCaller, at: datetime) -> Sent:
    """One attempt to save an article. Webhooks are signed as Standard Webhooks says."""
    service = services.service(share.service.kind)
    given, token = share.service.given, ""
    if service.log_in is not None:
        found = services.token_of(await caller.call(service.log_in(given)))
        if isinstance(found, Sent):
            return found
        token = found
    request = service.save(given, share.article, token)
    if secret := given.get("secret"):
        signed = Webhook(request.url, secret).signed(f"share-{share.id}", at, request.body)
        request = replace(request, headers=(*request.headers, *signed))
    return services.outcome(await caller.call(request), service.statuses)


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
