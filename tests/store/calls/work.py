"""Calls of `store.work`; those of them that only read."""

from __future__ import annotations

from newsloom.types import StageKey
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
    "set_aside": lambda s: s.work.set_aside(),
}
READS = {
    "set_aside",
    "work_elsewhere",
}
