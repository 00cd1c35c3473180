"""Accounts that an OpenID Connect provider opens: found, made, connected, disconnected.

An account is found by the provider's subject alone. Never by a name or a mail address: whoever can
choose theirs at the provider could open somebody else's account.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from newsloom.accounts import lifetimes, openid, throttle, tokens
from newsloom.accounts.service import people, signing_in
from newsloom.accounts.values import SignInOutcome, SignInWay
from newsloom.kernel.errors import MustWait, NotFound, OpenIdFailed, UserError

if TYPE_CHECKING:
    from newsloom.accounts.openid import Identity
    from newsloom.accounts.service.account_service import AccountService, Principal
    from newsloom.accounts.service.signing_in import Origin
    from newsloom.accounts.values import UserAccount
    from newsloom.kernel.ids import UserId

UNKNOWN = (
    "it is not connected to an account. Sign in with your password and connect it on the Account "
    "page, or ask an administrator for an invitation"
)
OF_ANOTHER = "it is connected to another account; disconnect it there first"
ONLY_WAY = "Set a password first. Otherwise you could not sign in any more."
AGAIN = "Sign in again first. This needs a sign-in within the last ten minutes."


def take_turn(accounts: AccountService, origin: Origin) -> tuple[throttle.Counted, ...]:
    """Count an answer from a provider before anybody is asked about it. Raises MustWait."""
    counts = (throttle.of_network(origin.address),)
    waiting = accounts.store.accounts.take_attempt(counts, accounts.now())
    if waiting:
        raise MustWait(waiting)
    return counts


def sign_in(
    accounts: AccountService, identity: Identity, origin: Origin, *, make: bool, invited: str = ""
) -> str:
    """The token of a new session of whom a provider signed in; an account is made for an
    invitation, or if `make`. Raises OpenIdFailed, UserError, NotFound."""
    store = accounts.store.accounts
    account = store.account_of_identity(identity.issuer, identity.subject)
    if account is not None:
        user = account.user
    elif invited:
        user = _accept(accounts, identity, invited)
    elif make:
        user = _add(accounts, identity)
    else:
        store.record_sign_in(
            None, origin.address, SignInWay.OPENID, SignInOutcome.REFUSED, accounts.now()
        )
        raise OpenIdFailed(UNKNOWN)
    store.record_sign_in(user, origin.address, SignInWay.OPENID, SignInOutcome.OK, accounts.now())
    return signing_in.open_session(accounts, user, origin)


def _add(accounts: AccountService, identity: Identity) -> UserId:
    name = openid.account_name(identity.name)
    made = accounts.store.accounts.add_account_of_identity(
        name, accounts.user, identity.issuer, identity.subject, identity.name, accounts.now()
    )
    if made is None:
        raise OpenIdFailed(
            f"the name {name} is taken. If it is yours, sign in with your password and connect it "
            f"on the Account page"
        )
    accounts.changed()
    return made


def _accept(accounts: AccountService, identity: Identity, invited: str) -> UserId:
    if not people.invited(accounts, invited):
        raise NotFound(people.OVER)
    name = openid.account_name(identity.name)
    made = accounts.store.accounts.accept_invitation(
        tokens.digest(invited),
        name,
        "",
        accounts.now(),
        (identity.issuer, identity.subject, identity.name),
    )
    if made is None:
        raise UserError(people.TAKEN)
    accounts.changed()
    return made


def connect(accounts: AccountService, principal: Principal, identity: Identity) -> None:
    """Let whom a provider signed in open the account of who asks. Raises OpenIdFailed."""
    done = accounts.store.accounts.connect_identity(
        principal.user, identity.issuer, identity.subject, identity.name, accounts.now()
    )
    if not done:
        raise OpenIdFailed(OF_ANOTHER)


def disconnect(accounts: AccountService, principal: Principal, issuer: str, subject: str) -> None:
    """Raises UserError where nothing else opens the account, and NotFound."""
    store = accounts.store.accounts
    account = store.account_of(principal.user)
    others = [
        one
        for one in store.identities_of(principal.user)
        if (one.issuer, one.subject) != (issuer, subject)
    ]
    if account is not None and not account.password_hash and not others:
        raise UserError(ONLY_WAY)
    if not store.disconnect_identity(principal.user, issuer, subject):
        raise NotFound("There is no such connection.")


def set_first_password(
    accounts: AccountService, principal: Principal, password: str, origin: Origin
) -> str:
    """A password for an account that has none, after a recent sign-in; the token of the one session
    that goes on. Raises UserError."""
    account = recent(accounts, principal)
    people.set_password(accounts, account, password)
    return signing_in.open_session(accounts, account.user, origin)


def recent(accounts: AccountService, principal: Principal) -> UserAccount:
    """The account without a password of who signed in just now: what a password proves elsewhere.

    Raises UserError.
    """
    account = people.numbered(accounts, principal.user)
    session = principal.session
    if account.password_hash:
        raise UserError("Enter your current password.")
    if session is None or accounts.now() - session.made_at > lifetimes.RECENT:
        raise UserError(AGAIN)
    return account
