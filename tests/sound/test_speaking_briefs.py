"""A script becomes sound: as loud as it should be, at the times that are told, by one voice."""

from __future__ import annotations

import io
import itertools
import json
import os
import resource
import shutil
import signal
import struct
import subprocess
import sys
import threading
import time
import wave
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np
import pytest
import soundfile
from mutagen.mp3 import MP3

from kills import kill_count
from newsloom.briefs import voices
from newsloom.briefs.service.briefing import pronunciation_sample
from newsloom.briefs.service.speaking import (
    SAMPLE_SECONDS,
    Speaking,
    Stopped,
    impatient,
    speaking,
)
from newsloom.briefs.transcripts import chapters_json, transcript_html, web_vtt
from newsloom.briefs.values.briefs import BriefChapter, BriefLine, BriefScript, BriefSound, LineTime
from newsloom.briefs.voices.espeak import EspeakVoice
from newsloom.briefs.voices.server import parse_speech
from newsloom.digests.values import DigestArticle
from newsloom.kernel.errors import NewsloomError, SettingsError, VoiceError
from newsloom.kernel.ids import ArticleId
from newsloom.kernel.settings import Settings
from newsloom.kernel.workers.wire import Broken

NOW = datetime(2026, 11, 2, 6, tzinfo=UTC)
ENGLISH = (
    "Good morning.",
    "The central bank raised interest rates by a quarter of a point on Tuesday.",
    "She said there was no choice.",
    "Shares fell.",
    "The river rose overnight, and three hundred people left their homes.",
    "That was the news.",
)
GERMAN = (
    "Guten Morgen.",
    "Die Zentralbank hat am Dienstag die Zinsen angehoben.",
    "Der Fluss stieg über Nacht.",
)
KOREAN = ("좋은 아침입니다.", "중앙은행은 화요일에 금리를 올렸다.", "강물이 밤사이 불어났다.")


def script(*lines: str, language: str = "en", title: str = "Morning brief") -> BriefScript:
    """A chapter for each three sentences."""
    chapters = tuple(
        BriefChapter(f"Part {at}", tuple(map(BriefLine, lines[at : at + 3])))
        for at in range(0, len(lines), 3)
    )
    return BriefScript(language, title, NOW, NOW, "Europe/Berlin", 10, chapters, ())


def settings(
    folder: Path, voice: str = "espeak", url: str = "", concurrency: int = 1, **server: float
) -> Settings:
    base = Settings()
    of_server = {"url": url, "concurrency": concurrency, "timeout_seconds": 2.0, **server}
    return replace(
        base,
        brief=replace(base.brief, folder=folder, voice=voice),
        speech_server=replace(base.speech_server, **of_server),
    )


def spoken(folder: Path, said: BriefScript, **more: str | float) -> BriefSound:
    speaker = speaking(settings(folder, **more))
    try:
        return speaker.speak(said, ())
    finally:
        speaker.close()


def heard(path: Path) -> tuple[np.ndarray, int]:
    samples, rate = soundfile.read(path, dtype="float32")
    return samples, rate


