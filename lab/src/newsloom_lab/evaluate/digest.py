"""`newsloom eval digest`: a replayed week of digests, judged as their reader would.

Does anything stand there twice, is everything within its bounds, are two replays the same bytes,
and are the matters there that many owners reported? Nobody says whether a summary is good: see
`newsloom eval summaries` for that.
"""

from __future__ import annotations

import hashlib
import multiprocessing
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from statistics import median

from newsloom.digests.select import FEWEST_TOP, TOP, kind_of
from newsloom.digests.values import Digest, DigestKind, DigestTopic
from newsloom.duplicates.independence import independent
from newsloom.kernel.ids import ArticleId
from newsloom.ranking.measure.articles import LabelledArticle
from newsloom.summaries.said import length
from newsloom.topics.grouping import TopicArticle, topics
from newsloom.topics.tfidf import weighted_terms
from newsloom_lab.evaluate.importance import witnesses
from newsloom_lab.evaluate.replay import Made, Replay, replay
from newsloom_lab.evaluate.week import Week, read_week

DAYS, OWNERS = 7, 5
SHOWN = 10  # developments that are told in full
# Where more of the articles have dates without a time, mornings get what came all day.
MANY_WHOLE_DAYS = 0.1

Ids = frozenset[ArticleId]
Articles = Mapping[ArticleId, LabelledArticle]


@dataclass(frozen=True, slots=True)
class Repeats:
    """What stood there again: of mornings and evenings, which are one series, and in the weekly."""

    articles: int
    sentences: int  # word for word
    headlines: int  # of other articles, word for word


@dataclass(frozen=True, slots=True)
class Lengths:
    """Of all digests of one kind."""

    digests: int
    fewest_stories: int  # with a summary
    most_stories: int
    most_words: int  # of one summary
    without_summary: int  # stories of which no whole sentence fitted
    too_few: int  # digests with fewer stories than their kind has, there being no more topics


@dataclass(frozen=True, slots=True)
class Coverage:
    """Shares of the matters that stand with a summary; baselines have as many stories."""

    matters: int
    newsloom: float
    most_corroborated: float
    newest: float


@dataclass(frozen=True, slots=True)
class Development:
    """A topic that stood again, with what it said then and what is new."""

    kind: DigestKind
    at: datetime
    headline: str
    before: str  # the headline it had
    new: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DigestReport:
    articles: int
    left_out: int  # without a title, a date or an address, or twice
    outside: int  # of other days
    begin: datetime
    days: int
    digests: int
    nothing: int  # fell due and had nothing to tell
    relaxed: int  # led by the best ones, fewer than three having reached the threshold
    top_days: int  # with three topics that reach it, in the morning and the evening together
    repeats: Repeats
    lengths: Mapping[str, Lengths]
    violations: tuple[str, ...]
    same_bytes: bool  # when the week was replayed again by another process
    sha256: str  # of the Markdown of all
    matters_by: str  # whose word it is that articles are of one matter
    owners: int  # independent ones that make a matter count
    most_owners: int  # of any matter
    daily: Coverage | None  # None: no matter has so many owners
    weekly: Coverage | None
    developed: int
    developments: tuple[Development, ...]  # the first ones
    median_seconds: float  # to make one digest
    most_seconds: float
    stage_seconds: float  # all articles through duplicates and importance, before
    notes: tuple[str, ...]


def run(
    path: Path, days: int = DAYS, owners: int = OWNERS, begin: date | None = None
) -> DigestReport:
    """Replay the densest days of a file or folder, or those from a day on, twice."""
    week = read_week(path, days, begin)
    found = replay(week)
    return judged(week, found, _elsewhere(week), days, owners)


def judged(week: Week, found: Replay, again: str, days: int, owners: int) -> DigestReport:
    """The report. `again` is the hash of the second replay."""
    own, daily, weekly = hashed(found), _daily(found), _weekly(found)
    matters = _matters(found.articles, week.gold)
    told = developments(daily)
    seconds = [one.seconds for one in found.made] or [0.0]
    return DigestReport(
        articles=len(week.articles),
        left_out=week.left_out,
        outside=week.outside,
        begin=week.begin,
        days=week.days,
        digests=len(found.made),
        nothing=len(found.nothing),
        relaxed=sum(one.digest.relaxed for one in found.made),
        top_days=_top_days(daily),
        repeats=repeats(daily, weekly),
        lengths=_lengths(found),
        violations=tuple(line for one in found.made for line in violations(one.digest)),
        same_bytes=own == again,
        sha256=own,
        matters_by="gold stories" if week.gold else "our own topics of the whole window",
        owners=owners,
        most_owners=max((_owners(one, found.articles) for one in matters), default=0),
        daily=_coverage(daily, matters, found.articles, owners),
        weekly=_coverage(weekly, matters, found.articles, owners),
        developed=len(told),
        developments=tuple(told[:SHOWN]),
        median_seconds=median(seconds),
        most_seconds=max(seconds),
        stage_seconds=found.stage_seconds,
        notes=tuple(_notes(week, days)),
    )


