"""Tags, notes, highlights and reading later over HTTP, without scripts."""

from __future__ import annotations

import json
import re
from datetime import datetime
from html import unescape

import pytest

from newsloom.reading.service import annotating, saved_lists
from newsloom.reading.values.reading import ArticleState, ListQuery, Rows
from web.conftest import Visitor
from web.world import NEWS, World


@pytest.fixture
def first(world: World) -> int:
    return world.named(NEWS[0]["title"])


def beside(page: str) -> str:
    return re.search(r'<nav id="tags-beside".*?</nav>', page, re.DOTALL)[0]


def words_of(visitor: Visitor, number: int) -> str:
    page = visitor.get(f"/articles/{number}/words").text
    part = re.search(r'<div id="words".*?</div>', page, re.DOTALL)[0]
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", part)).split())


def test_tags_of_an_article(world: World, visitor: Visitor, first: int) -> None:
    at = "article=1&page=added"
    assert (
        visitor.post(f"/articles/{first}/tags", {"add": "Sea, #wind", "at": at}).status_code == 303
    )
    page = visitor.get("/?tag=SEA&show=all")
    assert page.text.count('<article class="row') == 1
    assert "<bdi>#Sea</bdi>" in page.text
    assert "#wind" in beside(page.text)
    assert visitor.get("/?tag=sea&show=unread&order=newest&language=en&score=1").status_code == 200
    for refused in ("", ",", 'say "so"', "x" * 61, "\u202e"):
        answer = visitor.post(f"/articles/{first}/tags", {"add": refused})
        assert answer.status_code == 400
        assert 'role="alert"' in answer.text
    fragment = visitor.htmx(f"/articles/{first}/tags", {"remove": "wind"})
    assert "#Sea" in fragment.text
    assert "#wind" not in fragment.text
    assert visitor.post("/articles/99999/tags", {"add": "sea"}).status_code == 404
    reader = world.reader()
    assert annotating.added(reader, reader.article(first).listed).tags == ("Sea",)


def test_tags_of_many_and_of_all(world: World, visitor: Visitor) -> None:
    ids = [one.id for one in world.listed()]
    named = ",".join(map(str, ids[:3]))
    answer = visitor.htmx("/tags/these", {"articles": named, "names": "sea", "do": "add"})
    assert answer.text.count("<article class=") == 3
    assert ">3</span>" in beside(answer.text)
    visitor.post("/tags/these", {"articles": ids[0], "names": "sea", "do": "remove"})
    all_of_it = {"articles": "all", "names": "everything", "at": "category=World"}
    assert visitor.post("/tags/these", all_of_it).status_code == 303
    reader = world.reader()
    found = {one.name: one.articles for one in annotating.all_tags(reader)}
    of_category = reader.page(ListQuery(category="World", limit=1_000))
    assert found == {"sea": 2, "everything": len(of_category)}
    search = {"articles": "all", "names": "tides", "at": "page=search&q=tide"}
    visitor.post("/tags/these", search)
    assert reader.page(ListQuery(tag="tides", unread_only=False))
    for bad in ("", "a", "1,-2", "99999"):
        assert visitor.post("/tags/these", {"articles": bad, "names": "x"}).status_code == 404


def test_tags_are_renamed_merged_and_removed(world: World, visitor: Visitor, first: int) -> None:
    visitor.post(f"/articles/{first}/tags", {"add": "a, b, c"})
    assert visitor.post("/tags/rename", {"name": "a", "to": "Alpha"}).status_code == 303
    visitor.post("/tags/rename", {"name": "b", "to": "ALPHA"})
    visitor.post("/tags/drop", {"name": "c"})
    assert [one.name for one in annotating.all_tags(world.reader())] == ["ALPHA"]
    page = visitor.get("/tags").text
    assert "#ALPHA" in page
    assert visitor.post("/tags/rename", {"name": "ALPHA", "to": ""}).status_code == 400
    for path in ("/tags/rename", "/tags/drop"):
        assert visitor.post(path, {"name": "none", "to": "x"}).status_code == 404


def test_reading_later_is_a_mark_that_undo_takes_back(
    world: World, visitor: Visitor, first: int
) -> None:
    learned = world.store.models.labels(world.user)
    answer = visitor.htmx(f"/articles/{first}/marks", {"kind": "later"})
    assert '<span id="count-later" hx-swap-oob="innerHTML">1</span>' in answer.text
    assert "Saved for later" in answer.text
    visitor.post("/marks/all")
    page = visitor.get("/?show=later").text
    assert page.count('<article class="row') == 1
    assert 'value="not later" class="mark later" aria-pressed="true"' in page
    visitor.post("/undo")  # the marking of all
    visitor.post("/undo")
    assert "Nothing to read later" in visitor.get("/?show=later").text
    state = world.reader().article(first).listed.state
    assert state == ArticleState()
    assert world.store.models.labels(world.user) == learned


