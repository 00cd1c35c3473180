"""What a language model makes of every purpose: how often its answers are usable and
why not, what they cost, and which of its sentences the checks let through.

Questions are made of labelled articles and go by the program's own runner, in a store of their own,
whose clock is turned where the runner rests. The rest is read off the audit rows.
"""

from __future__ import annotations

import asyncio
import re
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from statistics import median
from typing import Any

from sqlalchemy import select

from newsloom.app import open_app, utc_now
from newsloom.app.purposes import PURPOSES
from newsloom.briefs.rewriting import judged
from newsloom.briefs.service.translating import people_of
from newsloom.briefs.translating import lost, reason_against
from newsloom.briefs.values import ChapterQuestion, TranslationQuestion
from newsloom.coverage.relevance import accepts
from newsloom.coverage.values import CoverageQuestion
from newsloom.digests.values import Checked, DigestArticle, SummaryQuestion
from newsloom.kernel.errors import UserError
from newsloom.kernel.ids import ArticleId, CandidateId
from newsloom.kernel.settings import Settings
from newsloom.kernel.text.sentences import sentences
from newsloom.llm.breaker import REST
from newsloom.llm.purpose import Purpose
from newsloom.llm.service.runner import LlmRunner, Stop
from newsloom.llm.store.tables import model_calls
from newsloom.llm.values import OK, UNANSWERED, UNUSABLE, ArticleQuestion
from newsloom.ranking.measure.articles import LabelledArticle, as_text
from newsloom.stories.purposes.wording import checked as checked_words
from newsloom.stories.values.pages import (
    OfferedStory,
    StoryId,
    StoryQuestion,
    StoryWordsQuestion,
    ThreadId,
)
from newsloom.stories.values.threads import OfferedThread, ThreadQuestion
from newsloom.summaries.checks.checked import check
from newsloom.summaries.credited import credited

QUESTIONS = 20  # of each purpose
OFFERED = 5  # stories or threads of a question; the first is the right one in half of them
A_CHAPTER = 3  # stories
SUMMARY_WORDS, CHAPTER_WORDS = 75, 150
SHOWN_LEAD = 400  # characters
TRANSLATED = 5  # sentences of a question
LANGUAGES = ("de", "fr", "es", "ko")


@dataclass(frozen=True, slots=True)
class Shown:
    """A sentence that the checks let through, to be read beside what it rests on."""

    purpose: str
    text: str
    sources: tuple[str, ...]


@dataclass(slots=True)
class PurposeReport:
    """What came of the questions of one purpose."""

    questions: int = 0
    used: int = 0  # questions with a usable answer
    held_back: int = 0  # by the budget
    rests: int = 0  # of the server, after failures
    calls: int = 0
    unusable: Counter[str] = field(default_factory=Counter)  # calls, by why
    unanswered: Counter[str] = field(default_factory=Counter)
    right: Counter[bool] = field(default_factory=Counter)  # answers beside their labels
    written: int = 0  # sentences
    refused: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)  # of each call
    tokens: list[int] = field(default_factory=list)  # of each call, in and out

    @property
    def seconds_median(self) -> float:
        return median(self.seconds) if self.seconds else 0.0

    @property
    def tokens_median(self) -> int:
        return round(median(self.tokens)) if self.tokens else 0

    @property
    def shown(self) -> int:
        """Sentences that the checks let through."""
        return self.written - self.refused.total()


@dataclass(frozen=True, slots=True)
class LanguageModelReport:
    """By purpose, and every sentence that was let through."""

    service: str
    purposes: Mapping[str, PurposeReport]
    shown: tuple[Shown, ...]


@dataclass(frozen=True, slots=True)
class _Story:
    """Labelled articles on one event."""

    number: int
    articles: tuple[DigestArticle, ...]


# What of an answer is shown, and how it stands to the labels, is noted in the report.
Note = Callable[[Any, PurposeReport, list[Shown]], None]


@dataclass(frozen=True, slots=True)
class _Case:
    question: Any
    note: Note


def run(
    articles: Sequence[LabelledArticle],
    settings: Settings,
    questions: int = QUESTIONS,
    only: Sequence[str] = (),
    progress: Callable[[str], None] = lambda _words: None,
) -> LanguageModelReport:
    """Ask so many questions of each purpose; `only` names some. Raises UserError."""
    model = settings.language_model
    if not (model.url and model.model):
        raise UserError("Set language_model.url and language_model.model.")
    stories = _stories(articles)
    if len(stories) <= OFFERED:
        raise UserError(f"More than {OFFERED} stories of two articles are needed.")
    unknown = set(only) - {one.name for one in PURPOSES}
    if unknown:
        raise UserError(f"There is no purpose {min(unknown)!r}.")
    with tempfile.TemporaryDirectory() as folder:
        store = replace(settings.store, path=Path(folder) / "models.db", url="")
        clock = _Clock(utc_now())
        app = open_app(replace(settings, store=store), now=lambda: clock.now)
        try:
            wanted = [one for one in PURPOSES if not only or one.name in only]
            reports = {one.name: PurposeReport() for one in wanted}
            shown: list[Shown] = []

            async def ask() -> None:
                async with app.llm_runner() as runner:
                    for one in wanted:
                        cases = CASES[one.name](stories)[:questions]
                        for at, case in enumerate(cases, 1):
                            progress(f"{one.name} {at}/{len(cases)}")
                            await _ask(runner, one, case, reports[one.name], shown, clock)

            asyncio.run(ask())
            with app.store.database.read() as connection:
                for row in connection.execute(select(model_calls)):
                    _count(reports[row.purpose], row)
        finally:
            app.close()
    return LanguageModelReport(f"{model.model} at {model.url}", reports, tuple(shown))


