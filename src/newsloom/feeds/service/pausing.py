"""Remembers every host that says "429 Too Many Requests", whatever was asked of it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from newsloom.feeds import schedule
from newsloom.feeds.service.hosts import SharedHosts
from newsloom.kernel.errors import StoreError
from newsloom.kernel.http.ports import Fetcher
from newsloom.kernel.http.values import Reply, Request
from newsloom.store import Store

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class PauseRecorder:
    """Implements ports.Fetcher around another one.

    What a feed's poll is told is stored with the poll, which may make the pause longer; the pages,
    icons, links and hubs of the same host have nobody else to remember it.
    """

    fetcher: Fetcher
    store: Store
    hosts: SharedHosts
    now: Callable[[], datetime]

    async def get(self, request: Request) -> Reply:
        reply = await self.fetcher.get(request)
        pause = schedule.requested_pause(reply, self.now())
        if pause is not None:
            self.hosts.rest(pause)
            try:
                await asyncio.to_thread(self.store.sites.pause_host, pause)
            except StoreError as error:  # this process knows it all the same
                log.info("that %s is not written down: %s", pause.because, error)
        return reply
