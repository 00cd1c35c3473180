"""Briefs that were made, and what is remembered of them; when they are made, and the outbox."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

from sqlalchemy import Row, Select, delete, func, insert, select

from newsloom.briefs.store.tables import (
    brief_places,
    brief_schedules,
    brief_sendings,
    brief_targets,
    briefs,
)
from newsloom.briefs.values import (
    ArchivedBrief,
    BriefHead,
    BriefId,
    BriefSchedule,
    BriefScript,
    BriefSound,
    BriefState,
    BriefWish,
    LineTime,
    SoundFile,
)
from newsloom.briefs.written import read_script
from newsloom.digests.values import Memory
from newsloom.digests.written import read_memory
from newsloom.digests.written import values as plain_values
from newsloom.kernel.delivery.store import DeliveryStore, DeliveryTables
from newsloom.kernel.delivery.values import Sending, Target
from newsloom.kernel.ids import ScheduleId, UserId

_BRIEFS = briefs.c


class BriefArchive(DeliveryStore[BriefSchedule]):
    """Schedules of briefs, the archive, the outbox."""

    outbox = brief_sendings
    tables = DeliveryTables(
        brief_schedules, brief_targets, briefs, brief_sendings, edition="brief_id"
    )

    def put_briefs(
        self,
        schedule: BriefSchedule | None,
        user: UserId,
        made: Sequence[tuple[BriefScript, Memory]],
        *,
        now: datetime,
        ready: datetime,
        next_at: datetime | None = None,
        voices: Sequence[str] = (),
    ) -> tuple[BriefId, ...]:
        """Keep the briefs of all languages of one turn, put them into the outbox, and let their
        schedule fall due again then: all or nothing.

        `ready`: until then a language model may write; `now`: none does. `voices` has one for each,
        or nothing. Empty: the schedule is gone, or fell due otherwise since it was claimed.
        """
        with self.database.write() as connection:
            if schedule is not None and not self._advance(
                connection, schedule.id, schedule.next_at, next_at
            ):
                return ()
            numbers = []
            for place, (script, memory) in enumerate(made):
                state = BriefState.WRITING if ready > now else BriefState.SPEAKING
                number = connection.execute(
                    insert(briefs)
                    .values(
                        user_id=user,
                        schedule_id=None if schedule is None else schedule.id,
                        language=script.language,
                        title=script.title,
                        end_at=script.end,
                        made_at=now,
                        state=str(state),
                        ready_at=ready,
                        voice=voices[place] if voices else "",
                        script=plain_values(script),
                        memory=plain_values(memory),
                    )
                    .returning(_BRIEFS.id)
                ).scalar_one()
                if schedule is not None:
                    self._enqueue(connection, schedule.id, number, ready)
                numbers.append(BriefId(number))
            return tuple(numbers)

    def brief(self, user: UserId, brief: BriefId) -> ArchivedBrief | None:
        """One of a reader's; None: there is none."""
        query = select(briefs).where(_BRIEFS.id == brief, _BRIEFS.user_id == user)
        return self._one(query, brief_of)

    def briefs(
        self, user: UserId, limit: int, before: BriefId | None = None
    ) -> tuple[BriefHead, ...]:
        """The newest of a reader's, or those made before one of them."""
        boolean = (brief_places.c.brief_id == _BRIEFS.id) & (brief_places.c.user_id == user)
        query = (
            select(
                _BRIEFS.id,
                _BRIEFS.language,
                _BRIEFS.title,
                _BRIEFS.made_at,
                _BRIEFS.state,
                _BRIEFS.sound,
                _BRIEFS.problem,
                func.coalesce(brief_places.c.seconds, 0.0).label("heard"),
            )
            .select_from(briefs.outerjoin(brief_places, boolean))
            .where(_BRIEFS.user_id == user)
            .order_by(_BRIEFS.id.desc())
            .limit(limit)
        )
        if before is not None:
            query = query.where(_BRIEFS.id < before)
        return self._rows(query, head_of)

    def briefs_with_sound(
        self, user: UserId, language: str, limit: int
    ) -> tuple[ArchivedBrief, ...]:
        """The newest in a language that have a sound, whole, for a podcast of them."""
        query = (
            select(briefs)
            .where(
                _BRIEFS.user_id == user,
                _BRIEFS.language == language,
                _BRIEFS.state == BriefState.READY.value,
                _BRIEFS.sound.is_not(None),
            )
            .order_by(_BRIEFS.id.desc())
            .limit(limit)
        )
        return self._rows(query, brief_of)

    def brief_memories(self, user: UserId, since: datetime) -> tuple[tuple[datetime, Memory], ...]:
        """The end and the memory of each brief since then, the last first."""
        query = (
            select(_BRIEFS.end_at, _BRIEFS.memory)
            .where(_BRIEFS.user_id == user, _BRIEFS.end_at >= since)
            .order_by(_BRIEFS.end_at.desc(), _BRIEFS.id.desc())
        )
        return self._rows(query, lambda row: (row.end_at, read_memory(row.memory)))

    def drop_brief(self, user: UserId, brief: BriefId) -> bool:
        """Whether it was there. Its files are the caller's to remove."""
        mine = (_BRIEFS.id == brief) & (_BRIEFS.user_id == user)
        with self.database.write() as connection:
            if connection.scalar(select(_BRIEFS.id).where(mine)) is None:
                return False
            for table in (brief_sendings, brief_places):
                connection.execute(delete(table).where(table.c.brief_id == brief))
            connection.execute(delete(briefs).where(mine))
            return True

    def brief_to_send(self, sending: Sending) -> ArchivedBrief | None:
        """The brief of a sending; None: it is gone."""
        return self._one(select(briefs).where(_BRIEFS.id == sending.edition), brief_of)

    def _due(self, now: datetime) -> Select[Any]:
        """One whose sound failed is sent too: its script can be read."""
        done = _BRIEFS.state.in_((BriefState.READY.value, BriefState.FAILED.value))
        sending = brief_sendings.c.brief_id
        return super()._due(now).join(briefs, _BRIEFS.id == sending).where(done)

    def _columns(self, schedule: BriefSchedule) -> dict[str, Any]:
        return {
            "user_id": schedule.user,
            "at": schedule.at,
            "weekdays": list(schedule.weekdays),
            "zone": schedule.zone,
            "wish": asdict(schedule.wish),
            "next_at": schedule.next_at,
            "begun_at": schedule.begun,
            "targets": schedule.targets,
        }

    def _schedule(self, row: Row[Any], targets: tuple[Target, ...]) -> BriefSchedule:
        wish = row.wish
        return BriefSchedule(
            id=ScheduleId(row.id),
            user=UserId(row.user_id),
            at=row.at,
            weekdays=tuple(row.weekdays),
            zone=row.zone,
            wish=BriefWish(tuple(wish["languages"]), wish["minutes"], wish["voices"]),
            targets=targets,
            next_at=row.next_at,
            begun=row.begun_at,
        )


