"""What a page says after a step, and how the step is taken back."""

from __future__ import annotations

from dataclasses import dataclass

from newsloom.reading.values.reading import EventKind

# What a step is called once it is done: (one article, several).
DONE = {
    EventKind.READ: ("Marked read", "{} articles marked read"),
    EventKind.UNREAD: ("Marked unread", "{} articles marked unread"),
    EventKind.LIKE: ("Liked", "{} articles liked"),
    EventKind.DISLIKE: ("Disliked", "{} articles disliked"),
    EventKind.UNRATE: ("Rating taken back", "{} ratings taken back"),
    EventKind.STAR: ("Starred", "{} articles starred"),
    EventKind.UNSTAR: ("Star removed", "{} stars removed"),
    EventKind.LATER: ("To be read later", "{} articles to be read later"),
    EventKind.NOT_LATER: ("No longer to be read later", "{} articles no longer to be read later"),
    EventKind.SKIPPED: ("Passed over", "{} articles passed over"),
}

# Steps that undo does not take back, by the name a redirect carries.
SAID = {
    "added": "You follow this feed now.",
    "known": "You follow this feed already.",
    "edited": "Saved.",
    "removed": "You no longer follow this feed.",
    "returned": "You follow it again, as before.",
    "lefttogether": "You no longer follow these feeds.",
    "returnedall": "You follow them again, as before.",
    "filed": "Feeds moved: {}.",
    "clearing": "They are being marked read; this goes on by itself.",
    "undoing": "It is being taken back; this goes on by itself.",
    "saving": "It is being saved there; Sharing, in Preferences, tells how it went.",
    "asked": "It is asked now; what is new is here in a moment.",
    "askedall": "Feeds asked now: {}. What is new comes in within minutes.",
    "askedsome": "Feeds asked now: {}. The others were asked a moment ago, or are left alone.",
    "askednone": "Nothing to ask: all were asked a moment ago, or are left alone for a while.",
    "letin": "It is let in: {} articles new or changed.",
    "keptout": "It is kept out, and not asked any more.",
    "unmoved": "Its address is the former one again, and stays that.",
    "imported": "{} new feeds. They are fetched in the next few minutes.",
    "connected": "It opens this account now.",
    "disconnected": "It opens this account no more.",
    "interest": "Noted. The order follows within a minute.",
    "forgotten": "Removed.",
    "scheduled": "It is made from now on, and stands on this page then.",
    "briefing": "A brief is being made; this page shows it in a moment.",
    "speaking": "Its sound is being made; this page plays it then.",
    "pronounced": "It is spoken so from the next brief on.",
    "training": "It trains now; this page says when it is done.",
    "measuring": "It is measured now; this page says when it is done.",
    "busy": "One thing at a time: the last is not done yet.",
    "back": "Gone back. The order follows within a minute.",
    "halving": "Saved. The order is the new one already.",
    "lapsed": "Forgotten: {} likes, dislikes and the like teach nothing any more.",
    "remembered": "It teaches again.",
    "undone": "Taken back.",
    "covering": "It is looked for now; what is found stands on this page in a minute or two.",
    "covered": "It was looked for a few hours ago.",
    "coverageon": "On: from now on news searches are asked.",
    "coverageoff": "Off: nothing is sent to anyone any more.",
    "notthesame": "It is not shown any more.",
    "split": "They are apart now, and stay apart.",
    "rejoined": "That is forgotten; what speaks for them counts again.",
    "rules": "Rules added: {}.",
    "unmuted": "It is in your lists again, and no rule mutes it.",
    "parted": "They are apart now, and stay apart.",
    "merged": "They are one story now, and stay that.",
    "nothing": "There is nothing to take back.",
    "highlighted": "Highlighted.",
    "tagged": "Done with {} articles.",
    "password": "Your password is changed. Every other session has ended.",
    "ended": "It has ended there.",
    "revoked": "That program can sign in no more.",
}


@dataclass(frozen=True, slots=True)
class Toast:
    """A word after a step."""

    text: str = ""
    undo: str = ""  # where the form that takes it back goes; "": it cannot be taken back
    bad: bool = False


UNDO = "/undo"


def done(kind: EventKind, count: int) -> Toast:
    """What to say after marking."""
    one, many = DONE[kind]
    return Toast(one if count == 1 else many.format(f"{count:,}"), UNDO if count > 0 else "")


def said(name: str, count: str) -> Toast:
    """What a redirect asked to say: only words of this table."""
    number = int(count) if count.isascii() and count.isdigit() and len(count) < 19 else 0
    if name == "lefttogether" and number:  # the moment they were left
        return Toast(SAID[name], f"/feeds/left/{number}/return")
    if name == "removed" and number:
        return Toast(SAID[name], f"/feeds/{number}/return")
    if name == "clearing":
        return Toast(SAID[name], UNDO)
    if name == "imported" and not number:
        return Toast("You follow all of them already.")
    if name in SAID:
        return Toast(SAID[name].format(f"{number:,}"))
    if name in {kind.value for kind in DONE}:
        return done(EventKind(name), number or 1)
    return Toast()
