"""Everything that is kept, by aggregate: `store.feeds.claim_due(...)`. Decides nothing.

Each aggregate is a class in a folder of its name, put together from one class per module. Every
method is one statement or one transaction, unless `Store.write` makes several one. Errors are
StoreError, StoreBusy and StoreFull. A store may be used from any thread.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from newsloom.kernel.db.drivers import Journal, choose
from newsloom.kernel.db.engine import LIMITS, PATIENCE, Database, Limits, SqliteDatabase
from newsloom.kernel.db.leases import owner_name
from newsloom.kernel.db.sql import OneTransaction, Transactions
from newsloom.kernel.errors import StoreAway, StoreBusy
from newsloom.store import migrations

if TYPE_CHECKING:
    from newsloom.accounts.store.store import AccountStore
    from newsloom.accounts.store.users.store import UserStore
    from newsloom.bridges.store.store import BridgeStore
    from newsloom.briefs.store.store import BriefStore
    from newsloom.coverage.store.quality import QualityStore
    from newsloom.coverage.store.store import CoverageStore
    from newsloom.digests.store.store import DigestStore
    from newsloom.duplicates.store.store import DuplicateStore
    from newsloom.engines.jobs.store.store import JobStore
    from newsloom.feeds.store.sites import SiteStore
    from newsloom.feeds.store.store import FeedStore
    from newsloom.importance.store.store import SourceStore
    from newsloom.ranking.store.store import ModelStore
    from newsloom.reading.store.annotations.store import AnnotationStore
    from newsloom.reading.store.lists.store import ListStore
    from newsloom.reading.store.store import ReadingStore
    from newsloom.retention.store.store import RetentionStore
    from newsloom.rules.store.store import RuleStore
    from newsloom.serving.store.store import ServingStore
    from newsloom.sharing.store.store import SharingStore
    from newsloom.store.texts import ArticleStore
    from newsloom.stories.store.store import StoryStore
    from newsloom.sync.store.store import SyncStore
    from newsloom.work.store.leases import WorkStore

log = logging.getLogger(__name__)

# How long a process waits for another that brings the database up to date.
MIGRATING = timedelta(minutes=30)

__all__ = ["Aggregates", "Limits", "Store", "open_store", "owner_name"]


class Aggregates:
    """The aggregates on one database or in one unit of work, each imported when first asked for."""

    def __init__(self, database: Transactions, now: Callable[[], datetime]) -> None:
        self._transactions = database
        self._now = now

    @cached_property
    def articles(self) -> ArticleStore:
        from newsloom.store.texts import ArticleStore

        return ArticleStore(self._transactions, self._now)

    @cached_property
    def feeds(self) -> FeedStore:
        from newsloom.feeds.store.store import FeedStore

        return FeedStore(self._transactions, self._now)

    @cached_property
    def sites(self) -> SiteStore:
        from newsloom.feeds.store.sites import SiteStore

        return SiteStore(self._transactions, self._now)

    @cached_property
    def serving(self) -> ServingStore:
        from newsloom.serving.store.store import ServingStore

        return ServingStore(self._transactions, self._now)

    @cached_property
    def sharing(self) -> SharingStore:
        from newsloom.sharing.store.store import SharingStore

        return SharingStore(self._transactions, self._now)

    @cached_property
    def users(self) -> UserStore:
        from newsloom.accounts.store.users.store import UserStore

        return UserStore(self._transactions, self._now)

    @cached_property
    def lists(self) -> ListStore:
        from newsloom.reading.store.lists.store import ListStore

        return ListStore(self._transactions, self._now)

    @cached_property
    def reading(self) -> ReadingStore:
        from newsloom.reading.store.store import ReadingStore

        return ReadingStore(self._transactions, self._now)

    @cached_property
    def duplicates(self) -> DuplicateStore:
        from newsloom.duplicates.store.store import DuplicateStore

        return DuplicateStore(self._transactions, self._now)

    @cached_property
    def models(self) -> ModelStore:
        from newsloom.ranking.store.store import ModelStore

        return ModelStore(self._transactions, self._now)

    @cached_property
    def work(self) -> WorkStore:
        from newsloom.work.store.leases import WorkStore

        return WorkStore(self._transactions, self._now)

    @cached_property
    def jobs(self) -> JobStore:
        from newsloom.engines.jobs.store.store import JobStore

        return JobStore(self._transactions, self._now)

    @cached_property
    def bridges(self) -> BridgeStore:
        from newsloom.bridges.store.store import BridgeStore

        return BridgeStore(self._transactions, self._now)

    @cached_property
    def sources(self) -> SourceStore:
        from newsloom.importance.store.store import SourceStore

        return SourceStore(self._transactions, self._now)

    @cached_property
    def digests(self) -> DigestStore:
        from newsloom.digests.store.store import DigestStore

        return DigestStore(self._transactions, self._now)

    @cached_property
    def briefs(self) -> BriefStore:
        from newsloom.briefs.store.store import BriefStore

        return BriefStore(self._transactions, self._now)

    @cached_property
    def coverage(self) -> CoverageStore:
        from newsloom.coverage.store.store import CoverageStore

        return CoverageStore(self._transactions, self._now)

    @cached_property
    def quality(self) -> QualityStore:
        from newsloom.coverage.store.quality import QualityStore

        return QualityStore(self._transactions, self._now)

    @cached_property
    def stories(self) -> StoryStore:
        from newsloom.stories.store.store import StoryStore

        return StoryStore(self._transactions, self._now)

    @cached_property
    def syncing(self) -> SyncStore:
        from newsloom.sync.store.store import SyncStore

        return SyncStore(self._transactions, self._now)

    @cached_property
    def annotations(self) -> AnnotationStore:
        from newsloom.reading.store.annotations.store import AnnotationStore

        return AnnotationStore(self._transactions, self._now)

    @cached_property
    def rules(self) -> RuleStore:
        from newsloom.rules.store.store import RuleStore

        return RuleStore(self._transactions, self._now)

    @cached_property
    def retention(self) -> RetentionStore:
        from newsloom.retention.store.store import RetentionStore

        return RetentionStore(self._transactions, self._now)

    @cached_property
    def accounts(self) -> AccountStore:
        from newsloom.accounts.store.store import AccountStore

        return AccountStore(self._transactions, self._now)


class Store(Aggregates):
    """Everything that is kept. Each method of an aggregate is one transaction."""

    def __init__(self, database: Database, now: Callable[[], datetime]) -> None:
        super().__init__(database, now)
        self.database = database

    @contextmanager
    def write(self) -> Iterator[Aggregates]:
        """A unit of work: what its aggregates do is one transaction, kept on a clean exit."""
        with self.database.write() as connection:
            yield Aggregates(OneTransaction(connection, self.database), self._now)

    def about(self) -> Mapping[str, str]:
        """What the database is and where, in words; asks it nothing."""
        return self.database.about()

    def facts(self) -> Mapping[str, str]:
        """What `doctor` shows: library, version, journal mode, file, sizes, counts."""
        from newsloom.store import facts

        return facts.facts(self.database, self._now())

    def check(self) -> tuple[str, ...]:
        """What is damaged in the file; nothing when it is sound. Reads all of it."""
        with self.database.read() as connection:
            return self.database.check(connection)

    def schema(self) -> str:
        """The revision of its schema."""
        with self.database.read() as connection:
            return migrations.current(connection, self.database.location) or "none"

    def check_schema(self) -> None:
        """Raises StoreError when a newer Newsloom has changed what this one relies on."""
        with self.database.read() as connection:
            migrations.fits(connection, self.database.location)

    def close(self) -> None:
        self.database.close()


def open_store(
    place: Path | str,
    *,
    now: Callable[[], datetime] | None = None,
    driver: str | None = None,
    journal: Journal | None = None,
    patience: timedelta = PATIENCE,
    limits: Limits = LIMITS,
) -> Store:
    """Open the database, make it if there is none, bring it to the present schema.

    One process brings it there; the others wait for that. A newer schema that only added to this
    one is used as it is.

    `place` is the path of an SQLite file or the URL of a PostgreSQL database, which must be there.
    `driver` and `journal` are for tests of SQLite; left out, the safest there is on this machine is
    taken. `now` is the database's clock where it is left out. Raises StoreError.
    """
    database = _database(place, driver, journal, patience, limits)
    try:
        _bring_up_to_date(database)
    except BaseException:
        database.close()
        raise
    return Store(database, now or database.now)


def _bring_up_to_date(database: Database) -> None:
    """Raises StoreBusy where another process is at it for longer than any step takes."""
    give_up = time.monotonic() + MIGRATING.total_seconds()
    while True:
        with database.read() as connection:
            if migrations.fits(connection, database.location):
                return
        try:
            with database.write() as connection:
                migrations.upgrade(connection, database.location)
        except StoreAway:
            raise
        except StoreBusy:
            if time.monotonic() > give_up:
                raise
            log.info("another process brings the database up to date; waiting for it")
        else:
            return


def _database(
    place: Path | str,
    driver: str | None,
    journal: Journal | None,
    patience: timedelta,
    limits: Limits,
) -> Database:
    if isinstance(place, str):
        from newsloom.kernel.db.postgres_engine import PostgresDatabase

        return PostgresDatabase(place, patience, limits)
    chosen = choose(driver)
    return SqliteDatabase(place, chosen, journal or chosen.journal, patience)
