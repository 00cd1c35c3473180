"""The law of attribution: readers see words, titles and names of their own feeds only.

Two readers, one feed each per world, and in each world another combination of what the two feeds
share: id, address, title, text, and the server they come from. Run as a person runs it: commands,
two passes, and `serve`, whose every page is visited, whose apps and agents ask, and whose digests,
news and briefs a mail server and a webhook are sent.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import sqlite3
from collections import deque
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass
from email.message import EmailMessage
from hashlib import md5
from html import escape, unescape
from itertools import product
from pathlib import Path
from typing import Any

import httpx
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

import commands
from cli.serving import served
from mail_server import Mailbox, mail_server
from newsloom.sample.content import sample
from publisher import Publisher, publishing
from webhook import listening

# All of it is made once, by some fifty commands.
pytestmark = pytest.mark.timeout(600)

READERS = ("ada", "ben")
PASSWORD = "a long enough password"
SAME = {"sec-fetch-site": "same-origin"}
# What both feeds of a world share: id, address, title, text, and the server, where they share an
# even number of the others. So every combination of any four of the five is in some world.
WORLDS = list(product((False, True), repeat=4))
ARTICLES = 4 * len(WORLDS)  # two of each feed, and two feeds in a world
# What both feeds of a world report, and no other world: it is one story.
SUBJECTS = [
    (
        " ".join(one.title.split()[:5]),
        re.findall(r"[A-Z][^.]{30,150}(?=[.] )", re.sub("<[^>]*>", " ", one.html))[:3],
    )
    for feed in sample()
    for one in feed.articles
    if one.language == "en" and not (one.story or one.wire or one.event or one.page)
]
MOST_PAGES = 1_000
# These end the session, or change what is shown.
UNVISITED = re.compile(r"/(?:sign-out|account/export|static/|icons/|.*\.(?:mp3|opus|png|svg))")


def token(kind: str, world: int, owner: str) -> str:
    """A word that stands nowhere else."""
    return f"zq{kind}{world:02}{owner}qz"


def document(world: int, shared: tuple[bool, ...], owner: str, site: str, more: str = "") -> str:
    """A feed with one article, and perhaps one more that tells how it goes on."""
    guid, url, title, text = (
        token(kind, world, "both" if same else owner)
        for kind, same in zip(("guid", "url", "title", "text"), shared, strict=True)
    )
    own, sentences = SUBJECTS[world]
    # Short: each explanation of an article reads it once more for each word of its title.
    body = " ".join(f"{one}, {text} said." for one in sentences)
    goes_on = f"""{own} {title} {more}, {own} for good</title>
        <description>{text}: the news of {text} on {own} is final."""
    if world % 2:  # enough of what was told before to be of its story, and something new
        goes_on = f"""{own} {title} {more}</title>
            <description>{escape(f"<p>{body[: len(body) // 2]}.</p>")}
            The mayor of {text} resigned over {own} and 41 seats were lost, {text} said."""
    later = f"""<item><guid isPermaLink="false">{guid}{more}</guid>
        <link>{site}/articles/{url}{more}</link><title>{goes_on}</description></item>"""
    return f"""<rss version="2.0"><channel><title>{token("feed", world, owner)}</title>
        <link>{site}/{token("site", world, owner)}</link><description>d</description>
        <item><guid isPermaLink="false">{guid}</guid><link>{site}/articles/{url}</link>
        <title>{own} {title}</title>
        <author>{token("author", world, owner)}@example.org</author>
        <enclosure url="{site}/{token("sound", world, owner)}.mp3" type="audio/mpeg" length="9"/>
        <description>{escape(f"<p>{body}</p>")}</description></item>{later if more else ""}
        </channel></rss>"""


@dataclass
class Served:
    url: str
    store: Path
    environment: dict[str, str]
    sent: dict[str, list[str]]  # what each reader was sent, by mail and by webhook

    def run(self, *arguments: str, typed: str = "") -> str:
        done = commands.run(
            *arguments, environment=self.environment, folder=self.store.parent, given=typed
        )
        assert done.returncode == 0, (arguments, done.stdout, done.stderr)
        return done.stdout


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("isolated")
    box, bodies = Mailbox(), {}
    with ExitStack() as stack:
        one, other = stack.enter_context(publishing()), stack.enter_context(publishing())
        hooks = {}
        for reader in READERS:
            port, bodies[reader] = stack.enter_context(listening([200] * 99))
            hooks[reader] = f"127.0.0.1:{port}"
        environment = {
            **{key: value for key, value in os.environ.items() if not key.startswith("NEWSLOOM_")},
            "NEWSLOOM_STORE_PATH": str(folder / "news.db"),
            "NEWSLOOM_FETCH_PRIVATE_HOSTS": ",".join((one.host, other.host, *hooks.values())),
            "NEWSLOOM_FETCH_HOST_SECONDS": "0.01",
            "NEWSLOOM_SCHEDULE_BY_HAND_MINUTES": "0",
            "NEWSLOOM_MAIL_HOST": "127.0.0.1",
            "NEWSLOOM_MAIL_PORT": str(stack.enter_context(mail_server(box))),
            "NEWSLOOM_MAIL_SECURITY": "none",
            "NEWSLOOM_MAIL_SENDER": "news@example.org",
            "NEWSLOOM_DIGEST_STORY_QUIET_MINUTES": "0",
            "NEWSLOOM_BRIEF_OPUS": "false",
            "NEWSLOOM_MCP_HTTP": "true",
            "HOME": str(folder),
        }
        made = Served("", folder / "news.db", environment, {})
        for reader in ("admin", *READERS):
            made.run("user", "add", reader, typed=PASSWORD + "\n")
        for reader in READERS:
            subscribe(made, reader, one, other)
            tell(made, reader, hooks[reader])
        made.run("run")
        for reader in READERS:
            for story in going_on(made, reader):
                path = f"/stories/{story}/subscription"
                made.run("--user", reader, "api", "PUT", path, "subscription=follow")
            subscribe(made, reader, one, other, "again")
        changed(made, "UPDATE feeds SET next_poll_at = 0")
        made.run("run")
        send(made)
        for reader in READERS:
            made.sent[f"mail {reader}"] = [
                words_of(one) for one in box.taken if reader in one["to"]
            ]
            made.sent[f"webhook {reader}"] = [one.decode() for one in bodies[reader]]
        more = {key: value for key, value in environment.items() if key.startswith("NEWSLOOM_")}
        more.pop("NEWSLOOM_STORE_PATH")
        with served(made.store, "--pages-only", **more) as url:
            made.url = url
            yield made


def tell(made: Served, reader: str, hook: str) -> None:
    """All that can be sent by itself, by mail and to a webhook."""
    targets = [
        {"way": "mail", "to": f"{reader}@example.org"},
        {"way": "webhook", "to": f"http://{hook}/"},
    ]

    def said(method: str, path: str, **fields: object) -> None:
        typed = [f"{name}:={json.dumps(value)}" for name, value in fields.items()]
        made.run("--user", reader, "api", method, path, *typed)

    longer = [{"kind": "longer", "value": "1"}]
    said("POST", "/rules", name="All of it", conditions=longer, actions=[{"kind": "notify"}])
    said("PUT", "/rules/notifications", targets=targets)
    said("PUT", "/stories/notifications", targets=targets)
    for kind in ("morning", "weekly"):
        said("POST", "/digests/schedules", kind=kind, targets=targets)
    said("POST", "/briefs/schedules", languages=["en"], minutes=1, targets=targets)


def send(made: Served) -> None:
    """Now, rather than at its time of day."""
    for table in ("digest_schedules", "brief_schedules"):
        changed(made, f"UPDATE {table} SET next_at = next_at - 7 * 86400000000")
    made.run("digest", "--due")
    made.run("brief", "--due")


def changed(made: Served, statement: str) -> None:
    with closing(sqlite3.connect(made.store)) as database, database:
        database.execute(statement)


def going_on(made: Served, reader: str) -> set[int]:
    """Stories of which there will be news. The reader has one article of each so far, so no list
    names them."""
    feeds = [token("feed", world, reader) for world in range(1, len(WORLDS), 2)]
    with closing(sqlite3.connect(made.store)) as database:
        statement = """SELECT feeds.title, story_id FROM story_members
            JOIN articles ON articles.id = article_id JOIN feeds ON feeds.id = feed_id"""
        stories = dict(database.execute(statement).fetchall())
    return {stories[title] for title in feeds}


def words_of(mail: EmailMessage) -> str:
    """Everything in it, read as its receiver's program reads it."""
    parts = [one for one in mail.walk() if one.get_content_maintype() == "text"]
    return "\n".join((str(mail["subject"]), *(one.get_content() for one in parts)))


