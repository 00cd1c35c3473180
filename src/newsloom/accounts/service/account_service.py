"""What the use cases of accounts share, and whether anybody must sign in."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cached_property
from typing import TYPE_CHECKING

from newsloom.accounts import tokens
from newsloom.accounts.values import Role
from newsloom.kernel.ids import UserId

if TYPE_CHECKING:
    from argon2 import PasswordHasher

    from newsloom.accounts.values import OpenSession
    from newsloom.store import Store


# Hashes of passwords by argon2id. Knows no account.

# OWASP's Password Storage Cheat Sheet (2025): argon2id with 19 MiB, two passes, one lane, among
# five settings that it holds to be equal. Some 20 ms of one core here.
MEMORY_KIB = 19 * 1024
PASSES = 2
LANES = 1


class Hasher:
    """Makes and checks hashes; the parameters stand in each, so old ones are checked by their own.

    argon2 is imported when it is first used: most commands hash nothing.
    """

    def __init__(
        self, memory_kib: int = MEMORY_KIB, passes: int = PASSES, lanes: int = LANES
    ) -> None:
        self._memory_kib, self._passes, self._lanes = memory_kib, passes, lanes

    @cached_property
    def _argon2(self) -> PasswordHasher:
        from argon2 import PasswordHasher

        return PasswordHasher(
            time_cost=self._passes, memory_cost=self._memory_kib, parallelism=self._lanes
        )

    @cached_property
    def of_nobody(self) -> str:
        """What a password is checked against where there is no hash: it takes as long."""
        return self._argon2.hash("nobody's password, which opens nothing")

    def hash(self, password: str) -> str:
        return self._argon2.hash(password)

    def matches(self, kept: str, password: str) -> bool:
        """Whether a password is the one of a hash; False, as slowly, where the hash is empty."""
        from argon2.exceptions import InvalidHashError, VerificationError

        try:
            self._argon2.verify(kept or self.of_nobody, password)
        except (VerificationError, InvalidHashError):
            return False
        return bool(kept)

    def outdated(self, kept: str) -> bool:
        """Whether a hash was made with other parameters than these."""
        return self._argon2.check_needs_rehash(kept)


# How long it may take until a server notices that another process made the first account.
NOTICED = timedelta(seconds=2)


NOBODY = UserId(0)


@dataclass(frozen=True, slots=True)
class Principal:
    """Who makes a request."""

    user: UserId = NOBODY
    name: str = ""  # of the account; empty: nobody needs one, and the user is the settings' own
    role: Role = Role.ADMIN
    session: OpenSession | None = None  # None: nobody signed in here (no accounts, or a proxy did)

    @property
    def admin(self) -> bool:
        return self.role is Role.ADMIN


@dataclass(frozen=True, slots=True)
class AccountService:
    """Where people are let in."""

    store: Store
    user: UserId  # who reads while there are no accounts, and whom the first account is of
    now: Callable[[], datetime]
    random: Callable[[int], bytes]
    hasher: Hasher = field(default_factory=Hasher)
    always: bool = False  # sign-in is asked even without any account: others reach the server
    # Removes files of somebody's briefs, by their names.
    remove_sounds: Callable[[Sequence[str]], None] = lambda _names: None
    _known: _Known = field(default_factory=lambda: _Known())

    def required(self) -> bool:
        """Whether anybody must sign in. Asks the store every two seconds at most."""
        return self.always or self._known.any(self.now(), self.store.accounts.any_account)

    def fresh(self) -> bool:
        """Whether `required` would answer without the store."""
        return self.always or self._known.fresh(self.now())

    def changed(self) -> None:
        """Accounts came or went in this process."""
        self._known.forget()

    def token(self, size: int) -> str:
        return tokens.token(self.random(size))


class _Known:
    """Whether there is an account, as of a moment ago."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._checked_at: datetime | None = None
        self._answer = False

    def fresh(self, now: datetime) -> bool:
        moment = self._checked_at
        return moment is not None and timedelta() <= now - moment < NOTICED

    def any(self, now: datetime, ask: Callable[[], bool]) -> bool:
        if self.fresh(now):
            return self._answer
        with self._lock:
            self._answer = ask()
            self._checked_at = now
            return self._answer

    def forget(self) -> None:
        with self._lock:
            self._checked_at = None
