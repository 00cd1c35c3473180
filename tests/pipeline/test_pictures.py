"""Pictures fetched for readers: from a real publisher on loopback, through real workers."""

from __future__ import annotations

import asyncio
import io
import struct
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest
from PIL import Image

from newsloom.feeds.service.pictures import (
    BAD,
    GOOD,
    MAIL,
    MOST_BYTES,
    THUMBNAIL,
    WHOLE,
    CachedPicture,
    PictureCache,
    Pictures,
)
from newsloom.kernel.http.client import HttpFetcher
from newsloom.kernel.settings import FetchSettings, ReadingSettings
from newsloom.kernel.workers.pool import Workers
from publisher import Publisher, publishing

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


def encoded(form: str, size: tuple[int, int] = (2000, 1200), **options: object) -> bytes:
    made = io.BytesIO()
    picture = Image.effect_noise(size, 90).convert("RGB")
    picture.save(made, form, **options)
    return made.getvalue()


def moving(frames: int = 3) -> bytes:
    made = io.BytesIO()
    pictures = [Image.effect_noise((400, 300), 90) for _ in range(frames)]
    pictures[0].save(made, "GIF", save_all=True, append_images=pictures[1:], duration=100)
    return made.getvalue()


@pytest.fixture
def publisher() -> Iterator[Publisher]:
    with publishing() as publisher:
        yield publisher


@pytest.fixture(scope="module")
def workers() -> Iterator[Workers]:
    workers = Workers(ReadingSettings())
    yield workers
    workers.close()


class Clock:
    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


Using = Callable[[Pictures], Awaitable[object]]


@pytest.fixture
def with_pictures(
    publisher: Publisher, workers: Workers, tmp_path: Path, clock: Clock
) -> Callable[[Using], object]:
    def run(use: Using) -> object:
        async def using() -> object:
            settings = replace(FetchSettings(), private_hosts=(publisher.host,), host_seconds=0)
            async with HttpFetcher(settings, version="1", now=clock) as fetcher:
                cache = PictureCache(tmp_path / "pictures", 50_000_000)
                pictures = Pictures(fetcher, workers, cache, clock)
                try:
                    return await use(pictures)
                finally:
                    await pictures.close()

        return asyncio.run(using())

    return run


Run = Callable[[Using], object]


def got(run: Run, url: str, longest: int = WHOLE) -> CachedPicture:
    found = run(lambda pictures: pictures.get(url, longest))
    assert isinstance(found, CachedPicture)
    return found


@pytest.mark.parametrize("form", ["JPEG", "PNG", "WEBP", "AVIF"])
def test_what_is_large_is_made_smaller(with_pictures: Run, publisher: Publisher, form: str) -> None:
    url = publisher.puts("/large", encoded(form))
    whole, small = got(with_pictures, url), got(with_pictures, url, THUMBNAIL)
    for found, longest in ((whole, WHOLE), (small, THUMBNAIL)):
        assert found.type == "image/webp"
        assert max(Image.open(io.BytesIO(found.body)).size) == longest
    assert len(small.body) < len(whole.body)


PICTURES = {
    "large": partial(encoded, "WEBP"),
    "small": partial(encoded, "PNG", (60, 40)),
    "moving": moving,
}


@pytest.mark.parametrize("made", PICTURES.values(), ids=PICTURES)
def test_for_mail_each_is_a_small_jpeg(
    with_pictures: Run, publisher: Publisher, made: Callable[[], bytes]
) -> None:
    found = got(with_pictures, publisher.puts("/any", made()), MAIL)
    assert found.type == "image/jpeg"
    shown = Image.open(io.BytesIO(found.body))
    assert shown.format == "JPEG"
    assert max(shown.size) <= MAIL


def test_what_is_small_stays_as_it_is(with_pictures: Run, publisher: Publisher) -> None:
    body = encoded("PNG", (60, 40))
    assert got(with_pictures, publisher.puts("/a.png", body)) == CachedPicture("image/png", body)


def test_a_moving_picture_stays_one(with_pictures: Run, publisher: Publisher) -> None:
    body = moving(5)
    assert len(body) > MOST_BYTES[WHOLE]
    assert got(with_pictures, publisher.puts("/a.gif", body)) == CachedPicture("image/gif", body)


def frames(width: int, height: int, count: int) -> bytes:
    """A GIF of empty frames, each of 23 bytes."""
    head = b"GIF89a" + struct.pack("<HH", width, height) + b"\x80\0\0" + b"\0\0\0\xff\xff\xff"
    frame = b"!\xf9\x04\0\x0a\0\0\0,\0\0\0\0" + struct.pack("<HH", 1, 1) + b"\0\x02\x02D\x01\0"
    return head + frame * count + b";"


