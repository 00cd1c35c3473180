"""Lists that readers keep under a name."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SavedList:
    """A list or a search, as its address says it."""

    id: int
    name: str
    place: str  # what web.list_view reads
    token: str = ""  # of its feed's secret address; empty: it has none
