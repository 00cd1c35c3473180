"""Another reader's program, in memory: what a test puts there, and what it is told."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from newsloom.bridges.remote import Known
from newsloom.bridges.values import (
    RankedEntry,
    RemoteAccount,
    RemoteEntry,
    RemoteFeed,
    RemotePage,
    RemoteState,
    RemoteWrite,
    Written,
)
from newsloom.feeds.values.published import ParsedArticle
from newsloom.kernel.errors import BridgeError

PAGE = 3


@dataclass
class Reader:
    """One account there."""

    feeds: dict[str, RemoteFeed] = field(default_factory=dict)
    entries: dict[int, RemoteEntry] = field(default_factory=dict)
    states: dict[int, RemoteState] = field(default_factory=dict)
    scores: dict[int, str] = field(default_factory=dict)
    turn: int = 0


@dataclass
class Program:
    """See bridge.remote.Remote. `fails` is what it says in place of an answer, by method."""

    bridge: str = "test"
    lists_marked: bool = False
    readers: dict[str, Reader] = field(default_factory=dict)
    fails: dict[str, str] = field(default_factory=dict)
    locked: set[int] = field(default_factory=set)  # entries whose score cannot be written now
    pulled: list[int] = field(default_factory=list)  # entries whose text was sent
    told: list[RemoteWrite] = field(default_factory=list)
    meanwhile: Callable[[], object] = lambda: None  # what happens after each page

    def publish(
        self, login: str, key: int, title: str, *, feed: str = "1", text: str = "", url: str = ""
    ) -> None:
        reader = self.readers.setdefault(login, Reader())
        reader.feeds.setdefault(feed, RemoteFeed(feed, f"Feed {feed}", "News"))
        article = ParsedArticle(
            guid=f"{login} {key}",
            url=url or f"https://example.org/{feed}/{key}",
            title=title,
            content=f"<p>{text or title}</p>",
            published=datetime(2026, 11, 1, 12, tzinfo=UTC).replace(minute=key % 60),
        )
        reader.entries[key] = RemoteEntry(key, feed, article, digest=f"{title} {text}")
        reader.states.setdefault(key, RemoteState(key, read=False))

    def label(self, login: str, key: int, **marks: object) -> None:
        states = self.readers[login].states
        states[key] = replace(states[key], **marks)

    def drop(self, login: str, key: int) -> None:
        reader = self.readers[login]
        del reader.entries[key], reader.states[key]
        reader.scores.pop(key, None)

    def accounts(self) -> Sequence[RemoteAccount]:
        self._check("accounts")
        return [RemoteAccount(f"id-{login}", login) for login in self.readers]

    def feeds(self, account: RemoteAccount) -> Sequence[RemoteFeed]:
        self._check("feeds")
        return list(self.readers[account.login].feeds.values())

    def pull(self, account: RemoteAccount, cursor: str, known: Known) -> Iterator[RemotePage]:
        reader = self.readers[account.login]
        keys = sorted(reader.entries)
        for start in range(0, len(keys), PAGE):
            self._check("pull")
            part = keys[start : start + PAGE]
            kept = known(part)
            fresh = [
                reader.entries[key]
                for key in part
                if key not in kept or kept[key].digest != reader.entries[key].digest
            ]
            self.pulled += [one.key for one in fresh]
            yield RemotePage(tuple(fresh), tuple(self._state(reader, key) for key in part))
            self.meanwhile()
        yield RemotePage(cursor=str(int(cursor or 0) + 1))

    def look(self, account: RemoteAccount, keys: Sequence[int]) -> RemotePage:
        self._check("look")
        reader = self.readers[account.login]
        here = [key for key in keys if key in reader.entries]
        gone = [key for key in keys if key not in reader.entries]
        return RemotePage((), tuple(self._state(reader, key) for key in here), tuple(gone))

    def wanted(
        self,
        ranked: Sequence[RankedEntry],
        present: Mapping[int, Mapping[str, str]],
        rated: object,
    ) -> Iterable[RemoteWrite]:
        count = len(ranked)
        return [
            RemoteWrite(one.key, "score", str(count - place)) for place, one in enumerate(ranked)
        ]

    def push(self, account: RemoteAccount, writes: Sequence[RemoteWrite]) -> Written:
        self._check("push")
        reader = self.readers[account.login]
        done = [one for one in writes if one.key in reader.entries and one.key not in self.locked]
        for one in done:
            reader.scores[one.key] = one.value
        self.told += done
        gone = tuple(one for one in writes if one.key not in reader.entries)
        return Written(tuple(done), gone, "locked" if self.locked else "")

    def close(self) -> None: ...

    def order(self, login: str) -> list[int]:
        """The unread entries there, best score first."""
        reader = self.readers[login]
        unread = [key for key, state in reader.states.items() if not state.read]
        return sorted(unread, key=lambda key: -int(reader.scores.get(key, "0")))

    def _state(self, reader: Reader, key: int) -> RemoteState:
        score = {"score": reader.scores[key]} if key in reader.scores else None
        return replace(reader.states[key], present=score)

    def _check(self, method: str) -> None:
        if method in self.fails:
            raise BridgeError(self.fails[method])
