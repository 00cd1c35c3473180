"""Wires accounts and the ways to sign in. No logic."""

from __future__ import annotations

import logging
import secrets
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from newsloom.accounts.openid import Client, safe_address
from newsloom.accounts.service.account_service import AccountService
from newsloom.accounts.service.openid import OpenId
from newsloom.kernel import extras
from newsloom.kernel.errors import UserError

if TYPE_CHECKING:
    from newsloom.app import App
    from newsloom.kernel.settings import Settings

log = logging.getLogger(__name__)


def account_service(app: App, *, always: bool = False) -> AccountService:
    """Where people are let in. `always`: even without any account, nobody is let in unasked."""
    return AccountService(
        store=app.store,
        user=app.user,
        now=app.now,
        random=secrets.token_bytes,
        always=always,
        remove_sounds=partial(remove_sounds, app.settings.brief.folder.expanduser()),
    )


def remove_sounds(folder: Path, names: Iterable[str]) -> None:
    """Delete sound files of briefs; one that stays is removed a day later, as nobody's."""
    for name in names:
        try:
            (folder / name).unlink(missing_ok=True)
        except OSError as error:
            log.warning("a sound file was not removed: %s", error)


@asynccontextmanager
async def openid(app: App) -> AsyncIterator[OpenId | None]:
    """The provider at which people sign in, while in use; None: the settings name none.

    Raises UserError for one that cannot be used.
    """
    chosen = app.settings.openid
    if not chosen.issuer:
        yield None
        return
    extras.require("openid", "openid.issuer")
    if not safe_address(chosen.issuer):
        raise UserError(f"openid.issuer {chosen.issuer!r} is no https address.")
    client = Client(
        chosen.issuer, chosen.client, chosen.secret, tuple(chosen.scopes.split()), chosen.name_claim
    )
    async with app.calling() as caller:
        yield OpenId(
            client,
            caller,
            app.now,
            secrets.token_bytes,
            called=chosen.called,
            make_users=chosen.makes_users,
        )


def made_elsewhere(settings: Settings) -> bool:
    """Whether who is let in is decided by a provider or proxy: an account may come any moment."""
    web, provider = settings.web, settings.openid
    by_proxy = bool(web.proxy_user_header and web.proxies)
    return by_proxy or bool(provider.issuer and provider.makes_users)


def signing_in(app: App) -> bool:
    """Whether people sign in: there is an account, or somebody else lets them in."""
    return made_elsewhere(app.settings) or app.store.accounts.any_account()
