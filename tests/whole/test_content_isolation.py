"""The law of attribution: readers see words, titles and names of their own feeds only.

Two readers, one feed each per world, and in each world another combination of what the two feeds
share: id, address, title, text, and the server they come from. Run as a person runs it: commands,
one pass, and `serve`, whose every page is visited.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape, unescape
from itertools import product
from pathlib import Path
from typing import Any

import httpx
import pytest

from cli.serving import served
from publisher import Publisher, publishing

READERS = ("ada", "ben")
PASSWORD = "a long enough password"
SAME = {"sec-fetch-site": "same-origin"}
# What both feeds of a world share, besides the server.
WORLDS = list(product((False, True), repeat=4))
MOST_PAGES = 700
# These end the session, or change what is shown.
UNVISITED = re.compile(r"/(?:sign-out|account/export|static/|icons/|.*\.(?:mp3|opus|png|svg))")


def token(kind: str, world: int, owner: str) -> str:
    """A word that stands nowhere else."""
    return f"zq{kind}{world:02}{owner}qz"


def document(world: int, shared: tuple[bool, ...], owner: str, site: str) -> str:
    """A feed with one article."""
    guid, url, title, text = (
        token(kind, world, "both" if same else owner)
        for kind, same in zip(("guid", "url", "title", "text"), shared, strict=True)
    )
    body = f"The harbour council of {text} voted on the {text} quay after hours of debate. " * 4
    return f"""<rss version="2.0"><channel><title>{token("feed", world, owner)}</title>
        <link>{site}/{token("site", world, owner)}</link><description>d</description>
        <item><guid isPermaLink="false">{guid}</guid><link>{site}/articles/{url}</link>
        <title>Council of {title} votes on quay number {world}</title>
        <author>{token("author", world, owner)}@example.org</author>
        <enclosure url="{site}/{token("sound", world, owner)}.mp3" type="audio/mpeg" length="9"/>
        <description>{escape(f"<p>{body}</p>")}</description></item></channel></rss>"""


@dataclass
class Served:
    url: str
    store: Path
    environment: dict[str, str]

    def run(self, *arguments: str, typed: str = "") -> str:
        done = subprocess.run(
            [sys.executable, "-m", "newsloom", *arguments],
            env=self.environment,
            cwd=self.store.parent,
            input=typed,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, (arguments, done.stdout, done.stderr)
        return done.stdout


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("isolated")
    with publishing() as one, publishing() as other:
        environment = {
            **{key: value for key, value in os.environ.items() if not key.startswith("NEWSLOOM_")},
            "NEWSLOOM_STORE_PATH": str(folder / "news.db"),
            "NEWSLOOM_FETCH_PRIVATE_HOSTS": f"{one.host},{other.host}",
            "NEWSLOOM_FETCH_HOST_SECONDS": "0.01",
        }
        made = Served("", folder / "news.db", environment)
        for reader in ("admin", *READERS):
            made.run("user", "add", reader, typed=PASSWORD + "\n")
        for reader in READERS:
            subscribe(made, reader, one, other)
        made.run("run")
        more = {key: value for key, value in environment.items() if key.startswith("NEWSLOOM_")}
        more.pop("NEWSLOOM_STORE_PATH")
        with served(made.store, "--pages-only", **more) as url:
            made.url = url
            yield made


def subscribe(made: Served, reader: str, one: Publisher, other: Publisher) -> None:
    """Half of the worlds have both feeds on one server."""
    addresses = []
    for apart in (False, True):
        server = other if apart and reader == READERS[1] else one
        for number, shared in enumerate(WORLDS):
            world = number + len(WORLDS) * apart
            path = f"/{token('path', world, reader)}.xml"
            addresses.append(server.puts(path, document(world, shared, reader, one.url)))
    outlines = "".join(f'<outline type="rss" xmlUrl="{one}"/>' for one in addresses)
    opml = made.store.parent / f"{reader}.opml"
    opml.write_text(f'<opml version="2.0"><body>{outlines}</body></opml>')
    made.run("--user", reader, "import", str(opml))


def leaks(body: str, reader: str) -> set[str]:
    """Words of the other reader's feeds."""
    other = READERS[1 - READERS.index(reader)]
    return set(re.findall(rf"zq[a-z]+[0-9]+{other}qz", unescape(body).casefold()))


