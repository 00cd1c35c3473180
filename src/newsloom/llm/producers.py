"""What ratings of a language model may do: what their producers are called, how far they reach."""

from __future__ import annotations

# What the producer of every answer of a language model begins with: "chat/<model>/<version>".
CHAT = "chat/"

# How many steps a language model may move an article away from the built-in judge, which is off by
# three or more in 2 of 1,000 rated articles (`newsloom eval sensitivity --fit cv`): further than
# two is a trick more often than a correction.
REACH = 2


def model_of(producer: str) -> str:
    """The name of the model behind the producer of an answer."""
    return producer.removeprefix(CHAT).rpartition("/")[0]


def held(own: int, told: int) -> int:
    """The rating in force: the language model's, at most REACH from the built-in judge's."""
    return max(own - REACH, min(told, own + REACH))
