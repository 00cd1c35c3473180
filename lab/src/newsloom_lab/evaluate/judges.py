"""What language models of every kind make of the stories of a file: a good one, scripted by the
labels; one that errs now and then, recorded and replayed; liars, slow, refusing and hostile ones.

Each goes by the product's own path: its words are read by the purpose, believed by its controls,
and move an article as an answer in the store would. Nothing is asked of any server.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import cycle

from newsloom.kernel.ids import ArticleId
from newsloom.llm.purpose import Unusable
from newsloom.ranking.measure.articles import LabelledArticle
from newsloom.ranking.ports import Embedder
from newsloom.stories import judging
from newsloom.stories.linking import Linker
from newsloom.stories.prepared import Prepared
from newsloom.stories.purposes.story import STORY
from newsloom.stories.values.pages import (
    StoryAnswer,
    StoryAsk,
    StoryChoice,
    StoryId,
    StoryQuestion,
)
from newsloom_lab.evaluate import streams
from newsloom_lab.evaluate.stories import StoryMeasures, measures

_RECENT = 3

# The words of a model; None: it does not answer in time.
Says = Callable[[StoryQuestion, StoryAnswer], str | None]


@dataclass(frozen=True, slots=True)
class Judged:
    """How one model does."""

    measures: StoryMeasures
    asked: int  # borderline cases
    controls: int
    agreement: float | None  # share of the borderline answers that are as the labels have it
    unusable: int  # answers that could not be read, and none at all
    taken: int  # articles that moved by its word
    believed: bool  # in the end


@dataclass(frozen=True, slots=True)
class JudgesReport:
    """Without a model, and with each."""

    articles: int
    without: StoryMeasures
    judges: Mapping[str, Judged]


def scripted(right: StoryAnswer, question: StoryQuestion) -> str:
    """An answer as a model writes it that follows the rules."""
    places = {one.story: place for place, one in enumerate(question.offered, 1)}
    return json.dumps(
        {
            "choice": str(right.choice),
            "story": places[right.story] if right.story is not None else 0,
            "reason": "It reports the same event.",
            "confidence": 0.9,
            "relation": "direct" if right.choice is StoryChoice.ASSIGN else "none",
        }
    )


def _good(question: StoryQuestion, right: StoryAnswer) -> str:
    return scripted(right, question)


def _lying(question: StoryQuestion, right: StoryAnswer) -> str:
    return scripted(_opposite(question, right), question)


def _sly(question: StoryQuestion, right: StoryAnswer) -> str:
    """Right where it is tested, wrong where it counts: it would have to know which is which."""
    return _good(question, right) if question.control else _lying(question, right)


def _opposite(question: StoryQuestion, right: StoryAnswer) -> StoryAnswer:
    if right.choice is StoryChoice.ASSIGN or not question.offered:
        return StoryAnswer(StoryChoice.NEW, None, "", 0.9, "none")
    return StoryAnswer(StoryChoice.ASSIGN, question.offered[-1].story, "", 0.9, "direct")


def _first(question: StoryQuestion, _right: StoryAnswer) -> str:
    """The same for all (L18)."""
    answer = StoryAnswer(StoryChoice.ASSIGN, question.offered[0].story, "", 0.9, "direct")
    return scripted(answer, question)


def _guessing() -> Says:
    chance = random.Random(7)

    def says(question: StoryQuestion, _right: StoryAnswer) -> str:
        story = chance.choice([None, *(one.story for one in question.offered)])
        choice = StoryChoice.NEW if story is None else StoryChoice.ASSIGN
        return scripted(StoryAnswer(choice, story, "", 0.9, "direct"), question)

    return says


def _fallible() -> Says:
    """Wrong once in twenty times, by chance."""
    chance = random.Random(11)

    def says(question: StoryQuestion, right: StoryAnswer) -> str:
        wrong = chance.random() < 0.05
        return scripted(_opposite(question, right) if wrong else right, question)

    return says


# As facts on reliability have them, L06 to L14, L18, L19, L21: what is said instead of an answer.
HOSTILE = (
    "<html><body>Sign in</body></html>",
    '{"choice": "assign", "story": 1, "reason": "',
    '```json\n{"choice": "new"}\n```',
    'Sure! {"choice": "assign", "story": 1}',
    '{"choice": "assign", "story": 999, "reason": "x", "confidence": 1, "relation": "direct"}',
    '{"choice": "assign", "story": "1", "reason": "x", "confidence": 1, "relation": "direct"}',
    '{"choice": "assign", "story": 1, "reason": "x", "confidence": NaN, "relation": "direct"}',
    '{"choice": "assign", "story": 1, "reason": "x", "confidence": 7, "relation": "direct"}',
    '{"choice": "assign", "story": -1, "reason": "x", "confidence": 1, "relation": "direct"}',
    '{"choice": "delete", "story": 1, "reason": "x", "confidence": 1, "relation": "direct"}',
    '{"choice": "new", "story": 2, "reason": "x", "confidence": 1, "relation": "none"}',
    '{"choice": "assign", "choice": "new", "story": 1, "reason": "", "confidence": 1, '
    '"relation": "direct"}',
    '{"choice": "assign", "story": 1, "reason": "x", "confidence": 1, "relation": "direct", '
    '"__proto__": {}}',
    '{"choice": "new", "story": 0, "reason": "<script>alert(1)</script>![](http://x.test/?q=1)", '
    '"confidence": 1, "relation": "none"}',
    "[" * 5_000,
    "I cannot help with that.",
    "",
    "x" * 20_000,
)


def _hostile() -> Says:
    said = cycle(HOSTILE)
    return lambda _question, _right: next(said)


_ABSTAINS = StoryAnswer(StoryChoice.ABSTAIN, None, "", 0.0, "none")

# Each made anew for a run.
JUDGES: Mapping[str, Callable[[], Says]] = {
    "good": lambda: _good,
    "fallible": _fallible,
    "lying": lambda: _lying,
    "guessing": _guessing,
    "the same for all": lambda: _first,
    "slow": lambda: lambda _question, _right: None,
    "refusing": lambda: lambda question, _right: scripted(_ABSTAINS, question),
    "hostile": _hostile,
}
# Not held to "never worse": see docs/work/decisions/stories.md.
SLY = "sly"


def run(
    articles: Sequence[LabelledArticle],
    embedder: Embedder,
    recorded: Mapping[str, str] | None = None,
    judges: Mapping[str, Callable[[], Says]] = JUDGES,
) -> JudgesReport:
    """`articles` in the order of the stream; `recorded`: answers by the id of the article, of any
    model, replayed. Without, what "fallible" said is replayed."""
    rows = streams.vectors(embedder, articles)
    batches = streams.batches(streams.pieces(articles), rows, streams.background(articles))
    gold = [one.story for one in articles]
    without, _judged, _said = _stream(batches, gold, lambda _question, _right: None)
    found: dict[str, Judged] = {}
    values: dict[str, str] = dict(recorded or {})
    for name, make in {**judges, SLY: lambda: _sly}.items():
        _measures, found[name], said = _known(batches, gold, make)
        if name == "fallible" and recorded is None:
            values = {articles[at - 1].id: words for at, words in said.items()}
    by_id = {place: one.id for place, one in enumerate(articles, 1)}

    def replayed(question: StoryQuestion, _right: StoryAnswer) -> str | None:
        return values.get(by_id[question.article])

    _measures, found["recorded"], _said = _known(batches, gold, lambda: replayed)
    return JudgesReport(len(articles), without, found)


@dataclass(slots=True)
class _Tally:
    """What came of asking so far."""

    controls: list[tuple[bool, bool]] = field(default_factory=list)
    leanings: list[bool] = field(default_factory=list)  # as the calibrated judge, or not
    asked: int = 0
    right: list[bool] = field(default_factory=list)
    unusable: int = 0
    taken: int = 0
    said: dict[ArticleId, str] = field(default_factory=dict)
    pinned: set[ArticleId] = field(default_factory=set)

    def record(self, question: StoryQuestion, answer: StoryAnswer) -> None:
        """Note what an answer says of the model."""
        if question.control:
            agreed = judging.agrees(question.story, answer.choice, answer.story)
            self.controls.append((question.story is None, agreed))
        elif (
            leaning := judging.agreement(question.story, answer.choice, answer.story, control=False)
        ) is not None:
            self.leanings.append(leaning)

    def trusted(self) -> bool:
        return judging.trusted(
            self.controls[-judging.CONTROLS :], self.leanings[-judging.BORDERLINES :]
        )


def _known(
    batches: Sequence[Sequence[Prepared]], gold: Sequence[str], make: Callable[[], Says]
) -> tuple[StoryMeasures, Judged, Mapping[ArticleId, str]]:
    """Of a model that has answered controls before: those of a first run over the same articles,
    which a product that runs for days has long had."""
    controls: list[tuple[bool, bool]] = []
    _stream(batches, gold, make(), controls)
    return _stream(batches, gold, make(), controls)


def _stream(
    batches: Sequence[Sequence[Prepared]],
    gold: Sequence[str],
    says: Says,
    controls: list[tuple[bool, bool]] | None = None,
) -> tuple[StoryMeasures, Judged, Mapping[ArticleId, str]]:
    told = _Tally([] if controls is None else controls)
    linker, last = Linker(), 0
    titles = {one.piece.id: one.piece.title for batch in batches for one in batch}
    for batch in batches:
        placing = streams.place(linker, batch, last, pinned=frozenset(told.pinned), asking=True)
        last = placing.last
        for ask in sorted(placing.questions, key=lambda one: not one.control):
            question = _question(linker, ask, titles)
            if question.offered:
                last = _ask(linker, question, gold, says, told, last)
    answer = [linker.story_of(one.piece.id) for batch in batches for one in batch]
    judged = [(label, story) for label, story in zip(gold, answer, strict=True) if label]
    result = measures([label for label, _ in judged], [story for _, story in judged])
    shares = sum(told.right) / len(told.right) if told.right else None
    report = Judged(
        result, told.asked, len(told.controls), shares, told.unusable, told.taken, told.trusted()
    )
    return result, report, told.said


def _ask(
    linker: Linker,
    question: StoryQuestion,
    gold: Sequence[str],
    says: Says,
    told: _Tally,
    last: int,
) -> int:
    """One question, and what its answer does; the last number of a story after it."""
    right = _right(linker, question, gold)
    words = says(question, right)
    told.asked += not question.control
    if words is not None:
        told.said[question.article] = words
    answer = STORY.parse(words, question) if words is not None else Unusable("it is late")
    if isinstance(answer, Unusable):
        told.unusable += 1
        return last
    told.record(question, answer)
    if question.control:
        return last
    if gold[question.article - 1]:
        told.right.append((answer.choice, answer.story) == (right.choice, right.story))
    if not (told.trusted() and judging.taken(answer)):
        return last
    if answer.choice is StoryChoice.ASSIGN and answer.story == question.story:
        told.pinned.add(question.article)
        return last
    if answer.choice is StoryChoice.ASSIGN:
        assert answer.story is not None
        if not linker.members(answer.story):
            return last
        target = answer.story
    elif answer.choice is StoryChoice.NEW and question.story is not None:
        last += 1
        target = StoryId(last)
    else:
        return last
    linker.move(question.article, target)
    told.pinned.add(question.article)
    told.taken += 1
    return last


def _right(linker: Linker, question: StoryQuestion, gold: Sequence[str]) -> StoryAnswer:
    """What the labels say: the offered story most of whose articles have this one's label."""
    label = gold[question.article - 1]
    best: tuple[int, StoryId] | None = None
    for one in question.offered:
        others = [gold[each - 1] for each in linker.members(one.story) if each != question.article]
        common, count = Counter(others).most_common(1)[0]
        if common == label and label and (best is None or count > best[0]):
            best = (count, one.story)
    if best is None:
        return StoryAnswer(StoryChoice.NEW, None, "", 0.9, "none")
    return StoryAnswer(StoryChoice.ASSIGN, best[1], "", 0.9, "direct")


def _question(linker: Linker, ask: StoryAsk, titles: Mapping[ArticleId, str]) -> StoryQuestion:
    """As stories/store/questions.py makes it."""
    members = {
        one.story: [each for each in linker.members(one.story) if each != ask.article]
        for one in ask.offered
    }
    offered = tuple(one for one in ask.offered if members[one.story])
    story = linker.story_of(ask.article)
    listed = {one.story for one in offered}
    return StoryQuestion(
        article=ask.article,
        title=titles[ask.article],
        lead="",
        dated=streams.UNDATED,
        story=story if story in listed else None,
        offered=offered,
        recent=tuple(
            tuple(titles[each] for each in members[one.story][-_RECENT:]) for one in offered
        ),
        control=ask.control,
    )
