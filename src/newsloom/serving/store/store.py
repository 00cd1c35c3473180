"""`store.serving`."""

from __future__ import annotations

from newsloom.serving.store.activities import Activities
from newsloom.serving.store.presence import ServePresence


class ServingStore(ServePresence, Activities):
    """What several `serve`s share beside what they show."""
