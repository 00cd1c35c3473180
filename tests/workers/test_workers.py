"""Workers, real ones: what they answer, how they end, and that nothing ends with them."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from newsloom.feeds.workers import parsing as feeds
from newsloom.kernel.errors import ParseError
from newsloom.kernel.ids import FeedId
from newsloom.kernel.settings import ReadingSettings
from newsloom.kernel.workers.pool import WorkerDied, Workers
from newsloom.kernel.workers.tasks import TASKS, Task

from .conftest import Start


def ask(workers: Workers, does: str, body: bytes = b"") -> bytes:
    return workers.submit("hostile", does, body, bytes).result(timeout=60)


def test_an_answer_comes_back_whole(start: Start) -> None:
    workers = start()
    body = os.urandom(3_000_000)
    assert ask(workers, "echo", body) == body
    assert ask(workers, "echo") == b""


def test_a_refusal_has_the_words_of_the_task(start: Start) -> None:
    with pytest.raises(ParseError, match="no feed, but a page"):
        ask(start(), "refuse", b"a page")


ENDS = {
    "fall": "crashed the process (SIGSEGV)",
    "killed": "crashed the process.",
    "leave": "crashed the process.",
    "spin": "took more than",
    "hog": "exceeded 256 MB of memory.",
    "fail": "Parsing failed (LookupError: [31mred[0m)",
}


@pytest.mark.parametrize("does", ENDS, ids=ENDS.keys())
def test_what_kills_a_worker_is_said_and_harms_nothing_else(does: str, start: Start) -> None:
    workers = start(seconds=1, megabytes=256)
    assert ask(workers, "echo", b"before") == b"before"
    with pytest.raises(WorkerDied) as died:
        ask(workers, does)
    assert ENDS[does] in str(died.value)
    assert ask(workers, "echo", b"after") == b"after"
    assert len(workers.processes()) == 1


def test_a_document_may_use_all_the_memory_that_is_said(start: Start) -> None:
    """Beside what the worker itself holds, which no document is to blame for."""
    workers = start(megabytes=256)
    assert ask(workers, "take", b"250000000") == b"250000000"
    with pytest.raises(WorkerDied, match="exceeded 256 MB"):
        ask(workers, "take", b"260000000")


def test_one_that_only_waits_is_killed_too(start: Start) -> None:
    workers = start(seconds=0.1)
    ask(workers, "echo")
    with pytest.raises(WorkerDied, match=r"more than 0\.6 seconds"):
        ask(workers, "sleep")


def test_one_that_has_grown_is_replaced(start: Start) -> None:
    workers = start()
    ask(workers, "echo")
    before = workers.processes()
    assert ask(workers, "swell") == b"swollen"
    assert workers.processes() == ()
    ask(workers, "echo")
    assert workers.processes() not in ((), before)


def test_it_can_open_no_file_and_no_connection(start: Start, tmp_path: Path) -> None:
    workers = start()
    secret = tmp_path / "secret"
    secret.write_text("secret")
    with pytest.raises(WorkerDied, match="Too many open files"):
        ask(workers, "open", str(secret).encode())
    with socket.create_server(("127.0.0.1", 0)) as server:
        with pytest.raises(WorkerDied, match="Too many open files"):
            ask(workers, "connect", str(server.getsockname()[1]).encode())
        server.setblocking(False)
        with pytest.raises(BlockingIOError):
            server.accept()
    with pytest.raises(WorkerDied):
        ask(workers, "start")


def test_it_knows_none_of_our_secrets(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEWSLOOM_LANGUAGE_MODEL_KEY", "secret")
    assert b"secret" not in ask(start(), "surroundings")


def test_closing_ends_the_busy_and_leaves_no_zombie(start: Start) -> None:
    workers = start(workers=2)
    slow = [workers.submit("hostile", "sleep", b"", bytes) for _ in range(3)]
    while len(workers.processes()) < 2:
        time.sleep(0.01)
    pids = workers.processes()
    workers.close()
    for one in slow[:2]:
        with pytest.raises(WorkerDied):
            one.result(timeout=60)
    assert slow[2].cancelled()
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)  # a zombie could still be signalled
    with pytest.raises(WorkerDied, match="shutting down"):
        workers.submit("hostile", "echo", b"", bytes)


def test_a_cancelled_call_leaves_the_worker_usable(start: Start) -> None:
    workers = start(seconds=1)

    async def cancelled() -> bytes:
        slow = asyncio.create_task(workers.call("hostile", "spin", b"", bytes))
        await asyncio.sleep(0.1)
        slow.cancel()
        with pytest.raises(asyncio.CancelledError):
            await slow
        return await workers.call("hostile", "echo", b"x", bytes)

    assert asyncio.run(cancelled()) == b"x"


def test_workers_end_when_newsloom_is_killed() -> None:
    """Idle, they see that nobody can ask any more; busy, their processor time ends them."""
    code = (
        "import os, sys, time; from datetime import UTC, datetime;"
        "from newsloom.kernel.workers.pool import Workers;"
        "from newsloom.feeds.workers import parsing as feeds;"
        "from newsloom.kernel.settings import ReadingSettings;"
        "w = Workers(ReadingSettings(workers=1));"
        "q = feeds.question('http://a.test/', '', 1, datetime(2026, 11, 1, tzinfo=UTC));"
        "f = w.submit(feeds.TASK, q, b'x', bytes);"
        "f.exception(); print(w.processes()[0], flush=True); time.sleep(600)"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as newsloom:
        assert newsloom.stdout is not None
        worker = int(newsloom.stdout.readline())
        os.kill(worker, 0)
        newsloom.send_signal(signal.SIGKILL)
        newsloom.wait()
    for _ in range(6_000):
        if not _lives(worker):
            break
        time.sleep(0.01)
    assert not _lives(worker)


def _lives(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"  # nobody may be there to bury an orphan


def test_no_worker_starts_before_it_is_asked(start: Start) -> None:
    workers = start()
    assert workers.processes() == ()
    ask(workers, "echo")
    assert len(workers.processes()) == 1


def test_without_workers_a_thread_reads() -> None:
    workers = Workers(ReadingSettings(workers=0))
    question = feeds.question("http://a.test/", "", FeedId(1), datetime(2026, 11, 1, tzinfo=UTC))
    with pytest.raises(ParseError, match="plain text"):
        workers.submit(feeds.TASK, question, b"x", bytes).result()
    assert workers.processes() == ()
    workers.close()


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_a_worker_loads_little(task: Task) -> None:
    """What it must never have in reach: the store, the network, the models."""
    code = (
        "import json, sys; from newsloom.kernel.workers.tasks import ready; ready(sys.argv[1]);"
        "print(json.dumps(sorted(sys.modules)))"
    )
    said = subprocess.run(
        [sys.executable, "-c", code, task.module], capture_output=True, text=True, check=True
    ).stdout
    loaded = set(json.loads(said))
    assert not loaded & {"sqlalchemy", "onnxruntime", "fastapi", "pydantic"}
    assert not {one for one in loaded if one.startswith(("newsloom.store", "newsloom.kernel.http"))}
