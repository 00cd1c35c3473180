"""Health and metrics: what is told of the server, to whom, and that it tells of no reading."""

from __future__ import annotations

import pytest
from prometheus_client.parser import text_string_to_metric_families
from starlette.testclient import TestClient

from newsloom.app.reader import Activity
from newsloom.feeds.values.polling import PassReport, PollCounts, StageReport
from newsloom.kernel.errors import StoreBusy
from newsloom.web.app import create_app
from newsloom.web.metrics import Metrics
from web.world import World

LAST = PassReport(
    PollCounts(feeds=5, changed=2, unchanged=2, failed=1),
    (StageReport("same event", 3, 0.1), StageReport("embed", 0, 0.1, "no model")),
    2.5,
)


def metrics(world: World, token: str = "") -> Metrics:
    store = world.reader().store
    return Metrics(
        figures=store.feeds.figures,
        store_bytes=store.database.size,
        set_aside=lambda: len(store.work.set_aside()),
        serving=lambda: (1, True),
        activity=lambda: Activity(running=True, last_pass=LAST),
        now=world.reader().now,
        token=token,
        jobs=store.jobs.open_jobs,
    )


def client(world: World, metrics: Metrics | None, peer: str = "127.0.0.1") -> TestClient:
    app = create_app(world.reader(), metrics=metrics)
    return TestClient(app, base_url="http://127.0.0.1", client=(peer, 4711))


def values(text: str) -> dict[str, float]:
    """Samples by name and labels, as a Prometheus reads them."""
    return {
        sample.name
        + "".join(f" {name}={value}" for name, value in sorted(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def test_alive_and_ready(world: World) -> None:
    asked = client(world, None)
    assert asked.get("/health").json() == {"ok": True}
    assert asked.get("/health/ready").json() == {"ok": True, "store": "answers"}


class Broken:
    """A reader whose store does not answer."""

    def __getattr__(self, _name: str) -> object:
        raise StoreBusy("The database /home/me/secret.db is held.")


def test_alive_and_not_ready_while_the_store_does_not_answer(world: World) -> None:
    app = create_app(world.reader())
    app.state.sites.shared.reader = Broken()
    client = TestClient(app, base_url="http://127.0.0.1")
    assert client.get("/health").status_code == 200
    answer = client.get("/health/ready")
    assert answer.status_code == 503
    assert "secret" not in answer.text


def test_metrics_tell_how_it_does(world: World) -> None:
    asked = client(world, metrics(world))
    asked.get("/health")
    found = values(asked.get("/metrics").text)
    assert found["newsloom_pass_running"] == 1
    assert found["newsloom_last_pass_duration_seconds"] == 2.5
    assert found["newsloom_last_pass_feeds outcome=failed"] == 1
    assert found["newsloom_last_pass_stage_problem stage=embed"] == 1
    assert found["newsloom_last_pass_stage_problem stage=same_event"] == 0
    feeds = sum(value for name, value in found.items() if name.startswith("newsloom_feeds state="))
    assert feeds == len(world.reader().subscriptions())
    assert found["newsloom_articles_stored_total"] > 60
    assert found["newsloom_store_size_bytes"] > 10_000
    assert found["newsloom_http_requests_total method=GET status=200"] == 1
    assert found["newsloom_http_request_duration_seconds_count"] == 1
    assert found["newsloom_http_request_duration_seconds_bucket le=+Inf"] == 1


def test_metrics_tell_of_no_reading(world: World) -> None:
    reader = world.reader()
    before = client(world, metrics(world)).get("/metrics").text
    names = {one.feed_id: one.title for one in reader.subscriptions()}
    assert not [title for title in names.values() if title in before]
    assert "unread" not in before
    assert "user=" not in before
    assert "/articles" not in before


@pytest.mark.parametrize("text", ["off", "elsewhere", "proxied"])
def test_to_others_there_is_nothing(world: World, text: str) -> None:
    headers = {"x-forwarded-for": "203.0.113.9"} if text == "proxied" else {}
    asked = client(
        world,
        None if text == "off" else metrics(world),
        "192.0.2.1" if text == "elsewhere" else "127.0.0.1",
    )
    assert asked.get("/metrics", headers=headers).status_code == 404


def test_a_token_opens_them_from_anywhere(world: World) -> None:
    asked = client(world, metrics(world, "s3cret"), "192.0.2.1")
    assert asked.get("/metrics").status_code == 404
    for given, status in (("Bearer wrong", 404), ("Bearer s3cret", 200), ("Bearer é", 404)):
        answer = asked.get("/metrics", headers={"authorization": given.encode()})
        assert answer.status_code == status
