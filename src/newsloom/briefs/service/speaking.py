"""The sound of a brief: each sentence by a voice, once, then the files.

A process that ends in the middle leaves the sentences that were spoken, and the next one goes on
after them. A speech server gets several requests at the same time. A brief has one voice: if that
voice fails in the middle, eSpeak speaks the whole brief, and the brief says so.
"""

from __future__ import annotations

import logging
import threading
import uuid
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from newsloom.briefs.service import sound_files
from newsloom.briefs.service.sound_files import SpokenSentences, make_folder, remove_older
from newsloom.briefs.values import BriefSound, SoundFile
from newsloom.kernel.errors import NewsloomError, SettingsError, VoiceError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from newsloom.briefs.ports import Voice
    from newsloom.briefs.sound.sentences import Timeline
    from newsloom.briefs.sound.tags import About
    from newsloom.briefs.values import BriefScript, Pronunciation
    from newsloom.kernel.http.blocking import BlockingApi
    from newsloom.kernel.http.values import ApiReply, ApiRequest
    from newsloom.kernel.settings import Settings

log = logging.getLogger(__name__)

ALWAYS = "espeak"
# Words a minute where nobody measured a voice: those of newsreaders.
USUAL_PACE = 150.0
# The last resort may fail at so many sentences one after the other before it counts as failing.
_MOST_FAILURES = 3
# Files that no brief has: of a process that ended between making and telling them.
_LOST_SECONDS = 86_400.0
# Seconds that somebody waits for one sentence, to hear a word or to see whether a server speaks.
SAMPLE_SECONDS = 20.0
# Between two looks at whether to stop, while servers speak.
_LOOK = 0.2


class Stopped(NewsloomError):
    """Newsloom is ending; the brief is spoken when it runs again."""


def never() -> bool:
    return False


@dataclass(frozen=True, slots=True)
class _Spoken:
    """All sentences by one voice: the keys of their sounds, "" for one that was left out."""

    keys: tuple[str, ...]
    voice_id: str
    left_out: str = ""  # why, of the last one


