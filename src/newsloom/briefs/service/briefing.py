"""Briefs: made when they fall due or are asked for, then spoken, then sent. In `serve`, or once.

Each step is claimed in the database, so that several processes make, speak and send each once. A
process that ends while it makes one leaves nothing behind; one that ends while it speaks leaves the
sentences it spoke, and whoever goes on speaks the others.
"""

from __future__ import annotations

import asyncio
import logging
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from newsloom.app.account_wiring import remove_sounds
from newsloom.briefs import forms
from newsloom.briefs.links import BriefLinks
from newsloom.briefs.planning import characters_of_word
from newsloom.briefs.podcast import PREFIX
from newsloom.briefs.service import briefs
from newsloom.briefs.service.speaking import Speaking, Stopped, impatient, never, speaking
from newsloom.briefs.service.translating import in_languages, translator
from newsloom.briefs.values import (
    ArchivedBrief,
    BriefId,
    BriefSchedule,
    BriefWish,
    Pronunciation,
)
from newsloom.digests.formats import clean
from newsloom.kernel import files
from newsloom.kernel.db.leases import renewing
from newsloom.kernel.delivery.mail import Letter, letter, whole_html
from newsloom.kernel.delivery.outbox import (
    MOST,
    into_folder,
    mailed,
    posted,
    run_periodically,
    send_due,
)
from newsloom.kernel.delivery.schedules import make_due, next_occurrence
from newsloom.kernel.delivery.values import Sending, Sent, Way
from newsloom.kernel.errors import Audience, NewsloomError, error_reply
from newsloom.kernel.ids import UserId

if TYPE_CHECKING:
    from email.message import EmailMessage

    from newsloom.app import App
    from newsloom.app.reader import Reader
    from newsloom.briefs.ports import Translator
    from newsloom.briefs.service.briefs import ComposedBrief
    from newsloom.kernel.http.ports import Fetcher, Mailer
    from newsloom.kernel.settings import Settings
    from newsloom.store import Store

log = logging.getLogger(__name__)

