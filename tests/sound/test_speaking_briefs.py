"""A script becomes sound: as loud as it should be, at the times that are told, by one voice."""

from __future__ import annotations

import json
import os
import resource
import shutil
import signal
import subprocess
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from mutagen.mp3 import MP3

from newsloom.briefs import voices
from newsloom.briefs.service.speaking import (
    Speaking,
    Stopped,
    speaking,
)
from newsloom.briefs.transcripts import chapters_json, transcript_html, web_vtt
from newsloom.briefs.values import BriefChapter, BriefLine, BriefSound, LineTime
from newsloom.briefs.voices.espeak import EspeakVoice
from newsloom.digests.values import DigestArticle
from newsloom.kernel.errors import NewsloomError, SettingsError, VoiceError
from newsloom.kernel.ids import ArticleId
from newsloom.kernel.settings import Settings
from newsloom.kernel.workers.wire import Broken
from sound.spoken_briefs import (
    ENGLISH,
    GERMAN,
    KOREAN,
    NOW,
    check_times,
    heard,
    script,
    settings,
    spoken,
)


@pytest.mark.parametrize(
    ("language", "lines"), [("en", ENGLISH), ("de", GERMAN), ("ko", KOREAN)], ids=str
)
def test_every_sentence_is_heard_when_it_is_said_to_be(
    language: str, lines: tuple[str, ...], tmp_path: Path
) -> None:
    sound = spoken(tmp_path, script(*lines, language=language))
    assert abs(sound.loudness + 16) <= 0.3
    assert sound.peak <= -1
    assert not sound.notice
    assert [one.media_type for one in sound.files] == ["audio/mpeg", "audio/ogg"]
    for one in sound.files:
        path = tmp_path / one.name
        assert path.stat().st_size == one.bytes
        samples, rate = heard(path)
        assert abs(len(samples) / rate - sound.seconds) < 0.05
        check_times(samples, rate, sound.times)
    if shutil.which("ffmpeg"):  # a decoder and a meter of others
        by_ffmpeg(tmp_path / sound.files[0].name, sound)


def by_ffmpeg(path: Path, sound: BriefSound) -> None:
    line = ["ffmpeg", "-v", "error", "-i", str(path), "-map", "0:a", "-f", "f32le", "-"]
    done = subprocess.run(line, capture_output=True, check=True)
    assert done.stderr == b""
    check_times(np.frombuffer(done.stdout, "<f4"), 24_000, sound.times)
    line = ["ffmpeg", "-nostats", "-i", str(path), "-filter_complex", "ebur128=peak=true"]
    told = subprocess.run([*line, "-f", "null", "-"], capture_output=True, text=True, check=True)
    summary = told.stderr.rpartition("Summary:")[2].split()
    assert abs(float(summary[summary.index("I:") + 1]) - sound.loudness) < 0.15
    assert float(summary[summary.index("Peak:") + 1]) <= -1


def test_tags_say_what_it_is(tmp_path: Path) -> None:
    sound = spoken(tmp_path, script(*ENGLISH, title="Brief\nof <b>\u0000Monday\u202e"))
    found = MP3(tmp_path / sound.files[0].name)
    assert abs(found.info.length - sound.seconds) < 0.05
    assert str(found.tags["TIT2"]) == "Brief of <b> Monday"
    chapters = found.tags.getall("CHAP")
    assert [str(one.sub_frames["TIT2"]) for one in chapters] == ["Part 0", "Part 3"]
    assert chapters[0].end_time == chapters[1].start_time == round(sound.times[3].begin * 1000)
    assert found.tags.getall("CTOC")[0].child_element_ids == ["ch0", "ch1"]
    assert found.tags.getall("APIC")[0].data[:3] == b"\xff\xd8\xff"
    assert int(str(found.tags["TLEN"])) == round(sound.seconds * 1000)


@pytest.mark.parametrize("wanted", ["piper:/nowhere/x.onnx", "server:alloy", "espeak:xx", "say"])
def test_a_voice_that_is_missing_leaves_it_to_espeak(wanted: str, tmp_path: Path) -> None:
    sound = Speaking(settings(tmp_path)).speak(script("Good morning."), (), wanted)
    assert sound.voice.startswith("espeak:en/")
    assert sound.notice.startswith("Spoken by eSpeak")


def test_where_nothing_can_speak_it_is_said(tmp_path: Path) -> None:
    with pytest.raises(VoiceError, match="eSpeak has no voice xx"):
        spoken(tmp_path, script("Hello.", language="xx"))
    assert not list(tmp_path.glob("*.mp3"))


def test_a_sentence_without_sound_is_left_out_and_told(tmp_path: Path) -> None:
    sound = spoken(tmp_path, script("Good morning.", "\u2060 \u2060", "Good night."))
    assert [one.end > one.begin for one in sound.times] == [True, False, True]
    assert "1 of 3 sentences" in sound.notice


