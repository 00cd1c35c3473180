"""Which sentence encoders and trainers there are, by the name in the settings. Loads none.

To add an encoder: a class with `model_id`, `dimensions` and `embed`, and a row in EMBEDDERS, or a
kind of them in KINDS. The id names the weights and the preparation of the text; vectors are stored
under it and never mixed.
To add a trainer: a class that implements ports.Trainer, and a row in TRAINERS, with its name among
the choices of kernel/settings/tree.py.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from newsloom.kernel.errors import SettingsError
from newsloom.ranking.encoder_text import PREPARATION

if TYPE_CHECKING:
    from newsloom.kernel.http.values import ApiReply, ApiRequest
    from newsloom.kernel.settings import (
        EmbeddingServerSettings,
        ModelSettings,
        RankingSettings,
        TrainingSettings,
    )
    from newsloom.ranking.encoders.sentence_folder import SentenceModel
    from newsloom.ranking.ports import Embedder, Trainer

SHIPPED = Path(__file__).parent / "data"


@dataclass(frozen=True, slots=True)
class Row:
    """A shipped encoder: a name for people, the id vectors are stored under, how to make it."""

    name: str
    model_id: str
    make: Callable[[str, int], Embedder]  # (model_id, threads)


def _minilm_int8(model_id: str, threads: int) -> Embedder:
    from newsloom.ranking.encoders.onnx_encoder import OnnxEncoder

    return OnnxEncoder(model_id, SHIPPED, dimensions=384, threads=threads)


EMBEDDERS = (Row("minilm-int8", f"all-minilm-l6-v2-int8/{PREPARATION}", _minilm_int8),)


@dataclass(frozen=True, slots=True)
class Encoders:
    """All that making an encoder that is not shipped needs to know."""

    settings: ModelSettings
    server: EmbeddingServerSettings
    call: Callable[[ApiRequest], ApiReply]  # of a service named in the settings
    now: Callable[[], datetime]


@dataclass(frozen=True, slots=True)
class Kind:
    """Encoders of one kind: how their names in the settings begin, a line for people, how one is
    made of what follows in the name."""

    prefix: str
    words: str
    make: Callable[[str, Encoders], Embedder]


def _server(_rest: str, encoders: Encoders) -> Embedder:
    from newsloom.ranking.encoders.embedding_server import ServerEncoder

    return ServerEncoder(encoders.call, encoders.server, encoders.now, encoders.settings.prompt)


def _sentence_transformers(rest: str, encoders: Encoders) -> Embedder:
    from newsloom.ranking.encoders.torch_encoder import TorchEncoder

    about, check = _found(rest, encoders.settings)
    return TorchEncoder(about, encoders.settings.device, encoders.settings.threads, check)


def _onnx(name: str, encoders: Encoders) -> Embedder:
    from newsloom.ranking.encoders.onnx_folder import OnnxFolderEncoder, graph_of

    about, check = _found(name, encoders.settings)
    graph_of(about.folder)
    return OnnxFolderEncoder(about, encoders.settings.threads, check)


# The first whose prefix fits; the last takes every name.
KINDS = (
    Kind("server", "an embedding server of the OpenAI form", _server),
    Kind("sentence-transformers:", "a folder of safetensors, by an extra", _sentence_transformers),
    Kind("", "an installed encoder, or a folder, as ONNX", _onnx),
)


def _found(name: str, settings: ModelSettings) -> tuple[SentenceModel, Callable[[], None]]:
    """A folder of that name or path, described, and what checks it before it is loaded."""
    from newsloom.kernel import installed
    from newsloom.ranking.encoders.sentence_folder import described

    path = Path(name).expanduser()
    if path.is_absolute() or len(path.parts) > 1:
        return described(path, prompt=settings.prompt), lambda: None
    record = installed.record_of(settings.folder, name)
    if record is None or not installed.is_there(settings.folder, name):
        raise SettingsError(_unknown(name, installed.installed(settings.folder)))
    about = described(settings.folder / name, name, settings.prompt)
    return about, lambda: installed.check(settings.folder, name)


def _unknown(name: str, there: Sequence[str]) -> str:
    from newsloom.ranking.encoders.known import KNOWN

    if any(row.name == name for row in KNOWN):
        return f"models.embedder: {name} is not installed. Run `newsloom models get {name}`."
    names = [*(row.name for row in EMBEDDERS), *there, "server"]
    hint = _nearest(name, [*names, *(row.name for row in KNOWN)])
    if hint.startswith("There is"):
        hint = f"There is {', '.join(names)}, or a folder."
    return f"models.embedder: there is no encoder {name!r:.60}. {hint}"


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


def _head(workplace: Workplace) -> Trainer:
    from newsloom.ranking.learning.head import HeadTrainer

    return HeadTrainer(workplace.needed, workplace.vector_model)


def _tfidf_svm(workplace: Workplace) -> Trainer:
    from newsloom.ranking.learning.tfidf_svm import SvmTrainer

    return SvmTrainer(workplace.needed)


def _modernbert(workplace: Workplace) -> Trainer:
    from newsloom.ranking.encoders.fine_tuned import FineTuner

    chosen = workplace.settings
    return FineTuner(
        folder=workplace.folder,
        needed=workplace.needed,
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


def embedder(name: str, threads: int = 0, encoders: Encoders | None = None) -> Embedder:
    """The encoder of that name, not loaded yet.

    Without a place only shipped ones are made. Raises SettingsError naming the nearest one, and
    ModelError for a folder that is none.
    """
    for row in EMBEDDERS:
        if row.name == name:
            return row.make(row.model_id, threads)
    if encoders is None or not name.strip():
        raise SettingsError(_unknown(name, ()))
    kind = next(one for one in KINDS if _is_of(name, one))
    return kind.make(name.removeprefix(kind.prefix), encoders)


def _is_of(name: str, kind: Kind) -> bool:
    ends = kind.prefix.endswith(":") or not kind.prefix
    return name.startswith(kind.prefix) if ends else name == kind.prefix


def shipped(threads: int = 0) -> Embedder:
    """The one that the shipped heads were trained on."""
    return EMBEDDERS[0].make(EMBEDDERS[0].model_id, threads)


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


def trainer(name: str, workplace: Workplace) -> Trainer:
    """The trainer of that name, with nothing loaded yet. Raises SettingsError as trainer_row."""
    return trainer_row(name).make(workplace)


def _nearest(name: str, names: list[str]) -> str:
    near = difflib.get_close_matches(name.lower(), names, n=1, cutoff=0.4)
    return f"Did you mean {near[0]}?" if near else f"There is {', '.join(names)}."
