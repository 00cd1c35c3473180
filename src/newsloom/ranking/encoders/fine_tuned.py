"""The `modernbert` trainer: a whole encoder fine-tuned on one reader's labels.

ModernBERT-base or any other encoder of Hugging Face. The database keeps a description with the
hash of every file; the weights stand in a folder beside it (see weights.py). Needs torch, which
`pip install newsloom` does not bring: without it this says so and everything else works.
"""

from __future__ import annotations

import hashlib
import json
import math
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from newsloom.kernel.errors import ModelError
from newsloom.ranking.encoders import encoder_classifier, weights
from newsloom.ranking.encoders.encoder_classifier import (
    Classifier,
    Lesson,
    Recipe,
    fine_tune,
    split,
)
from newsloom.ranking.learning.calibration import balanced, calibrate, held_out_figures, usual
from newsloom.ranking.learning.lbfgs import Floats
from newsloom.ranking.learning.logistic import sigmoid
from newsloom.ranking.learning.payload import taken_apart
from newsloom.ranking.learning.prior import points
from newsloom.ranking.ports import Vectors
from newsloom.ranking.values.models import ArticleText, Label, NotYet, Reason, StoredModel

# What the seed trained with; tests of tiny random networks need larger steps.
SEEDS = Recipe()

# With fewer of a class the fifth held out has one or two of it, and calibrates nothing.
LEAST = 10

# Articles tokenised at once; bounds memory, and network batches lie inside it.
BATCH = 1_000

# Networks held in memory: the one in force, and another reader's or the one it is judged against.
MOST_LOADED = 2


@dataclass(frozen=True, slots=True, eq=False)
class FineTunedModel:
    """Implements ports.PersonalModel. The network is read when first asked for a score."""

    about: Description
    payload: bytes
    folder: Path
    device: str  # as in the settings
    vector_model: str = ""  # reads texts alone
    personal: bool = True

    @property
    def model_id(self) -> str:
        return f"{VERSION}/{version_name(self.payload)}"

    @property
    def positives(self) -> int:
        return self.about.positives

    @property
    def negatives(self) -> int:
        return self.about.negatives

    @property
    def trained(self) -> datetime:
        return self.about.trained

    @property
    def metrics(self) -> tuple[tuple[str, float], ...]:
        return self.about.metrics

    def score(
        self, articles: Sequence[ArticleText], vectors: Vectors, categories: Sequence[str]
    ) -> NDArray[np.float64]:
        """100 * the calibrated chance of a like. Raises ModelError when torch cannot run."""
        del vectors, categories
        return 100.0 * sigmoid(self._log_odds(articles))

    def parts(self, article: ArticleText, vector: Vectors, category: str) -> tuple[Reason, ...]:
        """How often the reader likes anything, and the text; a network has no other parts."""
        del vector, category
        usual = math.log((self.positives + 1.0) / (self.negatives + 1.0))
        text = float(self._log_odds([article])[0]) - usual
        return points(
            (
                ("prior", "your overall share of likes", usual),
                ("text", "its text, by your likes and dislikes", text),
            )
        )

    def to_payload(self) -> bytes:
        """The description: names and hashes of the weight files, and the calibration."""
        return self.payload

    def _log_odds(self, articles: Sequence[ArticleText]) -> Floats:
        if not articles:
            return np.empty(0)
        network = _loaded.get(self.folder, self.device, self.about.tokens)
        found = [
            network.logits(network.tokens(articles[start : start + BATCH]))
            for start in range(0, len(articles), BATCH)
        ]
        return self.about.slope * np.concatenate(found) + self.about.bias


