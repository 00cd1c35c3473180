"""What the pages of briefs are given by `serve`."""

from __future__ import annotations

from newsloom.app.reader import Reader
from newsloom.briefs.pages.actions import BriefActions
from newsloom.briefs.service.briefing import Briefing, pronunciation_sample
from newsloom.briefs.values.briefs import BriefId, BriefWish
from newsloom.briefs.voices import registry as voices
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

    named = (settings.brief.voice, *voices.by_language(settings.brief.voices).values(), "espeak")
    return BriefActions(
        folder=briefs.speaking.folder,
        make=make,
        hear=hear,
        usual=BriefWish((settings.brief.language,), settings.brief.minutes),
        voices=tuple(dict.fromkeys(named)),
        days_kept=settings.brief.days_kept,
    )
