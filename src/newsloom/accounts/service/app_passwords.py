"""App passwords: what programs sign in with."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from newsloom.kernel.ids import UserId
    from newsloom.store import Store


@dataclass(frozen=True, slots=True)
class AppPasswords:
    """Whose app password something is: one question by digest, whoever asks, so unknown and wrong
    take as long. `address` is asking.

    An app password has 160 random bits, so what is right needs no throttle; what is wrong counts as
    a sign-in that failed does, by the name that was given and by the network it came from.
    """

    store: Store
    now: Callable[[], datetime]

    def user_of(self, name: str, secret: str, address: str) -> UserId | None:
        """The reader of that name, if that is an app password of theirs. Raises MustWait."""
        from newsloom.accounts import names, tokens

        wanted = names.folded(name[: 2 * names.LONGEST])
        return self._user(tokens.digest(secret), wanted, address, named=True)

    def user_of_secret(self, secret: str, address: str) -> UserId | None:
        """The reader whose app password it is, who gave no name; or whose name and app password the
        MD5 of `name:password` is of, in lower case, as Fever has it. Raises MustWait."""
        from newsloom.accounts import tokens

        return self._user(tokens.digest(secret), "", address, named=False)

    def _user(self, digest: str, name: str, address: str, *, named: bool) -> UserId | None:
        import hmac

        from newsloom.kernel.errors import StoreFull

        found = self.store.accounts.app_password_user(digest)
        account = None if found is None else self.store.accounts.account_of(found[0])
        if found is not None and account is not None:
            same = hmac.compare_digest(account.name.encode(), name.encode())
            if same or not named:
                with suppress(StoreFull):  # reading goes on
                    self.store.accounts.app_password_used(found[1], self.now())
                return found[0]
        self._note_failure(name, address)
        return None

    def _note_failure(self, name: str, address: str) -> None:
        from newsloom.accounts import throttle
        from newsloom.accounts.values import SignInOutcome, SignInWay
        from newsloom.kernel.errors import MustWait

        # Apart from those of people: an app whose password was taken away goes on asking for
        # weeks, and must keep nobody at home from signing in to the pages. Without a name all
        # Fever keys would share one count, and one guesser could stop everybody.
        found = throttle.counts(name, address, known_there=False)
        counts = [replace(one, key=f"app {one.key}") for one in (found if name else found[1:])]
        waiting = self.store.accounts.take_attempt(counts, self.now())
        if waiting:
            raise MustWait(waiting)
        account = self.store.accounts.account_named(name) if name else None
        self.store.accounts.record_sign_in(
            None if account is None else account.user,
            address,
            SignInWay.APP_PASSWORD,
            SignInOutcome.WRONG,
            self.now(),
        )
