"""Wires a pass: polls, side tasks, stages. No logic."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING

from newsloom.app import polling
from newsloom.app.process_services import process
from newsloom.kernel.settings import KeepSettings

if TYPE_CHECKING:
    from newsloom.app import App
    from newsloom.app.reader import Reader
    from newsloom.duplicates.stage import DuplicateDetector
    from newsloom.engines.pipeline import Runner, SideTask, Stage
    from newsloom.feeds.service.full_text import FullTexts
    from newsloom.retention.service import Pruning
    from newsloom.stories.stages.same_event import SameEvents
    from newsloom.stories.stages.stories import StoryAssembler

# Processes that sign while a backlog lasts: with one that judges, enough for two processors.
SIGNERS = 2


def runner(app: App, stages: tuple[Stage, ...] | None = None) -> Runner:
    """What runs passes in this process, with every stage or those given."""
    from newsloom.engines.jobs import wiring as jobs
    from newsloom.engines.pipeline import STAGES, Runner, StageContext

    return Runner(
        fetching=app.fetching,
        poller=partial(polling.poller, app),
        context=StageContext(
            store=app.store,
            embedder=app.services.embedder,
            sensitivity=lambda: app.services.sensitivity.head(),
            users=lambda: [user for user, _name in app.store.users.users()],
            present=app.present_users,
            relevance=lambda user: app.services.training.refreshed(user),
            broken=lambda user, model, words: app.services.training.broken(user, model, words),
            half_lives=app.settings.ranking.half_lives(),
            now=app.now,
            language_model=app.language_model,
            delays=app.services.delays.of,
            matcher=matcher(app),
            same_events=same_events(app),
            importance=app.importance_context(),
            encoders=app.services.encoders.of_pass,
            stories=assembler(app),
        ),
        background_seconds=app.settings.models.reembed_seconds,
        next_due=lambda: app.store.feeds.next_due(process()),
        clock=time.perf_counter,
        train_due=app.train_due,
        questions=app.llm_runner if app.language_model else None,
        stages=STAGES if stages is None else stages,
        side_tasks=side_tasks(app),
        jobs=lambda over: jobs.work(app, over),
        alone=app.services.hosts.alone,
    )


def full_texts(app: App) -> FullTexts:
    """What fetches the pages of articles."""
    from newsloom.digests.service.digest_articles import DigestPages
    from newsloom.feeds.service.extracting import ExtractPage
    from newsloom.feeds.service.full_text import FullTexts

    extract = ExtractPage(app.services.workers)

    def readers() -> Iterator[Reader]:
        return (replace(app, user=user).reader() for user in app.present_users())

    queue = (
        DigestPages(app.store, readers, app.now).queue if app.settings.digest.fetch_pages else None
    )
    return FullTexts(app.store, app.now, extract, app.settings.pages.full_text_per_host, queue)


def side_tasks(app: App) -> tuple[SideTask, ...]:
    """What is done besides polling feeds, after the polls of each pass."""
    from newsloom.app import coverage
    from newsloom.engines.pipeline import SideTask
    from newsloom.feeds.service.icons import Icons
    from newsloom.importance.stages.importance import MeasuredSources
    from newsloom.ranking.stages.term_background import CountedTerms

    pages = app.settings.pages
    icons = SideTask("icons", Icons(app.store, app.now).run)
    return (
        SideTask("hubs", polling.pushing(app).run),
        *([icons] if pages.icons else []),
        SideTask("full texts", full_texts(app).run),
        coverage.side_task(app),
        SideTask("sources", MeasuredSources(app.store, app.now).run),
        SideTask("terms", CountedTerms(app.store, app.now).run),
        # Where the settings say so.
        *([] if app.settings.keep == KeepSettings() else [SideTask("pruning", pruning(app).run)]),
    )


def pruning(app: App) -> Pruning:
    """What removes old articles by the settings."""
    from newsloom.retention.service import Pruning

    window = timedelta(days=app.settings.duplicates.window_days)
    return Pruning(app.store, app.settings.keep, window, app.now)


def matcher(app: App) -> DuplicateDetector:
    """What finds the same text or event among the articles."""
    from newsloom.duplicates.stage import DuplicateDetector, thresholds_of

    duplicates = app.settings.duplicates
    return DuplicateDetector(
        thresholds_of(duplicates),
        read_together=duplicates.read_together,
        workers=SIGNERS if (os.cpu_count() or 1) > 1 else 0,
    )


def same_events(app: App) -> SameEvents:
    """What finds other reports of an article's event."""
    from newsloom.duplicates.stage import thresholds_of
    from newsloom.ranking.stages.term_background import CurrentIdf
    from newsloom.stories.stages.same_event import SameEvents

    return SameEvents(
        store=app.store,
        thresholds=thresholds_of(app.settings.duplicates),
        frequencies=CurrentIdf(app.store, app.now, timedelta(0)),
        recognizer=app.recognizer,
        now=app.now,
    )


def assembler(app: App) -> StoryAssembler:
    """What the stage of stories works with."""
    from newsloom.ranking.stages.term_background import CurrentIdf
    from newsloom.ranking.values.models import event_vectors
    from newsloom.stories.stages.stories import StoryAssembler
    from newsloom.stories.stages.threads import ThreadBuilder
    from newsloom.stories.stages.wording import StoryWriter

    def encoder() -> str:
        return event_vectors(
            app.services.encoders.active().model_id, app.services.encoders.shipped.model_id
        )

    # Asked once a batch: workers that place in turn must use the same.
    frequencies = CurrentIdf(app.store, app.now, timedelta(0))
    return StoryAssembler(
        store=app.store,
        encoder=encoder,
        frequencies=frequencies,
        now=app.now,
        asking=bool(app.language_model),
        worded=StoryWriter(app.store, app.now, encoder).write,
        threaded=ThreadBuilder(
            app.store, app.now, encoder, frequencies, asking=bool(app.language_model)
        ).build,
    )
