"""A served Newsloom for every test; on PostgreSQL too where its module says so."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from publisher import Publisher
from store.conftest import started

from .scene import Scene, furnish, opened, serving


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "scene" in metafunc.fixturenames:
        kinds = getattr(metafunc.module, "DATABASES", ("sqlite",))
        marks = {"postgres": pytest.mark.postgres}
        params = [pytest.param(one, marks=marks.get(one, ())) for one in kinds]
        metafunc.parametrize("scene", params, indirect=True)


@pytest.fixture
def scene(request: pytest.FixtureRequest, tmp_path: Path, publisher: Publisher) -> Iterator[Scene]:
    url = started().address(tmp_path) if request.param == "postgres" else ""
    app = opened(tmp_path / "news.db", publisher, url)
    try:
        with serving(furnish(app, publisher)) as one:
            yield one
    finally:
        app.close()
