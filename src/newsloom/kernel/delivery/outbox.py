"""What is sent from an outbox of the store until the other side has taken it, and again and again.

Each is claimed in the database, so that of several processes one sends it. A process that ends
after the other side took it, and before that is written down, sends it again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Generic, Protocol, TypeVar

from newsloom.kernel.delivery.values import Sent
from newsloom.kernel.errors import NewsloomError

log = logging.getLogger(__name__)

# Then a sending is given up.
MOST_ATTEMPTS = 22


class Waiting(Protocol):
    """What lies in an outbox."""

    @property
    def attempts(self) -> int:
        """That failed."""


One = TypeVar("One", bound=Waiting)


@dataclass(frozen=True, slots=True)
class Outbox(Generic[One]):
    """An outbox of the store, and how what lies in it is sent."""

    claim: Callable[[datetime, datetime], One | None]  # one that is due, held until then
    send: Callable[[One], Awaitable[Sent]]
    sent: Callable[[One, datetime], None]
    later: Callable[[One, datetime, str], None]  # it is tried again then, after that problem
    give_up: Callable[[One, datetime, str], None]
    name: Callable[[One], str]  # what is sent, and where, in logs
    now: Callable[[], datetime]

    async def empty(self, held: timedelta, most: int) -> int:
        """Send what is due, up to `most`; how many the other side has taken.

        A claim holds for `held`: a living process is done long before, one that died frees it.
        """
        taken = 0
        for _ in range(most):
            now = self.now()
            one = await asyncio.to_thread(self.claim, now, now + held)
            if one is None:
                break
            result = await self._attempt(one)
            await asyncio.to_thread(self._settle, one, result)
            taken += not result.problem
        return taken

    async def _attempt(self, one: One) -> Sent:
        try:
            return await self.send(one)
        except NewsloomError as error:
            return Sent(str(error))
        except Exception as error:  # our own fault, whatever it is; it is tried again
            log.exception("sending %s failed", self.name(one))
            return Sent(f"Newsloom failed ({type(error).__name__})")

    def _settle(self, one: One, result: Sent) -> None:
        now, wait = self.now(), retry_after(one.attempts)
        if not result.problem:
            self.sent(one, now)
        elif result.final or wait is None:
            log.warning("%s was not sent: %s", self.name(one), result.problem)
            self.give_up(one, now, result.problem)
        else:
            log.info("%s is sent later: %s", self.name(one), result.problem)
            self.later(one, now + wait, result.problem)


def retry_after(attempts: int) -> timedelta | None:
    """How long to wait after so many failures; None: give up, after four days and a half.

    RFC 5321, 4.5.4.1: at least half an hour between attempts in the long run, four to five days.
    """
    if attempts >= MOST_ATTEMPTS:
        return None
    minutes: int = 3 ** min(attempts, 6)
    return min(timedelta(minutes=minutes), timedelta(hours=6))


async def again_and_again(
    step: Callable[[], Awaitable[object]], stopping: asyncio.Event, pause: timedelta, what: str
) -> None:
    """A step and a pause until `stopping`; trouble is told, and is for the next time."""
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
