"""Which encoders make vectors in a pass, and the one step that they all share.

Where the shipped heads, stories or the search for reports of one event read the shipped encoder's
vectors, those are made whatever is chosen. A newly chosen encoder works in the background until its
vectors are whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from newsloom.kernel.ids import FeedId, UserId
from newsloom.kernel.text.language import language
from newsloom.ranking.encoder_text import embedding_text
from newsloom.ranking.ports import Embedder, RelevanceModel, SensitivityModel
from newsloom.ranking.values.models import event_vectors
from newsloom.store import Store
from newsloom.work.service import Keep, Leases
from newsloom.work.values import Lease, StageKey

# Small enough that progress moves and a kill costs a second or two of encoding, large enough that
# sorting by length fills its batches.
VECTOR_BATCH = 128

# Articles of a feed that are not in English, and their share, from which on the feed is not.
FOREIGN_ARTICLES, FOREIGN_SHARE = 3, 0.6

ACTIVE, HEADS, REEMBED, LANGUAGES = "embed", "embed for heads", "embed anew", "embed languages"


@dataclass(frozen=True, slots=True)
class LanguageGroup:
    """Languages whose articles get vectors of an encoder of their own besides."""

    languages: tuple[str, ...]
    embedder: Embedder

    @property
    def key(self) -> str:
        """As the store compares languages."""
        return f",{','.join(self.languages)},"


@dataclass(frozen=True, slots=True)
class Encoders:
    """What one pass works with, however the settings of other processes change meanwhile."""

    active: Embedder  # whose vectors answer: ranking, a reader's own model, what is alike
    heads: Embedder  # the shipped one
    sensitivity: Callable[[], SensitivityModel]
    rated_vectors: str  # the encoder whose vectors the sensitivity model reads
    relevance: Callable[[UserId], RelevanceModel]  # of the active one's vectors
    broken: Callable[[UserId, str, str], None]
    # The newly chosen one, until it is the active one; raises ModelError when it cannot be made.
    following: Callable[[], Embedder | None]
    groups: Callable[[], tuple[LanguageGroup, ...]]
    # Start a new store with another encoder than the active one, if that is better; whether it did.
    begin: Callable[[], bool]
    switch: Callable[[Embedder], bool]  # to it, if its vectors are whole; whether that was done
    watch: LanguageWatch

    @property
    def events(self) -> str:
        """The encoder whose vectors stories and the probability of one event are made of."""
        return event_vectors(self.active.model_id, self.heads.model_id)


@dataclass(slots=True)
class LanguageWatch:
    """Whether a feed is in another language than English, by the articles that come. One a process.

    A single article proves nothing: English feeds quote others, and a title may have one word.
    """

    found: bool = False
    _seen: dict[FeedId, tuple[int, int]] = field(default_factory=dict)  # all, not in English

    def look(self, articles: Iterable[tuple[FeedId, str, int]]) -> None:
        """Count articles: feed, language, how many."""
        if self.found:
            return
        for feed, tag, number in articles:
            every, foreign = self._seen.get(feed, (0, 0))
            foreign += number * (language(tag) not in {"", "en"})
            self._seen[feed] = every + number, foreign
        # Not before all are counted: those of one language may come first.
        self.found = any(
            foreign >= FOREIGN_ARTICLES and foreign > FOREIGN_SHARE * every
            for every, foreign in self._seen.values()
        )


def embed(
    store: Store,
    leases: Leases,
    key: StageKey,
    embedder: Embedder,
    watch: LanguageWatch | None = None,
) -> int:
    """The next batch of vectors of that encoder: how many were kept."""

    def compute(lease: Lease) -> Keep | None:
        batch, articles = store.articles.leased_vectors(lease, VECTOR_BATCH)
        if not articles:
            return None
        ids = [one.id for one in articles]
        if watch:
            watch.look((one.feed_id, one.language, 1) for one in articles)
        vectors = embedder.embed([embedding_text(one.title, one.text) for one in articles])
        return lambda until: store.articles.put_vectors(
            embedder.model_id, ids, vectors, batch=batch, until=until
        )

    return leases.work(key, VECTOR_BATCH, compute)


def for_heads(store: Store, leases: Leases, encoders: Encoders | None) -> int:
    """Vectors of the shipped encoder, where the active one is another and something reads them."""
    if encoders is None or encoders.heads.model_id == encoders.active.model_id:
        return 0
    heads = encoders.heads
    if heads.model_id not in {encoders.events, encoders.rated_vectors}:
        return 0
    return embed(store, leases, StageKey(HEADS, heads.model_id), heads)


def anew(store: Store, leases: Leases, encoders: Encoders | None) -> int:
    """Vectors of the newly chosen encoder; once they are whole, they answer."""
    following = encoders.following() if encoders else None
    if encoders is None or following is None:
        return 0
    done = embed(store, leases, StageKey(REEMBED, following.model_id), following)
    if not done and not leases.stop():
        encoders.switch(following)
    return done


def of_languages(store: Store, leases: Leases, encoders: Encoders | None) -> int:
    """Additional vectors of the articles in some languages."""
    for group in encoders.groups() if encoders else ():
        key = StageKey(LANGUAGES, group.embedder.model_id, (group.key,))
        if done := embed(store, leases, key, group.embedder):
            return done
    return 0
