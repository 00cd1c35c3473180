"""How large the program is, and how much of it three common requests run.

Counts are of the source text (`ast`); what a request runs is what Python calls while the pages
answer it, without the imports of the first request: functions, lambdas and comprehensions of
Newsloom, and the files they are in.
"""

from __future__ import annotations

import ast
import asyncio
import itertools
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import httpx

import newsloom
from newsloom.app import open_app
from newsloom.kernel.settings import Settings, StoreSettings
from newsloom.store import open_store
from newsloom.web.app import create_app
from newsloom_lab.bench.rank import NOW, fill

SOURCES = Path(newsloom.__file__).parent
HOME = "http://localhost:8765"
_KINDS = itertools.cycle(("like", "unrate"))
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True, slots=True)
class Package:
    name: str  # a package of newsloom; "" for the modules beside them
    lines: int
    modules: int
    functions: int
    classes: int


@dataclass(frozen=True, slots=True)
class Request:
    name: str
    functions: int  # different ones, lambdas and comprehensions included
    files: int
    calls: int
    by_file: dict[str, dict[str, int]]  # how often each function of a file is called
    cpu_ms: float  # processor time of a repeated request, median; nothing is traced meanwhile


@dataclass(frozen=True, slots=True)
class SizeBench:
    packages: tuple[Package, ...]  # the last one is the sum
    requests: tuple[Request, ...]
    pages: int  # of docs
    words: int

    def table(self) -> list[tuple[str, ...]]:
        return [
            (one.name or "(modules)", *map(str, (one.lines, one.modules, one.functions)))
            for one in self.packages
        ]


COLUMNS = ("package", "lines", "modules", "functions")


def run(articles: int, docs: Path | None = None) -> SizeBench:
    """Count the source, then answer three requests over a store of so many made-up articles.

    `docs` is a folder of Markdown pages; without it none are counted.
    """
    pages = sorted(docs.rglob("*.md")) if docs else []
    return SizeBench(
        packages=(*_packages(), _counted("total", SOURCES.rglob("*.py"))),
        requests=_requests(articles),
        pages=len(pages),
        words=sum(len(one.read_text(encoding="utf-8").split()) for one in pages),
    )


def _packages() -> Iterator[Package]:
    for folder in sorted(one for one in SOURCES.iterdir() if (one / "__init__.py").is_file()):
        yield _counted(folder.name, folder.rglob("*.py"))
    yield _counted("", SOURCES.glob("*.py"))


def _counted(name: str, files: Iterable[Path]) -> Package:
    counts = [_counts(one) for one in files]
    lines, functions, classes = map(sum, zip(*counts, strict=True))
    return Package(name, lines, len(counts), functions, classes)


@cache
def _counts(file: Path) -> tuple[int, int, int]:
    """Lines, functions and classes. Once for a file: to read all of them takes seconds."""
    text = file.read_text(encoding="utf-8")
    kinds = [type(node) for node in ast.walk(ast.parse(text))]
    return text.count("\n"), sum(map(kinds.count, _FUNCTIONS)), kinds.count(ast.ClassDef)


def _requests(articles: int) -> tuple[Request, ...]:
    with tempfile.TemporaryDirectory(prefix="newsloom-bench-") as folder:
        store = Path(folder) / "news.db"
        with closing(open_store(store, now=lambda: NOW)) as opened:
            fill(opened, articles)
        settings = Settings(store=StoreSettings(path=store), user="reader")
        app = open_app(settings, now=lambda: NOW)
        try:
            pages = create_app(app.reader())
            return (
                _measured("list page", pages, lambda: _request("GET", "/"), changed=True),
                _measured("article", pages, lambda: _request("GET", "/articles/1")),
                _measured("like", pages, _like),
            )
        finally:
            app.store.close()


def _request(method: str, path: str, **form: str) -> httpx.Request:
    headers = {"sec-fetch-site": "same-origin", **({"hx-request": "true"} if form else {})}
    return httpx.Request(method, HOME + path, data=form or None, headers=headers)


def _like() -> httpx.Request:
    return _request("POST", "/articles/2/marks", kind=next(_KINDS))


def _measured(
    name: str, pages: Any, made: Callable[[], httpx.Request], *, changed: bool = False
) -> Request:
    """`changed`: an article is marked before each, so that no page rendered before is sent."""
    times: list[float] = []

    async def ask(request: httpx.Request) -> None:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(pages)) as client:
            began = time.process_time()
            answer = await client.send(request)
            times.append(time.process_time() - began)
        if answer.status_code >= 400:
            raise RuntimeError(f"{name} was answered with {answer.status_code}: {answer.text}")

    def prepared() -> httpx.Request:
        if changed:
            asyncio.run(ask(_like()))
        times.clear()
        return made()

    for _ in range(2):  # imports what it needs
        asyncio.run(ask(prepared()))
    request = prepared()
    with _calls() as seen:
        asyncio.run(ask(request))
    taken = []
    for _ in range(40):
        asyncio.run(ask(prepared()))
        taken += times
    by_file: dict[str, dict[str, int]] = {}
    for code, count in seen.items():
        file = str(Path(code.co_filename).relative_to(SOURCES))
        by_file.setdefault(file, {})[f"{code.co_qualname}:{code.co_firstlineno}"] = count
    return Request(
        name=name,
        functions=len(seen),
        by_file=dict(sorted(by_file.items())),
        files=len(by_file),
        calls=sum(seen.values()),
        cpu_ms=1000 * statistics.median(taken),
    )


@contextmanager
def _calls() -> Iterator[dict[CodeType, int]]:
    """How often each function of Newsloom is called, in every thread, those that run included."""
    seen: dict[CodeType, int] = {}
    inside = str(SOURCES)

    def note(frame: FrameType, event: str, _arg: object) -> None:
        code = frame.f_code

        if event == "call" and code.co_filename.startswith(inside):
            seen[code] = seen.get(code, 0) + 1

    # Threads that begin from now on are traced; an event loop begins its own.
    threading.setprofile(note)
    sys.setprofile(note)
    try:
        yield seen
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
