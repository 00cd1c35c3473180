"""How far the pages of a domain can be used: decayed counts, Wilson's lower bound, bands, order.

A domain is what somebody registered (`domains.registrable`). Counts are of hours, so that what was
recorded in any order comes to the same.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum

from newsloom.coverage.domains import Rule, registrable, rule_of
from newsloom.feeds.page_failures import FailureKind, Outcome, counts, weight

# Seed 002 used the 95% interval (z = 1.96), blocked below .15 with five samples, held a domain
# with fewer than three attempts to be worth .40 and the judge's score to be 5 of 10 before one was
# given, and took a mean score below 3 for a bad sign.
Z = 1.96
BLOCK_BELOW = 0.15
LEAST_SAMPLES = 5
LEAST_ATTEMPTS = 3
UNKNOWN_WILSON = 0.40
UNKNOWN_JUDGED, MOST_JUDGED, POORLY_JUDGED = 5.0, 10.0, 3.0

# Order of attempts, as in seed 002: nearness of the candidate, record of its domain, judge's mean.
NEARNESS_SHARE, WILSON_SHARE, JUDGED_SHARE = 0.50, 0.25, 0.25

# Seed 002 had no band between usable and blocked. Of eight attempts five must succeed for .30, of
# five three give .23.
DEPRIORITISE_BELOW = 0.25

# A server that was down for an hour failed once, however many pages were asked of it meanwhile.
LEAST_SPAN = timedelta(hours=12)

HALF_LIFE = timedelta(days=30)
# Older tallies weigh less than a sixtieth, and need not be kept.
KEPT_HALF_LIVES = 6

# As many `-site:` terms as seed 002 put into a search.
MOST_EXCLUDED = 28


class Band(StrEnum):
    """What a domain's record comes to."""

    GOOD = "good"
    UNKNOWN = "unknown"
    DEPRIORITISED = "deprioritised"
    BLOCKED = "blocked"


@dataclass(frozen=True, slots=True)
class Policy:
    """What settings say."""

    half_life: timedelta = HALF_LIFE
    least_samples: int = LEAST_SAMPLES
    block: timedelta = timedelta(days=7)  # the first time; each further one is twice as long
    longest_block: timedelta = timedelta(days=90)
    tries: int = 3  # after a block

    @property
    def retention(self) -> timedelta:
        """After this time what came of a candidate is forgotten."""
        return KEPT_HALF_LIVES * self.half_life


@dataclass(frozen=True, slots=True)
class Tally:
    """How often one thing came of the candidates of a domain in one hour."""

    at: datetime  # the beginning of the hour
    kind: FailureKind | None  # None: a success
    times: int
    judged: float = 0.0  # sum of the judge's scores
    scored: int = 0  # how many of them


@dataclass(frozen=True, slots=True)
class Block:
    """That a domain was blocked by its record."""

    since: datetime
    until: datetime  # then it is on trial
    times: int  # the how manieth block it is
    lifted_at: datetime | None = None  # a success on trial ended it


@dataclass(frozen=True, slots=True)
class Counts:
    """Successes and failures of a domain, an old one worth less than a new one."""

    successes: float = 0.0
    failures: float = 0.0  # by `page_failures.weight`
    judged: float = 0.0  # sum of scores
    scored: float = 0.0  # how many
    worst: FailureKind | None = None  # the kind that counts most

    @property
    def samples(self) -> int:
        """Successes and failures by weight, in whole ones."""
        return round(self.successes + self.failures)

    @property
    def wilson(self) -> float:
        return wilson(self.successes, self.failures)

    @property
    def mean_judged(self) -> float:
        """The judge's mean score, 0 to 10."""
        return self.judged / self.scored if round(self.scored) >= 1 else UNKNOWN_JUDGED


