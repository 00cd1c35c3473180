"""Signing in with a password, and the sessions that come of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from newsloom.accounts import lifetimes, names, passwords, throttle, tokens
from newsloom.accounts.service.account_service import NOBODY, AccountService, Principal
from newsloom.accounts.values import SessionId, SignInOutcome, SignInWay
from newsloom.kernel.errors import MustWait, NotFound, SignInRefused, UserError
from newsloom.kernel.ids import UserId

if TYPE_CHECKING:
    from newsloom.accounts.values import OpenSession, UserAccount


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a sign-in comes from."""

    address: str = ""
    agent: str = ""
    token: str = ""  # of the session that the browser has; another takes its place


def sign_in(accounts: AccountService, name: str, password: str, origin: Origin) -> str:
    """The token of a new session. Raises SignInRefused, the same for a name that nobody has, and
    MustWait. Takes as long for names that nobody has."""
    account = checked(accounts, name, password, origin)
    accounts.store.accounts.record_sign_in(
        account.user, origin.address, SignInWay.PASSWORD, SignInOutcome.OK, accounts.now()
    )
    return open_session(accounts, account.user, origin)


def checked(accounts: AccountService, name: str, password: str, origin: Origin) -> UserAccount:
    """The account of a name and its password; attempts are counted, and failures written down."""
    store, wanted = accounts.store.accounts, names.folded(name[: 2 * names.LONGEST])
    account = store.account_named(wanted)
    user = NOBODY if account is None else account.user
    known_there = store.signed_in_from(user, origin.address)
    counts = throttle.counts(wanted, origin.address, known_there=known_there)
    waiting = store.take_attempt(counts, accounts.now())
    if waiting:
        raise MustWait(waiting)
    given = passwords.normalised(password[: 2 * passwords.LONGEST])
    kept = "" if account is None else account.password_hash
    if not accounts.hasher.matches(kept, given) or account is None:
        store.record_sign_in(
            None if account is None else account.user,
            origin.address,
            SignInWay.PASSWORD,
            SignInOutcome.WRONG,
            accounts.now(),
        )
        raise SignInRefused
    store.attempt_succeeded(counts)
    if accounts.hasher.outdated(kept):
        store.rehash_password(account.user, kept, accounts.hasher.hash(given))
    return account


def open_session(accounts: AccountService, user: UserId, origin: Origin) -> str:
    """The token of a new session: never one that came with the request."""
    token = accounts.token(tokens.SESSION_BYTES)
    accounts.store.accounts.open_session(
        user,
        tokens.digest(token),
        accounts.now(),
        origin.address,
        origin.agent,
        tokens.digest(origin.token) if origin.token else "",
    )
    return token


def principal_of(accounts: AccountService, token: str) -> Principal | None:
    """Who a session's token is of; None: of nobody, or the session is over."""
    now = accounts.now()
    found = accounts.store.accounts.session(tokens.digest(token), now) if token else None
    if found is None:
        return None
    if lifetimes.worth_noting(found.seen_at, now):
        accounts.store.accounts.session_seen(found.id, now)
    return Principal(found.user, found.name, found.role, found)


def sign_out(accounts: AccountService, principal: Principal) -> None:
    if principal.session is not None:
        accounts.store.accounts.end_session(principal.user, principal.session.id)


def sessions(accounts: AccountService, principal: Principal) -> tuple[OpenSession, ...]:
    return accounts.store.accounts.sessions_of(principal.user, accounts.now())


def end_session(accounts: AccountService, principal: Principal, number: int) -> None:
    """Raises NotFound, also for a session of somebody else."""
    if not accounts.store.accounts.end_session(principal.user, SessionId(number)):
        raise NotFound("There is no such session.")


def end_others(accounts: AccountService, principal: Principal) -> int:
    """End all sessions but the one that asks; how many that were."""
    own = principal.session.id if principal.session else None
    return accounts.store.accounts.end_sessions(principal.user, own)


def change_password(
    accounts: AccountService, principal: Principal, old: str, new: str, origin: Origin
) -> str:
    """The token of the one session that goes on; every other ends.

    Raises UserError: the old one is wrong, which counts as an attempt, or the new one is not taken.
    """
    wanted = passwords.checked(new, principal.name)
    account = accounts.store.accounts.account_of(principal.user)
    if account is None:
        raise NotFound("There is no such account.")
    try:
        checked(accounts, account.name, old, origin)
    except MustWait:
        raise
    except SignInRefused:
        raise UserError("That is not your current password.") from None
    accounts.store.accounts.set_password(principal.user, accounts.hasher.hash(wanted))
    return open_session(accounts, principal.user, origin)
