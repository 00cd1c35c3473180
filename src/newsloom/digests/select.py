"""What stands in a digest: topics by importance, each kind within its numbers. Pure."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from newsloom.digests.memory import developed, fresh, known_of
from newsloom.digests.values import (
    Digest,
    DigestArticle,
    DigestGroup,
    DigestKind,
    DigestTopic,
    FeedReport,
    Remembered,
)
from newsloom.kernel.text.language import language
from newsloom.reading.read_completion import fastest, reading_minutes
from newsloom.summaries.boilerplate import is_feature
from newsloom.summaries.ranking import Candidate
from newsloom.summaries.said import Said, is_new, said
from newsloom.summaries.summarise import (
    CLEAR,
    CLEAR_IF_SLOW,
    clarity,
    entry_articles,
    lead_of,
    opening_of,
    tell,
)
from newsloom.topics.grouping import cosine

# Importance of the sections; seed 001.
TOP, NOTEWORTHY = 70.0, 40.0
# Where fewer topics reach TOP than these, the best ones lead; and where fewer reach NOTEWORTHY than
# a kind of digest has stories, the best of the others fill it.
FEWEST_TOP = 3
# Points in the order of topics for twice as many owners, and the last tier that counts: unknown
# sources have the next one. Without, a week's digest showed 17% and 48% of what three owners
# reported (`newsloom eval digest --owners 3`, two weeks).
EACH_DOUBLING, KNOWN_TIER = 10.0, 3
# Of the stories of a digest at most; on a day with more of TOP the others are noteworthy.
MOST_TOP = 0.5
# Time sensitivity of what is no news, and from which on a topic loses nothing in the order; and the
# points that others lose. Of 249 leads of 20 mornings, 49 have 1 or 2, and one of those is news.
EVERGREEN, EXPIRES, LASTS = 2, 4, 10.0
# How many of the most important topics, for each story of a digest, are read for whether they can
# be told. Two topics are on one subject from this cosine of their terms on, or if it and the cosine
# of their vectors, less `related`, add up to this much: chosen by reading pairs of five weeks.
LOOKED_AT, SAME_SUBJECT, SAME_BY_VECTOR = 4, 0.4, 0.3
# In two languages also if titles and beginnings share so many names. Of the sample's pairs of a
# German and an English article within two days 4 share so many, all on one event; 14 share two, of
# which 2 are on different matters.
SAME_BY_NAMES, BEGINNING = 3, 300
# Another event of an entry's owner is a line below it only from so much more than `related` on. Of
# pairs that were near by their terms, 29 of 80 of one owner were on one matter, 7 of the 13 from
# here on, and 41 of 53 of two owners.
OWN_MATTER = 0.15
# Of a section, the share that one owner has at most, and the points that others may have less to
# take its place: articles in full lead excerpts by some eight.
OF_ONE_OWNER, INSTEAD = 1 / 3, 8.0
# What is reported on the matter of an entry after its lead, or up to this share of a digest's span
# before it, is a line below it. Older is no news: "to meet for second round" when they had met.
LINES_BEFORE = 0.2
# How many times as many topics as are wanted are tried for one with a sentence.
TRIED = 3
# Least relevance of a topic in "For you". An article that the model knows nothing about has 50.
RELEVANT = 60.0


@dataclass(frozen=True, slots=True)
class Kind:
    """The numbers of one kind of digest; seed 001."""

    kind: DigestKind
    fewest: int  # stories with a summary, where as many can be told
    stories: int  # at most
    words: int  # of each summary, at most
    mentioned: int  # lines without one, at most
    span: timedelta  # of the window, where none is given


KINDS = (
    Kind(DigestKind.MORNING, 10, 15, 75, 20, timedelta(hours=14)),
    Kind(DigestKind.MIDDAY, 5, 10, 50, 10, timedelta(hours=6)),
    Kind(DigestKind.EVENING, 10, 15, 75, 20, timedelta(hours=10)),
    Kind(DigestKind.WEEKLY, 20, 30, 150, 30, timedelta(days=7)),
    Kind(DigestKind.AD_HOC, 10, 15, 75, 20, timedelta(days=1)),
    Kind(DigestKind.STORIES, 0, 0, 75, 0, timedelta(days=1)),
    Kind(DigestKind.RULES, 0, 0, 50, 0, timedelta(days=1)),
)


def kind_of(name: DigestKind) -> Kind:
    """The numbers of a kind."""
    return next(one for one in KINDS if one.kind is name)


@dataclass(frozen=True, slots=True)
class Offered:
    """A group that may stand in a digest; of one that stood in an earlier one only what came since,
    with what was known of it."""

    group: DigestGroup
    importance: float
    known: Said | None = None


def digest(
    groups: Sequence[DigestGroup],
    kind: DigestKind,
    begin: datetime,
    end: datetime,
    zone: str,
    feeds: FeedReport,
    earlier: Mapping[str, Sequence[Remembered]] | None = None,
    told: Iterable[str] = (),
    followed: tuple[DigestTopic, ...] = (),
    address: str = "",
    for_you: float = 0.0,
) -> Digest:
    """The digest of a window. A topic is as important as its most important article.

    Groups of one article are topics too. Everything is ordered by importance and by how many owners
    report it, ties by key. News comes first; where there is less than the kind has at least, then
    what else can be told; where fewer than three reach TOP, then news of TOP that cannot be told.
    All else stands only in "For you" and "Also mentioned" unless nothing is left; a second topic
    on one subject is a line of the first.
    `earlier` is what was told of a topic before, by key: it stands here again only with what is
    new, or not at all. No sentence of `told` stands here, and none stands here twice: feeds have
    standing ones. `followed` are the stories that the reader follows, whose articles are in no
    group. `for_you` is the share of topics that are chosen by relevance, after those that lead.
    """
    numbers = kind_of(kind)
    found = sorted(offered(groups, earlier or {}), key=lambda one: (-weight(one), one.group.key))
    first = found[: LOOKED_AT * numbers.stories]
    tellable = list(filter(can_be_told, first))
    worthy = apart(filter(expires, tellable))
    if len(worthy) < numbers.fewest:
        worthy = apart(_first(worthy, filter(informs, tellable)))
    lacking = max(FEWEST_TOP - sum(one.importance >= TOP for one in worthy), 0)
    others = apart(_first(worthy, filter(expires, first)))[len(worthy) :]
    worthy += [one for one in others if one.importance >= TOP][:lacking]
    worthy = worthy or apart(filter(informs, first)) or first
    ranked = _first(worthy, found)
    large = sum(one.importance >= TOP for one in worthy)
    leading = min(max(large, FEWEST_TOP), round(MOST_TOP * numbers.stories))
    top = _shared_out(worthy, leading, TOP if large >= leading else 0.0)
    taken = {one.group.key for one in top}
    rest = [one for one in ranked if one.group.key not in taken]
    relevant = [one for one in rest if relevance_of(one.group) >= RELEVANT]
    relevant.sort(key=lambda one: (-relevance_of(one.group), one.group.key))
    own = relevant[: min(round(for_you * numbers.stories), numbers.stories - len(top))]
    taken = {one.group.key for one in own}
    rest = [one for one in rest if one.group.key not in taken]
    summarised = len(top) + len(own)
    reaching = sum(one.importance >= NOTEWORTHY for one in rest)
    most = max(min(reaching, numbers.stories - summarised), numbers.fewest - summarised, 0)
    known = {*told, *(sentence.text for one in followed for sentence in one.summary)}
    leads = tuple(topic_of(one, numbers.words, known, leads=True) for one in top)
    theirs = tuple(topic_of(one, numbers.words, known) for one in own)
    keys = {one.group.key for one in worthy}
    left = [one for one in rest if one.group.key in keys]
    noted = _told(_first(_shared_out(left, most), left), most, numbers.words, known)
    shown = {one.key for one in noted}
    entries = [*top, *own, *(one for one in rest if one.group.key in shown)]
    left = [one for one in rest if one.group.key not in shown]
    before = LINES_BEFORE * numbers.span
    lines, left = lines_of(entries, left, before)
    left = _shared_out(left, numbers.mentioned)

    def with_lines(topics: Iterable[DigestTopic]) -> tuple[DigestTopic, ...]:
        return tuple(
            replace(one, related=(*without_old(one, before), *lines[one.key])) for one in topics
        )

    noted.sort(key=lambda one: (one.category, -one.importance, one.key))
    return Digest(
        kind=kind,
        begin=begin,
        end=end,
        zone=zone,
        title=title(kind, len(followed) + summarised + len(noted)),
        top=with_lines(leads),
        noteworthy=with_lines(noted),
        mentioned=tuple(topic_of(one, 0, known) for one in left),
        feeds=feeds,
        relaxed=large < FEWEST_TOP and bool(top),
        followed=followed,
        address=address,
        for_you=with_lines(theirs),
    )


def apart(ranked: Iterable[Offered]) -> list[Offered]:
    """One topic of each subject, the first."""
    found: list[Offered] = []
    for one in ranked:
        if not any(same_subject(one.group, other.group) for other in found):
            found.append(one)
    return found


def lines_of(
    entries: Sequence[Offered], left: Iterable[Offered], before: timedelta
) -> tuple[Mapping[str, Sequence[DigestArticle]], list[Offered]]:
    """What has no entry and is on the subject of one: its articles by that entry's key, and the
    topics that are left. Reports from longer `before` an entry's lead are in neither."""
    lines: dict[str, list[DigestArticle]] = {one.group.key: [] for one in entries}
    others = []
    for one in left:
        lead = _lead(one.group)
        on_it = (it for it in entries if same_subject(it.group, one.group))
        entry = next((it for it in on_it if may_follow(it.group, one.group)), None)
        events = {0, *(it.event for it in entry.group.articles)} if entry else {lead.event}
        if entry is None or lead.event in events:
            others.append(one)
        elif lead.published >= _lead(entry.group).published - before:
            lines[entry.group.key].append(light(lead))
    return lines, others


