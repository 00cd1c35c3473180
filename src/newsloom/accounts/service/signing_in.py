"""Signing in with a password, and the sessions that come of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from newsloom.accounts import lifetimes, names, passwords, throttle, tokens
from newsloom.accounts.service.desk import NOBODY, Desk, Visitor
from newsloom.accounts.values import SessionId, SignInOutcome, SignInWay
from newsloom.kernel.errors import MustWait, NotFound, SignInRefused, UserError
from newsloom.kernel.ids import UserId

if TYPE_CHECKING:
    from newsloom.accounts.values import OpenSession, UserAccount


@dataclass(frozen=True, slots=True)
class From:
    """Where a sign-in comes from."""

    address: str = ""
    agent: str = ""
    token: str = ""  # of the session that the browser has; another takes its place


def sign_in(desk: Desk, name: str, password: str, place: From) -> str:
    """The token of a new session. Raises SignInRefused, the same for a name that nobody has, and
    MustWait. Takes as long for names that nobody has."""
    account = checked(desk, name, password, place)
    desk.store.accounts.record_sign_in(
        account.user, place.address, SignInWay.PASSWORD, SignInOutcome.OK, desk.now()
    )
    return open_session(desk, account.user, place)


def checked(desk: Desk, name: str, password: str, place: From) -> UserAccount:
    """The account of a name and its password; attempts are counted, and failures written down."""
    store, wanted = desk.store.accounts, names.folded(name[: 2 * names.LONGEST])
    account = store.account_named(wanted)
    user = NOBODY if account is None else account.user
    known_there = store.signed_in_from(user, place.address)
    counts = throttle.counts(wanted, place.address, known_there=known_there)
    waiting = store.take_attempt(counts, desk.now())
    if waiting:
        raise MustWait(waiting)
    given = passwords.normalised(password[: 2 * passwords.LONGEST])
    kept = "" if account is None else account.password_hash
    if not desk.hasher.matches(kept, given) or account is None:
        store.record_sign_in(
            None if account is None else account.user,
            place.address,
            SignInWay.PASSWORD,
            SignInOutcome.WRONG,
            desk.now(),
        )
        raise SignInRefused
    store.attempt_succeeded(counts)
    if desk.hasher.outdated(kept):
        store.rehash_password(account.user, kept, desk.hasher.hash(given))
    return account


def open_session(desk: Desk, user: UserId, place: From) -> str:
    """The token of a new session: never one that came with the request."""
    token = desk.token(tokens.SESSION_BYTES)
    desk.store.accounts.open_session(
        user,
        tokens.digest(token),
        desk.now(),
        place.address,
        place.agent,
        tokens.digest(place.token) if place.token else "",
    )
    return token


def visitor(desk: Desk, token: str) -> Visitor | None:
    """Who a session's token is of; None: of nobody, or the session is over."""
    now = desk.now()
    found = desk.store.accounts.session(tokens.digest(token), now) if token else None
    if found is None:
        return None
    if lifetimes.worth_noting(found.seen_at, now):
        desk.store.accounts.session_seen(found.id, now)
    return Visitor(found.user, found.name, found.role, found)


def sign_out(desk: Desk, visitor: Visitor) -> None:
    if visitor.session is not None:
        desk.store.accounts.end_session(visitor.user, visitor.session.id)


def sessions(desk: Desk, visitor: Visitor) -> tuple[OpenSession, ...]:
    return desk.store.accounts.sessions_of(visitor.user, desk.now())


def end_session(desk: Desk, visitor: Visitor, number: int) -> None:
    """Raises NotFound, also for a session of somebody else."""
    if not desk.store.accounts.end_session(visitor.user, SessionId(number)):
        raise NotFound("There is no such session.")


def end_others(desk: Desk, visitor: Visitor) -> int:
    """End all sessions but the one that asks; how many that were."""
    own = visitor.session.id if visitor.session else None
    return desk.store.accounts.end_sessions(visitor.user, own)


def change_password(desk: Desk, visitor: Visitor, old: str, new: str, place: From) -> str:
    """The token of the one session that goes on; every other ends.

    Raises UserError: the old one is wrong, which counts as an attempt, or the new one is not taken.
    """
    wanted = passwords.checked(new, visitor.name)
    account = desk.store.accounts.account_of(visitor.user)
    if account is None:
        raise NotFound("There is no such account.")
    try:
        checked(desk, account.name, old, place)
    except MustWait:
        raise
    except SignInRefused:
        raise UserError("That is not your current password.") from None
    desk.store.accounts.set_password(visitor.user, desk.hasher.hash(wanted))
    return open_session(desk, visitor.user, place)
