"""Make the shipped background of term weights out of files of articles: their counts alone.

python lab/scripts/make_idf.py FILE.jsonl ... > src/newsloom/topics/data/idf.tsv.xz
"""

from __future__ import annotations

import json
import lzma
import sys
from collections import Counter
from pathlib import Path

from newsloom.articles.terms import terms

# A term of fewer articles than these says nothing that a term never seen does not.
LEAST = 3


def main(files: list[str]) -> None:
    counts: Counter[str] = Counter()
    articles = 0
    for file in files:
        with Path(file).open(encoding="utf-8") as lines:
            for line in lines:
                one = json.loads(line)
                text = one.get("text") or one.get("summary") or ""
                counts.update(terms(one.get("title", ""), text, one.get("language", "")).keys())
                articles += 1
    kept = sorted((term, count) for term, count in counts.items() if count >= LEAST)
    told = "\n".join([str(articles), *(f"{term}\t{count}" for term, count in kept)])
    sys.stdout.buffer.write(lzma.compress(told.encode(), preset=9))


if __name__ == "__main__":
    main(sys.argv[1:])
