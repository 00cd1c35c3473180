"""When a reader gets which brief, where it is sent, and the addresses of their podcasts."""

from __future__ import annotations

import re
import secrets
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from newsloom.briefs.podcast import PREFIX
from newsloom.briefs.values.briefs import (
    BriefId,
    BriefSchedule,
    BriefScheduleId,
    BriefWish,
    KeptBrief,
)
from newsloom.digests.service.schedules import (
    MOST_SCHEDULES,
    MOST_TARGETS,
    WEEKDAYS,
    checked,
    time_of,
    zone_of,
)
from newsloom.digests.windows import EVERY_DAY, turn
from newsloom.kernel.delivery.values import Target
from newsloom.kernel.errors import NotFound, UserError

if TYPE_CHECKING:
    from newsloom.app.reader import Reader

NOTHING_NEW = (
    "There is nothing to tell: no article of the last two days that you have not read, and that no "
    "earlier brief told."
)

USUAL = "07:00"
# What is copied into a folder.
FILES = ("mp3",)
MOST_MINUTES = 60
_LANGUAGE = re.compile(r"[a-z]{2,3}")


def wished(
    languages: Sequence[str], minutes: int, voices: Sequence[tuple[str, str]] = ()
) -> BriefWish:
    """What a reader asks for, as it may be kept; `voices` are pairs of language and voice, where
    "" is every language. Raises UserError."""
    chosen = tuple(dict.fromkeys(one.strip().lower() for one in languages))
    if not 1 <= len(chosen) <= 2:
        raise UserError("A brief is in one language or in two.")
    for one in chosen:
        if not _LANGUAGE.fullmatch(one):
            raise UserError(f"A language is two letters, such as en, not {one!r:.40}.")
    if not 1 <= minutes <= MOST_MINUTES:
        raise UserError(f"A brief has 1 to {MOST_MINUTES} minutes.")
    by_language = {one: voice for name, voice in voices for one in ((name,) if name else chosen)}
    for one in by_language:
        if one not in chosen:
            raise UserError(f"A voice is for {one!r:.40}, and the brief is not in that language.")
    return BriefWish(chosen, minutes, by_language or None)


def add(
    reader: Reader,
    wish: BriefWish,
    at: str = "",
    zone: str = "",
    days: Sequence[str] = (),
    targets: Sequence[Target] = (),
) -> BriefSchedule:
    """A new schedule; no days: every day. Raises UserError with words for what cannot be."""
    for day in days:
        if day.lower() not in WEEKDAYS:
            raise UserError(f"A weekday is one of {', '.join(WEEKDAYS)}, not {day!r:.40}.")
    weekdays = tuple(sorted({WEEKDAYS.index(day.lower()) for day in days})) or EVERY_DAY
    if len(reader.store.briefs.brief_schedules(reader.user)) >= MOST_SCHEDULES:
        raise UserError(f"There are {MOST_SCHEDULES} schedules already.")
    if len(targets) > MOST_TARGETS:
        raise UserError(f"A schedule has {MOST_TARGETS} targets at most.")
    now, minute, here = reader.now(), time_of(at or USUAL), zone_of(zone)
    wanted = BriefSchedule(
        id=BriefScheduleId(0),
        user=reader.user,
        at=minute,
        weekdays=weekdays,
        zone=here,
        wish=wish,
        targets=tuple(checked(one, FILES) for one in targets),
        next_at=turn(minute, weekdays, here, now, after=True),
        begun=now,
    )
    tokens = [secrets.token_urlsafe(24) for _ in wanted.targets]
    return replace(wanted, id=reader.store.briefs.add_brief_schedule(wanted, tokens))


def list_(reader: Reader) -> tuple[BriefSchedule, ...]:
    """The reader's schedules, by time of day."""
    return reader.store.briefs.brief_schedules(reader.user)


def drop(reader: Reader, schedule: int) -> None:
    """End a schedule. Raises NotFound."""
    if not reader.store.briefs.drop_brief_schedule(reader.user, BriefScheduleId(schedule)):
        raise NotFound(f"There is no schedule {schedule} of yours.")


def kept(reader: Reader, brief: int) -> KeptBrief:
    """A brief of the archive. Raises NotFound."""
    found = reader.store.briefs.brief(reader.user, BriefId(brief))
    if found is None:
        raise NotFound(f"There is no brief {brief} of yours.")
    return found


def podcast_token(reader: Reader, language: str, *, make: bool = False, new: bool = False) -> str:
    """The token of the podcast in a language; "" where there is none and none is to be made."""
    if not _LANGUAGE.fullmatch(language):
        raise UserError(f"A language is two letters, such as en, not {language!r:.40}.")
    name = PREFIX + language
    known = reader.store.digests.feed_token(reader.user, name)
    if (known or not make) and not new:
        return known
    made = secrets.token_urlsafe(24)
    reader.store.digests.set_feed_token(reader.user, name, made, reader.now())
    return made


def drop_podcast(reader: Reader, language: str) -> None:
    """The podcast's address leads nowhere from now on, and so do those of its episodes."""
    reader.store.digests.set_feed_token(reader.user, PREFIX + language, "", reader.now())
