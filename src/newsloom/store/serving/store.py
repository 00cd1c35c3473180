"""`store.serving`."""

from __future__ import annotations

from newsloom.store.serving.activities import Activities
from newsloom.store.serving.presence import ServePresence


class ServingStore(ServePresence, Activities):
    """What several `serve`s share beside what they show."""
