"""How much higher an article stands whose story the reader follows. Pure."""

# Points of relevance in lists, of importance in digests. A score of 70 then stands as one of 80
# does: enough to be seen among what is read first, and too little to put what a reader passes over
# at the top.
RAISE = 10.0


def raised(relevance: float, *, followed: bool) -> float:
    """Relevance, 0 to 100, as it is kept."""
    return min(relevance + RAISE, 100.0) if followed else relevance