# A claim holds so long, and is renewed while the sound is made. One that died frees it at once on
# its own machine, on others after this.
CLAIM, RENEWED = timedelta(minutes=3), timedelta(seconds=45)
# To compose briefs in two languages takes seconds.
COMPOSING = timedelta(minutes=15)
# Between two looks at what is due. Somebody may be waiting for one.
PAUSE = timedelta(seconds=5)
# What is remembered of earlier briefs: twice what any of them covers, and more.
REMEMBERED = timedelta(days=7)
# Pauses after each failure to make the sound; after as many it is given up.
PAUSES = tuple(timedelta(minutes=one) for one in (1, 5, 15, 60, 180))
# Between two looks for what is too old.
TIDIED = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Briefing:
    """Makes, speaks and sends what is due."""

    store: Store
    reader: Callable[[UserId], Reader]
    speaking: Speaking
    mailer: Mailer
    settings: Settings
    now: Callable[[], datetime]
    translator: Translator | None = None  # into the second language of a brief
    written: bool = False  # whether a language model writes, which a brief waits for

    def make_due(self) -> int:
        """How many briefs were made."""
        return make_due(self.store.briefs, self._make, self.now, COMPOSING)

    def _make(self, schedule: BriefSchedule, now: datetime) -> int:
        """Of several that were missed only one is made, of what is news now."""
        next_at = next_occurrence(schedule.at, schedule.weekdays, schedule.zone, now)
        made = self.composed(schedule.user, schedule.wish, schedule.zone, now)
        if not made:
            self.store.briefs.postpone(schedule.id, next_at)
            return 0
        return len(self._put(schedule, schedule.user, schedule.wish, made, now, next_at))

    def make(self, user: UserId, wish: BriefWish, zone: str = "UTC") -> tuple[BriefId, ...]:
        """One for each language, now, to be spoken soon; none: there is nothing new."""
        now = self.now()
        made = self.composed(user, wish, zone, now)
        return self._put(None, user, wish, made, now, None) if made else ()

    def composed(
        self, user: UserId, wish: BriefWish, zone: str, now: datetime
    ) -> tuple[ComposedBrief, ...]:
        """Scripts of what is new since earlier briefs; nothing is kept."""
        past = self.store.briefs.brief_memories(user, now - REMEMBERED)
        chosen, memories = wish.voices or {}, [memory for _end, memory in past]

        def rate(language: str) -> float:
            found = self.speaking.words_per_minute(language, chosen.get(language, ""))
            return found / characters_of_word(language)

        def compose(wanted: BriefWish) -> tuple[ComposedBrief, ...]:
            return briefs.composed(
                self.reader(user), wanted, now, zone, memories, words_per_minute=rate
            )

        return in_languages(compose, wish, self.translator, rate)

    def _put(
        self,
        schedule: BriefSchedule | None,
        user: UserId,
        wish: BriefWish,
        made: Sequence[ComposedBrief],
        now: datetime,
        next_at: datetime | None,
    ) -> tuple[BriefId, ...]:
        minutes = self.settings.brief.script_minutes if self.written else 0
        chosen = wish.voices or {}
        return self.store.briefs.put_briefs(
            schedule,
            user,
            [(one.script, one.memory) for one in made],
            now=now,
            ready=now + timedelta(minutes=minutes),
            next_at=next_at,
            voices=[chosen.get(one.script.language, "") for one in made],
        )

    def speak_due(self, stop: Callable[[], bool] = never) -> int:
        """How many got their sound."""
        spoken = 0
        for _ in range(MOST):
            if stop():
                break
            now = self.now()
            brief = self.store.briefs.claim_brief(now, now + CLAIM)
            if brief is None:
                break
            spoken += self.speak(brief, stop)
        return spoken

    def speak(self, brief: ArchivedBrief, stop: Callable[[], bool] = never) -> bool:
        """Make the sound of a brief that this process has claimed; whether it is ready."""
        try:
            with renewing(
                lambda: self.store.briefs.hold_brief(brief.id, self.now() + CLAIM),
                RENEWED,
                f"brief {brief.id}",
            ) as lost:
                own = self.store.briefs.pronunciations(brief.user)
                sound = self.speaking.speak(
                    brief.script, own, brief.voice, stop=lambda: stop() or lost.is_set()
                )
        except Stopped:
            self.store.briefs.free_brief(brief.id)
            return False
        except NewsloomError as error:
            log.warning("speaking brief %s failed: %s", brief.id, error)
            self._later(brief, error_reply(error, Audience.READER).message)
            return False
        except Exception as error:  # our own fault, whatever it is
            log.exception("speaking brief %s failed", brief.id)
            self._later(brief, f"Newsloom failed ({type(error).__name__}).")
            return False
        if self.store.briefs.put_sound(brief.id, sound, self.now()):
            return True
        # Another one's is there, or the brief is not.
        remove_sounds(self.speaking.folder, [one.name for one in sound.files])
        return False

    def _later(self, brief: ArchivedBrief, problem: str) -> None:
        now = self.now()
        if brief.attempts >= len(PAUSES):
            log.warning("brief %s gets no sound: %s", brief.id, problem)
            self.store.briefs.fail_brief(brief.id, problem, now)
        else:
            log.info("brief %s is spoken later: %s", brief.id, problem)
            self.store.briefs.retry_brief(brief.id, now + PAUSES[brief.attempts], problem)

    def remove_old(self) -> int:
        """Sound that is too old, and files that nothing names: how many went."""
        before = self.now() - timedelta(days=self.settings.brief.days_kept)
        names = self.store.briefs.old_sounds(before)
        remove_sounds(self.speaking.folder, names)
        return len(names) + self.speaking.tidy(self.store.briefs.sound_files())

    def delete(self, user: UserId, brief: BriefId) -> bool:
        """Delete a brief of a reader's with its files; whether it was there."""
        archived = self.store.briefs.brief(user, brief)
        if archived is None or not self.store.briefs.drop_brief(user, brief):
            return False
        files = archived.sound.files if archived.sound else ()
        remove_sounds(self.speaking.folder, [one.name for one in files])
        return True

    async def send_due(self, fetcher: Fetcher) -> int:
        """How many were taken by the other side."""
        return await send_due(
            self.store.briefs,
            lambda one: self._send(one, fetcher),
            lambda one: f"a brief to {one.target.to}",
            self.now,
        )

    async def _send(self, sending: Sending, fetcher: Fetcher) -> Sent:
        brief = await asyncio.to_thread(self.store.briefs.brief_to_send, sending)
        if brief is None:
            return Sent("the brief was deleted", final=True)
        if sending.target.way is Way.MAIL:
            return await asyncio.to_thread(self._by_mail, sending, brief)
        if sending.target.way is Way.WEBHOOK:
            text = await asyncio.to_thread(self._told, brief)
            return await posted(sending, "brief", text, self.now(), fetcher)
        return await asyncio.to_thread(self._as_file, brief)

    @property
    def _links(self) -> BriefLinks:
        return BriefLinks(self.settings.web.url.rstrip("/"))

    def _by_mail(self, sending: Sending, brief: ArchivedBrief) -> Sent:
        """With its text and a link to its sound: mail servers refuse what is as large as sound."""

        def made() -> EmailMessage:
            page, leave = self._links.page(brief.id), self._links.leave(sending.token)
            words = "Listen" if brief.sound else "Read"
            plain = forms.plain(brief.script)
            if brief.problem:
                plain = f"No audio: {brief.problem}\n\n{plain}"
            if page:
                plain += f"\n{words}: {page}\nUnsubscribe: {leave}\n"
            body = "".join(forms.mail_html(brief))
            title = clean(brief.script.title)
            whole = whole_html(title, body, page, words, leave)
            return letter(
                Letter(f"brief-{brief.id}", title, plain, whole, leave),
                sending.target.to,
                self.settings.mail.sender,
                sending.token,
                self.now(),
            )

        return mailed(self.settings.mail, self.mailer, made)

    def _told(self, brief: ArchivedBrief) -> str:
        token = self.store.digests.feed_token(brief.user, PREFIX + brief.script.language)
        return forms.as_json(brief, self._links, token)

    def _as_file(self, brief: ArchivedBrief) -> Sent:
        files = brief.sound.files if brief.sound else ()
        wanted = [one for one in files if forms.ending(one) == "mp3"]
        if not wanted:
            return Sent(brief.problem or "its audio was deleted because of its age", final=True)
        folder = self.settings.brief.folder.expanduser()
        name = (
            f"{forms.day(brief.script)} brief {brief.script.language} {brief.user}-{brief.id}.mp3"
        )
        return into_folder(self.settings, name, (folder / wanted[0].name).read_bytes)

    async def once(
        self, fetcher: Fetcher, stop: Callable[[], bool] = never
    ) -> tuple[int, int, int]:
        """Make, speak and send what is due: how many of each."""
        made = await asyncio.to_thread(self.make_due)
        spoken = await asyncio.to_thread(self.speak_due, stop)
        return made, spoken, await self.send_due(fetcher)

    async def run(self, stopping: asyncio.Event, fetcher: Fetcher) -> None:
        """Again and again until `stopping`; trouble is for the next time."""
        tidied: datetime | None = None

        async def once() -> None:
            nonlocal tidied
            await self.once(fetcher, stopping.is_set)
            if tidied is None or self.now() - tidied > TIDIED:
                tidied = self.now()
                await asyncio.to_thread(self.remove_old)

        try:
            await run_periodically(once, stopping, PAUSE, "making or sending briefs")
        finally:
            self.speaking.close()


