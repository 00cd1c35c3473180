"""A Newsloom in the loopback world of news searches, publishers and a language model."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

from migrated import migrated
from newsloom.app import App, open_app
from newsloom.app.coverage import find_now
from newsloom.coverage.quality import Policy
from newsloom.kernel.ids import ArticleId
from newsloom.kernel.settings import Settings
from newsloom.reading.values.reading import ListQuery
from whole.conftest import Clock
from world_of_coverage import World

TABLES = (
    "coverage_searches", "coverage_answers", "coverage_pages", "coverage_candidates",
    "coverage_judgements", "coverage_vectors", "coverage_rejections", "domain_outcomes",
)  # fmt: skip


@dataclass
class Scene:
    """One reader who follows the world's own feed."""

    world: World
    app: App
    clock: Clock

    @property
    def coverage(self) -> Any:
        return self.app.reader().coverage

    def poll(self) -> None:
        asyncio.run(self.app.runner().once())

    def articles(self) -> list[ArticleId]:
        rows = self.app.reader().page(ListQuery(unread_only=False))
        return sorted(one.id for one in rows)

    def find(self, last: int = 0) -> None:
        """Find coverage of all articles in one go, as the command does, or of the `last` ones only.
        Hits for the last article come from The Courier, the Daily Herald and Microsoft News, among
        others."""
        for one in self.articles()[-last:]:
            self.coverage.find(one)
        assert asyncio.run(find_now(self.app))[1]

    def search_again(self) -> None:
        """Look for all articles once more, however short ago they were searched for."""
        at = self.clock() + timedelta(days=99)
        with self.app.store.write() as unit:
            unit.coverage.choose_coverage(
                self.app.user, self.articles(), "by hand", self.clock(), again_before=at
            )
        assert asyncio.run(find_now(self.app))[1]

    def found(self) -> dict[ArticleId, set[str]]:
        """Domains that report the same, by article."""
        return {
            one: {report.domain for report in self.coverage.of(one).covered}
            for one in self.articles()
        }

    def states(self) -> Counter[str]:
        return Counter(
            str(hit.state) for one in self.articles() for hit, _said in self.coverage.audit(one)
        )

    def kinds(self) -> dict[str, set[str]]:
        """What was told of each domain; "" for a success."""
        records = self.app.store.quality.domain_records(self.clock(), Policy())
        return {
            one.reputation.domain: {*map(str, one.failures), *([""] if one.successes else [])}
            for one in records
        }

    def rows(self) -> dict[str, list[tuple[Any, ...]]]:
        """All that is kept of it."""
        with self.app.store.database.read() as connection:
            return {
                table: sorted(
                    (tuple(row) for row in connection.exec_driver_sql(f"SELECT * FROM {table}")),
                    key=repr,
                )
                for table in TABLES
            }


def settings_of(
    world: World,
    path: Path,
    *,
    model: bool = False,
    model_seconds: float = 3.0,
    seconds: float = 2.0,
    workers: int = 0,
    **coverage: Any,
) -> Settings:
    settings = Settings()
    chosen = {"providers": (world.search_url,), "importance": 101.0, **coverage}
    if model:
        settings = replace(
            settings,
            language_model=replace(
                settings.language_model,
                url=world.chat_url,
                model="judge",
                timeout_seconds=model_seconds,
                run_seconds=20.0,
            ),
        )
    return replace(
        settings,
        store=replace(settings.store, path=path),
        pages=replace(settings.pages, icons=False),
        reading=replace(settings.reading, workers=workers),
        schedule=replace(settings.schedule, by_hand_minutes=0.0),
        fetch=replace(settings.fetch, proxy=world.proxy, host_seconds=0.0, timeout_seconds=seconds),
        coverage=replace(settings.coverage, **chosen),
    )


@contextmanager
def scene_in(world: World, path: Path, **how: Any) -> Iterator[Scene]:
    clock = Clock()
    app = open_app(settings_of(world, migrated(path), **how), clock)
    try:
        app.store.reading.subscribe(app.user, world.feed_url, clock())
        yield Scene(world, app, clock)
    finally:
        app.close()
