"""A command line with a store of its own and a publisher on loopback."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from newsloom.cli import main
from publisher import Publisher

Newsloom = Callable[..., str]


@pytest.fixture
def newsloom(
    tmp_path: Path,
    publisher: Publisher,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Newsloom:
    """Runs a command line; gives what it printed. `status` is the exit status expected."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("NEWSLOOM_STORE_PATH", str(tmp_path / "news.db"))
    monkeypatch.setenv("NEWSLOOM_FETCH_PRIVATE_HOSTS", publisher.host)

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