def trouble(settings: Settings, languages: Sequence[str]) -> tuple[str, ...]:
    """What would keep briefs in some languages from being spoken, in words."""
    folder = settings.brief.folder.expanduser()
    found = []
    try:
        files.private_folder(folder)
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(b"a sentence")
    except OSError as error:
        found.append(f"{folder} cannot be written: {error.strerror or error}")
    for one in languages:
        try:
            pronunciation_sample(settings, "1", one, ())
        except NewsloomError as error:
            found.append(f"the voice for {one} fails: {error}")
    return tuple(found)


def pronunciation_sample(
    settings: Settings, text: str, language: str, own: Sequence[Pronunciation]
) -> bytes:
    """One sentence, as a WAV file: how a word is said. Raises VoiceError."""
    import io
    import wave

    from newsloom.briefs.speakable import speakable

    talking = speaking(impatient(settings))
    voice = talking.voice(language)
    try:
        speech = voice.speak(speakable(text, language, own))
    finally:
        voice.close()
        talking.close()
    out = io.BytesIO()
    with wave.open(out, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(speech.rate)
        file.writeframes(speech.samples.astype("<i2").tobytes())
    return out.getvalue()


def briefing(app: App) -> Briefing:
    """As the settings have it. Raises SettingsError for voices that cannot be."""
    from newsloom.kernel.http.smtp import SmtpMailer

    return Briefing(
        store=app.store,
        reader=lambda user: replace(app, user=user).reader(),
        speaking=speaking(app.settings),
        mailer=SmtpMailer(app.settings.mail),
        settings=app.settings,
        now=app.now,
        translator=translator(app),
        written=bool(app.language_model),
    )
