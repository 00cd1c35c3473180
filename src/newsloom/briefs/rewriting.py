"""A chapter of a script in the sentences of a language model that stand on its articles. Pure.

`digest.checks.checked` has held them against the articles. Where one did not stand, sentences of
the articles take its place, and who reports them is said before, as everywhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from newsloom.briefs.cleaning import spoken, spoken_name
from newsloom.briefs.languages import language_of, written_with
from newsloom.briefs.phrases import phrases
from newsloom.briefs.values import BriefChapter, BriefLine, BriefScript, LineKind
from newsloom.digests.values import Checked, DigestArticle, Sentence, WrittenSentence
from newsloom.kernel.ids import ArticleId
from newsloom.summaries.checks.checked import check
from newsloom.summaries.dated import in_days
from newsloom.summaries.ranking import alike
from newsloom.summaries.said import length, said

# A chapter that a model wrote is filled up to so much of the words that it had, and has so much at
# least, so that the length stands also after two answers.
FULL, LEAST = 1.0, 0.95
SAME = 0.5


def chapters_of_news(script: BriefScript) -> tuple[int, ...]:
    """The chapters that a language model is asked to write: all but the opening and the close."""
    return tuple(number for number, one in enumerate(script.chapters) if one.key)


def words_of(lines: Sequence[BriefLine]) -> int:
    """All that are spoken."""
    return sum(length(one.text) for one in lines)


def judged(
    written: Sequence[WrittenSentence], articles: Sequence[DigestArticle], words: int, language: str
) -> Checked:
    """What of an answer stands on the articles and is written in the brief's language."""
    right = [
        one
        for one in written
        if written_with(one.text, language) and language_of(one.text, language) == language
    ]
    return check(right, articles, words)


def rewritten(
    script: BriefScript, number: int, checked: Checked, model: str
) -> tuple[BriefScript, bool]:
    """The script with a chapter's news as checked, and whether any of it is the model's.

    Where nothing of the answer stood, another answer's sentences that stand there have more words,
    or the chapter would be shorter, it stays as it was.
    """
    chapter = script.chapters[number]
    own = [one for one in checked.written if spoken(one.text) == one.text]
    before = sum(length(one.text) for one in chapter.lines if one.written_by)
    if not own or sum(length(one.text) for one in own) < before:
        return script, False
    lines = _lines(script, chapter, checked.sentences, {one.text for one in own}, model)
    if words_of(lines) < LEAST * words_of(chapter.lines):
        return script, False
    chapters = list(script.chapters)
    chapters[number] = replace(chapter, lines=tuple(lines))
    return replace(script, chapters=tuple(chapters)), True


def _lines(
    script: BriefScript,
    chapter: BriefChapter,
    sentences: Sequence[Sentence],
    own: set[str],
    model: str,
) -> list[BriefLine]:
    """Its first announcement, the sentences, and its own until it is as long as it was."""
    starts = [chapter.lines[0]] if chapter.lines[0].kind is LineKind.TRANSITION else []
    if starts and len(chapter.lines) > 1 and chapter.lines[1].kind is LineKind.NEWS:
        starts = []  # it says who reports
    articles = {one.id: one for one in script.articles}
    news: list[BriefLine] = []
    for one in sentences:
        text = one.text if one.text in own else spoken(one.text)
        if text and not one.disagrees:
            by = model if one.text in own else ""
            if one.articles and one.articles[0] in articles:
                article = articles[one.articles[0]]
                text = in_days(text, article, script.day, script.language)
            news.append(BriefLine(text, LineKind.NEWS, one.articles, by))
    news += _more(chapter, news, script.language)
    return [*starts, *_attributed(news, script)]


def _more(chapter: BriefChapter, news: Sequence[BriefLine], language: str) -> list[BriefLine]:
    """Sentences of the articles that say something else."""
    words = sum(length(one.text) for one in news)
    known = [said(one.text, language) for one in news]
    found: list[BriefLine] = []
    for one in chapter.lines:
        if words >= FULL * words_of(chapter.lines):
            break
        says = said(one.text, language)
        plain = one.kind is LineKind.NEWS and not one.written_by
        if plain and not any(alike(says, other) >= SAME for other in known):
            found.append(one)
            known.append(says)
            words += length(one.text)
    return found


def _attributed(news: Iterable[BriefLine], script: BriefScript) -> list[BriefLine]:
    """Who reports is said before what is not the model's."""
    articles = {one.id: one for one in script.articles}
    reports = phrases(script.language).reports
    found: list[BriefLine] = []
    publisher, turn = "", 0
    for one in news:
        name = "" if one.written_by else _name(articles, one.articles)
        if name and name != publisher:
            found.append(BriefLine(reports[turn % len(reports)].format(name), LineKind.TRANSITION))
            turn += 1
        publisher = name
        found.append(one)
    return found


def _name(articles: dict[ArticleId, DigestArticle], ids: Sequence[ArticleId]) -> str:
    known = next((articles[one] for one in ids if one in articles), None)
    return spoken_name(known.publisher, known.source) if known else ""
