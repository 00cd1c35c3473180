"""`store.retention`."""

from __future__ import annotations

from newsloom.store.retention.rows import AgedRows
from newsloom.store.retention.sizes import Sizes
from newsloom.store.retention.sweeps import Sweeps


class RetentionStore(Sweeps, AgedRows, Sizes):
    """What is removed for its age, and how large what is kept has grown."""
