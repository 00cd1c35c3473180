"""The engine on Ray, on nodes that are processes of this machine, with PostgreSQL.

`make ray`: Ray needs an environment of its own. RAY_KILLS says how many kills of each kind there
are; all that is asked for is 20.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from test_engines import LONG, command, environment, eventually, made, opened, polled

import postgres
from engine_rows import differing, rows
from newsloom.app import utc_now
from newsloom.engines.ray_driver import receive, send
from newsloom.kernel.errors import SettingsError
from newsloom.kernel.settings import Settings
from newsloom.store import Store, copying, open_store
from ports import kept_port

ray = pytest.importorskip("ray", reason="needs the extra ray: `make ray`")
pytestmark = [pytest.mark.ray, pytest.mark.timeout(1200)]
__all__ = ["polled"]  # a fixture

KILLS = int(os.environ.get("RAY_KILLS", "1"))
GOES_ON = 60.0  # seconds after a kill within which more articles are done
SECRET = "hunter2"  # in addresses of the database; the server asks for none


class Nodes:
    """A Ray cluster: a head without processors, and two nodes of one each."""

    def __init__(self, port: int) -> None:
        from ray.cluster_utils import Cluster

        self.port = port
        self.cluster = Cluster()
        self.nodes: list[object] = []
        self.begin()

    @property
    def address(self) -> str:
        """By the address that Ray gives this machine; it takes 127.0.0.1 for that too."""
        return str(self.cluster.address)

    def begin(self) -> None:
        self._add(num_cpus=0, gcs_server_port=self.port, include_dashboard=False)
        self.nodes = [self._add(num_cpus=1), self._add(num_cpus=1)]

    def _add(self, **more: object) -> object:
        return self.cluster.add_node(object_store_memory=80_000_000, **more)

    def kill_worker(self, store: Store, chance: random.Random) -> None:
        """One that holds a batch."""
        held = eventually(lambda: store.work.held_work(utc_now()))
        os.kill(int(chance.choice(held).owner.split(":")[1]), signal.SIGKILL)

    def kill_node(self, _store: Store, chance: random.Random) -> None:
        """With its worker; another joins."""
        one = self.nodes.pop(chance.randrange(len(self.nodes)))
        self.cluster.remove_node(one, allow_graceful=False)
        self.nodes.append(self._add(num_cpus=1))

    def kill_head(self, _store: Store, _chance: random.Random) -> None:
        """With all it knows, and the nodes; another cluster begins at the same address."""
        self.close()
        self.begin()

    def close(self) -> None:
        for one in [*self.nodes, self.cluster.head_node]:
            one.kill_all_processes(check_alive=False, allow_graceful=False, wait=True)
        self.cluster.worker_nodes.clear()
        self.cluster.head_node = None


@pytest.fixture
def server() -> Iterator[postgres.Cluster]:
    programs = postgres.embedded()
    if programs is None:
        pytest.skip("there is no embedded PostgreSQL on this machine")
    with postgres.running(programs) as cluster:
        yield cluster


@pytest.fixture
def database(server: postgres.Cluster, polled: Path) -> str:
    """The same articles in PostgreSQL."""
    server.make("news")
    address = server.address("news").replace("newsloom@", f"newsloom:{SECRET}@")
    with closing(opened(polled)) as source, closing(store_at(address)) as target:
        copying.copy(source.database, target.database, lambda *_said: None)
    return address


def store_at(address: str) -> Store:
    return open_store(address, now=utc_now)


@pytest.fixture
def nodes(database: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Nodes]:
    """Their environment has the address of the database, as that of other machines would."""
    monkeypatch.setenv("NEWSLOOM_STORE_URL", database)
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    with kept_port() as port:
        found = Nodes(port)
        yield found
        found.close()


def on_ray(nodes: Nodes, folder: Path) -> list[str]:
    """`newsloom work` there; its environment has the database too."""
    os.environ["NEWSLOOM_WORK_RAY_ADDRESS"] = nodes.address
    os.environ["NEWSLOOM_STORE_PATH"] = str(folder / "none.db")
    return command("work", "--engine", "ray", "--workers", "2", "--json")


@pytest.fixture(autouse=True)
def surroundings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Taken back at the end."""
    monkeypatch.setenv("NEWSLOOM_WORK_RAY_ADDRESS", "")
    monkeypatch.setenv("NEWSLOOM_STORE_PATH", "none.db")