def check_times(samples: np.ndarray, rate: int, times: tuple[LineTime, ...]) -> None:
    """Each sentence begins and ends with its energy, within 50 ms, and nothing is between."""
    frame = rate // 200
    energy = np.abs(samples[: len(samples) // frame * frame]).reshape(-1, frame).max(axis=1)
    loud = np.flatnonzero(energy > 0.01) * frame / rate
    before = -1.0
    for one in times:
        inside = loud[(loud > (before + one.begin) / 2) & (loud < one.end + 0.2)]
        assert abs(inside[0] - one.begin) < 0.05, one
        assert abs(inside[-1] + frame / rate - one.end) < 0.05, one
        before = one.end
    assert loud[-1] < times[-1].end + 0.05


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


# --- a server of voices ---


def tone(seconds: float = 0.5, rate: int = 24_000, channels: int = 1, level: int = 8_000) -> bytes:
    wave_ = (level * np.sin(np.arange(628) * 0.1)).astype("<i2")  # ten times up and down
    out = io.BytesIO()
    with wave.open(out, "wb") as file:
        file.setnchannels(channels)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(np.repeat(np.resize(wave_, round(seconds * rate)), channels).tobytes())
    return out.getvalue()


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked: list[str] = []
        self.status, self.body, self.kind = 200, tone(), "audio/wav"
        self.wait, self.fails_after = 0.0, 10_000
        self.together = threading.Barrier(1)  # so many requests are answered at once
        self.lock, self.under_way, self.most = threading.Lock(), 0, 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        assert self.path == "/v1/audio/speech"
        with self.server.lock:
            self.server.asked.append(asked["input"])
            self.server.under_way += 1
            self.server.most = max(self.server.most, self.server.under_way)
        with suppress(threading.BrokenBarrierError):
            self.server.together.wait()
        time.sleep(self.server.wait)
        with self.server.lock:
            self.server.under_way -= 1
        well = len(self.server.asked) <= self.server.fails_after
        self.send_response(self.server.status if well else 400)
        self.send_header("Content-Type", self.server.kind)
        self.send_header("Content-Length", str(len(self.server.body)))
        self.end_headers()
        with suppress(ConnectionError):  # of a process that was killed
            self.wfile.write(self.server.body)

    def log_message(self, *_: object) -> None:
        return


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as running:
        threading.Thread(target=running.serve_forever, args=(0.01,)).start()
        yield running
        running.together.abort()
        running.shutdown()


def raw_length(body: bytes, length: int) -> bytes:
    """Another length of its data than it has."""
    at = body.index(b"data") + 4
    return body[:at] + struct.pack("<I", length) + body[at + 4 :]


HOSTILE = {
    "nothing": (b"", "audio/wav", "no WAV"),
    "a page": (b"<html>Sign in</html>", "text/html", "no WAV but text/html"),
    "JSON": (b'{"error": "x"}', "application/json", "no WAV"),
    "MP3": (b"\xff\xfb\x90\x00" * 99, "audio/mpeg", "no WAV but audio/mpeg"),
    "silence": (tone(level=0), "audio/wav", "silent"),
    "cut off": (tone()[:5_000], "audio/wav", "cut off"),
    "only a head": (tone()[:20], "audio/wav", "cannot be read"),
    "no samples": (tone(0), "audio/wav", "silent"),
    "a rate of 1": (tone(rate=1, seconds=99), "audio/wav", "1 samples"),
    "six channels": (tone(channels=6), "audio/wav", "6 channels"),
    "an hour": (tone(3_600, rate=8_000, level=900), "audio/wav", "longer"),
    "half a sample": (b"\x01" * 999, "audio/pcm", "no WAV"),
    "RIFF and noise": (b"RIFF" + os.urandom(4_000), "audio/wav", "cannot be read"),
    "a name that is hostile": (b"x", "audio/\u001b[31m", "no WAV"),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_an_answer_that_is_no_speech_is_refused(case: str) -> None:
    body, kind, words = HOSTILE[case]
    with pytest.raises(ValueError, match=words):
        parse_speech(body, kind)


def test_answers_that_are_speech() -> None:
    assert parse_speech(tone(rate=16_000), "").rate == 16_000
    assert len(parse_speech(tone(channels=2), "audio/wav").samples) == 12_000
    assert parse_speech(b"\x10\x20" * 500, "audio/pcm; rate=24000").rate == 24_000
    for length in (0, 0xFFFFFFFF):  # of who writes while speaking
        assert len(parse_speech(raw_length(tone(), length), "audio/wav").samples) == 12_000


def test_a_server_speaks_each_sentence_once(server: Server, tmp_path: Path) -> None:
    server.body = tone(rate=44_100)
    said = script(*ENGLISH)
    first = spoken(tmp_path, said, voice="server:alloy", url=server.url)
    assert server.asked == list(ENGLISH)
    again = spoken(tmp_path, said, voice="server:alloy", url=server.url)
    assert server.asked == list(ENGLISH)
    assert first.times == again.times
    assert first.voice.startswith("server:alloy")
    samples, rate = heard(tmp_path / first.files[0].name)
    check_times(samples, rate, first.times)


def test_long_numbers_are_rounded_when_spoken_and_stay_as_written(
    server: Server, tmp_path: Path
) -> None:
    written = "The city counted 1,234,567 voters."
    said = script(written)
    sound = spoken(tmp_path, said, voice="server:alloy", url=server.url)
    assert server.asked == ["The city counted about one point two million voters."]
    assert written in web_vtt(said, sound)
    assert written in transcript_html(said, sound)


def test_a_server_that_goes_away_leaves_all_of_it_to_one_voice(
    server: Server, tmp_path: Path
) -> None:
    server.fails_after = 3
    sound = spoken(tmp_path, script(*ENGLISH), voice="server:alloy", url=server.url)
    assert sound.voice.startswith("espeak:en")
    assert sound.notice.startswith("Spoken by eSpeak because the chosen voice failed")
    assert server.url not in sound.notice
    assert len(server.asked) == 4
    assert all(one.end > one.begin for one in sound.times)


def test_a_server_is_asked_for_several_sentences_at_once_and_for_none_twice(
    server: Server, tmp_path: Path
) -> None:
    """It answers only three at a time; sentences stay in their order."""
    server.together = threading.Barrier(3, timeout=60)
    said = script(*ENGLISH, *ENGLISH[:2])
    chosen = {"voice": "server:alloy", "url": server.url, "timeout_seconds": 90}
    sound = spoken(tmp_path, said, concurrency=3, **chosen)
    assert server.most == 3
    assert sorted(server.asked) == sorted(ENGLISH)
    assert not server.together.broken
    assert not sound.notice
    assert all(one.end < other.begin for one, other in itertools.pairwise(sound.times))


def test_a_server_that_is_too_slow_for_a_brief_leaves_it_to_espeak(
    server: Server, tmp_path: Path
) -> None:
    server.together = threading.Barrier(99)  # it never answers
    chosen = {"voice": "server:alloy", "url": server.url, "timeout_seconds": 3_600}
    sound = spoken(tmp_path, script(*ENGLISH), concurrency=2, brief_seconds=1, **chosen)
    assert sound.voice.startswith("espeak:en")
    assert sound.notice.startswith("Spoken by eSpeak")
    assert len(server.asked) <= 4


def test_who_hears_a_word_on_a_page_waits_for_no_server_that_never_answers(
    server: Server, tmp_path: Path
) -> None:
    server.together = threading.Barrier(99)
    chosen = {"voice": "server:alloy", "url": server.url, "timeout_seconds": 3_600}
    patient = settings(tmp_path, brief_seconds=3_600, **chosen)
    assert impatient(patient).speech_server.brief_seconds == SAMPLE_SECONDS
    with pytest.raises(VoiceError, match="no response within"):
        pronunciation_sample(settings(tmp_path, brief_seconds=1, **chosen), "a", "en", ())


def test_a_server_that_is_busy_is_asked_three_times(server: Server, tmp_path: Path) -> None:
    server.status = 503
    sound = spoken(tmp_path, script(*ENGLISH), voice="server:alloy", url=server.url)
    assert sound.voice.startswith("espeak:en")
    assert server.asked == [ENGLISH[0]] * 3


def test_who_stops_waits_for_no_server(server: Server, tmp_path: Path) -> None:
    server.together = threading.Barrier(99)
    chosen = {"voice": "server:alloy", "url": server.url, "timeout_seconds": 3_600}
    speaker = speaking(settings(tmp_path, concurrency=2, **chosen))
    with pytest.raises(Stopped):
        speaker.speak(script(*ENGLISH), (), stop=lambda: len(server.asked) == 2)
    speaker.close()
    for one in threading.enumerate():
        if one.name.startswith("speech"):
            one.join()


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

KILLED = """
import sys
from pathlib import Path
sys.path[:0] = {path!r}
from test_speaking_briefs import script, spoken
chosen = dict(voice="server:alloy", url={url!r}, concurrency={at_once})
spoken(Path({folder!r}), script(*{lines!r}), **chosen)
"""
NAMES = ("Ada", "Bo", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hal", "Ida", "Jo", "Kim", "Lea")


def speaking_alone(folder: Path, server: Server, lines: Sequence[str], at_once: int) -> list[str]:
    """The command line of a process that speaks a brief."""
    here = Path(__file__).parent
    values = {"path": [str(here), str(here.parent)], "folder": str(folder), "url": server.url}
    code = KILLED.format(**values, lines=lines, at_once=at_once)
    return [sys.executable, "-c", code]


def test_killed_again_and_again_no_sentence_is_spoken_twice(server: Server, tmp_path: Path) -> None:
    """But for the one that was being spoken, whose answer the killed process never kept."""
    server.wait = 0.15
    line = speaking_alone(tmp_path, server, ENGLISH, at_once=1)
    kills = 0
    for _ in range(12):
        process = subprocess.Popen(line, stdout=subprocess.PIPE)
        count = len(server.asked)
        deadline = time.monotonic() + 30
        while len(server.asked) < min(count + 2, len(ENGLISH) + kills) and process.poll() is None:
            assert time.monotonic() < deadline
            time.sleep(0.01)
        if process.poll() is None and len(set(server.asked)) < len(ENGLISH):
            process.kill()
            kills += 1
        process.communicate()
        if process.returncode == 0:
            break
    assert kills >= 2
    assert list(dict.fromkeys(server.asked)) == list(ENGLISH)
    assert len(server.asked) <= len(ENGLISH) + kills
    assert len(list(tmp_path.glob("*.mp3"))) == 1
    assert len(list((tmp_path / "sentences").glob("*.pcm"))) == len(ENGLISH)


@pytest.mark.crash
def test_one_brief_survives_thirty_kills(server: Server, tmp_path: Path) -> None:
    """Of several sentences under way at once, only those are spoken again that a kill cut off."""
    server.wait, at_once = 0.05, 4
    lines = [f"{one} {other}" for one in NAMES for other in NAMES]
    line = speaking_alone(tmp_path, server, lines, at_once)
    kept = tmp_path / "sentences"

    def count() -> int:
        return len(list(kept.glob("[!.]*.pcm")))

    kills = kill_count(30)
    for _ in range(kills):
        before = count()
        process = subprocess.Popen(line)
        while count() == before:
            assert process.poll() is None
            time.sleep(0.002)
        process.kill()
        assert process.wait() == -signal.SIGKILL
        assert not list(tmp_path.glob("*.mp3"))
    assert subprocess.run(line, check=False).returncode == 0
    assert len(set(server.asked)) == count() == len(lines)
    assert len(server.asked) <= len(lines) + kills * at_once
    (sound,) = tmp_path.glob("*.mp3")
    assert MP3(sound).info.length > 0.4 * len(lines)


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
