"""Marks that a browser made without us and sends later, each once. Their times are by our clock."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from newsloom.reading.store.sent_marks import Sent
from newsloom.reading.values.reading import EventKind, SentOutcome

if TYPE_CHECKING:
    from newsloom.app.reader import Reader
    from newsloom.kernel.ids import ArticleId


@dataclass(frozen=True, slots=True)
class LateMark:
    """What a browser sends: what was done to which articles, how long ago, under which key."""

    key: str
    kind: EventKind  # UNDO: the mark with the key `of` is taken back
    articles: tuple[ArticleId, ...] = ()
    age: timedelta = timedelta()
    of: str = ""


def take(reader: Reader, mark: LateMark, via: str) -> SentOutcome:
    """Do it, unless it was done before; what came of it, the same each time it is sent."""
    if mark.kind is EventKind.UNDO:
        return _take_back(reader, mark.of, via)
    known = reader.store.syncing.known_articles(reader.user, mark.articles)
    # By their numbers now: a copy may have been merged since.
    found = [known[one] for one in mark.articles if one in known]
    kinds: tuple[EventKind, ...] = (mark.kind,)
    if mark.kind is EventKind.OPENED:
        kinds = (EventKind.READ, EventKind.OPENED)
        if found and all(one.state.read for one in found):
            return SentOutcome.DONE  # opening what is read says nothing
    articles = list(dict.fromkeys(one.id for one in found))
    now = reader.now()
    sent = Sent(reader.user, mark.key, articles, kinds, now - max(mark.age, timedelta()))
    outcome, new = reader.store.reading.mark_once(
        sent, now, via, rows=reader.rows, read_together=reader.read_together
    )
    if new:
        reader.on_change()
    return outcome


def _take_back(reader: Reader, key: str, via: str) -> SentOutcome:
    """Nothing more happens when it is sent again: the step is taken back by then."""
    outcome, step = reader.store.reading.step_of_sent(reader.user, key)
    if step is not None:
        reader.store.reading.undo(reader.user, reader.now(), via, step)
        reader.on_change()
    return SentOutcome.DONE if outcome is SentOutcome.GONE else outcome
