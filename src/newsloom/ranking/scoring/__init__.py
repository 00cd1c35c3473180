"""How relevance decays. Pure: takes facts and `now`, touches no clock and no store."""

from newsloom.ranking.scoring.decay import FLOOR, UNSCORED_HALF_LIFE, decayed, remaining
from newsloom.ranking.scoring.half_lives import checked, in_days, lasting

__all__ = ["FLOOR", "UNSCORED_HALF_LIFE", "checked", "decayed", "in_days", "lasting", "remaining"]
