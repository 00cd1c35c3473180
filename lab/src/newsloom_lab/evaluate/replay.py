"""A week of articles that come as they were dated, and every digest that falls due meanwhile.

Nothing is imitated: articles are stored, the stages run, schedules fall due and digests are made as
`serve` makes them, in a store of its own whose clock is turned. Nothing is fetched, and nobody has
read anything, so there are no interests.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path

from sqlalchemy import insert

from newsloom.app import App, open_app
from newsloom.articles.store.reader_tables import states as states_table
from newsloom.articles.store.tables import articles as articles_table
from newsloom.digests.formats import markdown
from newsloom.digests.service import schedules
from newsloom.digests.service.digesting import digesting
from newsloom.digests.values import Digest, DigestKind
from newsloom.engines.pipeline.stages import STAGES, TEXT_VERSION, run_stages
from newsloom.kernel.delivery.schedules import WEEKDAYS
from newsloom.kernel.ids import ArticleId, FeedId
from newsloom.kernel.settings import Settings
from newsloom.ranking.measure.articles import LabelledArticle, as_text
from newsloom.ranking.values.models import PlainText
from newsloom_lab.evaluate.week import DAY, Week
from newsloom_lab.rows import article_row, state_row

MORNING, EVENING, WEEKLY = "07:00", "18:00", "00:00"  # UTC; the weekly ones up to the end
_NEEDED = ("duplicates", "embed", "sensitivity", "relevance", "importance", "interest", "stories")


@dataclass(frozen=True, slots=True)
class Made:
    """One digest of the replay."""

    digest: Digest
    markdown: str
    seconds: float  # to make and keep it; polling and the stages are not in it


@dataclass(frozen=True, slots=True)
class Replay:
    """Every digest in the order of time, and the articles by their numbers in the store."""

    made: tuple[Made, ...]
    nothing: tuple[tuple[DigestKind, datetime], ...]  # fell due, and had nothing to tell
    articles: dict[ArticleId, LabelledArticle]
    stage_seconds: float  # all articles through the stages before


@dataclass
class _Clock:
    now: datetime


@dataclass
class _Desk:
    """The store and what has come into it."""

    app: App
    clock: _Clock
    feeds: dict[str, FeedId] = field(default_factory=dict)
    known: dict[ArticleId, LabelledArticle] = field(default_factory=dict)

    def take(self, articles: Sequence[LabelledArticle]) -> float:
        """Store what came and run the stages; their seconds."""
        numbered = {ArticleId(len(self.known) + n): one for n, one in enumerate(articles, start=1)}
        self._store(numbered)
        self.known |= numbered
        began = time.perf_counter()
        context = self.app.runner().context
        stages = tuple(one for one in STAGES if one.name in _NEEDED)
        run_stages(context, clock=time.perf_counter, stages=stages)
        return time.perf_counter() - began

    def _store(self, numbered: dict[ArticleId, LabelledArticle]) -> None:
        if not numbered:
            return
        rows = [self._row(number, one) for number, one in numbered.items()]
        with self.app.store.database.write() as connection:
            connection.execute(insert(articles_table), rows)
            states = [state_row(self.app.user, row) for row in rows]
            connection.execute(insert(states_table), states)
        texts = [PlainText(number, one.title, one.body) for number, one in numbered.items()]
        self.app.store.articles.put_texts(TEXT_VERSION, texts)

    def _row(self, number: ArticleId, one: LabelledArticle) -> dict[str, object]:
        address = {"guid": one.url, "url": one.url, "canonical_url": one.url}
        address["summary"] = one.summary if one.text else ""
        return article_row(number, self._feed(one.source), as_text(one)) | address

    def _feed(self, source: str) -> FeedId:
        if source not in self.feeds:
            self.feeds[source], _new = self.app.store.reading.subscribe(
                self.app.user, f"https://{source}/feed", self.clock.now, title=source
            )
        return self.feeds[source]


def replay(week: Week) -> Replay:
    """Every digest of the week: mornings, evenings, and the weekly ones."""
    made: list[Made] = []
    nothing: list[tuple[DigestKind, datetime]] = []
    with _desk(week) as desk:
        spent = 0.0
        for kind, moment in moments(week):
            desk.clock.now = moment
            spent += desk.take(until(week.articles, moment)[len(desk.known) :])
            one = _made(desk.app)
            if one is None:
                nothing.append((kind, moment))
            else:
                made.append(one)
        return Replay(tuple(made), tuple(nothing), dict(desk.known), spent)


def until(articles: Sequence[LabelledArticle], moment: datetime) -> Sequence[LabelledArticle]:
    """Those dated until a moment, of articles in the order of their dates."""
    return articles[
        : sum(one.published is not None and one.published <= moment for one in articles)
    ]


def _made(app: App) -> Made | None:
    """The digest that falls due now; None where it has nothing to tell."""
    began = time.perf_counter()
    count = digesting(app).make_due()
    seconds = time.perf_counter() - began
    if not count:
        return None
    (digest,) = app.store.digests.newest_digests(app.user, 1)
    return Made(digest.digest, markdown(digest.digest), seconds)


@contextmanager
def _desk(week: Week) -> Iterator[_Desk]:
    """An empty store at the begin of the week, with the three schedules."""
    clock = _Clock(week.begin)
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings()
        store_settings = replace(settings.store, path=Path(folder) / "replay.db")
        app = open_app(replace(settings, store=store_settings), now=lambda: clock.now)
        try:
            reader = app.reader()
            schedules.add(reader, DigestKind.MORNING, MORNING, "UTC")
            schedules.add(reader, DigestKind.EVENING, EVENING, "UTC")
            weekday = WEEKDAYS[week.end.weekday()]
            schedules.add(reader, DigestKind.WEEKLY, WEEKLY, "UTC", weekday)
            yield _Desk(app, clock)
        finally:
            app.close()


def moments(week: Week) -> list[tuple[DigestKind, datetime]]:
    """When which digest falls due, in order."""
    days = [week.begin + day * DAY for day in range(week.days)]
    found = [(DigestKind.MORNING, day + _after(MORNING)) for day in days]
    found += [(DigestKind.EVENING, day + _after(EVENING)) for day in days]
    weeks = range(0, week.days, 7)
    found += [(DigestKind.WEEKLY, week.end - day * DAY) for day in weeks]
    return sorted(found, key=lambda one: one[1])


def _after(at: str) -> timedelta:
    hours, minutes = at.split(":")
    return timedelta(hours=int(hours), minutes=int(minutes))
