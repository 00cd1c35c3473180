"""Who asks, as the Google Reader API says it. Pure.

The token of a login is the reader's name and the app password they logged in with: nothing is kept
here, and it ends with the app password. It has no `=`, at which NetNewsWire and Capy cut.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from dataclasses import dataclass
from urllib.parse import quote, unquote

_HEADER = re.compile(r"\s*GoogleLogin\s+auth=\s*(\S+)\s*", re.IGNORECASE)
# A name is no longer than the accounts let it be; this is more, percent signs included.
_LONGEST = 2_000
# As many characters as Google's and FreshRSS's have.
_CHANGES_LENGTH = 57


@dataclass(frozen=True, slots=True)
class Credentials:
    """What someone says of themselves."""

    name: str
    secret: str

    @property
    def auth(self) -> str:
        """As one word without `=` or spaces."""
        return f"{quote(self.name, safe='')}/{self.secret}"


def of_header(value: str) -> Credentials | None:
    """Those of an Authorization header; None: it has none."""
    found = _HEADER.fullmatch(value) if len(value) <= _LONGEST else None
    return of_token(found[1]) if found else None


def of_token(value: str) -> Credentials | None:
    """Those of a login's token; None: it is none.

    Liferea 1.14 posts it as `T` in place of a header where it asks for articles.
    """
    name, slash, secret = value.strip().partition("/")
    fits = slash and secret and len(value) <= _LONGEST
    return Credentials(unquote(name), secret) if fits else None


def for_changes(who: Credentials) -> str:
    """The token that changes carry."""
    digest = hashlib.sha256(f"changes/{who.auth}".encode("utf-8", "replace")).hexdigest()
    return digest[:_CHANGES_LENGTH]


def changes_allowed(token: str, who: Credentials) -> bool:
    """Whether a change carries the right token, or none.

    The header says who asks, and no page of another site can send that: the token protects nothing
    more. FeedMe, Reeder and RSS Guard send none or `x`; newsboat sends the line's end with it, and
    Liferea the login's token in its place.
    """
    given = token.strip()
    if given in ("", "x"):
        return True
    right = (for_changes(who), who.auth)
    return any(hmac.compare_digest(given.encode("utf-8", "replace"), one.encode()) for one in right)
