"""Names of streams: feeds, labels and states, as they are asked for and as they are told. Pure."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial

from newsloom.app.reader.folders import Folder
from newsloom.kernel.ids import ArticleId, FeedId
from newsloom.reading.tag_names import from_label, key
from newsloom.reading.values.reading import EventKind
from newsloom.reading.values.syncing import StreamArticle, StreamKind, StreamPart
from newsloom.sync.fields import BadRequest, number
from newsloom.sync.service import Syncing

STATE = "user/-/state/com.google/"
LABEL = "user/-/label/"
READING_LIST = STATE + "reading-list"
READ = STATE + "read"
FRESH = STATE + "fresh"
STARRED = STATE + "starred"
# Google Reader's own word for a like; few clients have a button for it, so there is a label too.
LIKE = STATE + "like"

FEED = "feed/"

LATER = "Read later"

# Clients say `-`, or the number or name that user-info told them; whose it is, the login says.
_USER = re.compile(r"user/[^/]+/")

Said = Callable[[Syncing, Sequence[int]], object]


@dataclass(frozen=True, slots=True)
class Label:
    """A label or a state: the articles that have it, and what giving it and taking it off says.

    A label of which neither is known is a category's, a folder's or a tag's, perhaps a new one.
    """

    part: StreamPart
    given: Said | None = None
    taken: Said | None = None


def _says(kind: EventKind) -> Said:
    return partial(Syncing.mark, kind=kind)


def _nothing(_syncing: Syncing, _numbers: Sequence[int]) -> None:
    """What is said by states that only follow other clients' habits."""


_UNREAD = StreamPart(StreamKind.UNREAD)
_LIKED = Label(
    StreamPart(StreamKind.LIKED), _says(EventKind.LIKE), partial(Syncing.unrate, rating=1)
)
_DISLIKED = Label(
    StreamPart(StreamKind.DISLIKED), _says(EventKind.DISLIKE), partial(Syncing.unrate, rating=-1)
)
_LATER = Label(StreamPart(StreamKind.LATER), _says(EventKind.LATER), _says(EventKind.NOT_LATER))
STATES = {
    READING_LIST: Label(StreamPart(), _nothing, _nothing),
    READ: Label(StreamPart(StreamKind.READ), _says(EventKind.READ), _says(EventKind.UNREAD)),
    STATE + "unread": Label(_UNREAD, _says(EventKind.UNREAD), _says(EventKind.READ)),
    STATE + "kept-unread": Label(_UNREAD, _says(EventKind.UNREAD), _nothing),
    FRESH: Label(_UNREAD, _nothing, _nothing),
    STARRED: Label(StreamPart(StreamKind.STARRED), _says(EventKind.STAR), _says(EventKind.UNSTAR)),
    LIKE: _LIKED,
}
# States that other servers have and nothing here is in.
_OTHERS = "broadcast broadcast-friends created tracking-kept-unread self saved-web-pages"
_EMPTY = Label(StreamPart(StreamKind.NOTHING), _nothing, _nothing)
STATES |= {STATE + name: _EMPTY for name in _OTHERS.split()}


@dataclass(frozen=True)
class Labels:
    """The labels of one reader. Of two with one name the first below is meant."""

    like: str
    dislike: str
    categories: Collection[str] = ()  # in the reader's order
    folders: Mapping[str, Folder] = field(default_factory=dict)
    tags: Sequence[str] = ()

    @cached_property
    def known(self) -> Mapping[str, Label]:
        """By name, in the order in which they are shown."""
        category, these, tag = StreamKind.CATEGORY, StreamKind.THESE, StreamKind.TAG
        filed = {one: Label(StreamPart(category, category=one)) for one in self.categories}
        own = {
            one: Label(StreamPart(these, these=folder.articles))
            for one, folder in self.folders.items()
        }
        own |= {self.like: _LIKED, self.dislike: _DISLIKED, LATER: _LATER}
        tags = {one: Label(StreamPart(tag, tag=one)) for one in self._tags.values()}
        return {**filed, **own, **tags, **filed}

    @cached_property
    def taken(self) -> Collection[str]:
        """The keys of names that no tag can have."""
        own = (self.like, self.dislike, LATER)
        return {key(one) for one in (*self.categories, *self.folders, *own)}

    @cached_property
    def _tags(self) -> Mapping[str, str]:
        """Those whose names mean nothing else, by key."""
        return {at: one for one in self.tags if (at := key(one)) not in self.taken}

    def find(self, name: str) -> Label:
        """One by its name, a tag's in any case; of one that is not there the articles are none."""
        tag = self._tags.get(key(from_label(name)), "")
        return self.known.get(name) or self.known.get(tag) or Label(StreamPart(StreamKind.NOTHING))

    def names_of(self, one: StreamArticle) -> list[str]:
        """The labels that an article has."""
        state, tags = one.listed.state, self._tags.values()
        rated = [self.like] if state.rating > 0 else [self.dislike] if state.rating < 0 else []
        own = [*rated, LATER] if state.later else rated
        return [
            *(name for name in own if name not in self.categories),
            *(name for name in one.listed.tags if name in tags),
            *one.categories,
            *self._folders_of.get(one.listed.id, ()),
        ]

    @cached_property
    def _folders_of(self) -> Mapping[ArticleId, Sequence[str]]:
        found: dict[ArticleId, list[str]] = defaultdict(list)
        for name, folder in self.folders.items():
            for article in folder.articles:
                found[article].append(name)
        return found


def label_of(stream: str) -> str | None:
    """The name of the label that a stream is; None: it is something else."""
    found = _common(stream)
    return found.removeprefix(LABEL) if found.startswith(LABEL) else None


def meaning(stream: str, labels: Labels) -> Label:
    """The state or the label that a stream is. Raises BadRequest."""
    name = label_of(stream)
    found = STATES.get(_common(stream)) if name is None else labels.find(name)
    if found is None:
        raise BadRequest(f"There is no such stream, state or label: {stream[:80]!r}.")
    return found


def _common(stream: str) -> str:
    """With `-` in the user's place."""
    return _USER.sub("user/-/", stream.strip(), count=1)


def stream_part(stream: str, labels: Labels, feeds: Mapping[str, FeedId]) -> StreamPart:
    """The articles of a stream; `feeds` are the reader's, by address.

    A label that there is none of is an empty stream, since clients ask for what was there a moment
    ago. Raises BadRequest for what is no stream.
    """
    if not stream.startswith(FEED):
        return meaning(stream, labels).part
    found = feed_number(stream.removeprefix(FEED), feeds)
    return StreamPart(StreamKind.NOTHING if found is None else StreamKind.FEED, found)


def feed_number(name: str, feeds: Mapping[str, FeedId]) -> FeedId | None:
    """The feed of a number or an address, if the reader follows it."""
    found = FeedId(number(name, "feed")) if name.isascii() and name.isdigit() else feeds.get(name)
    return found if found in feeds.values() else None


def feed_stream(feed: FeedId) -> str:
    return f"{FEED}{feed}"
