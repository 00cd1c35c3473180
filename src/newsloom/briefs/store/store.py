"""`store.briefs`."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime

from sqlalchemy import ColumnElement, and_, delete, insert, or_, select, update

from newsloom.briefs.store.archive import BriefArchive, brief_of, sound_values
from newsloom.briefs.store.tables import (
    brief_places,
    brief_schedules,
    brief_sendings,
    briefs,
    pronunciations,
)
from newsloom.briefs.values import (
    ArchivedBrief,
    BriefId,
    BriefSound,
    BriefState,
    Pronunciation,
)
from newsloom.kernel.db import leases
from newsloom.kernel.db.leases import FREE, claim_first
from newsloom.kernel.ids import UserId

_BRIEFS = briefs.c
_UNSPOKEN = (BriefState.WRITING.value, BriefState.SPEAKING.value)
# Before its moment: a language model gave its last answer. After a failure it waits.
_WRITTEN = and_(_BRIEFS.state == BriefState.SPEAKING.value, _BRIEFS.attempts == 0)

_WORDS, _PLACES = pronunciations.c, brief_places.c


class BriefStore(BriefArchive):
    """Schedules of briefs, the archive, their sound, the outbox, where readers stopped listening,
    pronunciations."""

    def claim_brief(
        self, now: datetime, until: datetime, brief: BriefId | None = None
    ) -> ArchivedBrief | None:
        """One whose sound is to be made and that nobody makes, or that very one; it is held until
        then, and its script is final."""
        due = (
            select(briefs)
            .where(or_(_BRIEFS.ready_at <= now, _WRITTEN), _BRIEFS.state.in_(_UNSPOKEN))
            .order_by(_BRIEFS.ready_at, _BRIEFS.id)
        )
        if brief is not None:
            due = due.where(_BRIEFS.id == brief)
        final = BriefState.SPEAKING.value
        row = claim_first(self.database, briefs, due, now, until, state=final)
        if row is None:
            return None
        with self.database.read() as connection:
            # As it is now: the last answer of a language model may have come before the claim.
            return brief_of(connection.execute(select(briefs).where(_BRIEFS.id == row.id)).one())

    def briefs_wait(self, now: datetime) -> bool:
        """Whether any is to be made, spoken or sent by now."""
        due = (
            select(brief_schedules.c.id).where(brief_schedules.c.next_at <= now),
            select(_BRIEFS.id).where(
                _BRIEFS.state.in_(_UNSPOKEN), or_(_BRIEFS.ready_at <= now, _WRITTEN)
            ),
            select(brief_sendings.c.id).where(
                brief_sendings.c.state == "waiting", brief_sendings.c.at <= now
            ),
        )
        with self.database.read() as connection:
            return any(connection.scalar(one.limit(1)) is not None for one in due)

    def hold_brief(self, brief: BriefId, until: datetime) -> bool:
        """Hold it for longer; False: another process took it, or it is gone."""
        held = update(briefs).where(_mine(brief)).values(held_until=until)
        return self._change(held) > 0

    def put_sound(self, brief: BriefId, sound: BriefSound, now: datetime) -> bool:
        """It is ready, and sent from now on; False: another process made its sound, or it is gone.

        The files are there before: what a row names can be heard.
        """
        ready = {"state": BriefState.READY.value, "sound": sound_values(sound), "problem": ""}
        return self._done(brief, ready, now)

    def fail_brief(self, brief: BriefId, problem: str, now: datetime) -> bool:
        """No sound will be made of it; its script is sent from now on."""
        failed = {
            "state": BriefState.FAILED.value,
            "problem": problem,
            "attempts": _BRIEFS.attempts + 1,
        }
        return self._done(brief, failed, now)

    def retry_brief(self, brief: BriefId, at: datetime, problem: str) -> None:
        """Its sound could not be made, and is tried again then."""
        self._change(
            update(briefs)
            .where(_mine(brief))
            .values(
                ready_at=at,
                problem=problem,
                attempts=_BRIEFS.attempts + 1,
                **FREE,
            )
        )

    def free_brief(self, brief: BriefId) -> None:
        """Its sound is not made now, through no fault: whoever comes next may."""
        with self.database.write() as connection:
            connection.execute(update(briefs).where(_mine(brief)).values(FREE))

    def speak_again(self, user: UserId, brief: BriefId, now: datetime) -> bool:
        """Try one that failed once more; False: there is none of the reader's."""
        failed = and_(
            _BRIEFS.id == brief,
            _BRIEFS.user_id == user,
            _BRIEFS.state == BriefState.FAILED.value,
        )
        again = {"state": BriefState.SPEAKING.value, "ready_at": now, "attempts": 0, "problem": ""}
        return self._change(update(briefs).where(failed).values(again)) > 0

    def sounds_of(self, user: UserId) -> tuple[str, ...]:
        """The names of a reader's files."""
        query = select(_BRIEFS.sound).where(_BRIEFS.user_id == user, _BRIEFS.sound.is_not(None))
        with self.database.read() as connection:
            return _names(connection.scalars(query).all())

    def sound_files(self) -> frozenset[str]:
        """The names of all files that any brief has."""
        query = select(_BRIEFS.sound).where(_BRIEFS.sound.is_not(None))
        with self.database.read() as connection:
            return frozenset(_names(connection.scalars(query).all()))

    def old_sounds(self, before: datetime) -> tuple[str, ...]:
        """Take the sound from briefs that were made before then; the files to delete.

        A row goes before its files: a kill between leaves files that no row names.
        """
        old = (_BRIEFS.made_at < before) & _BRIEFS.sound.is_not(None)
        with self.database.read() as connection:
            if connection.scalar(select(_BRIEFS.id).where(old).limit(1)) is None:
                return ()
        with self.database.write() as connection:
            found = connection.scalars(select(_BRIEFS.sound).where(old)).all()
            connection.execute(update(briefs).where(old).values(sound=None))
            return _names(found)

    def failed_briefs(self, user: UserId, since: datetime) -> tuple[str, ...]:
        """What kept the sound of a reader's briefs since then from being made, the last first."""
        query = (
            select(_BRIEFS.problem)
            .where(_BRIEFS.user_id == user, _BRIEFS.made_at >= since, _BRIEFS.problem != "")
            .order_by(_BRIEFS.id.desc())
        )
        return self._column(query, str)

    def _done(self, brief: BriefId, changed: Mapping[str, object], now: datetime) -> bool:
        waiting = (brief_sendings.c.brief_id == brief) & (brief_sendings.c.state == "waiting")
        over = {**changed, **FREE}
        with self.database.write() as connection:
            if not connection.execute(update(briefs).where(_mine(brief)).values(over)).rowcount:
                return False
            connection.execute(update(brief_sendings).where(waiting).values(at=now))
            return True

    def set_heard(self, user: UserId, brief: BriefId, seconds: float, now: datetime) -> bool:
        """Whether the reader has such a brief. What was said later, by `now`, stands."""
        mine = (_PLACES.user_id == user) & (_PLACES.brief_id == brief)
        theirs = (briefs.c.id == brief) & (briefs.c.user_id == user)
        place = {"seconds": seconds, "at": now}
        with self.database.write() as connection:
            if connection.scalar(select(briefs.c.id).where(theirs)) is None:
                return False
            if connection.scalar(select(_PLACES.at).where(mine)) is None:
                connection.execute(
                    insert(brief_places).values(user_id=user, brief_id=brief, **place)
                )
            else:
                connection.execute(
                    update(brief_places).where(mine, _PLACES.at <= now).values(place)
                )
            return True

    def heard(self, user: UserId, brief: BriefId) -> float:
        """Seconds from the beginning; 0 where nothing was heard."""
        mine = (_PLACES.user_id == user) & (_PLACES.brief_id == brief)
        return self._value(select(_PLACES.seconds).where(mine), float) or 0.0

    def pronunciations(self, user: UserId) -> tuple[Pronunciation, ...]:
        """A reader's, by language and word."""
        query = (
            select(pronunciations)
            .where(_WORDS.user_id == user)
            .order_by(_WORDS.language, _WORDS.written)
        )
        return self._rows(query, Pronunciation)

    def put_pronunciation(self, user: UserId, wanted: Pronunciation) -> None:
        """Keep one, in the place of another of the same word and language."""
        with self.database.write() as connection:
            connection.execute(
                delete(pronunciations).where(_this(user, wanted.language, wanted.written))
            )
            connection.execute(
                insert(pronunciations).values(
                    user_id=user,
                    language=wanted.language,
                    written=wanted.written,
                    spoken=wanted.spoken,
                )
            )

    def drop_pronunciation(self, user: UserId, language: str, written: str) -> bool:
        """Whether it was there."""
        gone = delete(pronunciations).where(_this(user, language, written))
        return self._change(gone) > 0


def _mine(brief: BriefId) -> ColumnElement[bool]:
    """That this process still holds."""
    return and_(
        _BRIEFS.id == brief,
        _BRIEFS.state == BriefState.SPEAKING.value,
        _BRIEFS.held_by == leases.this_process(),
    )


def _names(sounds: Collection[dict[str, list[dict[str, str]]]]) -> tuple[str, ...]:
    return tuple(file["name"] for one in sounds for file in one["files"])


def _this(user: UserId, language: str, written: str) -> ColumnElement[bool]:
    return (_WORDS.user_id == user) & (_WORDS.language == language) & (_WORDS.written == written)
