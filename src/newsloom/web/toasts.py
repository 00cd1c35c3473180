"""What a page says after a step, and how to undo it."""

from __future__ import annotations

from dataclasses import dataclass

from newsloom.reading.values.reading import EventKind

# What a step is called once it is done: (one article, several).
DONE = {
    EventKind.READ: ("Marked read", "{} articles marked read"),
    EventKind.UNREAD: ("Marked unread", "{} articles marked unread"),
    EventKind.LIKE: ("Liked", "{} articles liked"),
    EventKind.DISLIKE: ("Disliked", "{} articles disliked"),
    EventKind.UNRATE: ("Rating removed", "{} ratings removed"),
    EventKind.STAR: ("Starred", "{} articles starred"),
    EventKind.UNSTAR: ("Star removed", "{} stars removed"),
    EventKind.LATER: ("Saved for later", "{} articles saved for later"),
    EventKind.NOT_LATER: ("Removed from read later", "{} articles removed from read later"),
    EventKind.SKIPPED: ("Skipped", "{} articles skipped"),
}

# Steps that undo does not cover, by the name a redirect carries.
SAID = {
    "added": "Feed added.",
    "known": "You already follow this feed.",
    "edited": "Saved.",
    "removed": "Feed unfollowed.",
    "returned": "Feed restored.",
    "lefttogether": "Feeds unfollowed.",
    "returnedall": "Feeds restored.",
    "filed": "Feeds moved: {}.",
    "clearing": "Marking read in the background.",
    "undoing": "Undoing in the background.",
    "saving": "Saving. See Sharing for the result.",
    "asked": "Refreshing the feed.",
    "askedall": "Refreshing feeds: {}.",
    "askedsome": "Refreshing feeds: {}. The others were refreshed recently or are waiting.",
    "askednone": "Nothing to refresh: all feeds were refreshed recently or are waiting.",
    "letin": "Feed approved: {} articles new or changed.",
    "keptout": "Feed blocked.",
    "unmoved": "Move undone. The feed keeps its previous URL.",
    "imported": "{} new feeds. Articles arrive in the next few minutes.",
    "connected": "Sign-in connected.",
    "disconnected": "Sign-in disconnected.",
    "interest": "Saved. The order updates within a minute.",
    "interested": "Interest added.",
    "forgotten": "Removed.",
    "scheduled": "Schedule added.",
    "briefing": "Creating a brief.",
    "speaking": "Creating the audio.",
    "voice": "Installing the voice.",
    "pronounced": "Saved. Used from the next brief on.",
    "training": "Training started.",
    "measuring": "Evaluation started.",
    "busy": "Another job is still running.",
    "back": "Rolled back. The order updates within a minute.",
    "halving": "Saved. The order is updated.",
    "lapsed": "Excluded from training: {} marks.",
    "remembered": "Included in training again.",
    "undone": "Undone.",
    "covering": "Searching. Results appear here in a minute or two.",
    "covered": "Searched a few hours ago.",
    "coverageon": "Turned on.",
    "coverageoff": "Turned off. Nothing more is sent.",
    "notthesame": "Removed from this list.",
    "split": "Separated.",
    "rejoined": "Undone.",
    "rules": "Rules added: {}.",
    "unmuted": "Article restored. No rule mutes it.",
    "parted": "Separated.",
    "merged": "Stories merged.",
    "threadsmerged": "Threads merged.",
    "nothing": "Nothing to undo.",
    "highlighted": "Highlighted.",
    "tagged": "{} articles updated.",
    "password": "Password changed. All other sessions are signed out.",
    "ended": "Session signed out.",
    "revoked": "App password removed.",
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
    if name == "interested" and number:
        return Toast(SAID[name], f"/interests/{number}/remove")
    if name == "clearing":
        return Toast(SAID[name], UNDO)
    if name == "imported" and not number:
        return Toast("You already follow all of them.")
    if name in SAID:
        return Toast(SAID[name].format(f"{number:,}"))
    if name in {kind.value for kind in DONE}:
        return done(EventKind(name), number or 1)
    return Toast()
