"""`newsloom serve` from its command line: where it may be served, and what it says of that."""

from __future__ import annotations

import os
import signal
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

import commands
from cli.serving import READY, environment_of, served, started
from whole.several_serves import until

REFUSED = {
    "by the flag": (("--host", "0.0.0.0"), {}),
    "by the setting": ((), {"NEWSLOOM_WEB_HOST": "0.0.0.0"}),
    "every IPv6 address": (("--host", "::"), {}),
    "no host at all": (("--host", ""), {}),
}
WANTED = {
    "by the flag": (("--host", "0.0.0.0", "--without-login"), {}),
    "by the settings": ((), {"NEWSLOOM_WEB_HOST": "0.0.0.0", "NEWSLOOM_WEB_WITHOUT_LOGIN": "true"}),
}

# Each request on a connection of its own.
EACH_ALONE = httpx.Limits(max_keepalive_connections=0)


@pytest.mark.parametrize(("arguments", "environment"), REFUSED.values(), ids=REFUSED)
def test_what_others_reach_is_not_served_unasked(
    tmp_path: Path, arguments: tuple[str, ...], environment: dict[str, str]
) -> None:
    store = {"NEWSLOOM_STORE_PATH": str(tmp_path / "news.db")}
    done = commands.run("serve", *arguments, environment=os.environ | store | environment)
    assert done.returncode == 2
    assert "--without-login" in done.stderr
    assert "`newsloom user add NAME`" in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
    assert not (tmp_path / "news.db").exists(), "nothing was begun"


@pytest.mark.parametrize(("arguments", "environment"), WANTED.values(), ids=WANTED)
def test_it_is_served_where_that_is_wanted_at_an_address_that_opens(
    tmp_path: Path, arguments: tuple[str, ...], environment: dict[str, str]
) -> None:
    with served(tmp_path / "news.db", *arguments, **environment) as url:
        host = urlsplit(url).hostname
        assert host is not None
        assert not ip_address(host).is_unspecified
        assert httpx.get(url + "healthz", timeout=60).status_code == 200
        assert httpx.post(url + "undo", timeout=60).status_code == 403, (
            "no login, but still a guarded door"
        )


def test_loopback_needs_no_flag(tmp_path: Path) -> None:
    with served(tmp_path / "news.db") as url:
        assert url.startswith("http://127.0.0.1:")
        assert httpx.get(url, timeout=60).status_code == 200


def test_several_processes_serve_one_port(tmp_path: Path) -> None:
    """All answer; one that is killed is replaced; none is left when `serve` is killed."""
    several = {"NEWSLOOM_WEB_PROCESSES": "2", "NEWSLOOM_WEB_METRICS": "true"}
    server = started(tmp_path / "news.db", **several)
    helpers = Path(f"/proc/{server.pid}/task/{server.pid}/children")
    try:
        assert server.stdout is not None
        url = server.stdout.readline().removeprefix(READY).split()[0]

        def both() -> bool:
            """Whether the leader and another answer, on twenty connections."""
            with httpx.Client(limits=EACH_ALONE, timeout=60) as client:
                pages = [client.get(url + "metrics").text for _ in range(20)]
            return len({"newsloom_leads 1.0" in page for page in pages}) == 2

        until(both)
        (first,) = map(int, helpers.read_text().split())
        os.kill(first, signal.SIGKILL)
        until(lambda: helpers.read_text().split() not in ([], [str(first)]))
        until(both)
        (second,) = map(int, helpers.read_text().split())
        environment = environment_of(tmp_path / "other.db", several)
        refused = commands.run("serve", "--port", str(urlsplit(url).port), environment=environment)
        assert refused.returncode == 2
        assert "Is Newsloom already running?" in refused.stderr
    finally:
        server.kill()
        server.communicate()
    until(lambda: not Path(f"/proc/{second}").exists())
