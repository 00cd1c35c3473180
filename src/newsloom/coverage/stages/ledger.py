"""What fetches and decisions came to, told to whoever keeps the quality of domains.

In the same transaction as the hit's new state: a kill leaves both or neither, and a step that is
done again finds nobody waiting and tells nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from newsloom.feeds.page_failures import Outcome
from newsloom.store import Aggregates

Record = Callable[[Aggregates, Sequence[Outcome]], None]
