"""The labels of a server of the Google Reader API: the list of the best, liked, disliked. Pure.

A label that is not there is never asked for: FreshRSS answers such a question with every article
there is. And a name that is a folder's is no label: each article of the folder carries it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from newsloom.bridges import greader_wire as wire
from newsloom.bridges.values import (
    DISLIKED_KIND,
    LIKED_KIND,
    RATING_KINDS,
    KnownEntry,
    RatedEntry,
    RemoteState,
    RemoteWrite,
)
from newsloom.kernel.ids import ArticleId

BEST_KIND = "label"  # of the best unread articles

# What a liked and a disliked article should carry, by the rating here.
_SIDES = {1: LIKED_KIND, -1: DISLIKED_KIND}


@dataclass(frozen=True, slots=True)
class Labels:
    """The name of each kind, and which names the server has. An empty name: that kind is not used.

    `there` is None where the server does not say which labels it has.
    """

    names: Mapping[str, str]
    there: frozenset[str] | None = None
    folders: frozenset[str] = frozenset()

    def with_server_labels(self, tags: Sequence[wire.Tag], folders: Iterable[str]) -> Labels:
        """The same, knowing the server's list of labels and the folders of its feeds."""
        all_folders = frozenset(folders) | {one.name for one in tags if one.folder}
        return Labels(self.names, frozenset(one.name for one in tags) - all_folders, all_folders)

    def name(self, kind: str) -> str:
        """What can be written; empty when that kind is not used, or its name is a folder's."""
        name = self.names.get(kind, "")
        return "" if name in self.folders else name

    def stands(self, kind: str) -> str:
        """What can be asked for: the name of a label that is there; else empty."""
        name = self.name(kind)
        return name if self.there is not None and name in self.there else ""

    def state(self, one: wire.Entry) -> RemoteState:
        """The marks of an article that came with its text."""
        carried = {kind: self.stands(kind) in one.labels for kind in RATING_KINDS}
        return RemoteState(
            key=one.entry.key,
            read=one.read,
            starred=one.starred,
            liked=carried[LIKED_KIND] if self.stands(LIKED_KIND) else None,
            disliked=carried[DISLIKED_KIND] if self.stands(DISLIKED_KIND) else None,
            present={
                BEST_KIND: self._value(BEST_KIND, self.name(BEST_KIND) in one.labels),
                **{kind: self._value(kind, on) for kind, on in carried.items()},
            },
        )

    def listed(
        self, key: int, known: KnownEntry, read: bool, starred: bool, lists: Mapping[str, set[int]]
    ) -> RemoteState:
        """The marks of a known article by the lists that it is on."""
        on = {kind: key in lists[kind] for kind in lists}
        present = {
            kind: self._value(kind, subscriptions)
            for kind, subscriptions in on.items()
            # Of a rating's label that never stood there nothing is to be kept.
            if kind == BEST_KIND or subscriptions or known.liked or known.disliked
        }
        return RemoteState(
            key=key,
            read=read,
            starred=starred,
            liked=on.get(LIKED_KIND),
            disliked=on.get(DISLIKED_KIND),
            present=present or None,
        )

    def _value(self, kind: str, subscriptions: bool) -> str:
        return self.names.get(kind, "") if subscriptions else ""

    def ratings(self, rated: Sequence[RatedEntry]) -> Iterator[RemoteWrite]:
        """Which labels of ratings to put on or take off so that there is said what is said here.

        Of several entries of one article it is enough that one carries it.
        """
        by_article: dict[ArticleId, list[RatedEntry]] = defaultdict(list)
        for one in rated:
            by_article[one.article].append(one)
        for entries in by_article.values():
            for rating, kind in _SIDES.items():
                if name := self.name(kind):
                    yield from _differing(entries, rating, kind, name)


def _differing(
    entries: Sequence[RatedEntry], rating: int, kind: str, name: str
) -> Iterator[RemoteWrite]:
    carrying = [one.key for one in entries if (one.liked if rating > 0 else one.disliked)]
    if entries[0].rating != rating:
        yield from (RemoteWrite(key, kind, "") for key in carrying)
    elif not carrying:
        yield RemoteWrite(min(one.key for one in entries), kind, name)
