"""Sends what is in an outbox of the store until the other side has taken it.

Each row is claimed in the database, so that of several processes one sends it. A process that ends
after the other side took it, and before that is written down, sends it again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

from newsloom.kernel import files
from newsloom.kernel.delivery.values import Sending, Sent, Webhook
from newsloom.kernel.errors import Audience, NewsloomError, NotNow, error_reply
from newsloom.kernel.http.values import Request

if TYPE_CHECKING:
    from email.message import EmailMessage

    from newsloom.kernel.delivery.store import OutboxStore
    from newsloom.kernel.http.ports import Fetcher, Mailer
    from newsloom.kernel.settings import MailSettings, Settings

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


async def send_due(
    queue: OutboxStore[One],
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
    queue: OutboxStore[One], one: One, result: Sent, name: Callable[[One], str], now: datetime
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


# The ways in which digests and briefs are sent: by mail, to a webhook, as a file.


def mailed(settings: MailSettings, mailer: Mailer, made: Callable[[], EmailMessage]) -> Sent:
    """`made` raises ValueError for an address that is none."""
    if not (settings.host and settings.sender):
        return Sent("mail.host and mail.sender are not set")
    try:
        message = made()
    except ValueError as error:
        return Sent(str(error), final=True)
    return mailer.send(message)


async def posted(sending: Sending, kind: str, body: str, at: datetime, fetcher: Fetcher) -> Sent:
    """JSON to a webhook, signed as Standard Webhooks says. `kind` is of the edition; what is sent
    again has the same id."""
    url, content = sending.target.to, body.encode()
    request = Request(
        url=url,
        method="POST",
        follow=False,
        body=content,
        headers=Webhook(url, sending.token).signed(f"{kind}-{sending.id}", at, content),
        content_type="application/json; charset=utf-8",
    )
    try:
        reply = await fetcher.get(request)
    except NotNow as error:
        return Sent(str(error) or "requests to its host are paused")
    if reply.failure is not None:
        return Sent(reply.problem or str(reply.failure))
    if 200 <= reply.status < 300:
        return Sent()
    return Sent(f"it returned status {reply.status}", final=reply.status == 410)


def into_folder(settings: Settings, name: str, content: Callable[[], bytes]) -> Sent:
    """A file into digest.folder, in the place of one of its name."""
    if not settings.digest.folder:
        return Sent("digest.folder is not set")
    folder = Path(settings.digest.folder).expanduser()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        files.write(folder / name, content(), shared=True)
    except OSError as error:
        log.warning("%s cannot be written: %s", folder, error)
        return Sent(f"digest.folder cannot be written: {error.strerror or 'see the server log'}")
    return Sent()
