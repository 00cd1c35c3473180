"""How relevance decays. Pure: takes facts and `now`, touches no clock and no store."""

from newsloom.scoring.decay import FLOOR, decayed, remaining

__all__ = ["FLOOR", "decayed", "remaining"]
