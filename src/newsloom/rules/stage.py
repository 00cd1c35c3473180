"""The rules stage: each reader's rules look once at every article that is new to them.

And again at what is unread when the rules change. A pass without anything to look at costs one
question to the store for each reader.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import TYPE_CHECKING

from newsloom.kernel.ids import UserId
from newsloom.work.values import StageKey

if TYPE_CHECKING:
    from newsloom.store import Store
    from newsloom.work.service import Keep, Leases
    from newsloom.work.values import Lease

# Names the way of deciding; nothing is kept under it but leases and failures.
RULES_VERSION = "rules@1"

# As texts: a kill costs a second.
RULES_BATCH = 500


def by_rules(
    store: Store, leases: Leases, users: Iterable[UserId], now: Callable[[], datetime]
) -> int:
    """A batch of each reader; how many articles were looked at."""
    waiting = store.rules.waiting_readers()
    return sum(_of_reader(store, leases, user, now) for user in users if user in waiting)


def _of_reader(store: Store, leases: Leases, user: UserId, now: Callable[[], datetime]) -> int:
    def compute(lease: Lease) -> Keep | None:
        # Only where there is something to do.
        from newsloom.rules.decide import decide, ready
        from newsloom.rules.values import Ruling

        batch, ids, rules, facts = store.rules.leased_rules(lease, RULES_BATCH)
        if not ids:
            return None
        asked = ready(rules.rules)
        rulings = [Ruling(one.article, decide(asked, one)) for one in facts]
        return lambda until: store.rules.put_rulings(
            user, rules.version, ids, rulings, now(), batch=batch, until=until
        )

    return leases.work(StageKey("rules", RULES_VERSION, scope=user), RULES_BATCH, compute)
