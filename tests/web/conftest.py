"""A furnished store for every test, and ways to visit the pages on it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from migrated import copied
from newsloom.web.app import create_app
from web.chromium import WIDE, browsing, serving
from web.keyboard import visit
from web.peopled import loop
from web.world import World, furnish, open_world

HOME = "http://localhost:8765"
SAME = {"sec-fetch-site": "same-origin"}


class Visitor:
    """A browser without JavaScript, as far as HTTP goes. Keeps no cookies."""

    def __init__(self, world: World, reader: object = None, **options: object) -> None:
        self.app = create_app(reader or world.reader(), **options)

    def get(self, path: str, **headers: str) -> httpx.Response:
        return self.ask("GET", path, headers=headers)

    def post(self, path: str, data: dict[str, str] | None = None, **headers: str) -> httpx.Response:
        return self.ask("POST", path, data=data or {}, headers=SAME | headers)

    def htmx(self, path: str, data: dict[str, str] | None = None) -> httpx.Response:
        return self.post(path, data, **{"hx-request": "true"})

    def ask(self, method: str, path: str, **request: object) -> httpx.Response:
        async def asking() -> httpx.Response:
            transport = httpx.ASGITransport(self.app, raise_app_exceptions=False)
            async with httpx.AsyncClient(transport=transport, base_url=HOME) as client:
                return await client.request(method, path, **request)

        return loop().call(asking)


@pytest.fixture(scope="session")
def furnished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("furnished")
    furnish(open_world(folder), more=60).store.close()
    return folder


@pytest.fixture
def world(furnished: Path, tmp_path: Path) -> Iterator[World]:
    copied(furnished, tmp_path / "store")
    opened = open_world(tmp_path / "store")
    yield opened
    opened.store.close()


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[World]:
    opened = open_world(tmp_path)
    yield opened
    opened.store.close()


@pytest.fixture
def visitor(world: World) -> Visitor:
    return Visitor(world)


# For one module at a time: while it runs, its driver holds this thread's event loop.
@pytest.fixture(scope="module")
def chromium() -> Iterator[object]:
    with browsing() as browser:
        yield browser


@pytest.fixture(scope="session")
def shots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where pictures of the pages go: a folder to look at after a run."""
    folder = Path(os.environ.get("NEWSLOOM_SHOTS", tmp_path_factory.mktemp("shots")))
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.fixture
def home(world: World) -> Iterator[str]:
    with serving(world) as url:
        yield url


@pytest.fixture
def page(chromium: Any, home: str) -> Iterator[Any]:
    """A wide page on the front page; any complaint in its console fails the test."""
    context = chromium.new_context(viewport=WIDE)
    page = context.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on(
        "console",
        lambda said: complaints.append(said.text) if _complains(said) else None,
    )
    visit(page, home + "/")
    yield page
    context.close()
    assert complaints == []


def _complains(said: Any) -> bool:
    blocked = "Service Worker registration blocked" in said.text  # by web.chromium
    return said.type in {"error", "warning"} and not blocked


@pytest.fixture
def open_page(chromium: Any) -> Iterator[Any]:
    """Opens pages of some look; closes them at the end."""
    contexts = []

    def make(size: dict[str, int], scheme: str) -> Any:
        contexts.append(chromium.new_context(viewport=size, color_scheme=scheme))
        return contexts[-1].new_page()

    yield make
    for one in contexts:
        one.close()
