"""`store.models`."""

from __future__ import annotations

from newsloom.store.models.calls import Calls
from newsloom.store.models.delays import ReadingDelays
from newsloom.store.models.encoders import EncoderSwitches
from newsloom.store.models.evaluations import Evaluations
from newsloom.store.models.excluded_periods import ExcludedPeriods
from newsloom.store.models.labels import Labels
from newsloom.store.models.passed_over import PassedOverArticles
from newsloom.store.models.services import Services
from newsloom.store.models.trained import Trained


class ModelStore(
    Labels,
    PassedOverArticles,
    ExcludedPeriods,
    Trained,
    Evaluations,
    ReadingDelays,
    Services,
    Calls,
    EncoderSwitches,
):
    """What models learn from, what they became, and what language models were asked."""
