"""How long the next attempt to sign in must wait. Pure: the store keeps the counts.

Every attempt is counted before its password is looked at, so that many at once are counted too, and
the count is taken back when it was right. Attempts that must wait are not counted: who guesses for
ever makes nobody wait longer than `longest`.
"""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from datetime import datetime, timedelta

from newsloom.accounts.tokens import digest


@dataclass(frozen=True, slots=True)
class Pace:
    """So many failures are free; then each doubles the wait, up to the longest."""

    free: int
    first: timedelta
    longest: timedelta
    forgotten: timedelta  # after this without a failure


@dataclass(frozen=True, slots=True)
class Failures:
    """What is kept of a name or a network."""

    count: int
    last_at: datetime


@dataclass(frozen=True, slots=True)
class Counted:
    """What is counted for an attempt: under which key, at which pace."""

    key: str
    pace: Pace


DAY = timedelta(days=1)

# 5 free, then 1, 2, 4 ... seconds and at last 5 minutes: 10,000 guesses of a name take 34 days.
NAME = Pace(5, timedelta(seconds=1), timedelta(minutes=5), DAY)

# Several people may sit behind one address, and each may mistype.
NETWORK = Pace(20, timedelta(seconds=1), timedelta(minutes=15), DAY)


def delay(failures: int, pace: Pace) -> timedelta:
    """How long to wait after so many failures."""
    if failures < pace.free:
        return timedelta()
    doublings = min(failures - pace.free, 40)  # beyond, a timedelta overflows
    return min(pace.first * float(2**doublings), pace.longest)


def wait(failures: Failures | None, pace: Pace, now: datetime) -> timedelta:
    """How long an attempt must wait now; nothing when it may be made."""
    if failures is None:
        return timedelta()
    return max(failures.last_at + delay(failures.count, pace) - now, timedelta())


def counted(failures: Failures | None, pace: Pace, now: datetime) -> Failures:
    """The count with one more."""
    if failures is None or now - failures.last_at >= pace.forgotten:
        return Failures(1, now)
    return Failures(failures.count + 1, now)


def network_of(address: str) -> str:
    """What one person surely has of the addresses: an IPv4 address's /24, an IPv6 address's /56.

    RFC 6177 gives homes a /56 or more; IPv4 addresses of one /24 are of one provider. What is no
    address is one network by itself.
    """
    try:
        number = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return "unknown"
    if isinstance(number, ipaddress.IPv6Address) and number.ipv4_mapped:
        number = number.ipv4_mapped
    length = 24 if number.version == 4 else 56
    return str(ipaddress.ip_network((number, length), strict=False))


def counts(name: str, address: str, *, known_there: bool) -> tuple[Counted, ...]:
    """What an attempt counts for.

    From a network where that name signed in before, its own failures count and not those of
    strangers: nobody can keep others out by guessing at their names. The name is kept as a digest,
    for people type passwords into the wrong field.
    """
    own = f"@{network_of(address)}" if known_there else ""
    return Counted(f"name:{digest(name)[:32]}{own}", NAME), of_network(address)


def of_network(address: str) -> Counted:
    """What an attempt counts for that gives no name."""
    return Counted(f"network:{network_of(address)}", NETWORK)
