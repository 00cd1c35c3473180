"""A real PostgreSQL and a real Tiny Tiny RSS of Debian, on loopback, for as long as a test wants.

Neither runs as root. Tiny Tiny RSS asks no loopback address for feeds, so it is given an HTTP
proxy in its configuration, which is the publisher of the test: its program is not changed.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import psycopg

from ports import kept_port
from postgres import Cluster, debian, running, somebody

PROGRAM = Path("/usr/share/tt-rss/www")
SCHEMA = Path("/usr/share/tt-rss/schema/ttrss_schema_pgsql.sql")
PASSWORD = "password"
PASSWORD_HASH = "SHA1:5baa61e4c9b93f3f0682250b6cf8331b7ee68fd8"

CONFIG = """<?php
define('DB_TYPE', 'pgsql'); define('DB_HOST', '127.0.0.1'); define('DB_PORT', '{port}');
define('DB_USER', 'tiny'); define('DB_NAME', '{name}'); define('DB_PASS', '');
define('MYSQL_CHARSET', 'UTF8');
define('SELF_URL_PATH', '{url}');
define('SINGLE_USER_MODE', false); define('SIMPLE_UPDATE_MODE', false);
define('PHP_EXECUTABLE', '/usr/bin/php');
define('LOCK_DIRECTORY', '{place}/lock'); define('CACHE_DIR', '{place}/cache');
define('ICONS_DIR', '{place}/icons'); define('ICONS_URL', 'feed-icons');
define('AUTH_AUTO_CREATE', false); define('AUTH_AUTO_LOGIN', false);
define('FORCE_ARTICLE_PURGE', 0); define('ENABLE_REGISTRATION', false);
define('REG_NOTIFY_ADDRESS', ''); define('REG_MAX_USERS', 10);
define('SESSION_COOKIE_LIFETIME', 86400);
define('SMTP_FROM_NAME', 'x'); define('SMTP_FROM_ADDRESS', 'x@example.org');
define('DIGEST_SUBJECT', 'x'); define('CHECK_FOR_UPDATES', false);
define('ENABLE_GZIP_OUTPUT', false); define('PLUGINS', 'auth_internal');
define('LOG_DESTINATION', ''); define('CONFIG_VERSION', 26);
define('_HTTP_PROXY', '{proxy}');
"""


def missing() -> str:
    """What is not installed, in words; empty when all is there."""
    if not (PROGRAM / "update.php").is_file():
        return "needs the Debian packages of .ci/packages: Tiny Tiny RSS is not there"
    if not debian():
        return "needs the Debian packages of .ci/packages: PostgreSQL is not there"
    return ""


@contextmanager
def postgres() -> Iterator[Cluster]:
    """A cluster with Tiny Tiny RSS's schema in the database "empty"."""
    programs = debian()
    assert programs is not None
    with running(programs, role="tiny") as cluster:
        cluster.make("empty")
        with psycopg.connect(cluster.address("empty"), autocommit=True) as connection:
            connection.execute(SCHEMA.read_bytes())
        yield cluster


