"""Accounts: made, listed, given another password or role, removed; invitations; app passwords."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from newsloom.accounts import lifetimes, names, passwords, tokens
from newsloom.accounts.service.account_service import AccountService, Principal
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


def add(
    accounts: AccountService, name: str, password: str, role: Role, take_over: UserId | None = None
) -> Made:
    """Make an account. The first is an administrator's, and of who read here so far.

    `take_over` names another user who has none yet. Raises UserError.
    """
    wanted = names.checked(name)
    hashed = accounts.hasher.hash(passwords.checked(password, wanted))
    store = accounts.store.accounts
    if take_over is None:
        user = store.add_first_account(wanted, hashed, accounts.now(), accounts.user)
        if user is not None:
            accounts.changed()
            return Made(user, wanted, first=True)
    user = store.add_account(wanted, role, hashed, accounts.now(), take_over)
    if user is None:
        raise UserError(TAKEN)
    accounts.changed()
    return Made(user, wanted)


def first(accounts: AccountService, name: str, password: str, address: str) -> Made:
    """The first account alone, signed in. Raises UserError where there is one already."""
    wanted = names.checked(name)
    hashed = accounts.hasher.hash(passwords.checked(password, wanted))
    user = accounts.store.accounts.add_first_account(wanted, hashed, accounts.now(), accounts.user)
    if user is None:
        raise UserError("An account already exists. Sign in.")
    accounts.store.accounts.record_sign_in(
        user, address, SignInWay.PASSWORD, SignInOutcome.OK, accounts.now()
    )
    accounts.changed()
    return Made(user, wanted, first=True)


def of_proxy(accounts: AccountService, name: str, address: str, *, make: bool) -> Principal | None:
    """Whom a trusted proxy says it signed in; made on first sight only if that is wanted."""
    wanted = names.folded(name)
    store = accounts.store.accounts
    account = store.account_named(wanted)
    if account is None and make:
        role = Role.READER if store.any_account() else Role.ADMIN
        made = store.add_account(names.checked(name), role, "", accounts.now())
        if made is not None:
            store.record_sign_in(made, address, SignInWay.PROXY, SignInOutcome.OK, accounts.now())
            accounts.changed()
        account = store.account_named(wanted)
    return None if account is None else Principal(account.user, account.name, account.role)


def named(accounts: AccountService, name: str) -> UserAccount:
    """The account of a name. Raises NotFound."""
    found = accounts.store.accounts.account_named(names.folded(name))
    if found is None:
        raise NotFound(f"There is no account {name!r:.80}. List them with `newsloom user list`.")
    return found


def numbered(accounts: AccountService, user: int) -> UserAccount:
    """The account of a user's number. Raises NotFound."""
    found = accounts.store.accounts.account_of(UserId(user))
    if found is None:
        raise NotFound("There is no such account.")
    return found


def set_password(accounts: AccountService, account: UserAccount, password: str) -> None:
    """Another password, without the old one: at the command line. All sessions end."""
    wanted = passwords.checked(password, account.name)
    accounts.store.accounts.set_password(account.user, accounts.hasher.hash(wanted))


def set_role(accounts: AccountService, account: UserAccount, role: Role) -> None:
    if not accounts.store.accounts.set_role(account.user, role):
        raise UserError(LAST_ADMIN)


def remove(accounts: AccountService, account: UserAccount) -> None:
    """Delete an account and everything of its user. Raises UserError for the only administrator."""
    sounds = accounts.store.briefs.sounds_of(account.user)
    if not accounts.store.accounts.remove_person(account.user):
        raise UserError(LAST_ADMIN)
    accounts.remove_sounds(sounds)  # what a kill leaves here is found by nobody's brief naming it
    accounts.changed()


def close(accounts: AccountService, account: UserAccount) -> None:
    """Delete an account, and keep what was read: at the command line.

    The last account may go so too; nobody needs to sign in on this machine then.
    """
    accounts.store.accounts.close_account(account.user)
    accounts.changed()


def invite(accounts: AccountService, role: Role, made_by: UserId | None) -> tuple[str, datetime]:
    """The token of an invitation, and when it is over."""
    token, now = accounts.token(tokens.APP_PASSWORD_BYTES), accounts.now()
    over = now + lifetimes.INVITATION
    accounts.store.accounts.invite(tokens.digest(token), role, made_by, now, over)
    return token, over


def invited(accounts: AccountService, token: str) -> bool:
    return accounts.store.accounts.invited(tokens.digest(token), accounts.now())


def accept(accounts: AccountService, token: str, name: str, password: str, address: str) -> Made:
    """Make the account of an invitation, once. Raises UserError, NotFound."""
    if not invited(accounts, token):
        raise NotFound(OVER)
    wanted = names.checked(name)
    hashed = accounts.hasher.hash(passwords.checked(password, wanted))
    store = accounts.store.accounts
    user = store.accept_invitation(tokens.digest(token), wanted, hashed, accounts.now())
    if user is None:
        raise UserError(TAKEN) if invited(accounts, token) else NotFound(OVER)
    store.record_sign_in(user, address, SignInWay.INVITATION, SignInOutcome.OK, accounts.now())
    accounts.changed()
    return Made(user, wanted)


def withdraw(accounts: AccountService, number: int) -> None:
    if not accounts.store.accounts.withdraw_invitation(InvitationId(number)):
        raise NotFound("There is no such invitation.")


def add_app_password(accounts: AccountService, account: UserAccount, name: str) -> str:
    """A password for a program, told this once. Raises UserError where the name is taken."""
    wanted = names.app_password_name(name)
    token = accounts.token(tokens.APP_PASSWORD_BYTES)
    made = accounts.store.accounts.add_app_password(
        account,
        wanted,
        tokens.digest(token),
        tokens.fever_digest(account.name, token),
        accounts.now(),
    )
    if made is None:
        raise UserError(f"An app password {wanted!r} already exists. Remove it first.")
    return token


def revoke_app_passwords(accounts: AccountService, user: UserId) -> None:
    """All of them: programs that use one are shut out."""
    for one in accounts.store.accounts.app_passwords(user):
        accounts.store.accounts.revoke_app_password(user, one.id)


def revoke_app_password(accounts: AccountService, user: UserId, number: int) -> None:
    if not accounts.store.accounts.revoke_app_password(user, AppPasswordId(number)):
        raise NotFound("There is no such app password.")
