"""Subscription lists through the whole house: out and in again, from files and addresses."""

from __future__ import annotations

import json

import pytest

from newsloom.app import utc_now
from newsloom.feeds.parse import read_opml
from newsloom.store import open_store
from publisher import rss

OPML = """<opml version="2.0"><body><outline text="Neuigkeiten"><outline text="Ünï 漢字 👩">
<outline type="rss" text="Eins &amp; &lt;zwei&gt;" xmlUrl="https://a.test/f?x=1&amp;y=2"/>
</outline><outline type="rss" text="B" xmlUrl="https://b.test/"/></outline>
<outline type="rss" text="bad" xmlUrl="javascript:alert(1)"/>
<outline type="rss" text="C" xmlUrl="https://c.test/"/></body></opml>"""


def test_out_and_in_again_is_the_same(newsloom, tmp_path, monkeypatch):
    (tmp_path / "mine.opml").write_text(OPML)
    assert json.loads(newsloom("import", "mine.opml", "--json")) == {
        "feeds": 3,
        "left_out": [
            {
                "title": "bad",
                "url": "javascript:alert(1)",
                "reason": "not a web URL",
            }
        ],
    }
    newsloom("export", "out.opml")
    written = (tmp_path / "out.opml").read_bytes()
    assert [(one.url, one.title, one.category) for one in read_opml(written)] == [
        ("https://c.test/", "C", ""),
        ("https://b.test/", "B", "Neuigkeiten"),
        ("https://a.test/f?x=1&y=2", "Eins & <zwei>", "Neuigkeiten/Ünï 漢字 👩"),
    ]
    monkeypatch.setenv("NEWSLOOM_STORE_PATH", str(tmp_path / "other.db"))
    newsloom("import", "out.opml")
    newsloom("export", "again.opml")
    assert (tmp_path / "again.opml").read_bytes() == written


def test_the_feed_of_a_page_is_looked_for_and_what_is_left_out_is_said(newsloom, publisher):
    link = '<link rel="alternate" type="application/rss+xml" href="/feed">'
    publisher.puts("/feed", rss("The Feed", ("1", "https://x.test/1", "One")))
    page, dead = publisher.puts("/", link), f"{publisher.url}/missing"
    outlines = (
        f"<outline text='Page' htmlUrl='{page}'/><outline text='Dead' htmlUrl='{dead}'/>"
        "<outline text='Link' type='link' url='https://x.test/'/><outline text='Empty'/>"
    )
    url = publisher.puts("/list", f"<opml><body>{outlines}</body></opml>")
    said = newsloom("import", url)
    assert "1 feeds added" in said
    assert "Not imported: Link https://x.test/: a link to a page, not a feed." in said
    assert "Not imported: Empty: no URL." in said
    assert f"Not imported: Dead {dead}: only its page is known: " in said
    assert f"{publisher.url}/feed" in newsloom("feeds", "--json")


def test_from_an_address(newsloom, publisher):
    url = publisher.puts("/subscriptions", OPML)
    assert "3 feeds added" in newsloom("import", url)
    assert "0 feeds added" in newsloom("import", url)
    _path, headers = publisher.asked[0]
    assert "opml" in headers["accept"]


@pytest.mark.parametrize(
    ("body", "status", "words"),
    [
        (OPML[:-60], 200, "is incomplete"),
        ("<rss/>", 200, "The file is not an OPML list of feeds"),
        (OPML, 404, "the server returned 404"),
        ("<opml><body/></opml>", 200, "lists no feeds"),
        ("<opml>" + " " * 17_000_000, 200, "16"),
        ("<opml>" + "<outline text='x'>" * 100_000, 200, "refused"),
    ],
    ids=["cut", "no list", "not there", "empty", "large", "deep"],
)
def test_what_cannot_be_taken_whole_is_not_taken(
    newsloom, publisher, tmp_path, body, status, words
):
    url = publisher.puts("/subscriptions", body, status=status)
    code = 2 if status == 404 or "no feeds" in words or words == "16" else 1
    assert words in " ".join(newsloom("import", url, status=code).split())
    store = open_store(tmp_path / "news.db", now=utc_now)
    assert store.lists.subscriptions(store.users.user("reader", utc_now())) == ()
    store.close()


def test_lists_inside_the_house_are_not_fetched(newsloom, monkeypatch, publisher):
    monkeypatch.setenv("NEWSLOOM_FETCH_PRIVATE_HOSTS", "")
    url = publisher.puts("/subscriptions", OPML)
    assert "could not be fetched" in newsloom("import", url, status=2)
    assert publisher.asked == []


def test_ten_thousand_feeds(newsloom, tmp_path):
    listed = "".join(
        f'<outline text="F{n}" xmlUrl="https://{n}.test/feed"/>' for n in range(10_000)
    )
    (tmp_path / "many.opml").write_text(f"<opml><body>{listed}</body></opml>")
    assert "10000 feeds added" in newsloom("import", "many.opml")
    newsloom("export", "out.opml")
    assert len(read_opml((tmp_path / "out.opml").read_bytes())) == 10_000
