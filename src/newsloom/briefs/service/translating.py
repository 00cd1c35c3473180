"""What translates briefs, as the settings have it, and briefs in two languages by it.

A language model is asked through the runner of its questions, so that the day's tokens, its pauses
and the audit hold for translations too; a translation server is asked in the same way, with no
limit of its own.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, replace
from math import ceil
from typing import TYPE_CHECKING

from newsloom.briefs.fitting import word_count
from newsloom.briefs.service.briefs import ComposedBrief
from newsloom.briefs.translating import nobody, translated
from newsloom.briefs.values import BriefScript, BriefWish, TranslationQuestion
from newsloom.kernel.errors import SettingsError, TranslationError

if TYPE_CHECKING:
    from newsloom.app import App
    from newsloom.briefs.ports import Translator
    from newsloom.llm.service.runner import LlmRunner

log = logging.getLogger(__name__)

Compose = Callable[[BriefWish], tuple[ComposedBrief, ...]]


def in_languages(
    compose: Compose,
    wish: BriefWish,
    translator: Translator | None,
    rate: Callable[[str], float] | None = None,
) -> tuple[ComposedBrief, ...]:
    """Briefs of what is wished: with a translator the same one in each language, else, or where it
    fails, each of the articles in its language, as their notices say.

    `rate` is words a minute by language: a translation is fitted to the time of its own voice.
    """
    if translator is None or len(wish.languages) < 2:
        return compose(wish)
    alone = replace(wish, languages=wish.languages[:1])
    first = compose(alone)
    if not first:
        return compose(wish)
    brief = first[0]

    def longer(times: float) -> BriefScript | None:
        more = compose(replace(alone, minutes=ceil(wish.minutes * times)))
        return more[0].script if more else None

    found = [brief]
    for target in wish.languages[1:]:
        # What the first is long, the other is: on a day of little news both are short.
        full = (
            word_count(brief.script) / (wish.minutes * rate(brief.script.language)) if rate else 0.0
        )
        room = round(min(full, 1.0) * wish.minutes * rate(target)) if rate else 0
        try:
            script = translated(
                brief.script,
                translator,
                target,
                room=room,
                longer=longer,
                people=people_of(brief.script.language),
            )
        except TranslationError as error:
            log.warning("a brief is not translated: %s", error)
            return compose(wish)
        found.append(ComposedBrief(script, brief.memory))
    return tuple(found)


def people_of(language: str) -> Callable[[str], Sequence[str]]:
    """Who a sentence names, by the shipped finder of names; it knows English alone."""
    if language != "en":
        return nobody

    def people(sentence: str) -> Sequence[str]:
        from newsloom.articles.entities.finder import recognizer

        (found,) = recognizer().recognise([sentence])
        return [one.name for one in found if one.kind == "person"]

    return people


def translator(app: App) -> Translator | None:
    """What the settings name; None: nothing. Raises SettingsError for another name."""
    name = app.settings.brief.translator
    if not name:
        return None
    made = _TRANSLATORS.get(name)
    if made is None:
        raise SettingsError(
            f"brief.translator must be one of {', '.join(_TRANSLATORS)}, not {name!r:.40}."
        )
    return made(app)


@dataclass(frozen=True, slots=True)
class ChatTranslator:
    """A ports.Translator that asks a chat server."""

    translator_id: str
    runner: Callable[[], AbstractAsyncContextManager[LlmRunner]]

    def languages(self) -> None:
        """Any pair may be asked for."""

    def translate(self, sentences: Sequence[str], source: str, target: str) -> list[str]:
        """One for each, in order; "" where nothing usable came. Raises TranslationError.

        Not within a running event loop.
        """
        return asyncio.run(self._translate(sentences, source, target))

    async def _translate(self, sentences: Sequence[str], source: str, target: str) -> list[str]:
        from newsloom.briefs.purposes.translation import MOST_SENTENCES, TRANSLATION
        from newsloom.llm.values import UNUSABLE

        found: list[str] = []
        words = ""
        async with self.runner() as runner:
            for start in range(0, len(sentences), MOST_SENTENCES):
                some = tuple(sentences[start : start + MOST_SENTENCES])
                question = TranslationQuestion(0, 0, source, target, some)
                outcome = await runner.ask(TRANSLATION, question, keep=False)
                words = words or outcome.words
                if outcome.answer is None and outcome.words.startswith(UNUSABLE) and some[1:]:
                    # Weak models lose count: each by itself.
                    for one in some:
                        alone = replace(question, sentences=(one,))
                        outcome = await runner.ask(TRANSLATION, alone, keep=False)
                        found += outcome.answer or [""]
                    continue
                found += outcome.answer or [""] * len(some)
        if words and not any(found):
            raise TranslationError(f"{self.translator_id} cannot translate: {words}")
        return found


def _by_language_model(app: App) -> Translator:
    settings = app.settings.language_model
    if not (settings.url and settings.model):
        raise SettingsError(
            'brief.translator = "language-model" needs language_model.url and .model.'
        )
    return ChatTranslator(settings.model, app.llm_runner)


def _by_server(app: App) -> Translator:
    chosen = app.settings.translation_server
    if not (chosen.url and chosen.model):
        raise SettingsError('brief.translator = "server" needs translation_server.url and .model.')
    model = replace(
        app.settings.language_model,
        url=chosen.url,
        model=chosen.model,
        key=chosen.key,
        timeout_seconds=chosen.timeout_seconds,
        daily_tokens=0,
    )
    other = replace(app, settings=replace(app.settings, language_model=model))

    @asynccontextmanager
    async def runner() -> AsyncIterator[LlmRunner]:
        async with other.llm_runner() as found:
            yield found

    return ChatTranslator(chosen.model, runner)


def _by_argos(_app: App) -> Translator:
    from newsloom.briefs.translators import ArgosTranslator

    return ArgosTranslator()


_TRANSLATORS: dict[str, Callable[[App], Translator]] = {
    "language-model": _by_language_model,
    "server": _by_server,
    "argos": _by_argos,
}
