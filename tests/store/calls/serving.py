"""Calls of `store.serving`; those of them that only read."""

from __future__ import annotations

from store.builders import NOW

from .made import USER

CALLS = {
    "beat": lambda s: s.serving.beat("1.0", NOW),
    "nudge_leader": lambda s: s.serving.nudge_leader(),
    "followed": lambda s: s.serving.followed(1),
    "serves": lambda s: s.serving.serves(NOW),
    "begin_activity": lambda s: s.serving.begin_activity(USER, "marking", "{}", NOW),
    "tell_activity": lambda s: s.serving.tell_activity(USER, "marking", "{}", NOW),
    "stop_activity": lambda s: s.serving.stop_activity(USER, "marking"),
    "activity": lambda s: s.serving.activity(USER, "marking", NOW),
    "end_activity": lambda s: s.serving.end_activity(USER, "marking", "{}", NOW),
    "leave": lambda s: s.serving.leave(),
}
READS = {"activity", "serves"}
