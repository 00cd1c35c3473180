"""A store with articles in several feeds, and readers made up for it. For tests of lists."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from hypothesis import strategies as st
from sqlalchemy import insert

from newsloom.articles.store.reader_tables import states as states_table
from newsloom.articles.store.reader_tables import subscriptions
from newsloom.kernel.db.columns import MICRO
from newsloom.ranking import rank_key
from newsloom.ranking.scoring import UNSCORED_HALF_LIFE
from newsloom.reading.values.reading import ListQuery, Order, RecencyTerm

from .builders import HALF_LIVES, HOUR, NOW, add

# Three feeds in two categories; each article by the feeds that carry it.
CATEGORIES = {1: "News", 2: "News", 3: "Tech"}
CARRIED = [{1}, {2}, {3}, {1, 2}, {1, 3}, {1, 2, 3}] * 5

# What the articles of the library say of their language, and what that is in a list.
TAGS = {"": "", "en-GB": "en", "EN_us": "en", "deu": "de", "nonsense tag": ""}


@dataclass(frozen=True)
class State:
    """What a reader has of one article, as a test makes it up."""

    relevance: float | None
    sensitivity: int
    age: timedelta
    read: bool
    starred: bool
    points: float = 0.0  # of importance; 0: not weighed


states = st.builds(
    State,
    relevance=st.floats(0, 100) | st.sampled_from([0.0, 50.0, 100.0]),
    sensitivity=st.integers(0, 5),
    age=st.timedeltas(timedelta(0), timedelta(days=4000))
    | st.sampled_from([timedelta(0), HOUR, timedelta(days=30)]),
    read=st.booleans(),
    starred=st.booleans(),
    points=st.just(0.0) | st.floats(0.001, 80) | st.sampled_from([40.0, 80.0]),
)
queries = st.builds(
    ListQuery,
    order=st.sampled_from(Order),
    unread_only=st.booleans(),
    starred_only=st.booleans(),
    feed=st.none() | st.sampled_from([1, 2, 3, 99]),
    category=st.none() | st.sampled_from(["News", "Tech", "None"]),
    cluster=st.none() | st.integers(1, 60),
    language=st.none() | st.sampled_from(["", "en", "de", "fr"]),
    sensitivity=st.none() | st.integers(1, 5),
    score=st.just(0.0) | st.floats(0.011, 100) | st.sampled_from([25.0, 50.0, 100.0]),
    importance=st.just(0.0) | st.floats(0.01, 100) | st.sampled_from([40.0, 70.0]),
    recency=st.builds(RecencyTerm, st.sampled_from([0.0, 20.0, 100.0]), st.floats(0.005, 0.5)),
    since=st.none()
    | st.builds(lambda age: NOW - age, st.timedeltas(timedelta(0), timedelta(days=400))),
    within=st.none() | st.timedeltas(timedelta(0), timedelta(days=400)),
    seed=st.sampled_from([0, 1, 20_000]),
    limit=st.integers(0, 40),
    offset=st.integers(0, 40),
)
moments = st.builds(lambda later: NOW + later, st.timedeltas(timedelta(0), timedelta(days=2000)))


class Library:
    """A store with articles in one, two or three feeds, and readers made up for it."""

    def __init__(self, store):
        self.store = store
        self.carried = {}  # article: the feeds that carry it
        self.language = {}
        self.length = {}  # characters of its text
        self.together = {}  # article or copy: the article
        self._readers = 0

    def reader(self, made):
        """Someone who follows every feed and has those states."""
        self._readers += 1
        user = self.store.users.user(f"reader {self._readers}", NOW)
        follows = [
            {"user_id": user, "feed_id": feed, "category": category, "since": NOW}
            for feed, category in CATEGORIES.items()
        ]
        rows = [self._row(user, one, state) for one, state in made.items()]
        with self.store.database.write() as connection:
            connection.execute(insert(subscriptions), follows)
            if rows:
                connection.execute(insert(states_table), rows)
        return user

    def _row(self, user, one, state):
        dated = NOW - state.age
        return {
            "user_id": user,
            "article_id": one,
            "feed_id": min(self.carried[one]),
            "dated_at": dated,
            "read": state.read,
            "starred": state.starred,
            "sensitivity": state.sensitivity,
            "relevance": state.relevance if state.sensitivity else None,
            "rank_key": rank_key.stored_key(base(state), dated, half_life(state)),
            "scored_by": int(state.sensitivity > 0),
            "language": self.language[one],
            "points": round(state.points * MICRO),
            "weighed_by": int(state.points > 0),
        }


def stocked(store):
    founder = store.users.user("founder", NOW)
    feeds = [
        store.reading.subscribe(founder, f"https://{name}.test/", NOW)[0] for name in CATEGORIES
    ]
    made = Library(store)
    for number, carried in enumerate(CARRIED):
        first = min(carried)
        tag = list(TAGS)[number % len(TAGS)]
        text = f"<p>{'word ' * (number % 4)}</p>"
        (original,) = add(store, feeds[first - 1], f"{number}", language=tag, content=text)
        made.length[original] = len(text)
        made.carried[original] = {first}
        made.language[original] = TAGS[tag]
        made.together[original] = original
    return made


def base(state):
    return state.relevance if state.sensitivity else rank_key.UNSCORED_RELEVANCE


def half_life(state):
    return HALF_LIVES[state.sensitivity] if state.sensitivity else UNSCORED_HALF_LIFE
