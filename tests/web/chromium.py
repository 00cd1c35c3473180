"""A real Chromium on pages that are really served; skips where there is none."""

from __future__ import annotations

import asyncio
import os
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from newsloom.web.app import create_app
from newsloom.web.server import serve
from web.world import World

# Nothing but the pages asked for may go out: no updates, no sync, no first-run pages.
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

WIDE = {"width": 1280, "height": 860}
PHONE = {"width": 360, "height": 740}

# Both widths in both themes, for the parameters "size" and "scheme".
LOOKS = [
    pytest.param(size, scheme, id=f"{size['width']}-{scheme}")
    for size in (WIDE, PHONE)
    for scheme in ("light", "dark")
]


@contextmanager
def browsing() -> Iterator[Any]:
    """A browser; skips with the reason where Chromium or its driver is missing."""
    playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=_executable(), args=list(ARGUMENTS))
        yield browser
        browser.close()


@contextmanager
def remembering(browser: Any) -> Iterator[Any]:
    """A whole Chromium with its back-forward cache, which the driver turns off and the headless
    shell does not have."""
    other = browser.browser_type.launch(
        executable_path=_executable("chromium"),
        args=list(ARGUMENTS),
        ignore_default_args=["--disable-back-forward-cache"],
    )
    yield other
    other.close()


def _executable(*names: str) -> str:
    """The path of the first of these programs; by default of Chromium without windows, which takes
    half of the processor time."""
    names = names or ("chromium-headless-shell", "chromium")
    path = os.environ.get("NEWSLOOM_CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    if path is None:
        pytest.skip(f"needs {' or '.join(names)} of Debian, or NEWSLOOM_CHROMIUM set to a Chromium")
    return path


@contextmanager
def serving(world: World, app: Any = None, **options: Any) -> Iterator[str]:
    """The pages of a world on a port of their own; the address, without a slash at its end.

    `app` is served in the place of one where nobody signs in.
    """
    started = threading.Event()
    loop = asyncio.new_event_loop()
    until = asyncio.Event()
    urls: list[str] = []

    def ready(url: str) -> None:
        urls.append(url)
        started.set()

    app = app or create_app(world.reader(), **options)
    running = serve(app, "127.0.0.1", 0, until=until, on_ready=ready)
    thread = threading.Thread(target=loop.run_until_complete, args=(running,))
    thread.start()
    assert started.wait(20)
    try:
        yield urls[0].rstrip("/")
    finally:
        loop.call_soon_threadsafe(until.set)
        thread.join(20)
        loop.close()
