"""Train the shipped finder of names and write it into the package.

    python lab/scripts/train_entities.py --gold DIR                  # from labels of people
    python lab/scripts/label_entities.py --gold DIR --out FILE       # the teacher labels news
    python lab/scripts/train_entities.py --gold DIR --taught FILE [--check]
    python lab/scripts/train_entities.py --judge

The third trains on both and writes into the package; `--check` compares instead of writing.
`--judge` only scores the shipped one on what is held out of training, in each case. The same data
give the same bytes on one machine.
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
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import pycrfsuite

import newsloom
from entity_sets import COPIES, Text, default_folder, held_out, recased, taught, training
from entity_wires import WIRES, Wires
from newsloom.text import entity_model
from newsloom.text.entity_features import Chances, Features
from newsloom.text.entity_words import Lexicon, parse_lexicon
from newsloom_lab.evaluate.conll import Document, Sentence
from newsloom_lab.evaluate.entities import run

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
# With what the teacher has labelled: rarer features are its slips.
STUDENT = {**SETTINGS, "feature.minfreq": 4}
GOLD_WORDS, GOLD_CHANCES, GOLD_WEIGHTS = "words.tsv", "chances.json", "gold.crf"

STEP = 1 / 32  # of a weight
_FEATURE = np.dtype([("kind", "<u4"), ("from", "<u4"), ("to", "<u4"), ("weight", "<f8")])


def main() -> int:
    """Train, then write or compare; or judge."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=default_folder())
    parser.add_argument("--gold", type=Path)
    parser.add_argument("--taught", type=Path)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--judge", action="store_true")
    chosen = parser.parse_args()
    if chosen.judge:
        return _judge(chosen.data)
    if chosen.gold is None:
        parser.error("--gold is needed")
    texts = training(chosen.data)
    if chosen.taught is None:
        return _gold(chosen.gold, texts)
    lexicon, chances = kept(chosen.gold)
    texts += [*Wires(texts).made(WIRES), *taught(chosen.taught)]
    weights = _rounded(_trained(Features(lexicon, chances), [*texts, *recased(texts)], STUDENT))
    packed = {
        entity_model.WEIGHTS: lzma.compress(weights, preset=9),
        entity_model.WORDS: lzma.compress((chosen.gold / GOLD_WORDS).read_bytes(), preset=9),
    }
    if chosen.check:
        same = all((PLACE / name).read_bytes() == content for name, content in packed.items())
        print("the same bytes" if same else "other bytes")
        return int(not same)
    _write(packed)
    return 0


def _gold(folder: Path, texts: Sequence[Text]) -> int:
    """What only labels of people teach: the lexicon, and the CRF that teaches with the head."""
    from entity_lexicon import learn

    folder.mkdir(parents=True, exist_ok=True)
    learned = learn(PACKAGE / "models" / "data", texts)
    (folder / GOLD_WORDS).write_bytes("\n".join(learned.lines).encode())
    (folder / GOLD_CHANCES).write_text(json.dumps(learned.chances))
    lexicon, chances = kept(folder)
    texts = [*texts, *Wires(texts).made(WIRES)]
    weights = _trained(Features(lexicon, chances), [*texts, *recased(texts)], SETTINGS)
    (folder / GOLD_WEIGHTS).write_bytes(weights)
    return 0


def kept(folder: Path) -> tuple[Lexicon, Chances]:
    """The lexicon of --gold, and the chances of words in training: theirs come from folds."""
    lexicon = parse_lexicon((folder / GOLD_WORDS).read_text("utf-8").splitlines())
    known = json.loads((folder / GOLD_CHANCES).read_text("utf-8"))

    def chances(word: str) -> tuple[float, ...] | None:
        found = known.get(word)
        return tuple(found) if found else lexicon.chances(word)

    return lexicon, chances


def _trained(
    features: Features, texts: Iterable[Text], settings: Mapping[str, float]
) -> bytes:
    trainer = pycrfsuite.Trainer(algorithm="lbfgs", verbose=False)
    tokens = 0
    for text in texts:
        words = [[word for word, _ in sentence] for sentence in text.sentences]
        rows = features.document(words, tweets=text.tweets)
        for row, sentence in zip(rows, text.sentences, strict=True):
            if sentence and sentence[0][1]:  # has labels
                trainer.append(row, [label for _, label in sentence])
                tokens += len(sentence)
    trainer.set_params(dict(settings))
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


def _write(packed: dict[str, bytes]) -> None:
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