@dataclass(slots=True)
class Speaking:
    """Makes sound of scripts. One brief at a time; close it when done."""

    settings: Settings
    _api: BlockingApi | None = field(default=None, init=False)
    _opening: threading.Lock = field(default_factory=threading.Lock, init=False)

    @property
    def folder(self) -> Path:
        """Where the files of briefs are."""
        return self.settings.brief.folder.expanduser()

    @property
    def sentences(self) -> SpokenSentences:
        return SpokenSentences(self.folder / "sentences")

    def words_per_minute(self, language: str, voice: str = "") -> float:
        """Of the voice that a brief in that language gets, as briefs/planning.py counts words."""
        try:
            return self.voice(language, voice).words_per_minute or USUAL_PACE
        except NewsloomError:
            return self.voice(language, ALWAYS).words_per_minute or USUAL_PACE

    def speak(
        self,
        script: BriefScript,
        own: Sequence[Pronunciation],
        voice: str = "",
        *,
        stop: Callable[[], bool] = never,
    ) -> BriefSound:
        """The sound of a whole script, its files in `folder`; goes on where it ended before.

        Raises VoiceError when nothing can speak, Stopped, and NewsloomError with words when the
        folder cannot be written or the disk is full.
        """
        make_folder(self.sentences.folder)
        notice = ""
        try:
            spoken = self._spoken(script, own, voice, stop, last=self._is_last(script, voice))
        except (VoiceError, SettingsError) as error:
            if self._is_last(script, voice):
                raise VoiceError(str(error)) from error
            log.warning("eSpeak speaks in place of another voice: %s", error)
            notice = "Spoken by eSpeak because the chosen voice failed; the server log says why."
            spoken = self._spoken(script, own, ALWAYS, stop, last=True)
        missing = spoken.keys.count("")
        if missing:
            notice += f" {missing} of {len(spoken.keys)} sentences could not be spoken"
            notice = f"{notice}: {spoken.left_out}".strip()
        return self._files(script, spoken, notice, stop)

    def tidy(self, known: Collection[str]) -> int:
        """Removes sentences and files that no brief uses, after a day; `known` are the names of
        files that briefs have. How many went."""
        lost = sum(
            remove_older(self.folder, one.name, _LOST_SECONDS)
            for one in (self.folder.iterdir() if self.folder.is_dir() else ())
            if one.name not in known and one.is_file()
        )
        return lost + self.sentences.remove_unused()

    def tried(self) -> tuple[tuple[str, str], ...]:
        """Each voice of the settings and, where it does not speak one word, why."""
        from newsloom.briefs import voices

        brief = self.settings.brief
        wanted = {brief.language: voices.chosen(self.settings, brief.language)}
        for language in voices.by_language(brief.voices):
            wanted[language] = voices.chosen(self.settings, language)
        found = []
        for language, name in wanted.items():
            try:
                voice = self.voice(language, name)
                try:
                    voice.speak("1")
                finally:
                    voice.close()
                found.append((voice.voice_id, ""))
            except NewsloomError as error:
                found.append((name, f"{name}: {error}"))
        self.close()
        return tuple(found)

    def close(self) -> None:
        """End what is open to servers."""
        if self._api is not None:
            self._api.close()

    def _is_last(self, script: BriefScript, wanted: str) -> bool:
        from newsloom.briefs import voices

        try:
            return voices.chosen(self.settings, script.language, wanted) == ALWAYS
        except SettingsError:
            return False

    def voice(self, language: str, wanted: str = "") -> Voice:
        """The voice itself, to be closed. Raises VoiceError, SettingsError."""
        from newsloom.briefs import voices

        return voices.voice(self.settings, language, wanted, call=self._call)

    def _call(self, request: ApiRequest) -> ApiReply:
        from newsloom import __version__
        from newsloom.kernel.http.blocking import BlockingApi

        with self._opening:
            if self._api is None:
                ratio = self.settings.fetch.max_ratio
                self._api = BlockingApi(version=__version__, max_ratio=ratio)
        return self._api(request)

    def _spoken(
        self,
        script: BriefScript,
        own: Sequence[Pronunciation],
        wanted: str,
        stop: Callable[[], bool],
        *,
        last: bool,
    ) -> _Spoken:
        """With `last` a sentence that cannot be spoken is left out. Raises VoiceError,
        SettingsError."""
        from newsloom.briefs.speakable import speakable
        from newsloom.briefs.speakable.rounding import rounded

        voice, language = self.voice(script.language, wanted), script.language
        texts = [rounded(line.text, language) for line in script.lines]
        said = [speakable(text, language, own) for text in texts]
        keys = dict.fromkeys(said, "")
        why, in_a_row = "", 0
        try:
            with _each(partial(self._one, voice), [*keys], voice.at_once, stop) as spoken:
                for text, key in zip(keys, spoken, strict=True):
                    try:
                        keys[text] = key()
                        in_a_row = 0
                    except VoiceError as error:
                        in_a_row += 1
                        if not last or in_a_row >= min(_MOST_FAILURES, len(keys)):
                            raise
                        log.warning("a sentence of a brief is left out: %s", error)
                        why = str(error)
        finally:
            voice.close()
        return _Spoken(tuple(keys[one] for one in said), voice.voice_id, why)

    def _one(self, voice: Voice, said: str) -> str:
        """The key of a sentence, which is spoken if it was not before."""
        from newsloom.briefs.sound.sentences import prepared

        key = self.sentences.key(said, voice.voice_id)
        if self.sentences.length(key):
            return key
        speech = voice.speak(said)
        try:
            samples = prepared(speech.samples, speech.rate)
        except ValueError as error:
            raise VoiceError(f"The voice produced invalid audio: {error}.") from error
        if not len(samples):
            raise VoiceError("The voice produced silence.")
        self.sentences.put(key, samples)
        return key

    def _files(
        self, script: BriefScript, spoken: _Spoken, notice: str, stop: Callable[[], bool]
    ) -> BriefSound:
        from newsloom.briefs.sound.sentences import timeline

        lengths = [self.sentences.length(key) if key else 0 for key in spoken.keys]
        firsts, at = [], 0
        for chapter in script.chapters:
            firsts.append(at)
            at += len(chapter.lines)
        line = timeline(lengths, firsts)
        about = _about(script, line)

        def pieces() -> Iterator[NDArray[np.int16]]:
            return self._pieces(spoken.keys, line)

        def going() -> None:
            if stop():
                raise Stopped

        name = uuid.uuid4().hex
        path = self.folder / f"{name}.mp3"
        turned, level = sound_files.mp3(path, pieces, about, going)
        made = [SoundFile(path.name, "audio/mpeg", path.stat().st_size)]
        path = self.folder / f"{name}.opus"
        if self.settings.brief.opus and sound_files.opus(path, pieces, about, turned):
            made.append(SoundFile(path.name, "audio/ogg", path.stat().st_size))
        return BriefSound(
            files=tuple(made),
            seconds=line.seconds,
            voice=spoken.voice_id,
            times=line.times(),
            loudness=round(level.loudness, 2),
            peak=round(level.peak, 2),
            notice=notice,
        )

    def _pieces(self, keys: Sequence[str], line: Timeline) -> Iterator[NDArray[np.int16]]:
        """All of the sound: silence and sentences by turns."""
        import numpy as np

        at = 0
        for key, begin, length in zip(keys, line.begins, line.lengths, strict=True):
            if not length:
                continue
            if begin > at:
                yield np.zeros(begin - at, np.int16)
            samples = self.sentences.read(key)
            if len(samples) != length:
                raise NewsloomError("A sentence of a brief changed while it was used.")
            yield samples
            at = begin + length
        yield np.zeros(line.total - at, np.int16)