def hashed(found: Replay) -> str:
    """Of the Markdown of all digests."""
    return hashlib.sha256("\0".join(one.markdown for one in found.made).encode()).hexdigest()


def _replayed(week: Week) -> str:
    return hashed(replay(week))


def _elsewhere(week: Week) -> str:
    """By another process, in which sets have another order."""
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=spawn) as pool:
        return pool.submit(_replayed, week).result()


def _daily(found: Replay) -> list[Made]:
    return [one for one in found.made if one.digest.kind is not DigestKind.WEEKLY]


def _top_days(daily: Sequence[Made]) -> int:
    counts = Counter(
        one.digest.end.date()
        for one in daily
        for topic in one.digest.top
        if topic.importance >= TOP
    )
    return sum(count >= FEWEST_TOP for count in counts.values())


def _weekly(found: Replay) -> list[Made]:
    return [one for one in found.made if one.digest.kind is DigestKind.WEEKLY]


def stories(digest: Digest) -> tuple[DigestTopic, ...]:
    """What has room for a summary."""
    return digest.summarised


def _all(digest: Digest) -> tuple[DigestTopic, ...]:
    return (*stories(digest), *digest.mentioned)


def repeats(*series: Sequence[Made]) -> Repeats:
    """Of each series by itself, together."""
    articles, sentences, headlines = 0, 0, 0
    for one in series:
        digest_topics = [topic for made in one for topic in _all(made.digest)]
        articles += _twice(
            who.id for topic in digest_topics for who in (topic.lead, *topic.related)
        )
        sentences += _twice(said.text for topic in digest_topics for said in topic.summary)
        headlines += _twice(topic.lead.title.casefold() for topic in digest_topics)
    return Repeats(articles, sentences, headlines)


def _twice(values: Iterable[object]) -> int:
    return sum(count - 1 for count in Counter(values).values())


def violations(digest: Digest) -> list[str]:
    """What is outside the numbers of its kind, in words. What cannot be told fills no digest."""
    numbers, digest_topics = kind_of(digest.kind), stories(digest)
    name = f"{digest.kind} of {digest.end:%Y-%m-%d}"
    found = []
    if len(digest_topics) > numbers.stories or (digest.mentioned and not digest_topics):
        found.append(f"{name}: {len(digest_topics)} stories")
    if len(digest.mentioned) > numbers.mentioned:
        found.append(f"{name}: {len(digest.mentioned)} lines")
    long = [one for one in digest_topics if _words(one) > numbers.words]
    return found + [f"{name}: {_words(one)} words of {one.lead.title!r:.60}" for one in long]


def _words(topic: DigestTopic) -> int:
    return sum(length(one.text) for one in topic.summary)


def _lengths(found: Replay) -> dict[str, Lengths]:
    by_kind: dict[DigestKind, list[Digest]] = {}
    for one in found.made:
        by_kind.setdefault(one.digest.kind, []).append(one.digest)
    return {str(kind): _lengths_of(kind, those) for kind, those in by_kind.items()}


def _lengths_of(kind: DigestKind, digests: Sequence[Digest]) -> Lengths:
    counts = [len(stories(one)) for one in digests]
    digest_topics = [topic for one in digests for topic in stories(one)]
    return Lengths(
        digests=len(digests),
        fewest_stories=min(counts),
        most_stories=max(counts),
        most_words=max((_words(one) for one in digest_topics), default=0),
        without_summary=sum(not one.summary for one in digest_topics),
        too_few=sum(count < kind_of(kind).fewest for count in counts),
    )


def developments(daily: Sequence[Made]) -> list[Development]:
    """Topics that stood again, in the order of time."""
    before: dict[str, str] = {}
    found = []
    for made in daily:
        for topic in _all(made.digest):
            if topic.developed:
                found.append(
                    Development(
                        kind=made.digest.kind,
                        at=made.digest.end,
                        headline=topic.lead.title,
                        before=before.get(topic.key, ""),
                        new=tuple(one.text for one in topic.summary),
                    )
                )
            before[topic.key] = topic.lead.title
    return found


