"""A long file of made-up articles taken in by `newsloom jobs start import`, in its own process.

One line in 500 is no JSON, one article in 1,000 has a label, 400 sources are mixed. Processor time
is of that process alone: a PostgreSQL server's is not in it. Memory is the most it held.
"""

from __future__ import annotations

import json
import os
import random
import sys
import tempfile
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from newsloom.app import utc_now
from newsloom.kernel.errors import UserError
from newsloom.store import open_store
from newsloom_lab.databases import fresh

SOURCES, WORDS, BROKEN, LABELLED = 400, 8_000, 500, 1_000


@dataclass(frozen=True, slots=True)
class ImportBench:
    """One import of a whole file."""

    store: str
    articles: int  # stored
    refused: int
    file_mb: float
    seconds: float
    processor_seconds: float
    articles_per_processor_second: float
    peak_mb: float


def run(lines: int, url: str = "") -> ImportBench:
    """Make a file of so many lines and take it in: into a new SQLite file, or a new database of a
    PostgreSQL server."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "articles.jsonl"
        make(file, lines)
        if not url:
            return _taken_in(file, Path(folder) / "news.db", "")
        with fresh(url) as database:
            return _taken_in(file, Path(folder) / "news.db", database)


def make(file: Path, lines: int) -> None:
    """The same lines for the same number."""
    draw = random.Random(15)
    letters = "abcdefghijklmnopqrstuvwxyz"
    words = ["".join(draw.choices(letters, k=draw.randint(3, 9))) for _ in range(WORDS)]
    with file.open("w", encoding="utf-8") as out:
        for number in range(lines):
            out.write(_line(draw, words, number) + "\n")


def _line(draw: random.Random, words: list[str], number: int) -> str:
    if number % BROKEN == BROKEN - 1:
        return '{"id": "cut off'
    source = f"s{draw.randrange(SOURCES)}.test"
    fields = {
        "id": f"a{number}",
        "title": " ".join(draw.choices(words, k=8)),
        "text": "\n".join(" ".join(draw.choices(words, k=60)) for _ in range(4)),
        "url": f"https://{source}/{number}",
        "source": source,
        "published": f"2025-{number % 12 + 1:02}-{number % 28 + 1:02}T10:00:00Z",
        "language": "en",
    }
    if number % LABELLED == 0:
        fields["label"] = "like"
    return json.dumps(fields)


def _taken_in(file: Path, path: Path, url: str) -> ImportBench:
    environment = {**os.environ, "NEWSLOOM_STORE_PATH": str(path), "NEWSLOOM_STORE_URL": url}
    words = "-m", "newsloom", "jobs", "start", "import", str(file), "--share", "1", "--wait"
    began = time.perf_counter()
    child = os.posix_spawn(sys.executable, [sys.executable, *words], environment)
    _number, status, used = os.wait4(child, 0)
    seconds = time.perf_counter() - began
    if status:
        raise UserError("The import failed.")
    with closing(open_store(url or path, now=utc_now)) as store:
        (job,) = store.jobs.jobs(1)
        (articles,) = store.database.sizes("articles")
    processor = used.ru_utime + used.ru_stime
    return ImportBench(
        store="PostgreSQL" if url else "SQLite",
        articles=articles,
        refused=job.refused,
        file_mb=round(file.stat().st_size / 1e6, 1),
        seconds=round(seconds, 1),
        processor_seconds=round(processor, 1),
        articles_per_processor_second=round(articles / processor, 1),
        peak_mb=round(used.ru_maxrss / 1024, 1),
    )
