"""Stories as one reader sees them: which are hot, what one is made of, what they say of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, TypeAlias

from newsloom.articles.publishers import domain_name
from newsloom.kernel.errors import NotFound, UserError
from newsloom.kernel.ids import ArticleId, FeedId
from newsloom.ranking.scoring import RAISE
from newsloom.ranking.values.models import Reason, StorySubscription
from newsloom.reading.values.reading import EventKind
from newsloom.stories.lifecycle import band, heat
from newsloom.stories.values.pages import (
    CorrectionKind,
    FollowedStory,
    StoryCorrection,
    StoryDecision,
    StoryHead,
    StoryId,
    StoryMember,
    StoryState,
)
from newsloom.stories.values.threads import ThreadHead, ThreadKind
from newsloom.summaries.boilerplate import is_roundup

if TYPE_CHECKING:
    from newsloom.app.reader import Reader
    from newsloom.reading.values.reading import Listed

HOT, DEVELOPING, QUIET, ARCHIVED = "hot", "developing", "quiet", "archived"
WAYS = (HOT, DEVELOPING, QUIET, ARCHIVED)
FOLLOWS, MUTED = 1, -1
# Stories that are looked at for one list, the latest.
LOOKED_AT = 500
# Fewer articles among a reader's feeds are no story to them.
LEAST = 2
# Feeds or sources that must tell a story for it to be listed. What one alone tells is mostly a
# series: of 80 stories of 181 real feeds that were read, some 45 were lectures, parts, or games.
LEAST_TELLERS = 2
MOST_DECISIONS = 200
# Articles of a story in a list.
NEWEST = 4
# Stories of one thread that are shown, the newest.
MOST_IN_THREAD = 200


@dataclass(frozen=True, slots=True)
class StoryLine:
    """A story in a list."""

    head: StoryHead
    title: str
    heat: float
    band: str  # one of WAYS
    articles: int  # among the reader's
    sources: int
    new: int  # since the reader looked last; 0 when they never did
    subscription: int  # FOLLOWS, MUTED or 0
    feeds: tuple[FeedId, ...]  # that its articles came by, the one of most first
    latest: tuple[StoryMember, ...]  # articles, the newest first, NEWEST at most


# A story, and others of its narrative.
RelatedStories: TypeAlias = tuple[StoryLine, list[StoryLine]]


@dataclass(frozen=True, slots=True)
class ThreadLine:
    """A thread in a list."""

    head: ThreadHead
    title: str
    stories: tuple[StoryId, ...]  # those with an article among the reader's, the newest first
    articles: int
    sources: int
    began: datetime
    latest: datetime
    subscription: int  # FOLLOWS, MUTED or 0


@dataclass(frozen=True, slots=True)
class Headline:
    """A title that an article had before, and what it became."""

    article: ArticleId
    source: str
    seen: datetime  # when the later one was
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class StoryView:
    """A story whole."""

    line: StoryLine
    members: tuple[StoryMember, ...]  # by date, the first report first
    headlines: tuple[Headline, ...]
    new: frozenset[ArticleId]  # joined since the reader looked last
    looked: datetime | None
    thread: ThreadLine | None = None  # that it is of
    corrections: tuple[StoryCorrection, ...] = ()
    sources: Mapping[str, int] = field(default_factory=dict)  # articles of each, the most first

    @property
    def first(self) -> StoryMember:
        """Who reported it first."""
        return self.members[0]

    @property
    def names(self) -> Mapping[str, str]:
        """What each source is called: its domain if feeds of it have several names."""
        names: dict[str, str] = {}
        for one in self.members:
            same = names.setdefault(one.source, one.publisher) == one.publisher
            names[one.source] = one.publisher if same else domain_name(one.source)
        return names


def lines(reader: Reader, way: str = "", *, muted: bool = False) -> tuple[StoryLine, ...]:
    """The stories of a reader's feeds, those that they follow first, then the hottest.

    `way` is one of WAYS, or "" for all that are not archived. Raises UserError for another one.
    """
    if way and way not in WAYS:
        raise UserError(f"Stories are {', '.join(WAYS)}, not {way!r:.40}.")
    live = (StoryState.ACTIVE, StoryState.COOLING)
    states = (StoryState.ARCHIVED,) if way == ARCHIVED else live
    heads = reader.store.stories.story_heads(
        states=states, least=LEAST, limit=LOOKED_AT, user=reader.user
    )
    subscriptions = reader.store.stories.story_subscriptions(reader.user)
    if way != ARCHIVED:
        known = {one.id for one in heads}
        followed = [
            one for one, how in subscriptions.items() if how.stand == FOLLOWS and one not in known
        ]
        more = reader.store.stories.story_heads(
            ids=followed, least=LEAST, limit=LOOKED_AT, user=reader.user
        )
        heads += tuple(one for one in more if not way)
    found = _lines(reader, heads, subscriptions)
    wanted = [
        one for one in found if way in ("", one.band) and (one.subscription == MUTED) is muted
    ]
    return tuple(
        sorted(
            wanted, key=lambda one: (one.subscription != FOLLOWS, -round(one.heat, 6), -one.head.id)
        )
    )


def view(reader: Reader, story: int) -> StoryView:
    """A story whole. Raises NotFound."""
    head = reader.store.stories.story(StoryId(story), reader.user)
    subscriptions = reader.store.stories.story_subscriptions(reader.user)
    members = _members(reader, [head.id]).get(head.id, ()) if head else ()
    if head is None or not members:
        raise NotFound(f"There is no story {story} in your feeds.")
    line = _line(reader, head, members, subscriptions.get(head.id))
    how = subscriptions.get(head.id)
    counts = Counter(one.source for one in members)
    looked = how.looked if how else None
    return StoryView(
        line=line,
        members=members,
        headlines=_headlines(reader, members),
        new=frozenset(one.article for one in members if looked and one.since > looked),
        looked=looked,
        thread=_thread(reader, head),
        corrections=reader.store.stories.story_corrections(head.id),
        sources=dict(sorted(counts.items(), key=lambda one: (-one[1], one[0]))),
    )


def related(reader: Reader, found: Sequence[StoryLine]) -> list[RelatedStories]:
    """Stories, each with those after it that are of its narrative, which are not listed again."""
    shared = Counter(one.head.thread for one in found if one.head.thread is not None)
    narratives = {
        thread
        for thread, count in shared.items()
        if count > 1
        and (known := reader.store.stories.thread(thread)) is not None
        and known.kind is ThreadKind.NARRATIVE
    }
    groups: dict[tuple[bool, int | None], list[StoryLine]] = {}
    for one in found:
        joins = one.head.thread in narratives
        groups.setdefault((joins, one.head.thread if joins else one.head.id), []).append(one)
    return [(first, rest) for first, *rest in groups.values()]


def of_article(reader: Reader, article: ArticleId) -> StoryLine | None:
    """The story that an article is in; None: it stands alone among the reader's."""
    story = reader.store.stories.stories_of([article]).get(article)
    head = reader.store.stories.story(story, reader.user) if story is not None else None
    if head is None or head.size < LEAST:
        return None
    members = _members(reader, [head.id]).get(head.id, ())
    if len(members) < LEAST:
        return None
    return _line(
        reader, head, members, reader.store.stories.story_subscriptions(reader.user).get(head.id)
    )


