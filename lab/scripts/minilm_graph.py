"""The MiniLM encoder written out as an ONNX graph, in fp32 or int8. Pure: arrays in, a model out.

Input `ids`: token ids, int64, (texts, tokens), every text of a batch of the same length, so there
is no padding and no mask. Output `vectors`: the mean of the last layer's rows, unit length.

The int8 form quantises each weight column once and each token's row as it comes, both symmetric:

    x[i, :] = row_scale[i] * (q[i, :] - 128)         q: uint8, row_scale = max|x[i, :]| / 127
    w[:, j] = column_scale[j] * k[:, j]              k: int8 in -63..63

A row's scale depends on nothing but the row, so a text has the same vector in any company. Seven
bits of weight, not eight, keep the pairwise sums of x86 without VNNI (vpmaddubsw) inside 16 bits,
255 * 63 * 2 = 32,130, so that the integers are exact on every processor.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnx import ModelProto, TensorProto, helper, numpy_helper

Array = NDArray[Any]
Weights = Mapping[str, Array]

LAYERS, HEADS, HEAD, WIDTH = 6, 12, 32, 384
MAX_TOKENS = 256  # what the published model was trained and is configured for
EPSILON = 1e-12
WEIGHT_STEPS = 63
ROW_STEPS = 127

# Read by onnxruntime 1.17 and everything after it.
OPSET, IR_VERSION = 20, 9
MICROSOFT = "com.microsoft"


def build(weights: Weights, *, int8: bool) -> ModelProto:
    """The whole encoder."""
    graph = _Graph(int8=int8)
    rows = _embeddings(graph, weights)
    shape = graph.op(
        "Concat",
        [graph.ints("any", [-1]), _length(graph), graph.ints("by_head", [HEADS, HEAD])],
        axis=0,
    )
    for layer in range(LAYERS):
        rows = _layer(graph, weights, f"encoder.layer.{layer}.", rows, shape)
    back = graph.op("Concat", ["any", _length(graph), graph.ints("width", [WIDTH])], axis=0)
    mean = graph.op(
        "ReduceMean",
        [graph.op("Reshape", [rows, back]), graph.ints("tokens_axis", [1])],
        keepdims=0,
    )
    graph.op("LpNormalization", [mean], output="vectors", axis=-1, p=2)
    return graph.model()


class _Graph:
    """Nodes and constants as they are added. Knows how to multiply by a weight matrix."""

    def __init__(self, *, int8: bool) -> None:
        self.int8 = int8
        self.nodes: list[Any] = []
        self.constants: dict[str, Array] = {}

    def op(
        self,
        kind: str,
        inputs: Sequence[str],
        *,
        output: str = "",
        domain: str = "",
        **attributes: Any,
    ) -> str:
        """Add a node; the name of its only output."""
        name = output or f"{kind}_{len(self.nodes)}"
        self.nodes.append(
            helper.make_node(
                kind, inputs, [name], name=f"node_{len(self.nodes)}", domain=domain, **attributes
            )
        )
        return name

    def constant(self, name: str, value: Array) -> str:
        self.constants[name] = np.ascontiguousarray(value)
        return name

    def ints(self, name: str, values: Sequence[int]) -> str:
        return self.constant(name, np.array(values, np.int64))

    def floats(self, name: str, value: Array) -> str:
        return self.constant(name, np.asarray(value, np.float32))

    def activations(self, rows: str) -> tuple[str, ...]:
        """Rows made ready to be multiplied: themselves, or (quantised, scales)."""
        if not self.int8:
            return (rows,)
        axis = self.ints("columns_axis", [1])
        top = self.op("ReduceMax", [rows, axis], keepdims=0)
        bottom = self.op("Neg", [self.op("ReduceMin", [rows, axis], keepdims=0)])
        # A row of zeros would have no scale.
        largest = self.op("Max", [top, bottom, self.floats("tiny", np.array(1e-12))])
        scale = self.op("Mul", [largest, self.floats("step", np.array(1 / ROW_STEPS))])
        middle = self.op(
            "Expand",
            [self.constant("middle", np.array(128, np.uint8)), self.op("Shape", [scale])],
        )
        quantised = self.op("QuantizeLinear", [rows, scale, middle], axis=0)
        return quantised, self.op("Unsqueeze", [scale, axis])

    def linear(self, activations: tuple[str, ...], weight: Array, bias: Array, name: str) -> str:
        """rows @ weight.T + bias."""
        if self.int8:
            columns, scale = quantise(weight.T)
            product = self.op(
                "MatMulIntegerToFloat",
                [
                    activations[0], self.constant(f"{name}.int8", columns),
                    self.floats("one", np.array(1)), self.floats(f"{name}.scale", scale), "middle",
                ],
                domain=MICROSOFT,
            )  # fmt: skip
            product = self.op("Mul", [product, activations[1]])
        else:
            product = self.op("MatMul", [activations[0], self.floats(f"{name}.weight", weight.T)])
        return self.op("Add", [product, self.floats(f"{name}.bias", bias)])

    def norm(self, rows: str, weights: Weights, name: str) -> str:
        gain = self.floats(f"{name}.weight", weights[f"{name}.weight"])
        shift = self.floats(f"{name}.bias", weights[f"{name}.bias"])
        return self.op("LayerNormalization", [rows, gain, shift], axis=-1, epsilon=EPSILON)

    def model(self) -> ModelProto:
        graph = helper.make_graph(
            self.nodes,
            "all-MiniLM-L6-v2",
            [helper.make_tensor_value_info("ids", TensorProto.INT64, ["texts", "tokens"])],
            [helper.make_tensor_value_info("vectors", TensorProto.FLOAT, ["texts", WIDTH])],
            [numpy_helper.from_array(value, name) for name, value in self.constants.items()],
        )
        opsets = [helper.make_opsetid("", OPSET), helper.make_opsetid(MICROSOFT, 1)]
        return helper.make_model(
            graph, opset_imports=opsets, ir_version=IR_VERSION, producer_name="newsloom"
        )


def quantise(columns: Array) -> tuple[Array, Array]:
    """A weight matrix as int8 columns and the scale of each."""
    scale = np.abs(columns).max(axis=0) / np.float32(WEIGHT_STEPS)
    return np.rint(columns / scale).astype(np.int8), scale


def _length(graph: _Graph) -> str:
    return graph.op("Shape", ["ids"], start=1, end=2)


def _embeddings(graph: _Graph, weights: Weights) -> str:
    """Word, position and segment, normalised: one row per token of the batch."""
    name = "embeddings."
    words = weights[f"{name}word_embeddings.weight"]
    if graph.int8:  # half the file would be this table: a scale a word, and all eight bits
        scale = np.abs(words).max(axis=1, keepdims=True) / np.float32(ROW_STEPS)
        table = graph.constant("words.int8", np.rint(words / scale).astype(np.int8))
        found = graph.op("Cast", [graph.op("Gather", [table, "ids"])], to=TensorProto.FLOAT)
        scales = graph.op("Gather", [graph.floats("words.scale", scale), "ids"])
        found = graph.op("Mul", [found, scales])
    else:
        found = graph.op("Gather", [graph.floats("words", words), "ids"])
    # Every text is one segment, so its vector is part of the positions.
    where = weights[f"{name}position_embeddings.weight"][:MAX_TOKENS]
    places = graph.floats("places", where + weights[f"{name}token_type_embeddings.weight"][0])
    start = graph.ints("start", [0])
    found = graph.op("Add", [found, graph.op("Slice", [places, start, _length(graph), start])])
    flat = graph.op("Reshape", [found, graph.ints("flat", [-1, WIDTH])])
    return graph.norm(flat, weights, f"{name}LayerNorm")


def _layer(graph: _Graph, weights: Weights, name: str, rows: str, by_head: str) -> str:
    """Attention and feed-forward, each added to its input and normalised."""
    mixed = _attention(graph, weights, f"{name}attention.", rows, by_head)
    rows = graph.norm(graph.op("Add", [mixed, rows]), weights, f"{name}attention.output.LayerNorm")
    wide = _dense(graph, weights, f"{name}intermediate.dense", graph.activations(rows))
    wide = graph.op("Gelu", [wide])
    narrow = _dense(graph, weights, f"{name}output.dense", graph.activations(wide))
    return graph.norm(graph.op("Add", [narrow, rows]), weights, f"{name}output.LayerNorm")


def _attention(graph: _Graph, weights: Weights, name: str, rows: str, by_head: str) -> str:
    inputs = graph.activations(rows)

    def heads(part: str, order: Sequence[int], factor: float = 1.0) -> str:
        made = _dense(graph, weights, f"{name}self.{part}", inputs, factor)
        return graph.op("Transpose", [graph.op("Reshape", [made, by_head])], perm=order)

    query = heads("query", (0, 2, 1, 3), HEAD**-0.5)  # the softmax's divisor, paid here
    key = heads("key", (0, 2, 3, 1))
    value = heads("value", (0, 2, 1, 3))
    share = graph.op("Softmax", [graph.op("MatMul", [query, key])], axis=-1)
    seen = graph.op("Transpose", [graph.op("MatMul", [share, value])], perm=(0, 2, 1, 3))
    seen = graph.op("Reshape", [seen, "flat"])
    return _dense(graph, weights, f"{name}output.dense", graph.activations(seen))


def _dense(
    graph: _Graph, weights: Weights, name: str, inputs: tuple[str, ...], factor: float = 1.0
) -> str:
    scale = np.float32(factor)
    return graph.linear(
        inputs, weights[f"{name}.weight"] * scale, weights[f"{name}.bias"] * scale, name
    )
