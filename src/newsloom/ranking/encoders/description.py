"""What the database keeps of a fine-tuned model: a description with the hash of every weight file.

JSON, checked when read. Loads no weights and touches no disk.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from newsloom.ranking.encoders import weights
from newsloom.ranking.learning.payload import taken_apart

VERSION = "modernbert@1"


@dataclass(frozen=True, slots=True)
class Description:
    """All there is to know of a version but its weights; what the database keeps, as JSON."""

    base_model: str
    base_revision: str
    tokens: int
    slope: float  # of the calibration: log odds of a like = slope * logit + bias
    bias: float
    positives: int
    negatives: int
    metrics: tuple[tuple[str, float], ...]
    trained: datetime
    files: Mapping[str, weights.KeptFile]


def version_name(payload: bytes) -> str:
    """The folder of a version, and the end of its model's id."""
    return hashlib.sha256(payload).hexdigest()[:12]


def packed(about: Description) -> bytes:
    fields = asdict(about) | {"version": VERSION, "trained": about.trained.isoformat()}
    return json.dumps(fields, separators=(",", ":"), sort_keys=True).encode()


def described(payload: bytes) -> Description:
    """A description from its bytes. Raises ModelError."""
    return taken_apart(payload, _unpacked)


def _unpacked(fields: Mapping[str, Any]) -> Description:
    if fields["version"] != VERSION:
        raise ValueError(f"version {fields['version']!r}")
    files = {
        str(name): weights.KeptFile(str(kept["sha256"]), int(kept["bytes"]))
        for name, kept in fields["files"].items()
    }
    if any(Path(name).name != name for name in files):
        raise ValueError("a file outside its folder")
    about = Description(
        base_model=str(fields["base_model"]),
        base_revision=str(fields["base_revision"]),
        tokens=int(fields["tokens"]),
        slope=float(fields["slope"]),
        bias=float(fields["bias"]),
        positives=int(fields["positives"]),
        negatives=int(fields["negatives"]),
        metrics=tuple((str(name), float(value)) for name, value in fields["metrics"]),
        trained=datetime.fromisoformat(fields["trained"]),
        files=files,
    )
    if not (math.isfinite(about.slope) and math.isfinite(about.bias) and about.tokens > 0):
        raise ValueError("a calibration that is no finite numbers")
    return about
