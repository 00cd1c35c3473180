"""How relevance decays. Pure: takes facts and `now`, touches no clock and no store."""

from newsloom.scoring.decay import FLOOR, UNSCORED_HALF_LIFE, decayed, remaining
from newsloom.scoring.half_lives import checked, in_days, lasting

__all__ = ["FLOOR", "UNSCORED_HALF_LIFE", "checked", "decayed", "in_days", "lasting", "remaining"]
