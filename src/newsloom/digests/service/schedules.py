"""When a reader gets which digest, and where it is sent: made, shown, ended."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from newsloom.digests.formats import FORMATS
from newsloom.digests.select import kind_of
from newsloom.digests.values import DigestKind, Schedule
from newsloom.kernel.delivery import schedules as delivery
from newsloom.kernel.delivery.schedules import EVERY_DAY, next_occurrence
from newsloom.kernel.delivery.values import Target, Way
from newsloom.kernel.errors import NotFound, UserError
from newsloom.kernel.ids import DigestId, ScheduleId
from newsloom.reading.values.reading import EventKind, ListQuery, Rows

if TYPE_CHECKING:
    from newsloom.app.reader import Reader
    from newsloom.digests.values import ArchivedDigest

# When each kind falls due where no time is told; the middle of seed 001's delivery windows.
USUAL = {
    DigestKind.MORNING: "07:00",
    DigestKind.MIDDAY: "12:00",
    DigestKind.EVENING: "18:00",
    DigestKind.WEEKLY: "08:00",
}
FILES = tuple(one.name for one in FORMATS)
DIGESTS = "digests"  # the name of their feed


def add(
    reader: Reader,
    kind: DigestKind,
    at: str,
    zone: str,
    weekday: str = "sunday",
    targets: Sequence[Target] = (),
) -> Schedule:
    """A new schedule. Raises UserError with words for what cannot be."""
    if kind not in USUAL:
        raise UserError(f"Choose a kind of digest: {', '.join(map(str, USUAL))}.")
    plain = _schedule(reader, kind, zone, targets)
    minutes, day = delivery.parse_time(at or USUAL[kind]), delivery.parse_weekday(weekday)
    wanted = replace(plain, at=minutes, weekday=day)
    return _add(reader, replace(wanted, next_at=occurrence(wanted, plain.next_at, after=True)))


def send_news(
    reader: Reader, kind: DigestKind, zone: str, targets: Sequence[Target]
) -> Schedule | None:
    """Send news of followed stories, or of rules, to these targets only; to none: stop it.

    Raises UserError, and then everything stays as it was.
    """
    wanted = _schedule(reader, kind, zone, targets)
    known = news_schedule(reader, kind)
    if known is not None:
        reader.store.digests.drop_schedule(reader.user, known.id)
    if not targets:
        return None
    added = _add(reader, wanted)
    if kind is DigestKind.RULES:
        reader.store.rules.drop_rule_news(reader.user, wanted.next_at)
    return added


def targets_of(mail: str, webhook: str) -> list[Target]:
    """Where a form says that something is sent; empty: nowhere."""
    given = ((Way.MAIL, mail.strip()), (Way.WEBHOOK, webhook.strip()))
    return [Target(way, to) for way, to in given if to]


def news_schedule(reader: Reader, kind: DigestKind) -> Schedule | None:
    """Where news of followed stories, or of rules, is sent; None: nowhere."""
    known = reader.store.digests.schedules(reader.user)
    return next((one for one in known if one.kind is kind), None)


def _schedule(reader: Reader, kind: DigestKind, zone: str, targets: Sequence[Target]) -> Schedule:
    """One that begins now, and falls due at once. Raises UserError."""
    now = reader.now()
    return Schedule(
        id=ScheduleId(0),
        user=reader.user,
        kind=kind,
        at=0,
        weekday=0,
        zone=delivery.parse_zone(zone),
        targets=tuple(delivery.parse_target(one, FILES) for one in targets),
        next_at=now,
        begun=now,
    )


def _add(reader: Reader, wanted: Schedule) -> Schedule:
    return replace(wanted, id=delivery.add(reader.store.digests, wanted))


def archived(reader: Reader, digest: int) -> ArchivedDigest:
    """A digest of the archive. Raises NotFound."""
    found = reader.store.digests.digest(reader.user, DigestId(digest))
    if found is None:
        raise NotFound(f"You have no digest {digest}.")
    return found


def mark_read(reader: Reader, digest: int, via: str) -> int:
    """Mark all articles of a digest read; how many were not. It teaches nothing."""
    shown = archived(reader, digest).digest
    ids = {one.id for topic in shown.topics for one in (topic.lead, *topic.related)}
    query = ListQuery(unread_only=False, rows=Rows.ARTICLE)
    listed = reader.store.lists.listed(
        reader.user, sorted(ids), reader.now(), reader.half_lives_in_force(), query
    )
    unread = [one.id for one in listed if not one.state.read]
    if unread:
        reader.mark(unread, EventKind.BULK_READ, via)
    return len(unread)


def feed_token(
    reader: Reader, name: str = DIGESTS, *, make: bool = False, new: bool = False
) -> str:
    """The token of a secret feed; "" where there is none and none is to be made."""
    known = reader.store.digests.feed_token(reader.user, name)
    if (known or not make) and not new:
        return known
    made = secrets.token_urlsafe(24)
    reader.store.digests.set_feed_token(reader.user, name, made, reader.now())
    return made


def drop_feed(reader: Reader, name: str = DIGESTS) -> None:
    """The feed's address leads nowhere from now on."""
    reader.store.digests.set_feed_token(reader.user, name, "", reader.now())


DAY, WEEK = timedelta(days=1), timedelta(days=7)
# A digest after a longer break covers so much and not all of it.
LONGEST = WEEK


def occurrence(schedule: Schedule, moment: datetime, *, after: bool) -> datetime:
    """In UTC: the first time it falls due after a moment, or the last time until then."""
    weekly = schedule.kind is DigestKind.WEEKLY
    weekdays = (schedule.weekday,) if weekly else EVERY_DAY
    return next_occurrence(schedule.at, weekdays, schedule.zone, moment, after=after)


def window(kind: DigestKind, end: datetime, last_end: datetime | None) -> tuple[datetime, datetime]:
    """What a digest covers: from the end of the one before, so that nothing falls between two.

    A week's digest covers the week. What was missed is made up by the next one, up to a week of it.
    """
    usual = end - kind_of(kind).span
    if kind is DigestKind.WEEKLY or last_end is None or last_end >= end:
        return usual, end
    return max(last_end, end - LONGEST), end
