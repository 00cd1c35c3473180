"""Wires related coverage. No logic."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from newsloom.kernel.errors import SettingsError

if TYPE_CHECKING:
    from newsloom.app import App
    from newsloom.coverage.quality import Policy
    from newsloom.coverage.service import CoverageTerms
    from newsloom.coverage.stages.discovery import Discovery
    from newsloom.engines.pipeline import SideTask
    from newsloom.feeds.page_failures import Outcome
    from newsloom.kernel.http.ports import Fetcher
    from newsloom.kernel.ids import ArticleId, UserId
    from newsloom.kernel.settings import Settings
    from newsloom.store import Aggregates

# How long a language model is waited for before the rules make the queries.
PATIENCE = timedelta(minutes=5)


def providers(app: App) -> tuple[str, ...]:
    """The templates of news searches. Raises SettingsError for one that cannot be used."""
    from newsloom.coverage import searching

    given = app.settings.coverage.providers
    for one in given:
        if problem := searching.problem(one):
            raise SettingsError(f"coverage.providers: {one!r:.80} cannot be used: {problem}.")
    return given or searching.PROVIDERS


def side_task(app: App) -> SideTask:
    """After the polls of each pass. While no reader wants it, nothing of it is even imported."""
    from newsloom.engines.pipeline import SideTask

    async def run(fetcher: Fetcher) -> int:
        wanted = await asyncio.to_thread(app.store.coverage.coverage_readers)
        return await discovery(app).run(fetcher) if wanted else 0

    return SideTask("coverage", run)


async def find_now(app: App) -> tuple[int, bool]:
    """Go on at once with what is chosen, for a command: how many articles' pages were found, and
    whether this process did it: another may be at it."""
    async with app.fetching() as fetcher, app.services.hosts.alone("side_tasks") as alone:
        if not alone:
            return 0, False
        await _ask_model(app)
        found = await discovery(app, patience=timedelta(0)).go_on(fetcher)
        await _ask_model(app)
        return found, True


async def _ask_model(app: App) -> None:
    """What a language model has to say of it, where there is one."""
    if not app.language_model:
        return
    loop = asyncio.get_running_loop()
    ends = loop.time() + app.settings.language_model.run_seconds
    async with app.llm_runner() as runner:
        # Others' questions wait for their own turn; the shares of the tokens stay theirs.
        only = tuple(one for one in runner.purposes if one.name in ("preprocess", "coverage"))
        while loop.time() < ends:
            if not (await runner.round(only=only)).stored:
                return


def terms(app: App) -> CoverageTerms:
    """What the pages and commands about it are told."""
    from newsloom.coverage import searching
    from newsloom.coverage.service import CoverageTerms

    settings = app.settings.coverage
    return CoverageTerms(
        services=tuple(dict.fromkeys(searching.host_of(one) for one in providers(app))),
        again_after=timedelta(hours=settings.cache_hours),
        offered_after=settings.offered_after,
        importance=settings.importance,
    )


def discovery(app: App, *, patience: timedelta | None = None) -> Discovery:
    """What looks for related coverage; with `patience` for a language model's queries."""
    from newsloom.coverage.stages.discovery import Discovery
    from newsloom.coverage.stages.fetching import Fetching
    from newsloom.coverage.stages.judging import Judging
    from newsloom.coverage.stages.preparing import Choosing, Preparing
    from newsloom.coverage.stages.ranking import HeadlineVectors, Ranking
    from newsloom.coverage.stages.resolving import Resolving
    from newsloom.coverage.stages.searching import Searching
    from newsloom.feeds.service.extracting import ExtractPage
    from newsloom.ranking.stages.term_background import CurrentIdf

    store, now, settings = app.store, app.now, app.settings.coverage
    policy = quality_policy(app.settings)
    vectors = HeadlineVectors(store, now, app.services.encoders.of_language)
    extract = ExtractPage(app.services.workers)
    model = bool(app.language_model)

    def record(unit: Aggregates, outcomes: Sequence[Outcome]) -> None:
        unit.quality.record_outcomes(outcomes, now(), policy)

    return Discovery(
        store,
        now,
        Choosing(store, now, lambda user, most: _important(app, user, most), _per_day(app)),
        Preparing(
            store,
            now,
            app.recognizer,
            lambda title, text, language: app.services.terms(title, text, language),
            (PATIENCE if patience is None else patience) if model else timedelta(0),
        ),
        Searching(
            store,
            now,
            app.reading,
            providers(app),
            lambda: store.quality.excluded_domains(now(), policy),
            lambda hosts: store.quality.record_hits(hosts, now(), policy),
            settings.searches_per_hour,
            timedelta(hours=settings.cache_hours),
        ),
        Ranking(store, now, vectors),
        Resolving(store, now, extract, app.settings.fetch.forwarding_per_host),
        Fetching(
            store,
            now,
            extract,
            lambda urls: store.quality.domain_standings(urls, now(), policy),
            record,
            settings.pages_per_host,
        ),
        Judging(store, now, vectors, record, CurrentIdf(store, now), model),
    )


def _per_day(app: App) -> int:
    return app.settings.coverage.articles_per_day if app.settings.coverage.importance <= 100 else 0


def _important(app: App, user: UserId, most: int) -> Sequence[ArticleId]:
    """The most important articles of the last days."""
    from newsloom.coverage.stages.preparing import NOT_OLDER
    from newsloom.reading.values.reading import ListQuery, Order

    query = ListQuery(
        order=Order.IMPORTANT,
        unread_only=False,
        importance=app.settings.coverage.importance,
        limit=most,
    )
    found = replace(app, user=user).reader().page(query)
    return [one.id for one in found if app.now() - one.dated <= NOT_OLDER]


def quality_policy(settings: Settings) -> Policy:
    """When a domain is blocked, for how long, and how fast it is forgotten."""
    from newsloom.coverage.quality import Policy

    given = settings.source_quality
    return Policy(
        half_life=timedelta(days=given.half_life_days),
        least_samples=given.least_samples,
        block=timedelta(days=given.block_days),
        longest_block=timedelta(days=given.longest_block_days),
        tries=given.tries,
    )
