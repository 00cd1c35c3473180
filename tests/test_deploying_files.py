"""The files to deploy by, as far as no cluster is needed: structure, commands, flags, settings."""

from __future__ import annotations

import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from newsloom.kernel.settings import declared

CHECKOUT = Path(__file__).parents[1]
FOLDER = CHECKOUT / "deploy" / "kubernetes"
OPERATIONS = CHECKOUT / "docs" / "run" / "operations.md"

# Of an extra that has its own engine; until it is there its flags cannot be looked up.
RAY = {"--engine"}
KINDS = {
    "Namespace": "v1",
    "ConfigMap": "v1",
    "Secret": "v1",
    "PersistentVolumeClaim": "v1",
    "Service": "v1",
    "Deployment": "apps/v1",
    "Job": "batch/v1",
    "PodDisruptionBudget": "policy/v1",
    "Cluster": "postgresql.cnpg.io/v1",
    "RayCluster": "ray.io/v1",
}


@cache
def documents() -> list[dict[str, Any]]:
    yaml = pytest.importorskip("yaml", reason="PyYAML reads them")
    found = [one for file in sorted(FOLDER.glob("*.yaml")) for one in _all(yaml, file)]
    assert len(found) > 8
    return found


def _all(yaml: Any, file: Path) -> list[dict[str, Any]]:
    return [one for one in yaml.safe_load_all(file.read_text()) if one]


def pods() -> list[dict[str, Any]]:
    """The pods of Newsloom's own image."""
    return [
        one["spec"]["template"]["spec"]
        for one in documents()
        if one["kind"] in {"Deployment", "Job"}
    ]


def test_each_is_of_a_kind_that_is_known_and_has_what_it_refers_to() -> None:
    names = {(one["kind"], one["metadata"]["name"]) for one in documents()}
    for one in documents():
        assert KINDS[one["kind"]] == one["apiVersion"]
        if one["kind"] != "Namespace":
            assert one["metadata"]["namespace"] == "newsloom"
        if one["kind"] == "Deployment":
            labels = one["spec"]["template"]["metadata"]["labels"]
            assert one["spec"]["selector"]["matchLabels"].items() <= labels.items()
    for pod in pods():
        assert pod["securityContext"]["runAsNonRoot"] is True
        volumes = {one["name"]: one for one in pod["volumes"]}
        claim = volumes["files"]["persistentVolumeClaim"]["claimName"]
        assert ("PersistentVolumeClaim", claim) in names
        for box in pod["containers"]:
            assert box["securityContext"]["readOnlyRootFilesystem"] is True
            assert {one["name"] for one in box["volumeMounts"]} == set(volumes)
            for source in box["envFrom"]:
                ((key, refers),) = source.items()
                kind = {"configMapRef": "ConfigMap", "secretRef": "Secret"}[key]
                assert (kind, refers["name"]) in names


def test_every_variable_is_a_setting() -> None:
    known = {key.variable for key in declared()}
    named = {
        name for one in documents() for name in {**one.get("data", {}), **one.get("stringData", {})}
    }
    assert named
    assert named <= known


def test_every_command_and_flag_is_one_of_newsloom() -> None:
    yaml = pytest.importorskip("yaml", reason="PyYAML reads them")
    services = yaml.safe_load((CHECKOUT / "compose.yaml").read_text())["services"]
    lines = [box["args"] for pod in pods() for box in pod["containers"]]
    lines += [one["command"] for one in services.values() if "command" in one]
    for line in {tuple(one) for one in lines}:
        words = [one for one in line if not one.startswith("-")]
        flags = {one for one in line if one.startswith("--")}
        if flags & RAY:
            continue
        told = subprocess.run(
            [sys.executable, "-m", "newsloom", *words, "--help"],
            capture_output=True,
            text=True,
            check=False,
        )
        assert told.returncode == 0, told.stderr
        assert all(flag in told.stdout for flag in flags)


def test_probes_ask_what_is_there_and_pages_say_they_are_local() -> None:
    (pod,) = [one for one in pods() if one["containers"][0]["args"] == ["serve"]]
    (box,) = pod["containers"]
    for probe in ("startupProbe", "livenessProbe", "readinessProbe"):
        asked = box[probe]["httpGet"]
        assert asked["path"] in {"/health", "/health/ready"}
        assert asked["httpHeaders"] == [{"name": "Host", "value": "localhost"}]


def test_the_balancer_knows_each_serve_of_the_compose_file() -> None:
    yaml = pytest.importorskip("yaml", reason="PyYAML reads them")
    services = yaml.safe_load((CHECKOUT / "compose.yaml").read_text())["services"]
    balanced = set(re.findall(r"(\S+):8765", (CHECKOUT / "deploy" / "Caddyfile").read_text()))
    assert balanced == {name for name in services if name.startswith("serve-")}
    assert services["balancer"]["ports"] == ["127.0.0.1:8080:8080"]


def test_every_metric_of_the_page_is_one() -> None:
    code = (CHECKOUT / "src" / "newsloom" / "web" / "metrics.py").read_text()
    named = set(re.findall(r"newsloom_[a-z_]+[a-z]", OPERATIONS.read_text()))
    assert named
    for name in named - {"newsloom_last_pass"}:
        assert name.removesuffix("_total").removesuffix("_info") in code, name
