"""What a worker does once it has given up its files: it asks for none, and reads as a thread does.

Every document goes through a real worker, in which Python's own audit notes every module and file
that is asked for (watching.py), and through this process. Both must come to the same.
"""

from __future__ import annotations

import asyncio
import importlib.util
import io
import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path

import pytest
from PIL import ExifTags, Image

from newsloom.feeds.full_text import full_text
from newsloom.feeds.parse import parse_feed
from newsloom.feeds.service.addresses import Finding
from newsloom.feeds.service.extracting import ExtractPage
from newsloom.feeds.service.reply import InThread, InWorkers
from newsloom.feeds.values.polling import DueFeed
from newsloom.kernel.errors import ParseError, UserError
from newsloom.kernel.http.values import Reply, Request
from newsloom.kernel.ids import FeedId
from newsloom.kernel.settings import ReadingSettings
from newsloom.kernel.text.decoding import CODECS
from newsloom.kernel.workers.pool import Workers
from newsloom.kernel.workers.tasks import TASKS, Task
from newsloom_lab.bench.damage import KINDS
from parse.builders import SAMPLES, in_encoding, numbered, rss
from parse.dates import DATES

from . import worldwide
from .conftest import HERE, importable
from .watching import SEEN

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
URL = "https://feeds.test/a/feed.xml"
DUE = DueFeed(FeedId(7), URL, "lease")
HERE_ALONE = Workers(ReadingSettings(workers=0))  # reads in this process
Documents = Iterable[tuple[str, bytes]]


class Watched:
    """Newsloom's workers as they are, and what they asked for."""

    def __init__(self, workers: Workers) -> None:
        self.workers = workers

    def seen(self) -> list[str]:
        """What was asked for since the last time, but for modules that this Python has not: what a
        library can do without it may ask for."""
        answers = [self.workers.submit(task.name, SEEN, b"", json.loads) for task in TASKS]
        found = [one for answer in answers for one in answer.result()]
        return [one for one in found if not _is_no_module(one)]


def _is_no_module(seen: str) -> bool:
    event, _, name = seen.partition(" ")
    return event == "import" and importlib.util.find_spec(name) is None


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Watched]:
    """One worker for each of the program's own tasks, whatever tasks there are."""
    with watching(TASKS, tmp_path_factory.mktemp("watched")) as workers:
        yield Watched(workers)


@contextmanager
def watching(tasks: Iterable[Task], folder: Path) -> Iterator[Workers]:
    """Workers of those tasks, each in a module that watches it."""
    rows = []
    for number, task in enumerate(tasks):
        (folder / f"watched_{number}.py").write_text(
            f"from watching import watched\n\nanswer, get_ready = watched({task.module!r})\n"
        )
        rows.append(Task(task.name, f"watched_{number}", workers=1))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", importable(HERE))
        patch.setenv("PYTHONPATH", importable(folder))
        workers = Workers(ReadingSettings(seconds=60), tuple(rows))
        yield workers
        workers.close()


def replied(body: bytes, *, url: str = URL, kind: str = "") -> Reply:
    headers = (("content-type", kind),) if kind else ()
    return Reply(Request(url), NOW, seconds=0.1, status=200, url=url, headers=headers, body=body)


def rounds(watched: Watched, documents: Documents) -> Iterator[tuple[str, bytes]]:
    """The documents. After every 25, asserts that the workers opened nothing they should not."""
    rest = iter(documents)
    while some := list(islice(rest, 25)):
        yield from some
        assert watched.seen() == [], [name for name, _body in some]


def read_alike(watched: Watched, documents: Documents, kind: str = "") -> int:
    """How many feeds both could read, all of them alike."""
    inside, outside = InWorkers(watched.workers), InThread()

    async def read(name: str, body: bytes) -> bool:
        reply = replied(body, kind=kind)
        found = await inside.read(DUE, reply)
        assert found == await outside.read(DUE, reply), name
        assert not found.failed, (name, found.problem)
        return found.feed is not None

    with asyncio.Runner() as runner:
        return sum(runner.run(read(*one)) for one in rounds(watched, documents))


def told_alike(watched: Watched, documents: Documents, tells: Callable[[Finding, bytes], object]):
    """What pages or lists say, in a worker as here: how many say something."""
    inside, outside = (Finding(InThread(), one) for one in (watched.workers, HERE_ALONE))
    telling = 0
    for name, body in rounds(watched, documents):
        found = _said(tells, inside, body)
        assert found == _said(tells, outside, body), name
        telling += isinstance(found, tuple) and bool(found)
    return telling


def _said(tells: Callable[[Finding, bytes], object], finding: Finding, body: bytes) -> object:
    try:
        return tells(finding, body)
    except (ParseError, UserError) as error:
        return f"{type(error).__name__}: {error}"


def listed(finding: Finding, body: bytes) -> object:
    return finding.outline(body).feeds


def named(finding: Finding, body: bytes) -> object:
    return asyncio.run(finding.page(replied(body, url="https://site.test/blog/"))).feeds


# --- what is always there ---