@dataclass
class Tiny:
    """A running Tiny Tiny RSS."""

    url: str
    place: Path
    cluster: Cluster
    name: str  # of its database
    proxy: str
    sessions: dict[str, str] = field(default_factory=dict)

    @property
    def database(self) -> str:
        return self.cluster.address(self.name)

    def sql(self, statement: str, *values: Any) -> list[Any]:
        return self.cluster.sql(self.name, statement, *values)

    def user(self, login: str) -> int:
        """A user who may use the API."""
        ((number,),) = self.sql(
            "INSERT INTO ttrss_users (login, pwd_hash, access_level) VALUES (%s, %s, 0)"
            " RETURNING id",
            login,
            PASSWORD_HASH,
        )
        # What its preferences page does at a first login.
        self.sql(
            "INSERT INTO ttrss_user_prefs (owner_uid, pref_name, value) SELECT %s, pref_name,"
            " CASE pref_name WHEN 'ENABLE_API_ACCESS' THEN 'true' ELSE def_value END"
            " FROM ttrss_prefs",
            number,
        )
        return int(number)

    def api(self, login: str, op: str, **values: Any) -> Any:
        """One call of its JSON API."""
        if op != "login" and login not in self.sessions:
            content = self.api(login, "login", user=login, password=PASSWORD)
            self.sessions[login] = content["session_id"]
        body = {"op": op, "sid": self.sessions.get(login, ""), **values}
        answer = httpx.post(f"{self.url}/api/", json=body, timeout=30, trust_env=False).json()
        assert answer["status"] == 0, answer
        return answer["content"]

    def subscribe(self, login: str, url: str, category: str = "") -> int:
        """Follow a feed, as its API does it."""
        owner = self.sql("SELECT id FROM ttrss_users WHERE login = %s", login)[0][0]
        place = None
        if category:
            found = self.sql(
                "SELECT id FROM ttrss_feed_categories WHERE owner_uid = %s AND title = %s",
                owner,
                category,
            ) or self.sql(
                "INSERT INTO ttrss_feed_categories (owner_uid, title) VALUES (%s, %s) RETURNING id",
                owner,
                category,
            )
            place = found[0][0]
        answer = self.api(login, "subscribeToFeed", feed_url=url, category_id=place or 0)
        assert answer["status"]["code"] == 1, answer
        return int(answer["status"]["feed_id"])

    def update(self) -> None:
        """Its own updater, over every feed of every user, due or not."""
        for copy in (self.place / "cache" / "feeds").iterdir():
            copy.unlink()  # what it fetched within the last half minute, it would not fetch again
        self.sql("UPDATE ttrss_feeds SET last_updated = NULL")
        said = ""
        while "Scheduled 0 feeds" not in said:  # each run serves one follower of each address
            self.sql("UPDATE ttrss_feeds SET last_update_started = NULL")
            done = subprocess.run(
                ["php", "-d", "error_reporting=0", "update.php", "--feeds"],
                cwd=self.place / "www",
                capture_output=True,
                timeout=60,
                **somebody(),
            )
            said = done.stdout.decode()
            assert done.returncode == 0, said

    def headlines(self, login: str, **values: Any) -> list[Any]:
        """All articles as a client shows them: best score first is its own order."""
        data = {"feed_id": -4, "view_mode": "unread", "limit": 200, **values}
        found = self.api(login, "getHeadlines", **data)
        assert isinstance(found, list)
        return found

    def mark(self, login: str, ids: Sequence[int], field: str, on: bool) -> None:
        number = {"marked": 0, "published": 1, "unread": 2}[field]
        joined = ",".join(map(str, ids))
        self.api(login, "updateArticle", article_ids=joined, mode=int(on), field=number)


@contextmanager
def tiny_tiny_rss(cluster: Cluster, name: str, proxy: str) -> Iterator[Tiny]:
    """Tiny Tiny RSS over one database, served by PHP's own web server."""
    with kept_port() as port:
        yield from _served(cluster, name, proxy, port)


def _served(cluster: Cluster, name: str, proxy: str, port: int) -> Iterator[Tiny]:
    path = Path(tempfile.mkdtemp(prefix="newsloom-tiny-"))
    whose = somebody()
    url = f"http://127.0.0.1:{port}"
    # Links to data of the package are made whole; only the configuration is another.
    shutil.copytree(
        PROGRAM,
        path / "www",
        ignore=shutil.ignore_patterns(
            "config.php", "feed-icons", "js", "locale", "themes", "dojo", "dijit", "scriptaculous"
        ),
    )
    for folder in ("lock", "icons", "cache/images", "cache/upload", "cache/export", "cache/feeds"):
        (path / folder).mkdir(parents=True)
    values = {"port": cluster.port, "name": name, "url": f"{url}/", "place": path}
    (path / "www" / "config.php").write_text(CONFIG.format(proxy=proxy, **values))
    if whose:
        for one in (path, *path.rglob("*")):
            os.chown(one, whose["user"], whose["group"])
    log = (path / "log").open("wb")
    server = subprocess.Popen(
        ["php", "-d", "error_reporting=0", "-S", f"127.0.0.1:{port}", "-t", "www"],
        cwd=path,
        stdout=subprocess.DEVNULL,
        stderr=log,
        env={**os.environ, "PHP_CLI_SERVER_WORKERS": "3"},
        start_new_session=True,
        **whose,
    )
    log.close()
    try:
        _wait_for(port)
        yield Tiny(url, path, cluster, name, proxy)
    finally:
        os.killpg(server.pid, signal.SIGKILL)
        server.wait()
        shutil.rmtree(path, ignore_errors=True)


def _wait_for(port: int) -> None:
    give_up = time.monotonic() + 60
    while True:
        with closing(socket.socket()) as one:
            if one.connect_ex(("127.0.0.1", port)) == 0:
                return
        assert time.monotonic() < give_up
        time.sleep(0.02)
