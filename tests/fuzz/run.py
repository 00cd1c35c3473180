"""Fuzzing guided by coverage, by atheris: `make fuzz SECONDS=60`, or `TARGET="json feed"` alone.

Each target runs in a process of its own, from the saved corpus, and its growing corpus stays under
`--keep` for the next run. An input that breaks a target is written there, printed, and ends the run
with status 1: make it small, put it into tests/fuzz/corpus/<target>/, mend what it found.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
CORPUS = HERE / "corpus"
# A document that takes longer, or needs more, is a finding too.
SLOWEST_SECONDS = 10
MOST_MEGABYTES = 2_000


def folder(target: str) -> str:
    return target.replace(" ", "-").replace("'", "")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=int, default=60, help="for each target")
    parser.add_argument("--seed", type=int, default=0, help="0: another one every time")
    parser.add_argument("--target", default="", help="one of them alone")
    parser.add_argument("--keep", type=Path, default=HERE / ".grown", help="a folder")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    namespace = parser.parse_args()
    try:
        import atheris
    except ImportError:
        print("atheris is not installed: it has wheels for x86-64 Linux only.")
        return 0
    if namespace.inside:
        with atheris.instrument_imports(include=["newsloom"]):
            from fuzz.targets import target
        _fuzz(atheris, target(namespace.target), namespace.seconds, namespace.seed, namespace.keep)
        return 0
    from fuzz.targets import TARGETS

    chosen = [row.name for row in TARGETS if namespace.target in {"", row.name}]
    return max(
        (_run(name, namespace.seconds, namespace.seed, namespace.keep) for name in chosen),
        default=2,
    )


def _run(name: str, seconds: int, seed: int, keep: Path) -> int:
    """One target in a process of its own; its line of the report."""
    again = [sys.executable, "-m", "fuzz.run", "--inside", "--target", name]
    again += ["--seconds", str(seconds), "--seed", str(seed), "--keep", str(keep)]
    surroundings = os.environ | {"PYTHONPATH": str(HERE.parent)}
    done = subprocess.run(again, capture_output=True, text=True, env=surroundings)
    runs = re.search(r"Done (\d+) runs in (\d+)", done.stderr)
    covered = re.findall(r" cov: (\d+) ", done.stderr)
    said = f"{int(runs[1]):,} runs in {runs[2]} s" if runs else "ended early"
    print(f"{name:16} {said}, {covered[-1] if covered else 0} branches", flush=True)
    if done.returncode or not runs:
        print(done.stdout[-4000:], *done.stderr.splitlines()[-8:], sep="\n")
        return 1
    return 0


def _fuzz(atheris, row, seconds: int, seed: int, keep: Path) -> None:
    grown = keep / folder(row.name)
    grown.mkdir(parents=True, exist_ok=True)
    words = grown.with_suffix(".words")
    words.write_text("".join(f'"{_quoted(word)}"\n' for word in row.words), encoding="ascii")
    arguments = [
        "newsloom", str(grown), str(CORPUS / folder(row.name)), f"-dict={words}",
        f"-max_total_time={seconds}", f"-max_len={row.longest}", f"-timeout={SLOWEST_SECONDS}",
        f"-rss_limit_mb={MOST_MEGABYTES}", f"-artifact_prefix={grown}-broken-",
        f"-seed={seed}",
    ]  # fmt: skip
    atheris.Setup(arguments, row.run)
    atheris.Fuzz()


def _quoted(word: str) -> str:
    data = word.encode("utf-8") if not word.isascii() else word.encode("ascii")
    return "".join(
        chr(byte) if 32 <= byte < 127 and byte not in b'"\\' else f"\\x{byte:02x}" for byte in data
    )


if __name__ == "__main__":
    sys.exit(main())
