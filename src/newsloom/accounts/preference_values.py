"""What readers choose for themselves: each choice once, with its words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from operator import itemgetter


@dataclass(frozen=True, slots=True)
class Preference:
    """One thing to choose. The first choice holds until another is made."""

    name: str
    words: str
    choices: tuple[tuple[str, str], ...]  # value, and what it is called


LOOK = Preference(
    "look",
    "List layout",
    (
        ("list", "Titles and excerpts"),
        ("compact", "One line"),
        ("cards", "Cards"),
        ("magazine", "Large pictures"),
        ("beside", "List and article side by side (wide screens)"),
    ),
)
LOOKS = LOOK.choices
BESIDE = "beside"
LIST_PICTURES = Preference("pictures", "Pictures in lists", (("on", "Show"), ("off", "Hide")))
MORE = Preference("more", "Load more", (("press", "On a button"), ("scroll", "On scroll")))
PASSED = Preference(
    "passed",
    "Articles you scroll past",
    (("stay", "Stay unread"), ("read", "Are marked read (not used for training)")),
)
# A swipe presses the button of that name in its row (web/static/swipe.js).
_SWIPES = (
    ("read", "Toggle read"),
    ("star", "Star"),
    ("later", "Read later"),
    ("like", "Like"),
    ("dislike", "Dislike"),
    ("off", "Nothing"),
)
SWIPE_RIGHT = Preference("swipe_right", "Swipe right", _SWIPES)
SWIPE_LEFT = Preference("swipe_left", "Swipe left", (_SWIPES[1], _SWIPES[0], *_SWIPES[2:]))
TEXT_SIZE = Preference(
    "size",
    "Article text size",
    (
        ("100", "Default"),
        ("90", "Smaller"),
        ("115", "Larger"),
        ("130", "Large"),
        ("150", "Largest"),
    ),
)
FONT = Preference("font", "Article font", (("serif", "Serif"), ("sans", "Sans serif")))
LINE_LENGTH = Preference(
    "width",
    "Line length",
    (("40", "Default"), ("32", "Short"), ("52", "Long"), ("70", "Very long")),
)
LINE_HEIGHT = Preference(
    "leading", "Line spacing", (("1.7", "Default"), ("1.45", "Less"), ("2", "More"))
)
# What a browser stores of the lists that were opened in it; see docs/use/read.md.
AHEAD = Preference(
    "ahead",
    "Offline reading",
    (
        ("20", "Lists and their first 20 articles"),
        ("50", "Lists and their first 50 articles"),
        ("0", "Opened pages only"),
        ("off", "Nothing"),
    ),
)
AHEAD_PICTURES = Preference(
    "ahead-pictures", "Offline pictures", (("off", "None"), ("on", "A few per article"))
)

# In the order of the page. Each is a form's field of its name.
PREFERENCES = (
    LOOK,
    LIST_PICTURES,
    MORE,
    PASSED,
    SWIPE_RIGHT,
    SWIPE_LEFT,
    AHEAD,
    AHEAD_PICTURES,
    TEXT_SIZE,
    FONT,
    LINE_LENGTH,
    LINE_HEIGHT,
)

# Whether the tour of the pages is over.
TOUR = "tour"
TOUR_SEEN = "seen"

# Besides these, a style sheet of the reader's own, in characters.
OWN_CSS = "css"
LONGEST_CSS = 20_000

_RESTYLING = {OWN_CSS, TEXT_SIZE.name, FONT.name, LINE_LENGTH.name, LINE_HEIGHT.name}

EVERYWHERE = ""


@dataclass(frozen=True, slots=True)
class Preferences:
    """What one reader has chosen: values by scope and name.

    A scope is "" for everywhere, "feed:12", or "category:News".
    """

    chosen: Mapping[tuple[str, str], str]

    def value(self, preference: Preference, *scopes: str) -> str:
        """What holds in the first of the scopes that says, or everywhere, or unless chosen."""
        allowed = dict(preference.choices)
        for scope in (*scopes, EVERYWHERE):
            found = self.chosen.get((scope, preference.name))
            if found is not None and found in allowed:
                return found
        return next(iter(allowed))

    @property
    def restyled(self) -> bool:
        """Whether articles look otherwise than without any choice."""
        return not _RESTYLING.isdisjoint(map(itemgetter(1), self.chosen))

    @property
    def own_css(self) -> str:
        """The reader's own style sheet; usually empty."""
        return self.chosen.get((EVERYWHERE, OWN_CSS), "")

    @property
    def shows_tour(self) -> bool:
        return self.chosen.get((EVERYWHERE, TOUR)) != TOUR_SEEN


def scopes_of(feed: int | None, category: str | None) -> tuple[str, ...]:
    """The scopes of a list, the narrowest first."""
    if feed is not None:
        return (f"feed:{feed}",)
    return () if category is None else (f"category:{category}",)