def _matters(known: Articles, gold: bool) -> list[Ids]:
    """Articles on one matter, by their stories or as topics of all of them."""
    if not gold:
        return [_ids(group) for group in _grouped(known, list(known))]
    found: dict[str, set[ArticleId]] = {}
    for number, one in known.items():
        if one.story:
            found.setdefault(one.story, set()).add(number)
    return [_ids(one) for one in found.values()]


def _ids(those: Iterable[ArticleId]) -> Ids:
    return frozenset(those)


def _grouped(known: Articles, chosen: Sequence[ArticleId]) -> list[tuple[ArticleId, ...]]:
    """Topics and single articles, the lead of each first; importance and tiers have no say."""
    terms = weighted_terms()
    offered = [
        TopicArticle(
            id=number,
            title=known[number].title,
            text=known[number].body,
            language=known[number].language,
            importance=0.0,
            tier=0,
            published=_date(known[number]),
            terms=terms(known[number].title, known[number].body, known[number].language),
        )
        for number in chosen
    ]
    found, alone = topics(offered)
    return [one.articles for one in found] + [(one,) for one in alone]


def _owners(matter: Iterable[ArticleId], known: Articles) -> int:
    return independent(witnesses([known[one] for one in sorted(matter)]))


def _coverage(
    made: Sequence[Made], matters: Sequence[Ids], known: Articles, owners: int
) -> Coverage | None:
    """Of the matters that so many owners reported from the first window to the last one."""
    if not made:
        return None
    begin, end = made[0].digest.begin, made[-1].digest.end
    come = {
        one for one, labelled_article in known.items() if begin <= _date(labelled_article) <= end
    }
    wanted = [one for one in matters if _owners(one & come, known) >= owners]
    if not wanted:
        return None
    ours = [
        _articles_of(one) for made_one in made for one in stories(made_one.digest) if one.summary
    ]
    return Coverage(
        matters=len(wanted),
        newsloom=_share(wanted, ours),
        most_corroborated=_share(wanted, _baseline(made, known, _by_owners)),
        newest=_share(wanted, _baseline(made, known, _by_date)),
    )


def _articles_of(topic: DigestTopic) -> tuple[ArticleId, ...]:
    return (topic.lead.id, *(one.id for one in topic.related))


def _share(matters: Sequence[Ids], shown: Sequence[Sequence[ArticleId]]) -> float:
    """A story tells of a matter if its lead is of it, or half of its articles are."""
    return sum(any(_tells(one, matter) for one in shown) for matter in matters) / len(matters)


def _tells(story: Sequence[ArticleId], matter: Ids) -> bool:
    return story[0] in matter or 2 * sum(one in matter for one in story) >= len(story)


Rank = Callable[[Sequence[ArticleId], Articles], tuple[float, ...]]


def _by_owners(group: Sequence[ArticleId], known: Articles) -> tuple[float, ...]:
    return (-_owners(group, known), *_by_date(group, known))


def _by_date(group: Sequence[ArticleId], known: Articles) -> tuple[float, ...]:
    return (-max(_date(known[one]).timestamp() for one in group), min(group))


def _baseline(made: Sequence[Made], known: Articles, rank: Rank) -> list[tuple[ArticleId, ...]]:
    """As many stories as each digest had, of the topics of what came since the one before."""
    found: list[tuple[ArticleId, ...]] = []
    last: datetime | None = None
    for one in made:
        end = one.digest.end
        came = [
            number
            for number, article in known.items()
            if _date(article) <= end and (last is None or _date(article) > last)
        ]
        groups = sorted(_grouped(known, came), key=lambda group: rank(group, known))
        found += groups[: len(stories(one.digest))]
        last = end
    return found


def _notes(week: Week, days: int) -> Iterable[str]:
    midnights = sum(_date(one) == _date(one).replace(hour=0, minute=0) for one in week.articles)
    if midnights > MANY_WHOLE_DAYS * len(week.articles):
        yield (
            f"{midnights} of {len(week.articles)} dates are whole days, taken as their first "
            "moment: the morning has the day's news and the evening none."
        )
    if week.days < days:
        yield f"There are {week.days} days of articles, not {days}."


def _date(one: LabelledArticle) -> datetime:
    assert one.published is not None
    return one.published