@dataclass
class _Clock:
    now: datetime


async def _ask(
    runner: LlmRunner,
    purpose: Purpose[Any, Any],
    case: _Case,
    report: PurposeReport,
    shown: list[Shown],
    clock: _Clock,
) -> None:
    report.questions += 1
    outcome = await runner.ask(purpose, case.question, keep=False)
    if outcome.stops is Stop.ALL:
        report.rests += 1
        clock.now += REST
        outcome = await runner.ask(purpose, case.question, keep=False)
    report.held_back += outcome.stops is not Stop.NOTHING
    if outcome.answer is not None:
        report.used += 1
        case.note(outcome.answer, report, shown)


def _count(report: PurposeReport, row: Any) -> None:
    report.calls += 1
    report.seconds.append(row.seconds)
    report.tokens.append(row.tokens_in + row.tokens_out)
    if row.verdict != OK:
        kind = report.unanswered if row.verdict.startswith(UNANSWERED) else report.unusable
        kind[alike(row.verdict.removeprefix(UNANSWERED).removeprefix(UNUSABLE))] += 1


_OWN = re.compile(r"“[^”]*”|\d[\d.,]*")
_NAMED = re.compile(r"^(the (?:name|number|date)) .+? (is not there|counts)")


def alike(reason: str) -> str:
    """A reason without what is particular to one sentence."""
    return _NAMED.sub(r"\1 … \2", _OWN.sub("…", reason))


def _stories(articles: Sequence[LabelledArticle]) -> list[_Story]:
    """Those of two articles and more, in the order of the file."""
    by_label: dict[str, list[DigestArticle]] = {}
    for number, one in enumerate(articles, 1):
        if one.story and one.title and one.body:
            whole = credited(replace(as_text(one), id=ArticleId(number)))
            by_label.setdefault(one.story, []).append(whole)
    several = [tuple(those) for those in by_label.values() if len(those) > 1]
    return [_Story(number, those) for number, those in enumerate(several, 1)]


def _text(one: DigestArticle) -> str:
    return f"{one.title}\n{one.text}"


def _sources(of: Sequence[DigestArticle], ids: Sequence[ArticleId]) -> tuple[str, ...]:
    return tuple(_text(one) for one in of if one.id in ids)


def _sentences(name: str, articles: Sequence[DigestArticle], found: Checked) -> list[Shown]:
    return [Shown(name, one.text, _sources(articles, one.articles)) for one in found.written]


def _noted(name: str, articles: Sequence[DigestArticle], judge: Callable[[Any], Checked]) -> Note:
    def note(answer: Any, report: PurposeReport, shown: list[Shown]) -> None:
        found = judge(answer)
        report.written += len(found.written) + len(found.refused)
        report.refused.update(alike(one.reason) for one in found.refused)
        shown += _sentences(name, articles, found)

    return note


def _briefs(stories: Sequence[_Story]) -> list[_Case]:
    found = []
    for start in range(0, len(stories) - A_CHAPTER, A_CHAPTER):
        those = tuple(one.articles[0] for one in stories[start : start + A_CHAPTER])
        tongue = those[0].language
        found.append(
            _Case(
                ChapterQuestion(0, start, those, CHAPTER_WORDS, tongue),
                _noted(
                    "brief",
                    those,
                    lambda answer, those=those, tongue=tongue: judged(  # type: ignore[misc]
                        answer, those, CHAPTER_WORDS, tongue
                    ),
                ),
            )
        )
    return found


def _summaries(stories: Sequence[_Story]) -> list[_Case]:
    return [
        _Case(
            SummaryQuestion(0, str(one.number), one.articles, SUMMARY_WORDS),
            _noted(
                "summary",
                one.articles,
                lambda answer, one=one: check(  # type: ignore[misc]
                    answer, one.articles, SUMMARY_WORDS
                ),
            ),
        )
        for one in stories
    ]


