"""What a reader did: events, applied to states, and taken back. Each action is one step."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, Row, bindparam, func, insert, select, text, update

from newsloom.store.columns import moment
from newsloom.store.rows import mates
from newsloom.store.sql import CHUNK, many, rows_of
from newsloom.store.tables import TEACHING, articles, events, states, users
from newsloom.types import ArticleId, ArticleState, Event, EventId, EventKind, Rows

if TYPE_CHECKING:
    from newsloom.store.engine import Database
    from newsloom.types import Mark, UserId

# What each kind sets. The others change no state.
EFFECTS: Mapping[EventKind, Mapping[str, Any]] = {
    EventKind.READ: {"read": True},
    EventKind.BULK_READ: {"read": True},
    EventKind.FINISHED: {"read": True},
    EventKind.SKIPPED: {"read": True},
    EventKind.UNREAD: {"read": False},
    EventKind.LIKE: {"rating": 1},
    EventKind.DISLIKE: {"rating": -1},
    EventKind.UNRATE: {"rating": 0},
    EventKind.STAR: {"starred": True},
    EventKind.UNSTAR: {"starred": False},
}

# What a reader's model may learn from. Of each group only the latest word stands; the two that
# withdraw leave nothing.
GROUPS: Mapping[EventKind, str] = {
    EventKind.LIKE: "rating",
    EventKind.DISLIKE: "rating",
    EventKind.UNRATE: "rating",
    EventKind.STAR: "star",
    EventKind.UNSTAR: "star",
    EventKind.FINISHED: "reading",
    EventKind.SKIPPED: "reading",
}
WITHDRAWING = frozenset((EventKind.UNRATE, EventKind.UNSTAR))

_RESTORE = (
    update(states)
    .where(states.c.user_id == bindparam("of_user"), states.c.article_id == bindparam("of_article"))
    .values(
        read=bindparam("was_read"), starred=bindparam("was_starred"), rating=bindparam("was_rating")
    )
)


class Marks:
    """Marking and taking back: part of the ReadingStore role."""

    database: Database

    def mark(
        self,
        user: UserId,
        articles: Sequence[ArticleId],
        kind: EventKind,
        at: datetime,
        via: str,
        *,
        rows: Rows = Rows.ARTICLE,
        read_together: bool = False,
    ) -> tuple[Event, ...]:
        """One event per article the reader has, applied to its state; one step for undo.

        `rows` are those of the list it was done in: a star or a rating is taken off whichever
        article of the row has it, and with `read_together` the others are read too, in a way that
        teaches nothing.
        """
        with self.database.write() as connection:
            made = add_marks(connection, user, articles, kind, at, via)
            if made and rows is not Rows.ARTICLE:
                made += _add_others(
                    connection, user, articles, kind, at, via, made, rows, read_together
                )
            return _read_back(connection, made)

    def undo(self, user: UserId, at: datetime, via: str) -> tuple[Event, ...]:
        """Take back the last step that is not taken back yet; what it was, or nothing.

        Looking at an article changed nothing, so there is nothing of it to take back.
        """
        with self.database.write() as connection:
            step = connection.scalar(_LAST_STEP, {"user": user})
            if step is None:
                return ()
            of_step = (events.c.user_id == user) & (events.c.step == step)
            standing = connection.execute(
                select(events.c.id, events.c.article_id, events.c.before, events.c.kind)
                .where(of_step, events.c.before.is_not(None))
                .order_by(events.c.id.desc())
            ).all()
            # Of several events of a step on one article, what the first of them met.
            was = {row.article_id: _unpack(row.before) for row in standing}
            made = _add(connection, user, was, EventKind.UNDO, at, via)
            connection.execute(update(events).where(of_step).values(undone_by=made[0]))
            unread = [article for article, state in was.items() if not state.read]
            noticed = _take_back_noticed(connection, user, unread, step, made[0])
            _put_states(connection, user, was)
            if noticed or any(EventKind(row.kind) in GROUPS for row in standing):
                change_taste(connection, user)
            return _read_back(connection, [row.id for row in reversed(standing)])


# The least that two times can lie apart.
SHORTEST = timedelta(microseconds=1)

_LAST_EVENT = select(func.max(events.c.id))
_SPOKEN = many(f"""
    SELECT article_id, kind, at FROM events
    WHERE user_id = :user AND article_id IN :ids AND {TEACHING}
""")  # noqa: S608
_LAST_STEP = text("""
    SELECT MAX(step) FROM events
    WHERE user_id = :user AND undone_by IS NULL AND before IS NOT NULL
