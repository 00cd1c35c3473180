"""What is due is sent, and tried again: digests and briefs, by mail, webhook, or as a file.

Each sending is claimed in the database, so that several processes send it once. One that ends while
it sends leaves the sending in the outbox: the other side may then get it again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from newsloom import files
from newsloom.errors import NewsloomError, NotNow
from newsloom.reader import schedules
from newsloom.types import Request, SendingId, Sent, Target

if TYPE_CHECKING:
    from email.message import EmailMessage

    from newsloom.ports import Fetcher, Mailer
    from newsloom.settings import MailSettings, Settings

log = logging.getLogger(__name__)

# How long a claim holds at most; a living process is done long before, one that died frees it.
CLAIM = timedelta(minutes=15)
# What is made, or sent, in one go: the rest is for the next look.
MOST = 500


class Waiting(Protocol):
    """A sending of any kind."""

    @property
    def id(self) -> SendingId: ...
    @property
    def target(self) -> Target: ...
    @property
    def attempts(self) -> int: ...


One = TypeVar("One", bound=Waiting)


@dataclass(frozen=True, slots=True)
class Outbox(Generic[One]):
    """Where sendings wait: methods of the store."""

    claim: Callable[[datetime, datetime], One | None]
    sent: Callable[[SendingId, datetime], None]
    later: Callable[[SendingId, datetime, str], None]
    give_up: Callable[[SendingId, datetime, str], None]


async def send_all(
    what: str,
    outbox: Outbox[One],
    send: Callable[[One], Awaitable[Sent]],
    now: Callable[[], datetime],
) -> int:
    """Send what is due: how many were taken by the other side."""
    sent = 0
    for _ in range(MOST):
        begun = now()
        sending = await asyncio.to_thread(outbox.claim, begun, begun + CLAIM)
        if sending is None:
            break
        result = await _tried(what, send(sending))
        await asyncio.to_thread(_settle, what, outbox, sending, result, now())
        sent += not result.problem
    return sent


async def _tried(what: str, sending: Awaitable[Sent]) -> Sent:
    try:
        return await sending
    except NewsloomError as error:
        return Sent(str(error))
    except Exception as error:  # our own fault, whatever it is; it is tried again
        log.exception("sending a %s failed", what)
        return Sent(f"Newsloom failed ({type(error).__name__})")


def _settle(what: str, outbox: Outbox[One], sending: One, result: Sent, now: datetime) -> None:
    wait = schedules.retry_after(sending.attempts)
    if not result.problem:
        outbox.sent(sending.id, now)
    elif result.final or wait is None:
        log.warning("a %s was not sent to %s: %s", what, sending.target.to, result.problem)
        outbox.give_up(sending.id, now, result.problem)
    else:
        log.info("a %s is sent to %s later: %s", what, sending.target.to, result.problem)
        outbox.later(sending.id, now + wait, result.problem)


def mailed(settings: MailSettings, mailer: Mailer, made: Callable[[], EmailMessage]) -> Sent:
    """`made` raises ValueError for an address that is none."""
    if not (settings.host and settings.sender):
        return Sent("mail.host and mail.sender are not set")
    try:
        message = made()
    except ValueError as error:
        return Sent(str(error), final=True)
    return mailer.send(message)


async def posted(url: str, told: str, fetcher: Fetcher) -> Sent:
    """JSON to a webhook."""
    request = Request(
        url=url,
        method="POST",
        follow=False,
        body=told.encode(),
        content_type="application/json; charset=utf-8",
    )
    try:
        reply = await fetcher.get(request)
    except NotNow as error:
        return Sent(str(error) or "its host is left alone for now")
    if reply.failure is not None:
        return Sent(reply.problem or str(reply.failure))
    if 200 <= reply.status < 300:
        return Sent()
    return Sent(f"it answered {reply.status}", final=reply.status == 410)


def into_folder(settings: Settings, name: str, content: Callable[[], bytes]) -> Sent:
    """A file into digest.folder, in the place of one of its name."""
    if not settings.digest.folder:
        return Sent("digest.folder is not set")
    folder = Path(settings.digest.folder).expanduser()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        files.write(folder / name, content())
    except OSError as error:
        return Sent(f"{folder} cannot be written: {error.strerror or error}")
    return Sent()


async def again_and_again(
    what: str,
    once: Callable[[], Awaitable[object]],
    stopping: asyncio.Event,
    pause: timedelta,
) -> None:
    """Until `stopping`, with a pause between; trouble is for the next time."""
    while not stopping.is_set():
        try:
            await once()
        except NewsloomError as error:
            log.warning("%s wait: %s", what, error)
        except Exception:  # our own fault, whatever it is
            log.exception("making or sending %s failed", what)
        try:
            await asyncio.wait_for(stopping.wait(), pause.total_seconds())
        except TimeoutError:
            continue