def _wordings(stories: Sequence[_Story]) -> list[_Case]:
    def noting(story: _Story) -> Note:
        def note(answer: Any, report: PurposeReport, shown: list[Shown]) -> None:
            found = checked_words(answer, story.articles, "")
            report.written += 1 + len(answer.sentences)
            report.refused["the title does not stand"] += not found.title
            kept = sentences(found.summary)
            own = {" ".join(one.text.split()) for one in answer.sentences}
            said = [one for one in kept if one in own]
            report.refused["a sentence does not stand"] += len(answer.sentences) - len(said)
            everything = tuple(map(_text, story.articles))
            shown += [Shown("wording", one, everything) for one in (found.title, *said) if one]

        return note

    return [
        _Case(StoryWordsQuestion(StoryId(one.number), 0, one.articles), noting(one))
        for one in stories
    ]


def _translations(stories: Sequence[_Story]) -> list[_Case]:
    def noting(question: TranslationQuestion) -> Note:
        def note(answer: Any, report: PurposeReport, shown: list[Shown]) -> None:
            people = people_of(question.source)
            for original, text in zip(question.sentences, answer, strict=True):
                report.written += 1
                reason = reason_against(original, text, question.source, question.language)
                if not reason and lost(people(original), text):
                    reason = "it does not name a person"
                if reason:
                    report.refused[alike(reason)] += 1
                else:
                    shown.append(Shown(f"translation {question.language}", text, (original,)))

        return note

    found = []
    for at, story in enumerate(stories):
        lead = story.articles[0]
        said = tuple(sentences(lead.text[:2_000])[:TRANSLATED])
        question = TranslationQuestion(0, 0, lead.language or "en", LANGUAGES[at % 4], said)
        found.append(_Case(question, noting(question)))
    return found


def _right(expected: Callable[[Any], bool]) -> Note:
    def note(answer: Any, report: PurposeReport, _shown: list[Shown]) -> None:
        report.right[expected(answer)] += 1

    return note


def _nothing(_answer: Any, _report: PurposeReport, _shown: list[Shown]) -> None:
    """Nothing is known of what would be right."""


def _others(stories: Sequence[_Story], at: int) -> Iterator[tuple[_Story, bool]]:
    """Stories that are offered: the right one among them every other time."""
    if at % 2:
        yield stories[at], True
    for step in range(1, OFFERED):
        yield stories[(at + step) % len(stories)], False


def _placements(stories: Sequence[_Story]) -> list[_Case]:
    found = []
    for at, story in enumerate(stories):
        article, offered = story.articles[0], list(_others(stories, at))
        right = StoryId(story.number) if at % 2 else None
        question = StoryQuestion(
            article=article.id,
            title=article.title,
            lead=article.text[:SHOWN_LEAD],
            dated=article.published,
            story=None,
            offered=tuple(
                OfferedStory(StoryId(one.number), one.articles[-1].title, 0.5, 0.5)
                for one, _same in offered
            ),
            recent=tuple((one.articles[-1].title,) for one, _same in offered),
        )
        found.append(_Case(question, _right(lambda answer, right=right: answer.story == right)))  # type: ignore[misc]
    return found


def _threads(stories: Sequence[_Story]) -> list[_Case]:
    found = []
    for at, story in enumerate(stories):
        article, offered = story.articles[0], list(_others(stories, at))
        right = ThreadId(story.number) if at % 2 else None
        question = ThreadQuestion(
            story=StoryId(0),
            title=article.title,
            lead=article.text[:SHOWN_LEAD],
            dated=article.published,
            thread=None,
            offered=tuple(
                OfferedThread(
                    ThreadId(one.number),
                    one.articles[-1].title,
                    one.articles[-1].title,
                    (),
                    one.articles[-1].published,
                    one.articles[-1].published,
                    1,
                )
                for one, _same in offered
            ),
            candidates=(),
        )
        found.append(_Case(question, _right(lambda answer, right=right: answer.thread == right)))  # type: ignore[misc]
    return found


def _coverage(stories: Sequence[_Story]) -> list[_Case]:
    found = []
    for at, story in enumerate(stories):
        same = at % 2 == 1
        page = story.articles[-1] if same else stories[(at + 1) % len(stories)].articles[-1]
        question = CoverageQuestion(
            CandidateId(at), _plain(story.articles[0]), page.title, page.source, page.text, 0.5
        )
        found.append(_Case(question, _right(lambda answer, same=same: accepts(answer) is same)))  # type: ignore[misc]
    return found


def _plain(one: DigestArticle) -> Any:
    return as_text(
        LabelledArticle(
            id=str(one.id),
            title=one.title,
            text=one.text,
            source=one.source,
            language=one.language,
            published=one.published,
        )
    )


def _searches(stories: Sequence[_Story]) -> list[_Case]:
    return [_Case(_plain(one.articles[0]), _nothing) for one in stories]


def _ratings(stories: Sequence[_Story]) -> list[_Case]:
    return [_Case(ArticleQuestion(_plain(one.articles[0]), 1), _nothing) for one in stories]


CASES: Mapping[str, Callable[[Sequence[_Story]], list[_Case]]] = {
    "brief": _briefs,
    "translation": _translations,
    "summary": _summaries,
    "story": _placements,
    "thread": _threads,
    "wording": _wordings,
    "coverage": _coverage,
    "preprocess": _searches,
    "sensitivity": _ratings,
}