def test_a_crash_of_espeak_costs_one_sentence() -> None:
    voice = EspeakVoice("en")
    voice.speak("One.")
    first = voice._process
    assert first is not None
    os.kill(first.pid, signal.SIGSEGV)
    with pytest.raises(VoiceError, match=r"SIGSEGV|ended the process") as caught:
        voice.speak("Two.")
    assert isinstance(caught.value.__cause__, Broken | OSError)
    assert len(voice.speak("Three.").samples)
    voice.close()


@pytest.mark.parametrize(
    "text",
    ["<speak><break time='9999s'/></speak> a", "[[h@l'oU]] a", "\x01150P a\x0199999S b",
     "a" * 9_000, "\ud800 a", "😀 a", "a\u0000b", "%s%n%x a", "Привет 서울 中文 العربية a"],
)  # fmt: skip
def test_text_is_never_a_command(text: str) -> None:
    voice = EspeakVoice("en")
    assert 0 < len(voice.speak(text).samples) < 60 * 22_050 * 12
    voice.close()


# --- the folder ---


def test_a_full_disk_is_said_and_leaves_nothing_half(tmp_path: Path) -> None:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    said = script(*ENGLISH)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, before[1]))
        with pytest.raises(NewsloomError, match="cannot be written: File too large"):
            spoken(tmp_path, said)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert not [one for one in tmp_path.rglob("*") if one.suffix in {".part", ".mp3", ".opus"}]
    assert spoken(tmp_path, said).files  # and goes on when there is room


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(NewsloomError, match="cannot be made"):
        spoken(tmp_path / "file", script("Good morning."))


def test_who_stops_it_goes_on_later(tmp_path: Path) -> None:
    count = iter(range(99))
    speaker = speaking(settings(tmp_path))
    with pytest.raises(Stopped):
        speaker.speak(script(*ENGLISH), (), stop=lambda: next(count) > 2)
    assert len(list((tmp_path / "sentences").iterdir())) == 3
    assert speaker.speak(script(*ENGLISH), ()).files


def test_what_no_brief_uses_is_removed_after_a_day(tmp_path: Path) -> None:
    speaker = speaking(settings(tmp_path))
    sound = speaker.speak(script("Good morning.", "Good night."), ())
    known = {one.name for one in sound.files}
    (tmp_path / "lost.mp3").write_bytes(b"x")
    assert speaker.tidy(known) == 0
    for path in tmp_path.rglob("*"):
        os.utime(path, (1, 1))
    assert speaker.tidy(known) == 3
    assert {one.name for one in tmp_path.iterdir()} == {*known, "sentences"}


@pytest.mark.parametrize(
    ("voice", "named"),
    [("say", ""), ("piper", ""), ("server:", ""), ("espeak", "en"), ("espeak", "en=say"),
     ("espeak", "en=espeak en=espeak"), ("espeak", "english=espeak")],
)  # fmt: skip
def test_settings_that_name_no_voice_are_refused_at_the_start(voice: str, named: str) -> None:
    base = Settings()
    with pytest.raises(SettingsError):
        speaking(replace(base, brief=replace(base.brief, voice=voice, voices=named)))


def test_a_language_may_have_a_voice_of_its_own() -> None:
    base = Settings()
    chosen = replace(base, brief=replace(base.brief, voices="de=espeak:de+f3 ko=espeak"))
    assert voices.chosen(chosen, "de") == "espeak:de+f3"
    assert voices.chosen(chosen, "fr") == "espeak"
    assert speaking(chosen).words_per_minute("de") > 100


# --- transcripts ---

ARTICLE = DigestArticle(
    ArticleId(7), '"><script>', 'javascript:alert("1")', "a<b", "", "", 1, "", "en", NOW, 1.0
)


def test_transcripts_hold_no_markup_of_titles() -> None:
    hostile = "A --> B <script>&amp;\n\n1\n00:00:00.000 --> 00:09:00.000\u2028x"
    line = BriefLine(hostile, articles=(ArticleId(7), ArticleId(8)))
    chapter = BriefChapter('</h2>"\n', (line, BriefLine("Not heard.")))
    said = replace(
        script(), chapters=(chapter,), title="</title>", articles=(ARTICLE, replace(
            ARTICLE, id=ArticleId(8), url='https://a.test/?a="b"&c', source="a.test"))
    )  # fmt: skip
    sound = BriefSound((), 3_700.0, "v", (LineTime(3_661.25, 3_662.0), LineTime(0, 0)), -16.0, -1.5)
    cues = web_vtt(said, sound).split("\n\n")
    assert cues[0] == "WEBVTT\nLanguage: en"
    assert len(cues) == 2
    number, times, text = cues[1].rstrip("\n").split("\n")
    assert (number, times) == ("1", "01:01:01.250 --> 01:01:02.000")
    assert "-->" not in text
    assert "<" not in text
    page = transcript_html(said, sound)
    assert "<script" not in page
    assert "javascript:" not in page
    assert 'href="https://a.test/?a=&quot;b&quot;&amp;c"' in page
    chapters = json.loads(chapters_json(said, sound))
    assert chapters["chapters"] == [{"startTime": 0.0, "endTime": 3_700.0, "title": '</h2>"'}]
