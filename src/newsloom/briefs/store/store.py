"""`store.briefs`."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import asdict
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, and_, delete, insert, or_, select, update

from newsloom.briefs.store.archive import BriefArchive
from newsloom.briefs.store.rows import kept_of, sound_values
from newsloom.briefs.store.tables import (
    brief_places,
    brief_schedules,
    brief_sendings,
    brief_targets,
    briefs,
    pronunciations,
)
from newsloom.briefs.values.briefs import (
    BriefId,
    BriefSchedule,
    BriefScheduleId,
    BriefSending,
    BriefSound,
    BriefState,
    BriefWish,
    KeptBrief,
)
from newsloom.briefs.values.pronouncing import Pronunciation
from newsloom.digests.store.holding import claim_first
from newsloom.digests.store.settling import settle, state_of
from newsloom.digests.store.targets import add_targets, leave, target_at, targets_in
from newsloom.digests.values import SendingState
from newsloom.kernel.db import owners
from newsloom.kernel.db.aggregate import Aggregate
from newsloom.kernel.delivery.values import Target, Way
from newsloom.kernel.ids import SendingId, UserId

# The sound of briefs: whose turn it is to be made, what came of it, what is kept of it.

_BRIEFS = briefs.c
_UNSPOKEN = (BriefState.WRITING.value, BriefState.SPEAKING.value)
# Before its moment: a language model gave its last answer. After a failure it waits.
_WRITTEN = and_(_BRIEFS.state == BriefState.SPEAKING.value, _BRIEFS.attempts == 0)


class BriefSounds(Aggregate):
    """The sound of briefs."""

    def claim_brief(
        self, now: datetime, until: datetime, brief: BriefId | None = None
    ) -> KeptBrief | None:
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
            return kept_of(connection.execute(select(briefs).where(_BRIEFS.id == row.id)).one())

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
                held_by="",
                held_until=None,
            )
        )

    def free_brief(self, brief: BriefId) -> None:
        """Its sound is not made now, through no fault: whoever comes next may."""
        with self.database.write() as connection:
            free = {"held_by": "", "held_until": None}
            connection.execute(update(briefs).where(_mine(brief)).values(free))

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

    def sounds_kept(self) -> frozenset[str]:
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
        over = {**changed, "held_by": "", "held_until": None}
        with self.database.write() as connection:
            if not connection.execute(update(briefs).where(_mine(brief)).values(over)).rowcount:
                return False
            connection.execute(update(brief_sendings).where(waiting).values(at=now))
            return True


def _mine(brief: BriefId) -> ColumnElement[bool]:
    """That this process still holds."""
    return and_(
        _BRIEFS.id == brief,
        _BRIEFS.state == BriefState.SPEAKING.value,
        _BRIEFS.held_by == owners.this_process(),
    )


def _names(sounds: Collection[dict[str, list[dict[str, str]]]]) -> tuple[str, ...]:
    return tuple(file["name"] for one in sounds for file in one["files"])


# When readers want which briefs, and where they are sent.

_SCHEDULES = brief_schedules.c


class BriefSchedules(Aggregate):
    """Schedules of briefs."""

    def brief_schedules(self, user: UserId) -> tuple[BriefSchedule, ...]:
        """A reader's, by time of day."""
        query = (
            select(brief_schedules)
            .where(_SCHEDULES.user_id == user)
            .order_by(_SCHEDULES.at, _SCHEDULES.id)
        )
        with self.database.read() as connection:
            return tuple(_whole(connection, row) for row in connection.execute(query).all())

    def add_brief_schedule(
        self, schedule: BriefSchedule, tokens: Collection[str]
    ) -> BriefScheduleId:
        """Keep a new one; its `id` is not looked at. `tokens` has one for each target."""
        with self.database.write() as connection:
            number = connection.execute(
                insert(brief_schedules)
                .values(
                    user_id=schedule.user,
                    at=schedule.at,
                    weekdays=list(schedule.weekdays),
                    zone=schedule.zone,
                    wish=asdict(schedule.wish),
                    next_at=schedule.next_at,
                    begun_at=schedule.begun,
                )
                .returning(_SCHEDULES.id)
            ).scalar_one()
            add_targets(connection, brief_targets, number, schedule.targets, tokens)
            return BriefScheduleId(number)

    def drop_brief_schedule(self, user: UserId, schedule: BriefScheduleId) -> bool:
        """Whether it was there. Its briefs stay; what is not sent yet is not sent."""
        mine = (_SCHEDULES.id == schedule) & (_SCHEDULES.user_id == user)
        of_it = select(briefs.c.id).where(briefs.c.schedule_id == schedule)
        waiting = brief_sendings.c.state == "waiting"
        with self.database.write() as connection:
            if connection.scalar(select(_SCHEDULES.id).where(mine)) is None:
                return False
            connection.execute(
                delete(brief_sendings).where(brief_sendings.c.brief_id.in_(of_it), waiting)
            )
            connection.execute(
                update(briefs).where(briefs.c.schedule_id == schedule).values(schedule_id=None)
            )
            connection.execute(delete(brief_targets).where(brief_targets.c.schedule_id == schedule))
            connection.execute(delete(brief_schedules).where(mine))
            return True

    def leave_brief(self, token: str) -> Target | None:
        """End the sendings of a secret address, and what is not sent yet; None: there is none."""
        return leave(self.database, brief_targets, brief_sendings, token)

    def brief_target(self, token: str) -> Target | None:
        """Where a secret address has briefs sent; None: it does not, or no more."""
        with self.database.read() as connection:
            return target_at(connection, brief_targets, token)

    def claim_brief_schedule(self, now: datetime, until: datetime) -> BriefSchedule | None:
        """One that is due and that nobody makes a brief of; it is held until then."""
        due = (
            select(brief_schedules)
            .where(_SCHEDULES.next_at <= now)
            .order_by(_SCHEDULES.next_at, _SCHEDULES.id)
        )
        row = claim_first(self.database, brief_schedules, due, now, until)
        if row is None:
            return None
        with self.database.read() as connection:
            return _whole(connection, row)

    def put_off_brief_schedule(self, schedule: BriefScheduleId, next_at: datetime) -> None:
        """Nothing was made of it; it falls due then."""
        self._change(
            update(brief_schedules)
            .where(_SCHEDULES.id == schedule)
            .values(next_at=next_at, held_by="", held_until=None)
        )

    def next_brief(self) -> datetime | None:
        """When the first schedule falls due; None: there is none."""
        query = select(_SCHEDULES.next_at).order_by(_SCHEDULES.next_at).limit(1)
        return self._value(query, datetime)


