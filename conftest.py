"""Fixtures every ring uses, of tests and of lab/tests. What they import is in tests."""

from __future__ import annotations

import gc
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Generator, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from publisher import Publisher, publishing

# Before anything imports numpy, and for the processes that tests start. The matrices of tests are
# small: OpenBLAS's threads would wait for each other, at twice the processor time.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Encoders that a test installs are its own, and nothing is downloaded: pip looks nowhere unless a
# test sets up an index on loopback.
os.environ["XDG_DATA_HOME"] = str(Path(tempfile.gettempdir()) / f"newsloom-tests-{os.getpid()}")
os.environ["PIP_NO_INDEX"] = "1"

# Folders of tests lie in memory where it has room: on a disk each commit waits for the disk.
MEMORY, ROOM = Path("/dev/shm"), 1 << 30  # noqa: S108 - pytest makes a private folder there
if MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > ROOM:
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))

Newsloom = Callable[..., str]


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Nothing of what is collected is garbage, now or later: to look through it for some takes a
    tenth of the time of tests. What tests make is looked through less often than Python does: that
    took another twentieth."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(20_000, 10, 10)
        gc.enable()


# The same examples every time, so that a change is judged by what it changed. To look for new ones:
# HYPOTHESIS_PROFILE=explore python -m pytest. How long an example takes is the machine's affair.
UNTIMED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("fixed", UNTIMED, derandomize=True)
settings.register_profile("explore", UNTIMED, max_examples=1_000, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fixed"))


@pytest.fixture(scope="session", autouse=True)
def shared_folder() -> Path:
    """Where the real feeds and labelled news would be. Out of the environment: it is no setting of
    Newsloom's, which would say so."""
    root = Path(__file__).resolve().parents[1]
    return Path(os.environ.pop("NEWSLOOM_SHARED", root / "shared"))


@pytest.fixture(scope="session")
def shared(shared_folder: Path) -> Path:
    """The folder of real feeds and labelled news; tests that use it skip where it is absent."""
    folder = shared_folder
    if not (folder / "data").is_dir():
        pytest.skip("needs the real feeds and labelled news: set NEWSLOOM_SHARED to their folder")
    return folder


@pytest.fixture
def publisher() -> Iterator[Publisher]:
    """A server on loopback that publishes what the test sets."""
    with publishing() as one:
        yield one


@pytest.fixture
def newsloom(
    tmp_path: Path,
    publisher: Publisher,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Newsloom:
    """Runs a command line; gives what it printed. `status` is the exit status expected."""
    from migrated import migrated  # here: most rings need none of it
    from newsloom.cli import main

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("NEWSLOOM_STORE_PATH", str(migrated(tmp_path / "news.db")))
    if os.environ.get("TEST_POSTGRES"):  # `make postgres`
        from store.conftest import started

        address = started().address(tmp_path, template="template1")
        monkeypatch.setenv("NEWSLOOM_STORE_URL", address)
    monkeypatch.setenv("NEWSLOOM_FETCH_PRIVATE_HOSTS", publisher.host)
    monkeypatch.setenv("NEWSLOOM_SCHEDULE_BY_HAND_MINUTES", "0")  # tests wait for nothing
    monkeypatch.setenv("NEWSLOOM_FETCH_HOST_SECONDS", "0")
    monkeypatch.setenv("NEWSLOOM_PAGES_ICONS", "false")  # tests count what is asked
    # tests/workers and tests/whole have them; elsewhere starting them would be most of the time.
    monkeypatch.setenv("NEWSLOOM_READING_WORKERS", "0")

    def run(*arguments: str, status: int = 0) -> str:
        monkeypatch.setattr(sys, "argv", ["newsloom", *arguments])
        code: object = 0
        try:
            main()
        except SystemExit as leaving:
            code = leaving.code or 0
        printed = capsys.readouterr()
        assert code == status, (code, printed.out, printed.err)
        return printed.out if status == 0 else printed.out + printed.err

    return run


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The dearest files first, so that no worker is left alone with one of them."""
    items.sort(key=lambda one: "tests/whole/" not in one.nodeid)
