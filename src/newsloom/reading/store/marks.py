"""What a reader did: events, applied to states. One action is one step; see undoing.py."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import asdict, fields, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import Connection, Row, bindparam, func, insert, select, text, update

from newsloom.accounts.store.tables import users
from newsloom.articles.store.reader_tables import TEACHING, events, states
from newsloom.kernel.db import sql
from newsloom.kernel.db.columns import beginning, moment
from newsloom.kernel.db.sql import CHUNK, Aggregate, many, rows_by, rows_of
from newsloom.kernel.ids import ArticleId, EventId
from newsloom.reading.store.lists.row_names import MARKED_AS_ONE
from newsloom.reading.values.reading import EFFECTS, ArticleState, Event, EventKind, Rows

if TYPE_CHECKING:
    from newsloom.bridges.values import Mark
    from newsloom.kernel.ids import UserId

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
    .values({one.name: bindparam(f"was_{one.name}") for one in fields(ArticleState)})
)
_STATE = [states.c[one.name] for one in fields(ArticleState)]

# Where the marks of an article stand in the number of its state that an event keeps; its rating,
# as 0, 1, 2, is at RATING.
BITS: Mapping[str, int] = {"read": 1, "starred": 2, "later": 16}
RATING = 2


class Marks(Aggregate):
    """Marking and taking back."""

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
    ) -> tuple[EventId, ...]:
        """One event per article the reader has, applied to its state; one step for undo. The
        numbers of its events.

        `rows` are those of the list it was done in: a star or a rating is taken off whichever
        article of the row has it, and with `read_together` the others are read too, in a way that
        teaches nothing.
        """
        step = Step(user, kind, at, via)
        with self.database.write() as connection:
            made = add_marks(connection, step, articles)
            if made and rows is not Rows.ARTICLE:
                going_on = step._replace(number=made[0])
                made += add_others(connection, going_on, articles, rows, read_together)
            return tuple(map(EventId, made))

    def events(self, step: Sequence[EventId]) -> tuple[Event, ...]:
        """The events of a step, which has these numbers."""
        if not step:
            return ()
        with self.database.read() as connection:
            return events_of(connection, step[0], step[-1])

    def newest_step(self, user: UserId) -> tuple[int, int]:
        """The last step that stands, and the newest article: another pair once anything was marked,
        taken back, or came."""
        with self.database.read() as connection:
            row = connection.execute(_NEWEST_STEP, {"user": user}).one()
            return row.step, row.article


class Step(NamedTuple):
    """Who does what, when and through what; with a number it goes on with one begun before.

    `reads`: whether what is judged is read with it. What another program tells says for itself
    what is read there.
    """

    user: UserId
    kind: EventKind
    at: datetime
    via: str
    number: int | None = None
    reads: bool = True


# The least that two times can lie apart.
SHORTEST = timedelta(microseconds=1)

_NEWEST_STEP = text("""
    SELECT COALESCE((
        SELECT MAX(step) FROM events
        WHERE user_id = :user AND undone_by IS NULL AND before IS NOT NULL
    ), 0) AS step,
    COALESCE((SELECT MAX(article_id) FROM states WHERE user_id = :user), 0) AS article
""")
_LAST_EVENT = select(func.max(events.c.id))
_TITLED = f"""
    SELECT e.id, e.article_id, e.kind, e.at, e.via, f.title, {beginning("a.id")}
    FROM events e CROSS JOIN articles a CROSS JOIN articles f
    WHERE e.id BETWEEN :first AND :last AND e.step = :first
    AND a.id = e.article_id AND f.id = a.fullest_id {{which}} ORDER BY e.id
"""  # noqa: S608
_MADE = text(_TITLED.format(which=""))
_UNDONE = text(_TITLED.format(which="AND e.before IS NOT NULL AND e.undone_by = :undone_by"))
# What made an article read or unread, and what says that it was looked at.
_READ_BY = many("""
    SELECT article_id, kind, before FROM events
    WHERE user_id = :user AND article_id IN :ids AND undone_by IS NULL
    AND (before IS NOT NULL OR kind IN ('opened', 'finished'))
    AND kind IN ('read', 'bulk read', 'finished', 'skipped', 'unread', 'opened', 'like', 'dislike')
    ORDER BY id
