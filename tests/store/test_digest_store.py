"""Digests in the store: each is kept once, and remembered by its kind."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from newsloom.digests.values import (
    Digest,
    DigestKind,
    FeedReport,
    Memory,
    Schedule,
)
from newsloom.kernel.delivery.values import Target, Way
from newsloom.kernel.ids import ScheduleId

from .builders import HOUR, NOW

MAIL = Target(Way.MAIL, "ann@example.org")


def digest(kind, end):
    return Digest(kind, end - HOUR, end, "UTC", str(kind), (), (), (), FeedReport())


@pytest.fixture
def plan(store, reader):
    """A schedule for news of stories that is due."""
    wanted = Schedule(
        ScheduleId(0), reader, DigestKind.STORIES, 0, 0, "UTC", (MAIL,), NOW, NOW - HOUR
    )
    return replace(wanted, id=store.digests.add_schedule(wanted, ["token"]))


def put(store, plan, end, kind=DigestKind.STORIES, next_at=NOW + HOUR):
    return store.digests.put_digest(
        plan, digest(kind, end), Memory(told=(f"{end}",)), now=NOW, ready=NOW, next_at=next_at
    )


def test_a_schedule_is_kept_as_it_was_asked_for(store, reader, plan):
    assert store.digests.schedules(reader) == (plan,)
    assert store.digests.claim_schedule(NOW, NOW + HOUR) == plan
    assert store.digests.claim_schedule(NOW, NOW + HOUR) is None, "somebody is at it"


def test_of_two_that_claimed_it_one_makes_it(store, reader, plan):
    """The claim of the first ran out while it worked; each has another end."""
    assert put(store, plan, NOW) is not None
    assert put(store, plan, NOW + timedelta(minutes=20)) is None
    (kept,) = store.digests.newest_digests(reader, 9)
    assert [one.target for one in store.digests.sendings(kept.id)] == [MAIL]


def test_what_is_remembered_is_of_its_kind(store, reader, plan):
    put(store, plan, NOW)
    (plan,) = store.digests.schedules(reader)
    put(store, plan, NOW + HOUR, DigestKind.EVENING, NOW + 2 * HOUR)

    def ends(*kinds):
        found = store.digests.memories(reader, kinds=kinds, since=NOW - HOUR, until=NOW + 9 * HOUR)
        return [end for end, _memory in found]

    assert ends(DigestKind.STORIES) == [NOW]
    assert ends(DigestKind.MORNING, DigestKind.EVENING) == [NOW + HOUR]
    assert ends(DigestKind.STORIES, DigestKind.EVENING) == [NOW + HOUR, NOW]