def without_old(topic: DigestTopic, before: timedelta) -> list[DigestArticle]:
    """The other articles of a topic, without other events from longer `before` its lead."""
    lead = topic.lead
    return [
        one
        for one in topic.related
        if one.event == lead.event or one.published >= lead.published - before
    ]


def same_subject(one: DigestGroup, other: DigestGroup) -> bool:
    """Whether two topics are on one subject. Vectors count because publishers use different words
    for one event: "drug-running boats in the Caribbean" and "alleged drug boats" have a cosine of
    .27 by their terms and .68 by their vectors."""
    terms = cosine(one.terms, other.terms)
    if terms >= SAME_SUBJECT or _share_names(_lead(one), _lead(other)):
        return True
    if one.vector is None or other.vector is None:
        return False
    return terms + float(one.vector @ other.vector) - one.related >= SAME_BY_VECTOR


def _share_names(one: DigestArticle, other: DigestArticle) -> bool:
    """Whether two articles in different languages share so many names."""
    tongues = {language(one.language), language(other.language)}
    if len(tongues) < 2 or "" in tongues:
        return False
    here, there = (said(f"{it.title}. {it.text[:BEGINNING]}", it.language) for it in (one, other))
    return len(here.names & there.names) >= SAME_BY_NAMES


def may_follow(one: DigestGroup, other: DigestGroup) -> bool:
    """Whether the lead of another topic may be a line below one, if they are on one subject: an
    owner reports on many matters in like words."""
    if _lead(one).owner != _lead(other).owner or one.vector is None or other.vector is None:
        return True
    return float(one.vector @ other.vector) >= one.related + OWN_MATTER