def sound_values(sound: BriefSound) -> dict[str, Any]:
    """What JSON can hold; times as pairs of seconds, to the millisecond."""
    times = [[round(one.begin, 3), round(one.end, 3)] for one in sound.times]
    return {**asdict(sound), "times": times}


def read_sound(data: dict[str, Any]) -> BriefSound:
    """The value of what `sound_values` wrote."""
    return BriefSound(
        **{
            **data,
            "files": tuple(SoundFile(**one) for one in data["files"]),
            "times": tuple(LineTime(*one) for one in data["times"]),
        }
    )


def brief_of(row: Row[Any]) -> ArchivedBrief:
    """A whole row of briefs."""
    return ArchivedBrief(
        id=BriefId(row.id),
        user=UserId(row.user_id),
        schedule=None if row.schedule_id is None else ScheduleId(row.schedule_id),
        made_at=row.made_at,
        state=BriefState(row.state),
        script=read_script(row.script),
        sound=None if row.sound is None else read_sound(row.sound),
        problem=row.problem,
        voice=row.voice,
        attempts=row.attempts,
    )


def head_of(row: Any) -> BriefHead:
    """A row for the list of briefs."""
    return BriefHead(
        id=BriefId(row.id),
        language=row.language,
        title=row.title,
        made_at=row.made_at,
        state=BriefState(row.state),
        seconds=0.0 if row.sound is None else row.sound["seconds"],
        heard=row.heard,
        problem=row.problem,
    )
