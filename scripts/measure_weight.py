"""How many megabytes are installed beside this Python: the total, and the ten largest packages.

    .venv/bin/python scripts/measure_weight.py [--most 305]

Counts the files of site-packages in whole blocks, as `du` does, without pip and setuptools, which
the environment came with. A package has what its own list of files (RECORD) names, and the bytecode
of these. Fails when there is more than allowed. docs/work/decisions/project.md says why each is
there.
"""

from __future__ import annotations

import argparse
import sys
import sysconfig
from collections import Counter
from importlib.metadata import distributions
from pathlib import Path

# Megabytes. Measured: see docs/work/decisions/project.md.
MOST = 305

BROUGHT = frozenset(("pip", "setuptools"))
LARGEST = 10
BLOCK = 512  # bytes; what st_blocks counts in
MEGABYTE = 1024 * 1024


def owners(folder: Path) -> dict[Path, str]:
    """Which package each installed file belongs to."""
    return {
        Path(str(file.locate())).resolve(): one.name.lower()
        for one in distributions(path=[str(folder)])
        for file in one.files or ()
    }


def source_of(path: Path) -> Path:
    """The module that a file of bytecode was compiled from; any other file itself."""
    if path.suffix == ".pyc" and path.parent.name == "__pycache__":
        return path.parent.parent / f"{path.name.partition('.')[0]}.py"
    return path


def weights(folder: Path) -> Counter[str]:
    """Bytes on disk of each package; "" has what no package names."""
    known = owners(folder)
    found: Counter[str] = Counter()
    for path in folder.resolve().rglob("*"):
        if not path.is_symlink() and path.is_file():
            owner = known.get(path) or known.get(source_of(path), "")
            found[owner] += path.stat().st_blocks * BLOCK
    return found


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--most", type=int, default=MOST, help="megabytes allowed")
    most = arguments.parse_args().most
    found = weights(Path(sysconfig.get_path("platlib")))
    brought = sum(found.pop(name, 0) for name in BROUGHT)
    total = sum(found.values())
    for name, size in found.most_common(LARGEST):
        print(f"{size / MEGABYTE:8.1f} MB  {name or '(no package)'}")
    print(f"{total / MEGABYTE:8.1f} MB  in all, {len(found)} packages; {most} MB are allowed")
    print(f"{brought / MEGABYTE:8.1f} MB  pip and setuptools, not counted")
    if total > most * MEGABYTE:
        sys.exit(
            f"Newsloom installs {total / MEGABYTE:.0f} MB, more than {most} MB. Leave out what is "
            "not needed, or raise MOST here and say why in docs/work/decisions/project.md."
        )


if __name__ == "__main__":
    main()
