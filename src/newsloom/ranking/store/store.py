"""`store.models`."""

from __future__ import annotations

from newsloom.llm.store.calls import Calls
from newsloom.llm.store.services import Services
from newsloom.ranking.store.delays import ReadingDelays
from newsloom.ranking.store.encoders import EncoderSwitches
from newsloom.ranking.store.evaluations import Evaluations
from newsloom.ranking.store.excluded_periods import ExcludedPeriods
from newsloom.ranking.store.labels import Labels
from newsloom.ranking.store.passed_over import PassedOverArticles
from newsloom.ranking.store.trained import Trained


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
