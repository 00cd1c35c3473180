"""Wires the rooms together. No logic: what happens is in pipeline, reader and personal.

The only place below the commands that reads the clock, the process id and the random generator.
The network and the bridges are imported where they are wired: most commands need neither, and they
take as long to import as all the rest.
"""

from __future__ import annotations

import logging
import os
import random
import secrets
import socket
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

from newsloom import __version__
from newsloom.classify import rubric, shipped
from newsloom.classify.again import last_due
from newsloom.errors import ModelError, NewsloomError
from newsloom.models import registry, weights
from newsloom.models.chat import ChatServer, service_name
from newsloom.personal import ObservedDelays, Personal, SensitivityInForce, Trainers
from newsloom.pipeline import (
    STAGES,
    Admitting,
    Errand,
    InThread,
    InWorkers,
    Poller,
    Resolver,
    Runner,
    Stage,
    Storing,
    Workshop,
    asking,
)
from newsloom.pipeline.asking import Asker
from newsloom.pipeline.callback import Callback
from newsloom.pipeline.duplicates import Matcher, thresholds_of
from newsloom.pipeline.extracting import Extracting
from newsloom.pipeline.full_text import FullTexts
from newsloom.pipeline.icons import Icons
from newsloom.pipeline.pushing import Pushing, Terms
from newsloom.pipeline.reading import Reading, feed_in
from newsloom.ports import ApiCaller, Embedder, Fetcher, Store
from newsloom.reader import Activity, Desk, Reader
from newsloom.reader.feeds import Means
from newsloom.schedule import Held, by_hand
from newsloom.scoring import lasting
from newsloom.settings import Settings
from newsloom.store import open_store, owner_name
from newsloom.text import websub
from newsloom.text.entities import Recognizer, recognizer
from newsloom.types import FeedId, PollCounts, Rows, Told, UserId
from newsloom.workers.pool import Workers

if TYPE_CHECKING:
    from newsloom.bridge import Bridge, Mapped, Remote
    from newsloom.fetch.turns import Visits

log = logging.getLogger(__name__)

# Processes that sign while a backlog lasts: with one that judges, enough for two processors.
SIGNERS = 2


def utc_now() -> datetime:
    """The wall clock, aware, in UTC."""
    return datetime.now(UTC)  # noqa: TID251 - the one place that reads it


