"""Briefs in the store: made once, spoken once, sent once, each reader's own."""

from __future__ import annotations

import socket
import subprocess
import sys
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import update

from newsloom.briefs.store.tables import briefs
from newsloom.briefs.values import (
    BriefChapter,
    BriefId,
    BriefLine,
    BriefSchedule,
    BriefState,
    BriefWish,
    LineKind,
    Pronunciation,
)
from newsloom.digests.values import DigestArticle, Memory
from newsloom.kernel.db import leases
from newsloom.kernel.delivery.values import Target, Way
from newsloom.kernel.ids import ArticleId, ScheduleId

from .builders import HOUR, NOW
from .calls.made import SCRIPT, SOUND

MAIL = Target(Way.MAIL, "ann@example.org")
SOON = NOW + timedelta(minutes=5)
ARTICLE = DigestArticle(
    ArticleId(1), "T", "https://a.test/1", "a.test", "A", "a", 1, "News", "en", NOW, 50.0
)
WHOLE = replace(
    SCRIPT,
    articles=(ARTICLE,),
    chapters=(
        BriefChapter("", (BriefLine("Good morning.", LineKind.OPENING),)),
        BriefChapter("News", (BriefLine("It rained.", articles=(ArticleId(1),)),), "1"),
    ),
)


@pytest.fixture
def plan(store, reader):
    wanted = BriefSchedule(
        ScheduleId(0),
        reader,
        420,
        (0, 4),
        "Europe/Berlin",
        BriefWish(("en", "de"), 5, {"de": "espeak:de"}),
        (MAIL,),
        NOW,
        NOW - HOUR,
    )
    return replace(wanted, id=store.briefs.add_schedule(wanted, ["token"]))


def put(store, plan, user, *, ready=NOW, languages=("en", "de")):
    made = [(replace(WHOLE, language=one), Memory(told=("It rained.",))) for one in languages]
    return store.briefs.put_briefs(plan, user, made, now=NOW, ready=ready, next_at=NOW + HOUR)


def turn(store, plan, user, **more):
    assert store.briefs.claim_schedule(NOW, NOW + HOUR) == plan
    return put(store, plan, user, **more)


def test_a_schedule_is_kept_claimed_and_made_once(store, reader, plan):
    assert store.briefs.schedules(reader) == (plan,)
    numbers = turn(store, plan, reader)
    assert len(numbers) == 2
    assert put(store, plan, reader) == (), "it fell due otherwise since"
    assert store.briefs.claim_schedule(NOW, NOW + HOUR) is None
    assert store.briefs.claim_schedule(NOW + HOUR, NOW + HOUR).next_at == NOW + HOUR
    kept = store.briefs.brief(reader, numbers[0])
    assert kept.script == WHOLE
    assert kept.state is BriefState.SPEAKING
    assert store.briefs.brief_memories(reader, NOW) == 2 * ((NOW, Memory(told=("It rained.",))),)


def test_its_sound_is_made_by_one_and_then_it_is_sent_once(store, reader, plan):
    first, second = turn(store, plan, reader)
    assert store.briefs.claim_sending(NOW, SOON) is None, "it cannot be heard yet"
    assert store.briefs.claim_brief(NOW, SOON).id == first
    assert store.briefs.claim_brief(NOW, SOON).id == second
    assert store.briefs.claim_brief(NOW, SOON) is None
    assert store.briefs.hold_brief(first, NOW + HOUR)
    assert store.briefs.put_sound(first, SOUND, NOW)
    assert not store.briefs.put_sound(first, SOUND, NOW), "it has one"
    kept = store.briefs.brief(reader, first)
    assert (kept.state, kept.sound) == (BriefState.READY, SOUND)
    sending = store.briefs.claim_sending(NOW, SOON)
    assert (sending.edition, sending.target, sending.token) == (first, MAIL, "token")
    assert store.briefs.brief_to_send(sending) == kept
    store.briefs.sent(sending.id, NOW)
    assert [one.state for one in store.briefs.sendings(first)] == ["sent"]
    assert store.briefs.claim_sending(NOW, SOON) is None
    assert [one.id for one in store.briefs.briefs_with_sound(reader, "en", 9)] == [first]


def test_while_it_is_written_nobody_speaks_it(store, reader, plan):
    first, _second = turn(store, plan, reader, ready=SOON)
    assert store.briefs.brief(reader, first).state is BriefState.WRITING
    assert store.briefs.claim_brief(NOW, SOON) is None
    assert store.briefs.claim_brief(SOON, SOON + HOUR).state is BriefState.SPEAKING


def test_trouble_is_tried_again_and_then_said(store, reader, plan):
    first, _second = turn(store, plan, reader)
    store.briefs.claim_brief(NOW, SOON, first)
    store.briefs.retry_brief(first, SOON, "no voice")
    assert store.briefs.claim_brief(NOW, SOON, first) is None
    again = store.briefs.claim_brief(SOON, SOON + HOUR, first)
    assert (again.attempts, again.problem) == (1, "no voice")
    assert store.briefs.fail_brief(first, "no voice at all", SOON)
    assert store.briefs.brief(reader, first).state is BriefState.FAILED
    assert store.briefs.failed_briefs(reader, NOW) == ("no voice at all",)
    assert store.briefs.claim_sending(SOON, SOON + HOUR).edition == first, "as text"
    assert store.briefs.speak_again(reader, first, SOON)
    assert store.briefs.claim_brief(SOON, SOON + HOUR, first).attempts == 0


