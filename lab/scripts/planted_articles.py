"""Planted near-copies as an articles file with gold.

    python lab/scripts/planted_articles.py TEXTS.train PAIRS.truth GOLD.jsonl

TEXTS has one text a line, its id first; PAIRS two ids a line that are copies of one another.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path


def main() -> None:
    texts, truth, out = map(Path, sys.argv[1:4])
    pairs = [line.split() for line in truth.read_text("utf-8").splitlines() if line.strip()]
    group = {name: pair[0] for pair in pairs for name in pair}
    lines = []
    for line in texts.read_text("utf-8").splitlines():
        name, _, text = line.partition(" ")
        gold = {"duplicate": group[name]} if name in group else {}
        lines.append(json.dumps({"id": name, "text": text, **gold}, ensure_ascii=False))
    out.write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    main()