@contextmanager
def _each(
    speak: Callable[[str], str], texts: Sequence[str], at_once: int, stop: Callable[[], bool]
) -> Iterator[Iterator[Callable[[], str]]]:
    """What speaks each text, in order; where several may be spoken at once, the next ones are under
    way meanwhile. Those that are not begun when it is left never are. Raises Stopped."""
    if at_once == 1:
        yield (partial(_unless_stopped, speak, one, stop) for one in texts)
        return
    pool = ThreadPoolExecutor(at_once, "speech")
    try:
        begun = [pool.submit(speak, one) for one in texts]
        yield (partial(_result, one, stop) for one in begun)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _unless_stopped(speak: Callable[[str], str], text: str, stop: Callable[[], bool]) -> str:
    if stop():
        raise Stopped
    return speak(text)


def _result(begun: Future[str], stop: Callable[[], bool]) -> str:
    while not wait([begun], _LOOK).done:
        if stop():
            raise Stopped
    return begun.result()


def impatient(settings: Settings) -> Settings:
    """With a speech server that is given up while somebody waits for a sentence."""
    seconds = min(settings.speech_server.brief_seconds, SAMPLE_SECONDS)
    server = replace(settings.speech_server, brief_seconds=seconds)
    return replace(settings, speech_server=server)


def _about(script: BriefScript, line: Timeline) -> About:
    """What the tags say."""
    from newsloom.briefs.sound.tags import About, cover
    from newsloom.briefs.transcripts import chapters_of

    return About(
        title=script.title,
        language=script.language,
        date=script.end.astimezone(ZoneInfo(script.zone)),
        seconds=line.seconds,
        chapters=chapters_of(script, line.times(), line.seconds),
        cover=cover(),
    )


def speaking(settings: Settings) -> Speaking:
    """As the settings have it. Raises SettingsError for names that cannot be voices."""
    from newsloom.briefs import voices

    voices.check(settings)
    return Speaking(settings)
