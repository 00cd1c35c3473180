"""The error tree. Adapters translate lower-level errors into these, once, at their boundary.

    NewsloomError
     +- UserError              the message is for the person at the keyboard; exit status 2
     |   +- SettingsError      a key or value in newsloom.toml or the environment
     |   +- NotFound           no such feed, article or user
     |   +- NotAFeed           the address answers, but not with a feed or a page that links to one
     |   +- NotNow             a host that is left alone, or that another Newsloom asks
     |   +- OpenIdFailed       the sign-in at an OpenID Connect provider came to nothing
     |   +- SignInRefused      no such name with that password
     |       +- MustWait       too many attempts before this one
     +- StoreError             the database cannot do what was asked; that step left nothing behind
     |   +- StoreBusy          another process holds it; trying again later is right
     |   |   +- StoreAway      its server does not answer at this moment
     |   +- StoreFull          no space; reads go on
     +- DiskFull               no space for a file beside the database
     +- ServerBusy             too many ask for the same at once; trying again later is right
     +- FetchError             an address could not be had (most outcomes are values: types.Reply)
     |   +- Blocked            the address guard refused it
     +- BridgeError            another reader's program is not there, or refused; tried again later
     +- WorkError              the workers of an engine ended again and again
     +- ParseError             the bytes are no feed
     +- ModelError             model files are missing, damaged, or do not match their hash

Expected outcomes (304, no match, not enough labels) are return values, not errors.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum


class NewsloomError(Exception):
    """Something Newsloom knows how to name. The docstring of a class is its default message."""

    def __str__(self) -> str:
        return super().__str__() or (type(self).__doc__ or "").splitlines()[0]


class UserError(NewsloomError):
    """That is not possible."""


class SettingsError(UserError):
    """A setting is wrong."""


class NotFound(UserError):
    """Not found."""


class NotAFeed(UserError):
    """No feed found at this address."""


class NotNow(UserError):
    """Newsloom may not contact that host now. Try again later."""


class SignInRefused(UserError):
    """Wrong name or password."""


class MustWait(SignInRefused):
    """Too many attempts failed."""

    def __init__(self, wait: timedelta) -> None:
        self.seconds = max(math.ceil(wait.total_seconds()), 1)
        super().__init__(f"Too many attempts failed. Try again in {self._words()}.")

    def _words(self) -> str:
        if self.seconds < 120:
            return f"{self.seconds} second{'s' * (self.seconds > 1)}"
        return f"{math.ceil(self.seconds / 60)} minutes"


class OpenIdFailed(UserError):
    """What an OpenID Connect provider, or the way back from it, came to."""

    def __init__(self, why: str) -> None:
        super().__init__(f"Sign-in with the provider failed: {why}.")


class StoreError(NewsloomError):
    """The database failed. Nothing was changed."""


class StoreBusy(StoreError):
    """The database is busy. Try again in a moment."""


class StoreAway(StoreBusy):
    """The database cannot be reached. Newsloom continues once it can."""


class StoreFull(StoreError):
    """The disk with the database is full. The last change was not saved."""


class DiskFull(NewsloomError):
    """The server's disk is full."""


class ServerBusy(NewsloomError):
    """The server is busy. Try again in a moment."""


class FetchError(NewsloomError):
    """The address could not be fetched."""


class Blocked(FetchError):
    """The address belongs to a private network and is not on the allow list."""


class WorkError(NewsloomError):
    """The workers keep failing."""


class BridgeError(NewsloomError):
    """The other program could not be reached, or refused the request."""


class VoiceError(NewsloomError):
    """The voice is missing or does not respond."""


class TranslationError(NewsloomError):
    """The translator is missing or does not respond."""


class ParseError(NewsloomError):
    """This is not a feed."""


class ModelError(NewsloomError):
    """A model's files are missing or damaged."""


class Audience(StrEnum):
    """Who reads an error message."""

    ANONYMOUS = "anonymous"  # whoever reaches the server
    READER = "reader"  # signed in, with a session or an app password
    OWNER = "owner"  # an administrator, or whoever reads where nobody has an account


@dataclass(frozen=True, slots=True)
class ErrorReply:
    """An error as an HTTP response: what it says, and when to try again."""

    status: int
    message: str
    retry_after: int | None = None
    to_log: bool = False  # the message leaves out what the owner needs

    @property
    def headers(self) -> dict[str, str]:
        return {} if self.retry_after is None else {"retry-after": str(self.retry_after)}


OUR_FAULT = "Something went wrong. See the server log."
RETRY_SECONDS = 5

# Error to HTTP status, the most particular first.
STATUS: tuple[tuple[type[NewsloomError], int], ...] = (
    (NotFound, 404),
    (MustWait, 429),
    (UserError, 400),
    (StoreBusy, 503),
    (ServerBusy, 503),
    (StoreFull, 507),
)

# Errors whose own message may be shown. Others name addresses, files and SQL of the server.
_SHOWN: dict[Audience, tuple[type[Exception], ...]] = {
    Audience.ANONYMOUS: (UserError, ServerBusy),
    Audience.READER: (UserError, ServerBusy, FetchError, ParseError),
    Audience.OWNER: (NewsloomError,),
}


def error_reply(error: Exception, audience: Audience) -> ErrorReply:
    """What an error says to an audience."""
    status = next((number for kind, number in STATUS if isinstance(error, kind)), 500)
    settings = isinstance(error, SettingsError) and audience is not Audience.OWNER
    if isinstance(error, _SHOWN[audience]) and not settings:
        message = str(error)
    elif isinstance(error, NewsloomError) and type(error) is not NewsloomError:
        message = str(type(error).__doc__).splitlines()[0]
    else:
        message = OUR_FAULT
    if isinstance(error, MustWait):
        retry_after: int | None = error.seconds
    else:
        retry_after = RETRY_SECONDS if status == 503 else None
    return ErrorReply(status, message, retry_after, to_log=status >= 500 or message != str(error))
