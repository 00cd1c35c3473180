"""Do the signals of importance tell which articles others will report later?

Each article is looked at some hours after it appeared, with what was known of its story by then.
Right is a high place for those whose story more independent owners reported in the three days that
followed. Nothing is fitted but in the row "fitted", which learns weights from the earlier stories
and is judged, as all the others, on the later ones.

A signal is decided upon where the order is better, or worse, without it in both halves of the time,
by intervals over whole stories, and also without each of the largest owners: authority is one value
for all that an owner prints, so that a few owners could decide by themselves.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from newsloom.duplicates.independence import independent
from newsloom.duplicates.syndication import agency
from newsloom.duplicates.values import Witness
from newsloom.importance.score import (
    FADE,
    WEIGHTS,
    SignalFacts,
    Weights,
    depth,
    importance,
    lasting_points,
    parts,
    shape,
)
from newsloom.importance.sources import authority, owner_of, source_of
from newsloom.importance.sources.speaking import vouched
from newsloom.importance.sources.table import row_of
from newsloom.kernel.errors import UserError
from newsloom.ranking.learning.calibration import roc_auc
from newsloom.ranking.learning.logistic import problem, solve
from newsloom.ranking.measure.articles import LabelledArticle, read_articles
from newsloom_lab.evaluate.reported import read_stories

NAMES = tuple(WEIGHTS)
NONE: Weights = dict.fromkeys(NAMES, 0.0)
AGES = (12.0,)  # hours; dates without a time are midnights, so this is the same day

# How long after that moment counts as later.
SOON = timedelta(days=3)

# Resamples of whole stories, for 95 of 100 intervals.
RESAMPLES = 500

# Owners that are left out in turn, the largest.
MOST_OWNERS = 12

# Of the row "fitted": ridge on weights of standardised signals, in labels.
PENALTY = 1.0

Floats = NDArray[np.float64]
Truth = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Seen:
    """An article at one moment: its signals then, and what came of it."""

    story: str
    facts: SignalFacts
    values: Mapping[str, float]  # each 0 to 100; of what is not known 0
    sources: int  # independent ones that had told of it, its own among them
    later: int  # those that told of it in the three days after


@dataclass(frozen=True, slots=True)
class Way:
    """One weighted sum; `less` is what the sum of all five is ahead of it."""

    roc_auc: float
    interval: tuple[float, float]
    less: float
    less_interval: tuple[float, float]
    earlier: float  # the same on the earlier stories


@dataclass(frozen=True, slots=True)
class Half:
    """What the sum of all five is ahead of the sum without a signal, on half of the stories."""

    ahead: float  # in ROC AUC
    interval: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Decision:
    """Whether a signal helps to tell what others report later."""

    halves: tuple[Half, Half]  # the earlier and the later one
    owners: Mapping[str, float]  # how far it is ahead on all, without each of the largest owners

    @property
    def verdict(self) -> str:
        """All that was measured agrees, or nothing is decided."""
        found = [end for half in self.halves for end in half.interval] + [*self.owners.values()]
        if min(found) > 0:
            return "helps"
        return "hurts" if max(found) < 0 else "undecided"


@dataclass(frozen=True, slots=True)
class FirstReports:
    articles: int
    roc_auc: float
    interval: tuple[float, float]


@dataclass(frozen=True, slots=True)
class ImportanceReport:
    articles: int
    left_out: int  # without a story, a date or a source
    stories: int
    largest_story: int  # articles of it
    judged: int  # articles at moments, of the later stories
    followed: float  # share of these that others reported later
    followed_by_sources: Mapping[str, float]  # the same, by how many had told of it by then
    ages: tuple[float, ...]  # hours
    neutral: Mapping[str, str]  # signals that are the same for all, and why
    ways: Mapping[str, Way]
    decisions: Mapping[str, Decision]  # by signal; none where a half cannot be judged
    # ROC AUC of single signals among articles that one source had told of by then, of all stories:
    # how many sources a story has in the file cannot speak here.
    first_reports: Mapping[str, FirstReports]


def run(file: Path, ages: Sequence[float] = AGES) -> ImportanceReport:
    """Judge by the stories that a file names, or those of a folder of polled feeds."""
    return judged(read_stories(file) if file.is_dir() else read_articles(file), ages)


def judged(known: Sequence[LabelledArticle], ages: Sequence[float] = AGES) -> ImportanceReport:
    """Every sum on the later half of the stories. Raises UserError when nothing can be judged."""
    stories = _stories(known)
    rows = [one for story in stories for one in _seen(story, ages)]
    if not stories:
        raise UserError("No article has a `story`, a `published` and a `url`.")
    names = [story[0].story for story in stories]
    early = set(names[: len(names) // 2])
    earlier = [one for one in rows if one.story in early]
    later = [one for one in rows if one.story not in early]
    truth = _truth(later)
    if truth.all() or not truth.any():
        raise UserError("All or none of the articles of later stories were reported afterwards.")
    used = sum(map(len, stories))
    return ImportanceReport(
        articles=used,
        left_out=len(known) - used,
        stories=len(stories),
        largest_story=max(map(len, stories)),
        judged=len(later),
        followed=float(truth.mean()),
        followed_by_sources={
            str(count): float(np.mean([one.later > 0 for one in later if one.sources == count]))
            for count in sorted({one.sources for one in later})
        },
        ages=tuple(ages),
        neutral=_neutral(rows),
        ways=_ways(earlier, later),
        decisions=_decisions(stories, ages, earlier, later),
        first_reports=_first_reports([one for one in rows if one.sources == 1]),
    )


def _stories(known: Iterable[LabelledArticle]) -> list[list[LabelledArticle]]:
    """By story, in the order of their first articles; those of one day by name."""
    found: dict[str, list[LabelledArticle]] = {}
    for one in known:
        if one.story and one.published is not None and _host(one):
            found.setdefault(one.story, []).append(one)
    for members in found.values():
        members.sort(key=lambda one: (_date(one), one.id))
    return sorted(found.values(), key=lambda those: (_date(those[0]), those[0].story))


def _seen(story: Sequence[LabelledArticle], ages: Sequence[float]) -> list[Seen]:
    """Each article of a story at each age."""
    found = []
    telling = witnesses(story)
    dates = [_date(one) for one in story]
    for article in story:
        believed, deep = _lasting(article)
        for age in (timedelta(hours=hours) for hours in ages):
            moment = _date(article) + age
            then = bisect_right(dates, moment)
            end = bisect_right(dates, moment + SOON)
            sources = max(independent(telling[:then]), 1)
            later = max(independent(telling[:end]), 1) - sources
            facts = SignalFacts(
                authority=believed,
                age=age,
                sources=sources,
                depth=deep,
                vouched=vouched(_host(article)),
            )
            found.append(Seen(article.story, facts, parts(facts, NONE), sources, later))
    return found


def _lasting(article: LabelledArticle) -> tuple[float, float]:
    """Authority and depth."""
    host = _host(article)
    row = row_of(host)
    counted = shape("", article.body, host)
    return authority(host).score, depth(counted, row.kind if row else None)


def witnesses(story: Sequence[LabelledArticle]) -> list[Witness]:
    """Who tells, in the order of the articles; equal texts have one number."""
    texts: dict[str, int] = {}
    return [
        Witness(
            texts.setdefault(_text(one), len(texts)),
            owner_of(_host(one)),
            agency("", one.body),
        )
        for one in story
    ]


def _text(article: LabelledArticle) -> str:
    return article.duplicate or article.body or article.id


def _host(article: LabelledArticle) -> str:
    return source_of(article.url) if article.url else ""


def _date(article: LabelledArticle) -> datetime:
    assert article.published is not None
    return article.published


WHY_NEUTRAL = {
    "recency": "every article is looked at at the same age",
    "topic": "there is no reader",
}


def _neutral(rows: Sequence[Seen]) -> dict[str, str]:
    """Signals that cannot order these articles, being one value for all."""
    return {
        name: WHY_NEUTRAL.get(name, "the same for every article of the file")
        for name in NAMES
        if len({one.values[name] for one in rows}) == 1
    }


def _ways(earlier: Sequence[Seen], later: Sequence[Seen]) -> dict[str, Way]:
    sums: dict[str, Mapping[str, float]] = {"all five": WEIGHTS}
    for name in NAMES:
        sums[f"without {name}"] = {other: WEIGHTS[other] for other in NAMES if other != name}
    for name in NAMES:
        sums[f"{name} alone"] = {name: 1.0}
    scores = {name: _scores(later, weights) for name, weights in sums.items()}
    before = {name: _scores(earlier, weights) for name, weights in sums.items()}
    fitted = _fitted(earlier)
    scores["fitted"], before["fitted"] = _sums(later, fitted), _sums(earlier, fitted)
    truth = _truth(later)
    draws = [*_draws(later)]
    whole = _aucs(truth, scores["all five"], draws)
    found = {}
    for name, own in scores.items():
        aucs = _aucs(truth, own, draws)
        found[name] = Way(
            roc_auc=float(aucs[0]),
            interval=_interval(aucs[1:]),
            less=float(whole[0] - aucs[0]),
            less_interval=_interval((whole - aucs)[1:]),
            earlier=roc_auc(_truth(earlier), before[name]),
        )
    return found


def _decisions(
    stories: Sequence[Sequence[LabelledArticle]],
    ages: Sequence[float],
    earlier: Sequence[Seen],
    later: Sequence[Seen],
) -> dict[str, Decision]:
    if not any(_truth(earlier)) or all(_truth(earlier)):
        return {}
    counts = Counter(owner_of(_host(one)) for story in stories for one in story)
    less: dict[str, list[Seen]] = {}
    for owner, _articles in counts.most_common(MOST_OWNERS):
        others = [[one for one in story if owner_of(_host(one)) != owner] for story in stories]
        less[owner] = [one for story in others for one in _seen(story, ages)]
    return {
        name: Decision(
            halves=(_half(earlier, name), _half(later, name)),
            # Where nothing is left to judge, nothing is ahead.
            owners={
                owner: float(np.nan_to_num(_ahead(rows, name, ())[0]))
                for owner, rows in less.items()
            },
        )
        for name in NAMES
        if name not in _neutral([*earlier, *later])
    }


def _half(rows: Sequence[Seen], name: str) -> Half:
    found = _ahead(rows, name, [*_draws(rows)])
    return Half(float(found[0]), _interval(found[1:]))


def _ahead(rows: Sequence[Seen], name: str, draws: Sequence[NDArray[np.int64]]) -> Floats:
    """What all five are ahead without that signal: of all rows, and then of each draw."""
    truth, without = _truth(rows), {one: WEIGHTS[one] for one in NAMES if one != name}
    return _aucs(truth, _scores(rows, WEIGHTS), draws) - _aucs(truth, _scores(rows, without), draws)


def _first_reports(rows: Sequence[Seen]) -> dict[str, FirstReports]:
    truth = _truth(rows)
    draws = [*_draws(rows)]
    found = {}
    for name in NAMES:
        if len({one.values[name] for one in rows}) > 1:
            aucs = _aucs(truth, _sums(rows, {name: 1.0}), draws)
            found[name] = FirstReports(len(rows), float(aucs[0]), _interval(aucs[1:]))
    return found


def _fitted(rows: Sequence[Seen]) -> Mapping[str, float]:
    """Weights by logistic regression; signals that are the same for all have none."""
    values = np.array([[one.values[name] for name in NAMES] for one in rows])
    spread = values.std(axis=0)
    told = spread > 0
    truth = _truth(rows)
    if truth.all() or not truth.any() or not told.any():
        return WEIGHTS
    standard = (values[:, told] - values[:, told].mean(axis=0)) / spread[told]
    line = solve(problem(standard, truth.astype(np.float64), np.ones(len(rows))), PENALTY)
    weights = np.zeros(len(NAMES))
    weights[told] = line.weights / spread[told]
    return dict(zip(NAMES, weights.tolist(), strict=True))


def _scores(rows: Sequence[Seen], weights: Mapping[str, float]) -> Floats:
    """Importance with those weights alone, whose sum takes no part in an order."""
    whole = {**NONE, **weights}
    return np.array(
        [
            round(importance(lasting_points(one.facts, whole), one.facts.age, FADE, whole), 9)
            for one in rows
        ]
    )


def _sums(rows: Sequence[Seen], weights: Mapping[str, float]) -> Floats:
    """Of the values alone. Rounded, so that what is equal stays equal."""
    return np.array(
        [round(sum(weights[name] * one.values[name] for name in weights), 9) for one in rows]
    )


def _truth(rows: Sequence[Seen]) -> Truth:
    return np.array([one.later > 0 for one in rows], bool)


def _draws(rows: Sequence[Seen]) -> Iterable[NDArray[np.int64]]:
    """Rows of as many stories, drawn with replacement; the same every time."""
    places: dict[str, list[int]] = {}
    for place, one in enumerate(rows):
        places.setdefault(one.story, []).append(place)
    stories = [np.array(own) for own in places.values()]
    chance = np.random.default_rng(1)
    for _ in range(RESAMPLES):
        drawn = chance.integers(0, len(stories), len(stories))
        yield np.concatenate([stories[one] for one in drawn.tolist()])


def _aucs(truth: Truth, scores: Floats, draws: Sequence[NDArray[np.int64]]) -> Floats:
    """Of all rows, and then of each draw."""
    return np.array([roc_auc(truth, scores), *(roc_auc(truth[at], scores[at]) for at in draws)])


def _interval(values: Floats) -> tuple[float, float]:
    low, high = np.nanpercentile(values, (2.5, 97.5))
    return float(low), float(high)
