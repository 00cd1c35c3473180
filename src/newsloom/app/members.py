"""Wires accounts: the desk, and the reader of each person. No logic."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from newsloom.admission.desk import Desk

if TYPE_CHECKING:
    from newsloom.app import App
    from newsloom.ports import Fetcher
    from newsloom.reader import Activity, Reader
    from newsloom.types import UserId


def desk(app: App, *, always: bool = False) -> Desk:
    """Where people are let in. `always`: even without any account, nobody is let in unasked."""
    return Desk(
        store=app.store, user=app.user, now=app.now, random=secrets.token_bytes, always=always
    )


def reader_of(
    app: App,
    user: UserId,
    fetcher: Fetcher | None = None,
    *,
    activity: Callable[[], Activity] | None = None,
    on_change: Callable[[], None] = lambda: None,
) -> Reader:
    """The use cases of one user; what there is one of in the process is shared."""
    return replace(app, user=user).reader(fetcher, activity=activity, on_change=on_change)


def signing_in(app: App) -> bool:
    """Whether people sign in: there is an account, or a proxy signs them in."""
    web = app.settings.web
    return bool(web.proxy_user_header and web.trusted_proxies) or app.store.accounts.any_account()
