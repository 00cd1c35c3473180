"""A store of articles that the built-in judge has rated, and what asks a language model."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from migrated import migrated
from newsloom.app.purposes import PURPOSES
from newsloom.kernel.http.api import HttpApi
from newsloom.kernel.ids import ArticleId, FeedId
from newsloom.kernel.settings import LanguageModelSettings
from newsloom.kernel.text.html import to_text
from newsloom.llm.chat import ChatServer, service_name
from newsloom.llm.purpose import Purpose
from newsloom.llm.service.runner import LlmRunner
from newsloom.llm.service.status import status
from newsloom.llm.values import ArticleQuestion, AskReport, ServiceStatus
from newsloom.ranking.purposes import SENSITIVITY
from newsloom.ranking.values.models import ArticleText, PlainText, Score
from newsloom.reading.values.reading import Listed
from newsloom.store import Store, open_store
from store.builders import (
    HALF_LIVES,
    NOW,
    TEXT,
    article,
    embed,
    ids_of,
    new,
    pending_scores,
    pending_texts,
    publish,
    rate,
)

MAKER = SENSITIVITY.producer("judge")
SAMPLE = ArticleText(ArticleId(1), "", "", "news.test", "en", NOW, FeedId(1))
KEY = "sk-secret-9f3b"

# What a language model may have changed when all is done; everything else stays as it was.
TOUCHED = frozenset({"ratings", "states", "services", "spending", "model_calls", "makers"})


def about(title: str, text: str) -> ArticleQuestion:
    """The question about an article with that title and text."""
    return ArticleQuestion(replace(SAMPLE, title=title, text=text), 1)


@dataclass
class World:
    """One reader's feed; the built-in judge says 3 of everything."""

    path: Path
    now: datetime = NOW
    store: Store = field(init=False)
    ids: list[ArticleId] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.store = open_store(migrated(self.path), now=lambda: self.now)
        self.user = self.store.users.user("reader", NOW)
        self.feed, _ = self.store.reading.subscribe(self.user, "https://news.test/feed", NOW)
        self.ids = [row[0] for row in self.rows("SELECT id FROM articles ORDER BY id")]

    def publish(self, *titles: str) -> list[ArticleId]:
        """One article of each title, read, rated and scored as the passes do it."""
        return self.bring([(title, f"<p>Content of {title}.</p>") for title in titles])

    def bring(self, titled: Sequence[tuple[str, str]]) -> list[ArticleId]:
        """The same with the HTML of each."""
        known, titles = len(self.ids), [title for title, _html in titled]
        made = [
            new(article(self.feed, f"a{known + place}", title=title, content=html))
            for place, (title, html) in enumerate(titled)
        ]
        publish(self.store, self.feed, *made)
        self.ids += ids_of(self.store, self.feed, *(f"a{known + n}" for n in range(len(titles))))
        raw = pending_texts(self.store, TEXT, 1000)
        plain = [PlainText(one.id, one.title, to_text(one.html, 2_000)) for one in raw]
        self.store.articles.put_texts(TEXT, plain)
        embed(self.store)
        rate(self.store)
        self.score()
        return self.ids

    def score(self) -> int:
        """The relevance stage, with the language model's ratings where there are some."""
        articles, _vectors, _shelves, ratings = pending_scores(
            self.store, self.user, "scorer", language_model=MAKER
        )
        rows = [Score(one.id, 60.0, level) for one, level in zip(articles, ratings, strict=True)]
        self.store.articles.put_scores(self.user, "scorer", rows, HALF_LIVES)
        return len(rows)

    def listed(self) -> dict[ArticleId, Listed]:
        found = self.store.lists.listed(self.user, self.ids, self.now, HALF_LIVES)
        return {one.id: one for one in found}

    def sensitivity(self) -> dict[ArticleId, int]:
        return {number: one.sensitivity for number, one in self.listed().items()}

    def ratings(self) -> dict[ArticleId, Any]:
        found = {one: self.store.articles.rating(MAKER, one) for one in self.ids}
        return {one: rating for one, rating in found.items() if rating is not None}

    def settings(self, url: str, **changes: Any) -> LanguageModelSettings:
        values = {
            "url": url,
            "model": "judge",
            "key": KEY,
            "timeout_seconds": 2.0,
            "concurrency": 2,
            "daily_tokens": 0,
        }
        return LanguageModelSettings(**(values | changes))

    @asynccontextmanager
    async def runner(
        self, url: str, purposes: tuple[Purpose[Any, Any], ...] = PURPOSES, **changes: Any
    ) -> AsyncIterator[LlmRunner]:
        settings = self.settings(url, **changes)
        async with HttpApi(version="1") as caller:
            yield LlmRunner(
                store=self.store,
                server=ChatServer(caller, settings, lambda: self.now),
                settings=settings,
                now=lambda: self.now,
                nonce=lambda: f"{random.getrandbits(64):016x}",
                jitter=lambda: 0.0,
                backoff=timedelta(milliseconds=5),
                purposes=purposes,
            )

    async def ask(self, url: str, *, rounds: int = 1, **changes: Any) -> AskReport:
        """So many rounds, whatever comes of them."""
        total = AskReport()
        async with self.runner(url, **changes) as runner:
            for _ in range(rounds):
                total += await runner.round()
        return total

    def status(self, url: str, **changes: Any) -> ServiceStatus:
        settings = self.settings(url, **changes)
        state = self.store.models.service(service_name(settings))
        request = self.store.models.totals(MAKER, self.now - timedelta(days=1))
        return status(state, request, settings, self.now)

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        with self.store.database.read() as connection:
            return [tuple(row) for row in connection.exec_driver_sql(query)]

    def untouched(self) -> dict[str, list[tuple[Any, ...]]]:
        """All that no language model may change: other tables, and what a reader marked."""
        tables = self.rows("SELECT name FROM sqlite_master WHERE type = 'table'")
        # Some hundred tables: by the driver alone this takes a fifth of the time.
        with self.store.database.read() as connection:
            driver = connection.connection.driver_connection
            kept = {
                name: driver.execute(f'SELECT * FROM "{name}"').fetchall()
                for (name,) in tables
                if name not in {*TOUCHED, "reader_changes"}
                and not name.startswith(("sqlite_", "search"))
            }
        marks = "user_id, article_id, feed_id, dated_at, read, starred, rating, relevance"
        kept["states"] = self.rows(f"SELECT {marks} FROM states ORDER BY 1, 2")
        own = "maker_id <> (SELECT COALESCE(MAX(id), 0) FROM makers WHERE name LIKE 'chat/%')"
        kept["ratings"] = self.rows(f"SELECT * FROM ratings WHERE {own} ORDER BY 1, 2")
        return kept