def decisions(
    reader: Reader, *, article: int | None = None, story: int | None = None
) -> tuple[StoryDecision, ...]:
    """The audit of an article, of a story, or the last of all; the newest first."""
    return reader.store.stories.story_decisions(
        article=None if article is None else ArticleId(article),
        story=None if story is None else StoryId(story),
        limit=MOST_DECISIONS,
        user=reader.user,
    )


def set_subscription(reader: Reader, story: int, how: int) -> None:
    """Follow, mute or neither. Raises NotFound."""
    reader.store.stories.set_story_subscription(reader.user, _known(reader, story), how)
    reader.on_change()


def look(reader: Reader, story: int, shown: datetime | None = None) -> None:
    """What joins after this is new to the reader. `shown`: when the page that they looked at was
    made; what joined since then they have not seen. None: now. Teaches nothing. Raises NotFound."""
    known, now = _known(reader, story), reader.now()
    seen = now if shown is None else min(shown, now)
    reader.store.stories.look_at_story(reader.user, known, seen)


def read_whole(reader: Reader, story: int, via: str) -> list[ArticleId]:
    """Mark all that is unread of a story read: one step, which teaches nothing; the articles.
    Raises NotFound."""
    known = _known(reader, story)
    members = _members(reader, [known]).get(known, ())
    unread = [one.article for one in members if not one.read]
    reader.mark(unread, EventKind.BULK_READ, via)
    return unread


