"""`store.retention`."""

from __future__ import annotations

from newsloom.retention.store.rows import AgedRows
from newsloom.retention.store.sizes import Sizes
from newsloom.retention.store.sweeps import Sweeps


class RetentionStore(Sweeps, AgedRows, Sizes):
    """What is removed for its age, and how large what is kept has grown."""
