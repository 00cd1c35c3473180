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
    from newsloom.accounts.service.desk import Desk, Visitor
    from newsloom.accounts.service.signing_in import From
    from newsloom.accounts.values import UserAccount
    from newsloom.kernel.ids import UserId

UNKNOWN = (
    "it is not connected to an account. Sign in with your password and connect it on the Account "
    "page, or ask an administrator for an invitation"
)
OF_ANOTHER = "it is connected to another account; disconnect it there first"
ONLY_WAY = "Set a password first. Otherwise you could not sign in any more."
AGAIN = "Sign in again first. This needs a sign-in within the last ten minutes."


def take_turn(desk: Desk, place: From) -> tuple[throttle.Counted, ...]:
    """Count an answer from a provider before anybody is asked about it. Raises MustWait."""
    counts = (throttle.of_network(place.address),)
    waiting = desk.store.accounts.take_attempt(counts, desk.now())
    if waiting:
        raise MustWait(waiting)
    return counts


def sign_in(desk: Desk, identity: Identity, place: From, *, make: bool, invited: str = "") -> str:
    """The token of a new session of whom a provider signed in; an account is made for an
    invitation, or if `make`. Raises OpenIdFailed, UserError, NotFound."""
    store = desk.store.accounts
    account = store.account_of_identity(identity.issuer, identity.subject)
    if account is not None:
        user = account.user
    elif invited:
        user = _accept(desk, identity, invited)
    elif make:
        user = _add(desk, identity)
    else:
        store.record_sign_in(
            None, place.address, SignInWay.OPENID, SignInOutcome.REFUSED, desk.now()
        )
        raise OpenIdFailed(UNKNOWN)
    store.record_sign_in(user, place.address, SignInWay.OPENID, SignInOutcome.OK, desk.now())
    return signing_in.open_session(desk, user, place)


def _add(desk: Desk, identity: Identity) -> UserId:
    name = openid.account_name(identity.name)
    made = desk.store.accounts.add_account_of_identity(
        name, desk.user, identity.issuer, identity.subject, identity.name, desk.now()
    )
    if made is None:
        raise OpenIdFailed(
            f"the name {name} is taken. If it is yours, sign in with your password and connect it "
            f"on the Account page"
        )
    desk.changed()
    return made


def _accept(desk: Desk, identity: Identity, invited: str) -> UserId:
    if not people.invited(desk, invited):
        raise NotFound(people.OVER)
    name = openid.account_name(identity.name)
    made = desk.store.accounts.accept_invitation(
        tokens.digest(invited),
        name,
        "",
        desk.now(),
        (identity.issuer, identity.subject, identity.name),
    )
    if made is None:
        raise UserError(people.TAKEN)
    desk.changed()
    return made


def connect(desk: Desk, visitor: Visitor, identity: Identity) -> None:
    """Let whom a provider signed in open the account of who asks. Raises OpenIdFailed."""
    done = desk.store.accounts.connect_identity(
        visitor.user, identity.issuer, identity.subject, identity.name, desk.now()
    )
    if not done:
        raise OpenIdFailed(OF_ANOTHER)


def disconnect(desk: Desk, visitor: Visitor, issuer: str, subject: str) -> None:
    """Raises UserError where nothing else opens the account, and NotFound."""
    store = desk.store.accounts
    account = store.account_of(visitor.user)
    others = [
        one
        for one in store.identities_of(visitor.user)
        if (one.issuer, one.subject) != (issuer, subject)
    ]
    if account is not None and not account.password_hash and not others:
        raise UserError(ONLY_WAY)
    if not store.disconnect_identity(visitor.user, issuer, subject):
        raise NotFound("There is no such connection.")


def set_first_password(desk: Desk, visitor: Visitor, password: str, place: From) -> str:
    """A password for an account that has none, after a recent sign-in; the token of the one session
    that goes on. Raises UserError."""
    account = recent(desk, visitor)
    people.set_password(desk, account, password)
    return signing_in.open_session(desk, account.user, place)


def recent(desk: Desk, visitor: Visitor) -> UserAccount:
    """The account without a password of who signed in just now: what a password proves elsewhere.

    Raises UserError.
    """
    account = people.numbered(desk, visitor.user)
    session = visitor.session
    if account.password_hash:
        raise UserError("Enter your current password.")
    if session is None or desk.now() - session.made_at > lifetimes.RECENT:
        raise UserError(AGAIN)
    return account
