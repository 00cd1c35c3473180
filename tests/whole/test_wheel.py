"""A wheel in an environment of its own, outside the checkout: it runs, and all its files are there.

What Newsloom depends on is lent from the environment of the tests: nothing is downloaded.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import sysconfig
import venv
import zipfile
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

import newsloom

CHECKOUT = Path(__file__).parents[2]
SOURCE = CHECKOUT / "src" / "newsloom"

# Nothing answers there, so that no network is found and the sample is served.
NO_NETWORK = "http://127.0.0.1:9"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    build = ("wheel", "--quiet", "--no-deps", "--no-build-isolation", "--no-index", "-w", folder)
    _run(sys.executable, "-m", "pip", *build, CHECKOUT)
    (built,) = folder.glob("newsloom-*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the programs of an environment with that wheel."""
    path = tmp_path_factory.mktemp("elsewhere") / "venv"
    venv.create(path, symlinks=True)
    pip = ("pip", "--python", path / "bin" / "python")
    _run(sys.executable, "-m", *pip, "install", "--quiet", "--no-deps", "--no-index", wheel)
    (packages,) = path.glob("lib/python*/site-packages")
    # A folder that a .pth file names is no place for .pth files: no checkout comes in with it.
    (packages / "lent.pth").write_text(sysconfig.get_paths()["purelib"])
    return path / "bin"


def test_every_file_of_the_source_is_in_it(wheel: Path) -> None:
    packed = set(zipfile.ZipFile(wheel).namelist())
    wanted = {
        f"newsloom/{file.relative_to(SOURCE).as_posix()}"
        for file in SOURCE.rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    }
    assert wanted - packed == set()
    assert not [one for one in packed if one.split("/")[0] in {"tests", "lab", "docs"}]


def test_it_is_not_the_checkout_that_runs(installed: Path, tmp_path: Path) -> None:
    text = "import newsloom; print(newsloom.__file__)"
    where = _run(installed / "python", "-c", text, cwd=tmp_path)
    assert Path(where.strip()).is_relative_to(installed.parent)


def test_its_commands_run(installed: Path, tmp_path: Path) -> None:
    said = _run(installed / "newsloom", "--version", cwd=tmp_path)
    assert newsloom.__version__ in said
    said = _run(installed / "newsloom", "doctor", "--json", cwd=tmp_path, failing=True)
    assert "onnx" in said


@pytest.fixture
def served(installed: Path, tmp_path: Path) -> Iterator[str]:
    """`newsloom serve --starter` of it, in an empty home."""
    server = subprocess.Popen(
        [installed / "newsloom", "serve", "--starter", "--port", "0"],
        env=_environment(tmp_path) | {"NEWSLOOM_FETCH_PROXY": NO_NETWORK},
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert server.stdout is not None
    said = ""
    for line in server.stdout:
        said += line
        if found := re.search(r"ready: (http://\S+)", line):
            break
    else:
        raise AssertionError(said)
    assert f"sample data, stored in {tmp_path}" in said
    yield found[1].rstrip("/")
    server.send_signal(signal.SIGINT)
    server.communicate(timeout=60)
    assert server.returncode == 0


@pytest.mark.timeout(300)
def test_it_serves_the_sample_with_all_its_pages(served: str) -> None:
    with httpx.Client(base_url=served, timeout=60) as client:
        assert client.get("/health").json() == {"ok": True}
        assert client.get("/health/ready").json()["ok"] is True  # migrations came along
        page = client.get("/").text
        static = re.findall(r'"(/static/[^"]+)"', page)
        assert len(static) >= 4
        for address in static:
            assert client.get(address).status_code == 200, address
        for path in ("/feeds", "/digest", "/stories", "/you", "/coverage", "/help"):
            assert client.get(path).status_code == 200, path
        assert "Sample data." in page


def _run(*command: str | Path, cwd: Path | None = None, failing: bool = False) -> str:
    done = subprocess.run(
        [*map(str, command)],
        capture_output=True,
        text=True,
        check=False,
        cwd=cwd,
        env=_environment(cwd) if cwd else None,
    )
    assert failing or done.returncode == 0, done.stderr
    return done.stdout


def _environment(home: Path) -> dict[str, str]:
    """Nothing that leads to the checkout, nor to settings of whoever runs the tests."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("NEWSLOOM_", "PYTHON", "XDG_"))
    }
    return kept | {"HOME": str(home)}
