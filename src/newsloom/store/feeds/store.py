"""`store.feeds`."""

from __future__ import annotations

from newsloom.store.feeds.deliveries import Deliveries
from newsloom.store.feeds.figures import Figures
from newsloom.store.feeds.health import Health
from newsloom.store.feeds.polls import Polls
from newsloom.store.feeds.pushes import Pushes
from newsloom.store.feeds.quarantine import Quarantine
from newsloom.store.feeds.redirects import Redirects


class FeedStore(Polls, Health, Quarantine, Redirects, Pushes, Deliveries, Figures):
    """Feeds: which are due, what their polls brought, their health, pushes and moves."""
