"""Articles of a window, in topics: each with a label, a lead and a centre."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from newsloom.articles.terms import printed
from newsloom.kernel.ids import ArticleId
from newsloom.topics.dbscan import dbscan
from newsloom.topics.tfidf import Matrix, Terms, heaviest, matrix
from newsloom.topics.ward import ward

# Spherical k-means of a stream: each article goes to the nearest centre, or opens one.

# Centres at most where nothing is known of earlier windows: the square root of half the articles
# (Mardia 1979), which is near what DBSCAN finds in a day of news.
FEWEST = 8

# Nearer than this to no centre, an article opens one while there is room.
NEAR = 0.25
# Terms that a centre keeps, the heaviest.
TERMS = 200


def estimated(articles: int) -> int:
    """How many topics so many articles have."""
    return max(FEWEST, round(math.sqrt(articles / 2)))


@dataclass
class Stream:
    """Centres that move as articles come. Never more than `k`."""

    k: int
    centres: list[dict[str, float]] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)

    def add(self, row: Mapping[str, float]) -> int:
        """The topic of one article, whose terms are a vector of length 1; the centre moves."""
        dots = [_dot(row, centre) for centre in self.centres]
        best = max(range(len(dots)), key=lambda one: (dots[one], -one), default=-1)
        if best < 0 or (dots[best] < NEAR and len(self.centres) < self.k):
            self.centres.append(dict(row))
            self.counts.append(1)
            return len(self.centres) - 1
        self.counts[best] += 1
        self.centres[best] = _moved(self.centres[best], row, 1.0 / self.counts[best])
        return best


def online(matrix: Matrix, k: int) -> NDArray[np.int64]:
    """The topic of each row, taken one after the other; k of them at most (0: estimated)."""
    stream = Stream(k or estimated(len(matrix)))
    found = np.empty(len(matrix), np.int64)
    for place in range(len(matrix)):
        columns, values = matrix.row(place)
        names = (matrix.names[one] for one in columns.tolist())
        found[place] = stream.add(dict(zip(names, values.tolist(), strict=True)))
    return found


def _dot(row: Mapping[str, float], centre: Mapping[str, float]) -> float:
    return sum(value * centre.get(term, 0.0) for term, value in row.items())


def _moved(centre: Mapping[str, float], row: Mapping[str, float], step: float) -> dict[str, float]:
    found = {term: (1.0 - step) * value for term, value in centre.items()}
    for term, value in row.items():
        found[term] = found.get(term, 0.0) + step * value
    if len(found) > TERMS:
        kept = sorted(found.items(), key=lambda one: (-one[1], one[0]))[:TERMS]
        found = dict(kept)
    length = math.sqrt(sum(value * value for value in found.values())) or 1.0
    return {term: value / length for term, value in found.items()}


# How articles are grouped: one row for each way.


@dataclass(frozen=True, slots=True)
class Algorithm:
    """A name, when to use it, and what gives each row a cluster (-1: none).

    `k` is how many clusters are wanted, 0: as it finds; the last argument names a group for each
    row that is joined beforehand (-1: none), which only Ward's method heeds.
    """

    name: str
    when: str
    cluster: Callable[[Matrix, int, Sequence[int]], NDArray[np.int64]]


ALGORITHMS = (
    Algorithm("ward", "by default: as near as topics are, or so many as one asks for", ward),
    Algorithm(
        "dbscan",
        "any number of topics, and what is in none",
        lambda matrix, _k, _joined: dbscan(matrix),
    ),
    Algorithm(
        "online", "for a stream: each article as it comes", lambda rows, k, _joined: online(rows, k)
    ),
)


def algorithm(name: str) -> Algorithm:
    """By its name. Raises KeyError."""
    return {one.name: one for one in ALGORITHMS}[name]


# Terms of a label after its name, and of a centre that is kept for the next window.
LABEL_TERMS, CENTRE_TERMS = 3, 40
# A name stands before a label when so many of the articles have it.
NAMED = 0.5
LONGEST_LABEL = 80
LABELLED = 100  # of the largest topics, and of the most important ones

_MARKS = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069]")


@dataclass(frozen=True, slots=True)
class TopicArticle:
    """An article as topics need it."""

    id: ArticleId
    title: str
    text: str
    language: str
    importance: float  # 0 to 100
    tier: int  # of its source, 1 to 5
    published: datetime
    terms: Terms
    joined: int = -1  # articles with the same number are on one matter, as is known (-1: none)


@dataclass(frozen=True, slots=True)
class Topic:
    """Articles on one matter: the lead first, then by nearness to the centre."""

    label: str
    articles: tuple[ArticleId, ...]
    centre: Terms  # of length 1

    @property
    def lead(self) -> ArticleId:
        """The article that stands for the topic."""
        return self.articles[0]


# The names in each of some texts, as kind and name as printed.
Names = Callable[[Sequence[str]], Sequence[Sequence[tuple[str, str]]]]


def _no_names(texts: Sequence[str]) -> Sequence[Sequence[tuple[str, str]]]:
    return [()] * len(texts)


def topics(
    articles: Sequence[TopicArticle], way: str = "ward", k: int = 0, names: Names = _no_names
) -> tuple[tuple[Topic, ...], tuple[ArticleId, ...]]:
    """The topics of some articles, the largest first, and those that are in none.

    `way` is the name of an algorithm, `k` how many topics are wanted (0: as it finds). `names` says
    which names are in a title; labels begin with one.
    """
    rows = matrix(one.terms for one in articles)
    joined = [one.joined for one in articles]
    found = algorithm(way).cluster(rows, k, joined) if articles else np.empty(0, np.int64)
    members: dict[int, list[int]] = {}
    for place, cluster in enumerate(found.tolist()):
        members.setdefault(cluster if cluster >= 0 else -1 - place, []).append(place)
    groups = [own for own in members.values() if len(own) > 1]
    alone = sorted(own[0] for own in members.values() if len(own) == 1)
    made = [_topic([articles[one] for one in own], rows, own) for own in groups]
    made.sort(key=lambda one: (-len(one.articles), one.lead))
    labelled = _labelled(made, {one.id: one for one in articles}, names)
    return labelled, tuple(articles[one].id for one in alone)


def _topic(articles: Sequence[TopicArticle], rows: Matrix, places: Sequence[int]) -> Topic:
    whole = rows.sum_of(places)
    near = rows.against(whole, np.array(places, np.int64))
    order = sorted(
        range(len(articles)),
        key=lambda one: (
            -round(float(near[one]), 6),
            -articles[one].importance,
            articles[one].tier,
            articles[one].published,
            articles[one].id,
        ),
    )
    return Topic("", tuple(articles[one].id for one in order), _terms_of(whole, rows))


def _labelled(
    made: Sequence[Topic], known: Mapping[ArticleId, TopicArticle], names: Names
) -> tuple[Topic, ...]:
    """With labels for the largest and the most important ones: no others are shown."""

    def importance(one: Topic) -> float:
        return max(known[article].importance for article in one.articles)

    shown = {one.lead for one in sorted(made, key=importance, reverse=True)[:LABELLED]}
    wanted = [one for place, one in enumerate(made) if place < LABELLED or one.lead in shown]
    titles = [f"{known[article].title}." for one in wanted for article in one.articles]
    found = iter(names(titles) if titles else ())
    labels = {}
    for one in wanted:
        own = [known[article] for article in one.articles]
        labels[one.lead] = label(own, one.centre, [next(found) for _ in own])
    return tuple(replace(one, label=labels.get(one.lead, "")) for one in made)


def _terms_of(dense: NDArray[np.float32], rows: Matrix) -> Terms:
    """The heaviest terms of a sum of rows, of length 1."""
    own = np.flatnonzero(dense)
    return centre_of({rows.names[one]: float(dense[one]) for one in own.tolist()})


def centre_of(weighted: Terms) -> Terms:
    """The heaviest terms, of length 1: what windows are compared by, also of an article alone."""
    found = heaviest(weighted, CENTRE_TERMS)
    length = sum(value * value for value in found.values()) ** 0.5 or 1.0
    return {term: value / length for term, value in found.items()}


def label(
    articles: Sequence[TopicArticle],
    centre: Terms,
    names: Sequence[Sequence[tuple[str, str]]] = (),
) -> str:
    """ "Name: top terms", as words are printed in the articles; top terms where no name stands
    out. `names` are those of each title."""
    name = _name(names)
    inside = {word.lower() for word in re.findall(r"\w+", name)}
    words = _words(articles, centre)
    taken = [
        word
        for word in words
        if not inside & set(re.findall(r"\w+", word.lower())) and not _inside(word, name)
    ]
    text = ", ".join(taken[:LABEL_TERMS])
    whole = f"{name}: {text}" if name and text else name or text or articles[0].title
    return _cut(whole)


def _name(names: Sequence[Sequence[tuple[str, str]]]) -> str:
    """The name that most of the articles have; "" where none stands out."""
    count: Counter[str] = Counter()
    for one in names:
        for name in {_clean(name) for kind, name in one if kind != "date"}:
            if name:
                count[name] += 1
    ranked = sorted(count.items(), key=lambda one: (-one[1], -len(one[0]), one[0]))
    if not ranked or ranked[0][1] < max(2, NAMED * len(names)):
        return ""
    return ranked[0][0]


def _words(articles: Sequence[TopicArticle], centre: Terms) -> list[str]:
    """The heaviest terms of a centre, each as the word that it is printed as most often."""
    forms: dict[str, Counter[str]] = {}
    for one in articles[:50]:
        for term, word in printed(f"{one.title}\n{one.text[:1_500]}", one.language):
            if term in centre:
                forms.setdefault(term, Counter())[_clean(word)] += 1
    ranked = sorted(centre.items(), key=lambda one: (-one[1], one[0]))
    # Several terms may be of one word in scripts without spaces.
    words = dict.fromkeys(_common(forms[term]) for term, _weight in ranked if term in forms)
    return list(words)[: 4 * LABEL_TERMS]


def _inside(word: str, name: str) -> bool:
    """Whether a name contains a word of a script without spaces."""
    return word in name and not word.isascii()


def _common(forms: Counter[str]) -> str:
    """The form that is printed most; of a word that also stands in lower case, that."""
    word = min(forms, key=lambda one: (-forms[one], one))
    return word.lower() if word.lower() in forms and not word.isupper() else word


def _clean(text: str) -> str:
    return " ".join(_MARKS.sub(" ", text).split())[:LONGEST_LABEL]


def _cut(text: str) -> str:
    """Whole words, up to the longest label."""
    text = " ".join(_MARKS.sub(" ", text).split())
    if len(text) <= LONGEST_LABEL:
        return text
    return text[:LONGEST_LABEL].rpartition(" ")[0].rstrip(",:; ") or text[:LONGEST_LABEL]


# The centres of two windows are of one matter from this cosine on.
SAME = 0.5


def matched(known: Mapping[str, Terms], found: Sequence[Terms], least: float = SAME) -> list[str]:
    """For each centre the key of the nearest known one that no nearer centre took; else ""."""
    having: dict[str, list[tuple[str, float]]] = {}
    for key, own in known.items():
        for term, value in own.items():
            having.setdefault(term, []).append((key, value))
    pairs = []
    for place, centre in enumerate(found):
        near: dict[str, float] = {}
        for term, value in sorted(centre.items()):
            for key, other in having.get(term, ()):
                near[key] = near.get(key, 0.0) + value * other
        pairs += [(-round(one, 9), place, key) for key, one in near.items() if one >= least]
    names = [""] * len(found)
    taken: set[str] = set()
    for _less, place, key in sorted(pairs):
        if not names[place] and key not in taken:
            names[place] = key
            taken.add(key)
    return names


def cosine(one: Terms, other: Terms) -> float:
    """Of two vectors of length 1."""
    few, many = sorted((one, other), key=len)
    return sum(value * many.get(term, 0.0) for term, value in few.items())
