"""Which matters a brief may tell of, the most important first, and its chapters. Pure."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil

from newsloom.digests.followed import StoryNews, new_of
from newsloom.digests.select import RELEVANT, TOP, offered, relevance_of, weight
from newsloom.digests.values import DigestArticle, DigestGroup, Remembered
from newsloom.kernel.ids import ArticleId
from newsloom.summaries.said import Said

# The most important matters are told first, whatever they are of.
FIRST = 4
# Of one publisher's matters the next one counts so much less, so that no feed fills a brief.
AGAIN = 0.85
# What has fewer articles has no chapter of its own.
FEWEST = 2
LONG = 6  # matters of a chapter that has nothing in common but its place
OTHERS = "others"  # the key of the last chapter
FOR_YOU = "for you"  # the key of the chapter of what is relevant to the reader
NEAR = 0.2  # cosine of two matters that share a chapter, where the reader has no categories


@dataclass(frozen=True, slots=True)
class Matter:
    """What may be told of one matter; the lead comes first in `articles`."""

    group: DigestGroup
    articles: tuple[DigestArticle, ...]
    importance: float  # as `weight` of digests has it
    known: Said | None = None  # what earlier briefs told of it; None: nothing
    story: str = ""  # the title of the story, where the reader follows it

    @property
    def key(self) -> str:
        return self.group.key

    @property
    def category(self) -> str:
        return self.articles[0].category

    @property
    def relevant(self) -> bool:
        """Whether the reader's model or interests speak for it."""
        return relevance_of(self.group) >= RELEVANT


def matters(
    groups: Sequence[DigestGroup],
    news: Iterable[StoryNews],
    earlier: Mapping[str, Sequence[Remembered]],
    read: Collection[ArticleId],
    for_you: float = 0.0,
) -> tuple[Matter, ...]:
    """All that is new since earlier briefs, the most important first.

    Below TOP, only articles that the reader has not read count. After the first FIRST, a share
    `for_you` of the matters is chosen by relevance to the reader.
    """
    found = [_of(one.group, weight(one), one.known) for one in offered(groups, earlier)]
    for each in news:
        new = new_of(each, earlier)
        if new is not None:
            left = new.offered
            found.append(_of(left.group, left.importance, left.known, each.title))
    unread = (_unread(one, read) for one in found)
    ranked = _spread([one for one in unread if one is not None], lambda one: one.importance)
    return (*ranked[:FIRST], *_mixed(ranked[FIRST:], for_you))


def _mixed(rest: Sequence[Matter], share: float) -> Iterator[Matter]:
    """In their order, but with a share of the most relevant all along."""
    left = dict.fromkeys(one.key for one in rest)
    by_key = {one.key: one for one in rest}
    relevant = _spread([one for one in rest if one.relevant], lambda one: relevance_of(one.group))
    relevant.reverse()
    own = 0
    for place in range(len(rest)):
        while relevant and relevant[-1].key not in left:
            relevant.pop()
        due = relevant and own < int(share * (place + 1))
        one = relevant[-1] if due else by_key[next(iter(left))]
        del left[one.key]
        own += one.relevant
        yield one


def _of(group: DigestGroup, importance: float, known: Said | None, story: str = "") -> Matter:
    lead = next((one for one in group.articles if one.id == group.lead), group.articles[0])
    others = [one for one in group.articles if one is not lead]
    # What other owners add to its event comes first.
    others.sort(key=lambda one: (one.event != lead.event, one.owner == lead.owner))
    return Matter(group, (lead, *others), importance, known, story)


def _unread(one: Matter, read: Collection[ArticleId]) -> Matter | None:
    if one.importance >= TOP:
        return one
    left = tuple(article for article in one.articles if article.id not in read)
    return replace(one, articles=left) if left else None


