"""The use cases of one reader: subscribe, list, open, mark, rate, search, explain.

Arguments in, values out. Knows the store, the network and the models only by their ports; the
pages and the commands are built on this.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from newsloom.kernel.errors import NotFound, UserError
from newsloom.ranking.scoring import FLOOR, checked, lasting
from newsloom.reading import diversification
from newsloom.reading.values.reading import EventKind, ListQuery, Order, Rows
from newsloom.reading.values.results import (
    Activity,
    Added,
    FeedActions,
    ModelActions,
    ReaderStatus,
)
from newsloom.reading.values.searching import SearchOrder

if TYPE_CHECKING:
    from newsloom.coverage.quality import Policy
    from newsloom.coverage.service import Coverage, CoverageTerms, SourceQuality
    from newsloom.feeds.service.addresses import Finding
    from newsloom.feeds.service.feeds import Feeds
    from newsloom.feeds.values.polling import PollCounts
    from newsloom.importance.service.importance import ImportanceServices
    from newsloom.importance.service.sources import Sources
    from newsloom.kernel.http.ports import Fetcher
    from newsloom.kernel.http.values import Reply
    from newsloom.kernel.ids import ArticleId, EventId, FeedId, UserId
    from newsloom.kernel.settings.ranking import Diversification
    from newsloom.llm.values import ServiceStatus
    from newsloom.ranking.learning.delays import Delays
    from newsloom.ranking.ports import ActiveRelevance, Embedder, HalfLives
    from newsloom.ranking.values.models import Explanation, Forgetting, Interest
    from newsloom.reading.values.reading import (
        ArticleState,
        Event,
        FullArticle,
        Listed,
        Listing,
        Subscription,
    )
    from newsloom.reading.values.searching import Cursor, Found
    from newsloom.store import Store

__all__ = ["Activity", "Added", "ModelActions", "Reader", "ReaderStatus"]


@dataclass(frozen=True, slots=True)
class Reader:
    """One user's view of everything. Methods may be called from any thread."""

    user: UserId
    store: Store
    embedder: Callable[[], Embedder]
    active_relevance: Callable[[UserId], ActiveRelevance]
    sensitivity_model: Callable[[], str]  # the id of the one in force
    half_lives: HalfLives  # unless the reader has their own
    needed: Callable[[], tuple[int, int]]  # likes, dislikes
    now: Callable[[], datetime]
    fetcher: Fetcher | None  # None: this process only reads
    first_poll: Callable[[Fetcher, FeedId, Reply], Awaitable[PollCounts]]
    documents: Callable[[], Finding]  # what reads those of strangers
    delays: Callable[[UserId], Delays]
    feed_actions: FeedActions
    model_actions: ModelActions
    importance_services: Callable[[], ImportanceServices]
    coverage_terms: Callable[[], CoverageTerms]
    quality_policy: Callable[[], Policy]  # when domains are blocked, for how long
    activity: Callable[[], Activity] = Activity
    on_change: Callable[[], None] = lambda: None  # something the next pass should see soon
    language_model: str = ""  # the maker of its ratings; empty: none is asked
    language_model_status: Callable[[], ServiceStatus | None] = lambda: None  # how it does
    rows: Rows = Rows.CLUSTER  # what makes one row of every list
    diversification: Diversification | None = None  # of feeds in ranked lists; None: by score alone
    read_together: bool = True  # whether reading one article of a row reads all of it
    for_you_share: float = 0.0  # of a digest's topics, chosen by interests and model
    address: str = ""  # where the pages are reached, without a slash at the end; "": not known

    # --- reading ---

    def by_rows(self, rows: Rows | None) -> Reader:
        """The same reader, whose lists have such rows; None: as they are."""
        return self if rows is None else replace(self, rows=rows)

    def page(self, query: ListQuery) -> tuple[Listed, ...]:
        """The articles asked for, in the order asked for."""
        query = self._with_preferences(query)
        return self.store.lists.page(self.user, query, self.now(), self.half_lives_in_force())

    def listing(self, query: ListQuery) -> Listing:
        """The same, and where the next page begins."""
        query = self._with_preferences(query)
        return self.store.lists.listing(self.user, query, self.now(), self.half_lives_in_force())

    def listing_ids(self, query: ListQuery) -> tuple[tuple[ArticleId, ...], Cursor | None]:
        """The articles alone that the rows of a listing show, and where the next page begins."""
        query, now = self._with_preferences(query), self.now()
        return self.store.lists.listing_ids(self.user, query, now, self.half_lives_in_force())

    def page_ids(self, query: ListQuery) -> tuple[ArticleId, ...]:
        """The articles of a page alone, in no particular order of its feeds."""
        query = replace(self._with_preferences(query), diversification=None)
        return self.store.lists.page_ids(self.user, query, self.now(), self.half_lives_in_force())

    def arrived(self, query: ListQuery, since: int, most: int) -> int:
        """How many rows of a list came after that arrival; not counted above `most`."""
        newer = replace(query, as_of=None, after=None, arrived_after=since, limit=most, offset=0)
        return len(self.page_ids(newer))

    def demotion_reason(self, article: ArticleId, query: ListQuery) -> str:
        """Why an article stands lower in a page than by its score; "" where it does not."""
        list_query = self._with_preferences(query)
        if list_query.diversification is None:
            return ""
        rows = self.store.lists.page(self.user, list_query, self.now(), self.half_lives_in_force())
        there = any(one.lowered for one in rows if one.id == article)
        return diversification.describe(list_query.diversification) if there else ""

    def _with_preferences(self, query: ListQuery) -> ListQuery:
        """With what holds for all of the reader's lists. One feed or cluster has no variety."""
        if 0 < query.score <= FLOOR:
            raise UserError(f"The least score that is told apart is above {FLOOR:g} of 100.")
        ranked = query.order is Order.RANKED
        mixed = ranked and query.feed is None and query.cluster is None
        query = replace(
            query, rows=self.rows, diversification=self.diversification if mixed else None
        )
        if query.order is Order.IMPORTANT or query.importance > 0:
            from newsloom.importance.service.importance import recency_term

            return replace(query, recency=recency_term(self))
        return query

    def article(self, article: ArticleId) -> FullArticle:
        """One article whole. Raises NotFound."""
        found = self.store.reading.article(
            self.user, article, self.now(), self.half_lives_in_force(), self.rows
        )
        if found is None:
            raise NotFound(
                f"There is no article {article} in your feeds. It may have been deleted because "
                f"of its age."
            )
        return found

    def search(
        self,
        text: str,
        limit: int = 50,
        order: SearchOrder = SearchOrder.BEST,
        after: Cursor | None = None,
        seed: int = 0,
    ) -> Found:
        """What was typed, looked for in everything the reader has had; reading/search_language.py
        has the language. Raises UserError with words for a field with a value it cannot have."""
        from newsloom.reading.search_language import parse

        query = parse(text)
        apart = self.rows is Rows.STORY and query.of_one_story
        return self.store.lists.search(
            self.user,
            query,
            order,
            limit,
            self.now(),
            self.half_lives_in_force(),
            rows=Rows.ARTICLE if apart else self.rows,
            after=after,
            seed=seed,
        )

    def unread(self) -> int:
        """How many rows the unread list has."""
        return self.store.lists.unread(self.user, self.rows)

    def listed(
        self, articles: Sequence[ArticleId], query: ListQuery | None = None
    ) -> tuple[Listed, ...]:
        """Those of the articles that are the reader's, each as its row stands in a list."""
        query = replace(query or ListQuery(), rows=self.rows)
        return self.store.lists.listed(
            self.user, articles, self.now(), self.half_lives_in_force(), query
        )

    def states(self, articles: Iterable[ArticleId]) -> Mapping[ArticleId, ArticleState]:
        """How those of the articles that are the reader's are marked, each by itself."""
        query = ListQuery(unread_only=False, rows=Rows.ARTICLE)
        found = self.store.lists.listed(
            self.user, sorted(articles), self.now(), self.half_lives_in_force(), query
        )
        return {one.id: one.state for one in found}

    # --- half-lives ---

    def half_lives_in_force(self) -> HalfLives:
        """The half-lives in force: the reader's own, or the usual ones."""
        return lasting(self.store.users.half_lives(self.user), self.half_lives)

    def set_half_lives(self, days: Sequence[float] | None) -> HalfLives:
        """Half-lives of the reader's own, in days; None takes the usual ones. What is in force.

        Raises UserError when they cannot be half-lives. The list follows at once.
        """
        own = None if days is None else checked(days)
        in_force = lasting(own, self.half_lives)
        self.store.users.set_half_lives(self.user, own, in_force)
        self.on_change()
        return in_force

    # --- marking ---

    def mark(self, articles: Sequence[ArticleId], kind: EventKind, via: str) -> tuple[EventId, ...]:
        """One step, which undo takes back whole: the numbers of its events. Raises NotFound when
        none of the articles is there."""
        events = self.store.reading.mark(
            self.user,
            articles,
            kind,
            self.now(),
            via,
            rows=self.rows,
            read_together=self.read_together,
        )
        if articles and not events:
            raise NotFound(f"There is no article {articles[0]} in your feeds.")
        if kind in {EventKind.LIKE, EventKind.DISLIKE, EventKind.UNRATE, EventKind.STAR}:
            self.on_change()
        return events

    def clear(
        self,
        query: ListQuery,
        via: str,
        heard: Callable[[int, int], bool] = lambda _done, _of: True,
    ) -> int:
        """Mark read all that a query lists, as one step for undo; how many rows.

        What comes meanwhile stays unread. `heard` is told after each batch how many of how many
        are done; it says whether to go on.
        """
        return self.store.reading.clear(
            self.user,
            replace(self._with_preferences(query), diversification=None),
            self.now(),
            via,
            self.half_lives_in_force(),
            read_together=self.read_together,
            heard=heard,
        )

    def count_rows(self, articles: Sequence[ArticleId]) -> int:
        """How many rows of a list a step about these was about: copies share one."""
        if len(articles) < 2:
            return len(articles)
        return self.store.reading.count_rows(self.user, articles, self.rows)

    def undo(self, via: str) -> tuple[Event, ...]:
        """Take back the last step; what it was, or nothing."""
        undone = self.store.reading.undo(self.user, self.now(), via)
        self.on_change()
        return undone

    def split(self, article: ArticleId) -> int:
        """Say that an article is not the same as the others of its cluster: how many those were.

        Raises NotFound for one that is not among the reader's, under its own number or a copy's.
        """
        self._mine(article)
        parted = self.store.duplicates.separate(self.user, article, self.now())
        self.on_change()
        return parted

    def rejoin(self, article: ArticleId) -> int:
        """Take that back: from how many others the reader had parted it."""
        self._mine(article)
        rejoined = self.store.duplicates.rejoin(self.user, article)
        self.on_change()
        return rejoined

    def _mine(self, article: ArticleId) -> None:
        if not self.store.duplicates.has(self.user, article):
            raise NotFound(f"There is no article {article} in your feeds.")

    # --- feeds ---

    @property
    def feeds(self) -> Feeds:
        """How the feeds are, and what to do about it."""
        from newsloom.feeds.service.feeds import Feeds

        return Feeds(self)

    @property
    def sources(self) -> Sources:
        """Who publishes in the feeds, and how far each is believed."""
        from newsloom.importance.service.sources import Sources

        return Sources(self)

    @property
    def coverage(self) -> Coverage:
        """Who else reports what the reader's articles report."""
        from newsloom.coverage.service import Coverage

        return Coverage(self)

    @property
    def quality(self) -> SourceQuality:
        """How far the pages of other publishers can be used, and rules about them."""
        from newsloom.coverage.service import SourceQuality

        return SourceQuality(self)

    def subscriptions(self) -> tuple[Subscription, ...]:
        return self.store.lists.subscriptions(self.user)

    def unsubscribe(self, feed: FeedId) -> Subscription:
        """Stop following a feed; what it was. Raises NotFound. For a month it can be taken back."""
        left = self._subscription(feed)
        self.store.reading.unsubscribe(self.user, feed)
        self.on_change()
        return left

    def follow_again(self, feed: FeedId) -> None:
        """Take leaving a feed back: its name, category, marks and scores are as they were.

        Raises NotFound when it was not left within the last month.
        """
        if not self.store.reading.follow_again(self.user, feed):
            raise NotFound(f"You did not unfollow feed {feed} in the last 30 days.")
        self.on_change()

    def edit(self, feed: FeedId, *, title: str | None = None, category: str | None = None) -> None:
        """The reader's own name for a feed, and where it stands."""
        self._subscription(feed)
        self.store.reading.edit_subscription(self.user, feed, title=title, category=category)

    def set_full_text(self, feed: FeedId, on: bool) -> None:
        """Whether the pages of a feed's articles are fetched for their full text.

        Raises NotFound when it is none of the reader's. Turned off, the feed's own text is shown.
        """
        self._subscription(feed)
        self.store.sites.set_full_text(feed, on)
        self.on_change()

    def _subscription(self, feed: FeedId) -> Subscription:
        for one in self.subscriptions():
            if one.feed_id == feed:
                return one
        raise NotFound(f"You do not follow feed {feed}.")

    # --- relevance ---

    def interests(self) -> tuple[Interest, ...]:
        return self.store.models.interests(self.user)

    def add_interest(self, text: str) -> Interest:
        """Raises UserError when it says nothing. The one that is there, where it says the same."""
        words = " ".join(text.split())[:200]
        if not words:
            raise UserError("Enter at least one word.")
        if known := [one for one in self.interests() if one.text == words]:
            return known[0]
        interest = self.store.models.add_interest(self.user, words, self.now())
        self.on_change()
        return interest

    def remove_interest(self, interest: int) -> None:
        if not self.store.models.remove_interest(self.user, interest):
            raise NotFound(f"You have no interest {interest}.")
        self.on_change()

    def exclude_period(self, since: datetime, until: datetime | None = None) -> Forgetting:
        """What was done from `since` to `until` (now) teaches nothing any more. Marks stay."""
        now = self.now()
        forgotten = self.store.models.exclude_period(self.user, since, until or now, now)
        self.on_change()
        return forgotten

    def include_period(self, number: int) -> None:
        """Let a stretch teach again. Raises NotFound when none of that number is forgotten."""
        if not self.store.models.lift_forgetting(self.user, number, self.now()):
            raise NotFound(f"There is no excluded period {number}.")
        self.on_change()

    def judged(self) -> tuple[int, int]:
        """How many likes and dislikes there are to learn from. Loads no model."""
        from newsloom.ranking.learning import label_weights

        return label_weights.judged(self.store.models.evidence(self.user))

    def status(self) -> ReaderStatus:
        """How many labels there are, how many a model of one's own needs, what is going on."""
        active, activity = self.active_relevance(self.user), self.activity()
        likes, dislikes = self.needed()
        language_model = self.language_model_status()
        return ReaderStatus(
            personal=active.personal,
            likes=active.likes,
            dislikes=active.dislikes,
            needed_likes=likes,
            needed_dislikes=dislikes,
            scoring_left=self.store.lists.unscored(self.user),
            sample=activity.sample,
            running=activity.running,
            behind=activity.behind,
            last_pass=activity.last_pass,
            problem=active.problem,
            learned=active.learned,
            passed_over=active.implicit_negatives,
            language_model=language_model.words
            if language_model and not language_model.well
            else "",
        )

    def why(self, article: ArticleId) -> Explanation:
        """Why an article stands where it stands. Raises NotFound."""
        from newsloom.app.reader import explaining

        return explaining.why(self, article)
