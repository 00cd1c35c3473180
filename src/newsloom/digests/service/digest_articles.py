"""Articles as digests need them: listed, with their texts and what they are worth at a moment."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from newsloom.digests.values import DigestArticle
from newsloom.importance.score import importance
from newsloom.importance.service.importance import recency_term
from newsloom.importance.sources import known_tier
from newsloom.importance.sources.speaking import credited_source, is_own
from newsloom.kernel.ids import ArticleId, FeedId, UserId
from newsloom.kernel.text.html import headline, to_text
from newsloom.kernel.text.sentences import sentences
from newsloom.ranking.values.models import ArticleText
from newsloom.reading.values.reading import Listed, ListQuery, Order, RecencyTerm, Rows
from newsloom.summaries.boilerplate import leans, recurring, without
from newsloom.summaries.credited import credited
from newsloom.summaries.summarise import CLEAR, clarity

if TYPE_CHECKING:
    from newsloom.app.reader import Reader
    from newsloom.store import Store

UNKNOWN_TIER = 4
# How many of a feed's latest articles are searched for sentences that several of them share.
LATEST_OF_FEED = 8
# Characters of a teaser, and those that a text has if it begins with it.
LONGEST_TEASER, SAME_BEGIN = 1_000, 40
LONGEST_OF_PAGE = 2_000  # characters of a page's text that are read: as many as of a feed's text
# An article's page is wanted if its text has fewer characters. Each hour the most important
# articles of the last day are checked, for some seconds of one pass.
LITTLE_TEXT, MOST_PAGES = 500, 40
DAY, HOURLY, LONGEST_CHECK = timedelta(days=1), timedelta(hours=1), timedelta(seconds=20)
LONGEST_TITLE = 200  # of a text's first sentence in place of a title that was cut


@dataclass(frozen=True, slots=True)
class Gathered:
    """A listed article with its text and its importance at the end of the window."""

    listed: Listed
    text: ArticleText
    importance: float
    relevance: float = 0.0  # 0 where nothing is known of the reader


def valued(
    reader: Reader, rows: Sequence[Listed], end: datetime, term: RecencyTerm
) -> list[Gathered]:
    """With their texts and what they are worth then; those without a text are left out."""
    weights = {"recency": term.points / 100}
    texts = {one.id: one for one in reader.store.articles.texts([one.id for one in rows])}
    texts = with_pages(reader, without_standing_words(reader, with_teasers(reader, texts)))
    known = reader.status().personal or bool(reader.interests())
    return [
        Gathered(
            one,
            texts[one.id],
            importance(one.points or 0.0, end - one.sort_date, term.fade, weights),
            one.relevance if known and one.scored else 0.0,
        )
        for one in rows
        if one.id in texts
    ]


def with_teasers(
    reader: Reader, texts: Mapping[ArticleId, ArticleText]
) -> dict[ArticleId, ArticleText]:
    """With the feed's own summary first, where the text neither begins with it nor with what its
    title tells: an editor wrote it to say that, and features begin with a scene."""
    found = dict(texts)
    for article, html in reader.store.articles.teasers([*texts]).items():
        teaser, one = " ".join(to_text(html, LONGEST_TEASER).split()), texts[article]
        known = leans(teaser) or teaser[:SAME_BEGIN] in " ".join(one.text.split())
        if not known and clarity(credited(one)) < CLEAR:
            teaser += "." if teaser[-1].isalnum() else ""
            found[article] = replace(one, text=f"{teaser}\n{one.text}")
    return found


def with_pages(
    reader: Reader, texts: Mapping[ArticleId, ArticleText]
) -> dict[ArticleId, ArticleText]:
    """The texts, each replaced by that of the article's page if one was fetched and the feed may
    speak for it. Sentences that several pages of a feed share are left out."""
    pages: dict[FeedId, dict[ArticleId, str]] = {}
    for article, html in reader.store.articles.page_texts([*texts]).items():
        one = texts[article]
        if is_own(one.source, (one.feed_url,)):
            pages.setdefault(one.feed_id, {})[article] = to_text(html, LONGEST_OF_PAGE)
    found = dict(texts)
    for those in pages.values():
        standing = recurring([*those.values()])
        for article, text in those.items():
            found[article] = replace(texts[article], text=without(text, standing))
    return found


@dataclass(frozen=True, slots=True)
class DigestPages:
    """Queues the pages of each reader's most important articles with little text, so that digests
    and briefs can quote them."""

    store: Store
    readers: Callable[[], Iterable[Reader]]
    now: Callable[[], datetime]
    done: dict[UserId, datetime] = field(default_factory=dict)

    def queue(self) -> None:
        """Check readers who were not checked for an hour. A pass waits for this, so it stops after
        some seconds; the next pass continues."""
        began = self.now()
        for reader in self.readers():
            if self.now() - began > LONGEST_CHECK:
                break
            if reader.user not in self.done or began - self.done[reader.user] >= HOURLY:
                self.done[reader.user] = began
                self.store.sites.queue_pages(_short_articles(reader, began - DAY), began)


def _short_articles(reader: Reader, since: datetime) -> list[ArticleId]:
    """Important articles since then with little text, whose feed may speak for their page."""
    query = ListQuery(
        since=since, order=Order.IMPORTANT, unread_only=False, rows=Rows.ARTICLE, limit=MOST_PAGES
    )
    texts = reader.store.articles.texts([one.id for one in reader.page(query)])
    little = [one for one in texts if len(one.text) < LITTLE_TEXT]
    return [one.id for one in little if is_own(one.source, (one.feed_url,))]


def without_standing_words(
    reader: Reader, texts: Mapping[ArticleId, ArticleText]
) -> dict[ArticleId, ArticleText]:
    """Without the sentences that several of a feed's latest articles have: they are no news."""
    feeds = sorted({one.feed_id for one in texts.values()})
    latest = reader.store.articles.latest_texts(feeds, LATEST_OF_FEED)
    standing = {feed: recurring(those) for feed, those in latest.items()}
    return {
        article: replace(one, text=without(one.text, standing[one.feed_id]))
        for article, one in texts.items()
    }


