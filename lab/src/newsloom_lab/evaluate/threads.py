"""Threads beside the narratives that a file gives its articles, with simple baselines.

Events are the product's own stories, those of single articles too. Measures have
the names of seed 002, but `linked` counts pairs of consecutive articles: files name no causes.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import pairwise

import numpy as np

from newsloom.articles.terms import terms
from newsloom.kernel.ids import ArticleId
from newsloom.ranking.measure.articles import LabelledArticle
from newsloom.ranking.ports import Embedder
from newsloom.stories.events import Event, event
from newsloom.stories.prepared import Background, Prepared
from newsloom.stories.same_event import judge_of
from newsloom.stories.threads import Stream, ThreadRule, Threads, rule_of
from newsloom.stories.values.pages import StoryId, ThreadId
from newsloom.topics.grouping import TopicArticle, topics
from newsloom.topics.tfidf import shipped
from newsloom_lab.evaluate import streams
from newsloom_lab.evaluate.clusterings import agreement
from newsloom_lab.evaluate.stories import contamination, fragmentation

RESAMPLES = 200
_UNDATED = datetime(1, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class ThreadMeasures:
    """How one way does."""

    contamination: float  # of labelled articles: the share whose thread's majority is another
    fragmentation: float  # share of narratives, by articles, that lie in more than one thread
    linked: float  # pairs of consecutive articles of a narrative that are together
    composite: float  # .3 (1 - contamination) + .3 (1 - fragmentation) + .4 linked
    f1: float  # B-cubed, of labelled articles
    f1_all: float  # of all articles, the others each a narrative of its own
    f1_all_low: float  # 95 % of resampled narratives
    f1_all_high: float
    contamination_two: float  # of all articles in threads of two or more
    threads: int  # of two or more events


@dataclass(frozen=True, slots=True)
class ThreadsReport:
    """Each way by name."""

    articles: int
    narratives: int
    unlabelled: int
    events: int
    encoder: str
    ways: Mapping[str, ThreadMeasures]


def run(
    articles: Sequence[LabelledArticle], embedder: Embedder, *, single: bool = False
) -> ThreadsReport:
    """`articles` in the order of the stream. `single`: each is an event of its own."""
    rows = streams.vectors(embedder, articles)
    judge = judge_of(embedder.model_id)
    known = streams.background(articles)
    batches = streams.batches(streams.pieces(articles), rows, known, judge)
    story = list(map(StoryId, range(len(articles)))) if single else streams.linked(batches, judge)
    events, members = _events([one for batch in batches for one in batch], story, Background(known))
    rule = rule_of(embedder.model_id)
    ways: dict[str, Callable[[], Mapping[StoryId, Hashable]]] = {
        "threads": lambda: _threads(events, rule),
        "threads, oracle judge": lambda: _judged(events, rule, _labels(articles, story)),
        "each event alone": lambda: {one.id: one.id for one in events},
        "topics of stories": lambda: _topics(members, articles),
        "average link .25": lambda: _threads(events, replace(rule, speaking=10_000, join=0.25)),
    }
    return ThreadsReport(
        articles=len(articles),
        narratives=len({one.story for one in articles if one.story}),
        unlabelled=sum(not one.story for one in articles),
        events=len(events),
        encoder=embedder.model_id,
        ways={name: measures(articles, story, way()) for name, way in ways.items()},
    )


def _events(
    prepared: Sequence[Prepared], story: Sequence[StoryId], background: Background
) -> tuple[list[Event], Mapping[StoryId, list[int]]]:
    members: dict[StoryId, list[int]] = defaultdict(list)
    for at, of in enumerate(story):
        members[of].append(at)
    found = (
        event(of, [prepared[at] for at in reversed(those)], background)
        for of, those in members.items()
    )
    return [one for one in found if one is not None], members


def _threads(events: Sequence[Event], rule: ThreadRule) -> Mapping[StoryId, Hashable]:
    return Stream(Threads(rule, len(events[0].vector))).run(events)


def _labels(articles: Sequence[LabelledArticle], story: Sequence[StoryId]) -> Mapping[StoryId, str]:
    """Of each event the label that most of its articles have; "" is none."""
    labels: dict[StoryId, Counter[str]] = defaultdict(Counter)
    for article, of in zip(articles, story, strict=True):
        labels[of][article.story] += 1
    return {of: those.most_common(1)[0][0] for of, those in labels.items()}


def _judged(
    events: Sequence[Event], rule: ThreadRule, labels: Mapping[StoryId, str]
) -> Mapping[StoryId, Hashable]:
    """With a judge who knows the labels, asked as a language model is: about ten candidates, where
    the nearest event is neither near nor far; without repair, which leaves what a judge placed."""
    threads, found = Threads(rule, len(events[0].vector)), dict[StoryId, ThreadId]()
    held: dict[ThreadId, Counter[str]] = defaultdict(Counter)
    for one in sorted(events, key=lambda it: (it.began, it.id)):
        placed = threads.place(one)
        thread, label = placed.thread, labels[one.id]
        best = max((near.best for near in placed.candidates), default=-1.0)
        if rule.uncertain[0] <= best <= rule.uncertain[1]:
            of_label = (
                near.thread
                for near in placed.candidates
                if label and held[near.thread].most_common(1)[0][0] == label
            )
            thread = next(of_label, None)
        found[one.id] = thread or ThreadId(len(held) + 1)
        held[found[one.id]][label] += 1
        threads.put(one, found[one.id])
    return found


def _topics(
    members: Mapping[StoryId, Sequence[int]], articles: Sequence[LabelledArticle]
) -> Mapping[StoryId, Hashable]:
    """As parents of stories were found before there were threads: topics of those of two articles
    or more, by words of the first title and text."""
    idf = shipped()
    offered = []
    for story, those in members.items():
        first = articles[those[0]]
        if len(those) > 1:
            text = first.body[:400]
            offered.append(
                TopicArticle(
                    id=ArticleId(story),
                    title=first.title,
                    text=text,
                    language="",
                    importance=float(len(those)),
                    tier=1,
                    published=first.published or _UNDATED,
                    terms=idf.weighted(terms(first.title, text, "")),
                )
            )
    found: dict[StoryId, Hashable] = {story: story for story in members}
    for topic in topics(offered)[0] if offered else ():
        found |= {StoryId(one): f"topic {min(topic.articles)}" for one in topic.articles}
    return found


def measures(
    articles: Sequence[LabelledArticle],
    story: Sequence[StoryId],
    thread_of: Mapping[StoryId, Hashable],
) -> ThreadMeasures:
    """One grouping of events, judged by their articles."""
    found = [thread_of.get(one, f"alone {one}") for one in story]
    labels = [one.story or f"unlabelled {at}" for at, one in enumerate(articles)]
    told = [(one.story, thread) for one, thread in zip(articles, found, strict=True) if one.story]
    gold, threads = [one for one, _ in told], [one for _, one in told]
    by_narrative: dict[str, list[Hashable]] = defaultdict(list)
    for label, thread in told:
        by_narrative[label].append(thread)
    pairs = [a == b for those in by_narrative.values() for a, b in pairwise(those)]
    con, frag = contamination(gold, threads), fragmentation(gold, threads)
    linked = sum(pairs) / len(pairs) if pairs else 0.0
    sizes = Counter(found)
    two = [(a, b) for a, b in zip(labels, found, strict=True) if sizes[b] > 1]
    low, high = _interval(labels, found)
    events = Counter(thread_of.values())
    return ThreadMeasures(
        contamination=con,
        fragmentation=frag,
        linked=linked,
        composite=0.3 * (1 - con) + 0.3 * (1 - frag) + 0.4 * linked,
        f1=agreement(gold, threads).b_cubed_f1,
        f1_all=agreement(labels, found).b_cubed_f1,
        f1_all_low=low,
        f1_all_high=high,
        contamination_two=contamination([a for a, _ in two], [b for _, b in two]) if two else 0.0,
        threads=sum(many > 1 for many in events.values()),
    )


def _interval(gold: Sequence[str], found: Sequence[Hashable]) -> tuple[float, float]:
    """Whole narratives are drawn, with what their articles are worth in the whole grouping."""
    shared = Counter(zip(gold, found, strict=True))
    of_gold, of_found = Counter(gold), Counter(found)
    worth: dict[str, tuple[float, float, int]] = {}
    for (label, thread), many in shared.items():
        precision, recall, count = worth.get(label, (0.0, 0.0, 0))
        worth[label] = (
            precision + many * many / of_found[thread],
            recall + many * many / of_gold[label],
            count + many,
        )
    table = np.array(list(worth.values()))
    drawn = random.Random(1)
    f1 = []
    for _ in range(RESAMPLES):
        precision, recall, count = table[drawn.choices(range(len(table)), k=len(table))].sum(axis=0)
        f1.append(2 * precision * recall / (precision + recall) / count)
    low, high = np.quantile(f1, [0.025, 0.975])
    return float(low), float(high)
