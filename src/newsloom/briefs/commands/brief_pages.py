"""What the pages of briefs are given by `serve`."""

from __future__ import annotations

from newsloom.app.reader import Reader
from newsloom.briefs.pages.actions import BriefActions
from newsloom.briefs.service.briefing import Briefing, pronunciation_sample
from newsloom.briefs.values import BriefId, BriefWish
from newsloom.briefs.voices import installing
from newsloom.briefs.voices import registry as voices
from newsloom.kernel.errors import ModelError, UserError, VoiceError
from newsloom.kernel.ids import UserId


def brief_actions(briefs: Briefing) -> BriefActions:
    """Pages make briefs, which the same process speaks, and hear how a word is said."""
    settings = briefs.settings

    def make(reader: Reader, wish: BriefWish, zone: str) -> tuple[BriefId, ...]:
        return briefs.make(reader.user, wish, zone)

    def hear(user: UserId, text: str, language: str) -> bytes:
        return pronunciation_sample(
            settings, text, language, briefs.store.briefs.pronunciations(user)
        )

    def install(name: str) -> str:
        try:
            made = installing.install(settings, name, lambda _words: None)
        except (ModelError, VoiceError) as error:
            raise UserError(str(error)) from error  # an administrator may read it
        return f"{made.name} installed."

    named = (settings.brief.voice, *voices.by_language(settings.brief.voices).values(), "espeak")
    return BriefActions(
        folder=briefs.speaking.folder,
        make=make,
        hear=hear,
        usual=BriefWish((settings.brief.language,), settings.brief.minutes),
        voices=tuple(one for one in dict.fromkeys(named) if one != voices.AUTO),
        piper_voices=lambda: installing.listed(settings),
        install=install,
        days_kept=settings.brief.days_kept,
    )
