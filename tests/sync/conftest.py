"""A served Newsloom for every test, on each kind of database."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from publisher import Publisher
from store.conftest import started

from .scene import Scene, furnish, opened, serving


@pytest.fixture(params=["sqlite", "postgres"])
def scene(request: pytest.FixtureRequest, tmp_path: Path, publisher: Publisher) -> Iterator[Scene]:
    url = started("embedded").address(tmp_path) if request.param == "postgres" else ""
    app = opened(tmp_path / "news.db", publisher, url)
    try:
        with serving(furnish(app, publisher)) as one:
            yield one
    finally:
        app.close()
