"""`store.feeds`."""

from __future__ import annotations

from newsloom.feeds.store.deliveries import Deliveries
from newsloom.feeds.store.figures import Figures
from newsloom.feeds.store.health import Health
from newsloom.feeds.store.polls import Polls
from newsloom.feeds.store.pushes import Pushes
from newsloom.feeds.store.quarantine import Quarantine
from newsloom.feeds.store.redirects import Redirects


class FeedStore(Polls, Health, Quarantine, Redirects, Pushes, Deliveries, Figures):
    """Feeds: which are due, what their polls brought, their health, pushes and moves."""
