"""Which sentence encoders and trainers there are, by the name in the settings. Loads none.

To add an encoder: a class with `model_id`, `dimensions` and `embed`, and a row in EMBEDDERS. The id
names the weights and the preparation of the text; vectors are stored under it and never mixed.
To add a trainer: a class that implements ports.Trainer, and a row in TRAINERS. Both need their name
among the choices of settings/tree.py.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from newsloom.errors import SettingsError
from newsloom.text.embedding import PREPARATION

if TYPE_CHECKING:
    from newsloom.ports import Embedder, Trainer
    from newsloom.settings import RankingSettings, TrainingSettings

SHIPPED = Path(__file__).parent / "data"


@dataclass(frozen=True, slots=True)
class Row:
    """A name for people, the id vectors are stored under, and how to make it."""

    name: str
    model_id: str
    make: Callable[[str, int], Embedder]  # (model_id, threads)


def _minilm_int8(model_id: str, threads: int) -> Embedder:
    from newsloom.models.onnx_encoder import OnnxEncoder

    return OnnxEncoder(model_id, SHIPPED, dimensions=384, threads=threads)


EMBEDDERS = (Row("minilm-int8", f"all-minilm-l6-v2-int8/{PREPARATION}", _minilm_int8),)


@dataclass(frozen=True, slots=True)
class Workplace:
    """All that making a trainer needs to know."""

    settings: TrainingSettings
    needed: tuple[int, int]  # likes, dislikes
    vector_model: str  # the encoder whose vectors it will be given
    folder: Path  # for weights too large for a row of the database; made when first used


@dataclass(frozen=True, slots=True)
class TrainerRow:
    """A name, a line for people, and how to make it."""

    name: str
    words: str
    quick: bool  # seconds at most: may be trained again in the middle of a pass
    least: int  # likes, and dislikes, without which it cannot train, whatever the settings say
    make: Callable[[Workplace], Trainer]


def _head(place: Workplace) -> Trainer:
    from newsloom.classify.head import HeadTrainer

    return HeadTrainer(place.needed, place.vector_model)


def _tfidf_svm(place: Workplace) -> Trainer:
    from newsloom.classify.tfidf_svm import SvmTrainer

    return SvmTrainer(place.needed)


def _modernbert(place: Workplace) -> Trainer:
    from newsloom.models.fine_tuned import FineTuner

    chosen = place.settings
    return FineTuner(
        folder=place.folder,
        needed=place.needed,
        base_model=chosen.base_model,
        base_revision=chosen.base_revision,
        device=chosen.device,
        balance=chosen.balance,
    )


TRAINERS = (
    TrainerRow("head", "a logistic head on the article's embedding; seconds", True, 5, _head),
    TrainerRow("tfidf-svm", "a linear SVM on its words; seconds", True, 5, _tfidf_svm),
    TrainerRow(
        "modernbert",
        "ModernBERT or another encoder, fine-tuned; minutes to hours",
        False,
        10,
        _modernbert,
    ),
)


def embedder(name: str, threads: int = 0) -> Embedder:
    """The encoder of that name, not loaded yet. Raises SettingsError naming the nearest one."""
    for row in EMBEDDERS:
        if row.name == name:
            return row.make(row.model_id, threads)
    hint = _nearest(name, [row.name for row in EMBEDDERS])
    raise SettingsError(f"models.embedder: there is no encoder {name!r:.60}. {hint}")


def needed(ranking: RankingSettings, trainer: str) -> tuple[int, int]:
    """Likes and dislikes from which on a model of one's own is trained."""
    least = trainer_row(trainer).least
    return max(ranking.min_likes, least), max(ranking.min_dislikes, least)


def trainer_row(name: str) -> TrainerRow:
    """The row of that name. Raises SettingsError naming the nearest one."""
    for row in TRAINERS:
        if row.name == name:
            return row
    hint = _nearest(name, [row.name for row in TRAINERS])
    raise SettingsError(f"training.trainer: there is no trainer {name!r:.60}. {hint}")


def trainer(name: str, place: Workplace) -> Trainer:
    """The trainer of that name, with nothing loaded yet. Raises SettingsError as trainer_row."""
    return trainer_row(name).make(place)


def _nearest(name: str, names: list[str]) -> str:
    near = difflib.get_close_matches(name.lower(), names, n=1, cutoff=0.4)
    return f"Did you mean {near[0]}?" if near else f"There is {', '.join(names)}."
