"""Who asks for the JSON API: who shows an app password, besides who is signed in to the pages.

A browser adds an app password to no request by itself, since no answer of ours asks it to; so what
shows one changes things from wherever it comes. Where nobody has an account there are none, and a
program says that it is one by sending JSON: no page of another site can do that unasked either
(it is no "simple" content type of CORS, and nothing here answers a preflight).
"""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass

from starlette.datastructures import Headers

from newsloom.accounts.service.account_service import Principal
from newsloom.accounts.service.app_passwords import AppPasswords
from newsloom.accounts.values import Role
from newsloom.store import Store

PREFIX = "/api/v1"
# What the API is, for everybody.
DOCUMENT = PREFIX + "/openapi.json"
# The same as a page for people.
PAGE = "/api/docs"

# The challenge of an answer 401. Never "Basic": a browser would ask for a name and a password, and
# from then on add them to what any page sends here.
CHALLENGE = {"www-authenticate": 'Bearer realm="Newsloom"'}

# Any page may send these unasked (Fetch standard, "CORS-safelisted request-header").
_SIMPLE = {"", "application/x-www-form-urlencoded", "multipart/form-data", "text/plain"}
_LONGEST = 2_000


@dataclass(frozen=True, slots=True)
class Credentials:
    """What a program shows. `name` None: only an app password."""

    name: str | None
    secret: str


def is_api(path: str) -> bool:
    """Whether an address is of the API."""
    return path == PREFIX or path.startswith(PREFIX + "/")


def credentials(headers: Headers) -> Credentials | None:
    """What the Authorization header shows; None: nothing that is known here."""
    scheme, _, value = headers.get("authorization", "")[:_LONGEST].partition(" ")
    value = value.strip()
    if scheme.lower() == "bearer" and value:
        return Credentials(None, value)
    if scheme.lower() != "basic":
        return None
    try:
        name, colon, secret = base64.b64decode(value, validate=True).decode().partition(":")
    except (binascii.Error, ValueError):
        return None
    return Credentials(name, secret) if colon and secret else None


def program_may_change(path: str, headers: Headers, *, from_a_page: bool) -> bool:
    """Whether a request shows that a program of the reader's sends it, and no page of another's.

    Whether what it shows is right, is asked later.
    """
    if not is_api(path):
        return False
    shown = credentials(headers)
    if shown is not None and shown.name is None:
        return True
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    return not from_a_page and (shown is not None or kind not in _SIMPLE)


def principal_of(
    store: Store, passwords: AppPasswords | None, shown: Credentials, address: str
) -> Principal | None:
    """Whose app password it is. Raises MustWait."""
    if passwords is None:
        return None
    if shown.name is None:
        user = passwords.user_of_secret(shown.secret, address)
    else:
        user = passwords.user_of(shown.name, shown.secret, address)
    account = None if user is None else store.accounts.account_of(user)
    # With an app password nobody administers anything.
    return None if account is None else Principal(account.user, account.name, Role.READER)
