"""Feeds claimed and not asked yet, host by host: whose turn it is. Knows no network, no store."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Collection, Iterable

from newsloom.feeds.values.polling import DueFeed

# So many of one host are claimed at once, that a host with hundreds leaves room for the others.
OF_ONE_HOST = 8


class HostQueue:
    """Gives out feeds of as many hosts as there are, `at_once` of each, `most` of each in all.

    Those that failed last time get a share of their own, `failing`, so that hundreds which never
    answer keep nobody else waiting.
    """

    def __init__(self, *, at_once: int, most: int | None, failing: int) -> None:
        self._at_once = at_once
        self._most = most
        self._failing = failing
        self._of: dict[str, deque[DueFeed]] = {}
        self._well: deque[str] = deque()  # hosts whose next feed may be asked
        self._ill: deque[str] = deque()  # the same, where that feed failed last time
        self._busy: Counter[str] = Counter()
        self._had: Counter[str] = Counter()  # claimed of each host
        self._cut: set[str] = set()  # of these more may be due
        self._dropped: set[str] = set()
        self._failing_now = 0

    def __len__(self) -> int:
        return sum(map(len, self._of.values()))

    @property
    def ready(self) -> int:
        """How many hosts could be asked something now."""
        return len(self._well) + len(self._ill)

    @property
    def hungry(self) -> bool:
        """Whether a host of which more may be due has none left here."""
        return any(host not in self._of for host in self._cut)

    def full(self) -> list[str]:
        """Hosts of which nothing more is to be claimed now."""
        had = [] if self._most is None else [h for h, n in self._had.items() if n >= self._most]
        return [*had, *self._dropped, *(host for host in self._of if host in self._cut)]

    def drop(self, hosts: Iterable[str]) -> None:
        """Ask nothing more of these hosts; their feeds stay claimed until all are given back."""
        for host in hosts:
            self._dropped.add(host)
            self._cut.discard(host)
            if self._of.pop(host, None):
                self._well = deque(one for one in self._well if one != host)
                self._ill = deque(one for one in self._ill if one != host)

    def add(self, feeds: Iterable[DueFeed], full: Collection[str] = ()) -> None:
        """Take in what was claimed together, while nothing was claimed of the hosts `full`."""
        came: Counter[str] = Counter()
        for feed in feeds:
            came[feed.host] += 1
            if feed.host in self._of:
                self._of[feed.host].append(feed)
            else:
                self._of[feed.host] = deque((feed,))
                self._offer(feed.host)
        self._had.update(came)
        left = {host for host in self._cut if host in self._of or host in full}
        cut = {host for host, number in came.items() if number >= OF_ONE_HOST}
        self._cut = {host for host in left | cut if self._allows(host)}

    def take(self) -> DueFeed | None:
        """The next feed to ask; None when all wait for their hosts."""
        if self._well:
            host = self._well.popleft()
        elif self._ill and self._failing_now < self._failing:
            host = self._ill.popleft()
        else:
            return None
        feed = self._of[host].popleft()
        if not self._of[host]:
            del self._of[host]
        self._failing_now += bool(feed.failures)
        self._busy[host] += 1
        if self._busy[host] < self._at_once:
            self._offer(host)
        return feed

    def over(self, feed: DueFeed) -> None:
        """A feed was asked: its host may be asked again."""
        host = feed.host
        self._failing_now -= bool(feed.failures)
        self._busy[host] -= 1
        if not self._busy[host]:
            del self._busy[host]
        if self._busy[host] == self._at_once - 1:
            self._offer(host)

    def _offer(self, host: str) -> None:
        if host in self._of and self._busy[host] < self._at_once:
            (self._ill if self._of[host][0].failures else self._well).append(host)

    def _allows(self, host: str) -> bool:
        return self._most is None or self._had[host] < self._most