class _Loaded:
    """The networks in memory, the least recently used going first."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._networks: OrderedDict[tuple[Path, str], Classifier] = OrderedDict()

    def get(self, folder: Path, wanted: str, tokens: int) -> Classifier:
        with self._lock:
            key = folder, wanted
            if key not in self._networks:
                device = encoder_classifier.devices_for(wanted)[0]
                while len(self._networks) >= MOST_LOADED:
                    self._networks.popitem(last=False)
                self._networks[key] = encoder_classifier.load_folder(folder, device, tokens)
            self._networks.move_to_end(key)
            return self._networks[key]


_loaded = _Loaded()


@dataclass(frozen=True, slots=True)
class FineTuner:
    """Implements ports.Trainer. Needs no vectors, but torch."""

    folder: Path  # where versions are kept
    needed: tuple[int, int]  # likes, dislikes
    base_model: str
    base_revision: str = ""
    device: str = "auto"
    balance: str = "weighted"
    recipe: Recipe = SEEDS
    name: str = "modernbert"

    def train(
        self, labels: Sequence[Label], vectors: Vectors, now: datetime
    ) -> FineTunedModel | NotYet:
        """Fine-tune, or how many labels there are. Raises ModelError. Minutes to hours."""
        del vectors
        positives = sum(one.positive for one in labels)
        negatives = len(labels) - positives
        needed = max(self.needed[0], LEAST), max(self.needed[1], LEAST)
        if positives < needed[0] or negatives < needed[1]:
            return NotYet(positives, negatives, needed)
        devices = encoder_classifier.devices_for(self.device)
        chosen = _newest(labels) if self.balance == "newest" else list(labels)
        return encoder_classifier.first_that_works(
            devices, lambda device: self._trained(chosen, (positives, negatives), now, device)
        )

    def load(self, stored: StoredModel) -> FineTunedModel:
        """Check every file and give the model. Raises ModelError."""
        encoder_classifier.need_torch()
        if hashlib.sha256(stored.payload).hexdigest() != stored.sha256:
            raise ModelError(
                "The stored relevance model is damaged: its bytes do not match its hash."
            )
        about = described(stored.payload)
        version = self.folder / version_name(stored.payload)
        weights.check(version, about.files)
        return FineTunedModel(about, stored.payload, version, self.device)

    def _trained(
        self, labels: Sequence[Label], counts: tuple[int, int], now: datetime, device: str
    ) -> FineTunedModel:
        import torch

        part = weights.begin(self.folder)
        try:
            # Fresh weights and dropout come from torch's own chance: seeded here, and given back.
            with torch.random.fork_rng(devices=[0] if device == "cuda" else []):
                torch.manual_seed(self.recipe.seed)
                about = self._fitted(labels, counts, now, device, part)
            payload = packed(about)
            weights.finish(part, version_name(payload), payload)
        finally:
            weights.abandon(part)
        folder = self.folder / version_name(payload)
        return FineTunedModel(about, payload, folder, self.device)

    def _fitted(
        self,
        labels: Sequence[Label],
        counts: tuple[int, int],
        now: datetime,
        device: str,
        part: Path,
    ) -> Description:
        recipe = self.recipe
        network = encoder_classifier.load_base(
            self.base_model, self.base_revision, device, recipe.tokens
        )
        truth = np.array([one.positive for one in labels], np.float64)
        evidence = np.array([one.weight for one in labels], np.float64)
        rows = network.tokens([one.article for one in labels])
        kept, held = split(truth, recipe)
        judge = _lesson(rows, truth, evidence, held)
        outcome = fine_tune(network, _lesson(rows, truth, evidence, kept), judge, recipe, part)
        network.tokenizer.save_pretrained(part)
        line = calibrate(outcome.logits, judge.truth, evidence[held], usual(outcome.logits))
        return Description(
            base_model=self.base_model,
            base_revision=self.base_revision or network.revision,
            tokens=recipe.tokens,
            slope=float(line.weights[0]),
            bias=line.bias,
            positives=counts[0],
            negatives=counts[1],
            metrics=(
                *held_out_figures(line.logits(outcome.logits[:, None]), judge.truth),
                ("average_precision", outcome.average_precision),
                ("best_epoch", float(outcome.epoch)),
            ),
            trained=now,
            files=weights.hashed(part),
        )


def _lesson(
    rows: Sequence[Sequence[int]], truth: Floats, evidence: Floats, places: NDArray[np.intp]
) -> Lesson:
    """Some rows, both classes weighing the same."""
    fair = balanced(truth[places], evidence[places])
    return Lesson([rows[place] for place in places], truth[places], fair)


def _newest(labels: Sequence[Label]) -> list[Label]:
    """As many of the newest of each class as the rarer one has, in the order given."""
    sides: dict[bool, list[int]] = {True: [], False: []}
    for place in sorted(range(len(labels)), key=lambda place: (labels[place].at, place)):
        sides[labels[place].positive].append(place)
    most = min(map(len, sides.values()))
    return [labels[place] for place in sorted(sides[True][-most:] + sides[False][-most:])]


# What the database keeps of a fine-tuned model: a description with the hash of every weight file.
# JSON, checked when read. Loads no weights and touches no disk.

VERSION = "modernbert@1"


@dataclass(frozen=True, slots=True)
class Description:
    """All there is to know of a version but its weights; what the database keeps, as JSON."""

    base_model: str
    base_revision: str
    tokens: int
    slope: float  # of the calibration: log odds of a like = slope * logit + bias
    bias: float
    positives: int
    negatives: int
    metrics: tuple[tuple[str, float], ...]
    trained: datetime
    files: Mapping[str, weights.KeptFile]


def version_name(payload: bytes) -> str:
    """The folder of a version, and the end of its model's id."""
    return hashlib.sha256(payload).hexdigest()[:12]


def packed(about: Description) -> bytes:
    fields = asdict(about) | {"version": VERSION, "trained": about.trained.isoformat()}
    return json.dumps(fields, separators=(",", ":"), sort_keys=True).encode()


def described(payload: bytes) -> Description:
    """A description from its bytes. Raises ModelError."""
    return taken_apart(payload, _unpacked)


def _unpacked(fields: Mapping[str, Any]) -> Description:
    if fields["version"] != VERSION:
        raise ValueError(f"version {fields['version']!r}")
    files = {
        str(name): weights.KeptFile(str(kept["sha256"]), int(kept["bytes"]))
        for name, kept in fields["files"].items()
    }
    if any(Path(name).name != name for name in files):
        raise ValueError("a file outside its folder")
    about = Description(
        base_model=str(fields["base_model"]),
        base_revision=str(fields["base_revision"]),
        tokens=int(fields["tokens"]),
        slope=float(fields["slope"]),
        bias=float(fields["bias"]),
        positives=int(fields["positives"]),
        negatives=int(fields["negatives"]),
        metrics=tuple((str(name), float(value)) for name, value in fields["metrics"]),
        trained=datetime.fromisoformat(fields["trained"]),
        files=files,
    )
    if not (math.isfinite(about.slope) and math.isfinite(about.bias) and about.tokens > 0):
        raise ValueError("a calibration that is no finite numbers")
    return about
