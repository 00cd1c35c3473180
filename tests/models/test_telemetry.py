"""The encoder's library keeps to itself."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ENCODE = (
    "from newsloom.ranking.encoders.registry import embedder; "
    "embedder('minilm-int8').embed(['a text'])"
)


def test_encoding_leaves_no_telemetry_behind(tmp_path: Path) -> None:
    environment = {**os.environ, "HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    environment.pop("ORT_DISABLE_TELEMETRY", None)
    subprocess.run([sys.executable, "-c", ENCODE], env=environment, check=True)
    left = [file for file in tmp_path.rglob("*") if "onnxruntime" in str(file).lower()]
    assert left == []
