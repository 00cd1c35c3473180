"""Where addresses lead that only forward and do not say where: asked once, politely, remembered.

What an address is known to be stands in newsloom.kernel.text.redirects. Nothing here ends a poll:
what cannot be found out is compared as it stands.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from newsloom.kernel.errors import NotNow, StoreError
from newsloom.kernel.http.ports import Fetcher
from newsloom.kernel.http.values import KnownRedirect, Reply, Request
from newsloom.kernel.text.redirects import forwards, target
from newsloom.kernel.text.urls import host, join
from newsloom.store import Store

log = logging.getLogger(__name__)

# What could not be found out is asked again after this long, and so often at most.
AGAIN_AFTER = timedelta(days=1)
MOST_TRIES = 3

# Forwarding hosts that forward to each other: t.co to bit.ly to a paper's own.
MOST_HOPS = 4

# How long one address may take, and how long the articles of one document wait for all: the first
# poll of a feed is waited for by its reader.
PATIENCE = timedelta(seconds=10)
PATIENCE_FOR_ALL = timedelta(seconds=20)

# Refused to HEAD by servers that answer GET, whatever HTTP says.
_NOT_HEAD = frozenset((400, 403, 404, 405, 501))
_TOO_MANY = 429
_OUT_OF_ORDER = frozenset((500, 502, 503, 504))
_REDIRECTS = frozenset((301, 302, 303, 307, 308))


class _HostFull(Exception):
    """The host asks to be left alone; nothing is known of the address."""


class _HostDown(Exception):
    """The host does not answer, or is out of order, and so it is for all its addresses."""


@dataclass(slots=True)
class Resolver:
    """One pass: no host is asked for more than `per_host` addresses, none twice."""

    store: Store
    fetcher: Fetcher
    now: Callable[[], datetime]
    per_host: int
    forwards: Callable[[str], bool] = forwards
    patience: timedelta = PATIENCE
    patience_for_all: timedelta = PATIENCE_FOR_ALL
    _requests: Counter[str] = field(default_factory=Counter)
    _gates: dict[str, asyncio.Lock] = field(default_factory=dict)
    _found: dict[str, KnownRedirect] = field(default_factory=dict)

    async def targets(self, urls: Sequence[str]) -> Mapping[str, str]:
        """Where addresses lead, as far as it is known or can be found out now."""
        try:
            known = await asyncio.to_thread(self.store.feeds.redirects, urls)
        except StoreError as error:
            log.warning("where links lead is looked up later: %s", error)
            return {}
        await self._ask([url for url in urls if self._wanted(known.get(url))], known)
        found = {url: self._found[url] for url in urls if url in self._found}
        fresh = [one for url, one in found.items() if one != known.get(url)]
        try:
            await asyncio.to_thread(self.store.feeds.put_redirects, fresh)
        except StoreError as error:
            log.warning("where %d links lead will be asked again: %s", len(fresh), error)
        return {url: one.target for url, one in {**known, **found}.items() if one.target}

    def _wanted(self, known: KnownRedirect | None) -> bool:
        if known is None:
            return True
        if known.target or known.tries >= MOST_TRIES:
            return False
        return self.now() - known.at >= AGAIN_AFTER

    async def _ask(self, urls: Sequence[str], known: Mapping[str, KnownRedirect]) -> None:
        """Host by host at once, address by address within one."""
        by_host: dict[str, list[str]] = {}
        for url in urls:
            by_host.setdefault(host(url), []).append(url)
        try:
            async with asyncio.timeout(self.patience_for_all.total_seconds()):
                async with asyncio.TaskGroup() as group:
                    for name, wanted in by_host.items():
                        group.create_task(self._ask_host(name, wanted, known))
        except TimeoutError:
            log.info("where the rest of %d links leads is looked up at the next poll", len(urls))
        except ExceptionGroup:
            # Our own fault, whatever it is; the articles are there all the same.
            log.exception("looking up where %d links lead failed", len(urls))

    async def _ask_host(
        self, name: str, urls: Sequence[str], known: Mapping[str, KnownRedirect]
    ) -> None:
        # Another feed's articles may wait for the same host; then what it was told is found here.
        async with self._gates.setdefault(name, asyncio.Lock()):
            for place, url in enumerate(urls):
                if url in self._found:
                    continue
                if self._requests[name] >= self.per_host:
                    return
                self._requests[name] += 1
                try:
                    async with asyncio.timeout(self.patience.total_seconds()):
                        self._learn(known, [url], *await self._follow(url))
                except (_HostFull, NotNow):
                    self._requests[name] = self.per_host
                except (_HostDown, TimeoutError) as error:
                    self._requests[name] = self.per_host
                    self._learn(known, urls[place:], "", str(error) or "timeout")

    def _learn(
        self, known: Mapping[str, KnownRedirect], urls: Sequence[str], leads_to: str, problem: str
    ) -> None:
        for url in urls:
            tries = known[url].tries + 1 if url in known else 1
            self._found.setdefault(url, KnownRedirect(url, leads_to, self.now(), tries, problem))

    async def _follow(self, url: str) -> tuple[str, str]:
        """Where it leads, or why that is not known."""
        for _ in range(MOST_HOPS):
            reply = await self._reply(url)
            moved = reply.status in _REDIRECTS
            there = join(reply.url, reply.header("location")) if moved else ""
            if not there:
                return "", f"broken link: the server returned {reply.status}"
            url = target(there)
            if not self.forwards(url):
                return url, ""
        return "", f"more than {MOST_HOPS} redirects between forwarding services"

    async def _reply(self, url: str) -> Reply:
        """The first answer, without a body: HEAD, and GET where that is refused."""
        reply = await self.fetcher.get(Request(url, method="HEAD", follow=False))
        if reply.status in _NOT_HEAD:
            reply = await self.fetcher.get(Request(url, follow=False))
        if reply.failure is not None:
            raise _HostDown(reply.problem or reply.failure.value)
        if reply.status == _TOO_MANY:
            raise _HostFull
        if reply.status in _OUT_OF_ORDER:
            raise _HostDown(f"the server returned {reply.status}")
        return reply
