"""A tiny package of Argos Translate: random weights of CTranslate2, pieces of SentencePiece.

Its answers are words without sense, always the same ones.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

WORDS = (
    "The river rose overnight and three hundred people left their homes. "
    "Der Fluss stieg über Nacht und dreihundert Menschen verließen ihre Häuser. "
    "The bank said it would pay 1.5 million euros for 340 new buses in the city of Lyon."
)
WIDTH, HEADS = 16, 2


def put(folder: Path, source: str = "en", target: str = "de", **more: Any) -> Path:
    """A package there, its metadata with these further fields."""
    import ctranslate2
    import numpy as np
    import sentencepiece

    package = folder / f"translate-{source}_{target}-1_0"
    package.mkdir(parents=True)
    said = {"type": "translate", "from_code": source, "to_code": target} | more
    (package / "metadata.json").write_text(json.dumps(said))
    text = folder / "words.txt"
    text.write_text("\n".join([WORDS] * 20))
    sentencepiece.SentencePieceTrainer.train(
        input=str(text),
        model_prefix=str(package / "sentencepiece"),
        vocab_size=70,
        minloglevel=2,
    )
    text.unlink()
    pieces = sentencepiece.SentencePieceProcessor(model_file=str(package / "sentencepiece.model"))
    known = [pieces.id_to_piece(one) for one in range(pieces.get_piece_size())]
    specs = ctranslate2.specs
    model = specs.TransformerSpec.from_config(num_layers=1, num_heads=HEADS)
    chance = np.random.default_rng(7)

    for name, value in model.variables().items():
        if value is None:
            *path, last = name.split("/")
            shape = _shape(path, len(known))
            setattr(_at(model, path), last, chance.normal(0, 0.5, shape).astype(np.float32))
    model.register_source_vocabulary(known)
    model.register_target_vocabulary(known)
    model.validate()
    (package / "model").mkdir()
    model.save(str(package / "model"))
    return package


def _at(spec: Any, path: list[str]) -> Any:
    for one in path:
        name, _, number = one.rpartition("_")
        spec = getattr(spec, name)[int(number)] if not hasattr(spec, one) else getattr(spec, one)
    return spec


def _shape(path: list[str], words: int) -> tuple[int, ...]:
    """Of the weights of one layer, by what it is."""
    kind, where = path[-1], path[-2]
    if kind == "layer_norm":
        return (WIDTH,)
    if kind in ("projection", "embeddings", "embeddings_0"):
        return (words, WIDTH)
    rows = {
        ("self_attention", "linear_0"): 3,
        ("attention", "linear_1"): 2,
        ("ffn", "linear_0"): 4,
    }.get((where, kind), 1)
    columns = 4 if (where, kind) == ("ffn", "linear_1") else 1
    return (rows * WIDTH, columns * WIDTH)