def subscribe(made: Served, reader: str, one: Publisher, other: Publisher, more: str = "") -> None:
    """`more`: each feed has one more article."""
    addresses = []
    for world, shared in enumerate(WORLDS):
        server = other if sum(shared) % 2 and reader == READERS[1] else one
        path = f"/{token('path', world, reader)}.xml"
        addresses.append(server.puts(path, document(world, shared, reader, one.url, more)))
    if more:
        return
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
    numbers = range(1, ARTICLES + 2)
    waiting = deque(
        [
            "/",
            "/?show=all",
            "/stories",
            "/digest",
            "/feeds",
            f"/search?q={token('title', 2, 'both')}",
            *(f"/articles/{number}{more}" for number in numbers for more in ("", "/why")),
            "/threads",
            *(f"/story/{number}" for number in numbers),
            *(f"/threads/{number}{more}" for number in numbers for more in ("", "/why")),
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
    assert len(titles) == len(WORLDS), "each of the reader's articles is shown somewhere"


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
    for number in range(1, ARTICLES + 1):
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
    assert len(seen(answers["articles?show=all&limit=100"], "title")) == len(WORLDS)
    assert len(seen(answers[path], "text")) == len(WORLDS)


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
    assert len(seen(outputs[0], "title")) == len(WORLDS)


def test_fever(scene: Served, client: httpx.Client, reader: str) -> None:
    password = scene.run("user", "app-password", "add", reader, "fever").split()[-1]
    key = md5(f"{reader}:{password}".encode(), usedforsecurity=False).hexdigest()
    answers: dict[str, str] = {}

    def ask(query: str) -> Any:
        answer = client.post(f"/fever/?api&{query}", data={"api_key": key})
        assert answer.status_code == 200, answer.text
        answers[query] = answer.text
        return answer.json()

    assert ask("feeds&groups&favicons&links")["auth"] == 1
    ids: list[int] = []
    while items := ask(f"items&since_id={max(ids, default=0)}")["items"]:
        ids += [one["id"] for one in items]
    ask("unread_item_ids&saved_item_ids")
    for since in range(1, max(ids) + 2 * len(ids), 50):
        ask(f"items&with_ids={','.join(map(str, range(since, since + 50)))}")
    assert leaks(json.dumps(answers), reader) == set()
    assert len(seen(json.dumps(answers), "title")) == len(WORLDS)
    assert len(seen(json.dumps(answers), "feed")) == len(WORLDS)


def test_miniflux(scene: Served, client: httpx.Client, reader: str) -> None:
    password = scene.run("user", "app-password", "add", reader, "miniflux").split()[-1]
    token_header = {"x-auth-token": password}
    answers: dict[str, str] = {}

    def ask(path: str) -> Any:
        answer = client.get(f"/v1/{path}", headers=token_header)
        assert answer.status_code in (200, 404), answer.text
        answers[path] = answer.text
        return answer.json()

    entries = ask("entries?limit=0")["entries"]
    for number in range(1, ARTICLES + 1):
        ask(f"entries/{number}")
        ask(f"feeds/{number}/entries")
    for path in ("feeds", "feeds/counters", "entries/ids"):
        ask(path)
    for one in ask("categories?counts=true"):
        ask(f"categories/{one['id']}/entries?limit=0")
        ask(f"categories/{one['id']}/feeds")
    assert leaks(json.dumps(answers), reader) == set()
    assert len(seen(json.dumps(entries), "title")) == len(WORLDS)


def test_agents(scene: Served, reader: str) -> None:
    """Every tool that reads, for every number there is, over HTTP."""
    password = scene.run("user", "app-password", "add", reader, "agent").split()[-1]
    numbers = range(1, ARTICLES + 1)
    found: dict[str, str] = {}

    async def asking() -> None:
        bearer = {"authorization": f"Bearer {password}"}
        async with httpx2.AsyncClient(headers=bearer, timeout=60) as http:
            transport = streamable_http_client(f"{scene.url}mcp", http_client=http)
            async with Client(transport) as agent:
                for number, (tool, data) in enumerate(calls(numbers)):
                    answer = await agent.call_tool(tool, data)
                    found[f"{number} {tool} {data}"] = str(answer)

    asyncio.run(asking())
    assert {one: bad for one, text in found.items() if (bad := leaks(text, reader))} == {}
    shown = seen("".join(found.values()), "title")
    assert len(shown) == len(WORLDS)
    assert any("read_brief" in one and "is_error=False" in text for one, text in found.items())


def calls(numbers: range) -> Iterator[tuple[str, dict[str, Any]]]:
    for which in ("ranked", "newest"):
        yield "list_articles", {"which": which, "limit": 50}
    yield "search_articles", {"query": token("title", 2, "both")}
    yield "search_articles", {"query": "council"}
    yield "list_feeds", {}
    yield "list_stories", {}
    yield "list_threads", {}
    yield "make_digest", {"hours": 48}
    yield "read_brief", {}
    for number in numbers:
        for tool in ("read_article", "related_articles", "explain_article"):
            yield tool, {"article_id": number}
    for number in numbers[: len(numbers) // 2]:  # there are fewer stories than articles
        yield "read_story", {"story_id": number}
        yield "read_thread", {"thread_id": number}
    for number in range(1, 9):
        yield "read_brief", {"number": number}


def test_what_is_sent(scene: Served, reader: str) -> None:
    """Digests, news of rules and of followed stories, and spoken briefs."""
    mails, posts = scene.sent[f"mail {reader}"], scene.sent[f"webhook {reader}"]
    assert leaks("\n".join((*mails, *posts)), reader) == set()
    rows = [json.loads(one) for one in posts if seen(one, "text")]
    kinds = {one.get("kind", "brief") for one in rows}
    assert {"rules", "stories", "morning", "weekly", "brief"} <= kinds
    assert len([one for one in mails if seen(one, "text")]) == len(rows)


def test_spoken_briefs(scene: Served, client: httpx.Client, reader: str) -> None:
    password = scene.run("user", "app-password", "add", reader, "ear").split()[-1]
    said = [scene.run("--user", reader, "api", "GET", "/briefs")]
    bearer = {"authorization": f"Bearer {password}"}
    said += [client.get("/api/v1/briefs", headers=bearer).text]
    responses = [client.get(f"/api/v1/briefs/{number}", headers=bearer) for number in range(1, 9)]
    said.append("".join(one.text for one in responses))
    made = json.loads(scene.run("--user", reader, "api", "POST", "/briefs/podcasts/en"))
    podcast = client.get(httpx.URL(made["url"]).path).text
    parts = set(re.findall(r"(?:url|href|link)=\"[^\"]*?(/podcasts/[^\"]+)", podcast))
    texts = [client.get(one).text for one in parts if not one.endswith((".mp3", ".png"))]
    said.append("".join((podcast, *texts)))
    assert leaks("\n".join(said), reader) == set()
    assert all(seen(one, "text") for one in (said[2], said[-1]))
