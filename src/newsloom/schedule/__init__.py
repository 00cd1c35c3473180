"""When a feed is asked again: pure, from facts, `now` and a jitter."""

from newsloom.schedule.plan import LADDER, MOST_JITTER, facts, plan

__all__ = ["LADDER", "MOST_JITTER", "facts", "plan"]