def split(reader: Reader, story: int, articles: Sequence[int], kind: CorrectionKind) -> StoryId:
    """Articles out of a story, for good: the story that they are now. Raises UserError."""
    known = _known(reader, story)
    new = reader.store.stories.part_from_story(
        reader.user, known, [ArticleId(one) for one in articles], kind, reader.now()
    )
    if new is None:
        raise UserError("Select some of the articles, not all.")
    reader.on_change()
    return new


def merge(reader: Reader, gone: int, kept: int) -> StoryId:
    """One story into another, for good. Raises UserError and NotFound."""
    one, other = _known(reader, gone), _known(reader, kept)
    if not reader.store.stories.merge_stories(reader.user, one, other, reader.now()):
        raise UserError("Choose another story to merge with.")
    reader.on_change()
    return other


def belongs(reader: Reader, article: int, story: int) -> None:
    """An article into a story, for good. Raises NotFound."""
    known = _known(reader, story)
    put = reader.store.stories.put_into_story(reader.user, ArticleId(article), known, reader.now())
    if not put:
        raise NotFound(f"Article {article} has no story.")
    reader.on_change()


def _known(reader: Reader, story: int) -> StoryId:
    """The story of that number, or the one it went into; one that the reader sees something of."""
    head = reader.store.stories.story(StoryId(story), reader.user)
    if head is None or not _members(reader, [head.id]).get(head.id):
        raise NotFound(f"There is no story {story} in your feeds.")
    return head.id


def _members(reader: Reader, ids: Sequence[StoryId]) -> Mapping[StoryId, tuple[StoryMember, ...]]:
    return reader.store.stories.visible_members(reader.user, ids)


def _lines(
    reader: Reader, heads: Sequence[StoryHead], subscriptions: Mapping[StoryId, FollowedStory]
) -> list[StoryLine]:
    members = _members(reader, [one.id for one in heads])
    # How many tell it: feeds, and in a feed of many sources each of them.
    tellers = {story: {(one.feed, one.source) for one in those} for story, those in members.items()}
    return [
        _line(reader, one, members[one.id], subscriptions.get(one.id))
        for one in heads
        if len(members.get(one.id, ())) >= LEAST
        and (one.id in subscriptions or len(tellers[one.id]) >= LEAST_TELLERS)
    ]


def _line(
    reader: Reader,
    head: StoryHead,
    members: Sequence[StoryMember],
    how: FollowedStory | None,
) -> StoryLine:
    warm = heat(((one.dated, one.points) for one in members), reader.now())
    looked = how.looked if how else None
    feeds = Counter(one.feed for one in members)
    return StoryLine(
        head=head,
        title=head.title or members[0].title or "Untitled",
        heat=warm,
        band=ARCHIVED if head.state is StoryState.ARCHIVED else band(warm),
        articles=len(members),
        sources=len({one.source for one in members}),
        feeds=tuple([feed for feed, _ in feeds.most_common() if feed is not None]),
        latest=tuple(sorted(members, key=lambda one: (one.dated, one.article), reverse=True))[
            :NEWEST
        ],
        new=sum(looked is not None and one.since > looked for one in members),
        subscription=how.stand if how else 0,
    )


