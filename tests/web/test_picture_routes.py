"""Picture addresses over HTTP: only those we gave out, and nothing that could run."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from newsloom.feeds.pages.pictures import ShownPictures
from newsloom.feeds.service.pictures import CachedPicture
from newsloom.kernel.text.picture_addresses import address
from web.conftest import Visitor
from web.world import World

KEY = b"k" * 32
URL = "https://paper.test/a.svg?x=1&y=2"


@dataclass
class Known:
    """Stands where pictures are fetched: it has one."""

    def get(self, url: str, longest: int) -> object:
        async def found() -> CachedPicture:
            if url == URL:
                return CachedPicture("image/svg+xml", b"<svg/>")
            return CachedPicture("", b"", "the server answered 404")

        return found()


@pytest.fixture
def visitor(world: World) -> Visitor:
    return Visitor(world, shown_pictures=ShownPictures(Known(), KEY))  # type: ignore[arg-type]


def test_a_picture_goes_as_one_that_runs_nothing(visitor: Visitor) -> None:
    answer = visitor.get(address(KEY, URL))
    assert answer.status_code == 200
    assert answer.content == b"<svg/>"
    assert answer.headers["content-type"] == "image/svg+xml"
    assert answer.headers["content-security-policy"] == "default-src 'none'; sandbox"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["cross-origin-resource-policy"] == "same-origin"


def test_one_that_cannot_be_had_says_why_and_is_asked_for_again_soon(visitor: Visitor) -> None:
    answer = visitor.get(address(KEY, "https://paper.test/gone.png", thumbnail=True))
    assert answer.status_code == 404
    assert "the server answered 404" in answer.text
    assert answer.headers["cache-control"] == "private, max-age=600"


REFUSED = {
    "an address nobody gave out": "/pictures/whole/AAAAAAAAAAAAAAAA?url=http://169.254.169.254/",
    "another size": address(KEY, URL).replace("whole", "huge"),
    "another address": address(KEY, URL) + "z",
    "none": address(KEY, URL).partition("?")[0],
    "one too long": address(KEY, URL) + "z" * 5_000,
}


@pytest.mark.parametrize("path", REFUSED.values(), ids=REFUSED)
def test_nothing_else_is_fetched(visitor: Visitor, path: str) -> None:
    assert visitor.get(path).status_code in {400, 404, 422}


def test_where_browsers_ask_the_sites_we_serve_none(world: World) -> None:
    assert Visitor(world).get(address(KEY, URL)).status_code == 404
