"""Calls of `store.work`; those of them that only read."""

from __future__ import annotations

from newsloom.work.values import StageKey
from store.builders import HOUR, NOW

from .made import LEASE

CALLS = {
    "claim_work": lambda s: s.work.claim_work(
        StageKey("text", "v"), limit=1, now=NOW, until=NOW + HOUR
    ),
    "renew_work": lambda s: s.work.renew_work([LEASE], NOW + HOUR),
    "release_work": lambda s: s.work.release_work([LEASE]),
    "fail_work": lambda s: s.work.fail_work(LEASE, "why", NOW),
    "work_elsewhere": lambda s: s.work.work_elsewhere(NOW),
    "held_work": lambda s: s.work.held_work(NOW),
    "pending_work": lambda s: s.work.pending_work(StageKey("text", "v"), 10, NOW),
    "set_aside": lambda s: s.work.set_aside(),
}
READS = {
    "held_work",
    "pending_work",
    "set_aside",
    "work_elsewhere",
}
