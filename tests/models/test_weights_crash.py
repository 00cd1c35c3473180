"""Killed at random moments while weights are written: versions are whole, parts are told apart."""

from __future__ import annotations

import hashlib
import json
import random
import subprocess
import sys
import time

import pytest

from newsloom.ranking.encoders import weights

ROUNDS = 30

# Writes version after version, each with what describes it, until it is killed.
CHILD = """
import hashlib, json, os, sys
from dataclasses import asdict
from pathlib import Path
from newsloom.ranking.encoders import weights

folder = Path(sys.argv[1])
print("ready", flush=True)
while True:
    part = weights.begin(folder)
    (part / "model.safetensors").write_bytes(os.urandom(300_000))
    (part / "config.json").write_text("{}")
    files = {name: asdict(one) for name, one in weights.hashed(part).items()}
    description = json.dumps(files).encode()
    weights.finish(part, hashlib.sha256(description).hexdigest()[:12], description)
    print("finished", flush=True)
"""


@pytest.mark.crash
def test_a_kill_leaves_whole_versions_and_at_most_a_part(tmp_path):
    chance = random.Random(1)
    parts = 0
    for _ in range(ROUNDS):
        child = subprocess.Popen(
            [sys.executable, "-c", CHILD, str(tmp_path)], stdout=subprocess.PIPE
        )
        assert child.stdout.readline() == b"ready\n"
        lasted = 0.05
        for _version in range(chance.randint(0, 2)):
            began = time.monotonic()
            assert child.stdout.readline() == b"finished\n"
            lasted = time.monotonic() - began
        time.sleep(chance.uniform(0.0, lasted))
        child.kill()
        child.wait()
        child.stdout.close()
        left = [one for one in tmp_path.iterdir() if one.suffix == weights.PART]
        parts += len(left)
        assert len(left) <= 1
        for one in left:
            weights.abandon(one)
    versions = list(tmp_path.iterdir())
    assert versions, "nothing was ever finished"
    assert parts, "no kill ever hit a writing"
    for version in versions:
        description = (version / weights.DESCRIPTION).read_bytes()
        assert hashlib.sha256(description).hexdigest()[:12] == version.name
        files = {name: weights.KeptFile(**one) for name, one in json.loads(description).items()}
        weights.check(version, files)
