"""A mail server on loopback that does as it is told: takes, refuses, delays, hangs up."""

from __future__ import annotations

import email
import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import policy
from email.message import EmailMessage

import trustme
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session


@dataclass
class Mailbox:
    """What came, and what is answered. `answers` are used up one by one; then all is taken."""

    taken: list[EmailMessage] = field(default_factory=list)
    receivers: list[str] = field(default_factory=list)
    at_receiver: list[str] = field(default_factory=list)
    at_message: list[str] = field(default_factory=list)  # "hang up": the connection ends there
    encrypted: list[bool] = field(default_factory=list)

    async def handle_RCPT(  # noqa: N802 - the library's name
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, _options: object
    ) -> str:
        if self.at_receiver:
            return self.at_receiver.pop(0)
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope
    ) -> str:
        if self.at_message:
            answer = self.at_message.pop(0)
            if answer == "hang up":
                assert server.transport is not None
                server.transport.abort()
                return "421 gone"
            return answer
        assert isinstance(envelope.content, bytes)
        mail = email.message_from_bytes(envelope.content, policy=policy.default)
        assert isinstance(mail, EmailMessage)
        self.taken.append(mail)
        self.receivers += envelope.rcpt_tos
        self.encrypted.append(session.ssl is not None)
        return "250 taken"


@contextmanager
def mail_server(box: Mailbox, authority: trustme.CA | None = None) -> Iterator[int]:
    """The port it listens on. With an authority it speaks STARTTLS, and takes nothing without."""
    context = None
    if authority is not None:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        authority.issue_cert("localhost").configure_cert(context)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    # The library asks the port it was given whether it listens, so 0 is none.
    control = Controller(
        box,
        hostname="127.0.0.1",
        port=port,
        tls_context=context,
        require_starttls=context is not None,
    )
    control.start()
    try:
        yield port
    finally:
        control.stop()