@pytest.mark.parametrize("polled", [9], indirect=True)
def test_ray_makes_the_same_rows_and_tells_of_itself_and_of_no_secret(
    nodes: Nodes, database: str, polled: Path, tmp_path: Path
) -> None:
    alone = Path(shutil.copy(polled, tmp_path / "alone.db"))
    # What hangs is ended by pytest's own limit: a busy machine took 84 seconds for this.
    done = subprocess.run(on_ray(nodes, tmp_path), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert (told["problems"], told["restarts"]) == ({}, 0)
    assert 1 <= told["workers"] <= 2
    status = subprocess.run(
        command("work", "--status", "--json"),
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    there = json.loads(status.stdout)
    assert there["pending"] == there["workers"] == []
    assert [one["cpus"] for one in there["ray"]["nodes"] if one["alive"]].count(1.0) == 2
    logs = "".join(
        one.read_text(errors="replace")
        for one in Path(nodes.cluster.head_node.get_session_dir_path()).rglob("logs/*")
        if one.is_file()
    )
    assert SECRET not in done.stdout + done.stderr + status.stdout + logs
    assert logs, "they were read"
    expected = alone_made(alone)
    with closing(store_at(database)) as store:
        found = rows(store)
    assert differing(found, expected) == []


def alone_made(path: Path) -> dict[str, list[object]]:
    """What one process makes of it, in SQLite."""
    line = command("work", "--json")
    surroundings = {**os.environ, "NEWSLOOM_STORE_URL": "", "NEWSLOOM_STORE_PATH": str(path)}
    subprocess.run(line, env=surroundings, check=True, capture_output=True)
    return made(path)


@pytest.mark.parametrize("what", ["worker", "node", "head"])
def test_killed_on_ray_nothing_is_lost_and_the_work_goes_on(
    nodes: Nodes, database: str, what: str, tmp_path: Path
) -> None:
    """At random moments of the first pass and, where more kills are asked for, of others."""
    chance = random.Random(f"20261124 {what}")
    with closing(store_at(database)) as store, working(on_ray(nodes, tmp_path)) as process:
        for number in range(KILLS):
            if number:
                forget(store)
            eventually(lambda: store.work.held_work(utc_now()))
            threading.Event().wait(chance.uniform(0, 1))
            getattr(nodes, f"kill_{what}")(store, chance)
            killed, before = time.monotonic(), progress(store)
            if left(store):
                eventually(lambda before=before: progress(store) > before or not left(store))
                assert time.monotonic() - killed < GOES_ON
            eventually(lambda: not left(store))
        process.send_signal(signal.SIGTERM)
        printed, _ = process.communicate(timeout=LONG)
        assert process.returncode == 0
        assert json.loads(printed)["problems"] == {}
        found = rows(store)
        assert store.check() == ()
    assert len(found["embeddings"]) == len(found["texts"]) == len(found["states"])
    assert found["work_batches"] == found["work_failures"] == []


@contextmanager
def working(line: list[str]) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        [*line, "--watch"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def progress(store: Store) -> int:
    tables = "texts", "signatures", "embeddings", "story_members", "ratings", "importances"
    return sum(store.database.sizes(*tables))


def left(store: Store) -> bool:
    """Whether something is not done."""
    asked = store.database.sizes("texts", "signatures", "embeddings", "story_members", "ratings")
    unscored = sum(store.lists.unscored(user) for user, _name in store.users.users())
    return len({*asked}) > 1 or not asked[0] or bool(unscored)


def forget(store: Store) -> None:
    """As if it were to be embedded and rated anew."""
    with store.database.write() as connection:
        for table in ("story_members", "ratings", "embeddings"):
            connection.exec_driver_sql(f"DELETE FROM {table}")


def test_each_machine_has_its_own_secrets(tmp_path: Path) -> None:
    url = f"postgresql://me:{SECRET}@db/news"
    settings = Settings()
    settings = replace(settings, store=replace(settings.store, url=url))
    file = tmp_path / "newsloom.toml"
    sent = send(settings, str(file))
    assert SECRET not in repr(sent)
    with pytest.raises(SettingsError, match=r"Missing on this machine: store\.url"):
        receive(sent, {"NEWSLOOM_USER": "reader"})
    assert receive(sent, {"NEWSLOOM_STORE_URL": url}) == settings
    file.write_text(f'[store]\nurl = "{url}"\n')
    assert receive(sent, {}) == settings
    other = replace(send(Settings(), ""), host="elsewhere")
    with pytest.raises(SettingsError, match="SQLite file of elsewhere"):
        receive(other, {})


def test_a_cluster_that_is_not_there_is_told_at_once(tmp_path: Path) -> None:
    with kept_port() as port:
        address = f"127.0.0.1:{port}"
        surroundings = environment(tmp_path / "n.db", NEWSLOOM_WORK_RAY_ADDRESS=address)
        done = subprocess.run(
            command("work", "--engine", "ray"),
            env=surroundings, capture_output=True, text=True, check=False, timeout=LONG,
        )  # fmt: skip
    assert done.returncode == 2
    assert f"Ray does not respond at {address}" in done.stderr
