"""Wires the bridges to other readers' programs."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import TYPE_CHECKING

from newsloom import __version__
from newsloom.bridges.plan import Mapped
from newsloom.bridges.remote import Remote
from newsloom.bridges.service.sync import Bridge, Synchroniser
from newsloom.ranking.scoring import lasting

if TYPE_CHECKING:
    from newsloom.app import App
    from newsloom.bridges.greader import Greader

Rank = Callable[[], object]  # runs the stages: a runner's


def ttrss(app: App, rank: Rank) -> Bridge:
    """The bridge to Tiny Tiny RSS."""
    from newsloom.bridges.ttrss import Ttrss

    ttrss = app.settings.ttrss
    learns = Mapped(
        read=ttrss.liked == "read",
        rated=ttrss.disliked == "published",
        starred=ttrss.starred == "starred",
    )
    return _bridge(app, Ttrss(ttrss), learns, ttrss.every_minutes, rank)


def greader(app: App, rank: Rank) -> Bridge:
    """The bridge to a server of the Google Reader API."""
    greader = app.settings.greader
    return _bridge(
        app, _greader(app), Mapped(read=greader.liked == "read"), greader.every_minutes, rank
    )


def make_labels(app: App) -> tuple[str, ...]:
    """Make the labels for liked and disliked on that server; which of them are there now."""
    remote = _greader(app)
    try:
        remote.accounts()
        return remote.make_labels()
    finally:
        remote.close()


def _greader(app: App) -> Greader:
    from newsloom.bridges.greader import Greader
    from newsloom.kernel.http.blocking import BlockingApi

    call = BlockingApi(version=__version__, max_ratio=app.settings.fetch.max_ratio)
    return Greader(app.settings.greader, call, app.now, on_close=call.close)


def bridges(app: App, rank: Rank) -> tuple[Bridge, ...]:
    """Every bridge that is set up."""
    found = []
    if app.settings.ttrss.database:
        found.append(ttrss(app, rank))
    if app.settings.greader.url:
        found.append(greader(app, rank))
    return tuple(found)


def _bridge(app: App, remote: Remote, learns: Mapped, minutes: float, rank: Rank) -> Bridge:
    usual = app.settings.ranking.half_lives()
    synchroniser = Synchroniser(
        store=app.store,
        remote=remote,
        mapped=learns,
        rank=rank,
        half_lives=lambda user: lasting(app.store.users.half_lives(user), usual),
        sensitivity_model=lambda: app.services.sensitivity.head().model_id,
        now=app.now,
        language_model=app.language_model,
    )
    return Bridge(synchroniser, timedelta(minutes=minutes))
