"""Sends what is in an outbox of the store until the other side has taken it.

Each row is claimed in the database, so that of several processes one sends it. A process that ends
after the other side took it, and before that is written down, sends it again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import Protocol, TypeVar

from newsloom.kernel.delivery.values import Sent
from newsloom.kernel.errors import Audience, NewsloomError, error_reply

log = logging.getLogger(__name__)

# Then a sending is given up.
MOST_ATTEMPTS = 22
# How long a claim of a sending holds; a living process is done long before, one that died frees it.
CLAIM = timedelta(minutes=15)
# What is made, or sent, in one go: the rest is for the next look.
MOST = 500


class Waiting(Protocol):
    """A row of an outbox."""

    @property
    def id(self) -> int: ...

    @property
    def attempts(self) -> int:
        """That failed."""


One = TypeVar("One", bound=Waiting)
Claimed = TypeVar("Claimed", bound=Waiting, covariant=True)


class Queue(Protocol[Claimed]):
    """An outbox of the store, as kernel.delivery.store.OutboxStore has it."""

    def claim_sending(self, now: datetime, until: datetime) -> Claimed | None: ...

    def sent(self, sending: int, now: datetime) -> None: ...

    def send_later(self, sending: int, at: datetime, error: str) -> None: ...

    def give_up(self, sending: int, now: datetime, error: str) -> None: ...


async def send_due(
    queue: Queue[One],
    send: Callable[[One], Awaitable[Sent]],
    name: Callable[[One], str],
    now: Callable[[], datetime],
    *,
    held: timedelta = CLAIM,
    most: int = MOST,
) -> int:
    """Send what is due, up to `most`; how many the other side has taken.

    `name` says in logs what is sent, and where. A claim holds for `held`: a living process is done
    long before, one that died frees it.
    """
    taken = 0
    for _ in range(most):
        at = now()
        one = await asyncio.to_thread(queue.claim_sending, at, at + held)
        if one is None:
            break
        result = await _attempt(one, send, name)
        await asyncio.to_thread(_settle, queue, one, result, name, now())
        taken += not result.problem
    return taken


async def _attempt(
    one: One, send: Callable[[One], Awaitable[Sent]], name: Callable[[One], str]
) -> Sent:
    try:
        return await send(one)
    except NewsloomError as error:
        log.warning("sending %s failed: %s", name(one), error)
        return Sent(error_reply(error, Audience.READER).message)
    except Exception as error:  # our own fault, whatever it is; it is tried again
        log.exception("sending %s failed", name(one))
        return Sent(f"Newsloom failed ({type(error).__name__})")


def _settle(
    queue: Queue[One], one: One, result: Sent, name: Callable[[One], str], now: datetime
) -> None:
    wait = retry_after(one.attempts)
    if not result.problem:
        queue.sent(one.id, now)
    elif result.final or wait is None:
        log.warning("%s was not sent: %s", name(one), result.problem)
        queue.give_up(one.id, now, result.problem)
    else:
        log.info("%s is sent later: %s", name(one), result.problem)
        queue.send_later(one.id, now + wait, result.problem)


def retry_after(attempts: int) -> timedelta | None:
    """How long to wait after so many failures; None: give up, after four days and a half.

    RFC 5321, 4.5.4.1: at least half an hour between attempts in the long run, four to five days.
    """
    if attempts >= MOST_ATTEMPTS:
        return None
    minutes: int = 3 ** min(attempts, 6)
    return min(timedelta(minutes=minutes), timedelta(hours=6))


async def run_periodically(
    step: Callable[[], Awaitable[object]], stopping: asyncio.Event, pause: timedelta, what: str
) -> None:
    """A step and a pause, until `stopping`. A failed step is logged and tried again."""
    while not stopping.is_set():
        try:
            await step()
        except NewsloomError as error:
            log.warning("%s waits: %s", what, error)
        except Exception:  # our own fault, whatever it is
            log.exception("%s failed", what)
        try:
            await asyncio.wait_for(stopping.wait(), pause.total_seconds())
        except TimeoutError:
            continue
