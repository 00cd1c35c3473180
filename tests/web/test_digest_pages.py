"""Pages of digests: archive, ratings in it, schedules, the feed, the way out of mails."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest

from newsloom.reading.values.reading import EventKind
from web.conftest import Visitor
from web.digested import FEED_TOKEN, LEAVE_TOKEN, digested
from web.world import World

LEAVE = f"/digest/leave/{LEAVE_TOKEN}"


@pytest.fixture
def here(world: World) -> tuple[World, Visitor]:
    digested(world)
    return world, Visitor(world)


def lead(world: World) -> int:
    digest = world.store.digests.newest_digests(world.user, 1)[0]
    return digest.digest.top[0].lead.id


def test_the_archive_leads_to_each_and_from_one_to_the_next(here):
    _world, visitor = here
    assert 'href="/digest/1"' in visitor.get("/digest").text
    first, second = visitor.get("/digest/1").text, visitor.get("/digest/2").text
    assert 'href="/digest/2" rel="next"' in first
    assert 'href="/digest/1" rel="prev"' in second
    assert visitor.get("/digest/3").status_code == 404


def test_what_is_new_and_who_wrote_it_is_said(here):
    _world, visitor = here
    page = visitor.get("/digest/2").text
    new = "<strong>New since the last digest:</strong>"
    assert f'{new} <bdi lang="en">The tide table was redrawn.</bdi>' in page
    assert "updated since the last digest, summary by writer" in page
    assert "Sources by window: 1, 0, 2, 5" in page


@pytest.mark.parametrize("form", ["markdown", "html", "text", "json"])
def test_it_can_be_kept_as_a_file(here, form):
    _world, visitor = here
    answer = visitor.get(f"/digest/2?form={form}")
    assert answer.headers["content-disposition"].startswith("attachment")
    assert "The tide table was redrawn." in answer.text


def test_a_like_in_a_digest_is_a_label_through_it(here):
    world, visitor = here
    answer = visitor.post("/digest/2/marks", {"article": str(lead(world)), "kind": "like"})
    assert answer.status_code == 303
    assert answer.headers["location"] == f"/digest/2?did=like&n=1#article-{lead(world)}"
    (event,) = world.reader().undo("test")
    assert (event.kind, event.article_id) == (EventKind.LIKE, lead(world))
    with world.store.database.read() as connection:
        via = connection.exec_driver_sql("SELECT via FROM events WHERE kind = 'like'").scalar()
    assert via == "digest"


@pytest.mark.parametrize(("article", "kind", "status"), [
    ("999999", "like", 404), ("x", "like", 404), ("", "like", 404), ("1", "opened", 400),
])  # fmt: skip
def test_only_what_stands_in_it_can_be_marked(here, article, kind, status):
    _world, visitor = here
    answer = visitor.post("/digest/2/marks", {"article": article, "kind": kind})
    assert answer.status_code == status


def test_looking_teaches_nothing(here):
    """Link scanners of mail servers open whatever stands in a mail."""
    world, visitor = here
    count = "SELECT COUNT(*) FROM events"
    with world.store.database.read() as connection:
        before = connection.exec_driver_sql(count).scalar()
    for path in re.findall(r'href="(/digest[^"#]*)"', visitor.get("/digest/2").text):
        visitor.get(path.replace("&amp;", "&"))
    visitor.get(LEAVE)
    with world.store.database.read() as connection:
        assert connection.exec_driver_sql(count).scalar() == before
    assert visitor.get(LEAVE).status_code == 200


def test_all_of_it_can_be_marked_read(here):
    world, visitor = here
    answer = visitor.post("/digest/2/read")
    assert re.fullmatch(r"/digest/2\?did=read&n=\d+", answer.headers["location"])
    assert world.reader().article(lead(world)).listed.state.read
    assert visitor.post("/digest/2/read").headers["location"] == "/digest/2?did=nothing"


def test_a_schedule_is_made_and_ended(world: World, visitor: Visitor):
    form = {
        "kind": "morning",
        "time": "06:30",
        "zone": "Europe/Berlin",
        "mail": " ann@example.org ",
        "webhook": "",
    }
    assert visitor.post("/digest/schedules", form).status_code == 303
    (plan,) = world.store.digests.schedules(world.user)
    assert (plan.at, plan.zone) == (390, "Europe/Berlin")
    assert [one.to for one in plan.targets] == ["ann@example.org"]
    assert "Morning at 06:30" in visitor.get("/notifications").text
    assert visitor.post(f"/digest/schedules/{plan.id}/drop").status_code == 303
    assert world.store.digests.schedules(world.user) == ()
    assert visitor.post(f"/digest/schedules/{plan.id}/drop").status_code == 404


@pytest.mark.parametrize(("form", "words"), [
    ({"kind": "hourly"}, "Choose one of"),
    ({"kind": "morning", "time": "25:00"}, "Enter the time as HH:MM, not"),
    ({"kind": "morning", "zone": "Europe/Atlantis"}, "There is no time zone"),
    ({"kind": "morning", "mail": "ann"}, "is not an email address"),
    ({"kind": "morning", "webhook": "file:///etc/passwd"}, "A webhook must be an http"),
    ({"kind": "weekly", "day": "someday"}, "Choose a weekday:"),
])  # fmt: skip
def test_what_cannot_be_is_refused_in_words(world: World, visitor: Visitor, form, words):
    answer = visitor.post("/digest/schedules", form)
    assert answer.status_code == 400
    assert words in answer.text
    assert world.store.digests.schedules(world.user) == ()


def test_the_feed_is_at_its_secret_address_alone(here):
    _world, visitor = here
    answer = visitor.get(f"/digest/feed/{FEED_TOKEN}")
    assert answer.headers["content-type"].startswith("application/atom+xml")
    assert "The tide table was redrawn." in answer.text
    assert visitor.get("/digest/feed/other").status_code == 404
    visitor.post("/digest/feed", {"do": "new"})
    assert visitor.get(f"/digest/feed/{FEED_TOKEN}").status_code == 404
    (new,) = re.findall(r"/digest/feed/([\w-]+)</code>", visitor.get("/notifications").text)
    assert visitor.get(f"/digest/feed/{new}").status_code == 200
    visitor.post("/digest/feed", {"do": "end"})
    assert visitor.get(f"/digest/feed/{new}").status_code == 404


def test_one_click_of_a_mail_client_ends_the_mails(here):
    """RFC 8058: a POST without cookies, from a program, with one form field."""
    world, visitor = here
    one_click = {"List-Unsubscribe": "One-Click"}
    assert visitor.ask("POST", LEAVE, data=one_click).status_code == 200
    (plan,) = world.store.digests.schedules(world.user)
    assert [str(one.way) for one in plan.targets] == ["webhook"]
    assert visitor.ask("POST", LEAVE, data=one_click).status_code == 404
    assert visitor.get(LEAVE).status_code == 404


def test_a_person_is_asked_before_it_ends(here):
    world, visitor = here
    page = visitor.get(LEAVE)
    assert "Unsubscribe" in page.text
    assert "ann@example.org" in page.text
    assert len(world.store.digests.schedules(world.user)[0].targets) == 2
    assert "Nothing more is sent" in visitor.post(LEAVE).text
    assert len(world.store.digests.schedules(world.user)[0].targets) == 1


def test_a_page_elsewhere_ends_nothing(here):
    world, visitor = here
    for headers in ({"origin": "https://evil.example"}, {"sec-fetch-site": "cross-site"}):
        assert visitor.ask("POST", LEAVE, headers=headers).status_code == 403
    assert len(world.store.digests.schedules(world.user)[0].targets) == 2


def test_nobody_reads_anothers_digest(here):
    world, _visitor = here
    other = World(world.store, world.store.users.user("other", world.now), world.now)
    stranger = Visitor(other)
    assert stranger.get("/digest/2").status_code == 404
    assert stranger.post("/digest/2/read").status_code == 404
    assert stranger.post("/digest/schedules/1/drop").status_code == 404


def test_a_digest_stays_as_it_was_made_for_a_quarter_of_an_hour(world: World, visitor: Visitor):
    """However often it is looked at; not once the reader asks for it anew, or has other feeds."""
    address = "/digest?since=90d"
    (title, *_) = re.findall(
        r'<h3><a href="/articles/\d+"[^>]*><bdi>([^<]+)', visitor.get(address).text
    )

    def renamed(to: str) -> str:
        with world.store.database.write() as connection:
            connection.exec_driver_sql("UPDATE articles SET title = ?", (to,))
        return visitor.get(address).text

    assert title in renamed("Another title")
    visitor.get(f"{address}&new=1")
    assert title not in visitor.get(address).text
    assert "Another title" in renamed("A third title")
    world.reader().unsubscribe(world.reader().subscriptions()[0].feed_id)
    assert "Another title" not in visitor.get(address).text
    renamed("A fourth title")
    world.now += timedelta(minutes=15)
    assert "A fourth title" in visitor.get(address).text