@dataclass(frozen=True, slots=True)
class App:
    """An opened Newsloom: every room, wired by the settings."""

    settings: Settings
    store: Store
    embedder: Embedder
    sensitivity: SensitivityInForce
    delays: ObservedDelays
    personal: Personal
    user: UserId
    now: Callable[[], datetime]
    workers: Workers  # that read documents; none is started before there is one to read
    visits: Callable[[], Visits]  # of all fetchers of this process
    # Judges a reader's model anew with its curves, and keeps that; what it came to in words. None:
    # nothing is measured after the daily training.
    measure: Callable[[App, UserId], str] | None = None

    @asynccontextmanager
    async def fetching(self) -> AsyncIterator[Fetcher]:
        """The network, while in use."""
        from newsloom.fetch import HttpFetcher

        several = len(self.store.users()) > 1
        shared = self.store.shared_feeds() if several else {}
        fetcher = HttpFetcher(
            self.settings.fetch,
            version=__version__,
            now=self.now,
            subscribers=lambda url: shared.get(url, 1),
            visits=self.visits(),
        )
        async with fetcher:
            yield fetcher

    @asynccontextmanager
    async def calling(self) -> AsyncIterator[ApiCaller]:
        """The services named in the settings, while in use."""
        from newsloom.fetch import HttpApi

        async with HttpApi(version=__version__, max_ratio=self.settings.fetch.max_ratio) as caller:
            yield caller

    def poller(self, fetcher: Fetcher, on_poll: Callable[[PollCounts], None]) -> Poller:
        schedule = self.settings.schedule
        return Poller(
            store=self.store,
            fetcher=fetcher,
            reading=self.reading(),
            storing=Storing(
                store=self.store,
                now=self.now,
                jitter=random.random,
                floor=timedelta(minutes=schedule.floor_minutes),
                ceiling=timedelta(hours=schedule.ceiling_hours),
                on_poll=on_poll,
            ),
            # Its own among the pollers of this process: what it gives back is only its own.
            owner=f"{owner_name(socket.gethostname(), os.getpid())}:{uuid4()}",
            now=self.now,
            window=2 * self.settings.fetch.concurrency,
            per_host=self.settings.fetch.per_host,
            host_seconds=self.settings.fetch.host_seconds,
            stalled=self.settings.fetch.stalled_seconds,
            by_hand=timedelta(minutes=schedule.by_hand_minutes),
            resolver=Resolver(
                store=self.store,
                fetcher=fetcher,
                now=self.now,
                per_host=self.settings.fetch.forwarding_per_host,
            ),
        )

    def reading(self) -> Reading:
        """What reads documents: processes that may be killed, or this one."""
        return InWorkers(self.workers) if self.settings.reading.workers else InThread()

    def terms(self) -> Terms:
        """What hubs are told of this machine: no address, where the settings give none for them."""
        push = self.settings.push
        usable = push.url and not websub.unusable(push.url, plain=push.plain_http)
        return Terms(
            base=push.url.rstrip("/") if usable else "",
            lease=timedelta(days=push.lease_days),
            floor=timedelta(minutes=self.settings.schedule.floor_minutes),
        )

    def pushing(self) -> Pushing:
        """What asks hubs, and takes in what they send."""
        return Pushing(
            store=self.store,
            terms=self.terms(),
            poller=lambda fetcher: self.poller(fetcher, lambda _counts: None),
            now=self.now,
            token=lambda: secrets.token_urlsafe(32),
        )

    def hub_words(self, feeds: Sequence[FeedId]) -> Mapping[FeedId, str]:
        """How it stands with the hubs of feeds."""
        now = self.now()
        return {feed: websub.words(one, now) for feed, one in self.store.pushes(feeds).items()}

    def callback(self) -> Callback | None:
        """What hubs reach; None where the settings give no address for them."""
        fetch, terms = self.settings.fetch, self.terms()
        if not terms.base:
            return None
        most_bytes = int(fetch.max_megabytes * 1_000_000)
        return Callback(self.store, terms, self.now, most_bytes, fetch.timeout_seconds)

    def runner(self, stages: tuple[Stage, ...] = STAGES) -> Runner:
        """What runs passes in this process."""
        return Runner(
            fetching=self.fetching,
            poller=self.poller,
            workshop=Workshop(
                store=self.store,
                embedder=self.embedder,
                sensitivity=self.sensitivity.head,
                users=lambda: [user for user, _name in self.store.users()],
                relevance=self.personal.refreshed,
                broken=self.personal.broken,
                half_lives=self.settings.ranking.half_lives(),
                now=self.now,
                language_model=self.language_model,
                delays=self.delays.of,
                matcher=self.matcher(),
            ),
            next_due=self.store.next_due,
            clock=time.perf_counter,
            train_due=self.train_due,
            asking=self.asking if self.language_model else None,
            stages=stages,
            errands=self.errands(),
        )

    def errands(self) -> tuple[Errand, ...]:
        """What is asked of the network besides feeds, after the polls of each pass."""
        pages = self.settings.pages
        icons = Errand("icons", Icons(self.store, self.now).run)
        extract = Extracting(self.workers)
        texts = FullTexts(self.store, self.now, extract, pages.full_text_per_host)
        return (
            Errand("hubs", self.pushing().run),
            *([icons] if pages.icons else []),
            Errand("full texts", texts.run),
        )

    def recognizer(self) -> Recognizer:
        """What finds names: the one of the settings, or the shipped one while that is not there."""
        try:
            return recognizer(self.settings.models.entities)
        except ModelError as error:
            log.warning("the shipped finder of names is used: %s", error)
            return recognizer()

    def matcher(self) -> Matcher:
        """What finds the same text or event among the articles."""
        duplicates = self.settings.duplicates
        return Matcher(
            thresholds_of(duplicates),
            self.recognizer,
            read_together=duplicates.read_together,
            workers=SIGNERS if (os.cpu_count() or 1) > 1 else 0,
        )

    @asynccontextmanager
    async def asking(self) -> AsyncIterator[Asker]:
        """What asks the language model of the settings, while in use."""
        settings = self.settings.language_model
        async with self.calling() as caller:
            yield Asker(
                store=self.store,
                server=ChatServer(caller, settings, self.now),
                settings=settings,
                now=self.now,
                nonce=lambda: secrets.token_hex(8),
                jitter=random.random,
            )

    @property
    def language_model(self) -> str:
        """The maker of its ratings; empty when the settings name none."""
        settings = self.settings.language_model
        return rubric.maker(settings.model) if settings.url and settings.model else ""

    def told(self) -> Told | None:
        """How the language model does, in words; None when none is used."""
        settings, now = self.settings.language_model, self.now()
        if not self.language_model:
            odd = settings.url or settings.model
            return Told(False, "set both language_model.url and .model") if odd else None
        state = self.store.service(service_name(settings))
        asked = self.store.asked(self.language_model, now - timedelta(days=1))
        return asking.told(state, asked, settings, now)

    def train_due(self) -> bool:
        """The daily training, if it is due; whether any reader's model changed."""
        at = self.settings.training.at
        users = [user for user, _name in self.store.users()]
        changed = bool(at) and self.personal.train_due(
            users, last_due(at, self.now(), None), self._measured
        )
        folder = _weights_folder(self.settings)
        if folder.is_dir():  # a training that promoted nothing leaves files too
            kept = {name.rsplit("/", 1)[-1] for name in self.personal.worth_keeping(users)}
            weights.tidy(folder, kept, self.now())
        return changed

    def _measured(self, user: UserId) -> None:
        """After the daily training: the curves of the Model page. Its trouble stops nothing."""
        if self.measure is None:
            return
        try:
            log.info("%s", self.measure(self, user))
        except NewsloomError as error:
            log.info("the model was not measured: %s", error)
        except Exception:
            log.exception("measuring failed")

    def reader(
        self,
        fetcher: Fetcher | None = None,
        *,
        activity: Callable[[], Activity] = Activity,
        on_change: Callable[[], None] = lambda: None,
    ) -> Reader:
        """The use cases of the user of the settings. Without a fetcher it cannot add feeds."""
        ranking = self.settings.ranking
        admitting = Admitting(self.store, self.reading(), self.now)
        return Reader(
            user=self.user,
            store=self.store,
            embedder=self.embedder,
            taste=self.personal.taste,
            sensitivity_model=lambda: self.sensitivity.head().model_id,
            half_lives=ranking.half_lives(),
            needed=(ranking.min_likes, ranking.min_dislikes),
            now=self.now,
            fetcher=fetcher,
            reads=partial(feed_in, self.reading()),
            first_poll=lambda with_fetcher, feed, reply: self.poller(
                with_fetcher, lambda _counts: None
            ).first(feed, reply),
            activity=activity,
            on_change=on_change,
            desk=self.desk(),
            language_model=self.language_model,
            told=self.told,
            delays=self.delays.of,
            rows=Rows(self.settings.duplicates.rows),
            variety=ranking.variety(),
            read_together=self.settings.duplicates.read_together,
            means=Means(admitting.let_in, admitting.headlines, self.refresh, self.hub_words),
        )

    def refresh(self, feed: FeedId) -> Held | None:
        """Make a feed due that a person wants asked; what it must wait for, if it must."""
        now, least = self.now(), timedelta(minutes=self.settings.schedule.by_hand_minutes)
        (one,) = self.store.hasten([feed], now, asked_before=now - least)
        return by_hand(one.polled_at, one.not_before, one.pause, now, least)

    def ttrss(self, rank: Callable[[], object]) -> Bridge:
        """The bridge to Tiny Tiny RSS. `rank` runs the stages: a runner's."""
        from newsloom.bridge import Mapped
        from newsloom.bridge.ttrss import Ttrss

        ttrss = self.settings.ttrss
        learns = Mapped(
            read=ttrss.liked == "read",
            disliked=ttrss.disliked == "published",
            starred=ttrss.starred == "starred",
        )
        return self._bridge(Ttrss(ttrss), learns, ttrss.every_minutes, rank)

    def greader(self, rank: Callable[[], object]) -> Bridge:
        """The bridge to a server of the Google Reader API. `rank` runs the stages: a runner's."""
        from newsloom.bridge import Mapped
        from newsloom.bridge.greader import Greader
        from newsloom.fetch import BlockingApi

        greader = self.settings.greader
        call = BlockingApi(version=__version__, max_ratio=self.settings.fetch.max_ratio)
        remote = Greader(greader, call, self.now, on_close=call.close)
        return self._bridge(remote, Mapped(disliked=False), greader.every_minutes, rank)

    def bridges(self, rank: Callable[[], object]) -> tuple[Bridge, ...]:
        """Every bridge that is set up."""
        found = []
        if self.settings.ttrss.database:
            found.append(self.ttrss(rank))
        if self.settings.greader.url:
            found.append(self.greader(rank))
        return tuple(found)

    def _bridge(
        self, remote: Remote, learns: Mapped, minutes: float, rank: Callable[[], object]
    ) -> Bridge:
        from newsloom.bridge import Bridge, Synchroniser

        usual = self.settings.ranking.half_lives()
        synchroniser = Synchroniser(
            store=self.store,
            remote=remote,
            mapped=learns,
            rank=rank,
            half_lives=lambda user: lasting(self.store.half_lives(user), usual),
            sensitivity_model=lambda: self.sensitivity.head().model_id,
            now=self.now,
            language_model=self.language_model,
        )
        return Bridge(synchroniser, timedelta(minutes=minutes))

    def desk(self) -> Desk:
        """The user's own model, to be seen and acted on."""
        user, personal = self.user, self.personal
        return Desk(
            history=lambda: personal.history(user),
            evaluations=lambda: self.store.evaluations(user),
            last_training=lambda: personal.last_training(user),
            language_model=lambda: told.words if (told := self.told()) else "",
            train=lambda: personal.train(user).words,
            train_anyway=lambda: personal.train(user, anyway=True).words,
            back=lambda: personal.back(user).words,
            measure=None if self.measure is None else partial(self.measure, self, user),
        )

    def close(self) -> None:
        self.workers.close()
        self.store.close()


