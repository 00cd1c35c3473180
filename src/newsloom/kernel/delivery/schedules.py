"""Schedules of editions: when they fall due, where they are sent, and the loop that makes them.

A schedule names a local time of day. Where daylight saving skips that time, the edition comes as
late as the clock jumped; where it comes twice, the first one counts. So there is one each day.
"""

from __future__ import annotations

import logging
import re
import secrets
from collections.abc import Callable, Collection, Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Protocol, TypeVar
from zoneinfo import ZoneInfo

from newsloom.kernel.delivery.mail import address
from newsloom.kernel.delivery.outbox import MOST
from newsloom.kernel.delivery.values import Target, Way
from newsloom.kernel.errors import NewsloomError, NotFound, UserError
from newsloom.kernel.ids import ScheduleId, UserId

if TYPE_CHECKING:
    from newsloom.kernel.delivery.store import DeliveryStore

log = logging.getLogger(__name__)

# Of one reader, and targets of each.
MOST_SCHEDULES, MOST_TARGETS = 20, 10
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
EVERY_DAY = tuple(range(7))
# After a failure of Newsloom's own a schedule is tried again so soon.
AFTER_TROUBLE = timedelta(minutes=10)

_TIME = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)")


class Planned(Protocol):
    """A schedule."""

    @property
    def id(self) -> ScheduleId: ...

    @property
    def user(self) -> UserId: ...

    @property
    def targets(self) -> tuple[Target, ...]: ...


One = TypeVar("One", bound=Planned)


def add(store: DeliveryStore[One], wanted: One) -> ScheduleId:
    """Store a schedule, with a secret token for each target. Raises UserError above the limits."""
    if len(store.schedules(wanted.user)) >= MOST_SCHEDULES:
        raise UserError(f"You can have at most {MOST_SCHEDULES} schedules.")
    if len(wanted.targets) > MOST_TARGETS:
        raise UserError(f"A schedule can have at most {MOST_TARGETS} targets.")
    return store.add_schedule(wanted, [secrets.token_urlsafe(24) for _ in wanted.targets])


def drop_schedule(store: DeliveryStore[Any], user: UserId, schedule: int) -> None:
    """End a schedule of a reader's. Raises NotFound."""
    if not store.drop_schedule(user, ScheduleId(schedule)):
        raise NotFound(f"You have no schedule {schedule}.")


def make_due(
    store: DeliveryStore[One],
    make: Callable[[One, datetime], int],
    now: Callable[[], datetime],
    held: timedelta,
) -> int:
    """Make the editions that are due; how many `make` says it made.

    Each schedule is claimed in the database for `held`, so that of several processes one makes it.
    """
    made = 0
    for _ in range(MOST):
        at = now()
        schedule = store.claim_schedule(at, at + held)
        if schedule is None:
            break
        try:
            made += make(schedule, at)
        except NewsloomError:
            store.postpone(schedule.id, at + AFTER_TROUBLE)
            raise
        except Exception:  # our own fault, whatever it is; other readers get theirs
            log.exception("schedule %s failed: %s", schedule.id, type(schedule).__name__)
            store.postpone(schedule.id, at + AFTER_TROUBLE)
    return made


def next_occurrence(
    at: int, weekdays: Collection[int], zone: str, moment: datetime, *, after: bool = True
) -> datetime:
    """In UTC: the first such time of day on one of some weekdays after a moment, or (`after` false)
    the last until then. `at` is in minutes after midnight; 0 is Monday."""
    here = ZoneInfo(zone)
    local = moment.astimezone(here)
    midnight = local.replace(hour=0, minute=0, second=0, microsecond=0, tzinfo=None, fold=0)
    days = (midnight + timedelta(days=one) for one in range(-8, 9))
    times = [
        (day + timedelta(minutes=at)).replace(tzinfo=here, fold=0).astimezone(UTC)
        for day in days
        if day.weekday() in weekdays
    ]
    if after:
        return min(one for one in times if one > moment)
    return max(one for one in times if one <= moment)


def parse_time(text: str) -> int:
    """Minutes after midnight. Raises UserError."""
    time = _TIME.fullmatch(text.strip())
    if time is None:
        raise UserError(f"Enter the time as HH:MM, not {text!r:.40}.")
    return 60 * int(time[1]) + int(time[2])


def parse_weekday(text: str) -> int:
    """0 is Monday. Raises UserError."""
    if text.lower() not in WEEKDAYS:
        raise UserError(f"Choose a weekday: {', '.join(WEEKDAYS)}, not {text!r:.40}.")
    return WEEKDAYS.index(text.lower())


def parse_zone(text: str) -> str:
    """The name of a time zone; "" is UTC. Raises UserError."""
    name = text or "UTC"
    try:
        ZoneInfo(name)
    except (ValueError, OSError, KeyError) as error:
        raise UserError(f"There is no time zone {name!r:.40}.") from error
    return name


def parse_target(target: Target, files: Sequence[str]) -> Target:
    """A valid target; `files` are the formats of files. Raises UserError."""
    if target.way is Way.MAIL:
        try:
            return Target(Way.MAIL, address(target.to))
        except ValueError as error:
            raise UserError(str(error)) from error
    if target.way is Way.WEBHOOK:
        url = target.to.strip()
        if not re.fullmatch(r"https?://[^\s/]+\S*", url, re.IGNORECASE) or len(url) > 2_000:
            raise UserError(f"A webhook must be an http or https URL, not {url!r:.80}.")
        return Target(Way.WEBHOOK, url)
    if target.to not in files:
        raise UserError(
            f"The file format must be one of {', '.join(files)}, not {target.to!r:.40}."
        )
    return target