def seen(body: str, kind: str) -> set[str]:
    return set(re.findall(rf"zq{kind}[0-9]+[a-z]+qz", body.casefold()))


@pytest.fixture(params=READERS)
def reader(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def client(scene: Served) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=scene.url, timeout=60) as found:
        yield found


def test_pages(client: httpx.Client, reader: str) -> None:
    """Every page that a link leads to, and every article, story and feed by number."""
    typed = {"name": reader, "password": PASSWORD}
    assert client.post("/sign-in", data=typed, headers=SAME).status_code == 303
    numbers = range(1, 2 * 2 * len(WORLDS) + 2)
    waiting = deque(
        [
            "/",
            "/?show=all",
            "/stories",
            "/digest",
            "/feeds",
            f"/search?q={token('title', 2, 'both')}",
            *(f"/articles/{number}{more}" for number in numbers for more in ("", "/why")),
            *(f"/stories/{number}" for number in numbers),
            *(f"/feeds/{number}" for number in numbers),
        ]
    )
    visited: set[str] = set(waiting)
    found: dict[str, set[str]] = {}
    titles: set[str] = set()
    while waiting and len(visited) < MOST_PAGES:
        path = waiting.popleft()
        answer = client.get(path)
        assert answer.status_code < 500, (path, answer.text)
        if bad := leaks(answer.text, reader):
            found[path] = bad
        titles |= seen(answer.text, "title")
        for link in re.findall(r'(?:href|src)="(/[^"#]*)', answer.text):
            link = unescape(link)
            if link not in visited and not UNVISITED.match(link):
                visited.add(link)
                waiting.append(link)
    assert found == {}
    assert len(titles) == 2 * len(WORLDS), "each of the reader's articles is shown somewhere"


def test_apps_and_programs(scene: Served, client: httpx.Client, reader: str) -> None:
    password = scene.run("user", "app-password", "add", reader, "phone").split()[-1]
    answers: dict[str, str] = {}

    def keep(name: str, answer: httpx.Response) -> str:
        assert answer.status_code == 200, (name, answer.text)
        answers[name] = answer.text
        return answer.text

    bearer = {"authorization": f"Bearer {password}"}
    for path in ("articles?show=all&limit=100", "stories", "feeds", "digests"):
        keep(path, client.get(f"/api/v1/{path}", headers=bearer))
    for number in range(1, 4 * len(WORLDS) + 1):
        for more in ("", "/why", "/related"):
            answer = client.get(f"/api/v1/articles/{number}{more}", headers=bearer)
            answers[f"{number}{more}"] = answer.text
    token_ = keep(
        "login",
        client.post("/accounts/ClientLogin", data={"Email": reader, "Passwd": password}),
    ).split("Auth=")[1]
    google = {"authorization": f"GoogleLogin auth={token_.strip()}"}
    for path in ("subscription/list", "stream/contents/user/-/state/com.google/reading-list?n=500"):
        keep(path, client.get(f"/reader/api/0/{path}", headers=google))
    assert leaks(json.dumps(answers), reader) == set()
    assert len(seen(answers["articles?show=all&limit=100"], "title")) == 2 * len(WORLDS)
    assert len(seen(answers[path], "text")) == 2 * len(WORLDS)


def test_commands(scene: Served, reader: str) -> None:
    def said(*arguments: str) -> Any:
        return scene.run("--user", reader, *arguments)

    outputs = [
        said("list", "--all", "--limit", "100"),
        said("digest"),
        said("stories"),
        said("feeds"),
        said("search", token("title", 2, "both")),
        said("export"),
    ]
    assert leaks("\n".join(outputs), reader) == set()
    assert len(seen(outputs[0], "title")) == 2 * len(WORLDS)
