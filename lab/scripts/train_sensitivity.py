"""Train the shipped time-sensitivity head and write it into the package.

    python lab/scripts/train_sensitivity.py [--data DIR] [--check]

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

from newsloom.ranking.learning import sensitivity, shipped
from sensitivity_data import Rated, rated

PLACE = Path(sensitivity.__file__).parent / "data" / shipped.NAME


def main() -> int:
    """Train, then write or compare."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=default_data())
    parser.add_argument("--check", action="store_true")
    chosen = parser.parse_args()
    known = rated(chosen.data)
    started = time.monotonic()
    head = sensitivity.train(
        known.articles, known.vectors, known.ratings.tolist(), known.sources.tolist()
    )
    print(f"trained on {len(known.ratings)} articles in {time.monotonic() - started:.1f} s")
    if chosen.check:
        return _compared(head, known)
    data = head.to_bytes()
    PLACE.write_bytes(data)
    print(f"{PLACE.name}: {len(data):,} bytes, sha256 {hashlib.sha256(data).hexdigest()}")
    return 0


def _compared(head: sensitivity.SensitivityHead, known: Rated) -> int:
    """Whether the shipped head says the same; other processors round otherwise."""
    there = shipped.sensitivity_head().chances(known.articles, known.vectors)
    apart = float(np.abs(there - head.chances(known.articles, known.vectors)).max())
    print(f"largest difference of a probability to the shipped head: {apart:.4f}")
    return int(apart > 0.02)


def default_data() -> Path:
    """The folder of labelled news beside the repository, or where the environment says."""
    beside = Path(__file__).resolve().parents[3] / "shared"
    return Path(os.environ.get("NEWSLOOM_SHARED", beside)) / "data"


if __name__ == "__main__":
    sys.exit(main())
