"""What a command imports: the heavy libraries wait until they are used, and all of it has a bound.

Nothing here looks at a clock: `newsloom bench start` does.
"""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import pytest

import newsloom
from newsloom.cli.commands import COMMANDS
from newsloom.cli.group import loaded
from newsloom_lab.bench.start import imported
from publisher import Publisher, rss

# Each takes from 30 ms to a second to import, and memory that a process which polls has better
# uses for.
MODELS = {"onnxruntime", "tokenizers", "torch", "transformers", "sklearn", "scipy", "spacy"}
PAGES = {"fastapi", "starlette", "uvicorn", "jinja2"}
NETWORK = {"pycurl", "psycopg"}
DOCUMENTS = {"lxml", "feedparser", "readability", "protego"}
NUMBERS = {"numpy", "pydantic", "rapidfuzz"}
SOURCES = Path(newsloom.__file__).parent
EMPTY = {
    ".".join(("newsloom", *file.parent.relative_to(SOURCES).parts))
    for file in SOURCES.rglob("__init__.py")
    if all(isinstance(one, ast.Expr) for one in ast.parse(file.read_text("utf-8")).body)
}
OURS = {
    *(
        f"newsloom.{package}"
        for package in ("web", "api", "bridges", "engines.pipeline", "llm.runner")
    ),
    *(f"newsloom.kernel.{package}" for package in ("http", "workers")),
    *(f"newsloom.feeds.{package}" for package in ("parse", "service.poll", "workers")),
    *(f"newsloom.ranking.{package}" for package in ("encoders", "measure", "ports", "training")),
    "newsloom.store.migrations.search",
    "newsloom_lab",
}
# What no command needs that looks something up or marks it.
QUICK = MODELS | PAGES | NETWORK | DOCUMENTS | NUMBERS | OURS | {"rich"}
QUICK |= {"sqlalchemy.dialects.postgresql", "sqlalchemy.orm"}
# What help does not look for the lab's commands with; SQLAlchemy imports it too.
ENTRY_POINTS = {"importlib.metadata"}

# A command line, what it must not import, and how many modules it may: some five of a hundred more
# than it took when this was written, most of which are Python's, SQLAlchemy's and Typer's. Packages
# of ours that hold no code of their own are not counted.
HELD = {
    "help": (
        "--help",
        QUICK | ENTRY_POINTS | {"sqlalchemy", "newsloom.kernel.settings", "newsloom.kernel.ids"},
        165,
    ),
    "help of a command": (
        "list --help",
        QUICK | ENTRY_POINTS | {"sqlalchemy"},
        199,
    ),  # settings of briefs have a module
    "the version": ("--version", QUICK | {"sqlalchemy"}, 165),
    "settings": ("settings", QUICK | {"sqlalchemy"}, 195),
    "a list": ("list", QUICK | {"nh3", "newsloom.store.tables", "newsloom.duplicates"}, 433),
    "a list as JSON": ("list --json --all --limit 3", QUICK | {"nh3"}, 440),
    # Settings of the engines have a module.
    "a search": ("search words", QUICK | {"nh3", "newsloom.store.tables"}, 434),
    "feeds": ("feeds", QUICK | {"nh3", "newsloom.duplicates"}, 442),
    "an article": ("show 1", QUICK, 495),
    "a mark": ("read 1", QUICK | {"nh3", "newsloom.duplicates"}, 438),
    "a rating": ("like 1", QUICK | {"nh3", "newsloom.duplicates"}, 438),
    "taking back": ("undo", QUICK | {"nh3", "newsloom.duplicates"}, 438),
    "a run with nothing to do": (
        "run",
        MODELS | PAGES | {"psycopg", "readability", "rich", "newsloom.web"},
        1_030,  # briefs that wait and open jobs are looked for
    ),
}


@pytest.fixture(scope="module")
def settled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database of the present schema with an article in it."""
    path = tmp_path_factory.mktemp("settled") / "news.db"
    lines = path.with_name("liked.jsonl")
    lines.write_text('{"id": "1", "title": "Ferry", "label": "read", "text": "Runs twice."}\n')
    for line in (
        ["import", str(lines)],
        ["run"],
    ):  # which brings it to its end, so that none is due
        imported(line, environment(path))
    return path


def environment(store: Path, **more: str) -> dict[str, str]:
    return {"NEWSLOOM_STORE_PATH": str(store), "HOME": str(store.parent), **more}


def found_of(heavy: set[str], names: frozenset[str]) -> set[str]:
    return {one for one in heavy if any(f"{name}.".startswith(f"{one}.") for name in names)}


def told(names: frozenset[str]) -> str:
    """How many modules of which package, most first."""
    return str(Counter(name.partition(".")[0] for name in names).most_common(12))


@pytest.mark.parametrize(("line", "heavy", "most"), HELD.values(), ids=HELD)
def test_a_command_imports_what_it_needs(
    settled: Path, line: str, heavy: set[str], most: int
) -> None:
    names = imported(line.split(), environment(settled))
    assert "typer" in names, "the list of imports was read"
    assert found_of(heavy, names) == set()
    assert len(names - EMPTY) <= most, told(names)


def test_a_list_on_a_terminal_loads_no_model(settled: Path) -> None:
    """What stands below it says whether a model of one's own ranks, and needs none for that."""
    names = imported(["list", "--all"], environment(settled), terminal=True)
    assert "rich.table" in names, "it was a terminal"
    assert found_of(QUICK - {"rich", "newsloom.ranking.encoders"}, names) == set()
    assert len(names - EMPTY) <= 506, told(names)


def test_adding_a_feed_loads_no_model_and_no_pages(tmp_path: Path, publisher: Publisher) -> None:
    url = publisher.puts("/feed.xml", rss("Gazette", ("1", "https://gazette.test/1", "One")))
    allowed = {"NEWSLOOM_FETCH_PRIVATE_HOSTS": publisher.host}
    names = imported(["add", url], environment(tmp_path / "news.db", **allowed))
    assert "pycurl" in names, "it was asked for"
    assert found_of(MODELS | PAGES | {"psycopg", "readability", "rich"}, names) == set()


def test_every_command_of_the_table_is_there() -> None:
    for row in COMMANDS.values():
        command = loaded(row)
        assert command.name == row.name
        assert command.help, row
        assert row.help.endswith("."), row
