"""Everything that is kept, in one SQLite file. Decides nothing; each method is one transaction."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

from newsloom.store import migrations
from newsloom.store.bridges import Bridges
from newsloom.store.calls import Calls
from newsloom.store.clearing import Clearing
from newsloom.store.clusters import Clusters
from newsloom.store.delays import ReadingDelays
from newsloom.store.deliveries import Deliveries
from newsloom.store.drivers import Journal, choose
from newsloom.store.engine import PATIENCE, Database
from newsloom.store.evaluations import Evaluations
from newsloom.store.facts import Facts
from newsloom.store.forgetting import Forgettings
from newsloom.store.half_lives import OwnHalfLives
from newsloom.store.health import HealthOfFeeds
from newsloom.store.holding import Holding
from newsloom.store.icons import Icons
from newsloom.store.importing import Importing
from newsloom.store.judged import Judged
from newsloom.store.judging import Judging
from newsloom.store.labels import Labels
from newsloom.store.leaving import Leaving
from newsloom.store.lists import Lists
from newsloom.store.marks import Marks
from newsloom.store.opened import Opened
from newsloom.store.owners import owner_name
from newsloom.store.pages import Pages
from newsloom.store.pauses import Pauses
from newsloom.store.polls import Polls
from newsloom.store.pushes import Pushes
from newsloom.store.redirects import Redirects
from newsloom.store.robots import Robots
from newsloom.store.scores import Scores
from newsloom.store.search import Search
from newsloom.store.services import Services
from newsloom.store.subscriptions import Subscriptions
from newsloom.store.taught import RatedArticles
from newsloom.store.texts import Texts
from newsloom.store.trained import Trained
from newsloom.store.undoing import Undoing
from newsloom.store.witnesses import Witnesses

__all__ = ["SqlStore", "open_store", "owner_name"]


class SqlStore(
    Polls,
    Pauses,
    Pushes,
    Deliveries,
    HealthOfFeeds,
    Holding,
    Redirects,
    Icons,
    Pages,
    Robots,
    Texts,
    Judged,
    Judging,
    RatedArticles,
    Scores,
    Subscriptions,
    Leaving,
    Lists,
    OwnHalfLives,
    ReadingDelays,
    Opened,
    Search,
    Clusters,
    Witnesses,
    Marks,
    Undoing,
    Clearing,
    Labels,
    Forgettings,
    Importing,
    Trained,
    Evaluations,
    Facts,
    Bridges,
    Services,
    Calls,
):
    """Every role of ports.Store on one database, one class per noun."""

    def __init__(self, database: Database, now: Callable[[], datetime]) -> None:
        self.database = database
        self._now = now
        self._handed = {}
        self._stretch = 0

    def close(self) -> None:
        self.database.close()


def open_store(
    path: Path,
    *,
    now: Callable[[], datetime],
    driver: str | None = None,
    journal: Journal | None = None,
    patience: timedelta = PATIENCE,
) -> SqlStore:
    """Open the database, make it if there is none, bring it to the present schema.

    `driver` and `journal` are for tests; left out, the safest there is on this machine is taken.
    """
    chosen = choose(driver)
    database = Database(path, chosen, journal or chosen.journal, patience)
    try:
        with database.read() as connection:
            ready = migrations.current(connection, path) == migrations.HEAD
        if not ready:
            with database.write() as connection:
                migrations.upgrade(connection, path)
    except BaseException:
        database.close()
        raise
    return SqlStore(database, now)