""")


def add_marks(
    connection: Connection,
    user: UserId,
    articles: Sequence[ArticleId],
    kind: EventKind,
    at: datetime,
    via: str,
) -> list[int]:
    """One step, within the caller's transaction: the numbers of its events."""
    before = _states(connection, user, articles)
    if not before:
        return []
    effect = EFFECTS.get(kind)
    changed = before if effect else {}
    if kind is EventKind.FINISHED:
        # It follows from opening, unasked: undo must not stop at a step that nobody saw happen.
        changed = {article: state for article, state in before.items() if not state.read}
    made = _add(connection, user, before, kind, at, via, changed=changed)
    if effect and changed:
        _apply(connection, user, list(changed), effect)
    if kind in GROUPS:
        change_taste(connection, user)
    return made


def _add_others(
    connection: Connection,
    user: UserId,
    marked: Sequence[ArticleId],
    kind: EventKind,
    at: datetime,
    via: str,
    made: Sequence[int],
    rows: Rows,
    read_together: bool,
) -> list[int]:
    """What a mark does to the other articles of the rows, in the same step."""
    follows = _FOLLOWS.get(kind)
    if follows is None or (follows is EventKind.BULK_READ and not read_together):
        return []
    if kind is EventKind.FINISHED and not _stands(connection, made[0]):
        return []
    given = set(marked)
    others = [
        ArticleId(row.article_id)
        for row in mates(connection, user, marked, rows)
        if row.article_id not in given and _is_met(row, kind)
    ]
    before = _states(connection, user, others)
    if not before:
        return []
    added = _add(connection, user, before, follows, at, via, changed=before, step=made[0])
    _apply(connection, user, list(before), EFFECTS[follows])
    return added


# What becomes of the other articles of a row, by what was said of one.
_FOLLOWS: Mapping[EventKind, EventKind] = {
    EventKind.READ: EventKind.BULK_READ,
    EventKind.BULK_READ: EventKind.BULK_READ,
    EventKind.FINISHED: EventKind.BULK_READ,
    EventKind.SKIPPED: EventKind.BULK_READ,
    EventKind.UNSTAR: EventKind.UNSTAR,
    EventKind.UNRATE: EventKind.UNRATE,
    # A row shows one word about it, the last.
    EventKind.LIKE: EventKind.UNRATE,
    EventKind.DISLIKE: EventKind.UNRATE,
}


def _is_met(row: Row[Any], kind: EventKind) -> bool:
    """Whether another article of the row has what the mark would change."""
    if _FOLLOWS[kind] is EventKind.BULK_READ:
        return not row.read
    if kind is EventKind.UNSTAR:
        return bool(row.starred)
    against = {EventKind.LIKE: (-1,), EventKind.DISLIKE: (1,), EventKind.UNRATE: (-1, 1)}
    return row.rating in against[kind]


def _stands(connection: Connection, event: int) -> bool:
    """Whether an event changed a state, so that undo would stop at it."""
    return connection.scalar(select(events.c.before).where(events.c.id == event)) is not None


def add_labels(connection: Connection, user: UserId, wanted: Sequence[Mark], via: str) -> int:
    """One step of labels of any kinds and times; how many were new.

    A label that is there already is not given twice, nor one that the reader took another way
    later: their later word stands.
    """
    known = _spoken(connection, user, [one.article for one in wanted])
    held = _states(connection, user, [one.article for one in wanted])
    events_wanted: list[tuple[Mark, int]] = []
    now = dict(held)
    for one in sorted(wanted, key=lambda mark: mark.at):
        place = one.article, GROUPS[one.kind]
        if one.article not in held or known.get(place, one.at - SHORTEST) >= one.at:
            continue
        known[place] = one.at
        events_wanted.append((one, _pack(now[one.article])))
        now[one.article] = replace(now[one.article], **EFFECTS[one.kind])
    if not events_wanted:
        return 0
    first = (connection.scalar(_LAST_EVENT) or 0) + 1
    connection.execute(
        insert(events),
        [
            {
                "id": number,
                "user_id": user,
                "article_id": one.article,
                "kind": one.kind.value,
                "at": one.at,
                "via": via,
                "step": first,
                "before": before,
            }
            for number, (one, before) in enumerate(events_wanted, start=first)
        ],
    )
    changed = {article: state for article, state in now.items() if state != held[article]}
    _put_states(connection, user, changed)
    change_taste(connection, user)
    return len(events_wanted)


def _spoken(
    connection: Connection, user: UserId, wanted: Sequence[int]
) -> dict[tuple[int, str], datetime]:
    """When the reader last said something of each article, by group of kinds."""
    found: dict[tuple[int, str], datetime] = {}
    for row in rows_of(connection, _SPOKEN, wanted, user=user):
        place = row.article_id, GROUPS[EventKind(row.kind)]
        found[place] = max(found.get(place, moment(row.at)), moment(row.at))
    return found


