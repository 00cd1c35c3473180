"""Accounts: made, listed, given another password or role, removed; invitations; app passwords."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from newsloom.accounts import lifetimes, names, passwords, tokens
from newsloom.accounts.service.desk import Desk, Visitor
from newsloom.accounts.values import AppPasswordId, InvitationId, Role, SignInOutcome, SignInWay
from newsloom.kernel.errors import NotFound, UserError
from newsloom.kernel.ids import UserId

if TYPE_CHECKING:
    from newsloom.accounts.values import UserAccount

TAKEN = "That name is taken."
OVER = "This invitation is no longer valid. Ask for a new one."
LAST_ADMIN = "This is the only administrator. Appoint another one first."


@dataclass(frozen=True, slots=True)
class Made:
    """An account that was just made."""

    user: UserId
    name: str
    first: bool = False  # it took over what was read before there were accounts


def add(desk: Desk, name: str, password: str, role: Role, take_over: UserId | None = None) -> Made:
    """Make an account. The first is an administrator's, and of who read here so far.

    `take_over` names another user who has none yet. Raises UserError.
    """
    wanted = names.checked(name)
    hashed = desk.hasher.hash(passwords.checked(password, wanted))
    store = desk.store.accounts
    if take_over is None:
        user = store.add_first_account(wanted, hashed, desk.now(), desk.user)
        if user is not None:
            desk.changed()
            return Made(user, wanted, first=True)
    user = store.add_account(wanted, role, hashed, desk.now(), take_over)
    if user is None:
        raise UserError(TAKEN)
    desk.changed()
    return Made(user, wanted)


def first(desk: Desk, name: str, password: str, address: str) -> Made:
    """The first account alone, signed in. Raises UserError where there is one already."""
    wanted = names.checked(name)
    hashed = desk.hasher.hash(passwords.checked(password, wanted))
    user = desk.store.accounts.add_first_account(wanted, hashed, desk.now(), desk.user)
    if user is None:
        raise UserError("An account already exists. Sign in.")
    desk.store.accounts.record_sign_in(
        user, address, SignInWay.PASSWORD, SignInOutcome.OK, desk.now()
    )
    desk.changed()
    return Made(user, wanted, first=True)


def of_proxy(desk: Desk, name: str, address: str, *, make: bool) -> Visitor | None:
    """Whom a trusted proxy says it signed in; made on first sight only if that is wanted."""
    wanted = names.folded(name)
    store = desk.store.accounts
    account = store.account_named(wanted)
    if account is None and make:
        role = Role.READER if store.any_account() else Role.ADMIN
        made = store.add_account(names.checked(name), role, "", desk.now())
        if made is not None:
            store.record_sign_in(made, address, SignInWay.PROXY, SignInOutcome.OK, desk.now())
            desk.changed()
        account = store.account_named(wanted)
    return None if account is None else Visitor(account.user, account.name, account.role)


def named(desk: Desk, name: str) -> UserAccount:
    """The account of a name. Raises NotFound."""
    found = desk.store.accounts.account_named(names.folded(name))
    if found is None:
        raise NotFound(f"There is no account {name!r:.80}. List them with `newsloom user list`.")
    return found


def numbered(desk: Desk, user: int) -> UserAccount:
    """The account of a user's number. Raises NotFound."""
    found = desk.store.accounts.account_of(UserId(user))
    if found is None:
        raise NotFound("There is no such account.")
    return found


def set_password(desk: Desk, account: UserAccount, password: str) -> None:
    """Another password, without the old one: at the command line. All sessions end."""
    wanted = passwords.checked(password, account.name)
    desk.store.accounts.set_password(account.user, desk.hasher.hash(wanted))


def set_role(desk: Desk, account: UserAccount, role: Role) -> None:
    if not desk.store.accounts.set_role(account.user, role):
        raise UserError(LAST_ADMIN)


def remove(desk: Desk, account: UserAccount) -> None:
    """Delete an account and everything of its user. Raises UserError for the only administrator."""
    sounds = desk.store.briefs.sounds_of(account.user)
    if not desk.store.accounts.remove_person(account.user):
        raise UserError(LAST_ADMIN)
    desk.remove_sounds(sounds)  # what a kill leaves here is found by nobody's brief naming it
    desk.changed()


def close(desk: Desk, account: UserAccount) -> None:
    """Delete an account, and keep what was read: at the command line.

    The last account may go so too; nobody needs to sign in on this machine then.
    """
    desk.store.accounts.close_account(account.user)
    desk.changed()


def invite(desk: Desk, role: Role, made_by: UserId | None) -> tuple[str, datetime]:
    """The token of an invitation, and when it is over."""
    token, now = desk.token(tokens.APP_PASSWORD_BYTES), desk.now()
    over = now + lifetimes.INVITATION
    desk.store.accounts.invite(tokens.digest(token), role, made_by, now, over)
    return token, over


def invited(desk: Desk, token: str) -> bool:
    return desk.store.accounts.invited(tokens.digest(token), desk.now())


def accept(desk: Desk, token: str, name: str, password: str, address: str) -> Made:
    """Make the account of an invitation, once. Raises UserError, NotFound."""
    if not invited(desk, token):
        raise NotFound(OVER)
    wanted = names.checked(name)
    hashed = desk.hasher.hash(passwords.checked(password, wanted))
    store = desk.store.accounts
    user = store.accept_invitation(tokens.digest(token), wanted, hashed, desk.now())
    if user is None:
        raise UserError(TAKEN) if invited(desk, token) else NotFound(OVER)
    store.record_sign_in(user, address, SignInWay.INVITATION, SignInOutcome.OK, desk.now())
    desk.changed()
    return Made(user, wanted)


def withdraw(desk: Desk, number: int) -> None:
    if not desk.store.accounts.withdraw_invitation(InvitationId(number)):
        raise NotFound("There is no such invitation.")


def add_app_password(desk: Desk, account: UserAccount, name: str) -> str:
    """A password for a program, told this once. Raises UserError where the name is taken."""
    wanted = names.app_password_name(name)
    token = desk.token(tokens.APP_PASSWORD_BYTES)
    made = desk.store.accounts.add_app_password(
        account,
        wanted,
        tokens.digest(token),
        tokens.fever_digest(account.name, token),
        desk.now(),
    )
    if made is None:
        raise UserError(f"An app password {wanted!r} already exists. Remove it first.")
    return token


def revoke_app_passwords(desk: Desk, user: UserId) -> None:
    """All of them: programs that use one are shut out."""
    for one in desk.store.accounts.app_passwords(user):
        desk.store.accounts.revoke_app_password(user, one.id)


def revoke_app_password(desk: Desk, user: UserId, number: int) -> None:
    if not desk.store.accounts.revoke_app_password(user, AppPasswordId(number)):
        raise NotFound("There is no such app password.")
