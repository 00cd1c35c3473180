"""Folders of sentence encoders made on the spot: a table of vectors as an ONNX graph, written byte
by byte (protobuf), with a tokenizer of words; and the shipped model as such a folder.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer, models, pre_tokenizers, processors

from newsloom.ranking.encoders.registry import SHIPPED

WORDS = ("[UNK]", "[CLS]", "[SEP]", "query", ":", "ship", "sails", "tax", "vote", "snow", "storm")
FLOAT, INT64 = 1, 7


def _number(value: int) -> bytes:
    out = b""
    while value > 0x7F:
        out += bytes([value & 0x7F | 0x80])
        value >>= 7
    return out + bytes([value])


def _field(number: int, value: int | bytes | str) -> bytes:
    if isinstance(value, int):
        return _number(number << 3) + _number(value)
    raw = value.encode() if isinstance(value, str) else value
    return _number(number << 3 | 2) + _number(len(raw)) + raw


def _value(name: str, kind: int, *shape: str | int) -> bytes:
    dims = b"".join(_field(1, _field(2 if isinstance(one, str) else 1, one)) for one in shape)
    return _field(1, name) + _field(2, _field(1, _field(1, kind) + _field(2, dims)))


def table_graph(table: np.ndarray, inputs: tuple[str, ...]) -> bytes:
    """last_hidden_state = table[input_ids]: a token's vector, whatever stands around it."""
    rows = table.astype("<f4")
    node = b"".join(
        (_field(1, "table"), _field(1, "input_ids"), _field(2, "last_hidden_state"))
    ) + _field(4, "Gather")
    held = b"".join(_field(1, one) for one in rows.shape)
    held += _field(2, FLOAT) + _field(8, "table") + _field(9, rows.tobytes())
    graph = _field(1, node) + _field(2, "table") + _field(5, held)
    for name in inputs:
        graph += _field(11, _value(name, INT64, "texts", "tokens"))
    graph += _field(12, _value("last_hidden_state", FLOAT, "texts", "tokens", rows.shape[1]))
    return _field(1, 8) + _field(8, _field(2, 17)) + _field(7, graph)


def word_encoder(
    folder: Path, pooling: str = "mean_tokens", dimensions: int = 8, seed: int = 3
) -> Path:
    """An encoder whose token vectors are random and known: `token_table(dimensions, seed)`."""
    (folder / "1_Pooling").mkdir(parents=True)
    (folder / "onnx").mkdir()
    inputs = ("input_ids", "attention_mask", "token_type_ids")
    graph = table_graph(token_table(dimensions, seed), inputs)
    (folder / "onnx" / "model.onnx").write_bytes(graph)
    words = {word: place for place, word in enumerate(WORDS)}
    made = Tokenizer(models.WordLevel(words, unk_token="[UNK]"))
    made.pre_tokenizer = pre_tokenizers.Whitespace()
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 1), ("[SEP]", 2)]
    )
    made.save(str(folder / "tokenizer.json"))
    _write(folder / "config.json", {"hidden_size": dimensions, "max_position_embeddings": 64})
    _write(folder / "sentence_bert_config.json", {"max_seq_length": 32})
    _write(
        folder / "1_Pooling" / "config.json",
        {"word_embedding_dimension": dimensions, f"pooling_mode_{pooling}": True},
    )
    kinds = (("Transformer", ""), ("Pooling", "1_Pooling"), ("Normalize", "2_Normalize"))
    _write(
        folder / "modules.json",
        [{"path": path, "type": f"sentence_transformers.models.{kind}"} for kind, path in kinds],
    )
    return folder


def token_table(dimensions: int = 8, seed: int = 3) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(len(WORDS), dimensions)).astype(np.float32)


def shipped_as_folder(folder: Path) -> Path:
    """The shipped int8 model, as someone else's folder."""
    folder.mkdir()
    graph = next(SHIPPED.glob("*.onnx"))
    shutil.copyfile(graph, folder / "model.onnx")
    shutil.copyfile(SHIPPED / "tokenizer.json", folder / "tokenizer.json")
    _write(folder / "config.json", {"hidden_size": 384, "max_position_embeddings": 512})
    _write(folder / "sentence_bert_config.json", {"max_seq_length": 256})
    return folder


def _write(path: Path, value: object) -> None:
    path.write_text(json.dumps(value))
