"""Rows of briefs as values, and the sound of one as JSON can hold it."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from sqlalchemy import Row

from newsloom.briefs.values.briefs import (
    ArchivedBrief,
    BriefHead,
    BriefId,
    BriefSound,
    BriefState,
    LineTime,
    SoundFile,
)
from newsloom.briefs.written import read_script
from newsloom.kernel.ids import ScheduleId, UserId


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
