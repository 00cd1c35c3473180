"""How feeds are: reliability, states, moves, and whether one has changed hands. Pure."""

from newsloom.health.hands import face, other_hands
from newsloom.health.judging import Health, judged
from newsloom.health.moving import target

__all__ = ["Health", "face", "judged", "other_hands", "target"]