def _spread(found: Sequence[Matter], value: Callable[[Matter], float]) -> list[Matter]:
    """By importance or relevance, each further one of a publisher a little lower."""
    had: dict[str, int] = {}
    worth: list[tuple[float, str, Matter]] = []
    for one in sorted(found, key=lambda one: (-value(one), one.key)):
        owner = one.articles[0].owner
        again = 0 if one.story else had.get(owner, 0)
        had[owner] = had.get(owner, 0) + 1
        worth.append((-value(one) * AGAIN**again, one.key, one))
    return [one for _worth, _key, one in sorted(worth, key=lambda each: each[:2])]


@dataclass(frozen=True, slots=True)
class Part:
    """Matters that share a chapter. Without a title it is named by its key, or by its first."""

    title: str
    matters: tuple[Matter, ...]
    key: str


def parts(chosen: Sequence[Matter], most: int) -> tuple[Part, ...]:
    """The chapters: the main news, then by what the reader filed the feeds under, the rest last.

    `chosen` has the most important first. Where there are hardly any categories, matters that are
    near to each other share a chapter.
    """
    first, rest = chosen[:FIRST], chosen[FIRST:]
    found = [Part("", tuple(first), "first")] if first else []
    own = tuple(one for one in rest if one.relevant)
    if len(own) >= FEWEST:
        found.append(Part("", own, FOR_YOU))
        rest = [one for one in rest if not one.relevant]
    if not rest:
        return tuple(found)
    categories: dict[str, list[Matter]] = {}
    for one in rest:
        categories.setdefault(one.category, []).append(one)
    sets = list(categories.items())
    if len(sets) < 2:
        room = most - len(found)
        # One chapter for what shares no name, and up to half of them where there is much. With one
        # alone, three quarters of a brief of twenty minutes were "Also in the news" for a reader
        # without folders.
        sets = _by_nearness(rest, room - max(min(ceil(len(rest) / LONG) - 1, room // 2), 1))
    large = [(title, those) for title, those in sets if title and _articles(those) >= FEWEST]
    large = sorted(large, key=lambda one: -max(each.importance for each in one[1]))
    large = large[: max(most - len(found) - 1, 0)]
    taken = {one.key for _title, those in large for one in those}
    found += [Part(title, tuple(those), _key(title, those)) for title, those in large]
    left = [one for one in rest if one.key not in taken]
    return (*found, *_runs(left, most - len(found)))


def _runs(left: Sequence[Matter], most: int) -> Iterator[Part]:
    """What is in no chapter yet, as long chapters as need be, in its order."""
    many = max(min(most, ceil(len(left) / LONG)), 1)
    size = ceil(len(left) / many)
    for start in range(0, len(left), max(size, 1)):
        those = tuple(left[start : start + size])
        last = start + size >= len(left)
        yield Part("", those, OTHERS if last else those[0].key)


def _key(title: str, those: Sequence[Matter]) -> str:
    return f"category:{title}" if those[0].category == title else those[0].key


def _by_nearness(rest: Sequence[Matter], most: int) -> list[tuple[str, list[Matter]]]:
    """Each to the first that it is near to; the largest sets are chapters."""
    sets: list[list[Matter]] = []
    for one in rest:
        near = max(sets, key=lambda those: _cosine(those[0], one), default=None)
        if near is not None and _cosine(near[0], one) >= NEAR:
            near.append(one)
        else:
            sets.append([one])
    sets.sort(key=_articles, reverse=True)
    return [(_label(those), those) for those in sets[:most]]


def _articles(those: Sequence[Matter]) -> int:
    return sum(len(one.articles) for one in those)


def _label(those: Sequence[Matter]) -> str:
    """The name of a label that most of them speak of: "Iran" of "Iran: Hormuz, Strait"."""
    words = [f"{one.articles[0].title} {one.articles[0].text}" for one in those]
    names = (one.group.label.partition(": ")[0] for one in those if ": " in one.group.label)
    return next((one for one in names if sum(one in text for text in words) > len(those) / 2), "")


def _cosine(one: Matter, other: Matter) -> float:
    """Of the centres, each of length 1."""
    terms, others = one.group.terms, other.group.terms
    if len(others) < len(terms):
        terms, others = others, terms
    return sum(weight * others[term] for term, weight in terms.items() if term in others)