@pytest.mark.parametrize(
    ("size", "count"), [((6_000, 6_000), 20_000), ((1_500, 1_500), 5_000)], ids=["huge", "small"]
)
def test_of_a_moving_picture_with_too_many_pixels_the_first_frame_is_shown(
    with_pictures: Run, publisher: Publisher, size: tuple[int, int], count: int
) -> None:
    url = publisher.puts("/bomb.gif", frames(*size, count))
    found = got(with_pictures, url)
    assert found.type == "image/webp"
    assert not getattr(Image.open(io.BytesIO(found.body)), "is_animated", False)


def test_the_camera_s_orientation_is_kept(with_pictures: Run, publisher: Publisher) -> None:
    turned = Image.Exif()
    turned[0x0112] = 6
    url = publisher.puts("/turned.jpg", encoded("JPEG", (2000, 1000), exif=turned))
    width, height = Image.open(io.BytesIO(got(with_pictures, url).body)).size
    assert (width, height) == (800, 1600)


def test_one_that_ends_too_early_is_shown_as_far_as_it_goes(
    with_pictures: Run, publisher: Publisher
) -> None:
    body = encoded("JPEG")
    found = got(with_pictures, publisher.puts("/half.jpg", body[: len(body) // 2]))
    assert found.type == "image/webp"


HUGE = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\xff\xff\0\0\xff\xff\x08\x02\0\0\0"

NONE = {
    "a page": (b"<html>Not found</html>", "image/jpeg", 200),
    "nothing": (b"", "image/jpeg", 200),
    "missing": (b"no", "text/plain", 404),
    "broken inside": (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + b"\0\0\x0f\xff" * 2 + b"x" * 50, "", 200),
    "65,535 pixels on a side": (HUGE + b"\0" * 100, "image/png", 200),
    "a program": (b"MZ" + b"\0" * 500, "image/png", 200),
    "a drawing that says it is a page": (b"<svg></svg>", "text/html", 200),
}


@pytest.mark.parametrize(("body", "kind", "status"), NONE.values(), ids=NONE)
def test_what_is_no_picture_is_none(
    with_pictures: Run, publisher: Publisher, body: bytes, kind: str, status: int
) -> None:
    url = publisher.puts("/none", body, status, Content_Type=kind)
    found = got(with_pictures, url)
    assert found.type == ""
    assert found.problem


def test_a_drawing_goes_as_one(with_pictures: Run, publisher: Publisher) -> None:
    body = b"<svg xmlns='http://www.w3.org/2000/svg'/>"
    url = publisher.puts("/a.svg", body, Content_Type="image/svg+xml; charset=utf-8")
    assert got(with_pictures, url) == CachedPicture("image/svg+xml", body)


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:9/a.png", "http://169.254.169.254/x", "ftp://x/y"]
)
def test_the_guard_of_addresses_holds_here_too(with_pictures: Run, url: str) -> None:
    found = got(with_pictures, url)
    assert found.type == ""
    assert found.problem


def test_each_is_asked_for_once_until_it_is_old(
    with_pictures: Run, publisher: Publisher, clock: Clock
) -> None:
    url = publisher.puts("/a.png", encoded("PNG", (60, 40)))

    async def several(pictures: Pictures) -> object:
        return await asyncio.gather(*(pictures.get(url, WHOLE) for _ in range(5)))

    found = with_pictures(several)
    assert isinstance(found, list)
    assert len({one.body for one in found}) == 1
    assert got(with_pictures, url).type == "image/png"
    assert len(publisher.asked) == 1
    clock.now += GOOD + timedelta(hours=1)
    got(with_pictures, url)
    assert len(publisher.asked) == 2


def test_that_there_is_none_is_believed_for_a_while(
    with_pictures: Run, publisher: Publisher, clock: Clock
) -> None:
    url = publisher.url + "/later.png"
    assert got(with_pictures, url).type == got(with_pictures, url).type == ""
    assert len(publisher.asked) == 1
    publisher.puts("/later.png", encoded("PNG", (60, 40)))
    clock.now += BAD + timedelta(seconds=1)
    assert got(with_pictures, url).type == "image/png"


def test_one_who_goes_away_takes_it_from_nobody(with_pictures: Run, publisher: Publisher) -> None:
    url = publisher.puts("/a.png", encoded("PNG", (60, 40)))

    async def two(pictures: Pictures) -> object:
        first = asyncio.create_task(pictures.get(url, WHOLE))
        second = asyncio.create_task(pictures.get(url, WHOLE))
        await asyncio.sleep(0)
        first.cancel()
        return await second

    found = with_pictures(two)
    assert isinstance(found, CachedPicture)
    assert found.type == "image/png"