def test_the_watch_sees_what_it_is_for(tmp_path: Path) -> None:
    """The test of these tests: a module and a file that were not loaded before are noted."""
    with watching([Task("careless", "careless")], tmp_path) as workers:
        said = workers.submit("careless", "", b"/etc/hosts", bytes).result()
        seen = workers.submit("careless", SEEN, b"", json.loads).result()
    assert said == b"ModuleNotFoundError OSError"
    assert seen == ["import colorsys", "open /etc/hosts"]


def test_hosts_in_letters_of_any_language(watched: Watched) -> None:
    feeds = list(worldwide.feeds())
    assert read_alike(watched, feeds) == len(feeds) > 400


def test_lists_of_such_hosts(watched: Watched) -> None:
    lists = list(worldwide.lists())
    assert told_alike(watched, lists, listed) == len(lists) > 40


def test_pages_of_such_hosts(watched: Watched) -> None:
    pages = list(worldwide.pages())
    assert told_alike(watched, pages, named) == len(pages) > 30


def test_every_encoding(watched: Watched) -> None:
    for codec in CODECS:
        body, title = in_encoding(codec)
        kind = f"text/xml; charset={codec}"
        assert read_alike(watched, [(codec, body)], kind) == 1
        page = f'<meta charset="{codec}"><link rel=feed href="/feed" title="{title}">'
        encoded = page.encode(codec, "replace")
        told_alike(watched, [(codec, encoded)], named)


@pytest.mark.parametrize("label", ["x-unheard-of", "idna", "zip", "../../etc/passwd", "oem", "é"])
def test_labels_that_are_none(label: str, watched: Watched) -> None:
    body = rss("<title>é</title>", declaration=f'<?xml version="1.0" encoding="{label}"?>')
    assert read_alike(watched, [(label, body.encode("latin-1"))], f"text/xml; charset={label}") == 1


def test_every_form_of_date(watched: Watched) -> None:
    """In each format, whole and broken: a date that is read leniently is read by others."""
    forms = [
        "<rss><channel><item><title>a</title><pubDate>{}</pubDate></item>{}</channel></rss>",
        "<rss xmlns:dc='http://purl.org/dc/elements/1.1/'><channel><item><title>a</title>"
        "<dc:date>{}</dc:date></item>{}</channel></rss>",
        "<feed xmlns='http://www.w3.org/2005/Atom'><entry><id>1</id><updated>{}</updated></entry>"
        "{}</feed>",
    ]
    documents = [
        (f"{date} {broken}", form.format(date, broken).encode())
        for date, _moment in DATES
        for form in forms
        for broken in ("", "<b>x</i>")
    ]
    assert read_alike(watched, documents) == len(documents)


def test_samples_whole_and_damaged(watched: Watched) -> None:
    wholes = [(path.name, path.read_bytes()) for path in sorted(SAMPLES.iterdir())]
    wholes += [(f"{count} articles", numbered(count).encode()) for count in (3, 40)]
    assert read_alike(watched, wholes) == len(wholes)
    assert read_alike(watched, damaged(wholes)) > 100


def damaged(wholes: Documents) -> Iterator[tuple[str, bytes]]:
    """Every kind of damage that is known, done to each."""
    for name, body in wholes:
        for kind, damage in KINDS:
            try:
                found = damage(body)
            except (IndexError, UnicodeDecodeError):  # nothing there to be damaged so
                continue
            if found is not None:
                yield f"{name}, {kind}", found.body


def test_an_odd_address_spoils_no_other(watched: Watched) -> None:
    """What is no host for us may be one for somebody: it is left to whoever asks for it."""
    odd = "http://b.te°¸st/feed"
    page = f'<link rel=feed href="{odd}"><link rel=feed href="https://a.test/feed">'
    outline = (
        f'<opml><body><outline xmlUrl="{odd}"/><outline xmlUrl="https://a.test/"/></body></opml>'
    )
    finding = Finding(InThread(), watched.workers)
    for found in (named(finding, page.encode()), listed(finding, outline.encode())):
        assert [one.url.startswith(("http://b", "https://a.test/")) for one in found] == [
            True,
            True,
        ]


# What readability may look at: (head, body). "{}" is a text of many paragraphs.
PAGES = {
    "an article": ("", "<article><h1>T</h1>{}</article>"),
    "one with everything": (
        "<meta charset=utf-8><meta property='og:title' content='T'><script type="
        '\'application/ld+json\'>{{"@type":"NewsArticle","datePublished":"2026"}}</script>',
        "<main><h1>T</h1>{}<table><tr><td>1</td></tr></table><ul><li>a</li></ul><pre><code>x = 1"
        "</code></pre><blockquote>q</blockquote><figure><img src=a.png alt=b></figure>"
        "<time datetime='2026-11-02'></time><video src=v.mp4></video>"
        "<iframe src='https://www.youtube.com/embed/x'></iframe></main>",
    ),
    "no structure": ("", "{}"),
    "comments": ("", "<div class=post>{}</div><div id=comments>{}</div>"),
    "another language": ("<meta http-equiv=content-language content=ru>", "<div>{}</div>"),
    "short": ("", "<p>Hi</p>"),
    "empty": ("", ""),
    "broken": ("<title>", "<div><p>{}<table><b></div></p>"),
    "another encoding": ("<meta charset=iso-8859-1>", "<article>{}</article>"),
    "frames": ("", "<frameset><frame src=a></frameset>"),
}
PARAGRAPH = (
    "<p>{} Ein Satz mit einem <a href='https://bücher.example/x'>Verweis</a>, der lang genug ist, "
    "um für einen Teil des Textes gehalten zu werden, und noch ein wenig länger.</p>"
)


