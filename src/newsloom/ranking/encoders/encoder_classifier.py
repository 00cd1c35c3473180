"""A Hugging Face encoder with one output, loaded quietly and run in bounded batches.

The only module that imports torch and transformers, and only when asked to. Weights come as
safetensors, code never comes with them.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from newsloom.kernel.errors import ModelError
from newsloom.kernel.extras import require
from newsloom.ranking.learning.calibration import average_precision
from newsloom.ranking.learning.lbfgs import Floats
from newsloom.ranking.values.models import ArticleText

log = logging.getLogger(__name__)

# 512 tokens of English are some 2,300 characters, of Chinese some 700.
MAX_CHARACTERS = 4_000

# Tokens under way at once when a GPU scores: 16 texts of 512, under 1 GB for ModernBERT-base.
BATCH_TOKENS = 8_192

# A processor takes one text at a time. Sums of floats differ in the last bit with the shape of the
# batch, and calibration multiplies that: by 6 to 26 for small random ModernBERTs, by 1,000 for a
# BERT that learned little, whose scores differed by 9e-4 of 100 points with their company. Batches
# filled up to one fixed shape differed by nothing, but no library promises that. It costs 1.35
# times the processor time on titles with texts, 1.85 times on titles alone (ModernBERT-base).
ALONE = 1

Result = TypeVar("Result")


def need_torch() -> None:
    """Raises ModelError with the line that installs what is missing."""
    require("fine-tuning", "The modernbert trainer", ModelError)


def transformers() -> Any:
    """The library, told to be quiet and to tell nobody."""
    need_torch()
    # Read when the libraries are imported: no report of use, no request to convert old weights.
    os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"
    os.environ["DISABLE_SAFETENSORS_CONVERSION"] = "1"
    import transformers as library

    library.utils.logging.set_verbosity_error()
    library.utils.logging.disable_progress_bar()
    return library


def devices_for(wanted: str) -> tuple[str, ...]:
    """Where to compute, best first; `auto` is the GPU where there is one, then the processor.

    Raises ModelError for a GPU that was named and is not there.
    """
    need_torch()
    import torch

    if wanted == "cpu":
        return ("cpu",)
    if torch.cuda.is_available():
        return ("cuda",) if wanted == "cuda" else ("cuda", "cpu")
    if wanted == "cuda":
        raise ModelError("training.device is cuda, but torch finds no GPU.")
    return ("cpu",)


def first_that_works(devices: Sequence[str], act: Callable[[str], Result]) -> Result:
    """What `act` gives on the first device that does not fail under it. Raises ModelError."""
    for device, next_one in zip(devices, (*devices[1:], ""), strict=True):
        try:
            return act(device)
        except RuntimeError as error:  # torch's own: out of memory, a device lost
            if not next_one:
                raise ModelError(f"Fine-tuning on {device} failed: {error!s:.200}") from error
            log.warning("%s failed, training begins again on %s: %.200s", device, next_one, error)
    raise ModelError("No device is available.")


@dataclass(slots=True, eq=False)
class Classifier:
    """Tokenizer and network on one device."""

    network: Any
    tokenizer: Any
    device: str
    most_tokens: int
    revision: str = ""  # the commit the weights came from, when a hub gave them

    def tokens(self, articles: Sequence[ArticleText]) -> list[list[int]]:
        """Token ids of title and text, cut; never empty."""
        texts = [readable(one) for one in articles]
        if not texts:
            return []
        rows = self.tokenizer(texts, truncation=True, max_length=self.most_tokens)["input_ids"]
        return [row or [self.padding] for row in rows]

    @property
    def padding(self) -> int:
        return int(self.tokenizer.pad_token_id or 0)

    def logits(self, rows: Sequence[Sequence[int]]) -> NDArray[np.float64]:
        """One number a row. Goes on on the processor when the GPU cannot."""
        try:
            return self._logits(rows)
        except RuntimeError as error:  # torch's own, out of memory and lost devices included
            if self.device == "cpu":
                raise ModelError(f"The fine-tuned model cannot run: {error!s:.200}") from error
            log.warning("the GPU failed, the processor goes on: %.200s", error)
        self.to("cpu")
        return self.logits(rows)

    def to(self, device: str) -> None:
        """Move the network."""
        self.network.to(device)
        self.device = device

    def _logits(self, rows: Sequence[Sequence[int]]) -> NDArray[np.float64]:
        import torch

        self.network.eval()
        result = np.empty(len(rows))
        with torch.inference_mode():
            most = ALONE if self.device == "cpu" else BATCH_TOKENS
            for places in _batches([len(row) for row in rows], most):
                ids = torch.tensor([list(rows[place]) for place in places], device=self.device)
                found = self.network(input_ids=ids, attention_mask=torch.ones_like(ids)).logits
                result[places] = found[:, 0].double().cpu().numpy()
        if not np.isfinite(result).all():
            raise ModelError("The fine-tuned model returned an invalid number for a text.")
        return result


def readable(article: ArticleText) -> str:
    """What the encoder is given of an article."""
    joined = f"{article.title}\n{article.text}".strip()[:MAX_CHARACTERS]
    return joined.encode("utf-8", "replace").decode()  # a lone surrogate is no text


def load_base(name: str, revision: str, device: str, most_tokens: int) -> Classifier:
    """A published encoder, by its name on the hub or its folder, with a fresh output."""
    folder = Path(name).expanduser()
    name = str(folder) if folder.is_dir() else name
    # Its own classes, if it was published with some, are not ours.
    return _load(name, device, most_tokens, revision=revision or None, ignore_mismatched_sizes=True)


def load_folder(folder: Path, device: str, most_tokens: int) -> Classifier:
    """A network trained here. Looks nowhere but in the folder, whose files are checked."""
    return _load(str(folder), device, most_tokens, local_files_only=True)


def _load(name: str, device: str, most_tokens: int, **more: Any) -> Classifier:
    library = transformers()
    import torch

    with _loading(name):
        tokenizer = library.AutoTokenizer.from_pretrained(
            name,
            trust_remote_code=False,
            **{key: value for key, value in more.items() if key != "ignore_mismatched_sizes"},
        )
        network = library.AutoModelForSequenceClassification.from_pretrained(
            name,
            num_labels=1,
            dtype=torch.float32,
            use_safetensors=True,
            trust_remote_code=False,
            **more,
        )
        network.to(device)
    places = int(getattr(network.config, "max_position_embeddings", most_tokens) or most_tokens)
    most = min(most_tokens, places, int(tokenizer.model_max_length))
    revision = str(getattr(network.config, "_commit_hash", "") or "")
    return Classifier(network, tokenizer, device, most, revision)


@contextmanager
def _loading(name: str) -> Iterator[None]:
    """What the libraries raise while a model is read, as one error."""
    try:
        yield
    except (OSError, ValueError, RuntimeError, KeyError, ImportError, TypeError) as error:
        raise ModelError(f"The model {name} cannot be loaded: {error!s:.300}") from error


def _batches(lengths: Sequence[int], most: int) -> Iterator[NDArray[np.intp]]:
    """Places of rows of equal length, so that nothing is padded: as many as have so many tokens
    together, or one."""
    array = np.array(lengths, np.intp)
    order = np.argsort(-array, kind="stable")
    edges = np.flatnonzero(np.diff(array[order])) + 1
    for group in np.split(order, edges) if len(order) else ():
        size = max(1, most // int(array[group[0]]))
        for start in range(0, len(group), size):
            yield group[start : start + size]


# The training loop of a Hugging Face encoder: epochs, batches, the best moment kept. Needs torch.
# Our own loop and not the library's Trainer: that one wants accelerate, writes folders of optimiser
# states, and takes its seed, devices and reports from the environment; what is left of it here is
# forty lines that a test can hold to account. See docs/work/decisions/ranking.md.

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

    # Matrices decay; biases and the scales of norms do not.
    trained = [one for one in model.network.parameters() if one.requires_grad]
    groups = [
        {"params": [one for one in trained if one.ndim >= 2], "weight_decay": recipe.decay},
        {"params": [one for one in trained if one.ndim < 2], "weight_decay": 0.0},
    ]
    optimizer = torch.optim.AdamW(groups, lr=recipe.rate)
    order = np.random.default_rng(recipe.seed)
    steps = recipe.epochs * -(-len(learn.rows) // recipe.batch)
    step = 0
    best: Outcome | None = None
    for epoch in range(1, recipe.epochs + 1):
        model.network.train()
        for batch in _training_batches(order.permutation(len(learn.rows)), recipe.batch):
            for group in optimizer.param_groups:
                group["lr"] = recipe.rate * (1.0 - step / steps)
            optimizer.zero_grad(set_to_none=True)
            for part in _training_batches(batch, MICRO_BATCH):
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


def _training_batches(places: NDArray[np.intp], size: int) -> Iterator[NDArray[np.intp]]:
    for start in range(0, len(places), size):
        yield places[start : start + size]
