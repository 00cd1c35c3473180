"""What a bridge needs of the program on its other side. A protocol, and nothing that does anything.

A remote is asked in one thread. It raises BridgeError for whatever goes wrong there, changes
nothing but what `push` is given, and may be asked the same again at any time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Protocol

from newsloom.bridges.values import (
    KnownEntry,
    RankedEntry,
    RatedEntry,
    RemoteAccount,
    RemoteFeed,
    RemotePage,
    RemoteWrite,
    Written,
)

Known = Callable[[Sequence[int]], Mapping[int, KnownEntry]]


class Remote(Protocol):
    """One other program."""

    @property
    def bridge(self) -> str:
        """Names the bridge in the store, in user names and in events: "ttrss"."""

    @property
    def lists_marked(self) -> bool:
        """Whether every pull reports all that is starred, liked or disliked, as it does the unread.

        True where the other side cannot say what changed since; then what is missing is looked at.
        """

    def accounts(self) -> Sequence[RemoteAccount]:
        """The readers whose articles are to be ranked."""

    def feeds(self, account: RemoteAccount) -> Sequence[RemoteFeed]:
        """All they follow, with the keys that entries name."""

    def pull(self, account: RemoteAccount, cursor: str, known: Known) -> Iterator[RemotePage]:
        """What is new or changed since the cursor ("" at first), in pages; the last has a cursor.

        Every pull reports the state of everything unread, so that what is missing from it was read
        or has gone. An entry comes before or with its state. `known` says what is kept already:
        an entry is sent again only when it is unknown or its digest another.
        """

    def look(self, account: RemoteAccount, keys: Sequence[int]) -> RemotePage:
        """The states of those entries; the ones that are not there any more in `gone`."""

    def wanted(
        self,
        ranked: Sequence[RankedEntry],
        present: Mapping[int, Mapping[str, str]],
        rated: Sequence[RatedEntry],
    ) -> Iterable[RemoteWrite]:
        """All that should stand there, given the order of the unread entries. Touches nothing.

        `present` is what stands there of any entry, unread or not, as far as is known; `rated` are
        the entries that are liked or disliked here or there, by key.
        """

    def push(self, account: RemoteAccount, writes: Sequence[RemoteWrite]) -> Written:
        """Tell it, in transactions as small as it takes. Telling twice is telling once."""

    def close(self) -> None: ...
