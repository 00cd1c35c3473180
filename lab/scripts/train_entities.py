"""Train the shipped finder of names and write it into the package.

    python lab/scripts/train_entities.py [--data DIR] [--check] [--judge]

`--check` trains and compares instead of writing; `--judge` only scores the shipped one on what is
held out of training, in each case. The same data give the same bytes on one machine.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import lzma
import struct
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pycrfsuite

import newsloom
from entity_sets import COPIES, Text, default_folder, held_out, recased, training
from entity_wires import WIRES, Wires
from newsloom.articles.entities import model as entity_model
from newsloom.articles.entities.features import Features, parse_lexicon
from newsloom_lab.evaluate.conll import Document, Sentence
from newsloom_lab.evaluate.entities import run

if TYPE_CHECKING:
    from entity_lexicon import Learned

PACKAGE = Path(newsloom.__file__).parent
PLACE = PACKAGE / "text" / "data"
VERSION = "names-crf@2"
# Few steps are the better half of the regularisation: with 150 every held-out set but one lost.
SETTINGS = {
    "c1": 0.1,
    "c2": 0.01,
    "max_iterations": 60,
    "feature.minfreq": 2,
    "feature.possible_transitions": False,
}

STEP = 1 / 32  # of a weight
_FEATURE = np.dtype([("kind", "<u4"), ("from", "<u4"), ("to", "<u4"), ("weight", "<f8")])


def main() -> int:
    """Train, then write or compare; or judge."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=default_folder())
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--judge", action="store_true")
    chosen = parser.parse_args()
    if chosen.judge:
        return _judge(chosen.data)
    from entity_lexicon import learn

    texts = training(chosen.data)
    packed = trained(texts, learn(PACKAGE / "models" / "data", texts))
    if chosen.check:
        same = all((PLACE / name).read_bytes() == content for name, content in packed.items())
        print("the same bytes" if same else "other bytes")
        return int(not same)
    write(packed)
    return 0


def trained(gold: Sequence[Text], learned: Learned) -> dict[str, bytes]:
    """The two files of the package; of made-up lines the lexicon learns nothing."""
    lexicon = parse_lexicon(learned.lines)

    def chances(word: str) -> tuple[float, ...] | None:
        return learned.chances.get(word) or lexicon.chances(word)

    texts = [*gold, *Wires(gold).made(WIRES)]
    weights = _rounded(_trained(Features(lexicon, chances), chain(texts, recased(texts))))
    return {
        entity_model.WEIGHTS: lzma.compress(weights, preset=9),
        entity_model.WORDS: lzma.compress("\n".join(learned.lines).encode(), preset=9),
    }


def _trained(features: Features, texts: Iterable[Text]) -> bytes:
    trainer = pycrfsuite.Trainer(algorithm="lbfgs", verbose=False)
    tokens = 0
    for text in texts:
        words = [[word for word, _ in sentence] for sentence in text.sentences]
        rows = features.document(words, tweets=text.tweets)
        for row, sentence in zip(rows, text.sentences, strict=True):
            trainer.append(row, [label for _, label in sentence])
            tokens += len(sentence)
    trainer.set_params(SETTINGS)
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "entities.crf"
        trainer.train(str(path))
        weights = path.read_bytes()
    print(f"{tokens:,} tokens in {time.monotonic() - began:.0f} s, {len(weights):,} bytes")
    return weights


def _rounded(model: bytes) -> bytes:
    """The same model with weights in whole STEPs: a third smaller when packed, as good."""
    head = struct.unpack_from("<4sI4sIIIIIIIII", model)
    start = head[7]  # of the weights, in CRFsuite's own format
    name, _, count = struct.unpack_from("<4sII", model, start)
    if head[0] != b"lCRF" or name != b"FEAT":
        raise SystemExit("CRFsuite writes another format now.")
    rows = np.frombuffer(model, _FEATURE, count, start + 12).copy()
    rows["weight"] = np.round(rows["weight"] / STEP) * STEP
    end = start + 12 + rows.nbytes
    return model[: start + 12] + rows.tobytes() + model[end:]


def write(packed: dict[str, bytes]) -> None:
    PLACE.mkdir(exist_ok=True)
    for name, content in packed.items():
        (PLACE / name).write_bytes(content)
    manifest = {
        "version": VERSION,
        "source": "lab/scripts/train_entities.py; the sets and their licences are in NOTICE",
        "files": {
            name: {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}
            for name, content in packed.items()
        },
    }
    (PLACE / entity_model.MANIFEST).write_text(json.dumps(manifest, indent=2) + "\n")
    print(json.dumps(manifest["files"], indent=2))


def _judge(data: Path) -> int:
    """F1 by set and case."""
    shipped = entity_model.shipped()
    print(shipped.model_id)
    for name, documents in held_out(data):
        plain = run(shipped, documents)
        kinds = "  ".join(f"{one.kind} {one.f1:.3f}" for one in plain.kinds)
        cased = "  ".join(f"{case} {run(shipped, one).f1:.3f}" for case, one in _cases(documents))
        print(f"{name}: {plain.f1:.3f} ({kinds}); {cased}; {plain.tokens_per_second:,.0f} tokens/s")
    return 0


def _cases(documents: Sequence[Document]) -> Iterator[tuple[str, tuple[Document, ...]]]:
    for case, change, _ in COPIES:
        yield (
            case,
            tuple(tuple(_changed(one, change) for one in document) for document in documents),
        )


def _changed(sentence: Sentence, change: Callable[[str], str]) -> Sentence:
    return Sentence(tuple(map(change, sentence.tokens)), sentence.names)


if __name__ == "__main__":
    sys.exit(main())
