"""Calls of `store.briefs`; those of them that only read."""

from __future__ import annotations

from newsloom.briefs.values.briefs import BriefId
from newsloom.briefs.values.pronouncing import Pronunciation
from newsloom.digests.values import Memory
from newsloom.kernel.ids import SendingId
from store.builders import NOW

from .made import BRIEF_SCHEDULE, BRIEF_SENDING, SCRIPT, SOUND, USER

ONE = BriefId(1)

CALLS = {
    "brief_schedules": lambda s: s.briefs.brief_schedules(USER),
    "add_brief_schedule": lambda s: s.briefs.add_brief_schedule(BRIEF_SCHEDULE, []),
    "drop_brief_schedule": lambda s: s.briefs.drop_brief_schedule(USER, BRIEF_SCHEDULE.id),
    "leave_brief": lambda s: s.briefs.leave_brief("token"),
    "brief_target": lambda s: s.briefs.brief_target("token"),
    "claim_brief_schedule": lambda s: s.briefs.claim_brief_schedule(NOW, NOW),
    "put_off_brief_schedule": lambda s: s.briefs.put_off_brief_schedule(BRIEF_SCHEDULE.id, NOW),
    "next_brief": lambda s: s.briefs.next_brief(),
    "put_briefs": lambda s: s.briefs.put_briefs(
        None, USER, [(SCRIPT, Memory())], now=NOW, ready=NOW
    ),
    "brief": lambda s: s.briefs.brief(USER, ONE),
    "briefs": lambda s: s.briefs.briefs(USER, 1),
    "heard_briefs": lambda s: s.briefs.heard_briefs(USER, "en", 1),
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
    "sounds_kept": lambda s: s.briefs.sounds_kept(),
    "old_sounds": lambda s: s.briefs.old_sounds(NOW),
    "failed_briefs": lambda s: s.briefs.failed_briefs(USER, NOW),
    "claim_brief_sending": lambda s: s.briefs.claim_brief_sending(NOW, NOW),
    "brief_sent": lambda s: s.briefs.brief_sent(SendingId(1), NOW),
    "send_brief_later": lambda s: s.briefs.send_brief_later(SendingId(1), NOW, "why"),
    "give_up_brief_sending": lambda s: s.briefs.give_up_brief_sending(SendingId(1), NOW, "why"),
    "brief_sendings": lambda s: s.briefs.brief_sendings(ONE),
    "unsent_briefs": lambda s: s.briefs.unsent_briefs(USER, NOW),
    "brief_to_send": lambda s: s.briefs.brief_to_send(BRIEF_SENDING),
    "set_heard": lambda s: s.briefs.set_heard(USER, ONE, 1.0, NOW),
    "heard": lambda s: s.briefs.heard(USER, ONE),
    "pronunciations": lambda s: s.briefs.pronunciations(USER),
    "put_pronunciation": lambda s: s.briefs.put_pronunciation(USER, Pronunciation("a", "b", "en")),
    "drop_pronunciation": lambda s: s.briefs.drop_pronunciation(USER, "en", "a"),
}
READS = {
    "brief",
    "brief_memories",
    "brief_schedules",
    "brief_sendings",
    "brief_target",
    "brief_to_send",
    "briefs",
    "briefs_wait",
    "claim_brief",
    "claim_brief_schedule",
    "claim_brief_sending",
    "failed_briefs",
    "heard",
    "heard_briefs",
    "next_brief",
    "old_sounds",
    "pronunciations",
    "sounds_kept",
    "sounds_of",
    "unsent_briefs",
}
