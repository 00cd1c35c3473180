"""Every reader's interest profile, made of what the store has of them.

A profile is as of a moment that moves in steps: everything that was there at midnight (UTC), and
the first labels of the day as they pass certain numbers. Every article of the last weeks is weighed
anew with each step, so it must not move with every like.
"""

from __future__ import annotations

import hashlib
import math
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from newsloom.kernel.ids import UserId
from newsloom.ranking.learning import label_weights
from newsloom.ranking.scoring.interests import Evidence, Interests, profile
from newsloom.ranking.values.models import ArticleText, Label
from newsloom.store import Store

VERSION = "interests@1"

# Labels of today count from the first on as their number grows by a quarter.
STEP = 1.25

# The latest labels that a profile is made of. Older topics have faded below a hundredth anyway.
MOST_LABELS = 3_000

# TF-IDF weights of a title and a text in a language ("" where it names none).
TermsOf = Callable[[str, str, str], Mapping[str, float]]


@dataclass(frozen=True, slots=True)
class Profile:
    """A reader's interests, and a name that changes with them."""

    interests: Interests
    name: str


class InterestProfiles:
    """Made when they are asked for, kept until something they are made of has changed."""

    def __init__(
        self, store: Store, terms: Callable[[], TermsOf], now: Callable[[], datetime]
    ) -> None:
        self._store = store
        self._terms = terms
        self._now = now
        self._cached: dict[UserId, tuple[str, Profile]] = {}
        self._lock = threading.Lock()

    def of(self, user: UserId) -> Profile:
        """The one in force now."""
        now = self._now()
        midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
        edits = self._store.models.interest_edits(user)
        # What the reader said: their interests and categories. The titles of feeds are none of it:
        # most name a paper, and its name is in what it prints.
        named = [one.text for one in self._store.models.interests(user)]
        categories = {one.category for one in self._store.lists.subscriptions(user)} - {""}
        stated = (*named, *sorted(categories))
        mark = repr((self._store.models.labels_mark(user), midnight, sorted(edits.items()), stated))
        with self._lock:
            kept = self._cached.get(user)
            if kept is not None and kept[0] == mark:
                return kept[1]
            made = self._made(user, midnight, stated, edits)
            self._cached[user] = (mark, made)
            return made

    def _made(
        self,
        user: UserId,
        midnight: datetime,
        stated: Sequence[str],
        edits: Mapping[str, float],
    ) -> Profile:
        terms = self._terms()
        labels = settled(self._store.models.labels(user), midnight)
        weighed = label_weights.weighted(labels, midnight, 0.0)[-MOST_LABELS:]
        interests = profile(
            [terms(one, "", "") for one in stated],
            [evidence_of(one, terms) for one in weighed],
            midnight,
            edits,
        )
        body = repr(sorted(interests.weights.items())).encode()
        name = f"{VERSION}-{hashlib.blake2b(body, digest_size=6).hexdigest()}"
        return Profile(interests, name)


def evidence_of(label: Label, terms: TermsOf) -> Evidence:
    """What one label says of topics."""
    article: ArticleText = label.article
    return Evidence(
        terms(article.title, article.text, article.language),
        label.weight if label.positive else -label.weight,
        label.at,
        article.id,
    )


def settled(labels: Sequence[Label], midnight: datetime) -> list[Label]:
    """Those from before midnight, and as many of the first as the last step in number says."""
    ordered = sorted(labels, key=lambda one: one.at)
    if not ordered:
        return []
    step = math.floor(math.log(len(ordered)) / math.log(STEP))
    counted = math.ceil(STEP**step)
    return [one for place, one in enumerate(ordered) if place < counted or one.at < midnight]