def test_one_that_died_frees_what_it_held(store, reader, plan):
    """Its claim would hold for an hour yet."""
    first, _second = turn(store, plan, reader)
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    held = {"held_by": leases.owner_name(socket.gethostname(), child.pid)}
    store.briefs.claim_brief(NOW, NOW + HOUR, first)
    with store.database.write() as connection:
        connection.execute(update(briefs).where(briefs.c.id == first).values(held))
    assert store.briefs.claim_brief(NOW, NOW + HOUR, first) is None
    assert not store.briefs.hold_brief(first, NOW + HOUR), "another's"
    child.kill()
    child.communicate()
    assert store.briefs.claim_brief(NOW, NOW + HOUR, first) is not None


def test_nobody_reaches_what_is_anothers(store, reader, plan):
    other = store.users.user("other", NOW)
    first, _second = turn(store, plan, reader)
    assert store.briefs.brief(other, first) is None
    assert store.briefs.briefs(other, 9) == ()
    assert store.briefs.schedules(other) == ()
    assert store.briefs.brief_memories(other, NOW - HOUR) == ()
    assert not store.briefs.set_heard(other, first, 9.0, NOW)
    assert not store.briefs.drop_brief(other, first)
    assert not store.briefs.speak_again(other, first, NOW)
    assert not store.briefs.drop_schedule(other, plan.id)
    store.briefs.put_pronunciation(reader, Pronunciation("Nguyen", "win"))
    assert store.briefs.pronunciations(other) == ()
    assert not store.briefs.drop_pronunciation(other, "", "Nguyen")


def test_where_one_stopped_listening_is_what_was_said_last(store, reader, plan):
    first, second = turn(store, plan, reader)
    assert store.briefs.set_heard(reader, first, 61.5, NOW)
    assert store.briefs.set_heard(reader, first, 3.0, NOW - HOUR)
    assert store.briefs.heard(reader, first) == 61.5
    assert store.briefs.heard(reader, second) == 0.0
    assert [(one.id, one.heard) for one in store.briefs.briefs(reader, 9)] == [
        (second, 0.0),
        (first, 61.5),
    ]
    assert [one.id for one in store.briefs.briefs(reader, 9, before=second)] == [first]
    assert store.briefs.drop_brief(reader, first)
    assert [one.id for one in store.briefs.briefs(reader, 9)] == [second]


def test_the_last_way_of_speaking_a_word_stands(store, reader):
    for spoken in ("noo-yen", "win"):
        store.briefs.put_pronunciation(reader, Pronunciation("Nguyen", spoken, "en"))
    assert store.briefs.pronunciations(reader) == (Pronunciation("Nguyen", "win", "en"),)
    assert store.briefs.drop_pronunciation(reader, "en", "Nguyen")
    assert store.briefs.pronunciations(reader) == ()


def test_old_sounds_go_and_their_scripts_stay(store, reader, plan):
    first, second = turn(store, plan, reader)
    store.briefs.claim_brief(NOW, SOON, first)
    store.briefs.put_sound(first, SOUND, NOW)
    assert store.briefs.sound_files() == {"1.mp3"}
    assert store.briefs.sounds_of(reader) == ("1.mp3",)
    assert store.briefs.old_sounds(NOW) == ()
    assert store.briefs.old_sounds(NOW + HOUR) == ("1.mp3",)
    assert store.briefs.old_sounds(NOW + HOUR) == ()
    kept = store.briefs.brief(reader, first)
    assert (kept.state, kept.sound, kept.script) == (BriefState.READY, None, WHOLE)
    assert store.briefs.sound_files() == frozenset()
    assert store.briefs.brief(reader, second).state is BriefState.SPEAKING


def test_a_link_in_a_mail_ends_its_sendings_and_so_does_the_schedules_end(store, reader, plan):
    first, second = turn(store, plan, reader)
    assert store.briefs.target("token") == MAIL
    assert store.briefs.unsubscribe("token") == MAIL
    assert store.briefs.target("token") is None
    assert store.briefs.sendings(first) == ()
    assert store.briefs.drop_schedule(reader, plan.id)
    assert [one.id for one in store.briefs.briefs(reader, 9)] == [second, first]
    assert store.briefs.brief(reader, first).schedule is None


def test_a_person_takes_and_leaves_everything(store, reader, plan):
    first, _second = turn(store, plan, reader)
    store.briefs.set_heard(reader, first, 1.0, NOW)
    store.briefs.put_pronunciation(reader, Pronunciation("a", "b"))
    tables = {
        "brief_schedules",
        "brief_targets",
        "briefs",
        "brief_sendings",
        "brief_places",
        "pronunciations",
    }
    found = store.accounts.everything_of(reader)
    assert all(found[one] for one in tables)
    assert "token" not in found["brief_targets"][0]
    assert store.accounts.remove_person(reader)
    assert not any(store.accounts.everything_of(reader).get(one) for one in tables)
    assert store.briefs.brief(reader, BriefId(first)) is None
