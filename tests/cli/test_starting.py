"""What a command imports before it does anything: the heavy libraries wait until they are used."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

# Each takes from 30 ms to a second to import, and memory that a process which polls has better
# uses for.
MODELS = {"onnxruntime", "tokenizers", "torch", "transformers", "sklearn", "scipy", "spacy"}
PAGES = {"fastapi", "starlette", "uvicorn", "jinja2"}
NETWORK = {"aiohttp", "pycurl", "psycopg"}
DOCUMENTS = {"lxml", "feedparser", "trafilatura", "protego"}

NOT_IMPORTED = {
    "--help": ("--help", MODELS | PAGES | NETWORK | DOCUMENTS | {"sqlalchemy", "alembic", "numpy"}),
    "feeds": ("feeds", MODELS | PAGES | NETWORK | {"alembic", "feedparser", "trafilatura"}),
    "run with nothing to do": ("run", MODELS | PAGES | {"psycopg", "alembic", "trafilatura"}),
}

_IMPORTED = re.compile(r"^import time:.*\| *(\S+)$", re.MULTILINE)


@pytest.fixture(scope="module")
def settled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database of the present schema."""
    place = tmp_path_factory.mktemp("settled") / "news.db"
    imported(place, "feeds")
    return place


def imported(store: Path, line: str) -> set[str]:
    """The packages that a command has imported when it ends."""
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "newsloom", *line.split()],
        env=os.environ | {"NEWSLOOM_STORE_PATH": str(store)},
        cwd=store.parent,
        capture_output=True,
        text=True,
        check=True,
    )
    return {name.partition(".")[0] for name in _IMPORTED.findall(done.stderr)}


@pytest.mark.parametrize(("line", "heavy"), NOT_IMPORTED.values(), ids=NOT_IMPORTED)
def test_heavy_libraries_wait(settled: Path, line: str, heavy: set[str]) -> None:
    found = imported(settled, line)
    assert "typer" in found, "the list of imports was read"
    assert not found & heavy