def _whole(connection: Connection, row: Row[Any]) -> BriefSchedule:
    wish = row.wish
    return BriefSchedule(
        id=BriefScheduleId(row.id),
        user=UserId(row.user_id),
        at=row.at,
        weekdays=tuple(row.weekdays),
        zone=row.zone,
        wish=BriefWish(tuple(wish["languages"]), wish["minutes"], wish["voices"]),
        targets=targets_in(connection, brief_targets, row.id),
        next_at=row.next_at,
        begun=row.begun_at,
    )


# Briefs that are still to be sent, and how it stands. Each is sent by one process at a time.

_SENDINGS = brief_sendings.c
# One whose sound failed is sent too: its script can be read.
_DONE = (BriefState.READY.value, BriefState.FAILED.value)


class BriefOutbox(Aggregate):
    """Briefs that are still to be sent."""

    def claim_brief_sending(self, now: datetime, until: datetime) -> BriefSending | None:
        """One that is due and that nobody sends; it is held until then."""
        due = (
            select(brief_sendings)
            .join(briefs, briefs.c.id == _SENDINGS.brief_id)
            .where(_SENDINGS.state == "waiting", _SENDINGS.at <= now, briefs.c.state.in_(_DONE))
            .order_by(_SENDINGS.at, _SENDINGS.id)
        )
        row = claim_first(self.database, brief_sendings, due, now, until)
        if row is None:
            return None
        target = Target(Way(row.way), row.target)
        return BriefSending(
            SendingId(row.id), BriefId(row.brief_id), target, row.token, row.attempts
        )

    def brief_sent(self, sending: SendingId, now: datetime) -> None:
        """The other side has taken it."""
        settle(self.database, brief_sendings, sending, state="sent", at=now)

    def send_brief_later(self, sending: SendingId, at: datetime, error: str) -> None:
        """It failed, and is tried again then."""
        settle(self.database, brief_sendings, sending, state="waiting", at=at, error=error)

    def give_up_brief_sending(self, sending: SendingId, now: datetime, error: str) -> None:
        """It failed for good."""
        settle(self.database, brief_sendings, sending, state="failed", at=now, error=error)

    def brief_sendings(self, brief: BriefId) -> tuple[SendingState, ...]:
        """How it stands with each sending of a brief."""
        query = select(brief_sendings).where(_SENDINGS.brief_id == brief).order_by(_SENDINGS.id)
        return self._rows(query, state_of)

    def unsent_briefs(self, user: UserId, since: datetime) -> tuple[SendingState, ...]:
        """What failed for good since then, and what waits after a failure, of a reader."""
        query = (
            select(brief_sendings)
            .join(briefs, briefs.c.id == _SENDINGS.brief_id)
            .where(
                briefs.c.user_id == user,
                briefs.c.made_at >= since,
                _SENDINGS.state != "sent",
                _SENDINGS.attempts > 0,
            )
            .order_by(_SENDINGS.id)
        )
        return self._rows(query, state_of)

    def brief_to_send(self, sending: BriefSending) -> KeptBrief | None:
        """The brief of a sending; None: it is gone."""
        query = select(briefs).where(briefs.c.id == sending.brief)
        return self._one(query, kept_of)


# How readers want words to be spoken.

_WORDS = pronunciations.c


class Pronunciations(Aggregate):
    """How readers want words to be spoken."""

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


def _this(user: UserId, language: str, written: str) -> ColumnElement[bool]:
    return (_WORDS.user_id == user) & (_WORDS.language == language) & (_WORDS.written == written)


# Where readers stopped listening, on whatever device.

_PLACES = brief_places.c


class BriefPlaces(Aggregate):
    """Where readers stopped listening."""

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


class BriefStore(
    BriefSchedules, BriefArchive, BriefSounds, BriefOutbox, BriefPlaces, Pronunciations
):
    """Schedules of briefs, the archive, the outbox, places of listening, pronunciations."""
