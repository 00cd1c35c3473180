"""The sync APIs beside the pages: what `newsloom serve` puts before them."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from functools import cache, partial

from starlette.types import ASGIApp

from newsloom.accounts.service.app_passwords import AppPasswords
from newsloom.app import App, passes
from newsloom.app.reader import Reader
from newsloom.app.reader.folders import FolderCache
from newsloom.kernel.ids import UserId
from newsloom.sync.mounts import Mounted
from newsloom.sync.services import Services, Terms
from newsloom.web.auth import address_of


def sync_apis(app: App, readers: Callable[[UserId], Reader]) -> Callable[[ASGIApp], ASGIApp]:
    """What puts the APIs that the settings want before the pages."""
    sync = app.settings.sync
    services = Services(
        passwords=AppPasswords(app.store, app.now),
        reader=readers,
        folders=FolderCache(app.now, sync.for_you, taken=(sync.like, sync.dislike)),
        now=app.now,
        address=address_of,
        icon=app.store.sites.icon,
        picture_key=cache(lambda: app.store.sites.picture_key(secrets.token_bytes(32))),
        full_texts=passes.full_texts(app),
        terms=Terms(
            like=sync.like,
            dislike=sync.dislike,
            ranked_dates=sync.ranked_dates,
            greader=sync.google_reader,
            fever=sync.fever,
            miniflux=sync.miniflux,
        ),
    )
    return partial(Mounted, services=services)
