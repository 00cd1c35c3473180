"""App passwords: what programs sign in with."""

from __future__ import annotations

from typing import Protocol

from newsloom.kernel.ids import UserId


class AppPasswords(Protocol):
    """Whose app password something is. Unknown and wrong take as long; raises MustWait."""

    def user_of(self, name: str, secret: str, address: str) -> UserId | None:
        """The reader of that name, if that is an app password of theirs; `address` is asking."""

    def user_of_secret(self, secret: str, address: str) -> UserId | None:
        """The reader whose app password it is, who gave no name."""

    def user_of_fever_key(self, key: str, address: str) -> UserId | None:
        """The reader whose name and app password the MD5 of `name:password` is of."""
