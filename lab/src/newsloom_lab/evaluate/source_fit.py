"""The learned part fitted on feeds: what their documents tell of sources whose tier is known.

Least squares drawn towards the shipped coefficients (a ridge around a prior), judged by leaving one
source out. A document polled once tells no revisions, no corroboration and no poll that failed, so
those coefficients stay as they are.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

import numpy as np

from newsloom.feeds.parse import parse_feed
from newsloom.feeds.values.published import ParsedArticle
from newsloom.importance.sources import known_tier, source_of
from newsloom.importance.sources.bands import COEFFICIENTS, DEFAULT, features, middle
from newsloom.importance.sources.corroboration import corrected, marked
from newsloom.importance.values import SourceFacts
from newsloom.kernel.errors import ParseError, UserError
from newsloom_lab.evaluate.sources import spearman

# Weight of the prior, in sources: so many must agree before half of a coefficient is theirs.
PRIOR = 30.0
LEAST_ARTICLES = 5

# Twenty known sources for each coefficient; with fewer, their kinds (agencies, newspapers, blogs)
# decide what the features seem to say.
LEAST_KNOWN = 100

# What a document polled once can tell. The span of its dates is no age: an agency's document holds
# an hour, and a blog's ten years.
TOLD = ("authored", "corrected", "trackers")


@dataclass(frozen=True, slots=True)
class FitReport:
    """Errors are root mean squares in points of 100, each source judged by the others."""

    documents: int
    sources: int  # with enough articles
    known: int  # of them, in the table or under a rule: what is learned from
    constant_error: float | None  # the mean of the others
    prior_error: float | None  # the shipped coefficients around that mean
    fitted_error: float | None
    prior_spearman: float | None
    fitted_spearman: float | None
    shipped: Mapping[str, float]
    fitted: Mapping[str, float]
    advice: str


@dataclass(slots=True)
class _Seen:
    articles: dict[str, str] = field(default_factory=dict)  # the title by id
    revised: set[str] = field(default_factory=set)
    authored: int = 0
    links: int = 0
    trackers: int = 0
    corrected: int = 0
    first: datetime | None = None
    last: datetime | None = None


def facts_of(folder: Path) -> tuple[int, dict[str, SourceFacts]]:
    """Documents read, and facts by source of all documents in a folder and its folders."""
    files = sorted(one for one in folder.rglob("*") if one.is_file() and one.suffix != ".csv")
    if not files:
        raise UserError(f"{folder} has no documents of feeds.")
    seen: dict[str, _Seen] = defaultdict(_Seen)
    read = 0
    for file in files:
        try:
            parsed = parse_feed(file.read_bytes(), "")
        except ParseError:
            continue
        read += 1
        for one in parsed.articles:
            name = source_of(one.url)
            if name:
                _see(seen[name], one)
    return read, {name: _facts(one) for name, one in seen.items()}


def _see(seen: _Seen, one: ParsedArticle) -> None:
    key = one.guid or one.url
    if key in seen.articles:
        if seen.articles[key] != one.title:
            seen.revised.add(key)
        return
    seen.articles[key] = one.title
    seen.authored += bool(one.author)
    seen.corrected += corrected(one.title, one.content or one.summary)
    links, bad = marked([one.content[:20_000] or one.summary[:20_000]])
    seen.links += links
    seen.trackers += bad
    if one.published:
        seen.first = min(seen.first or one.published, one.published)
        seen.last = max(seen.last or one.published, one.published)


def _facts(one: _Seen) -> SourceFacts:
    count = len(one.articles)
    days = (one.last - one.first).total_seconds() / 86_400 if one.first and one.last else 0.0
    return SourceFacts(
        articles=count,
        days=days,
        authored=one.authored / count,
        revised=len(one.revised) / count,
        corrected=one.corrected / count,
        trackers=one.trackers / one.links if one.links else 0.0,
    )


def run(folder: Path) -> FitReport:
    """Fit on the sources of a folder's documents whose tier is known."""
    documents, facts = facts_of(folder)
    enough = {name: one for name, one in facts.items() if one.articles >= LEAST_ARTICLES}
    known = {name: found for name in enough if (found := known_tier(name)) is not None}
    return fitted(
        [enough[name] for name in known],
        [middle(one.tier) for one in known.values()],
        documents=documents,
        sources=len(enough),
    )


def fitted(
    facts: Sequence[SourceFacts], targets: Sequence[float], *, documents: int = 0, sources: int = 0
) -> FitReport:
    """The fit itself: facts of sources with the score that each should have."""
    prior = np.array([COEFFICIENTS[name] for name in TOLD])
    rows = np.array([[features(one)[name] for name in TOLD] for one in facts]).reshape(
        -1, len(TOLD)
    )
    wanted = np.array(targets, float)
    whole = _solve(rows, wanted, prior) if len(wanted) >= 3 else prior
    left_out = list(_left_out(rows, wanted, prior)) if len(wanted) >= 3 else []
    constant, by_prior, by_fit = np.array(left_out).reshape(-1, 3).T
    errors = (
        [_error(one, wanted) for one in (constant, by_prior, by_fit)] if left_out else [None] * 3
    )
    return FitReport(
        documents=documents,
        sources=sources or len(wanted),
        known=len(wanted),
        constant_error=errors[0],
        prior_error=errors[1],
        fitted_error=errors[2],
        prior_spearman=spearman(by_prior - constant, wanted),
        fitted_spearman=spearman(by_fit - constant, wanted),
        shipped=dict(COEFFICIENTS),
        fitted={**COEFFICIENTS, **dict(zip(TOLD, map(float, whole), strict=True))},
        advice=_advice(len(wanted), errors[0], errors[2]),
    )


def _solve(rows: np.ndarray, wanted: np.ndarray, prior: np.ndarray) -> np.ndarray:
    """Coefficients around the prior, beside a free mean."""
    centred, aim = rows - rows.mean(axis=0), wanted - wanted.mean()
    left = centred.T @ centred + PRIOR * np.eye(len(prior)) / 4
    found: np.ndarray = prior + np.linalg.solve(left, centred.T @ (aim - centred @ prior))
    return found


def _left_out(
    rows: np.ndarray, wanted: np.ndarray, prior: np.ndarray
) -> Iterable[tuple[float, float, float]]:
    """Each source as the others say: by their mean, by the prior, by a fit on them."""
    for place in range(len(wanted)):
        others = np.arange(len(wanted)) != place
        mean = float(wanted[others].mean())
        beside = rows[place] - rows[others].mean(axis=0)
        found = _solve(rows[others], wanted[others], prior)
        yield mean, mean + float(beside @ prior), mean + float(beside @ found)


def _error(said: np.ndarray, wanted: np.ndarray) -> float:
    return float(np.sqrt(((said - wanted) ** 2).mean()))


def _advice(known: int, constant: float | None, by_fit: float | None) -> str:
    if constant is None or by_fit is None or known < LEAST_KNOWN:
        return f"{known} known sources are too few to learn from: keep the shipped coefficients."
    if by_fit > 0.95 * constant:
        return (
            "The fit predicts left-out sources no better (within 5%) than their mean: keep the"
            f" shipped coefficients, which move a source by little around {DEFAULT:g}."
        )
    return "The fit predicts left-out sources better than their mean: look at its coefficients."
