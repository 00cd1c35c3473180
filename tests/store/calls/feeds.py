"""Calls of `store.feeds`; those of them that only read."""

from __future__ import annotations

from newsloom.feeds.values.health import FeedState, PushState
from newsloom.feeds.values.polling import Announced, MostDeliveries
from newsloom.kernel.http.values import KnownRedirect
from store.builders import HOUR, NOW

from .made import DELIVERY, FEED, PUSH, USER


def ingest(store):
    with store.feeds.ingest():
        pass


def letting_in(store):
    with store.feeds.letting_in(FEED, NOW):
        pass


CALLS = {
    "claim_due": lambda s: s.feeds.claim_due(NOW, owner="x", lease_for=HOUR, limit=1),
    "hasten": lambda s: s.feeds.hasten([FEED], NOW, asked_before=NOW),
    "waiting": lambda s: s.feeds.waiting([FEED], NOW),
    "polled_elsewhere": lambda s: s.feeds.polled_elsewhere(NOW, "x"),
    "keep": lambda s: s.feeds.keep("x", NOW),
    "release": lambda s: s.feeds.release("x"),
    "ingest": ingest,
    "figures": lambda s: s.feeds.figures(NOW),
    "next_due": lambda s: s.feeds.next_due(),
    "pushes": lambda s: s.feeds.pushes([FEED]),
    "push": lambda s: s.feeds.push("token"),
    "announced": lambda s: s.feeds.announced("https://reader.test", 1),
    "begin_pushes": lambda s: s.feeds.begin_pushes(
        [PUSH], [Announced(FEED, PUSH.hub, PUSH.topic)], NOW, HOUR
    ),
    "claim_pushes": lambda s: s.feeds.claim_pushes(NOW, NOW + HOUR, 1, 1),
    "settle_push": lambda s: s.feeds.settle_push(PUSH, state=PushState.ASKED, next_at=NOW),
    "confirm_push": lambda s: s.feeds.confirm_push("token", NOW, NOW + HOUR, NOW),
    "fallen": lambda s: s.feeds.fallen(NOW, HOUR),
    "fall_back": lambda s: s.feeds.fall_back(
        [FEED], now=NOW, floor=HOUR, state=PushState.WANTED, problem="the lease ended"
    ),
    "refuse_push": lambda s: s.feeds.refuse_push(FEED, NOW, HOUR),
    "deliver": lambda s: s.feeds.deliver(DELIVERY, MostDeliveries(1, 1.0, 1)),
    "waiting_deliveries": lambda s: s.feeds.waiting_deliveries(1),
    "delivery": lambda s: s.feeds.delivery(1),
    "taken_in": lambda s: s.feeds.taken_in(DELIVERY, ignored=True, now=NOW, floor=HOUR),
    "end_pushes": lambda s: s.feeds.end_pushes(NOW, HOUR),
    "forget_push": lambda s: s.feeds.forget_push("token"),
    "drop_pushes": lambda s: s.feeds.drop_pushes(NOW, HOUR),
    "health": lambda s: s.feeds.health(USER),
    "unseen_health": lambda s: s.feeds.unseen_health(USER, [FeedState.DEAD]),
    "past_polls": lambda s: s.feeds.past_polls(USER, FEED),
    "report": lambda s: s.feeds.report(USER, NOW, NOW),
    "moves": lambda s: s.feeds.moves(USER),
    "take_back_move": lambda s: s.feeds.take_back_move(USER, 1, NOW),
    "see_health": lambda s: s.feeds.see_health(USER, None, NOW),
    "set_floor": lambda s: s.feeds.set_floor(FEED, HOUR, NOW),
    "held": lambda s: s.feeds.held(FEED),
    "letting_in": letting_in,
    "keep_out": lambda s: s.feeds.keep_out(FEED, NOW),
    "take_back_verdict": lambda s: s.feeds.take_back_verdict(FEED, NOW),
    "redirects": lambda s: s.feeds.redirects(["https://t.co/x"]),
    "put_redirects": lambda s: s.feeds.put_redirects([KnownRedirect("https://t.co/x", "", NOW)]),
}
READS = {
    "announced",
    "polled_elsewhere",
    "delivery",
    "fallen",
    "figures",
    "health",
    "held",
    "moves",
    "next_due",
    "past_polls",
    "push",
    "pushes",
    "redirects",
    "report",
    "unseen_health",
    "waiting_deliveries",
    "waiting",
}