def made(form: str, size: tuple[int, int]) -> bytes:
    """A picture that says how it is to be turned."""
    turned = Image.Exif()
    turned[ExifTags.Base.Orientation] = 6
    whole = io.BytesIO()
    Image.effect_noise(size, 90).convert("RGB").save(whole, form, exif=turned)
    return whole.getvalue()


def shrunk(workers: Workers, body: bytes, made: str) -> object:
    try:
        return workers.submit("picture", [100, made], body, bytes).result()
    except ParseError:
        return "refused"


def extracted_alike(watched: Watched, pages: Iterable[tuple[str, bytes]]) -> int:
    """How many pages have an article, in a worker as here."""
    found = 0
    for name, page in rounds(watched, pages):
        reply = replied(page, url="https://bücher.example/a", kind="text/html")
        facts = asyncio.run(ExtractPage(watched.workers)(reply, "T"))
        inside = facts.html or f"ParseError: {facts.problem}"
        try:
            outside = full_text(page, reply.url, "text/html", "T")
        except ParseError as error:
            outside = f"ParseError: {error}"
        assert inside == outside, name
        found += not inside.startswith("ParseError")
    return found


@pytest.mark.parametrize("form", ["JPEG", "PNG", "WEBP", "GIF", "AVIF"])
def test_pictures(form: str, watched: Watched) -> None:
    body = made(form, (300, 200) if form == "AVIF" else (900, 600))
    for damaged in (body, body[: len(body) // 2], body[:60], b""):
        for to in ("WEBP", "JPEG"):
            inside, outside = (shrunk(one, damaged, to) for one in (watched.workers, HERE_ALONE))
            assert inside == outside
        assert watched.seen() == []


def test_pages_of_articles(watched: Watched) -> None:
    text = "".join(PARAGRAPH.format(number) for number in range(12))
    pages = [
        (name, whole_page(head.format(), body.format(text, text)).encode())
        for name, (head, body) in PAGES.items()
    ]
    pages += [
        (codec, whole_page(f"<meta charset={codec}>", text).encode(codec, "replace"))
        for codec in ("cp1251", "cp1252", "gb18030", "cp932", "iso8859-2", "utf-16")
    ]
    assert extracted_alike(watched, pages) > 10


def whole_page(head: str, body: str) -> str:
    return f"<!doctype html><html><head>{head}</head><body>{body}</body></html>"


# --- real ones ---


def files(folder: Path, *endings: str) -> list[tuple[str, bytes]]:
    found = sorted(one for one in folder.rglob("*") if one.is_file())
    return [
        (str(one.relative_to(folder)), one.read_bytes())
        for one in found
        if not endings or one.suffix in endings
    ]


def test_real_feeds(watched: Watched, shared: Path) -> None:
    assert read_alike(watched, files(shared / "data/feeds/real")) == 181


def test_real_feeds_that_are_damaged(watched: Watched, shared: Path) -> None:
    small = [one for one in files(shared / "data/feeds/real") if len(one[1]) < 30_000]
    assert read_alike(watched, damaged(small[:30])) > 300


def test_the_suite_of_the_feed_validator(watched: Watched, shared: Path) -> None:
    suite = files(shared / "data/feeds/suite_feedvalidator", ".xml", ".opml")
    assert read_alike(watched, suite) > 1_000


def test_feeds_polled_over_years(watched: Watched, shared: Path) -> None:
    """Every tenth poll: the feeds are seven."""
    assert read_alike(watched, files(shared / "data/feeds/polling", ".xml")[::10]) > 200


def test_real_lists(watched: Watched, shared: Path) -> None:
    lists = files(shared / "data/opml", ".opml") + files(
        shared / "data/feeds/suite_feedvalidator", ".opml"
    )
    assert told_alike(watched, lists, listed) > 250


def test_pages_made_of_real_articles(watched: Watched, shared: Path) -> None:
    """No real pages are stored: the texts of real articles stand in for them, in each a link to
    their feed."""
    pages = []
    for name, body in files(shared / "data/feeds/real"):
        feed = parse_feed(body, URL)
        text = next((one.content or one.summary for one in feed.articles), "")
        link = '<link rel=alternate type="application/rss+xml" href="https://bücher.example/f">'
        pages.append((name, f"<html><head>{link}</head><body>{text}</body></html>".encode()))
    assert told_alike(watched, pages, named) == 181
    assert extracted_alike(watched, pages) > 100