@dataclass(frozen=True, slots=True)
class Reputation:
    """What is to be done with the pages of a domain at one moment, and why."""

    domain: str
    band: Band
    wilson: float = UNKNOWN_WILSON  # UNKNOWN_WILSON below LEAST_ATTEMPTS
    judged: float = UNKNOWN_JUDGED
    counts: Counts = field(default_factory=Counts)
    rule: Rule | None = None
    block: Block | None = None  # the last one that was not lifted
    tries_left: int | None = None  # on trial after a block: so many may be asked

    @property
    def blocked(self) -> bool:
        """Neither searched for nor fetched."""
        return self.band is Band.BLOCKED


def wilson(successes: float, failures: float, z: float = Z) -> float:
    """The lower bound of Wilson's interval for the share of successes; 0 without any attempt.

    E. B. Wilson (1927), Probable inference, the law of succession, and statistical inference.
    """
    n = successes + failures
    if n <= 0:
        return 0.0
    square = z * z
    # All multiplied by n, which decay makes as small as it likes.
    spread = z * math.sqrt(successes * (failures / n) + square / 4)
    return max((successes + square / 2 - spread) / (n + square), 0.0)


def tallied(outcomes: Iterable[Outcome]) -> Mapping[str, Sequence[Tally]]:
    """Outcomes as tallies by domain; what is ours or names no host is left out."""
    sums: dict[tuple[str, datetime, FailureKind | None], list[float]] = {}
    for one in outcomes:
        domain = registrable(one.host)
        if not domain or not counts(one.kind):
            continue
        kind = one.kind if isinstance(one.kind, FailureKind) else None
        row = sums.setdefault((domain, hour(one.at), kind), [0, 0.0, 0])
        row[0] += 1
        if one.judged is not None and math.isfinite(one.judged):
            row[1] += min(max(one.judged, 0.0), MOST_JUDGED)
            row[2] += 1
    found: dict[str, list[Tally]] = {}
    for (domain, at, kind), (times, judged, scored) in sums.items():
        found.setdefault(domain, []).append(Tally(at, kind, int(times), judged, int(scored)))
    return found


def hour(at: datetime) -> datetime:
    """The beginning of the hour of a moment."""
    return at.replace(minute=0, second=0, microsecond=0)


def counted(tallies: Iterable[Tally], now: datetime, policy: Policy) -> Counts:
    """What tallies come to: one half-life ago counts half as much as now."""
    sums = [0.0, 0.0, 0.0]
    failures: defaultdict[FailureKind, float] = defaultdict(float)
    for one in sorted(tallies, key=lambda one: (one.at, one.kind or "")):
        age = max((now - one.at) / policy.half_life, 0.0)
        if age > KEPT_HALF_LIVES:
            continue
        share = math.exp2(-age)
        if one.kind is None:
            sums[0] += share * one.times
        else:
            failures[one.kind] += share * one.times * weight(one.kind)
        sums[1] += share * one.judged
        sums[2] += share * one.scored
    worst = max(failures, key=lambda kind: (failures[kind], kind), default=None)
    return Counts(sums[0], sum(failures.values()), sums[1], sums[2], worst)


def reputation_of(
    domain: str,
    tallies: Sequence[Tally],
    block: Block | None,
    rules: Mapping[str, Rule],
    now: datetime,
    policy: Policy,
) -> Reputation:
    """The standing of a domain, or of one host of it, at a moment. A rule is before all else.

    Until a block is lifted the whole record counts, so that what is on trial is tried last.
    """
    last = block if block is not None and block.lifted_at is None else None
    found = counted(tallies if last else since_block(tallies, block), now, policy)
    known = found.samples >= LEAST_ATTEMPTS
    rule = rule_of(domain, rules)
    left = tries_left(tallies, last, policy) if last and last.until <= now else None
    return Reputation(
        domain=domain,
        band=_band(found, rule[1] if rule else None, last, now),
        wilson=found.wilson if known else UNKNOWN_WILSON,
        judged=found.mean_judged,
        counts=found,
        rule=rule[1] if rule else None,
        block=last,
        tries_left=left if rule is None else None,
    )