def _thread(reader: Reader, head: StoryHead) -> ThreadLine | None:
    """The thread of a story, where it is a narrative of two stories or more to the reader."""
    found = reader.store.stories.thread(head.thread) if head.thread is not None else None
    if found is None or found.kind is not ThreadKind.NARRATIVE or found.size < LEAST:
        return None
    lines = thread_lines(reader, [found])
    return lines[0] if lines else None


def thread_lines(reader: Reader, heads: Sequence[ThreadHead]) -> tuple[ThreadLine, ...]:
    """Threads as one reader sees them, without those of fewer than two stories to them."""
    stories_of = reader.store.stories.thread_stories([one.id for one in heads], MOST_IN_THREAD)
    ids = [one for those in stories_of.values() for one in those]
    members = _members(reader, ids)
    known = {
        one.id: one.title
        for one in reader.store.stories.story_heads(
            ids=ids, least=1, limit=len(ids), user=reader.user
        )
    }
    subscriptions = reader.store.stories.thread_subscriptions(reader.user)
    found = []
    for head in heads:
        seen = tuple(one for one in stories_of.get(head.id, ()) if members.get(one))
        if len(seen) < LEAST:
            continue
        articles = [one for story in seen for one in members[story]]
        titles = {one: known.get(one) or members[one][0].title or "Untitled" for one in seen}
        # That of the largest story, if need be of one that is no round-up.
        named = max(seen, key=lambda one: (not is_roundup(titles[one], ""), len(members[one]), one))
        found.append(
            ThreadLine(
                head=head,
                title=titles[named],
                stories=seen,
                articles=len(articles),
                sources=len({one.source for one in articles}),
                began=min(one.dated for one in articles),
                latest=max(one.dated for one in articles),
                subscription=subscriptions.get(head.id, 0),
            )
        )
    return tuple(found)


def _headlines(reader: Reader, members: Sequence[StoryMember]) -> tuple[Headline, ...]:
    """How titles changed, the first change first."""
    known = {one.article: one for one in members}
    by_article: dict[ArticleId, list[tuple[datetime, str]]] = {}
    for article, seen, title in reader.store.stories.earlier_headlines(list(known)):
        by_article.setdefault(article, []).append((seen, title))
    found = []
    for article, past in by_article.items():
        later = [*(title for _seen, title in past[1:]), known[article].title]
        for (seen, before), after in zip(past, later, strict=True):
            if before != after:
                found.append(Headline(article, known[article].source, seen, before, after))
    return tuple(sorted(found, key=lambda one: (one.seen, one.article)))


# Relevance is 0 to 100: at the top a raise is cut off.
_TOP = 99.95


def subscription_of(reader: Reader, listed: Listed) -> StorySubscription | None:
    """How the reader stands to the article's story; None: there is none, or they said nothing."""
    story = reader.store.stories.stories_of([listed.id]).get(listed.id)
    how = (
        None if story is None else reader.store.stories.story_subscriptions(reader.user).get(story)
    )
    if story is None or how is None or not how.stand:
        return None
    head = reader.store.stories.story(story, reader.user)
    title = (head.title if head else "") or listed.title
    return StorySubscription(story, title, how.stand, RAISE if how.stand > 0 else 0.0)


def lift(subscription: StorySubscription | None, relevance: float, without: float) -> float:
    """How much of a relevance is the raise of a followed story, where it is `without` that
    otherwise; 0 where the article was scored before it was followed."""
    if subscription is None or subscription.subscription <= 0:
        return 0.0
    left_open = relevance - without
    if relevance >= _TOP:
        return min(max(left_open, 0.0), RAISE)
    return RAISE if left_open > RAISE / 2 else 0.0


def reason(subscription: StorySubscription, lifted: float) -> Reason:
    """The line of it among what makes the relevance."""
    if subscription.subscription < 0:
        words = f"you muted its story “{subscription.title}”: read at once, unless starred or rated"
    elif lifted:
        words = f"you follow its story “{subscription.title}”"
    else:
        title = subscription.title
        words = f"you follow its story “{title}”; the next pass adds {RAISE:g} points for it"
    return Reason("story", words, lifted, story=subscription.story)
