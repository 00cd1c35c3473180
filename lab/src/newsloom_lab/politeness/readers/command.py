"""Any reader that is started by a command, as its description says, by the case's clock.

Its time is shifted by libfaketime, its memory and processor time are measured through /proc, and
what it shows is read from its own list. It is judged by what reaches the publisher.
"""

from __future__ import annotations

import json
import os
import selectors
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event
from typing import Any

from newsloom.kernel.errors import UserError
from newsloom_lab.politeness.case import ReaderFailed
from newsloom_lab.politeness.publisher import Headers
from newsloom_lab.politeness.readers.description import Description
from newsloom_lab.politeness.readers.driver import FeedShown, Shown, Surroundings

LIBRARIES = (
    "/usr/lib/*/faketime/libfaketimeMT.so.1",
    "/usr/lib/faketime/libfaketimeMT.so.1",
    "/usr/local/lib/faketime/libfaketimeMT.so.1",
)
MOST_OUTPUT = 64_000_000  # characters of a list


def faketime_library() -> Path:
    """Raises UserError where libfaketime is not installed."""
    for pattern in LIBRARIES:
        for found in Path("/").glob(pattern.lstrip("/")):
            return found
    raise UserError("Readers started by a command need libfaketime (Debian: faketime).")


class Command:
    """A driver (readers.driver.Driver)."""

    quick = False
    speed = 1.0

    def __init__(self, description: Description, around: Surroundings) -> None:
        self.name = description.name
        self.capabilities = description.capabilities | {"processes"}
        self._described = description
        self._around = around
        self._library = faketime_library()
        self._urls: list[str] = []
        self._session: subprocess.Popen[str] | None = None
        self._looked: datetime | None = None
        self.version = self._version()

    def _version(self) -> str:
        if self._described.session:
            return str(self._ask("version").get("version", ""))
        return _first_line(self._run("version")) if self._described.command("version") else ""

    def subscribe(self, url: str, *, user: str = "") -> None:
        if user:
            raise ReaderFailed("it has one user")
        self.subscribe_all([url])

    def subscribe_all(self, urls: Sequence[str]) -> None:
        new = [url for url in urls if url not in self._urls]
        self._urls += new
        if self._described.session:
            self._ask("subscribe", urls=new)
        elif self._described.command("subscribe"):
            for url in new:
                self._run("subscribe", url=url)
        self._looked = None  # its user, or its loop, has it look now

    def unsubscribe(self, url: str, *, user: str = "") -> None:  # noqa: ARG002 - it has one
        self._urls.remove(url)
        if self._described.session:
            self._ask("unsubscribe", url=url)
        elif self._described.command("unsubscribe"):
            self._run("unsubscribe", url=url)

    def import_opml(self, document: bytes) -> None:
        (self._around.folder / "import.opml").write_bytes(document)
        if self._described.session:
            self._ask("opml", path=str(self._around.folder / "import.opml"))
        else:
            self._run("opml")

    def poll(self) -> None:
        """As its loop does: not again before so many minutes, unless its own schedule decides."""
        now = self._around.clock.now()
        every = timedelta(minutes=self._described.loop_minutes)
        if "schedule" not in self.capabilities and self._looked and abs(now - self._looked) < every:
            return
        self._looked = now
        self._do("poll")

    def advance(self, span: timedelta, step: timedelta | None = None) -> None:
        clock = self._around.clock
        until = clock.now() + span
        every = max(step or timedelta(0), timedelta(minutes=self._described.loop_minutes))
        while clock.now() + every <= until:
            clock.jump(every)
            self.poll()
        clock.reach(until)

    def refresh(self, url: str) -> str:
        if self._described.session:
            return str(self._ask("refresh", url=url).get("words", ""))
        self._run("refresh", url=url)
        return ""

    def restart(self) -> None:
        self._end_session()

    def articles(self) -> tuple[Shown, ...]:
        if self._described.session:
            rows: Iterable[Mapping[str, Any]] = self._ask("articles")["articles"]
        elif self._described.database:
            rows = self._queried()
        else:
            rows = [json.loads(line) for line in self._run("articles").splitlines() if line]
        return tuple(map(_shown, rows))

    def feeds(self) -> tuple[FeedShown, ...]:
        if self._described.session:
            rows = self._ask("feeds")["feeds"]
        else:
            rows = [json.loads(line) for line in self._run("feeds").splitlines() if line]
        return tuple(
            FeedShown(str(one["url"]), str(one.get("problem") or ""), str(one.get("title") or ""))
            for one in rows
        )

    def mark_all_read(self) -> None:
        self._ask("mark_all_read")

    def poll_together(self) -> None:
        """What one of the two says is heard, and that the other does not run is its own answer."""
        self._write_files()
        if self._described.session:
            self._tell("poll")
            other = self._started([self._fill(word) for word in self._described.session])
            try:
                _say(other, {"do": "poll"})
                self._heard()
                self._line_of(other)
            finally:
                _kill(other)
            return
        both = [self._started(self._filled("poll")) for _ in range(2)]
        until = time.monotonic() + self._described.limit_seconds
        for child in both:
            try:
                child.communicate(timeout=max(until - time.monotonic(), 0.1))
            except subprocess.TimeoutExpired:
                for one in both:
                    _kill(one)
                raise ReaderFailed("it did not end in time") from None
        self._looked = self._around.clock.now()

    def poll_killed(self, when: Event, after: timedelta) -> None:
        if self._described.session:
            self._tell("poll")
            child = self._session
        else:
            self._write_files()
            child = self._started(self._filled("poll"))
        assert child is not None
        when.wait(self._described.limit_seconds)
        time.sleep(after.total_seconds())
        _kill(child)
        self._session = None
        self._looked = None

    def close(self) -> None:
        self._end_session()

    # --- what its description has no way for ---

    def icons(self, views: int) -> None:
        raise NotImplementedError

    def want_full_text(self, url: str) -> None:
        raise NotImplementedError

    def moved(self, url: str) -> tuple[str, ...]:
        raise NotImplementedError

    def undo_move(self, url: str) -> None:
        raise NotImplementedError

    def revisions(self) -> int:
        raise NotImplementedError

    def release(self, url: str) -> None:
        raise NotImplementedError

    def hub_calls(self, url: str, headers: Headers, body: bytes | None) -> tuple[int, str]:
        raise NotImplementedError

    def longest_wait(self) -> float:
        raise NotImplementedError

    # --- one step ---

    def _do(self, what: str) -> None:
        if self._described.session:
            self._ask(what)
        else:
            self._run(what)

    def _run(self, name: str, url: str = "") -> str:
        """One command, by the case's time, within its limit; what it printed."""
        self._write_files()
        limit = self._described.limit_seconds
        with subprocess.Popen(  # noqa: S603 - what the user described
            self._filled(name, url),
            env=self._environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            text=True,
            errors="replace",
        ) as child:
            try:
                said, complained = child.communicate(timeout=limit)
            except subprocess.TimeoutExpired:
                _kill(child)
                raise ReaderFailed(f"it did not end within {limit:g} seconds") from None
        if child.returncode < 0:
            name = signal.Signals(-child.returncode).name
            raise ReaderFailed(f"it crashed ({name}): {complained.strip()[-200:]}")
        return said[:MOST_OUTPUT]

    def _ask(self, what: str, **parts: Any) -> dict[str, Any]:
        """One line to its session, and the line that comes back."""
        self._tell(what, **parts)
        return self._heard()

    def _tell(self, what: str, **parts: Any) -> None:
        self._write_files()
        if self._session is None:
            self._session = self._started([self._fill(word) for word in self._described.session])
        try:
            _say(self._session, {"do": what, **parts})
        except BrokenPipeError as error:
            self._session = None
            raise ReaderFailed("it ended by itself") from error

    def _heard(self) -> dict[str, Any]:
        """What its session answers."""
        session = self._session
        assert session is not None
        line = self._line_of(session)
        if line is None:
            self._end_session()
            limit = self._described.limit_seconds
            raise ReaderFailed(f"it did not answer within {limit:g} seconds")
        if not line:
            status = session.wait()
            self._session = None
            raise ReaderFailed(f"it ended with status {status}")
        answer: dict[str, Any] = json.loads(line)
        if error := answer.get("error"):
            raise ReaderFailed(str(error)[:300])
        return answer

    def _line_of(self, session: subprocess.Popen[str]) -> str | None:
        """The next line, empty at the end; None when none comes in time."""
        assert session.stdout is not None
        with selectors.DefaultSelector() as selector:
            selector.register(session.stdout, selectors.EVENT_READ)
            if not selector.select(self._described.limit_seconds):
                return None
        return session.stdout.readline()

    def _started(self, command: list[str]) -> subprocess.Popen[str]:
        return subprocess.Popen(  # noqa: S603 - what the user described
            command,
            env=self._environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            text=True,
        )

    def _end_session(self) -> None:
        if self._session is not None:
            _kill(self._session)
            self._session = None

    def _write_files(self) -> None:
        """Its configuration, its list of feeds, and the time."""
        folder = self._around.folder
        (folder / "list").write_text("".join(f"{url}\n" for url in self._urls))
        (folder / "shift").write_text(f"{self._shift():+.3f}")
        for name, text in self._described.files:
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(self._fill(text))

    def _shift(self) -> float:
        """Seconds from the world's time to the case's."""
        real = datetime.fromtimestamp(time.time(), UTC)  # noqa: TID251 - what is shifted
        return (self._around.clock.now() - real).total_seconds()

    def _filled(self, name: str, url: str = "") -> list[str]:
        return [self._fill(word, url) for word in self._described.command(name)]

    def _fill(self, text: str, url: str = "") -> str:
        folder = self._around.folder
        places = {
            "folder": str(folder),
            "url": url,
            "list": str(folder / "list"),
            "urls": "".join(f"{one}\n" for one in self._urls),
            "opml": str(folder / "import.opml"),
            "python": sys.executable,
            "here": str(self._described.folder),
            "proxy": self._around.proxy,
            "authority": str(self._around.authority or ""),
        }
        for name, value in places.items():
            text = text.replace(f"{{{name}}}", value)
        return text

    def _environment(self) -> dict[str, str]:
        folder = self._around.folder
        environment = {
            "PATH": os.environ.get("PATH", os.defpath),
            "HOME": str(folder),
            "TZ": "UTC",
            "LANG": "C.UTF-8",
            "LD_PRELOAD": str(self._library),
            "FAKETIME_TIMESTAMP_FILE": str(folder / "shift"),
            "FAKETIME_NO_CACHE": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            "DONT_FAKE_MONOTONIC": "1",
            "NO_FAKE_STAT": "1",
        }
        if self._around.proxy:
            environment["http_proxy"] = self._around.proxy
        if self._around.authority:
            for name in ("SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"):
                environment[name] = str(self._around.authority)
        environment |= {name: self._fill(value) for name, value in self._described.environment}
        return environment

    def _queried(self) -> list[dict[str, Any]]:
        path = self._fill(self._described.database)
        if not Path(path).exists():
            return []
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
            connection.row_factory = sqlite3.Row
            connection.text_factory = lambda raw: raw.decode("utf-8", "replace")
            return [dict(row) for row in connection.execute(self._described.query)]


def _first_line(text: str) -> str:
    return next((line.strip() for line in text.splitlines() if line.strip()), "")


def _shown(row: Mapping[str, Any]) -> Shown:
    published = row.get("published")
    moment = None
    with suppress(ValueError, OverflowError, OSError):
        if isinstance(published, (int, float)):
            moment = datetime.fromtimestamp(published, UTC)
        elif published:
            moment = datetime.fromisoformat(str(published))
    return Shown(
        feed=str(row.get("feed") or ""),
        title=str(row.get("title") or ""),
        guid=str(row.get("guid") or ""),
        link=str(row.get("link") or ""),
        published=moment,
        text=str(row.get("text") or ""),
        unread=bool(row.get("unread", True)),
    )


def _say(session: subprocess.Popen[str], words: Mapping[str, Any]) -> None:
    assert session.stdin is not None
    session.stdin.write(json.dumps(words) + "\n")
    session.stdin.flush()


def _kill(child: subprocess.Popen[str]) -> None:
    with suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)
    child.wait()
    for pipe in (child.stdin, child.stdout, child.stderr):
        if pipe is not None:
            with suppress(OSError):
                pipe.close()
