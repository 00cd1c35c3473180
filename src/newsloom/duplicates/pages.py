"""What a page says of articles that share a row, and of versions: words, and what changed. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from newsloom.duplicates.values import Relation
from newsloom.kernel.ids import ArticleId
from newsloom.kernel.text.ages import age_words
from newsloom.kernel.text.difference import Part, changed, difference, excerpt
from newsloom.kernel.text.html import to_text
from newsloom.reading.values.reading import (
    Cluster,
    Elsewhere,
    FullArticle,
    Related,
    RowArticle,
)
from newsloom.reading.values.reading import Version as OtherVersion
from newsloom.web.wording import (
    TITLE_LENGTH,
    clean,
    count_words,
    date_words,
    web_address,
)

# Of how much of a text differences are looked for; the longest real articles end below it.
COMPARED = 100_000

# How much older than the row's article the newest must be younger for its age to be told.
NEWS_AFTER = timedelta(hours=1)

RELATIONS = {
    Relation.SAME_TEXT: "the same text",
    Relation.NEAR_DUPLICATE: "the same headline from another source",
    Relation.SAME_EVENT: "the same event",
    Relation.REVISION: "another version",
}


@dataclass(frozen=True, slots=True)
class OtherReport:
    """Another article of a row, in the list."""

    id: int
    title: str
    feed: str
    words: str  # "same text", or nothing
    age: str
    date: str
    datetime: str
    read: bool


@dataclass(frozen=True, slots=True)
class ClusterView:
    """What stands behind a row."""

    words: str
    latest: str  # age of the newest, where that is news
    others: tuple[OtherReport, ...]
    more: int  # that are not named


@dataclass(frozen=True, slots=True)
class Version:
    """The other version of an article that a row names."""

    id: int
    title: str
    words: str


@dataclass(frozen=True, slots=True)
class RelatedArticle:
    """Another article on the page of one, and why it is there."""

    id: int
    title: str
    url: str
    feed: str
    age: str
    date: str
    datetime: str
    words: str
    evidence: str
    read: bool
    can_part: bool
    parted: bool
    later: bool = False  # than the one whose page it is


def cluster_view(cluster: Cluster, dated: datetime, now: datetime) -> ClusterView:
    """`dated`: when the article of the row was published."""
    late = cluster.latest - dated > NEWS_AFTER
    return ClusterView(
        words=cluster_words(cluster),
        latest=f"newest {age_words(now - cluster.latest)}" if late else "",
        others=other_reports(cluster.others, now, same=cluster.texts > 1),
        more=cluster.articles - 1 - len(cluster.others),
    )


def other_reports(
    others: Sequence[RowArticle], now: datetime, *, same: bool
) -> tuple[OtherReport, ...]:
    """The other articles of a row. `same`: whether to say of which the text is the same."""
    return tuple(
        OtherReport(
            id=one.id,
            title=clean(one.title, TITLE_LENGTH) or "Untitled",
            feed=clean(one.feed_title, 120),
            words="same text" if one.same_text and same else "",
            age=age_words(now - one.dated),
            date=date_words(one.dated, now.tzinfo),
            datetime=one.dated.isoformat(timespec="minutes"),
            read=one.read,
        )
        for one in others
    )


def cluster_words(cluster: Cluster) -> str:
    """How many say the same, how many tell of the same, and in how many places."""
    if cluster.texts == 1:
        if cluster.feeds > 1:
            return f"same text in {count_words(cluster.feeds, 'feed')}"
        return f"same text {count_words(cluster.articles, 'time')}"
    text = f"{count_words(cluster.texts, 'report')} of this event"
    text += f" from {count_words(cluster.sources, 'source')}"
    return f"{text}, this text in {cluster.feeds} feeds" if cluster.feeds > 1 else text


def share_words(found: Elsewhere, articles: int) -> str:
    """How much of a feed other places have too."""
    parts = (
        (found.same_text, "share a text with others", "shares a text with another"),
        (found.shared - found.same_text, "share an event", "shares an event"),
    )
    text = ", ".join(
        f"{count:,} {one if count == 1 else many}" for count, many, one in parts if count
    )
    share = f"{min(found.shared / max(articles, 1), 1):.0%} also elsewhere"
    return f"{share}, {found.shared:,} of {count_words(articles, 'article')}: {text}."


def version(found: OtherVersion) -> Version:
    """What a row says of another version of its article."""
    words = "Earlier version of" if found.later else "Revised version of"
    return Version(found.id, clean(found.title, TITLE_LENGTH) or "Untitled", words)


def related_articles(full: FullArticle, now: datetime) -> tuple[RelatedArticle, ...]:
    """All that is held to be the same article, text or event, or was."""
    titles = {one.id: one.title for one in full.related} | {full.listed.id: "this one"}
    return tuple(
        _related(one, titles, now)
        for one in full.related
        if one.in_cluster or one.parted_at is not None
    )


# Versions under other ids that are compared on the page of an article.
MOST_VERSIONS = 3


def versions(full: FullArticle, now: datetime) -> tuple[RelatedArticle, ...]:
    """Earlier and later versions that have rows of their own, the newest first."""
    found = [one for one in full.related if one.relation is Relation.REVISION]
    found.sort(key=lambda one: (one.dated, one.id), reverse=True)
    return tuple(
        replace(_related(one, {}, now), words=words, later=later)
        for one in found[:MOST_VERSIONS]
        for later in [(one.dated, one.id) > (full.listed.dated, full.listed.id)]
        for words in ["Earlier version of" if later else "Revised version of"]
    )


def _related(one: Related, titles: Mapping[ArticleId, str], now: datetime) -> RelatedArticle:
    words = RELATIONS[one.relation] if one.relation is not None else "through other articles"
    if one.through is not None:
        title = clean(titles.get(one.through, ""), 80)
        words = f"{words} as \u201c{title}\u201d" if title else "through other articles"
    named = [each for each in one.evidence if each.layer]  # the decisive first
    lines = [f"{each.layer}: {each.detail or f'{each.score:.2f}'}" for each in named[:4]]
    return RelatedArticle(
        id=one.id,
        title=clean(one.title, TITLE_LENGTH) or "Untitled",
        url=web_address(one.url),
        feed=clean(one.feed_title, 120),
        age=age_words(now - one.dated),
        date=date_words(one.dated, now.tzinfo),
        datetime=one.dated.isoformat(timespec="minutes"),
        words="you marked these as different" if one.parted_at is not None else words,
        evidence=clean("; ".join(lines), 300),
        read=one.read,
        can_part=one.parted_at is None,
        parted=one.parted_at is not None,
    )


@dataclass(frozen=True, slots=True)
class Compared:
    """Two versions as one text: nothing in a field where they are the same."""

    title: tuple[Part, ...]
    text: tuple[Part, ...]


def compared(before: tuple[str, str], after: tuple[str, str]) -> Compared:
    """What changed between two versions, each a title and HTML."""
    titles = difference(*(clean(title, TITLE_LENGTH) for title, _html in (before, after)))
    texts = difference(*(to_text(html, COMPARED) for _title, html in (before, after)))
    return Compared(
        title=titles if changed(titles) else (),
        text=excerpt(texts) if changed(texts) else (),
    )
