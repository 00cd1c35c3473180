"""Wires the packages together. No logic: what happens is in pipeline, reader and training.

The only place below the commands that reads the process id and the random generator, and with the
database the clock.
What is wired is imported where it is wired: most commands need little of it, and to import all of
it takes longer than most commands take. tests/cli/test_starting.py holds them to that.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from newsloom import __version__
from newsloom.app import passes, polling
from newsloom.app.process_services import ProcessServices, needed, process, weights_folder
from newsloom.kernel.errors import ModelError, NewsloomError
from newsloom.kernel.ids import FeedId, UserId
from newsloom.kernel.settings import Settings
from newsloom.reading.values.reading import Rows

if TYPE_CHECKING:
    from newsloom.app.backup import Contents
    from newsloom.app.reader import Activity, ModelActions, Reader
    from newsloom.articles.entities.finder import Recognizer
    from newsloom.coverage.quality import Policy
    from newsloom.coverage.service import CoverageTerms
    from newsloom.engines.pipeline import (
        Runner,
        Stage,
    )
    from newsloom.feeds.service.addresses import Finding
    from newsloom.feeds.service.pictures import Pictures
    from newsloom.feeds.service.reply import Reading
    from newsloom.importance.service.importance import ImportanceServices
    from newsloom.importance.stages.importance import ImportanceContext
    from newsloom.kernel.http.ports import ApiCaller, Fetcher
    from newsloom.llm.service.runner import LlmRunner
    from newsloom.llm.values import ServiceStatus
    from newsloom.ranking.scoring.interests import Interests
    from newsloom.reading.values.results import FeedActions
    from newsloom.store import Store

log = logging.getLogger(__name__)


def utc_now() -> datetime:
    """The wall clock, aware, in UTC, for what has no store: a store has its own."""
    return datetime.now(UTC)  # noqa: TID251 - read here and by databases


@dataclass(frozen=True, slots=True)
class App:
    """An opened Newsloom: every room, wired by the settings."""

    settings: Settings
    store: Store
    user: UserId
    now: Callable[[], datetime]
    services: ProcessServices

    @asynccontextmanager
    async def fetching(self) -> AsyncIterator[Fetcher]:
        """The network, while in use."""
        from newsloom.feeds.service.hosts import PauseRecorder
        from newsloom.kernel.http.client import HttpFetcher

        several = len(self.store.users.users()) > 1
        shared = self.store.reading.shared_feeds() if several else {}
        async with self.services.hosts.use() as hosts:
            fetcher = HttpFetcher(
                self.settings.fetch,
                version=__version__,
                now=self.now,
                subscribers=lambda url: shared.get(url, 1),
                hosts=hosts,
            )
            async with fetcher:
                yield PauseRecorder(fetcher, self.store, hosts, self.now)

    @asynccontextmanager
    async def fetching_pictures(self) -> AsyncIterator[Pictures]:
        """What fetches pictures for readers, while in use. The address guard is that of feeds."""
        from newsloom.feeds.service.pictures import PictureCache, Pictures
        from newsloom.kernel.http.client import HttpFetcher

        pages, fetch = self.settings.pages, self.settings.fetch
        cache = PictureCache(pages.picture_folder, pages.picture_megabytes * 1_000_000)
        # A reader waits for pictures: fetch several at once from a host, as a browser does,
        # without the pauses between polls.
        settings = replace(
            fetch,
            concurrency=16,
            per_host=6,
            host_seconds=0,
            timeout_seconds=min(fetch.timeout_seconds, 15.0),
        )
        async with HttpFetcher(settings, version=__version__, now=self.now) as fetcher:
            pictures = Pictures(fetcher, self.services.workers, cache, self.now)
            try:
                yield pictures
            finally:
                await pictures.close()

    @asynccontextmanager
    async def calling(self) -> AsyncIterator[ApiCaller]:
        """The services named in the settings, while in use."""
        from newsloom.kernel.http.api import HttpApi

        async with HttpApi(version=__version__, max_ratio=self.settings.fetch.max_ratio) as caller:
            yield caller

    def reading(self) -> Reading:
        """What reads documents: processes that may be killed, or this one."""
        from newsloom.feeds.service.reply import InThread, InWorkers

        return InWorkers(self.services.workers) if self.settings.reading.workers else InThread()

    def hub_words(self, feeds: Sequence[FeedId]) -> Mapping[FeedId, str]:
        """How it stands with the hubs of feeds."""
        from newsloom.feeds import websub

        now = self.now()
        return {
            feed: websub.describe(one, now) for feed, one in self.store.feeds.pushes(feeds).items()
        }

    def runner(self, stages: tuple[Stage, ...] | None = None) -> Runner:
        """What runs passes in this process, with every stage or those given."""
        return passes.runner(self, stages)

    def importance_context(self) -> ImportanceContext:
        """What the stages of importance work with."""
        from newsloom.importance.score import Blend
        from newsloom.importance.stages.importance import ImportanceContext

        weights, settings = self.weights, self.settings.importance
        return ImportanceContext(
            store=self.store,
            users=self.present_users,
            interests=self._interests,
            terms=lambda: self.services.terms,
            now=self.now,
            weights=weights,
            blend=Blend(min(settings.in_ranking, 1.0), weights["recency"]),
            first_blend=Blend(min(settings.in_first_ranking, 1.0), weights["recency"]),
        )

    def present_users(self) -> list[UserId]:
        """Readers whose articles are scored in each pass; those of others wait for their return."""
        from newsloom.accounts.lifetimes import AWAY

        users = self.store.users
        if self.settings.web.proxy_user_header:  # opens no sessions that tell who came
            return [user for user, _name in users.users()]
        return sorted({self.user, *users.present(self.now() - AWAY)})

    @property
    def weights(self) -> Mapping[str, float]:
        """How much each signal of importance counts."""
        from newsloom.importance.score import WEIGHTS

        given = self.settings.importance.weights
        return dict(zip(WEIGHTS, given, strict=True))

    def _interests(self, user: UserId) -> tuple[Interests, str]:
        profile = self.services.interests.of(user)
        return profile.interests, profile.name

    def recognizer(self) -> Recognizer:
        """What finds names: the one of the settings, or the shipped one while that is not there."""
        from newsloom.articles.entities.finder import recognizer

        try:
            return recognizer(self.settings.models.entities)
        except ModelError as error:
            log.warning("the shipped finder of names is used: %s", error)
            return recognizer()

    @asynccontextmanager
    async def llm_runner(self) -> AsyncIterator[LlmRunner]:
        """What asks the language model of the settings, while in use."""
        import random
        import secrets

        from newsloom.app.purposes import purposes
        from newsloom.llm.chat import ChatServer
        from newsloom.llm.service.runner import LlmRunner

        settings = self.settings.language_model
        async with self.calling() as caller:
            yield LlmRunner(
                store=self.store,
                server=ChatServer(caller, settings, self.now),
                settings=settings,
                now=self.now,
                nonce=lambda: secrets.token_hex(8),
                jitter=random.random,
                purposes=purposes(self._quality_policy()),
            )

    @property
    def language_model(self) -> str:
        """The maker of its ratings; empty when the settings name none."""
        settings = self.settings.language_model
        if not (settings.url and settings.model):
            return ""
        from newsloom.ranking.purposes import SENSITIVITY

        return SENSITIVITY.producer(settings.model)

    def language_model_status(self) -> ServiceStatus | None:
        """How the language model does, in words; None when none is used."""
        settings, now = self.settings.language_model, self.now()
        if not (settings.url or settings.model):
            return None
        from newsloom.llm.chat import service_name
        from newsloom.llm.service.status import status
        from newsloom.llm.values import ServiceStatus

        if not self.language_model:
            return ServiceStatus(False, "set both language_model.url and .model")
        state = self.store.models.service(service_name(settings))
        request = self.store.models.totals(self.language_model, now - timedelta(days=1))
        return status(state, request, settings, now)

    def train_due(self) -> bool:
        """The daily training, if it is due; whether any reader's model changed."""
        from newsloom.ranking.encoders import weights
        from newsloom.ranking.training.retraining_policy import last_due

        at = self.settings.training.at
        users = [user for user, _name in self.store.users.users()]
        changed = bool(at) and self.services.training.train_due(
            users, last_due(at, self.now(), None), self._measured
        )
        folder = weights_folder(self.settings)
        if folder.is_dir():  # a training that promoted nothing leaves files too
            kept = {name.rsplit("/", 1)[-1] for name in self.services.training.worth_keeping(users)}
            weights.tidy(folder, kept, self.now())
        return changed

    def measure(self, user: UserId) -> str:
        """Measure the model made of a reader's labels, keep its curves, and say what came out.

        Raises UserError when there are too few labels, or when it would take more than seconds.
        """
        from newsloom.ranking.measure import own

        return own.measure(self, user)

    def _measured(self, user: UserId) -> None:
        """After the daily training: the curves of `/you`. Its trouble stops nothing."""
        try:
            log.info("%s", self.measure(user))
        except NewsloomError as error:
            log.info("the model was not measured: %s", error)
        except Exception:
            log.exception("measuring failed")

    def reader(
        self,
        fetcher: Fetcher | None = None,
        *,
        activity: Callable[[], Activity] | None = None,
        on_change: Callable[[], None] = lambda: None,
    ) -> Reader:
        """The use cases of the user of the settings. Without a fetcher it cannot add feeds."""
        from newsloom.app.reader import Activity, Reader

        ranking = self.settings.ranking
        return Reader(
            user=self.user,
            store=self.store,
            embedder=lambda: self.services.embedder,
            active_relevance=lambda user: self.services.training.active(user),
            sensitivity_model=lambda: self.services.sensitivity.head().model_id,
            half_lives=ranking.half_lives(),
            needed=cache(partial(needed, self.settings)),
            now=self.now,
            fetcher=fetcher,
            first_poll=lambda with_fetcher, feed, reply: polling.poller(
                self, with_fetcher, lambda _counts: None
            ).first(feed, reply),
            documents=self._documents,
            activity=activity or Activity,
            on_change=on_change,
            model_actions=self.model_actions(),
            language_model=self.language_model,
            language_model_status=self.language_model_status,
            delays=lambda user: self.services.delays.of(user),
            rows=Rows(self.settings.duplicates.rows),
            diversification=ranking.diversification(),
            read_together=self.settings.duplicates.read_together,
            feed_actions=self._feed_actions(),
            importance_services=self._importance_services,
            coverage_terms=self._coverage_terms,
            quality_policy=self._quality_policy,
            for_you_share=self.settings.digest.for_you_share,
            address=self.settings.web.address,
        )

    def _coverage_terms(self) -> CoverageTerms:
        from newsloom.app import coverage

        return coverage.terms(self)

    def _quality_policy(self) -> Policy:
        from newsloom.app import coverage

        return coverage.quality_policy(self.settings)

    def _importance_services(self) -> ImportanceServices:
        """What importance is made of."""
        from newsloom.importance.service.importance import ImportanceServices

        context = self.importance_context()
        return ImportanceServices(
            weights=context.weights,
            fade=self.settings.importance.fade,
            blend_with=context.blend_with,
            interests=self._interests,
            terms=context.terms,
            names=self._names,
        )

    def _names(self, texts: Sequence[str]) -> list[tuple[tuple[str, str], ...]]:
        """The names in texts, as they are printed there."""
        from newsloom.articles.entities.names import as_printed

        found = self.recognizer().recognise(texts)
        return [
            tuple((one.kind, as_printed(one.name, text)) for one in names)
            for text, names in zip(texts, found, strict=True)
        ]

    def _documents(self) -> Finding:
        from newsloom.feeds.service.addresses import Finding

        return Finding(self.reading(), self.services.workers)

    def _feed_actions(self) -> FeedActions:
        """What the pages and commands about feeds can do."""
        from newsloom.reading.values.results import FeedActions

        return FeedActions(
            admit=lambda feed: polling.admitting(self).release(feed),
            headlines=lambda feed: polling.admitting(self).headlines(feed),
            refresh=partial(polling.refresh, self),
            waiting=partial(polling.waiting, self),
            hubs=self.hub_words,
        )

    def polled_elsewhere(self, feeds: Sequence[FeedId] | None = None) -> int:
        """How many of what is due, or of those feeds, another process is asking now."""
        return self.store.feeds.polled_elsewhere(self.now(), process(), feeds)

    def has_own_model(self) -> bool:
        """Whether the user's list is ranked by a model of their own. Loads none."""
        from newsloom.ranking.values.models import RELEVANCE

        return self.store.models.model_in_force(self.user, RELEVANCE) is not None

    def model_actions(self) -> ModelActions:
        """The user's own model, to be seen and acted on."""
        from newsloom.app.reader import ModelActions

        user = self.user
        return ModelActions(
            history=lambda: self.services.training.history(user),
            evaluations=lambda: self.store.models.evaluations(user),
            last_training=lambda: self.services.training.last_training(user),
            rests=lambda: self.services.training.rests(user),
            quick=lambda: self.services.training.quick,
            daily=self.settings.training.at,
            language_model=lambda: status.words if (status := self.language_model_status()) else "",
            encoder=lambda: " ".join(self.services.encoders.lines()),
            train=lambda: self.services.training.train(user).words,
            train_anyway=lambda: self.services.training.train(user, anyway=True).words,
            back=lambda: self.services.training.roll_back(user).words,
            measure=lambda: self.measure(user),
        )

    def save_backup(self, out: Path) -> Contents:
        """Write everything that is kept to one file. Raises UserError, StoreError."""
        from newsloom.app import backup

        folder = weights_folder(self.settings)
        return backup.save(self.store, folder, out, __version__, self.now())

    def restore_backup(self, source: Path, agree: Callable[[Contents], None]) -> Contents:
        """Put a backup in the place of everything that is kept. Raises UserError, StoreError."""
        from newsloom.app import backup

        folder = weights_folder(self.settings)
        return backup.restore(self.store, folder, source, self.now, agree)

    def close(self) -> None:
        self.services.close()
        self.store.close()


def open_app(
    settings: Settings,
    now: Callable[[], datetime] | None = None,
    waiting: Callable[[str], None] = log.info,
) -> App:
    """Open the store (made and migrated if need be). What else there is is made when it is used.

    `now` is the database's clock where it is left out.
    `waiting` is called with words when another process asks a host that is wanted here.
    Raises StoreError when the database cannot be opened.
    """
    from newsloom.store import Limits, open_store

    limits = Limits(settings.store.connections, timedelta(seconds=settings.store.statement_seconds))
    store = open_store(settings.store.location, now=now, limits=limits)
    now = now or store.database.now
    return App(
        settings=settings,
        store=store,
        user=store.users.user(settings.user, now()),
        now=now,
        services=ProcessServices(settings, store, now, waiting),
    )