def _first(some: Sequence[Offered], every: Iterable[Offered]) -> list[Offered]:
    """Some, then all others."""
    keys = {one.group.key for one in some}
    return [*some, *(one for one in every if one.group.key not in keys)]


def _shared_out(ranked: Sequence[Offered], many: int, least: float = 0.0) -> list[Offered]:
    """The first that are so important, but of one owner only its share where others are nearly as
    important."""
    least = least or min((one.importance for one in ranked[:many]), default=0.0) - INSTEAD
    count: Counter[str] = Counter()
    found: list[Offered] = []
    over: list[Offered] = []
    for one in ranked:
        if one.importance >= least:
            owner = _lead(one.group).owner
            count[owner] += 1
            full = count[owner] > max(1, round(OF_ONE_OWNER * many))
            (over if full else found).append(one)
    found = _first(found + over, ranked)
    return sorted(found[:many], key=lambda one: (-weight(one), one.group.key))


def _told(rest: Sequence[Offered], most: int, words: int, known: set[str]) -> list[DigestTopic]:
    """The first topics that have a sentence."""
    told: list[DigestTopic] = []
    for one in rest[: TRIED * most]:
        if len(told) == most:
            break
        made = topic_of(one, words, known)
        if made.summary:
            told.append(made)
    return told


