"""Names of streams: feeds, labels and states, as they are asked for and as they are told. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from newsloom.app.reader.folders import Folder
from newsloom.kernel.ids import FeedId
from newsloom.reading.tag_names import from_label, key
from newsloom.reading.values.syncing import StreamKind, StreamPart
from newsloom.sync.fields import BadRequest, number

STATE = "user/-/state/com.google/"
LABEL = "user/-/label/"
READING_LIST = STATE + "reading-list"
READ = STATE + "read"
STARRED = STATE + "starred"
# Google Reader's own word for a like; few clients have a button for it, so there is a label too.
LIKE = STATE + "like"

FEED = "feed/"

LATER = "Read later"

STATES: Mapping[str, StreamKind] = {
    "reading-list": StreamKind.ALL,
    "read": StreamKind.READ,
    "unread": StreamKind.UNREAD,
    "kept-unread": StreamKind.UNREAD,
    "fresh": StreamKind.UNREAD,
    "starred": StreamKind.STARRED,
    "like": StreamKind.LIKED,
}
# States that other servers have and nothing here is in.
EMPTY = frozenset(
    ("broadcast", "broadcast-friends", "created", "tracking-kept-unread", "self", "saved-web-pages")
)

# Clients say `-`, or the number or name that user-info told them; whose it is, the login says.
_USER = re.compile(r"user/[^/]+/")


@dataclass(frozen=True, slots=True)
class Labels:
    """The names that labels have for one reader."""

    like: str
    dislike: str
    categories: Collection[str] = ()  # in the reader's order
    folders: Mapping[str, Folder] = field(default_factory=dict)
    tags: tuple[str, ...] = ()  # whose names mean nothing else

    @property
    def later(self) -> str:
        """The label of what is to be read later; "" where a category is called so."""
        return "" if LATER in self.categories else LATER

    def tag(self, label: str) -> str | None:
        """The reader's tag of that name, whatever its case."""
        return next((one for one in self.tags if key(one) == key(from_label(label))), None)

    def means(self, label: str) -> bool:
        """Whether a label is something that no article can be given as a tag."""
        known = {*self.categories, *self.folders, self.like, self.dislike, LATER}
        return key(label) in {key(one) for one in known if one}


def common(stream: str) -> str:
    """With `-` in the user's place."""
    return _USER.sub("user/-/", stream.strip(), count=1)


def label_of(stream: str) -> str | None:
    """The label that a stream is; None: it is something else. A bare name counts as one too."""
    found = common(stream)
    return found.removeprefix(LABEL) if found.startswith(LABEL) else None


def state_of(stream: str) -> str | None:
    """The state that a stream is, without its prefix."""
    found = common(stream)
    return found.removeprefix(STATE) if found.startswith(STATE) else None


def stream_part(stream: str, labels: Labels, feeds: Mapping[str, FeedId]) -> StreamPart:
    """The articles of a stream; `feeds` are the reader's, by address.

    A label that there is none of is an empty stream, since clients ask for what was there a moment
    ago. Raises BadRequest for what is no stream.
    """
    state = state_of(stream)
    if state is not None:
        return _of_state(state)
    label = label_of(stream)
    if label is not None:
        return _of_label(label, labels)
    if stream.startswith(FEED):
        return _of_feed(stream.removeprefix(FEED), feeds)
    raise BadRequest(f"There is no such stream: {stream[:80]!r}.")


def _of_state(state: str) -> StreamPart:
    if state in EMPTY:
        return StreamPart(StreamKind.NOTHING)
    if state not in STATES:
        raise BadRequest(f"There is no such state: {state[:80]!r}.")
    return StreamPart(STATES[state])


def _of_label(label: str, labels: Labels) -> StreamPart:
    if label in labels.categories:
        return StreamPart(StreamKind.CATEGORY, category=label)
    if label == labels.like:
        return StreamPart(StreamKind.LIKED)
    if label == labels.dislike:
        return StreamPart(StreamKind.DISLIKED)
    if label in labels.folders:
        return StreamPart(StreamKind.THESE, these=labels.folders[label].articles)
    if label == labels.later:
        return StreamPart(StreamKind.LATER)
    tag = labels.tag(label)
    return StreamPart(StreamKind.NOTHING) if tag is None else StreamPart(StreamKind.TAG, tag=tag)


def _of_feed(name: str, feeds: Mapping[str, FeedId]) -> StreamPart:
    found = feed_number(name, feeds)
    return StreamPart(StreamKind.NOTHING) if found is None else StreamPart(StreamKind.FEED, found)


def feed_number(name: str, feeds: Mapping[str, FeedId]) -> FeedId | None:
    """The feed of a number or an address, if the reader follows it."""
    found = FeedId(number(name, "feed")) if name.isascii() and name.isdigit() else feeds.get(name)
    return found if found in feeds.values() else None


def feed_stream(feed: FeedId) -> str:
    return f"{FEED}{feed}"
