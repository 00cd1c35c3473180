"""Wires what asks publishers and hubs, and what is done to one feed. No logic."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING

from newsloom.app.process_services import owner

if TYPE_CHECKING:
    from newsloom.app import App
    from newsloom.engines.pipeline import Poller, QuarantineRelease
    from newsloom.feeds.schedule import Held
    from newsloom.feeds.service.pushing import Callback, Pushing, Terms
    from newsloom.feeds.values.polling import PollCounts, Waiting
    from newsloom.kernel.http.ports import Fetcher
    from newsloom.kernel.ids import FeedId
    from newsloom.kernel.settings import Settings


def poller(app: App, fetcher: Fetcher, on_poll: Callable[[PollCounts], None]) -> Poller:
    """What polls feeds, while the fetcher is in use."""
    import random

    from newsloom.engines.pipeline import Poller, PollRecorder, Resolver

    schedule = app.settings.schedule
    return Poller(
        store=app.store,
        fetcher=fetcher,
        reading=app.reading(),
        recorder=PollRecorder(
            store=app.store,
            now=app.now,
            jitter=random.random,
            floor=timedelta(minutes=schedule.floor_minutes),
            ceiling=timedelta(hours=schedule.ceiling_hours),
            on_poll=on_poll,
            settings_fingerprint=_settings_of_polls(app.settings),
        ),
        # Its own among the pollers of this process: what it gives back is only its own.
        owner=owner(),
        now=app.now,
        window=2 * app.settings.fetch.concurrency,
        per_host=app.settings.fetch.per_host,
        host_seconds=app.settings.fetch.host_seconds,
        stalled=app.settings.fetch.stalled_seconds,
        by_hand=timedelta(minutes=schedule.by_hand_minutes),
        hosts=app.services.hosts.here(),
        resolver=Resolver(
            store=app.store,
            fetcher=fetcher,
            now=app.now,
            per_host=app.settings.fetch.forwarding_per_host,
        ),
    )


def terms(app: App) -> Terms:
    """What hubs are told of this machine: no address, where the settings give none for them."""
    from newsloom.feeds import websub
    from newsloom.feeds.service.pushing import Terms

    push = app.settings.push
    usable = push.url and not websub.unusable(push.url, plain=push.plain_http)
    return Terms(
        base=push.url.rstrip("/") if usable else "",
        lease=timedelta(days=push.lease_days),
        floor=timedelta(minutes=app.settings.schedule.floor_minutes),
    )


def pushing(app: App) -> Pushing:
    """What asks hubs, and takes in what they send."""
    import secrets

    from newsloom.feeds.service.pushing import Pushing

    return Pushing(
        store=app.store,
        terms=terms(app),
        poller=lambda fetcher: poller(app, fetcher, lambda _counts: None),
        now=app.now,
        token=lambda: secrets.token_urlsafe(32),
    )


def callback(app: App) -> Callback | None:
    """What hubs reach; None where the settings give no address for them."""
    from newsloom.feeds.service.pushing import Callback

    fetch, told = app.settings.fetch, terms(app)
    if not told.base:
        return None
    most_bytes = int(fetch.max_megabytes * 1_000_000)
    return Callback(app.store, told, app.now, most_bytes, fetch.timeout_seconds)


def admitting(app: App) -> QuarantineRelease:
    """What lets in the articles of a feed that are held back."""
    from newsloom.engines.pipeline import QuarantineRelease

    return QuarantineRelease(app.store, app.reading(), app.now)


def refresh(app: App, feeds: Sequence[FeedId]) -> Mapping[FeedId, Held | None]:
    """Make feeds due that a person wants asked; what each must wait for, if it must."""
    now, least = app.now(), timedelta(minutes=app.settings.schedule.by_hand_minutes)
    found = app.store.feeds.hasten(
        feeds, now, asked_before=now - least, under=_settings_of_polls(app.settings)
    )
    return _held(app, found)


def waiting(app: App, feeds: Sequence[FeedId]) -> Mapping[FeedId, Held | None]:
    """What each of the feeds would have to wait for; asks none."""
    found = app.store.feeds.waiting(feeds, app.now(), under=_settings_of_polls(app.settings))
    return _held(app, found)


def _held(app: App, found: Sequence[Waiting]) -> Mapping[FeedId, Held | None]:
    from newsloom.feeds.schedule import by_hand

    now, least = app.now(), timedelta(minutes=app.settings.schedule.by_hand_minutes)
    return {
        one.feed_id: by_hand(
            None if one.excused else one.polled_at, one.not_before, one.pause, now, least
        )
        for one in found
    }


def _settings_of_polls(settings: Settings) -> str:
    """What of the settings a poll may fail by, as one word."""
    those = repr((settings.fetch, settings.reading))
    return hashlib.blake2b(those.encode(), digest_size=8).hexdigest()
