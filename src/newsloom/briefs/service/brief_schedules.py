"""When a reader gets which brief, where it is sent, and the addresses of their podcasts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from newsloom.briefs.podcast import PREFIX
from newsloom.briefs.values import ArchivedBrief, BriefId, BriefSchedule, BriefWish
from newsloom.digests.service.schedules import drop_feed, feed_token
from newsloom.kernel.delivery.schedules import (
    EVERY_DAY,
    next_occurrence,
    parse_target,
    parse_time,
    parse_weekday,
    parse_zone,
)
from newsloom.kernel.delivery.schedules import add as add_schedule
from newsloom.kernel.delivery.values import Target
from newsloom.kernel.errors import NotFound, UserError
from newsloom.kernel.ids import ScheduleId

if TYPE_CHECKING:
    from newsloom.app.reader import Reader

NOTHING_NEW = (
    "There is nothing new: no unread article of the last two days that is not in an earlier brief."
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
        raise UserError("Choose one or two languages.")
    for one in chosen:
        if not _LANGUAGE.fullmatch(one):
            raise UserError(f"A language has two letters, for example en, not {one!r:.40}.")
    if not 1 <= minutes <= MOST_MINUTES:
        raise UserError(f"Choose 1 to {MOST_MINUTES} minutes.")
    by_language = {one: voice for name, voice in voices for one in ((name,) if name else chosen)}
    for one in by_language:
        if one not in chosen:
            raise UserError(
                f"A voice is set for {one!r:.40}, but the brief is not in that language."
            )
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
    weekdays = tuple(sorted({parse_weekday(day) for day in days})) or EVERY_DAY
    now, minute, here = reader.now(), parse_time(at or USUAL), parse_zone(zone)
    wanted = BriefSchedule(
        id=ScheduleId(0),
        user=reader.user,
        at=minute,
        weekdays=weekdays,
        zone=here,
        wish=wish,
        targets=tuple(parse_target(one, FILES) for one in targets),
        next_at=next_occurrence(minute, weekdays, here, now),
        begun=now,
    )
    return replace(wanted, id=add_schedule(reader.store.briefs, wanted))


def archived(reader: Reader, brief: int) -> ArchivedBrief:
    """A brief of the archive. Raises NotFound."""
    found = reader.store.briefs.brief(reader.user, BriefId(brief))
    if found is None:
        raise NotFound(f"You have no brief {brief}.")
    return found


def podcast_token(reader: Reader, language: str, *, make: bool = False, new: bool = False) -> str:
    """The token of the podcast in a language; "" where there is none and none is to be made."""
    if not _LANGUAGE.fullmatch(language):
        raise UserError(f"A language has two letters, for example en, not {language!r:.40}.")
    return feed_token(reader, PREFIX + language, make=make, new=new)


def drop_podcast(reader: Reader, language: str) -> None:
    """The podcast's address leads nowhere from now on, and so do those of its episodes."""
    drop_feed(reader, PREFIX + language)
