"""Limits of request bodies, at a server with pages, APIs, sync protocols and MCP."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import httpx
import pytest

from cli.serving import served
from publisher import publishing
from sync.scene import Scene, furnish, opened

PAGE = {"sec-fetch-site": "same-origin"}
FILE = {**PAGE, "content-type": "multipart/form-data; boundary=B"}
FILE_PART = b'--B\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\n'


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    store = tmp_path_factory.mktemp("bodies") / "news.db"
    with publishing() as publisher:
        app = opened(store, publisher)
        try:
            scene = furnish(app, publisher)
            with served(store, NEWSLOOM_MCP_HTTP="true", NEWSLOOM_USER="ann") as scene.url:
                yield scene
        finally:
            app.close()


def parts(count: int, part: bytes = b"x" * 100_000) -> Iterator[bytes]:
    """A body without a Content-Length."""
    for _ in range(count):
        yield part


def test_too_large_bodies_are_refused_wherever_they_are_read(scene: Scene) -> None:
    bearer = {"authorization": f"Bearer {scene.ann.secret}"}
    json = {**bearer, "content-type": "application/json"}
    statuses: dict[str, tuple[int, int]] = {}
    for path, headers, most in (
        ("sign-in", PAGE, 64_000),
        ("accounts/ClientLogin", {}, 64_000),
        ("fever/?api", {}, 64_000),
        ("api/fever.php?api", {}, 64_000),
        ("reader/api/0/edit-tag", {}, 64_000),
        ("reader/api/0/edit-tag", scene.ann.auth, 4_000_000),
        ("reader/api/0/subscription/import", scene.ann.auth, 16_000_000),
        ("api/greader.php/reader/api/0/subscription/import", scene.ann.auth, 16_000_000),
        ("api/v1/marks", json, 1_000_000),
        ("api/v1/opml", json, 16_000_000),
        ("mcp", json, 100_000),
    ):
        form = {"content-type": "application/x-www-form-urlencoded", **headers}
        declared = httpx.post(scene.url + path, headers=form, content=b"x" * (most + 1), timeout=60)
        chunked = httpx.post(
            scene.url + path, headers=form, content=parts(most // 100_000 + 1), timeout=60
        )
        statuses[f"{path} {most}"] = declared.status_code, chunked.status_code
        assert declared.headers["x-content-type-options"] == "nosniff"
    assert statuses == dict.fromkeys(statuses, (413, 413))


def test_files_are_refused_where_none_is_expected(scene: Scene) -> None:
    """At once, while the client goes on sending, and without writing any of it to disk."""
    head = "".join(f"{name}: {value}\r\n" for name, value in FILE.items())
    port = httpx.URL(scene.url).port or 0
    with socket.create_connection(("127.0.0.1", port), 10) as one:
        one.sendall(
            f"POST /sign-in HTTP/1.1\r\nHost: localhost\r\n{head}"
            "Content-Length: 10000000000\r\n\r\n".encode()
            + FILE_PART
            + b"x" * 3_000_000
        )
        assert one.recv(100).startswith(b"HTTP/1.1 415 ")
    answer = httpx.post(
        f"{scene.url}fever/?api", headers=FILE, content=FILE_PART + b"x\r\n--B--\r\n", timeout=60
    )
    assert answer.status_code == 400


def test_who_may_not_change_anything_is_refused_before_the_body_is_read(scene: Scene) -> None:
    wrong = {"authorization": "GoogleLogin auth=ann/wrong"}
    for path, headers in (
        ("feeds/import", FILE),
        ("mcp", {"authorization": "Bearer wrong"}),
        ("reader/api/0/edit-tag", wrong),
    ):
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        port = httpx.URL(scene.url).port or 0
        with socket.create_connection(("127.0.0.1", port), 10) as one:
            one.sendall(
                f"POST /{path} HTTP/1.1\r\nHost: localhost\r\n{lines}"
                "Content-Length: 1000\r\n\r\n".encode()
            )
            assert one.recv(100).startswith(b"HTTP/1.1 401 ")