""")
# The states of what is marked as one with articles, these among them: all in their rows, of a story
# only their copies.
_MATES_BY = {
    rows: many(f"""
        SELECT DISTINCT s.article_id, s.read, s.starred, s.rating, s.later
        FROM clusters g CROSS JOIN clusters c CROSS JOIN states s
        WHERE g.article_id IN :ids AND c.cluster_id = g.cluster_id {same}
        AND s.user_id = :user AND s.article_id = c.article_id
    """)  # noqa: S608
    for rows, same in MARKED_AS_ONE.items()
}
_SPOKEN = many(f"""
    SELECT article_id, kind, at FROM events
    WHERE user_id = :user AND article_id IN :ids AND {TEACHING}
""")  # noqa: S608


def add_marks(connection: Connection, step: Step, articles: Sequence[ArticleId]) -> list[int]:
    """One step, within the caller's transaction: the numbers of its events."""
    user, kind = step.user, step.kind
    before = states_of(connection, user, articles)
    if not before:
        return []
    effect = EFFECTS.get(kind)
    if effect and kind in _JUDGING and not step.reads:
        effect = {name: value for name, value in effect.items() if name != "read"}
    changed = before if effect else {}
    if kind is EventKind.FINISHED:
        # It follows from opening, unasked: undo must not stop at a step that nobody saw happen.
        changed = {article: state for article, state in before.items() if not state.read}
    made = add_events(connection, step, before, changed)
    if effect and changed:
        set_states(connection, user, list(changed), effect)
    if kind is EventKind.UNRATE and step.reads:
        set_states(connection, user, judged_only(connection, user, list(before)), {"read": False})
    if kind in GROUPS:
        change_taste(connection, user)
    return made


def add_others(
    connection: Connection,
    step: Step,
    marked: Sequence[ArticleId],
    rows: Rows,
    read_together: bool,
) -> list[int]:
    """What a step, which has its number, does to the other articles of the rows."""
    assert step.number is not None
    # Whether an event changed a state, so that undo would stop at it.
    if (
        step.kind is EventKind.FINISHED
        and connection.scalar(select(events.c.before).where(events.c.id == step.number)) is None
    ):
        return []
    following = _FOLLOWS.get(step.kind)
    if not following:
        return []
    others = rows_by(connection, _MATES_BY[rows], "article_id", marked, user=step.user)
    for article in marked:
        others.pop(article, None)
    added: list[int] = []
    for one in following:
        if one.kind is EventKind.BULK_READ and not read_together:
            continue
        met = [ArticleId(row.article_id) for row in others.values() if one.meets(row)]
        before = states_of(connection, step.user, met)
        if before:
            added += add_events(connection, step._replace(kind=one.kind), before, before)
            set_states(connection, step.user, list(before), EFFECTS[one.kind])
    return added


class _Following(NamedTuple):
    """What becomes of another article of a row, if it is so."""

    kind: EventKind
    meets: Callable[[Row[Any]], bool]


_READ_TOO = _Following(EventKind.BULK_READ, lambda row: not row.read)

# What becomes of the other articles of a row, by what was said of one. A row shows one word about
# it, the last.
_FOLLOWS: Mapping[EventKind, tuple[_Following, ...]] = {
    EventKind.READ: (_READ_TOO,),
    EventKind.BULK_READ: (_READ_TOO,),
    EventKind.FINISHED: (_READ_TOO,),
    EventKind.SKIPPED: (_READ_TOO,),
    EventKind.UNSTAR: (_Following(EventKind.UNSTAR, lambda row: bool(row.starred)),),
    EventKind.NOT_LATER: (_Following(EventKind.NOT_LATER, lambda row: bool(row.later)),),
    EventKind.UNRATE: (_Following(EventKind.UNRATE, lambda row: row.rating != 0),),
    EventKind.LIKE: (_Following(EventKind.UNRATE, lambda row: row.rating < 0), _READ_TOO),
    EventKind.DISLIKE: (_Following(EventKind.UNRATE, lambda row: row.rating > 0), _READ_TOO),
}


def judged_only(connection: Connection, user: UserId, wanted: Sequence[int]) -> list[int]:
    """Which of these are read only because they were judged: without that they are unread."""
    unread: dict[int, bool] = {}
    for row in rows_of(connection, _READ_BY, wanted, user=user):
        if EventKind(row.kind) in _JUDGING:
            first = unread.setdefault(row.article_id, False)
            unread[row.article_id] = first or not row.before & BITS["read"]
        else:
            unread[row.article_id] = False
    return [article for article, was in unread.items() if was]


