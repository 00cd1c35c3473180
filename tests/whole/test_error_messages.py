"""What strangers and readers learn while the database is down or its disk is full."""

from __future__ import annotations

import resource
import signal
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path

import httpx
import pytest

import postgres
from cli.serving import READY, started
from newsloom.kernel import errors
from newsloom.kernel.errors import (
    Audience,
    NewsloomError,
    StoreAway,
    StoreBusy,
    StoreFull,
    error_reply,
)
from publisher import Publisher
from sync.scene import Scene, furnish, opened

SECRET = "postgresql://news@db.internal/news, /srv/news.db, SELECT secret"
TREE = [
    one
    for one in vars(errors).values()
    if isinstance(one, type) and issubclass(one, Exception) and one is not errors.MustWait
]
OPEN = (
    "sign-in",
    "health/ready",
    "healthz",
    "metrics",
    "invited/token",
    "digest/leave/token",
    "digest/feed/token",
    "podcast/token",
    "list-feed/token",
    "push/token",
    "api/v1/articles",
    "",
)


@pytest.mark.parametrize("audience", [Audience.ANONYMOUS, Audience.READER])
def test_errors_of_the_server_are_told_without_its_details(audience: Audience) -> None:
    told: dict[type, str] = {}
    for kind in TREE:
        error: Exception = kind.__new__(kind)
        error.args = (SECRET,)
        told[kind] = error_reply(error, audience).message
    shown = {kind for kind, message in told.items() if "secret" in message}
    allowed: list[type] = [errors.UserError, errors.ServerBusy]
    if audience is Audience.READER:
        allowed += [errors.FetchError, errors.ParseError]
    assert all(issubclass(kind, tuple(allowed)) for kind in shown)
    assert errors.SettingsError not in shown
    assert all(told.values())
    assert error_reply(RuntimeError(SECRET), Audience.OWNER).message == errors.OUR_FAULT
    assert error_reply(errors.StoreError(SECRET), Audience.OWNER).message == SECRET
    kinds = (StoreAway, StoreBusy, StoreFull, NewsloomError)
    assert [error_reply(one(), audience).status for one in kinds] == [503, 503, 507, 500]


def answers(url: str, scene: Scene) -> Iterator[tuple[str, httpx.Response]]:
    """What strangers, and apps with a password, get at every address that is open to them."""
    page = {"sec-fetch-site": "same-origin"}
    bearer = {"authorization": f"Bearer {scene.ann.secret}"}
    login = {"Email": "ann", "Passwd": "wrong"}
    with httpx.Client(base_url=url, timeout=60) as client:
        for path in OPEN:
            yield path, client.get(path)
        wrong = {"name": "ann", "password": "wrong"}
        yield "POST sign-in", client.post("sign-in", data=wrong, headers=page)
        yield "ClientLogin", client.post("accounts/ClientLogin", data=login)
        yield "greader", client.get("reader/api/0/subscription/list", headers=scene.ann.auth)
        yield "fever", client.post("fever/?api&items", data={"api_key": "0" * 32})
        yield "fever app", client.post("fever/?api&items", data={"api_key": scene.ann.fever_key})
        yield "mcp", client.post("mcp", headers={"authorization": "Bearer wrong"}, json={})
        call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}
        tool = {"params": {"name": "list_feeds", "arguments": {}}}
        headers = {**bearer, "accept": "application/json, text/event-stream"}
        yield "mcp app", client.post("mcp", headers=headers, json=call | tool)
        yield "api", client.get("api/v1/articles", headers=bearer)


def check(url: str, scene: Scene, secrets: tuple[str, ...]) -> Mapping[str, int]:
    """The statuses; no answer names a secret, and each has the security headers."""
    statuses, leaks, bare = {}, [], []
    for name, answer in answers(url, scene):
        statuses[name] = answer.status_code
        text = answer.text + str(answer.headers)
        leaks += [(name, one) for one in (*secrets, "SELECT", "Traceback") if one in text]
        wanted = ("x-content-type-options", "content-security-policy", "referrer-policy")
        bare += [(name, one) for one in wanted if one not in answer.headers]
    assert leaks == []
    assert bare == []
    return statuses


@contextmanager
def serving(scene: Scene, folder: Path, **environment: str) -> Iterator[tuple[str, int]]:
    """`newsloom serve` with MCP: its address and process."""
    process = started(
        folder / "news.db", NEWSLOOM_MCP_HTTP="true", NEWSLOOM_USER="ann", **environment
    )
    assert process.stdout is not None
    try:
        yield next(one for one in process.stdout if one.startswith(READY)).split()[3], process.pid
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.communicate(timeout=30)
        except subprocess.TimeoutExpired:
            process.kill()


def test_a_full_disk(tmp_path: Path, publisher: Publisher) -> None:
    app = opened(tmp_path / "news.db", publisher)
    with closing(app):
        scene = furnish(app, publisher)
    with serving(scene, tmp_path) as (url, pid):
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (1_000, 1_000))
        statuses = check(url, scene, (str(tmp_path), "news.db"))
    assert (statuses["POST sign-in"], statuses["greader"], statuses["api"]) == (507, 200, 200)


@pytest.mark.postgres
def test_a_database_that_is_down(tmp_path: Path, publisher: Publisher) -> None:
    programs = postgres.programs()
    if programs is None:
        pytest.skip("there is no PostgreSQL on this machine")
    with postgres.running(programs) as cluster:
        cluster.make("news")
        address = cluster.address("news")
        with closing(opened(tmp_path / "news.db", publisher, address)) as app:
            scene = furnish(app, publisher)
        with serving(scene, tmp_path, NEWSLOOM_STORE_URL=address) as (url, _pid):
            assert check(url, scene, ())["mcp"] == 401
            cluster.kill()
            statuses = check(url, scene, ("postgres", "127.0.0.1", str(tmp_path)))
            cluster.start()
    down = {"POST sign-in", "ClientLogin", "greader", "fever", "mcp", "api"}
    assert {one: statuses[one] for one in down} == dict.fromkeys(down, 503)


def test_a_feed_that_cannot_be_stored(tmp_path: Path, publisher: Publisher) -> None:
    """Its problem is shown to all who follow it."""
    with closing(opened(tmp_path / "news.db", publisher)) as app:
        scene = furnish(app, publisher)
        with app.store.database.write() as connection:
            connection.exec_driver_sql(
                "CREATE TRIGGER refusal BEFORE INSERT ON articles"
                " BEGIN SELECT RAISE(ABORT, 'secret'); END"
            )
        scene.publish("tides", *range(9))
        scene.poll(scene.ann.feeds)
        found = [one.problem for one in app.reader().subscriptions() if "tides" in one.url]
    assert found == [
        f"could not be stored: {error_reply(errors.StoreError(), Audience.READER).message}"
    ]