def set_states(
    connection: Connection, user: UserId, ids: Sequence[int], effect: Mapping[str, Any]
) -> None:
    """Change states without an event: nothing happened, it only stands so."""
    _apply(connection, user, ids, effect)


def _put_states(connection: Connection, user: UserId, wanted: Mapping[int, ArticleState]) -> None:
    if wanted:
        connection.execute(
            _RESTORE,
            [
                {
                    "of_user": user,
                    "of_article": article,
                    "was_read": state.read,
                    "was_starred": state.starred,
                    "was_rating": state.rating,
                }
                for article, state in wanted.items()
            ],
        )


def _take_back_noticed(
    connection: Connection, user: UserId, articles: Sequence[int], step: int, undo: int
) -> int:
    """What becomes unread again was not finished either; how many events that took back."""
    taken = 0
    for start in range(0, len(articles), CHUNK):
        followed = (
            (events.c.user_id == user)
            & events.c.article_id.in_(articles[start : start + CHUNK])
            & (events.c.id > step)
            & (events.c.kind == EventKind.FINISHED.value)
            & events.c.before.is_(None)
            & events.c.undone_by.is_(None)
        )
        taken += connection.execute(update(events).where(followed).values(undone_by=undo)).rowcount
    return taken


def change_taste(connection: Connection, user: UserId) -> None:
    """Say that what the reader's model learns from is not what it was."""
    connection.execute(update(users).where(users.c.id == user).values(taste=users.c.taste + 1))


def _states(
    connection: Connection, user: UserId, wanted: Sequence[ArticleId]
) -> dict[int, ArticleState]:
    """The states of those articles the reader has, each once, in the order given."""
    found: dict[int, ArticleState] = {}
    for start in range(0, len(wanted), CHUNK):
        query = select(states.c.article_id, states.c.read, states.c.starred, states.c.rating).where(
            states.c.user_id == user, states.c.article_id.in_(wanted[start : start + CHUNK])
        )
        for row in connection.execute(query):
            found[row.article_id] = ArticleState(row.read, row.starred, row.rating)
    return {article: found[article] for article in dict.fromkeys(wanted) if article in found}


def _add(
    connection: Connection,
    user: UserId,
    before: Mapping[int, ArticleState],
    kind: EventKind,
    at: datetime,
    via: str,
    *,
    changed: Container[int] = frozenset(),
    step: int | None = None,
) -> list[int]:
    """Append one event per article; a step is named by its first event, unless it goes on.

    `changed` are the articles whose state it sets: undo gives them back what is kept here.
    """
    first = (connection.scalar(_LAST_EVENT) or 0) + 1
    connection.execute(
        insert(events),
        [
            {
                "id": number,
                "user_id": user,
                "article_id": article,
                "kind": kind.value,
                "at": at,
                "via": via,
                "step": first if step is None else step,
                "before": _pack(state) if article in changed else None,
            }
            for number, (article, state) in enumerate(before.items(), start=first)
        ],
    )
    return list(range(first, first + len(before)))


def _apply(
    connection: Connection, user: UserId, ids: Sequence[int], effect: Mapping[str, Any]
) -> None:
    for start in range(0, len(ids), CHUNK):
        connection.execute(
            update(states)
            .where(states.c.user_id == user, states.c.article_id.in_(ids[start : start + CHUNK]))
            .values(**effect)
        )


def _read_back(connection: Connection, ids: Sequence[int]) -> tuple[Event, ...]:
    """The events as told to people, with the titles shown."""
    found: list[Event] = []
    shown = articles.alias("shown")
    for start in range(0, len(ids), CHUNK):
        query = (
            select(events, shown.c.title)
            .join(articles, articles.c.id == events.c.article_id)
            .join(shown, shown.c.id == articles.c.fullest_id)
            .where(events.c.id.in_(ids[start : start + CHUNK]))
            .order_by(events.c.id)
        )
        found += [_event(row) for row in connection.execute(query)]
    return tuple(found)


def _event(row: Row[Any]) -> Event:
    return Event(
        EventId(row.id),
        ArticleId(row.article_id),
        EventKind(row.kind),
        row.at,
        row.via,
        row.title,
    )


def _pack(state: ArticleState) -> int:
    """A state as one small number: read, starred, and the rating as 0, 1, 2."""
    return int(state.read) | int(state.starred) << 1 | (state.rating + 1) << 2


def _unpack(packed: int) -> ArticleState:
    return ArticleState(bool(packed & 1), bool(packed & 2), (packed >> 2) - 1)
