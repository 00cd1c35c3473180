"""`store.work`."""

from __future__ import annotations

from newsloom.work.store.leases import Leases


class WorkStore(Leases):
    """Work of the stages: what is pending, who holds which part of it, what was set aside."""