def open_app(
    settings: Settings,
    now: Callable[[], datetime] = utc_now,
    measure: Callable[[App, UserId], str] | None = None,
) -> App:
    """Open the store (made and migrated if need be) and wire the rest. Models load when used.

    Raises StoreError when the database cannot be opened, SettingsError for an unknown model.
    """
    embedder = registry.embedder(settings.models.embedder, threads=settings.models.threads)
    sensitivity = shipped.sensitivity_head()
    store = open_store(settings.store.path, now=now)
    ranking = settings.ranking
    return App(
        settings=settings,
        store=store,
        embedder=embedder,
        sensitivity=SensitivityInForce(store, sensitivity, embedder.model_id, now),
        delays=ObservedDelays(store, now, on=ranking.observed_delays),
        personal=Personal(
            store,
            embedder,
            _trainers(settings, embedder),
            (ranking.min_likes, ranking.min_dislikes),
            now,
            settings.training.half_weight_days,
        ),
        user=store.user(settings.user, now()),
        now=now,
        workers=Workers(settings.reading),
        visits=cache(_visits),
        measure=measure,
    )


def _trainers(settings: Settings, embedder: Embedder) -> Trainers:
    """Every trainer there is: models of each can be loaded, one trains."""
    place = registry.Workplace(
        settings=settings.training,
        needed=(settings.ranking.min_likes, settings.ranking.min_dislikes),
        vector_model=embedder.model_id,
        folder=_weights_folder(settings),
    )
    return Trainers(
        by_name={row.name: row.make(place) for row in registry.TRAINERS},
        chosen=settings.training.trainer,
        quick=registry.trainer_row(settings.training.trainer).quick,
    )


def _visits() -> Visits:
    from newsloom.fetch.turns import Visits

    return Visits()


def _weights_folder(settings: Settings) -> Path:
    """Beside the database, whatever its name."""
    return settings.store.path.with_suffix(".models")
