"""A tiny voice of the shape that Piper has: the names, types and shapes of its inputs and output.

`samples/tiny.onnx` is made by `python tests/sound/tiny_piper.py`, which needs the package onnx.
Each phoneme is a tone of 23 ms, as high as its number; `scales[1]`, the pace, makes it longer, and
`scales[0]`, the noise, is drawn at random as in the real ones.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

MODEL = Path(__file__).parent / "samples" / "tiny.onnx"
RATE, SYMBOLS, SAMPLES = 22_050, 160, 512
# Enough of Piper's own table for English: blank, begin, end, letters and signs of eSpeak.
_SIGNS = (
    "_^$ !'(),-.:;?abcdefhijklmnopqrstuvwxyzæçðøħŋœǀǁǂǃɐɑɒɓɔɕɖɗɘəɚɛɜɞɟɠɡɢɣɤɥɦɧɨɪɫɬɭɮɯɰɱɲɳɴɵɶɸɹɺɻɽ"
)
_MORE = "ɾʀʁʂʃʄʈʉʊʋʌʍʎʏʐʑʒʔʕʘʙʛʜʝʟʡʢʲˈˌːˑ˞βθχᵻⱱ0123456789̧̪̯̩̃ʰˤε↓#g"


def config() -> dict[str, Any]:
    """As the JSON beside a voice of Piper's."""
    return {
        "audio": {"sample_rate": RATE, "quality": "x_low"},
        "espeak": {"voice": "en-us"},
        "language": {"code": "en_US", "family": "en"},
        "inference": {"noise_scale": 0.667, "length_scale": 1, "noise_w": 0.8},
        "phoneme_type": "espeak",
        "phoneme_map": {},
        "phoneme_id_map": {sign: [at] for at, sign in enumerate(_SIGNS + _MORE)},
        "num_symbols": SYMBOLS,
        "num_speakers": 1,
        "speaker_id_map": {},
        "piper_version": "1.0.0",
    }


def put(folder: Path, **changed: Any) -> Path:
    """A voice there, its JSON with these changes."""
    path = folder / "tiny.onnx"
    path.write_bytes(MODEL.read_bytes())
    path.with_name("tiny.onnx.json").write_text(json.dumps(config() | changed))
    return path


def make() -> None:
    """Write the model."""
    import numpy as np
    from onnx import TensorProto, checker, helper, numpy_helper, save

    time = np.arange(SAMPLES) / RATE
    tones = np.stack([np.sin(2 * np.pi * (150 + 12 * at) * time) for at in range(SYMBOLS)])
    tones[0] = 0.0
    # Eight levels are enough, and make the file small.
    tones = (np.round(tones * 8).astype(np.int8)) * np.hanning(SAMPLES).round(1).astype(np.float32)
    constants = {
        "tones": np.round(tones * 4).astype(np.int8),
        "whole": np.array([1, 1, 1, -1], np.int64),
        "pace_at": np.array([1], np.int64),
        "noise_at": np.array([0], np.int64),
        "ones": np.array([1, 1, 1], np.float32),
        "level": np.array(1 / 40, np.float32),
        "small": np.array(1 / 500, np.float32),
    }
    node = helper.make_node
    nodes = [
        node("Cast", ["tones"], ["table"], to=TensorProto.FLOAT),
        node("Gather", ["table", "input"], ["each"], axis=0),
        node("Reshape", ["each", "whole"], ["line"]),
        node("Gather", ["scales", "pace_at"], ["pace"], axis=0),
        node("Concat", ["ones", "pace"], ["sizes"], axis=0),
        node("Resize", ["line", "", "sizes"], ["long"], mode="nearest"),
        node("RandomNormalLike", ["long"], ["drawn"]),
        node("Gather", ["scales", "noise_at"], ["noise"], axis=0),
        node("Mul", ["drawn", "noise"], ["noisy"]),
        node("Mul", ["noisy", "small"], ["quiet"]),
        node("Mul", ["long", "level"], ["loud"]),
        node("Add", ["loud", "quiet"], ["sound"]),
        # Piper's graph takes the lengths; nothing of this one depends on them.
        node("Cast", ["input_lengths"], ["lengths"], to=TensorProto.FLOAT),
        node("ReduceMax", ["lengths"], ["longest"], keepdims=0),
        node("Mul", ["longest", "never"], ["nothing"]),
        node("Add", ["sound", "nothing"], ["output"]),
    ]
    constants["never"] = np.array(0, np.float32)
    value = helper.make_tensor_value_info
    graph = helper.make_graph(
        nodes,
        "tiny",
        [
            value("input", TensorProto.INT64, ["batch_size", "phonemes"]),
            value("input_lengths", TensorProto.INT64, ["batch_size"]),
            value("scales", TensorProto.FLOAT, [3]),
        ],
        [value("output", TensorProto.FLOAT, ["batch_size", 1, 1, "time"])],
        [numpy_helper.from_array(one, name) for name, one in constants.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 15)], ir_version=8)
    checker.check_model(model)
    MODEL.parent.mkdir(exist_ok=True)
    save(model, str(MODEL))


if __name__ == "__main__":
    make()
