"""Calls of `store.digests`; those of them that only read."""

from __future__ import annotations

from newsloom.digests.values import DigestKind, Memory
from newsloom.kernel.ids import DigestId, SendingId
from store.builders import NOW

from .made import DIGEST, SCHEDULE, SENDING, USER

CALLS = {
    "digests.schedules": lambda s: s.digests.schedules(USER),
    "digests.add_schedule": lambda s: s.digests.add_schedule(SCHEDULE, []),
    "digests.drop_schedule": lambda s: s.digests.drop_schedule(USER, SCHEDULE.id),
    "digests.unsubscribe": lambda s: s.digests.unsubscribe("token"),
    "digests.target": lambda s: s.digests.target("token"),
    "digests.webhooks": lambda s: s.digests.webhooks(USER),
    "digests.claim_schedule": lambda s: s.digests.claim_schedule(NOW, NOW),
    "digests.postpone": lambda s: s.digests.postpone(SCHEDULE.id, NOW),
    "put_digest": lambda s: s.digests.put_digest(
        SCHEDULE, DIGEST, Memory(), now=NOW, ready=NOW, next_at=NOW
    ),
    "digest": lambda s: s.digests.digest(USER, DigestId(1)),
    "digests": lambda s: s.digests.digests(USER, 1),
    "digest_after": lambda s: s.digests.digest_after(USER, DigestId(1)),
    "memories": lambda s: s.digests.memories(
        USER, kinds=(DigestKind.MORNING,), since=NOW, until=NOW
    ),
    "newest_digests": lambda s: s.digests.newest_digests(USER, 1),
    "digests.claim_sending": lambda s: s.digests.claim_sending(NOW, NOW),
    "digests.sent": lambda s: s.digests.sent(SendingId(1), NOW),
    "digests.send_later": lambda s: s.digests.send_later(SendingId(1), NOW, "why"),
    "digests.give_up": lambda s: s.digests.give_up(SendingId(1), NOW, "why"),
    "digests.sendings": lambda s: s.digests.sendings(DigestId(1)),
    "digests.unsent": lambda s: s.digests.unsent(USER, NOW),
    "digest_to_send": lambda s: s.digests.digest_to_send(SENDING),
    "feed_token": lambda s: s.digests.feed_token(USER, "digests"),
    "set_feed_token": lambda s: s.digests.set_feed_token(USER, "digests", "token", NOW),
    "feed_of": lambda s: s.digests.feed_of("token"),
}
READS = {
    "digests.claim_schedule",
    "digests.claim_sending",
    "digest",
    "digest_after",
    "digests.target",
    "digests.webhooks",
    "digest_to_send",
    "digests",
    "feed_of",
    "feed_token",
    "memories",
    "newest_digests",
    "digests.schedules",
    "digests.sendings",
    "digests.unsent",
}