def _band(found: Counts, rule: Rule | None, block: Block | None, now: datetime) -> Band:
    if rule is not None:
        return Band.GOOD if rule is Rule.ALLOW else Band.BLOCKED
    if block is not None:
        return Band.BLOCKED if now < block.until else Band.DEPRIORITISED
    if round(found.scored) >= LEAST_SAMPLES and found.mean_judged < POORLY_JUDGED:
        return Band.DEPRIORITISED
    if found.samples < LEAST_ATTEMPTS:
        return Band.UNKNOWN
    return Band.DEPRIORITISED if found.wilson < DEPRIORITISE_BELOW else Band.GOOD


def tries_left(tallies: Sequence[Tally], block: Block, policy: Policy) -> int:
    """How many more pages of a domain on trial may fail."""
    failed = sum(one.times * weight(one.kind) for one in since_block(tallies, block))
    return max(policy.tries - math.floor(failed), 0)


def since_block(tallies: Sequence[Tally], block: Block | None) -> Sequence[Tally]:
    """What came after the end of a block, on trial and since; all where there was none."""
    return tallies if block is None else [one for one in tallies if one.at >= block.until]


def attempt_value(nearness: float, reputation: Reputation) -> float:
    """How soon a candidate is fetched, 0 to 1: the greatest first.

    `nearness` is the similarity of its title to the article, 0 to 1.
    """
    return (
        NEARNESS_SHARE * min(max(nearness, 0.0), 1.0)
        + WILSON_SHARE * reputation.wilson
        + JUDGED_SHARE * reputation.judged / MOST_JUDGED
    )


def excluded(
    blocked: Iterable[str],
    rules: Mapping[str, Rule],
    hits: Mapping[str, int],
    limit: int = MOST_EXCLUDED,
) -> tuple[str, ...]:
    """Which blocked domains a search leaves out: those that turn up most among results.

    Not one with an allowed name below it, which a search would leave out with it.
    """
    allowed = [name for name, rule in rules.items() if rule is Rule.ALLOW]
    names = {one for one in blocked if not any(name.endswith(f".{one}") for name in allowed)}
    return tuple(sorted(names, key=lambda one: (-hits.get(one, 0), one))[:limit])


# A domain is deprioritised first. It is blocked when enough failures over more than half a
# day leave its Wilson bound low. When the block ends the domain is on trial: a few tries; a success
# lifts the block, failures alone block it again for twice as long, up to a limit.


def block_after(
    tallies: Sequence[Tally], block: Block | None, now: datetime, policy: Policy
) -> Block | None:
    """The block of a domain after what was recorded: a new one, one lifted, or what it was."""
    if block is not None and block.lifted_at is None:
        return _on_trial(tallies, block, now, policy) if block.until <= now else block
    recent = since_block(tallies, block)
    found = counted(recent, now, policy)
    if found.samples < policy.least_samples or found.wilson >= BLOCK_BELOW:
        return block
    failed = [one.at for one in recent if weight(one.kind) and now - one.at <= policy.retention]
    if max(failed) - min(failed) < LEAST_SPAN:
        return block
    return _blocked(block, now, policy)


def _on_trial(tallies: Sequence[Tally], block: Block, now: datetime, policy: Policy) -> Block:
    tried = since_block(tallies, block)
    good = [one.at for one in tried if one.kind is None]
    if good:
        return replace(block, lifted_at=min(good))
    return block if tries_left(tallies, block, policy) else _blocked(block, now, policy)


def _blocked(before: Block | None, now: datetime, policy: Policy) -> Block:
    """The next block. One that was lifted longer ago than the longest lasts is forgotten."""
    times = 1
    if before is not None:
        lifted = before.lifted_at
        if lifted is None or now - lifted <= policy.longest_block:
            times = before.times + 1
    since = hour(now)
    # Doubling more than this many times is always over the limit, and would overflow.
    span = min(policy.block * 2 ** min(times - 1, 12), policy.longest_block)
    return Block(since, since + max(span, policy.block), times)
