"""Calls of `store.retention`; those of them that only read."""

from __future__ import annotations

from newsloom.retention.values import Removal
from store.builders import HOUR, NOW

from .made import ONE

EVERY = [*Removal]
CALLS = {
    "sweep_place": lambda s: s.retention.sweep_place(Removal.TEXTS, NOW, rest=HOUR, anew=HOUR),
    "aging": lambda s: [s.retention.aging(one, ONE, NOW, NOW) for one in EVERY],
    "freed": lambda s: [s.retention.freed(one, [ONE]) for one in EVERY],
    "remove_aged": lambda s: [s.retention.remove_aged(one, [ONE], NOW, NOW, NOW) for one in EVERY],
    "swept": lambda s: s.retention.swept(Removal.TEXTS, ONE, NOW, begins=True, ended=True),
    "aged_keys": lambda s: s.retention.aged_keys("digests", NOW, 1),
    "count_aged": lambda s: s.retention.count_aged("redirects", NOW),
    "remove_rows": lambda s: s.retention.remove_rows("briefs", NOW, [1]),
    "table_sizes": lambda s: s.retention.table_sizes(),
    "free_inside": lambda s: s.retention.free_inside(),
}
READS = {
    "sweep_place",
    "aging",
    "freed",
    "aged_keys",
    "count_aged",
    "table_sizes",
    "free_inside",
}