def test_what_to_read_later_is_a_queue_the_oldest_first(world: World, visitor: Visitor) -> None:
    everything = world.reader().page(ListQuery(unread_only=False, rows=Rows.ARTICLE))
    for one in everything[:6]:
        visitor.htmx(f"/articles/{one.id}/marks", {"kind": "later"})
    dated = {one.id: one.dated for one in everything}

    def days(query: str) -> list[datetime]:
        page = visitor.get(f"/?show=later{query}").text
        rows = re.findall(r'<article class="row[^>]* id="a(\d+)"', page)
        return [dated[int(one)] for one in rows]

    queue = days("")
    assert len(queue) == 6
    assert queue == sorted(queue)
    assert days("&order=newest") == queue[::-1]
    front = visitor.get("/?order=newest").text
    assert 'href="/?show=later"' in front, "an order chosen elsewhere is not taken along"
    there = visitor.get("/?show=later").text
    assert 'href="/?show=all"' in there, "nor is the queue's taken elsewhere"
    assert 'href="/?show=later&amp;order=ranked"' in there


def test_notes_are_kept_shown_and_found(world: World, visitor: Visitor, first: int) -> None:
    visitor.post(f"/articles/{first}/note", {"note": "Ask Müller <b>soon</b>.\r\nReally."})
    page = visitor.get(f"/articles/{first}").text
    assert "Ask Müller &lt;b&gt;soon&lt;/b&gt;.\nReally.</textarea>" in page
    for words, found in (("note:muller", 1), ("has:note", 1), ("note:nobody", 0)):
        assert visitor.get(f"/search?q={words}").text.count('<article class="row') == found
    long = visitor.post(f"/articles/{first}/note", {"note": "x" * 10_001})
    assert long.status_code == 400
    assert "x" * 10_001 in long.text  # what was typed is not lost
    assert visitor.post("/articles/99999/note", {"note": "x"}).status_code == 404
    visitor.post(f"/articles/{first}/note", {"note": " "})
    reader = world.reader()
    assert annotating.added(reader, reader.article(first).listed).note is None


def test_highlights_are_kept_and_marked_in_the_text(
    world: World, visitor: Visitor, first: int
) -> None:
    words = words_of(visitor, first).split()
    quote = " ".join(words[4:9])
    made = {"quote": f"\n {quote} ", "note": "So <it> is."}
    answer = visitor.post(f"/articles/{first}/highlights", made)
    assert answer.status_code == 303
    assert re.search(r"/words\?did=highlighted#h1$", answer.headers["location"])
    body = visitor.get(f"/articles/{first}").text
    marked = re.findall(r'<mark class="own"[^>]*>([^<]*)</mark>', body)
    assert " ".join(unescape(" ".join(marked)).split()) == quote
    assert 'title="So &lt;it&gt; is."' in body
    for page in (f"/articles/{first}", f"/articles/{first}/added", "/highlights"):
        assert quote in unescape(visitor.get(page).text)
    for bad in ("", "words that are nowhere in it", "x" * 6_000):
        refused = visitor.post(f"/articles/{first}/highlights", {"quote": bad})
        assert refused.status_code == 400
        assert 'role="alert"' in refused.text
    assert visitor.post("/articles/99999/highlights", {"quote": "x"}).status_code == 404
    visitor.post("/highlights/1/note", {"note": "Or not."})
    assert "Or not." in visitor.get("/highlights").text
    exported = json.loads(visitor.get("/highlights/export.json").text)["articles"]
    assert [one["highlights"][0]["exact"] for one in exported] == [quote]
    file = visitor.get("/highlights/export.md")
    assert f"> {quote}" in file.text
    assert "attachment" in file.headers["content-disposition"]
    assert visitor.get("/highlights/export.exe").status_code == 404
    visitor.post("/highlights/1/drop")
    for path in ("note", "drop"):
        assert visitor.post(f"/highlights/1/{path}", {"note": "x"}).status_code == 404
    assert "<mark" not in visitor.get(f"/articles/{first}").text


def test_a_saved_list_is_a_row_with_what_is_unread_in_it(world: World, visitor: Visitor) -> None:
    for at in ("q=tide&page=search", "category=World", "show=starred", "tag=none&show=all"):
        visitor.post("/lists", {"at": at, "name": at})
    page = visitor.get("/").text
    assert 'hx-get="/lists/counts"' in page
    counts = dict(
        re.findall(
            r'id="count-list-(\d+)" hx-swap-oob="innerHTML">(\d*)<',
            visitor.get("/lists/counts").text,
        )
    )
    reader = world.reader()
    expected = {
        "q=tide&page=search": reader.search("tide is:unread", 500).count,
        "category=World": len(reader.page(ListQuery(category="World", limit=500))),
        "show=starred": 0,
        "tag=none&show=all": 0,
    }
    told = {one.name: int(counts[str(one.id)] or 0) for one in saved_lists.saved(reader)}
    assert told == expected
    assert expected["category=World"] > expected["q=tide&page=search"] > 0
