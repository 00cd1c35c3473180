"""The reading pages as HTTP gives them: what works without JavaScript."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from urllib.parse import quote

import pytest

from newsloom.app.reader import Activity
from newsloom.duplicates.values import Relation
from newsloom.feeds.values.polling import PassReport, PollCounts
from newsloom.feeds.values.published import ParsedArticle
from newsloom.kernel.errors import StoreBusy, StoreError, StoreFull
from newsloom.kernel.settings.ranking import Diversification
from newsloom.reading.values.reading import EventKind, ListQuery, Order, Rows
from newsloom.web.app import MOVED
from web.conftest import Visitor
from web.listed import onward, shown, titles
from web.world import NEWS, World, article

FIRST = NEWS[0]["title"]


def test_the_front_page_is_the_ranked_unread_list(world: World, visitor: Visitor) -> None:
    page = visitor.get("/").text
    ranked = world.reader().page(ListQuery(limit=30))
    assert len(titles(page)) == 30
    assert titles(page)[0] == ranked[0].title
    assert [int(one) for one in re.findall(r'id="a(\d+)" data-id', page)] == [
        one.id for one in ranked
    ]


def test_a_row_shows_what_the_reader_decides_by(world: World, visitor: Visitor) -> None:
    page = visitor.get("/").text
    number = world.named(FIRST)
    row = re.search(rf'<article class="row" id="a{number}".*?</article>', page, re.DOTALL)
    assert row is not None
    assert '">93</a>' in row[0]
    assert "Relevant for days" in row[0]
    assert ">3 h</time>" in row[0]
    assert "meridian.example" in row[0]
    assert "same text in 3 feeds" in row[0]
    assert "Corrected on Thursday" in row[0]


def test_a_feed_that_links_to_another_site_says_so(world: World, visitor: Visitor) -> None:
    """Whoever claims an address does not speak for it."""
    feed = world.feed("https://claims.example/feed", "Claims")
    for url in ("https://meridian.example/claimed/1", "https://claims.example/own/1"):
        world.put(feed, ParsedArticle(guid=url, url=url, title=url, content="<p>Words.</p>"))
    page = visitor.get(f"/?feed={feed}").text
    hosts = re.findall(r'<bdi class="host">([^<]*)</bdi>', page)
    assert sorted(hosts) == ["links to meridian.example"]


def test_more_leads_on_and_ends(visitor: Visitor) -> None:
    first = visitor.get("/").text
    second = visitor.get(onward(first)).text
    assert len(titles(second)) == 30
    assert not set(titles(first)) & set(titles(second))
    third = visitor.get(onward(second)).text
    assert len(titles(third)) == 20
    assert 'id="more"' not in third


def walked(visitor: Visitor, path: str, between: Callable[[list[int]], object]) -> list[int]:
    """Every row of a list, page by page."""
    found: list[int] = []
    while path:
        page = visitor.get(path).text
        found += shown(page)
        between(shown(page))
        path = onward(page)
    return found


@pytest.mark.parametrize("rule", [None, Diversification(2, 0.0)], ids=["by score", "with variety"])
@pytest.mark.parametrize(
    ("path", "rows"),
    [
        ("/", 80),
        ("/?order=newest", 80),
        ("/search?q=article+is:unread", 60),
        ("/search?q=article+is:unread&sort=newest", 60),
        ("/search?q=article+is:unread&sort=score", 60),
    ],
)
def test_pages_go_on_exactly_though_rows_they_showed_are_read(
    world: World, path: str, rows: int, rule: Diversification | None
) -> None:
    """Without scripts: no page counts what is left of the one before."""
    world.variety = rule
    visitor, reader = Visitor(world), world.reader()
    whole = walked(visitor, path, lambda _shown: None)
    assert len({*whole}) == rows
    read = walked(visitor, path, lambda ids: reader.mark(ids[::3], EventKind.READ, "test"))
    assert read == whole


def test_one_feed_does_not_fill_the_list_and_what_gave_way_says_so(world: World) -> None:
    feed = world.feed("https://loved.example/feed", "The Loved One")
    data = NEWS[0] | {"feed": "loved", "hours": 1}
    world.put(feed, *(article(data, 2_000 + number, world.now) for number in range(12)))
    loved = world.ids(feed=feed)
    world.score(dict.fromkeys(loved, (99.0, 3)))
    assert set(shown(Visitor(world).get("/").text)[:12]) == set(loved)

    world.variety = Diversification(2, 0.3)
    visitor = Visitor(world)
    page = visitor.get("/").text
    first = [number in loved for number in shown(page)[:5]]
    assert first == [True, True, False, False, False]
    lowered = [number for number in loved if "moved down for variety" in row_of(page, number)]
    assert lowered == [number for number in shown(page) if number in loved][2:]
    why = visitor.get(f"/articles/{lowered[0]}/why").text
    assert "At most 2 of 5 rows come from one feed while others score at least 30%" in why
    assert "Of any 5 rows" not in visitor.get(f"/articles/{shown(page)[0]}/why").text
    for path in ("/?order=newest", f"/?feed={feed}", "/search?q=article"):
        assert "moved down" not in visitor.get(path).text


def row_of(page: str, number: int) -> str:
    found = re.search(rf'<article class="row[^"]*" id="a{number}".*?</article>', page, re.DOTALL)
    return found[0] if found else ""


def test_more_by_htmx_is_rows_alone(visitor: Visitor) -> None:
    part = visitor.get("/?offset=50", **{"hx-request": "true"}).text
    assert len(titles(part)) == 30
    assert "<html" not in part


@pytest.mark.parametrize(
    ("path", "count", "first"),
    [
        ("/?order=newest", 30, "Parliament votes on the river bill tonight"),
        ("/?show=all", 30, FIRST),
        ("/?category=Science", 16, None),
        ("/?feed=9", 9, None),
        ("/?category=Nowhere", 0, None),
        ("/?show=starred", 0, None),
    ],
)
def test_lists_narrow_and_turn(visitor: Visitor, path: str, count: int, first: str | None) -> None:
    found = titles(visitor.get(path).text)
    assert len(found) == count
    assert first is None or found[0] == first


def test_the_side_has_every_feed_with_its_unread_count(world: World, visitor: Visitor) -> None:
    page = visitor.get("/").text
    counts = re.search(r'data-counts="([^"]*)"', page)
    place = re.search(r'hx-get="(/feeds/beside\?v=\w+)"', page)
    assert counts
    assert place
    side = visitor.get(place[1])
    for one in world.reader().subscriptions():
        assert f'href="/?feed={one.feed_id}"' in side.text
        assert (f"{one.feed_id}:{one.unread} " in counts[1]) is bool(one.unread)
    assert f'id="count-unread">{world.reader().unread()}</span>' in page
    assert 'class="ill" title="It answered 500."' in side.text
    assert "immutable" in side.headers["cache-control"]
    assert "immutable" not in visitor.get("/feeds/beside?v=old").headers["cache-control"]


def test_an_article_page_loads_what_may_wait(world: World, visitor: Visitor) -> None:
    number = world.named(FIRST)
    page = visitor.get(f"/articles/{number}").text
    assert page.count('hx-trigger="load"') == 3, "the feeds, related articles, that it was opened"
    world.reader().mark([number], EventKind.READ, "test")
    assert visitor.get(f"/articles/{number}").text.count('hx-trigger="load"') == 2


def test_the_text_has_copies_versions_and_attachments(world: World, visitor: Visitor) -> None:
    body = visitor.get(f"/articles/{world.named(FIRST)}").text
    assert "<h2>What the notebook says</h2>" in body
    assert "Also in" in body
    also = body.partition('<ul class="tied">')[2].partition("</ul>")[0]
    assert also.count("Pilots redraw tide table</bdi></a>") == 2
    assert "<h2>Versions</h2>" in body
    assert '<audio controls preload="none" src="https://meridian.example/0.mp3">' in body
    assert "0#comments" in body
    assert "harbour</bdi>" in body


def test_a_right_to_left_article_says_so(world: World, visitor: Visitor) -> None:
    data = next(one for one in NEWS if one["language"] == "ar")
    number = world.named(data["title"])
    assert f'lang="ar">{data["title"]}</a>' in visitor.get("/").text
    body = visitor.get(f"/articles/{number}").text
    assert '<h1 class="title" id="opened-title" dir="rtl" lang="ar">' in body
    assert '<div class="text" hx-ignore dir="rtl" lang="ar">' in body


def test_neighbours_follow_the_list(world: World, visitor: Visitor) -> None:
    ids = world.ids(unread_only=True)
    page = visitor.get(f"/articles/{ids[1]}").text
    assert re.search(rf'id="before"[^>]*href="/articles/{ids[0]}"', page)
    assert re.search(rf'id="after"[^>]*href="/articles/{ids[2]}"', page)
    world.reader().mark([ids[1]], EventKind.READ, "test")
    page = visitor.get(f"/articles/{ids[1]}").text
    assert re.search(rf'id="after"[^>]*href="/articles/{ids[0]}"', page)
    assert re.search(r'id="before"[^>]*aria-disabled', page)


def test_neighbours_of_a_later_page(world: World, visitor: Visitor) -> None:
    """Through the whole list, one by one, over the ends of its pages and back."""
    ids = world.ids(unread_only=True)
    assert len(ids) > 52
    at = re.search(r'name="at" id="pulse-at" value="([^"]*)"', visitor.get("/").text)
    assert at
    page = visitor.get(f"/articles/{ids[28]}?at={quote(html.unescape(at[1]))}").text
    for there in ids[29:33]:
        page = visitor.get(neighbour(page, "after", there)).text
    for there in reversed(ids[28:32]):
        page = visitor.get(neighbour(page, "before", there)).text


@pytest.mark.parametrize(
    ("rows", "relation", "shared"),
    [
        (Rows.CLUSTER, Relation.SAME_EVENT, True),
        (Rows.TEXT, Relation.SAME_TEXT, True),
        (Rows.TEXT, Relation.SAME_EVENT, False),
        (Rows.ARTICLE, Relation.SAME_TEXT, False),
    ],
)
def test_neighbours_of_an_article_in_the_row_of_another(
    world: World, visitor: Visitor, rows: Rows, relation: Relation, shared: bool
) -> None:
    """They are those of the row, where the list has one for both."""
    before = world.ids(unread_only=True)
    world.relate(relation, before[5], before[40], "the same")
    reader = world.reader().by_rows(rows)
    ids = [one.id for one in reader.page(ListQuery(limit=30))]
    (row,) = reader.page(ListQuery(limit=1, offset=5))
    other = before[40] if row.id == before[5] else before[5]
    page = visitor.get(f"/articles/{other}", cookie=f"newsloom-rows={rows}").text
    follows = re.search(rf'id="after"[^>]*href="/articles/{ids[6]}[?"]', page)
    leads = re.search(rf'id="before"[^>]*href="/articles/{ids[4]}[?"]', page)
    assert (bool(leads), bool(follows)) == (shared, shared)


def neighbour(page: str, which: str, article: int) -> str:
    """The address of an article before or after, which must be that one."""
    found = re.search(rf'id="{which}"[^>]*href="(/articles/{article}\?[^"]*)"', page)
    assert found, (which, article)
    return html.unescape(found[1])


@pytest.mark.parametrize("headers", [{}, {"hx-request": "true"}], ids=["page", "part"])
def test_why_says_what_and_draws_it(
    world: World, visitor: Visitor, headers: dict[str, str]
) -> None:
    page = visitor.get(f"/articles/{world.named(FIRST)}/why", **headers).text
    assert "halves every 10 days" in page
    assert "<strong>94</strong>" in page
    assert '<polyline class="past"' in page
    assert "Not personalised yet" in page
    assert ("<html" in page) is not bool(headers)


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/articles/99999", 404),
        ("/articles/0", 404),
        ("/articles/x", 404),
        ("/articles/99999999999999999999999", 404),
        ("/articles/1/nothing", 404),
        ("/articles/99999/why", 404),
        ("/?feed=x", 404),
        ("/nowhere", 404),
        ("/undo", 405),
        ("/static/../app.py", 404),
        ("/static/%2e%2e/app.py", 404),
        ("/api/v1/articles?limit=many", 400),
    ],
)
def test_errors_are_in_plain_words(visitor: Visitor, path: str, status: int) -> None:
    answer = visitor.get(path)
    assert answer.status_code == status
    assert "Traceback" not in answer.text
    if not path.startswith(("/static", "/api")):
        assert "Back to your articles" in answer.text


class Failing:
    """A store whose every answer is an error."""

    def __init__(self, error: Exception) -> None:
        self.error = error

    def __getattr__(self, name: str) -> object:
        raise self.error


@pytest.mark.parametrize(
    ("error", "status", "words"),
    [
        (StoreBusy(), 503, "Try again in a moment"),
        (StoreFull(), 507, "disk"),
        (StoreError("damaged"), 500, "damaged"),
        (RuntimeError("secret detail"), 500, "Something went wrong"),
    ],
    ids=["busy", "full", "store", "unforeseen"],
)
def test_a_failing_store_is_a_page_of_words(
    world: World, error: Exception, status: int, words: str
) -> None:
    visitor = Visitor(world, reader=replace(world.reader(), store=Failing(error)))
    answer = visitor.get("/")
    assert answer.status_code == status
    assert words in answer.text
    assert "secret" not in answer.text
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    part = visitor.get("/", **{"hx-request": "true"})
    assert part.headers["hx-retarget"] == "#toast"
    assert words in part.text


def test_programs_read_a_list_page_by_page(visitor: Visitor) -> None:
    answer = visitor.get("/api/v1/articles?limit=3&order=newest").json()
    assert len(answer["items"]) == 3
    newest = answer["items"][0]
    assert newest["title"] == "Parliament votes on the river bill tonight"
    assert newest["published"] == "2026-11-20T08:30:00Z"
    assert (newest["read"], newest["starred"], newest["rating"]) == (False, False, 0)
    first = visitor.get("/api/v1/articles?limit=50").json()
    rest = visitor.get(f"/api/v1/articles?limit=50&after={first['next']}").json()
    assert len({one["id"] for one in first["items"] + rest["items"]}) == 80
    assert rest["next"] is None
    assert visitor.get("/api/v1/articles?feed=x").status_code == 400


def test_health_says_it_lives(visitor: Visitor) -> None:
    assert visitor.get("/healthz").json() == {"ok": True, "unread": 80}


def test_static_files_are_kept_by_their_content(visitor: Visitor) -> None:
    page = visitor.get("/").text
    for address in re.findall(r'"(/static/[^"]+)"', page):
        answer = visitor.get(address)
        assert answer.status_code == 200, address
        assert "immutable" in answer.headers["cache-control"], address
    assert visitor.get("/static/newsloom.css").headers["cache-control"] == "no-cache"


def test_a_page_asks_nothing_of_other_hosts(visitor: Visitor) -> None:
    for path in ("/", "/articles/1", "/feeds", "/you", "/help"):
        page = visitor.get(path).text
        loaded = re.findall(r'<(?:script|link|img|iframe)[^>]*\s(?:src|href)="([^"]+)"', page)
        assert loaded
        assert all(one.startswith("/") for one in loaded), path


def test_without_feeds_the_page_asks_for_one(empty: World) -> None:
    page = Visitor(empty).get("/").text
    assert "No feeds yet" in page
    assert '<form class="add" method="post" action="/feeds">' in page


@pytest.mark.parametrize(
    ("activity", "words"),
    [
        (Activity(running=True), "Refreshing feeds"),
        (Activity(sample=True), "Sample data."),
    ],
    ids=["a pass runs", "sample"],
)
def test_what_goes_on_is_said(world: World, activity: Activity, words: str) -> None:
    assert words not in Visitor(world).get("/").text
    world.activity = activity
    assert words in Visitor(world).get("/").text


def test_empty_lists_help(world: World) -> None:
    world.reader().mark(world.ids(), EventKind.READ, "test")
    assert "All read" in Visitor(world).get("/").text
    world.activity = Activity(running=True)
    assert "Fetching your feeds" in Visitor(world).get("/").text
    world.activity = replace(world.activity, last_pass=PassReport(PollCounts()))
    assert "All read" in Visitor(world).get("/").text


def test_progress_to_a_personal_order_is_counted(world: World, visitor: Visitor) -> None:
    world.reader().mark(world.ids()[:3], EventKind.LIKE, "test")
    world.reader().mark(world.ids()[5:6], EventKind.DISLIKE, "test")
    assert "3 of 20 likes</strong>, <strong>1 of 20 dislikes" in visitor.get("/").text
    assert '<progress id="have-likes" value="3" max="20">' in visitor.get("/you").text


@pytest.mark.parametrize(("old", "new"), MOVED.items())
def test_an_old_address_leads_to_its_page_for_good(visitor: Visitor, old: str, new: str) -> None:
    answer = visitor.get(old)
    assert (answer.status_code, answer.headers["location"]) == (301, new)
    page = visitor.get(new)
    assert page.status_code == 200
    assert "#" not in new or f'id="{new.partition("#")[2]}"' in page.text


@pytest.mark.parametrize("theme", ["light", "dark", "auto"])
def test_colours_are_remembered_without_javascript(visitor: Visitor, theme: str) -> None:
    answer = visitor.post("/theme", {"theme": theme, "at": "show=all"})
    assert answer.headers["location"] == "/?show=all"
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    page = visitor.get("/articles/1", cookie=cookie.partition(";")[0]).text
    assert f'<html lang="en" data-theme="{theme}"' in page


def test_a_theme_that_is_none_is_the_systems(visitor: Visitor) -> None:
    assert 'data-theme="auto"' in visitor.get("/", cookie='newsloom-theme="><script>').text


@pytest.mark.parametrize(
    ("query", "narrowed"),
    [
        ("language=de", {"language": "de"}),
        ("language=und", {"language": ""}),
        ("score=50", {"score": 50.0}),
        ("sensitivity=5&show=all", {"sensitivity": 5, "unread_only": False}),
        ("category=World&language=en&score=10", {"category": "World", "language": "en"}),
        ("score=60&order=newest", {"score": 60.0, "order": Order.NEWEST}),
    ],
)
def test_filters_narrow_the_list(
    world: World, visitor: Visitor, query: str, narrowed: dict[str, object]
) -> None:
    list_query = ListQuery(**{"score": 10.0 if "score=10" in query else 0.0, **narrowed})
    expected = [one.id for one in world.reader().page(list_query)]
    page = visitor.get("/?" + query).text
    assert [int(one) for one in re.findall(r'id="a(\d+)" data-id', page)] == expected[:30]
    assert len(visitor.get("/api/v1/articles?" + query).json()["items"]) == len(expected[:50])
    assert "Remove filter" in page
    assert ("No matching articles" in page) is (not expected)


def test_a_filter_form_leads_to_a_short_address(visitor: Visitor) -> None:
    page = visitor.get("/?category=World&order=newest").text
    form = page[page.index('id="filters"') : page.index("</form>", page.index('id="filters"'))]
    assert re.findall(r'name="(\w+)" value="([^"]*)"', form) == [
        ("order", "newest"),
        ("category", "World"),
    ]
    names = re.findall(r'<select name="(\w+)"', form)
    assert names == ["language", "importance", "sensitivity", "within"], "no scores are shown"
    assert '<select name="score"' in visitor.get("/?score=50").text
    visitor.post("/interests", {"text": "Space"})
    assert '<select name="score"' in visitor.get("/").text, "scores are shown"
    answer = visitor.get("/?order=newest&category=World&language=de&score=&sensitivity=")
    assert answer.status_code == 303
    assert answer.headers["location"] == "/?order=newest&category=World&language=de"


def test_filters_follow_the_reader_about(world: World, visitor: Visitor) -> None:
    page = visitor.get("/?language=en&score=20").text
    number = re.findall(r'id="a(\d+)" data-id', page)[0]
    link = re.search(rf'href="(/articles/{number}\?at=[^"]*)"', page)
    assert link is not None
    article = visitor.get(link[1].replace("&amp;", "&")).text
    assert 'href="/?language=en&amp;score=20"' in article
    chosen = re.findall(r'<option value="(\w+)" selected>', page)
    assert chosen == ["en", "20"]
    assert 'href="/?language=en"' in page  # without the score
    assert "this filtered list" in page


def test_an_unknown_filter_is_none(visitor: Visitor) -> None:
    usual = titles(visitor.get("/").text)
    strange = "/?language=%22%3E%3Cscript%3E&score=-5&sensitivity=9&with=x"
    assert titles(visitor.get(strange).text) == usual


def test_an_article_is_found_by_any_copy(world: World, visitor: Visitor) -> None:
    number = world.named(FIRST)
    copies = [one.id for one in world.reader().article(number).copies]
    assert copies
    for one in (number, *copies):
        assert FIRST in titles(visitor.get(f"/?with={one}").text)


def test_why_adds_up(world: World, visitor: Visitor) -> None:
    explanation = world.reader().why(world.named(FIRST))
    told = sum(one.effect for one in explanation.reasons)
    assert 50 + told == pytest.approx(explanation.listed.relevance)
    assert explanation.listed.score == pytest.approx(
        explanation.listed.relevance * explanation.remaining
    )


@pytest.mark.parametrize("path", ["/?order=random&feed=1", "/search?q=story&sort=random"])
def test_a_random_order_is_drawn_once_and_goes_on(visitor: Visitor, path: str) -> None:
    drawn = visitor.get(path)
    there = drawn.headers["location"]
    assert drawn.status_code == 303
    assert re.fullmatch(re.escape(path) + r"&seed=\d+", there)
    assert shown(visitor.get(there).text) == shown(visitor.get(there).text)
    assert visitor.get(path).headers["location"] != there


def test_pages_of_a_shuffled_list_have_every_article_once(world: World, visitor: Visitor) -> None:
    path, found = "/?order=random&seed=7", []
    while path:
        page = visitor.get(path).text
        found += shown(page)
        path = onward(page)
    assert sorted(found) == sorted(one.id for one in world.reader().page(ListQuery(limit=500)))
    assert found not in (sorted(found), sorted(found, reverse=True))


def test_the_oldest_first_and_only_those_of_the_last_day(world: World, visitor: Visitor) -> None:
    newest = visitor.get("/?order=newest&rows=500").text
    dates = re.findall(r'<time datetime="([^"]+)"', visitor.get("/?order=oldest&rows=500").text)
    assert dates == sorted(re.findall(r'<time datetime="([^"]+)"', newest))
    day = ListQuery(since=world.now - timedelta(days=1), order=Order.NEWEST, limit=500)
    late = [one.id for one in world.reader().page(day)]
    page = visitor.get("/?order=newest&within=day").text
    assert 0 < len(late) < len(shown(newest))
    assert shown(page) == late
    assert "last day</bdi>" in page


def test_what_can_be_read_can_be_asked_about(visitor: Visitor) -> None:
    pages = ("/", "/digest", "/feeds", "/help", "/sign-in", "/digest?since=3d")
    assert {path: visitor.ask("HEAD", path).status_code for path in pages} == {
        path: visitor.get(path).status_code for path in pages
    }


def test_the_tour_follows_what_its_reader_has_done(world: World, visitor: Visitor) -> None:
    world.store.users.set_preferences(world.user, {("", "tour"): None})
    assert "Step 2 of 3" in visitor.get("/").text
    ids = world.ids()
    for number, step in zip(ids[:3], (2, 2, 3), strict=True):
        marked = visitor.htmx(f"/articles/{number}/marks", {"kind": "like", "at": ""}).text
        assert f"Step {step} of 3" in marked
    assert "Step 3 of 3" in visitor.get("/").text
    assert visitor.htmx("/tour", {}).text == ""
    assert 'id="tour"' not in visitor.get("/").text
    assert "Show the tour" in visitor.get("/preferences").text
    visitor.post("/tour", {"show": "yes"})
    assert "Step 3 of 3" in visitor.get("/").text


def test_a_digest_is_made_once_until_something_changes(world: World, visitor: Visitor) -> None:
    first = visitor.get("/digest?since=3d")
    again = visitor.get("/digest?since=3d", **{"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    ids = shown(visitor.get("/").text)
    world.reader().mark([ids[0]], EventKind.LIKE, "test")
    assert visitor.get("/digest?since=3d").headers["etag"] != first.headers["etag"]
