"""Feeds, pages and lists through the commands and the pages, read by workers as a user has them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from newsloom.web.app import create_app
from publisher import Publisher
from whole.conftest import Whole

Newsloom = Callable[..., str]
SAME = {"sec-fetch-site": "same-origin"}
WORLDWIDE = """<rss version="2.0"><channel><title>Zeitung</title><link>http://bücher.example/</link>
<item><title>Eins</title><link>http://bücher.example/1</link><guid>http://пример.рф/1</guid></item>
<item><title>Zwei</title><link>https://例え.テスト/2</link></item></channel></rss>"""
# Half a second of work and more, wherever it is read.
LIST = "<opml><body>{}{}</body></opml>".format(
    "".join(f'<outline text="F{n}" xmlUrl="https://{n}.test/feed"/>' for n in range(9_000)),
    "<outline text='a folder'/>" * 80_000,
)
PAGE = "<!doctype html><title>x</title>" + '<a title="a > b" href="/about">About</a>' * 50_000


@pytest.fixture
def strict(newsloom: Newsloom, monkeypatch: pytest.MonkeyPatch) -> Newsloom:
    """The command line, its workers with a tenth of a second for each document."""
    monkeypatch.setenv("NEWSLOOM_READING_WORKERS", "1")
    monkeypatch.setenv("NEWSLOOM_READING_SECONDS", "0.1")
    return newsloom


@pytest.fixture
def sandboxed(newsloom: Newsloom, monkeypatch: pytest.MonkeyPatch) -> Newsloom:
    """The command line with its workers."""
    monkeypatch.setenv("NEWSLOOM_READING_WORKERS", "1")
    return newsloom


def test_a_feed_with_letters_in_its_hosts(sandboxed: Newsloom, publisher: Publisher) -> None:
    said = sandboxed("add", publisher.puts("/feed", WORLDWIDE))
    assert "Following Zeitung" in said
    assert "2 articles" in said


def test_a_page_that_leads_to_one(sandboxed: Newsloom, publisher: Publisher) -> None:
    publisher.puts("/feed", WORLDWIDE)
    link = '<link rel="alternate" type="application/rss+xml" href="{}">'
    page = link.format("/feed") + link.format("https://bücher.example/other")
    said = sandboxed("add", publisher.puts("/", page))
    assert "Following Zeitung" in said
    assert "There is also https://bücher.example/other" in said


def test_a_broken_feed_is_read_by_the_lenient_parser(
    sandboxed: Newsloom, publisher: Publisher
) -> None:
    broken = WORLDWIDE.replace("</title>", "", 1)
    assert "2 articles" in sandboxed("add", publisher.puts("/feed", broken))


def test_a_list_with_letters_in_its_hosts(
    sandboxed: Newsloom, publisher: Publisher, tmp_path: Path
) -> None:
    outline = '<opml><body><outline text="B" xmlUrl="https://bücher.example/f"/></body></opml>'
    assert "1 feeds added" in sandboxed("import", publisher.puts("/list", outline))
    (tmp_path / "mine.opml").write_text(outline.replace("bücher", "пример"))
    assert "1 feeds added" in sandboxed("import", "mine.opml")


def test_a_list_that_takes_too_long_ends_its_worker(
    strict: Newsloom, publisher: Publisher, tmp_path: Path
) -> None:
    said = strict("import", publisher.puts("/list", LIST), status=2)
    assert "The list could not be read: Parsing took more than 0.1 seconds" in said
    (tmp_path / "mine.opml").write_text(LIST)
    assert "took more than 0.1 seconds" in strict("import", "mine.opml", status=2)
    assert strict("feeds", "--json").strip() == "[]"


def test_a_page_that_takes_too_long_ends_its_worker(strict: Newsloom, publisher: Publisher) -> None:
    url = publisher.puts("/", PAGE)
    said = " ".join(strict("add", url, status=2).split())
    assert f"{url} could not be read: Parsing took more than 0.1 seconds" in said


def test_a_feed_that_takes_too_long_is_not_said_to_be_none(
    strict: Newsloom, publisher: Publisher
) -> None:
    items = "".join(f"<item><title>{n}</title><a/></item>" for n in range(60_000))
    url = publisher.puts("/", f"<rss><channel>{items}</channel></rss>")
    said = " ".join(strict("add", url, status=2).split())
    assert "could not be read: Parsing took more than 0.1 seconds" in said
    assert "is no feed" not in said


def test_the_pages_have_both_read_by_workers(open_whole: Callable[..., Whole]) -> None:
    """As `serve` wires them; no process is left behind."""
    app = open_whole(workers=2).app
    with TestClient(create_app(app.reader()), base_url="http://127.0.0.1") as client:
        assert app.services.workers.processes() == ()
        found = client.post("/feeds/import", files={"file": ("a.opml", LIST)}, headers=SAME)
        assert found.status_code == 200
        assert len(app.services.workers.processes()) == 1
        assert len(app.reader().subscriptions()) == 9_000
        broken = client.post("/feeds/import", files={"file": ("a", LIST[:-60])}, headers=SAME)
        assert broken.status_code == 400
        assert "is incomplete" in broken.text
