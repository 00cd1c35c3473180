"""The articles of one feed document made ready to be judged: identities, addresses, keys.

Mends what a single document shows to be wrong with its ids and links. Knows nothing of the store.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from struct import Struct
from types import MappingProxyType
from zlib import crc32

from newsloom.duplicates.arrival import compare_guids, keys
from newsloom.duplicates.values import (
    Action,
    Copy,
    Evidence,
    IncomingArticle,
    JudgedArticle,
    Judgement,
)
from newsloom.feeds.values.published import EARLIEST, ParsedArticle, ParsedFeed
from newsloom.kernel.ids import ArticleId, FeedId
from newsloom.kernel.text.characters import plain
from newsloom.kernel.text.headlines import content_hash, normal_title
from newsloom.kernel.text.html import visible
from newsloom.kernel.text.language import detect
from newsloom.kernel.text.redirects import forwards, is_sealed, target
from newsloom.kernel.text.slips import is_placeholder
from newsloom.kernel.text.urls import canonical, is_article, is_http

# What stands for an article within its feed: its guid, or the best the feed offers instead.

# Longer than any real id (real feeds: at most 400 characters); an article's body put into <guid>.
_LONGEST = 1_000


def identity(guid: str, canonical_url: str, content_hash: str) -> str:
    """The guid without stray white space, else the address, else the text. Never empty.

    A feed that starts to send guids mostly sends its links as guids, so the fallbacks have no
    prefix of their own.
    """
    found = " ".join(plain(guid).split()) or canonical_url or content_hash
    if len(found) > _LONGEST:
        return hashlib.blake2b(found.encode(), digest_size=16).hexdigest()
    return found


# An id and link with so many titles and texts in one document names none of them.
SEVERAL = 3


@dataclass(frozen=True, slots=True)
class _Draft:
    parsed: ParsedArticle
    guid: str  # as its feed gives it; "" for a placeholder
    copy: Copy
    link: str  # its link in the form for comparing, forwarding or not; "" when that is nobody's
    origin: str  # see IncomingArticle
    changed: datetime  # what tells two versions apart: the newer one has the later
    detected: str  # see IncomingArticle


def forwarding(feed: ParsedFeed) -> tuple[str, ...]:
    """The addresses of its articles that only forward, and do not say where."""
    return tuple(dict.fromkeys(filter(forwards, map(_leads_to, feed.articles))))


def prepare(
    feed: ParsedFeed,
    feed_id: FeedId,
    first_seen: datetime,
    targets: Mapping[str, str] = MappingProxyType({}),
) -> tuple[IncomingArticle, ...]:
    """The articles of a document, each once, in its order.

    `targets` is what is known of where addresses of `forwarding` lead.
    """
    drafts = [
        _draft(article, feed_id, _dated(article, first_seen), targets) for article in feed.articles
    ]
    drafts = _without_shared_ids(drafts)
    drafts = _without_shared_links(drafts)
    # The language of most articles, "" where there is none: for texts too short to tell.
    counts = Counter(one.detected for one in drafts if one.detected)
    ((usual, most),) = counts.most_common(1) or [("", 0)]
    if 2 * most <= len(drafts):
        usual = ""
    return tuple(
        IncomingArticle(
            one.parsed, one.copy, keys(one.copy), one.origin, detected=one.detected or usual
        )
        for one in drafts
    )


def _dated(article: ParsedArticle, first_seen: datetime) -> datetime:
    """When to say it is from: never later than it was seen, never a date that cannot be.

    One without a date is from when it was seen. Its neighbours' dates are those of other articles.
    """
    for one in (article.published, article.updated):
        if one is not None and one >= EARLIEST:
            return min(one, first_seen)
    return first_seen


def _draft(
    article: ParsedArticle, feed_id: FeedId, moment: datetime, targets: Mapping[str, str]
) -> _Draft:
    # The id stays that of the link as published: what is known of where it leads may change.
    link, name = _address(article.url)
    leads_to = _leads_to(article)
    leads_to = targets.get(leads_to, leads_to)
    address = link if leads_to == article.url else _address(leads_to)[0]
    guid = "" if is_placeholder(article.guid) else article.guid
    longer = max(article.content, article.summary, key=len)
    seen = visible(longer)
    title = _title(article)
    text = content_hash(title, seen)
    copy = Copy(
        feed_id=feed_id,
        guid=identity(guid, name, text),
        url=article.url,
        canonical_url=address,
        title=title,
        length=len(seen),
        content_hash=text,
        dated=moment,
        author=article.author,
        enclosures=tuple(one.url for one in article.enclosures),
    )
    changed = article.updated or article.published or EARLIEST
    detected = detect(f"{title}. {seen}", article.language)
    return _Draft(article, guid, copy, link, _origin(article, leads_to), changed, detected)


def _leads_to(article: ParsedArticle) -> str:
    """Where its link leads, as far as the feed and the link say."""
    return target(article.origin if is_http(article.origin) else article.url)


def _origin(article: ParsedArticle, leads_to: str) -> str:
    if is_sealed(leads_to) and is_http(article.publisher_url):
        return article.publisher_url
    return leads_to if leads_to != article.url else ""


def _title(article: ParsedArticle) -> str:
    """As its publisher wrote it: Google News adds a dash and the name, and says which name."""
    if article.publisher and is_sealed(article.url):
        return article.title.removesuffix(f" - {article.publisher}") or article.title
    return article.title


def _address(url: str) -> tuple[str, str]:
    """What the link is for comparing, and what it is as an id where the feed gives none.

    A page of many articles is the address of none, but each has its anchor there.
    """
    address, anchor = canonical(url), url.partition("#")[2].strip()
    name = f"{address}#{anchor}" if address and anchor else address
    return (address, name) if is_article(address) else ("", name if anchor else "")


def _without_shared_ids(drafts: list[_Draft]) -> list[_Draft]:
    """One article an id and place; an id that stands in several places takes the place with it."""
    by_id = _grouped(drafts, lambda one: (one.copy.guid, one.link))
    drafts = [
        replace(one, link="") if _several(by_id[one.copy.guid, one.link]) else one for one in drafts
    ]
    drafts = _latest(drafts, lambda one: (one.copy.guid, _place(one)))
    by_id = _grouped(drafts, lambda one: one.copy.guid)
    return [
        one
        if len(by_id[one.copy.guid]) == 1 or one is _oldest_nameless(by_id[one.copy.guid])
        else _with(one, guid=identity(f"{one.copy.guid} {_place(one)}", "", ""))
        for one in drafts
    ]


def _several(group: Sequence[_Draft]) -> bool:
    """Whether articles that share an id and a link are different articles, not versions of one."""
    if len(group) < 2 or not group[0].guid:
        return False
    titles = {normal_title(one.copy.title) for one in group}
    texts = {one.copy.content_hash for one in group}
    if len(group) >= SEVERAL and len(titles) == len(texts) == len(group):
        return True
    first = group[0].copy
    return any(compare_guids(first, one.copy) is None for one in group[1:])


def _place(one: _Draft) -> str:
    """What tells articles of one id apart: the link; without, the title; without both, the date."""
    if one.guid and one.link:
        return one.link
    if one.guid or one.link:
        return normal_title(one.copy.title) or one.copy.content_hash
    return one.changed.isoformat()


def _oldest_nameless(group: list[_Draft]) -> _Draft | None:
    """Of the same words on several dates, with neither id nor link, the one that needs no date.

    So the last of them that is left in a later document is taken for it, and not for a new one.
    """
    if group[0].guid or group[0].link:
        return None
    return min(group, key=lambda one: one.changed)


def _without_shared_links(drafts: list[_Draft]) -> list[_Draft]:
    """The same text under one link is one article; different texts make the link no address."""
    first: dict[tuple[str, str], _Draft] = {}
    for one in drafts:
        first.setdefault((one.copy.canonical_url or one.copy.guid, one.copy.content_hash), one)
    kept = list(first.values())
    by_link = _grouped(kept, lambda one: one.copy.canonical_url)
    return [
        one if len(by_link[one.copy.canonical_url]) == 1 else _with(one, canonical_url="")
        for one in kept
    ]


def _latest(drafts: list[_Draft], same: Callable[[_Draft], Hashable]) -> list[_Draft]:
    """Of each group the latest version, then the fullest, in the place of the first."""
    return [
        max(group, key=lambda one: (one.changed, one.copy.length))
        for group in _grouped(drafts, same).values()
    ]


def _grouped(
    drafts: Iterable[_Draft], same: Callable[[_Draft], Hashable]
) -> dict[Hashable, list[_Draft]]:
    groups = defaultdict(list)
    for one in drafts:
        groups[same(one)].append(one)
    return groups


def _with(one: _Draft, **changes: str) -> _Draft:
    return replace(one, copy=replace(one.copy, **changes))  # type: ignore[arg-type]


# What is added of a document with more new articles than one poll may add. The newest are added,
# by date; without dates by the numbers in ids and links, which tell whether the first or the last
# is the newest. What is left out is remembered, so that the next poll tells it from what is new
# since.

# Of 181 real feeds one has more than a thousand articles, the next 338.
MOST_NEW = 1_000

_ADDED = frozenset({Action.NEW, Action.DUPLICATE})
_LONG_AGO = datetime(1, 1, 1, tzinfo=UTC)
_NUMBER = re.compile(r"\d{1,15}")
_MARK = Struct("<I")
MARK_BYTES = _MARK.size


def limited(
    judged: Sequence[JudgedArticle], left_out: bytes
) -> tuple[tuple[JudgedArticle, ...], bytes]:
    """The judgements to carry out, and the marks of all articles that are left out.

    `left_out` are the marks that the poll before returned: articles that are not new.
    """
    before = {mark for (mark,) in _MARK.iter_unpack(left_out)}
    added = [place for place, one in enumerate(judged) if one.judgement.action in _ADDED]
    new = [place for place in added if _mark(judged[place]) not in before]
    out = set(added) - set(_newest(judged, new))
    marks = sorted({_mark(judged[place]) for place in out})
    kept = tuple(one for place, one in enumerate(judged) if place not in out)
    return kept, b"".join(map(_MARK.pack, marks))


def _mark(one: JudgedArticle) -> int:
    return crc32(one.incoming.copy.guid.casefold().encode("utf-8", "surrogatepass"))


def _newest(judged: Sequence[JudgedArticle], places: list[int]) -> list[int]:
    if len(places) <= MOST_NEW:
        return places
    dates = [
        judged[place].incoming.parsed.published or judged[place].incoming.parsed.updated
        for place in places
    ]
    if not any(dates):
        return places[-MOST_NEW:] if _oldest_first(judged) else places[:MOST_NEW]
    # Each missing date filled with the one before, to sort by alone.
    last = next((one for one in dates if one), _LONG_AGO)
    moments = dict(zip(places, [last := one or last for one in dates], strict=True))
    return sorted(places, key=lambda place: moments[place], reverse=True)[:MOST_NEW]


def _oldest_first(judged: Sequence[JudgedArticle]) -> bool:
    """Whether the numbers in ids, links or titles grow from the first article to the last."""
    first, last = judged[0].incoming.copy, judged[-1].incoming.copy
    for one, other in ((first.url, last.url), (first.guid, last.guid), (first.title, last.title)):
        numbers = _numbers(one), _numbers(other)
        if len(numbers[0]) == len(numbers[1]) and numbers[0] != numbers[1]:
            return numbers[0] < numbers[1]
    return False


def _numbers(text: str) -> list[int]:
    return [int(one) for one in _NUMBER.findall(text)]


# Feeds that give all their articles other ids, and other links, from one poll to the next. The
# last resort of one feed: title and text. Looked for only where a feed seems to bring nothing but
# news, for two articles of one feed may well say the same. In the polling histories of seven news
# feeds (every third poll) 274 documents were looked at so, and none was taken for renamed.

# Of fewer articles all may well be new.
LEAST = 3
# With more than this share known by id or link, the others are news.
MOST_KNOWN = 0.1
# With less than this share of the new ones known by their text, the same words are an accident.
LEAST_KNOWN_BY_TEXT = 0.5
# How many stored articles are looked at for each of the document.
LOOK = 2
# How far the date of an article may move when its feed changes the id. A later date means that the
# text was published again.
SAME_DATE = timedelta(hours=12)

_TEXT = Evidence("text", 1.0, "same title and text under another id and link")
_SAME = frozenset((Action.UNCHANGED, Action.REVISED))


def seems_renamed(judged: Sequence[JudgedArticle]) -> bool:
    """Whether a document of a feed that has been read before is all new, as far as ids tell."""
    new = sum(one.judgement.action is Action.NEW for one in judged)
    return new >= LEAST and len(judged) - new <= MOST_KNOWN * len(judged)


def by_text(
    judged: Sequence[JudgedArticle], recent: Sequence[tuple[ArticleId, str, datetime]]
) -> tuple[JudgedArticle, ...]:
    """The same judgements, but for new articles whose text and date are those of a recent one.

    `recent` are stored articles of the feed with the hashes of their content and their dates. The
    same text under another date is published again, as alerts and forecasts are.
    """
    taken = {one.judgement.target for one in judged}
    stored: dict[str, list[tuple[ArticleId, datetime]]] = defaultdict(list)
    for article, digest, dated in recent:
        if article not in taken:
            stored[digest].append((article, dated))
    found = []
    for one in judged:
        copies = stored.get(one.incoming.copy.content_hash, [])
        same = next((known for known in copies if _one_date(one, known[1])), None)
        if one.judgement.action is Action.NEW and same:
            copies.remove(same)
            one = replace(one, judgement=Judgement(Action.UNCHANGED, same[0], _TEXT))
        found.append(one)
    new = sum(one.judgement.action is Action.NEW for one in judged)
    known = new - sum(one.judgement.action is Action.NEW for one in found)
    return tuple(found if known >= LEAST_KNOWN_BY_TEXT * new else judged)


def _one_date(one: JudgedArticle, dated: datetime) -> bool:
    parsed = one.incoming.parsed
    undated = parsed.published is None and parsed.updated is None
    return undated or abs(one.incoming.copy.dated - dated) <= SAME_DATE


def renaming(judged: Sequence[JudgedArticle]) -> str:
    """What is wrong with the ids of a document, in words; "" when nothing is."""
    other = sum(
        one.judgement.action in _SAME
        and one.judgement.evidence is not None
        and one.judgement.evidence.layer != "guid"
        for one in judged
    )
    if other < LEAST or other < len(judged) / 2:
        return ""
    return (
        f"{other} of its {len(judged)} articles have other ids than before; they are known by "
        "their links, or by title and text"
    )
