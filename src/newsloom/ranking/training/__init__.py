"""From likes and dislikes to each reader's relevance model; and the time-sensitivity head in use.

To follow a like to the model that ranks: `service.TrainingService.train` reads the facts
(`dataset.py`), asks `retraining_policy.py` whether to train, `train.py` what to do about it, and
`promote.py` does it. `active.py` finds the model that answers meanwhile. The statistics are in
classify, the bytes in the store.
"""

from newsloom.ranking.training.active import Trainers
from newsloom.ranking.training.distillation import ActiveSensitivity, DistillationResult
from newsloom.ranking.training.promote import Rollback, TrainingResult
from newsloom.ranking.training.service import TrainingService

__all__ = [
    "ActiveSensitivity",
    "DistillationResult",
    "Rollback",
    "Trainers",
    "TrainingResult",
    "TrainingService",
]
