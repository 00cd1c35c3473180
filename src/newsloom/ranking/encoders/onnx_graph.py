"""A BERT encoder as an ONNX file, from its arrays. Needs numpy alone: the file is written field by
field (protobuf), since the package `onnx` is needed for nothing else here.

Input `ids`: token ids, int64, (texts, tokens), every text of a batch of the same length, so there
is no padding and no mask. Output `vectors`: unit length. Matrices are int8 of 7 bits and each
token's row is quantised by itself, as in the shipped encoder (docs/work/decisions/ranking.md).
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
# Matrices (outputs, inputs) and vectors by their BERT names: "encoder.layer.0.output.dense.bias".
Weights = Mapping[str, Array]

WEIGHT_STEPS, ROW_STEPS = 63, 127
MICROSOFT = "com.microsoft"
# INT4 tensors came with operator set 21.
OPSET, IR_VERSION = 21, 10

_FLOAT, _INT4 = 1, 22
_KINDS = {"float32": _FLOAT, "uint8": 2, "int8": 3, "int64": 7, "float16": 10}
_IS_FLOAT, _IS_INT, _IS_INTS = 1, 2, 7  # of an attribute


@dataclass(frozen=True, slots=True)
class WordTable:
    """Word vectors of 4 bits: pairs of numbers in a byte, a half-precision scale for each block."""

    rows: int
    packed: Array  # uint8, (rows, width / 2); the first number of a pair in the low bits, signed
    scales: Array  # float16, (rows, width / block)
    block: int


@dataclass(frozen=True, slots=True)
class Shape:
    """Sizes of an encoder."""

    layers: int
    heads: int
    width: int
    tokens: int  # of the longest text
    epsilon: float


def encoder_graph(
    name: str, shape: Shape, words: WordTable, weights: Weights, centre: Array | None
) -> list[bytes]:
    """The file in pieces: in one it would take 76 MB more. `centre` is taken from each unit vector,
    and the rest brought to unit length."""
    graph = _Graph(shape, weights)
    rows = graph.embeddings(words)
    for layer in range(shape.layers):
        rows = graph.layer(f"encoder.layer.{layer}.", rows)
    back = graph.op("Concat", ["any", "length", graph.ints("width", [shape.width])], axis=0)
    pooled = graph.op("Reshape", [rows, back])
    mean = graph.op("ReduceMean", [pooled, graph.ints("tokens_axis", [1])], keepdims=0)
    if centre is not None:
        unit = graph.op("LpNormalization", [mean], axis=-1, p=2)
        mean = graph.op("Sub", [unit, graph.floats("centre", centre)])
    graph.op("LpNormalization", [mean], output="vectors", axis=-1, p=2)
    return graph.file(name)


class _Graph:
    """Nodes and constants as they are added."""

    def __init__(self, shape: Shape, weights: Weights) -> None:
        self._shape = shape
        self._weights = weights
        self._nodes: list[bytes] = []
        self._constants: dict[str, list[bytes]] = {}
        self.op("Shape", ["ids"], output="length", start=1, end=2)
        by_head = self.ints("by_head", [shape.heads, shape.width // shape.heads])
        parts = [self.ints("any", [-1]), "length", by_head]
        self.op("Concat", parts, output="heads_shape", axis=0)

    def op(
        self, kind: str, inputs: Sequence[str], *, output: str = "", domain: str = "", **facts: Any
    ) -> str:
        """Add a node; the name of its only output."""
        name = output or f"{kind}_{len(self._nodes)}"
        node = b"".join(_field(1, one) for one in inputs) + _field(2, name) + _field(4, kind)
        node += b"".join(_field(5, _attribute(key, value)) for key, value in facts.items())
        self._nodes.append(node + _field(7, domain) if domain else node)
        return name

    def constant(self, name: str, value: Array) -> str:
        array = np.ascontiguousarray(value)
        kind = _KINDS[array.dtype.name]
        return self._held(name, kind, array.shape, array.astype(array.dtype.newbyteorder("<")))

    def ints(self, name: str, values: Sequence[int]) -> str:
        return self.constant(name, np.array(values, np.int64))

    def floats(self, name: str, value: Array) -> str:
        return self.constant(name, np.asarray(value, np.float32))

    def embeddings(self, words: WordTable) -> str:
        """Word, position and segment, normalised: one row per token of the batch."""
        table = self._held("words", _INT4, (words.rows, self._shape.width), words.packed)
        found = self.op(
            "GatherBlockQuantized",
            [table, "ids", self.constant("words.scales", words.scales)],
            domain=MICROSOFT,
            block_size=words.block,
            gather_axis=0,
            quantize_axis=1,
        )
        found = self.op("Cast", [found], to=_FLOAT)
        # Every text is one segment, so its vector is part of the positions.
        segment = self._weights["embeddings.token_type_embeddings"][0]
        places = self._weights["embeddings.position_embeddings"][: self._shape.tokens] + segment
        start = self.ints("start", [0])
        where = self.op("Slice", [self.floats("places", places), start, "length", start])
        flat = self.ints("flat", [-1, self._shape.width])
        return self._norm(
            self.op("Reshape", [self.op("Add", [found, where]), flat]), "embeddings.LayerNorm"
        )

    def layer(self, name: str, rows: str) -> str:
        """Attention and feed-forward, each added to its input and normalised."""
        mixed = self._attention(f"{name}attention.", rows)
        rows = self._norm(self.op("Add", [mixed, rows]), f"{name}attention.output.LayerNorm")
        wide = self._dense(f"{name}intermediate.dense", self._quantised(rows))
        narrow = self._dense(f"{name}output.dense", self._quantised(self.op("Gelu", [wide])))
        return self._norm(self.op("Add", [narrow, rows]), f"{name}output.LayerNorm")

    def _attention(self, name: str, rows: str) -> str:
        inputs = self._quantised(rows)

        def heads(part: str, order: Sequence[int], factor: float = 1.0) -> str:
            made = self._dense(f"{name}self.{part}", inputs, factor)
            return self.op(
                "Transpose", [self.op("Reshape", [made, "heads_shape"])], perm=list(order)
            )

        # The softmax's divisor, paid here.
        query = heads("query", (0, 2, 1, 3), (self._shape.width // self._shape.heads) ** -0.5)
        key = heads("key", (0, 2, 3, 1))
        value = heads("value", (0, 2, 1, 3))
        share = self.op("Softmax", [self.op("MatMul", [query, key])], axis=-1)
        seen = self.op("Transpose", [self.op("MatMul", [share, value])], perm=[0, 2, 1, 3])
        seen = self.op("Reshape", [seen, "flat"])
        return self._dense(f"{name}output.dense", self._quantised(seen))

    def _quantised(self, rows: str) -> tuple[str, str]:
        """Rows as integers, and the scale of each."""
        axis = self.ints("columns_axis", [1])
        top = self.op("ReduceMax", [rows, axis], keepdims=0)
        bottom = self.op("Neg", [self.op("ReduceMin", [rows, axis], keepdims=0)])
        # A row of zeros would have no scale.
        largest = self.op("Max", [top, bottom, self.floats("tiny", np.array(1e-12))])
        scale = self.op("Mul", [largest, self.floats("step", np.array(1 / ROW_STEPS))])
        middle = self.constant("middle", np.array(128, np.uint8))
        middles = self.op("Expand", [middle, self.op("Shape", [scale])])
        quantised = self.op("QuantizeLinear", [rows, scale, middles], axis=0)
        return quantised, self.op("Unsqueeze", [scale, axis])

    def _dense(self, name: str, rows: tuple[str, str], factor: float = 1.0) -> str:
        """rows @ weight.T + bias, both times the factor."""
        columns = self._weights[f"{name}.weight"].T * np.float32(factor)
        scale = np.abs(columns).max(axis=0) / np.float32(WEIGHT_STEPS)
        steps = np.rint(columns / scale).astype(np.int8)
        inputs = [
            rows[0],
            self.constant(f"{name}.int8", steps),
            self.floats("one", np.array(1)),
            self.floats(f"{name}.scale", scale),
            "middle",
        ]
        product = self.op("MatMulIntegerToFloat", inputs, domain=MICROSOFT)
        bias = self.floats(f"{name}.bias", self._weights[f"{name}.bias"] * np.float32(factor))
        return self.op("Add", [self.op("Mul", [product, rows[1]]), bias])

    def _norm(self, rows: str, name: str) -> str:
        gain = self.floats(f"{name}.weight", self._weights[f"{name}.weight"])
        shift = self.floats(f"{name}.bias", self._weights[f"{name}.bias"])
        return self.op(
            "LayerNormalization", [rows, gain, shift], axis=-1, epsilon=self._shape.epsilon
        )

    def _held(self, name: str, kind: int, shape: Sequence[int], values: Array) -> str:
        head = b"".join(_field(1, one) for one in shape) + _field(2, kind) + _field(8, name)
        self._constants[name] = [head, *_message(9, [values.tobytes()])]
        return name

    def file(self, name: str) -> list[bytes]:
        graph = [_field(1, node) for node in self._nodes]
        graph.append(_field(2, name))
        for one in self._constants.values():
            graph += _message(5, one)
        graph.append(_field(11, _tensor_type("ids", _KINDS["int64"], "texts", "tokens")))
        graph.append(_field(12, _tensor_type("vectors", _FLOAT, "texts", self._shape.width)))
        sets = _field(8, _field(1, "") + _field(2, OPSET))
        sets += _field(8, _field(1, MICROSOFT) + _field(2, 1))
        head = _field(1, IR_VERSION) + _field(2, "newsloom")
        return [head, *_message(7, graph), sets]


def _attribute(name: str, value: int | float | list[int]) -> bytes:
    head = _field(1, name)
    if isinstance(value, float):
        return head + _varint(2 << 3 | 5) + struct.pack("<f", value) + _field(20, _IS_FLOAT)
    if isinstance(value, int):
        return head + _field(3, value) + _field(20, _IS_INT)
    return head + b"".join(_field(8, one) for one in value) + _field(20, _IS_INTS)


def _tensor_type(name: str, kind: int, *shape: str | int) -> bytes:
    dims = b"".join(_field(1, _field(2 if isinstance(one, str) else 1, one)) for one in shape)
    return _field(1, name) + _field(2, _field(1, _field(1, kind) + _field(2, dims)))


def _message(number: int, pieces: list[bytes]) -> list[bytes]:
    """A field of bytes, without joining them."""
    return [_varint(number << 3 | 2) + _varint(sum(map(len, pieces))), *pieces]


def _field(number: int, value: int | bytes | str) -> bytes:
    if isinstance(value, int):
        return _varint(number << 3) + _varint(value)
    raw = value.encode() if isinstance(value, str) else value
    return _varint(number << 3 | 2) + _varint(len(raw)) + raw


def _varint(value: int) -> bytes:
    value &= (1 << 64) - 1  # negative numbers as protobuf writes them
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes((*out, value))
