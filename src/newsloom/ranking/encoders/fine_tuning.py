"""The training loop of a Hugging Face encoder: epochs, batches, the best moment kept. Needs torch.

Our own loop and not the library's Trainer: that one wants accelerate, writes folders of optimiser
states, and takes its seed, devices and reports from the environment; what is left of it here is
forty lines that a test can hold to account. See docs/work/decisions/ranking.md.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from newsloom.ranking.encoders.encoder_classifier import Classifier
from newsloom.ranking.learning.calibration import average_precision
from newsloom.ranking.learning.lbfgs import Floats

log = logging.getLogger(__name__)

# Rows whose gradients are held at once; batches are sums of these. ModernBERT-base at 512 tokens
# keeps about 0.5 GB of activations a row.
MICRO_BATCH = 4

LONGEST_STEP = 1.0  # norm of a gradient; what the library's Trainer cuts at


@dataclass(frozen=True, slots=True)
class Recipe:
    """Seed 000's, from its code and blog."""

    tokens: int = 512
    epochs: int = 2
    batch: int = 16
    rate: float = 2e-5  # falls to nothing in a straight line
    decay: float = 0.01  # of matrices; biases and norms are left alone
    held_out: float = 0.2
    seed: int = 42


@dataclass(frozen=True, slots=True)
class Lesson:
    """Rows to learn from or be judged on."""

    rows: Sequence[Sequence[int]]  # token ids
    truth: Floats
    weights: Floats


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the best moment gave."""

    logits: NDArray[np.float64]  # of the rows held out
    epoch: int
    average_precision: float


def split(truth: Floats, recipe: Recipe) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Row numbers to learn from and to hold out: the same share of each class, by the seed."""
    order = np.random.default_rng(recipe.seed).permutation(len(truth))
    held = []
    for side in (0, 1):
        members = order[truth[order] == side]
        held.append(members[: max(1, round(recipe.held_out * len(members)))])
    chosen = np.sort(np.concatenate(held))
    return np.setdiff1d(np.arange(len(truth)), chosen), chosen


def fine_tune(
    model: Classifier, learn: Lesson, judge: Lesson, recipe: Recipe, best_into: Path
) -> Outcome:
    """Train in place. The weights of the best epoch are written to `best_into`."""
    import torch

    optimizer = torch.optim.AdamW(_groups(model.network, recipe), lr=recipe.rate)
    order = np.random.default_rng(recipe.seed)
    steps = recipe.epochs * -(-len(learn.rows) // recipe.batch)
    step = 0
    best: Outcome | None = None
    for epoch in range(1, recipe.epochs + 1):
        model.network.train()
        for batch in _batches(order.permutation(len(learn.rows)), recipe.batch):
            for group in optimizer.param_groups:
                group["lr"] = recipe.rate * (1.0 - step / steps)
            optimizer.zero_grad(set_to_none=True)
            for part in _batches(batch, MICRO_BATCH):
                (_loss(model, learn, part) / len(batch)).backward()
            torch.nn.utils.clip_grad_norm_(model.network.parameters(), LONGEST_STEP)
            optimizer.step()
            step += 1
        logits = model.logits(judge.rows)
        found = Outcome(logits, epoch, average_precision(judge.truth, logits))
        log.info("epoch %d: average precision %.3f held out", epoch, found.average_precision)
        if best is None or found.average_precision > best.average_precision:
            best = found
            model.network.save_pretrained(best_into)
    assert best is not None
    return best


def _loss(model: Classifier, lesson: Lesson, places: NDArray[np.intp]) -> Any:
    """The weighted log loss of some rows, summed."""
    import torch

    rows = [lesson.rows[place] for place in places]
    longest = max(len(row) for row in rows)
    ids = torch.full((len(rows), longest), model.padding)
    mask = torch.zeros_like(ids)
    for number, row in enumerate(rows):
        ids[number, : len(row)] = torch.tensor(list(row))
        mask[number, : len(row)] = 1
    device = model.device
    logits = model.network(input_ids=ids.to(device), attention_mask=mask.to(device)).logits[:, 0]
    truth = torch.tensor(lesson.truth[places], dtype=logits.dtype, device=device)
    weights = torch.tensor(lesson.weights[places], dtype=logits.dtype, device=device)
    return torch.nn.functional.binary_cross_entropy_with_logits(
        logits, truth, weights, reduction="sum"
    )


def _groups(network: Any, recipe: Recipe) -> list[dict[str, Any]]:
    """Matrices decay; biases and the scales of norms do not."""
    trained = [one for one in network.parameters() if one.requires_grad]
    return [
        {"params": [one for one in trained if one.ndim >= 2], "weight_decay": recipe.decay},
        {"params": [one for one in trained if one.ndim < 2], "weight_decay": 0.0},
    ]


def _batches(places: NDArray[np.intp], size: int) -> Iterator[NDArray[np.intp]]:
    for start in range(0, len(places), size):
        yield places[start : start + size]
