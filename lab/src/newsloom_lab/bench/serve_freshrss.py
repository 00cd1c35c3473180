"""FreshRSS beside Newsloom in `bench serve`: the same articles for as many readers, the same lists.

It is run as it comes, from a checkout of the reader's own choosing, with PHP's built-in server and
two workers, SQLite, and as many articles a page as Newsloom has. Feeds come from a server on
loopback. Nothing of it is part of Newsloom.
"""

from __future__ import annotations

import asyncio
import os
import random
import re
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from xml.sax.saxutils import escape

from newsloom.kernel.errors import UserError
from newsloom_lab.bench import loopback
from newsloom_lab.bench.serve_client import Person, text_of
from newsloom_lab.bench.serve_world import CATEGORIES, Prose

WORKERS = 2  # as many as there are cores
ROWS = 30  # of a page, as in newsloom/web/list_view.py
LOADING_SECONDS = 600
_USER = "Remote-User: {}"
_FEEDS = re.compile(r"get=(f_\d+)")
_CATEGORIES = re.compile(r"get=(c_\d+)")


@contextmanager
def serving(
    checkout: Path, folder: Path, articles: int, feeds: int, readers: int, now: datetime
) -> Iterator[tuple[str, tuple[Person, ...], int]]:
    """Its address, its readers, and its process. Raises UserError when it cannot be set up."""
    home = folder / "freshrss"
    shutil.copytree(checkout, home, ignore=shutil.ignore_patterns(".git", "users"))
    (home / "data" / "users").mkdir(exist_ok=True)
    shutil.copytree(checkout / "data" / "users" / "_", home / "data" / "users" / "_")
    documents = folder / "documents"
    documents.mkdir()
    _write_feeds(documents, articles, feeds, now)
    names = [f"reader{number}" for number in range(1, readers + 1)]
    with loopback.serving(documents) as urls:
        _install(home, names[0], urls)
    users = home / "data" / "users"
    for name in names[1:]:
        shutil.copytree(users / names[0], users / name)
    with _server(home) as (url, process):
        yield url, tuple(_person(url, name) for name in names), process


def _write_feeds(folder: Path, articles: int, feeds: int, now: datetime) -> None:
    prose = Prose(random.Random(articles))
    for number in range(feeds):
        items = []
        for one in range(articles // feeds):
            dated = format_datetime(now - timedelta(days=30 * prose.chance.random() ** 2))
            url = f"https://paper-{number}.test/{one}"
            title, text = escape(prose.words(10)), escape(prose.words(55))
            items.append(
                f"<item><guid>{url}</guid><link>{url}</link><title>{title}</title>"
                f"<pubDate>{dated}</pubDate><description>{text}</description></item>"
            )
        (folder / f"{number:04}.xml").write_text(
            f'<?xml version="1.0"?><rss version="2.0"><channel><title>The Paper of Place {number}'
            f"</title><link>https://paper-{number}.test/</link>{''.join(items)}</channel></rss>"
        )


def _install(home: Path, name: str, urls: tuple[str, ...]) -> None:
    outline = "".join(
        f'<outline text="{category}">'
        + "".join(
            f'<outline type="rss" text="Paper {number}" xmlUrl="{url}"/>'
            for number, url in enumerate(urls)
            if CATEGORIES[number % len(CATEGORIES)] == category
        )
        + "</outline>"
        for category in CATEGORIES
    )
    # What a new reader begins with.
    (home / "data" / "opml.xml").write_text(
        f'<?xml version="1.0"?><opml version="2.0"><body>{outline}</body></opml>'
    )
    _php(
        home,
        "do-install",
        f"--default-user={name}",
        "--auth-type=http_auth",
        "--db-type=sqlite",
        "--disable-update",
    )
    _php(home, "create-user", f"--user={name}")
    _php(home, "actualize-user", f"--user={name}")
    settings = home / "data" / "users" / name / "config.php"
    kept = settings.read_text()
    if "posts_per_page" not in kept:
        kept = kept.replace("array (", f"array (\n  'posts_per_page' => {ROWS},", 1)
    settings.write_text(re.sub(r"'posts_per_page' => \d+", f"'posts_per_page' => {ROWS}", kept))


def _php(home: Path, command: str, *arguments: str) -> None:
    done = subprocess.run(  # noqa: S603 - the lab's own recipe
        ("php", f"cli/{command}.php", *arguments),  # noqa: S607
        cwd=home,
        capture_output=True,
        text=True,
        check=False,
        timeout=LOADING_SECONDS,
    )
    if done.returncode:
        said = (done.stderr or done.stdout).strip()[-500:]
        raise UserError(f"FreshRSS: {command} did not go well: {said}")


@contextmanager
def _server(home: Path) -> Iterator[tuple[str, int]]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = ("php", "-d", "opcache.enable_cli=1", "-S", f"127.0.0.1:{port}", "-t", "p")
    with subprocess.Popen(  # noqa: S603 - the lab's own recipe
        command,
        cwd=home,
        env={**os.environ, "PHP_CLI_SERVER_WORKERS": str(WORKERS)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as server:
        try:
            _wait(port)
            yield f"http://127.0.0.1:{port}", server.pid
        finally:
            server.terminate()


def _wait(port: int) -> None:
    for _ in range(100):
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise UserError("FreshRSS: PHP's server did not come up.")


def _person(url: str, name: str) -> Person:
    """The same lists as Newsloom is asked for, by its own addresses."""
    head = _USER.format(name)
    front = asyncio.run(text_of(url, "/i/", "", head))
    feeds = sorted(set(_FEEDS.findall(front)))[:40]
    categories = sorted(set(_CATEGORIES.findall(front)))
    if not feeds or not categories:
        raise UserError(f"FreshRSS shows {name} no feeds.")
    return Person(
        "",
        {
            "list": ("/i/", "/i/?order=ASC", "/i/", "/i/", "/i/?state=3"),
            "feed": tuple(f"/i/?get={one}" for one in feeds),
            "category": tuple(f"/i/?get={one}" for one in categories),
        },
        head=head,
    )
