"""When the record of a domain blocks it, and for how long; and how a block ends.

A domain is deprioritised first. It is blocked when enough failures over more than half a
day leave its Wilson bound low. When the block ends the domain is on trial: a few tries; a success
lifts the block, failures alone block it again for twice as long, up to a limit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from newsloom.coverage.quality import (
    BLOCK_BELOW,
    LEAST_SPAN,
    Block,
    Policy,
    Tally,
    counted,
    hour,
    since_block,
    tries_left,
)
from newsloom.feeds.page_failures import weight


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
    if before is not None and not _forgotten(before, now, policy):
        times = before.times + 1
    since = hour(now)
    # Doubling more than this many times is always over the limit, and would overflow.
    span = min(policy.block * 2 ** min(times - 1, 12), policy.longest_block)
    return Block(since, since + max(span, policy.block), times)


def _forgotten(before: Block, now: datetime, policy: Policy) -> bool:
    return before.lifted_at is not None and now - before.lifted_at > policy.longest_block