_JUDGING = frozenset((EventKind.LIKE, EventKind.DISLIKE))


def add_labels(connection: Connection, user: UserId, wanted: Sequence[Mark], via: str) -> int:
    """One step of labels of any kinds and times; how many were new.

    A label that is there already is not given twice, nor one that the reader took another way
    later: their later word stands.
    """
    known = _spoken(connection, user, [one.article for one in wanted])
    held = states_of(connection, user, [one.article for one in wanted])
    events_wanted: list[tuple[Mark, int]] = []
    now = dict(held)
    for one in sorted(wanted, key=lambda mark: mark.at):
        place = one.article, GROUPS[one.kind]
        if one.article not in held or known.get(place, one.at - SHORTEST) >= one.at:
            continue
        known[place] = one.at
        events_wanted.append((one, pack(now[one.article])))
        now[one.article] = replace(now[one.article], **EFFECTS[one.kind])
    if not events_wanted:
        return 0
    first = next_event(connection)
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
    put_states(connection, user, changed)
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


def put_states(connection: Connection, user: UserId, wanted: Mapping[int, ArticleState]) -> None:
    if wanted:
        connection.execute(
            _RESTORE,
            [
                {
                    "of_user": user,
                    "of_article": article,
                    **{f"was_{name}": value for name, value in asdict(state).items()},
                }
                for article, state in wanted.items()
            ],
        )


def change_taste(connection: Connection, user: UserId) -> None:
    """Say that what the reader's model learns from is not what it was."""
    connection.execute(update(users).where(users.c.id == user).values(taste=users.c.taste + 1))


def states_of(
    connection: Connection, user: UserId, wanted: Sequence[ArticleId]
) -> dict[int, ArticleState]:
    """The states of those articles the reader has, each once, in the order given."""
    found: dict[int, ArticleState] = {}
    for start in range(0, len(wanted), CHUNK):
        of_article = states.c.article_id
        query = select(of_article, *_STATE).where(
            states.c.user_id == user, of_article.in_(wanted[start : start + CHUNK])
        )
        for article, *state in connection.execute(query):
            found[article] = ArticleState(*state)
    return {article: found[article] for article in dict.fromkeys(wanted) if article in found}


def add_events(
    connection: Connection,
    step: Step,
    before: Mapping[int, ArticleState],
    changed: Container[int] = frozenset(),
) -> list[int]:
    """Append one event per article; a step is named by its first event.

    `changed` are the articles whose state it sets: undo gives them back what is kept here.
    """
    first = next_event(connection)
    connection.execute(
        insert(events),
        [
            {
                "id": number,
                "user_id": step.user,
                "article_id": article,
                "kind": step.kind.value,
                "at": step.at,
                "via": step.via,
                "step": first if step.number is None else step.number,
                "before": pack(state) if article in changed else None,
            }
            for number, (article, state) in enumerate(before.items(), start=first)
        ],
    )
    return list(range(first, first + len(before)))


def set_states(
    connection: Connection, user: UserId, ids: Sequence[int], effect: Mapping[str, Any]
) -> None:
    """Change states; without an event nothing happened, it only stands so."""
    for start in range(0, len(ids), CHUNK):
        connection.execute(
            update(states)
            .where(states.c.user_id == user, states.c.article_id.in_(ids[start : start + CHUNK]))
            .values(**effect)
        )


def next_event(connection: Connection) -> int:
    """The number of the next event."""
    return (connection.scalar(_LAST_EVENT) or 0) + 1


def events_of(
    connection: Connection, first: int, last: int, undone_by: int | None = None
) -> tuple[Event, ...]:
    """The events of a step as told to people, with titles; or those that an undoing took back."""
    bounds = {"first": first, "last": last, "undone_by": undone_by}
    return sql.rows(connection, _UNDONE if undone_by else _MADE, Event, **bounds)


def pack(state: ArticleState) -> int:
    """A state as one small number."""
    marks = sum(bit for name, bit in BITS.items() if getattr(state, name))
    return marks | (state.rating + 1) << RATING
