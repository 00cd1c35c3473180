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
from typing import TYPE_CHECKING

from newsloom.brief.translating import translated
from newsloom.errors import SettingsError, TranslationError
from newsloom.reader.briefs import ComposedBrief
from newsloom.types import BriefWish, TranslationQuestion

if TYPE_CHECKING:
    from newsloom.app import App
    from newsloom.llm.runner import LlmRunner
    from newsloom.ports import Translator

log = logging.getLogger(__name__)

Compose = Callable[[BriefWish], tuple[ComposedBrief, ...]]


def in_languages(
    compose: Compose, wish: BriefWish, translator: Translator | None
) -> tuple[ComposedBrief, ...]:
    """Briefs of what is wished: with a translator the same one in each language, else, or where it
    fails, each of the articles in its language, as their notices say."""
    if translator is None or len(wish.languages) < 2:
        return compose(wish)
    first = compose(replace(wish, languages=wish.languages[:1]))
    if not first:
        return compose(wish)
    found = [first[0]]
    for target in wish.languages[1:]:
        try:
            script = translated(first[0].script, translator, target)
        except TranslationError as error:
            log.warning("a brief is not translated: %s", error)
            return compose(wish)
        found.append(ComposedBrief(script, first[0].memory))
    return tuple(found)


def translator(app: App) -> Translator | None:
    """What the settings name; None: nothing. Raises SettingsError for another name."""
    name = app.settings.brief.translator
    if not name:
        return None
    made = _TRANSLATORS.get(name)
    if made is None:
        raise SettingsError(
            f"brief.translator is one of {', '.join(_TRANSLATORS)}, not {name!r:.40}."
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
        from newsloom.llm.purposes.translation import MOST_SENTENCES, TRANSLATION

        found: list[str] = []
        words = ""
        async with self.runner() as runner:
            for start in range(0, len(sentences), MOST_SENTENCES):
                some = tuple(sentences[start : start + MOST_SENTENCES])
                question = TranslationQuestion(0, 0, source, target, some)
                outcome = await runner.ask(TRANSLATION, question, keep=False)
                words = words or outcome.words
                found += outcome.answer or [""] * len(some)
        if words and not any(found):
            raise TranslationError(f"{self.translator_id} translates nothing: {words}")
        return found


def _by_language_model(app: App) -> Translator:
    settings = app.settings.language_model
    if not (settings.url and settings.model):
        raise SettingsError('brief.translator = "language-model" wants language_model.url, .model.')
    return ChatTranslator(settings.model, app.llm_runner)


def _by_server(app: App) -> Translator:
    chosen = app.settings.translation_server
    if not (chosen.url and chosen.model):
        raise SettingsError('brief.translator = "server" wants translation_server.url, .model.')
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
    from newsloom.models.translators import ArgosTranslator

    return ArgosTranslator()


_TRANSLATORS: dict[str, Callable[[App], Translator]] = {
    "language-model": _by_language_model,
    "server": _by_server,
    "argos": _by_argos,
}
