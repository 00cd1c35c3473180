"""One mail to the mail server of the settings. Knows no digest; blocks, so call it in a thread.

Whatever the server does comes back as words. A refusal that is for good (RFC 5321: 5xx, of the
receiver, the sender or the mail) is told apart from what may go well later: greylisting, a full
mailbox, a server that is gone or slow, and a login that the settings can mend.
"""

from __future__ import annotations

import smtplib
import socket
import ssl
import threading
from dataclasses import dataclass
from email.message import EmailMessage

from newsloom.kernel.delivery.values import Sent
from newsloom.kernel.http.authorities import trusted
from newsloom.kernel.settings import MailSettings

LONGEST_WORDS = 200


@dataclass(frozen=True, slots=True)
class SmtpMailer:
    """Implements ports.Mailer with the standard library."""

    settings: MailSettings

    def send(self, mail: EmailMessage) -> Sent:
        """What came of it; the mail is taken only where `problem` is empty."""
        server: smtplib.SMTP | None = None
        late = threading.Event()
        timer: threading.Timer | None = None
        try:
            server = self._server()
            timer = _deadline(server, self.settings.timeout_seconds, late)
            server.connect(self.settings.host, self.settings.port)
            self._begin(server)
            # `send_message` would put ">" before lines that begin with "From ".
            sender, receiver = (mail[name].addresses[0].addr_spec for name in ("From", "To"))
            server.sendmail(sender, [receiver], mail.as_bytes())
        except smtplib.SMTPRecipientsRefused as error:
            refused, why = next(iter(error.recipients.values()))
            return Sent(_words(refused, why), final=500 <= refused < 600)
        except smtplib.SMTPAuthenticationError as error:
            return Sent(f"the mail server refused the login: {_words(*_reply(error))}")
        except smtplib.SMTPResponseException as error:
            code, words = _reply(error)
            return Sent(_words(code, words), final=500 <= code < 600 and _of_the_mail(error))
        except smtplib.SMTPNotSupportedError as error:
            return Sent(f"the mail server cannot do this: {error}"[:LONGEST_WORDS])
        except (OSError, smtplib.SMTPException, ValueError) as error:
            if late.is_set():
                return Sent(f"not finished after {self.settings.timeout_seconds:g} s")
            return Sent(_of_the_network(error))
        finally:
            if timer is not None:
                timer.cancel()
            if server is not None:
                server.close()
        return Sent()

    def _server(self) -> smtplib.SMTP:
        seconds = self.settings.timeout_seconds
        server = (
            smtplib.SMTP_SSL(timeout=seconds, context=_context())
            if self.settings.security == "tls"
            else smtplib.SMTP(timeout=seconds)
        )
        # The name that certificates are checked by. smtplib takes it from its constructor alone,
        # which connects at once, before there is a deadline.
        server._host = self.settings.host  # type: ignore[attr-defined]  # noqa: SLF001
        return server

    def _begin(self, server: smtplib.SMTP) -> None:
        if self.settings.security == "starttls":
            server.starttls(context=_context())
        if self.settings.user:
            server.login(self.settings.user, self.settings.password)


def _context() -> ssl.SSLContext:
    authorities = trusted()
    return ssl.create_default_context(cafile=authorities.file, capath=authorities.folder)


def _deadline(server: smtplib.SMTP, seconds: float, late: threading.Event) -> threading.Timer:
    """Ends the connection when it is over, whatever trickles in: a socket's own time limit is only
    of one read."""

    def end() -> None:
        late.set()
        if (connected := server.sock) is not None:
            try:
                connected.shutdown(socket.SHUT_RDWR)
            except OSError:
                return

    timer = threading.Timer(seconds, end)
    timer.daemon = True
    timer.start()
    return timer


def _reply(error: smtplib.SMTPResponseException) -> tuple[int, bytes | str]:
    return int(error.smtp_code), error.smtp_error


def _of_the_mail(error: smtplib.SMTPResponseException) -> bool:
    """Whether another try with the same mail must fail too; greetings and commands may change."""
    return isinstance(error, (smtplib.SMTPSenderRefused, smtplib.SMTPDataError))


def _words(code: int, words: bytes | str) -> str:
    text = words.decode("utf-8", "replace") if isinstance(words, bytes) else words
    seen = " ".join("".join(one if one.isprintable() else " " for one in text).split())
    return f"the mail server returned {code}: {seen}"[:LONGEST_WORDS]


def _of_the_network(error: Exception) -> str:
    name = type(error).__name__
    if isinstance(error, TimeoutError):
        return "the mail server timed out"
    if isinstance(error, ssl.SSLError):
        return f"the mail server's certificate or TLS failed: {error}"[:LONGEST_WORDS]
    if isinstance(error, smtplib.SMTPServerDisconnected):
        return "the mail server closed the connection"
    return f"the mail server could not be reached ({name}: {error})"[:LONGEST_WORDS]
