"""Tiny Tiny RSS as a bridge sees it: see bridge.remote.Remote. Holds two connections, no query."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence

from newsloom.bridges.remote import Known
from newsloom.bridges.ttrss import reading, titles, writing
from newsloom.bridges.ttrss.database import READ_PATIENCE, WRITE_PATIENCE, Database
from newsloom.bridges.ttrss.scores import scores
from newsloom.bridges.values import (
    RatedEntry,
    RemoteAccount,
    RemoteFeed,
    RemotePage,
    RemoteWrite,
    Standing,
    Written,
)
from newsloom.kernel.errors import BridgeError
from newsloom.kernel.settings import TtrssSettings

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
        standings: Sequence[Standing],
        present: Mapping[int, Mapping[str, str]],  # noqa: ARG002 - the standings have theirs
        rated: Sequence[RatedEntry],  # noqa: ARG002 - marks are read there, never written
    ) -> Iterable[RemoteWrite]:
        held = [one.present.get(writing.SCORE) for one in standings]
        found = scores(
            [one.score for one in standings],
            [None if one is None else int(one) for one in held],
        )
        for one, score in zip(standings, found, strict=True):
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


def _title(one: Standing) -> str:
    points = str(round(one.score))
    return f"{points} {one.sensitivity}" if one.sensitivity else points


def _sensitivity(one: Standing) -> str:
    sure = next(word for least, word in SURE if one.confidence >= least)
    return json.dumps(
        {
            "score": one.sensitivity,
            "confidence": sure,
            "explanation": one.explanation[:LONGEST_EXPLANATION],
        }
    )
