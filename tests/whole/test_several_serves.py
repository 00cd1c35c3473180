"""Several `serve`s on one PostgreSQL: what is done at one holds at all; a kill loses nothing.

SERVE_KILLS sets how often each part is killed at a random moment: 1 unless set, 20 in full.
"""

from __future__ import annotations

import os
import random
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path

import httpx
import pytest

import postgres
from newsloom.accounts.service.account_service import Hasher
from newsloom.kernel.ids import UserId
from newsloom.reading.values.reading import ListQuery
from newsloom.store import Store, open_store
from store.builders import HALF_LIVES, add
from whole.several_serves import SOON, Serve, serving, until

KILLS = int(os.environ.get("SERVE_KILLS", "1"))
ARTICLES = 60
NAME, PASSWORD = "anna", "a long enough password"
STREAM = {"accept": "text/event-stream"}


@pytest.fixture
def cluster() -> Iterator[postgres.Cluster]:
    programs = postgres.programs()
    if programs is None:
        pytest.skip("there is no PostgreSQL on this machine")
    with postgres.running(programs) as found:
        found.make("news")
        yield found


def clock() -> datetime:
    return datetime.now(UTC)  # noqa: TID251 - of the processes that are started here


def opened(cluster: postgres.Cluster) -> Store:
    return open_store(cluster.address("news"), now=clock)


def furnished(cluster: postgres.Cluster) -> UserId:
    """One account with some articles of a feed that nobody asks for."""
    with closing(opened(cluster)) as store:
        now = clock()
        reader = store.users.user("reader", now)
        store.accounts.add_first_account(NAME, Hasher().hash(PASSWORD), now, reader)
        feed, _ = store.reading.subscribe(reader, "http://127.0.0.1:9/feed", now)
        add(store, feed, *(f"article {number}" for number in range(ARTICLES)))
        return reader


@contextmanager
def signed_in(address: str) -> Iterator[httpx.Client]:
    with httpx.Client(timeout=20, headers={"referer": address + "/"}) as client:
        form = {"name": NAME, "password": PASSWORD}
        answer = client.post(address + "/sign-in", data=form)
        assert answer.status_code == 303, answer.text
        yield client


def event(lines: Iterator[str]) -> str:
    """The id of the next event of a stream."""
    for line in lines:
        if line.startswith("id: "):
            return line.removeprefix("id: ")
    return ""


def leads(store: Store) -> str:
    found = [one.owner for one in store.serving.serves(clock()) if one.leads]
    return found[0] if found else ""


@pytest.mark.timeout(300)
def test_what_is_done_at_one_holds_at_all(cluster: postgres.Cluster, tmp_path: Path) -> None:
    reader = furnished(cluster)
    with (
        serving(tmp_path, cluster.address("news"), 2) as (serves, balancer),
        signed_in(serves[0].address) as client,
    ):
        first, second = (one.address for one in serves)
        assert client.get(second + "/").status_code == 200
        assert all(client.get(balancer.address + "/").status_code == 200 for _ in range(4))
        with closing(opened(cluster)) as store:
            (article, *_) = store.lists.page_ids(reader, ListQuery(), clock(), HALF_LIVES)
            mark, undo = f"/articles/{article}/marks", "/undo"
            with client.stream("GET", second + "/events", headers=STREAM) as answer:
                lines = answer.iter_lines()
                assert next(lines).startswith("retry")
                time.sleep(1)  # the state it begins with is known
                began = time.monotonic()
                other = {"referer": first + "/"}
                client.post(first + mark, data={"kind": "like"}, headers=other)
                known = event(lines)
                took = time.monotonic() - began
            assert took < 2, took
            client.post(second + undo, headers={"referer": second + "/"})
            assert store.reading.newest_step(reader)[0] == 0
            # The page comes back to the other process, and is told what it missed.
            with client.stream(
                "GET", first + "/events", headers=STREAM | {"last-event-id": known}
            ) as answer:
                missed = event(answer.iter_lines())
            assert missed != known
            assert len(store.serving.serves(clock())) == 2
            assert leads(store)
        client.post(first + "/sign-out", headers={"referer": first + "/"})
        assert client.get(second + "/").status_code == 303


@pytest.mark.crash
@pytest.mark.postgres
@pytest.mark.timeout(1800)
def test_a_kill_loses_nothing_and_work_goes_on(cluster: postgres.Cluster, tmp_path: Path) -> None:
    """Likes are sent all the while; each that was acknowledged is there once, whatever dies."""
    reader = furnished(cluster)
    chance = random.Random(15)
    with (
        serving(tmp_path, cluster.address("news"), 2) as (serves, balancer),
        signed_in(serves[0].address) as client,
    ):
        with closing(opened(cluster)) as store:
            articles = list(store.lists.page_ids(reader, ListQuery(), clock(), HALF_LIVES))
            done: list[int] = []
            refused: list[int] = []
            over = threading.Event()
            sending = threading.Thread(
                target=_like, args=(client, balancer.address, articles, done, refused, over)
            )
            sending.start()
            try:
                for round_ in range(KILLS):
                    time.sleep(chance.uniform(0.2, 2))
                    _kill_a_serve(chance.choice(serves), balancer.address, client)
                    time.sleep(chance.uniform(0.2, 2))
                    before = len(done)
                    cluster.kill()
                    until(lambda: httpx.get(serves[0].address + "/feeds").status_code == 503, 10)
                    page = httpx.get(serves[0].address + "/feeds")
                    assert page.headers["retry-after"] == "5"
                    assert "The database cannot be reached" in page.text
                    cluster.start()
                    until(lambda: len(done) > before)  # noqa: B023
                    assert all(one.process and one.process.poll() is None for one in serves), round_
            finally:
                over.set()
                sending.join()
            until(lambda: bool(leads(store)))
            events = store.reading.newest_step(reader)
            liked = cluster.sql(
                "news", "SELECT article_id, count(*) FROM events WHERE kind = 'like' GROUP BY 1"
            )
        assert events[0]
        counts = dict(liked)
        assert {one for one in done if one not in counts} == set()
        assert {one for one, count in counts.items() if count != 1} <= set(refused)


def _kill_a_serve(one: Serve, address: str, client: httpx.Client) -> None:
    one.kill()
    until(lambda: client.get(address + "/").status_code == 200, SOON)
    one.start()
    one.ready()


def _like(
    client: httpx.Client,
    address: str,
    articles: list[int],
    done: list[int],
    refused: list[int],
    over: threading.Event,
) -> None:
    """Like one after the other; what was not acknowledged is sent again, with the same key."""
    for number, article in enumerate(articles * 50):
        if over.is_set():
            return
        if number >= len(articles):
            time.sleep(0.2)
            if client_ok(client, address):
                done.append(article)
            continue
        while not over.is_set():
            try:
                answer = client.post(
                    f"{address}/articles/{article}/marks",
                    data={"kind": "like"},
                    headers={
                        "referer": address + "/",
                        "newsloom-key": f"00000000-0000-0000-0000-{article:012x}",
                    },
                )
            except httpx.HTTPError:
                refused.append(article)
            else:
                if answer.status_code == 303:
                    done.append(article)
                    break
                refused.append(article)
            time.sleep(0.1)
        time.sleep(0.2)


def client_ok(client: httpx.Client, address: str) -> bool:
    try:
        return client.get(address + "/").status_code == 200
    except httpx.HTTPError:
        return False
