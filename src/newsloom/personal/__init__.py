"""Each reader's relevance model: trained, judged, put in force, gone back from, kept at hand.

The choice is here, the mathematics in classify, the bytes in the store. Before there are enough
likes and dislikes the prior (interests, feeds, categories) answers.
"""

from newsloom.personal.current import KIND, Back, Personal
from newsloom.personal.delays import ObservedDelays
from newsloom.personal.distilled import Distilled, SensitivityInForce
from newsloom.personal.training import Trainers, Training

__all__ = [
    "KIND",
    "Back",
    "Distilled",
    "ObservedDelays",
    "Personal",
    "SensitivityInForce",
    "Trainers",
    "Training",
]
