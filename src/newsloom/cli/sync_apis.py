"""The sync APIs beside the pages: what `newsloom serve` puts before them."""

from __future__ import annotations

from collections.abc import Callable

from starlette.requests import Request
from starlette.types import ASGIApp

from newsloom.app import App
from newsloom.app.syncing import KeptAppPasswords
from newsloom.reader import Reader
from newsloom.reader.folders import KeptFolders
from newsloom.sync.mounts import Mounted
from newsloom.sync.services import Services, Terms
from newsloom.types import UserId


def with_sync_apis(
    pages: ASGIApp,
    app: App,
    readers: Callable[[UserId], Reader],
    address: Callable[[Request], str],
) -> ASGIApp:
    """The pages, and before them the APIs that the settings want.

    `address` says where a request comes from, which proxies may know better.
    """
    sync = app.settings.sync
    services = Services(
        passwords=KeptAppPasswords(app.store, app.now),
        reader=readers,
        folders=KeptFolders(app.now, sync.for_you, taken=(sync.like, sync.dislike)),
        now=app.now,
        address=address,
        terms=Terms(
            like=sync.like,
            dislike=sync.dislike,
            ranked_dates=sync.ranked_dates,
            greader=sync.google_reader,
            fever=sync.fever,
        ),
    )
    return Mounted(pages, services)
