"""Calls of `store.briefs`; those of them that only read."""

from __future__ import annotations

from newsloom.briefs.values import BriefId, Pronunciation
from newsloom.digests.values import Memory
from newsloom.kernel.ids import SendingId
from store.builders import NOW

from .made import BRIEF_SCHEDULE, SCRIPT, SENDING, SOUND, USER

ONE = BriefId(1)

CALLS = {
    "briefs.schedules": lambda s: s.briefs.schedules(USER),
    "briefs.add_schedule": lambda s: s.briefs.add_schedule(BRIEF_SCHEDULE, []),
    "briefs.drop_schedule": lambda s: s.briefs.drop_schedule(USER, BRIEF_SCHEDULE.id),
    "briefs.unsubscribe": lambda s: s.briefs.unsubscribe("token"),
    "briefs.target": lambda s: s.briefs.target("token"),
    "briefs.webhooks": lambda s: s.briefs.webhooks(USER),
    "briefs.claim_schedule": lambda s: s.briefs.claim_schedule(NOW, NOW),
    "briefs.postpone": lambda s: s.briefs.postpone(BRIEF_SCHEDULE.id, NOW),
    "put_briefs": lambda s: s.briefs.put_briefs(
        None, USER, [(SCRIPT, Memory())], now=NOW, ready=NOW
    ),
    "brief": lambda s: s.briefs.brief(USER, ONE),
    "briefs": lambda s: s.briefs.briefs(USER, 1),
    "briefs_with_sound": lambda s: s.briefs.briefs_with_sound(USER, "en", 1),
    "brief_memories": lambda s: s.briefs.brief_memories(USER, NOW),
    "drop_brief": lambda s: s.briefs.drop_brief(USER, ONE),
    "claim_brief": lambda s: s.briefs.claim_brief(NOW, NOW, ONE),
    "briefs_wait": lambda s: s.briefs.briefs_wait(NOW),
    "hold_brief": lambda s: s.briefs.hold_brief(ONE, NOW),
    "put_sound": lambda s: s.briefs.put_sound(ONE, SOUND, NOW),
    "fail_brief": lambda s: s.briefs.fail_brief(ONE, "why", NOW),
    "retry_brief": lambda s: s.briefs.retry_brief(ONE, NOW, "why"),
    "free_brief": lambda s: s.briefs.free_brief(ONE),
    "speak_again": lambda s: s.briefs.speak_again(USER, ONE, NOW),
    "sounds_of": lambda s: s.briefs.sounds_of(USER),
    "sound_files": lambda s: s.briefs.sound_files(),
    "old_sounds": lambda s: s.briefs.old_sounds(NOW),
    "failed_briefs": lambda s: s.briefs.failed_briefs(USER, NOW),
    "briefs.claim_sending": lambda s: s.briefs.claim_sending(NOW, NOW),
    "briefs.sent": lambda s: s.briefs.sent(SendingId(1), NOW),
    "briefs.send_later": lambda s: s.briefs.send_later(SendingId(1), NOW, "why"),
    "briefs.give_up": lambda s: s.briefs.give_up(SendingId(1), NOW, "why"),
    "briefs.sendings": lambda s: s.briefs.sendings(ONE),
    "briefs.unsent": lambda s: s.briefs.unsent(USER, NOW),
    "brief_to_send": lambda s: s.briefs.brief_to_send(SENDING),
    "set_heard": lambda s: s.briefs.set_heard(USER, ONE, 1.0, NOW),
    "heard": lambda s: s.briefs.heard(USER, ONE),
    "pronunciations": lambda s: s.briefs.pronunciations(USER),
    "put_pronunciation": lambda s: s.briefs.put_pronunciation(USER, Pronunciation("a", "b", "en")),
    "drop_pronunciation": lambda s: s.briefs.drop_pronunciation(USER, "en", "a"),
}
READS = {
    "brief",
    "brief_memories",
    "briefs.schedules",
    "briefs.sendings",
    "briefs.target",
    "briefs.webhooks",
    "brief_to_send",
    "briefs",
    "briefs_wait",
    "claim_brief",
    "briefs.claim_schedule",
    "briefs.claim_sending",
    "failed_briefs",
    "heard",
    "briefs_with_sound",
    "old_sounds",
    "pronunciations",
    "sound_files",
    "sounds_of",
    "briefs.unsent",
}
