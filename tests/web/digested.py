"""Digests in a world: a schedule with targets, two of its digests, a secret address of a feed."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from newsloom.digests.service import digests
from newsloom.digests.service.schedules import DIGESTS
from newsloom.digests.values import (
    DigestKind,
    FeedReport,
    Schedule,
    Sentence,
    Trend,
)
from newsloom.kernel.delivery.values import Target, Way
from newsloom.kernel.ids import ScheduleId
from web.world import World

LEAVE_TOKEN, FEED_TOKEN = "leave-me", "read-me"
TREND = Trend("Harbour: tides, pilots", 9, 1.0, 5, 0.01, (1, 0, 2, 5))


def digested(world: World) -> None:
    """Two weekly digests of what is there, the second with everything a digest can have."""
    store = world.store.digests
    targets = (Target(Way.MAIL, "ann@example.org"), Target(Way.WEBHOOK, "https://hook.example/x"))
    wanted = Schedule(
        ScheduleId(0), world.user, DigestKind.WEEKLY, 480, 6, "UTC", targets, world.now
    )
    plan = replace(wanted, id=store.add_schedule(wanted, (LEAVE_TOKEN, "other")))
    for days in (1, 0):
        end = world.now - timedelta(days=days)
        begin = end - timedelta(days=90)
        made = digests.composed(world.reader(), DigestKind.WEEKLY, begin, end, "UTC")
        whole = made.digest
        if not days:
            first, *others = whole.top
            said = Sentence("The tide table was redrawn.", (first.lead.id,), new=True)
            first = replace(first, summary=(said,), developed=True, written_by="writer")
            feeds = FeedReport(9, 8, 1, 40, 3, (TREND,), (TREND,))
            whole = replace(whole, top=(first, *others), feeds=feeds)
        store.put_digest(
            plan, whole, made.memory, now=world.now, ready=world.now, next_at=world.now
        )
    for error, settle in (("", store.sent), ("refused", store.give_up)):
        sending = store.claim_sending(world.now, world.now + timedelta(hours=1))
        assert sending is not None
        settle(sending.id, world.now, *([error] if error else []))
    store.set_feed_token(world.user, DIGESTS, FEED_TOKEN, world.now)
