"""How feeds are: reliability, states, moves, and whether one has changed hands. Pure."""

from newsloom.feeds.health.judging import Health, judged
from newsloom.feeds.health.moving import target
from newsloom.feeds.health.ownership import identity_of, ownership_changed
from newsloom.feeds.health.reliability import reliability, tally
from newsloom.feeds.health.wording import advice, reason

__all__ = [
    "Health",
    "advice",
    "identity_of",
    "judged",
    "ownership_changed",
    "reason",
    "reliability",
    "tally",
    "target",
]
