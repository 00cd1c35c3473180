"""The ways in which digests and briefs are sent: by mail, to a webhook, as a file."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from newsloom.kernel import files
from newsloom.kernel.delivery.values import Sending, Sent, Webhook
from newsloom.kernel.errors import NotNow
from newsloom.kernel.http.values import Request

if TYPE_CHECKING:
    from email.message import EmailMessage

    from newsloom.kernel.http.ports import Fetcher, Mailer
    from newsloom.kernel.settings import MailSettings, Settings

log = logging.getLogger(__name__)


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
