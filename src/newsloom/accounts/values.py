"""Values about accounts: who may sign in, sessions, app passwords, invitations, the audit."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import NewType

from newsloom.kernel.ids import UserId

SessionId = NewType("SessionId", int)
AppPasswordId = NewType("AppPasswordId", int)
InvitationId = NewType("InvitationId", int)


class Role(StrEnum):
    ADMIN = "admin"  # also changes what is of all readers
    READER = "reader"


class SignInWay(StrEnum):
    PASSWORD = "password"  # noqa: S105
    INVITATION = "invitation"
    PROXY = "proxy"
    OPENID = "OpenID Connect"
    APP_PASSWORD = "app password"  # noqa: S105


class SignInOutcome(StrEnum):
    OK = "signed in"
    WRONG = "wrong name or password"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class UserAccount:
    """What lets a user sign in."""

    user: UserId
    name: str
    role: Role
    password_hash: str  # empty: no password opens it
    made_at: datetime

    def __repr__(self) -> str:
        """Without the hash, which has no place in a log."""
        return f"UserAccount({self.user}, {self.name!r}, {self.role.value})"


@dataclass(frozen=True, slots=True)
class OpenSession:
    """A browser that is signed in."""

    id: SessionId
    user: UserId
    name: str  # of the account
    role: Role
    made_at: datetime
    seen_at: datetime  # roughly
    ends_at: datetime
    address: str
    agent: str  # what the browser calls itself


@dataclass(frozen=True, slots=True)
class ConnectedIdentity:
    """Somebody at an OpenID Connect provider, who opens an account."""

    issuer: str
    subject: str  # by what the provider knows them
    name: str  # what it called them when they were connected
    made_at: datetime


@dataclass(frozen=True, slots=True)
class AppPassword:
    """A password of a program's own. The password itself is not kept."""

    id: AppPasswordId
    name: str
    made_at: datetime
    used_at: datetime | None  # roughly


@dataclass(frozen=True, slots=True)
class Invitation:
    """A link with which one person makes an account."""

    id: InvitationId
    role: Role
    made_by: UserId | None
    made_at: datetime
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class SignIn:
    """One attempt, as the audit keeps it."""

    at: datetime
    user: UserId | None  # None: no such name, which is not kept
    name: str
    address: str
    way: SignInWay
    outcome: SignInOutcome


# How long the answer to an Idempotency-Key is kept.
KEY_LIFETIME = timedelta(hours=24)


@dataclass(frozen=True, slots=True)
class KeyedRequest:
    """A request that is to be done once, by the key that a program gave it."""

    user: UserId
    key: str
    request: str  # a digest of its method, path and body


@dataclass(frozen=True, slots=True)
class KeyedAnswer:
    """What a request with the same key came to."""

    request: str  # the digest of that request
    status: int | None  # None: it was not answered
    body: str
