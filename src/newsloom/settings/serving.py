"""Where the pages are served, and what is sent from here."""

from __future__ import annotations

from dataclasses import dataclass

from newsloom.settings.declaring import doc


@dataclass(frozen=True, slots=True)
class WebSettings:
    """Where the pages are served."""

    host: str = doc(
        "Address to listen on. What other machines can reach is served only with `without_login`.",
        "127.0.0.1",
    )
    port: int = doc("Port to listen on.", 8765, least=0)
    names: tuple[str, ...] = doc(
        "Host names the pages answer to, beside localhost and those ending in .local or .lan: of a "
        "proxy before them, or of this machine in your network.",
        (),
    )
    url: str = doc(
        "The address under which you reach the pages from elsewhere, such as "
        "https://reader.example; it stands in mails and in feeds of your lists. Empty: none.",
        "",
    )
    without_login: bool = doc(
        "Whether other machines may reach the pages, which ask nobody to log in: whoever reaches "
        "them can read and change everything.",
        False,
    )


@dataclass(frozen=True, slots=True)
class MailSettings:
    """The mail server that digests are sent through."""

    host: str = doc("Its name; empty: no mail is sent.", "")
    port: int = doc("Its port.", 587, least=1)
    security: str = doc(
        "starttls (587), tls (465), or none, which only a server on this machine should have.",
        "starttls",
    )
    user: str = doc("The name to log in with; empty: without logging in.", "")
    password: str = doc("The password of that name.", "")
    sender: str = doc("The address that mails come from.", "")
    timeout_seconds: float = doc("Whole deadline of sending one mail.", 60.0, least=1)


@dataclass(frozen=True, slots=True)
class DigestSettings:
    """Digests that are made on a schedule."""

    folder: str = doc("Where digests are written as files; empty: nowhere.", "")
    summary_minutes: float = doc(
        "How long a digest waits for summaries by the language model, where one is used, before "
        "it is sent with those made of the articles' own sentences; 0: it is not asked.",
        10.0,
        least=0,
    )
