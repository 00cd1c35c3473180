"""How feeds are: reliability, states, moves, and whether one has changed hands. Pure."""

from newsloom.health.judging import Health, judged

__all__ = ["Health", "judged"]
