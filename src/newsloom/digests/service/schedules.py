"""When a reader gets which digest, and where it is sent: made, shown, ended."""

from __future__ import annotations

import re
import secrets
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from newsloom.digests import mail
from newsloom.digests.formats import FORMATS
from newsloom.digests.values import DigestKind, Schedule
from newsloom.digests.windows import occurrence
from newsloom.kernel.delivery.values import Target, Way
from newsloom.kernel.errors import NotFound, UserError
from newsloom.kernel.ids import DigestId, ScheduleId
from newsloom.reading.values.reading import EventKind, ListQuery, Rows

if TYPE_CHECKING:
    from newsloom.app.reader import Reader
    from newsloom.digests.values import KeptDigest

# Of one reader, and targets of each.
MOST_SCHEDULES, MOST_TARGETS = 20, 10
# When each kind falls due where no time is told; the middle of seed 001's delivery windows.
USUAL = {
    DigestKind.MORNING: "07:00",
    DigestKind.MIDDAY: "12:00",
    DigestKind.EVENING: "18:00",
    DigestKind.WEEKLY: "08:00",
}
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
FILES = tuple(one.name for one in FORMATS)
DIGESTS = "digests"  # the name of their feed

_TIME = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)")


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
        raise UserError(f"A scheduled digest is one of {', '.join(map(str, USUAL))}.")
    if weekday not in WEEKDAYS:
        raise UserError(f"A weekday is one of {', '.join(WEEKDAYS)}, not {weekday!r:.40}.")
    plain = _schedule(reader, kind, zone, targets)
    minutes = time_of(at or USUAL[kind])
    wanted = replace(plain, at=minutes, weekday=WEEKDAYS.index(weekday))
    return _added(reader, replace(wanted, next_at=occurrence(wanted, plain.next_at, after=True)))


def tell_stories(reader: Reader, zone: str, targets: Sequence[Target]) -> Schedule:
    """Have news of followed stories sent from now on. Raises UserError with words for what cannot
    be."""
    if not targets:
        raise UserError("Say where news of stories is sent: a mail address, or a webhook.")
    if stories_told(reader) is not None:
        raise UserError("News of stories is sent already: end that first.")
    return _added(reader, _schedule(reader, DigestKind.STORIES, zone, targets))


def tell_by_rules(reader: Reader, zone: str, targets: Sequence[Target]) -> Schedule:
    """Have what rules say to tell of sent from now on. Raises UserError with words for what cannot
    be."""
    if not targets:
        raise UserError("Say where it is sent: a mail address, a webhook, or a file.")
    if told_by_rules(reader) is not None:
        raise UserError("Notifications are sent already: end that first.")
    wanted = _schedule(reader, DigestKind.RULES, zone, targets)
    added = _added(reader, wanted)
    reader.store.rules.drop_rule_news(reader.user, wanted.next_at)
    return added


def send_news(
    reader: Reader, kind: DigestKind, zone: str, targets: Sequence[Target]
) -> Schedule | None:
    """Send news of followed stories, or of rules, to these targets only; to none: stop it.

    Raises UserError, and then everything stays as it was.
    """
    wanted, named = [checked(one) for one in targets], zone_of(zone)
    known = _of_kind(reader, kind)
    if known is not None:
        drop(reader, known.id)
    if not wanted:
        return None
    start = tell_stories if kind is DigestKind.STORIES else tell_by_rules
    return start(reader, named, wanted)


def told_by_rules(reader: Reader) -> Schedule | None:
    """Where what rules say to tell of is sent; None: nowhere."""
    return _of_kind(reader, DigestKind.RULES)


def stories_told(reader: Reader) -> Schedule | None:
    """Where news of followed stories is sent; None: nowhere."""
    return _of_kind(reader, DigestKind.STORIES)


def _of_kind(reader: Reader, kind: DigestKind) -> Schedule | None:
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
        zone=zone_of(zone),
        targets=tuple(checked(one) for one in targets),
        next_at=now,
        begun=now,
    )


def _added(reader: Reader, wanted: Schedule) -> Schedule:
    if len(reader.store.digests.schedules(reader.user)) >= MOST_SCHEDULES:
        raise UserError(f"There are {MOST_SCHEDULES} schedules already.")
    if len(wanted.targets) > MOST_TARGETS:
        raise UserError(f"A schedule has {MOST_TARGETS} targets at most.")
    tokens = [secrets.token_urlsafe(24) for _ in wanted.targets]
    return replace(wanted, id=reader.store.digests.add_schedule(wanted, tokens))


def time_of(text: str) -> int:
    """Minutes after midnight. Raises UserError."""
    time = _TIME.fullmatch(text.strip())
    if time is None:
        raise UserError(f"A time of day is HH:MM, not {text!r:.40}.")
    return 60 * int(time[1]) + int(time[2])


def zone_of(zone: str) -> str:
    """The name of a time zone; UTC where none is told. Raises UserError."""
    name = zone or "UTC"
    try:
        ZoneInfo(name)
    except (ValueError, OSError, KeyError) as error:
        raise UserError(f"There is no time zone {name!r:.40}.") from error
    return name


def checked(target: Target, files: Sequence[str] = FILES) -> Target:
    """A target as it may be kept; `files` are the formats of files. Raises UserError."""
    if target.way is Way.MAIL:
        try:
            return Target(Way.MAIL, mail.address(target.to))
        except ValueError as error:
            raise UserError(str(error)) from error
    if target.way is Way.WEBHOOK:
        url = target.to.strip()
        if not re.fullmatch(r"https?://[^\s/]+\S*", url, re.IGNORECASE) or len(url) > 2_000:
            raise UserError(f"A webhook is an http or https address, not {url!r:.80}.")
        return Target(Way.WEBHOOK, url)
    if target.to not in files:
        raise UserError(f"A file is one of {', '.join(files)}, not {target.to!r:.40}.")
    return target


def drop(reader: Reader, schedule: int) -> None:
    """End a schedule. Raises NotFound."""
    if not reader.store.digests.drop_schedule(reader.user, ScheduleId(schedule)):
        raise NotFound(f"There is no schedule {schedule} of yours.")


def kept(reader: Reader, digest: int) -> KeptDigest:
    """A digest of the archive. Raises NotFound."""
    found = reader.store.digests.digest(reader.user, DigestId(digest))
    if found is None:
        raise NotFound(f"There is no digest {digest} of yours.")
    return found


def mark_read(reader: Reader, digest: int, via: str) -> int:
    """Mark all articles of a digest read; how many were not. It teaches nothing."""
    shown = kept(reader, digest).digest
    ids = {one.id for topic in shown.topics for one in (topic.lead, *topic.related)}
    query = ListQuery(unread_only=False, rows=Rows.ARTICLE)
    listed = reader.store.lists.listed(
        reader.user, sorted(ids), reader.now(), reader.half_lives_in_force(), query
    )
    unread = [one.id for one in listed if not one.state.read]
    if unread:
        reader.mark(unread, EventKind.BULK_READ, via)
    return len(unread)


def feed_token(reader: Reader, *, make: bool = False, new: bool = False) -> str:
    """The token of the feed of digests; "" where there is none and none is to be made."""
    known = reader.store.digests.feed_token(reader.user, DIGESTS)
    if (known or not make) and not new:
        return known
    made = secrets.token_urlsafe(24)
    reader.store.digests.set_feed_token(reader.user, DIGESTS, made, reader.now())
    return made


def drop_feed(reader: Reader) -> None:
    """The feed's address leads nowhere from now on."""
    reader.store.digests.set_feed_token(reader.user, DIGESTS, "", reader.now())
