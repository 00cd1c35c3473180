"""Hashes of passwords by argon2id. Knows no account."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from argon2 import PasswordHasher

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
