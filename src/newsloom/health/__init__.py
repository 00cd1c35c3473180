"""How feeds are: reliability, states, moves, and whether one has changed hands. Pure."""

from newsloom.health.judging import Health, judged
from newsloom.health.moving import target
from newsloom.health.ownership import face, other_hands
from newsloom.health.reliability import reliability, tally
from newsloom.health.wording import advice, reason

__all__ = [
    "Health",
    "advice",
    "face",
    "judged",
    "other_hands",
    "reason",
    "reliability",
    "tally",
    "target",
]
