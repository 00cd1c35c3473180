"""Topics that are offered as interests: those that a reader's newest articles are about."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from newsloom.app.reader import Reader
from newsloom.kernel.errors import NewsloomError
from newsloom.ranking.ports import Embedder, Vectors
from newsloom.ranking.values.models import scale_of
from newsloom.reading.values.reading import ListQuery, Order
from newsloom.sample.topics import topics

if TYPE_CHECKING:
    from newsloom.web.site import PageChrome

# Of so many unread articles, newest first, so many have to be about a topic.
LATEST, FEWEST = 500, 3
MOST = 4
# Log odds at which an article is about a topic (cosine 0.21 of MiniLM). At even odds 94 in 100
# of the newest 1,000 articles of 181 feeds were about one: computer games about space and sport.
ABOUT = 1.5
# Their names are near to anything.
VAGUE = frozenset({"World", "Long reads"})


@dataclass(slots=True)
class TopicOffers:
    """Topics that one reader is offered. To find them takes as long as to make a page: those found
    stay for an hour, and none is looked for again after ten seconds."""

    _until: float = 0.0
    _found: tuple[str, ...] = ()

    def of(self, reader: Reader, chrome: PageChrome, enough: int | None = None) -> list[str]:
        """Names, those of most articles first, without the reader's interests. None to who has so
        many, or a model of their own: it learns the rest from likes and dislikes."""
        interests = chrome.interests
        if chrome.status.personal or (enough is not None and len(interests) >= enough):
            return []
        now = reader.now().timestamp()
        if now >= self._until:
            self._found = _found(reader)
            self._until = now + (3_600 if self._found else 10)
        return [one for one in self._found if one not in interests][:MOST]


def _found(reader: Reader) -> tuple[str, ...]:
    """What the newest unread articles are about."""
    newest = ListQuery(order=Order.NEWEST, limit=LATEST)
    model = reader.embedder().model_id
    rows = reader.store.articles.vectors(model, reader.page_ids(newest))
    if len(rows) < FEWEST:
        return ()  # before the encoder is loaded
    names, vectors = _known(reader.embedder())
    if not names:
        return ()
    cosines = np.stack(list(rows.values())) @ vectors.T
    scale = scale_of(model)
    about = scale.interest_slope * (cosines.max(1) - scale.interest_even) >= ABOUT
    counts = Counter(cosines.argmax(1)[about].tolist())
    return tuple(names[one] for one, count in counts.most_common() if count >= FEWEST)


@cache
def _known(embedder: Embedder) -> tuple[tuple[str, ...], Vectors]:
    """The names of all topics, and their vectors; nothing where the encoder does not answer."""
    names = tuple(one.name for one in topics() if one.name not in VAGUE)
    try:
        return names, embedder.embed(names)
    except NewsloomError:
        return (), np.empty((0, embedder.dimensions), np.float32)
