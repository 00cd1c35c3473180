"""What keys do on pages: each action once, with its words and the keys it has unless others are
chosen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class KeyAction:
    """Something a key does. A key is one sign as typed, "A" with Shift, or two after one another,
    such as "g u"."""

    name: str
    words: str
    keys: tuple[str, ...]


# Names are those of newsloom.js. The usual keys of articles are Google Reader's.
KEY_ACTIONS = (
    KeyAction("next", "next", ("j",)),
    KeyAction("previous", "previous", ("k",)),
    KeyAction("open", "open", ("o",)),
    KeyAction("original", "open original", ("v",)),
    KeyAction("like", "like", ("l",)),
    KeyAction("dislike", "dislike", ("d",)),
    KeyAction("star", "star", ("s",)),
    KeyAction("later", "read later", ("b",)),
    KeyAction("read", "toggle read", ("m",)),
    KeyAction("tag", "tag", ("t",)),
    KeyAction("choose", "select articles to tag", ("x",)),
    KeyAction("note", "note on the open article", ("e",)),
    KeyAction("highlight", "highlight text", ("h",)),
    KeyAction("share", "share the open article", ("S",)),
    KeyAction("why", "why it ranks here", ("w",)),
    KeyAction("sources", "sources", ("c",)),
    KeyAction("menu", "article menu", (".",)),
    KeyAction("undo", "undo", ("u",)),
    KeyAction("mark-many", "mark list read", ("A",)),
    KeyAction("order", "change order", ("n",)),
    KeyAction("filter", "filter", ("f",)),
    KeyAction("search", "search", ("/",)),
    KeyAction("go-unread", "for you", ("g u",)),
    KeyAction("go-digest", "digest", ("g d",)),
    KeyAction("go-brief", "brief", ("g b",)),
    KeyAction("go-stories", "stories", ("g s",)),
    KeyAction("go-starred", "starred", ("g S",)),
    KeyAction("go-liked", "liked", ("g l",)),
    KeyAction("go-later", "read later", ("g B",)),
    KeyAction("go-all", "all", ("g a",)),
    KeyAction("go-day", "the last day", ("g D",)),
    KeyAction("go-settings", "settings", ("g ,",)),
    KeyAction("play", "play or pause a brief", ("p",)),
    KeyAction("rewind", "15 seconds back in a brief", ("[",)),
    KeyAction("forward", "15 seconds forward in a brief", ("]",)),
    KeyAction("next-chapter", "next chapter", ("J",)),
    KeyAction("previous-chapter", "previous chapter", ("K",)),
    KeyAction("slower", "slower", ("<",)),
    KeyAction("faster", "faster", (">",)),
    KeyAction("help", "keyboard shortcuts", ("?",)),
)


@dataclass(frozen=True, slots=True)
class KeyPreset:
    """Keys as another reader has them: what differs from the usual ones."""

    name: str
    words: str
    keys: Mapping[str, tuple[str, ...]]


KEY_PRESETS = (
    KeyPreset("newsloom", "Newsloom", {}),
    KeyPreset("google", "Google Reader", {"go-starred": ("g s",), "go-stories": ("g S",)}),
    KeyPreset(
        "miniflux",
        "Miniflux",
        {
            "next": ("j", "n"),
            "previous": ("k", "p"),
            "play": ("P",),
            "star": ("f",),
            "go-starred": ("g b",),
            "go-brief": ("g B",),
            "go-later": ("g y",),
            "order": ("O",),
            "filter": ("F",),
        },
    ),
    KeyPreset(
        "ttrss",
        "Tiny Tiny RSS",
        {
            "next": ("n",),
            "previous": ("p",),
            "play": ("P",),
            "open": ("O",),
            "original": ("o", "v"),
            "read": ("u", "m"),
            "undo": ("z",),
            "order": ("i",),
        },
    ),
)

# A preference of a reader under this and an action's name: its keys, with commas between; "" means
# none. What is not kept is as the preset has it.
KEY_PREFIX = "key:"
PRESET = "keys"
MOST_KEYS = 3


def keys_of(chosen: Mapping[tuple[str, str], str]) -> Mapping[str, tuple[str, ...]]:
    """The keys of every action, by what a reader keeps."""
    preset = preset_of(chosen)
    found: dict[str, tuple[str, ...]] = {}
    for action in KEY_ACTIONS:
        own = chosen.get(("", KEY_PREFIX + action.name))
        usual = preset.keys.get(action.name, action.keys)
        found[action.name] = usual if own is None else tuple(filter(None, own.split(",")))
    return found


def preset_of(chosen: Mapping[tuple[str, str], str]) -> KeyPreset:
    """The preset that a reader chose, or the first."""
    name = chosen.get(("", PRESET), "")
    return next((one for one in KEY_PRESETS if one.name == name), KEY_PRESETS[0])


USUAL_KEYS: Mapping[str, tuple[str, ...]] = MappingProxyType(dict(keys_of({})))