def title(kind: DigestKind, topics: int) -> str:
    """What a digest is called."""
    return f"{_TITLES[kind]}: {topics} topic{'' if topics == 1 else 's'}"


def offered(
    groups: Sequence[DigestGroup], earlier: Mapping[str, Sequence[Remembered]]
) -> list[Offered]:
    """What may be told: new groups, and what is new of those that have developed."""
    found = []
    for group in groups:
        before = earlier.get(group.key, ())
        left = fresh(group, before) if before else group
        if left is None:
            continue
        known = known_of(before) if before else None
        if known is None or developed(left, known):
            left = replace(left, lead=lead_of(left.articles).id)
            found.append(Offered(left, importance_of(left), known))
    return found


_TITLES = {
    DigestKind.MORNING: "Morning brief",
    DigestKind.MIDDAY: "Midday update",
    DigestKind.EVENING: "Evening recap",
    DigestKind.WEEKLY: "Weekly roundup",
    DigestKind.AD_HOC: "Digest",
    DigestKind.STORIES: "Stories you follow",
    DigestKind.RULES: "By your rules",
}


def expires(offered: Offered) -> bool:
    """Whether a topic's title tells news, and several owners report it, or it is no evergreen and a
    sentence can be shown below it. Topics that last for weeks must read better."""
    lead = _lead(offered.group)
    if _known_owners(offered.group) > 1:
        return informs(offered)
    soon = lead.sensitivity >= EXPIRES or clarity(lead) >= CLEAR_IF_SLOW
    return lead.sensitivity > EVERGREEN and soon and informs(offered)


def informs(offered: Offered) -> bool:
    """Whether a title tells something, and a sentence can be shown below it. Of 34 entries whose
    title is a feature's, three judges passed none; of 219 others, 58%."""
    lead = _lead(offered.group)
    read = entry_articles(lead, offered.group.articles)
    return not is_feature(lead.title, lead.text) and any(opening_of(one) for one in read)


def can_be_told(offered: Offered) -> bool:
    """Whether several owners report a topic, or it reads well as an entry."""
    owners = {one.owner for one in offered.group.articles}
    return len(owners) > 1 or clarity(_lead(offered.group)) >= CLEAR


def _lead(group: DigestGroup) -> DigestArticle:
    return next(one for one in group.articles if one.id == group.lead)


def weight(offered: Offered) -> float:
    """Importance, and more for what several owners of known sources report: one source says of
    itself what matters. Less for what one source says, and does not expire within days."""
    owners = _known_owners(offered.group)
    if owners > 1:
        return offered.importance + EACH_DOUBLING * math.log2(owners)
    return offered.importance - (LASTS if _lead(offered.group).sensitivity < EXPIRES else 0.0)


def _known_owners(group: DigestGroup) -> int:
    return len({one.owner for one in group.articles if one.tier <= KNOWN_TIER})


def importance_of(group: DigestGroup) -> float:
    return max((one.importance for one in group.articles), default=0.0)


def relevance_of(group: DigestGroup) -> float:
    """That of the most relevant article."""
    return max((one.relevance for one in group.articles), default=0.0)


def topic_of(offered: Offered, words: int, names: set[str], leads: bool = False) -> DigestTopic:
    """The topic as it is shown, its sentences put into `names`. If one that leads a digest
    has no new sentence, it gets one that earlier digests did not show."""
    group, known = offered.group, offered.known
    lead = _lead(group)
    others = tuple(one for one in group.articles if one.id != group.lead)
    read = entry_articles(lead, others)

    def wanted(one: Candidate) -> bool:
        return one.text not in names and (known is None or is_new(one.says, known))

    found = tell(read, words, wanted) if words else ()
    news = known is not None and bool(found)
    if leads and known is not None and not found:  # only its title is new
        found = tell(read, words, lambda one: one.text not in names)
    summary = tuple(replace(one, new=news) for one in found if one.text not in names)
    names |= {one.text for one in summary}
    return DigestTopic(
        key=group.key,
        label=group.label,
        lead=replace(lead, text="", minutes=reading_minutes(fastest(lead.text))),
        related=tuple(map(light, others)),
        summary=summary,
        importance=offered.importance,
        category=lead.category,
        developed=known is not None,
    )


def light(article: DigestArticle) -> DigestArticle:
    """As a line: without its text, which the summary was made of, and its picture."""
    return replace(article, text="", picture="")