def by_id(reader: Reader, ids: Sequence[ArticleId], end: datetime) -> dict[ArticleId, Gathered]:
    """Those of some articles that are among the reader's."""
    term = recency_term(reader)
    query = ListQuery(unread_only=False, rows=Rows.ARTICLE, recency=term)
    rows = reader.store.lists.listed(
        reader.user, sorted(ids), end, reader.half_lives_in_force(), query
    )
    return {one.listed.id: one for one in valued(reader, rows, end, term)}


def categories_of(reader: Reader) -> dict[FeedId, str]:
    """How the reader filed each feed."""
    return {one.feed_id: one.category for one in reader.subscriptions()}


def article_of(one: Gathered, categories: Mapping[FeedId, str], event: int = 0) -> DigestArticle:
    """With what the reader knows of it; `event` is equal for articles on one event."""
    article = credited(one.text)
    return replace(
        article,
        title=whole_title(headline(one.listed.title, one.text.text), article.text),
        url=one.listed.url,
        publisher=one.listed.feed_title or article.publisher,
        tier=tier_of(one.text),
        category=categories.get(one.listed.feed_id, ""),
        published=one.listed.dated,
        importance=one.importance,
        relevance=one.relevance,
        event=event,
        picture=one.listed.image,
        sensitivity=one.listed.sensitivity,
    )


def whole_title(title: str, text: str) -> str:
    """A title, or the text's first sentence where the title is its beginning, cut."""
    begin, text = title.rstrip(" .…"), " ".join(text.split())
    if begin == title or not text.startswith(begin):
        return title
    first = next(iter(sentences(text[:LONGEST_TITLE])), "")
    whole = len(title) < len(first) < LONGEST_TITLE and not first.endswith("…")
    return first.removesuffix(".") if whole else title


def tier_of(one: ArticleText) -> int:
    """The tier of the source that an article counts for; of an unknown one 4."""
    known = known_tier(credited_source(one.source, one.feed_url))
    return known.tier if known else UNKNOWN_TIER
