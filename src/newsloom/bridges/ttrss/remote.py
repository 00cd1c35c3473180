"""Tiny Tiny RSS as a bridge sees it: see bridge.remote.Remote. Holds two connections, no query."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence

from newsloom.bridges.remote import Known
from newsloom.bridges.ttrss import reading, titles, writing
from newsloom.bridges.ttrss.database import READ_PATIENCE, WRITE_PATIENCE, Database
from newsloom.bridges.values import (
    RankedEntry,
    RatedEntry,
    RemoteAccount,
    RemoteFeed,
    RemotePage,
    RemoteWrite,
    Written,
)
from newsloom.kernel.errors import BridgeError
from newsloom.kernel.settings import TtrssSettings

# Which score each unread entry is to have: Newsloom's order exactly, with few rewritten. Pure.
#
# Tiny Tiny RSS sorts by score and then by date, so that two entries with one score would stand in
# its order, not ours: every score is another. It is the freshness-adjusted relevance in hundred
# thousandths of a point (85.3 points: 8,530,000), moved as little as it takes to keep the order.
#
# As time passes every relevance falls a little, and writing all of them every half hour would fill
# the other side's database with dead rows. What stands there is kept while it is within half a
# point of the truth and its place among the others is right.

POINT = 100_000
TOLERANCE = POINT // 2

# Its scores are 32-bit integers. Below zero it hides articles from its fresh list and digests, and
# a filter's score from 1000 up stars what comes in; none of that looks at what is written later.
LEAST, MOST = 1, 2**31 - 1


def scores(points: Sequence[float], present: Sequence[int | None]) -> list[int]:
    """One score each, falling, for entries given best first with what stands there now."""
    wanted = [round(one * POINT) for one in reversed(points)]
    kept = _kept(wanted, list(reversed(present)))
    return _filled(wanted, kept)[::-1]


def _kept(wanted: Sequence[int], present: Sequence[int | None]) -> dict[int, int]:
    """The largest set of present scores, by place, that may stand as they are.

    They must rise, and leave between two as many numbers as there are entries between: that is,
    score minus place must never fall.
    """
    count = len(wanted)
    places: list[int] = []  # the last place of the best run of each length ...
    heights: list[int] = []  # ... and its score minus place
    before: dict[int, int | None] = {}
    for place, score in enumerate(present):
        if score is None or abs(score - wanted[place]) > TOLERANCE:
            continue
        height = score - place
        if not LEAST <= height <= MOST - (count - 1):
            continue
        length = bisect_right(heights, height)
        before[place] = places[length - 1] if length else None
        places[length : length + 1] = [place]
        heights[length : length + 1] = [height]
    kept = {}
    at = places[-1] if places else None
    while at is not None:
        score = present[at]
        assert score is not None
        kept[at] = score
        at = before[at]
    return kept


def _filled(wanted: Sequence[int], kept: dict[int, int]) -> list[int]:
    """All scores, rising: the kept ones, and between them the nearest to what is wanted."""
    count = len(wanted)
    ceilings = [0] * count
    ceiling = MOST
    for place in reversed(range(count)):
        ceiling = ceilings[place] = kept.get(place, ceiling)
        ceiling -= 1
    found: list[int] = []
    floor = LEAST
    for place in range(count):
        found.append(kept.get(place, min(max(wanted[place], floor), ceilings[place])))
        floor = found[-1] + 1
    return found


BRIDGE = "ttrss"

# The table has three words for how sure a rating is, where Newsloom keeps a probability; chance
# would be .2.
SURE = ((0.7, "high"), (0.4, "medium"), (0.0, "low"))

LONGEST_EXPLANATION = 1_000


class Ttrss:
    """One Tiny Tiny RSS. Used from one thread at a time."""

    def __init__(self, settings: TtrssSettings) -> None:
        self._settings = settings
        self._reading = Database(settings.database, READ_PATIENCE)
        self._writing = Database(settings.database, WRITE_PATIENCE)

    @property
    def bridge(self) -> str:
        return BRIDGE

    @property
    def lists_marked(self) -> bool:
        return False  # its rows say when they were starred, and when not any more

    def accounts(self) -> Sequence[RemoteAccount]:
        """The users of the settings, else all."""
        with self._reading.connected() as connection:
            users = reading.users(connection)
        wanted = set(self._settings.users)
        unknown = wanted - {one.login for one in users}
        if unknown:
            raise BridgeError(f"Tiny Tiny RSS has no user {', '.join(sorted(unknown))}")
        return [one for one in users if not wanted or one.login in wanted]

    def feeds(self, account: RemoteAccount) -> Sequence[RemoteFeed]:
        with self._reading.connected() as connection:
            return reading.feeds(connection, int(account.key))

    def pull(self, account: RemoteAccount, cursor: str, known: Known) -> Iterator[RemotePage]:
        owner = int(account.key)
        with self._reading.connected() as connection:
            here = reading.here(connection, owner)
            since = reading.cursor(cursor, here, self._settings.days)
            pages = reading.marks(connection, owner, since, with_titles=self._settings.mark_titles)
            for marks in pages:
                kept = known([one.state.key for one in marks])
                missing = [
                    one.state.key
                    for one in marks
                    if one.state.key not in kept or kept[one.state.key].digest != one.digest
                ]
                yield RemotePage(
                    entries=tuple(reading.entries(connection, owner, missing)),
                    states=tuple(one.state for one in marks),
                )
        yield RemotePage(cursor=here.written())

    def look(self, account: RemoteAccount, keys: Sequence[int]) -> RemotePage:
        with self._reading.connected() as connection:
            marks = reading.named_marks(
                connection, int(account.key), keys, with_titles=self._settings.mark_titles
            )
        here = {one.state.key for one in marks}
        return RemotePage(
            states=tuple(one.state for one in marks),
            gone=tuple(key for key in keys if key not in here),
        )

    def wanted(
        self,
        ranked: Sequence[RankedEntry],
        present: Mapping[int, Mapping[str, str]],  # noqa: ARG002 - the ranked have theirs
        rated: Sequence[RatedEntry],  # noqa: ARG002 - marks are read there, never written
    ) -> Iterable[RemoteWrite]:
        held = [one.present.get(writing.SCORE) for one in ranked]
        found = scores(
            [one.score for one in ranked],
            [None if one is None else int(one) for one in held],
        )
        for one, score in zip(ranked, found, strict=True):
            yield RemoteWrite(one.key, writing.SCORE, str(score))
            if self._settings.sensitivity_table and one.sensitivity:
                yield RemoteWrite(one.key, writing.SENSITIVITY, _sensitivity(one))
            if self._settings.mark_titles and titles.SEAM not in one.title:
                yield RemoteWrite(one.key, writing.TITLE, _title(one))

    def push(self, account: RemoteAccount, writes: Sequence[RemoteWrite]) -> Written:
        with self._writing.connected() as connection:
            return writing.write(connection, int(account.key), writes)

    def close(self) -> None:
        self._reading.close()
        self._writing.close()


def _title(one: RankedEntry) -> str:
    points = str(round(one.score))
    return f"{points} {one.sensitivity}" if one.sensitivity else points


def _sensitivity(one: RankedEntry) -> str:
    sure = next(word for least, word in SURE if one.confidence >= least)
    return json.dumps(
        {
            "score": one.sensitivity,
            "confidence": sure,
            "explanation": one.explanation[:LONGEST_EXPLANATION],
        }
    )
