"""Articles of a reader's that tell of much the same as one: by vector, beyond its own cluster."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from newsloom.ranking.values.models import scale_of

if TYPE_CHECKING:
    from newsloom.app.reader import Reader
    from newsloom.kernel.ids import ArticleId
    from newsloom.ranking.values.models import Neighbour
    from newsloom.reading.values.reading import Listed

# Days before and after, first and when more is asked for.
NEAR, FAR = timedelta(days=7), timedelta(days=90)

MOST = 10

# Of so many of the nearest, rows are made: some share one.
ASKED = 4 * MOST

_LAST_MOMENT = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class RelatedNews:
    """A row of the list: an article, and how near it is."""

    listed: Listed
    cosine: float

    @property
    def copies(self) -> int:
        """How many others its row stands for: merged copies, and articles of its cluster."""
        cluster = self.listed.cluster
        return cluster.articles - 1 if cluster else 0


def related(
    reader: Reader, article: ArticleId, around: timedelta = NEAR
) -> tuple[RelatedNews, ...]:
    """The nearest first, one for each cluster, dated so long before or after at most.

    Only articles of feeds that the reader follows. None without a vector. Raises NotFound.
    """
    full = reader.article(article)
    own = full.listed.id
    model = reader.embedder().model_id
    vector = reader.store.articles.vectors(model, [own]).get(own)
    if vector is None:
        return ()
    article_ids = {own, *(one.id for one in full.related), *reader.store.duplicates.cluster(own)}
    near = reader.store.articles.nearest(
        model,
        vector,
        since=full.listed.dated - around,
        until=full.listed.dated + around + _LAST_MOMENT,
        limit=ASKED,
        exclude=sorted(article_ids),
        among=reader.user,
    )
    floor = scale_of(model).related
    return _rows(reader, [one for one in near if one.cosine >= floor])


def _rows(reader: Reader, near: Sequence[Neighbour]) -> tuple[RelatedNews, ...]:
    chosen: list[Neighbour] = []
    shown: set[ArticleId] = set()
    for one in near:
        if one.id not in shown and len(chosen) < MOST:
            chosen.append(one)
            shown.update(reader.store.duplicates.cluster(one.id))
    found = reader.store.lists.listed(
        reader.user, [one.id for one in chosen], reader.now(), reader.half_lives_in_force()
    )
    cosines = {one.id: one.cosine for one in chosen}
    return tuple(RelatedNews(one, cosines[one.id]) for one in found)
