"""Calls of `store.accounts`; those of them that only read."""

from __future__ import annotations

from newsloom.accounts.values import (
    AppPasswordId,
    InvitationId,
    KeyedRequest,
    Role,
    SessionId,
    SignInOutcome,
    SignInWay,
)
from newsloom.kernel.ids import UserId
from store.builders import HOUR, NOW

from .made import ANNA, COUNTS, USER

CALLS = {
    "any_account": lambda s: s.accounts.any_account(),
    "account_named": lambda s: s.accounts.account_named("anna"),
    "account_of": lambda s: s.accounts.account_of(USER),
    "accounts": lambda s: s.accounts.accounts(),
    "add_account": lambda s: s.accounts.add_account("anna", Role.READER, "", NOW),
    "add_first_account": lambda s: s.accounts.add_first_account("anna", "", NOW, USER),
    "set_password": lambda s: s.accounts.set_password(USER, "hash"),
    "rehash_password": lambda s: s.accounts.rehash_password(USER, "hash", "other"),
    "set_role": lambda s: s.accounts.set_role(USER, Role.ADMIN),
    "open_session": lambda s: s.accounts.open_session(USER, "digest", NOW, "::1", "browser", "old"),
    "session": lambda s: s.accounts.session("digest", NOW),
    "sessions_of": lambda s: s.accounts.sessions_of(USER, NOW),
    "session_seen": lambda s: s.accounts.session_seen(SessionId(1), NOW),
    "end_session": lambda s: s.accounts.end_session(USER, SessionId(1)),
    "end_sessions": lambda s: s.accounts.end_sessions(USER, SessionId(1)),
    "add_app_password": lambda s: s.accounts.add_app_password(ANNA, "phone", "d", "f", NOW),
    "app_passwords": lambda s: s.accounts.app_passwords(USER),
    "revoke_app_password": lambda s: s.accounts.revoke_app_password(USER, AppPasswordId(1)),
    "app_password_user": lambda s: s.accounts.app_password_user("digest"),
    "app_password_used": lambda s: s.accounts.app_password_used(AppPasswordId(1), NOW),
    "account_of_identity": lambda s: s.accounts.account_of_identity("https://id", "17"),
    "identities_of": lambda s: s.accounts.identities_of(USER),
    "connect_identity": lambda s: s.accounts.connect_identity(USER, "https://id", "17", "A", NOW),
    "disconnect_identity": lambda s: s.accounts.disconnect_identity(USER, "https://id", "17"),
    "add_account_of_identity": lambda s: s.accounts.add_account_of_identity(
        "cleo", USER, "https://id", "17", "Cleo", NOW
    ),
    "invite": lambda s: s.accounts.invite("digest", Role.READER, USER, NOW, NOW + HOUR),
    "invitations": lambda s: s.accounts.invitations(NOW),
    "invited": lambda s: s.accounts.invited("digest", NOW),
    "accept_invitation": lambda s: s.accounts.accept_invitation("digest", "bob", "", NOW),
    "withdraw_invitation": lambda s: s.accounts.withdraw_invitation(InvitationId(1)),
    "claim_key": lambda s: s.accounts.claim_key(KeyedRequest(USER, "k", "r"), NOW),
    "put_keyed_answer": lambda s: s.accounts.put_keyed_answer(KeyedRequest(USER, "k", "r"), 201),
    "take_attempt": lambda s: s.accounts.take_attempt(COUNTS, NOW),
    "attempt_succeeded": lambda s: s.accounts.attempt_succeeded(COUNTS),
    "record_sign_in": lambda s: s.accounts.record_sign_in(
        USER, "::1", SignInWay.PASSWORD, SignInOutcome.OK, NOW
    ),
    "sign_ins": lambda s: s.accounts.sign_ins(1, USER),
    "everything_of": lambda s: s.accounts.everything_of(USER),
    "articles_named": lambda s: s.accounts.articles_named([1]),
    "close_account": lambda s: s.accounts.close_account(UserId(2)),
    "remove_person": lambda s: s.accounts.remove_person(UserId(2)),
    "signed_in_from": lambda s: s.accounts.signed_in_from(USER, "::1"),
}
READS = {
    "account_named",
    "account_of",
    "account_of_identity",
    "identities_of",
    "accounts",
    "any_account",
    "app_password_user",
    "app_passwords",
    "articles_named",
    "everything_of",
    "invitations",
    "invited",
    "session",
    "sessions_of",
    "sign_ins",
    "signed_in_from",
}
