"""A brief spoken by a speech server: several sentences at once, a deadline, kills."""

from __future__ import annotations

import io
import itertools
import json
import os
import signal
import struct
import subprocess
import sys
import threading
import time
import wave
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np
import pytest
from mutagen.mp3 import MP3

from kills import kill_count
from newsloom.briefs.service.briefing import pronunciation_sample
from newsloom.briefs.service.speaking import (
    SAMPLE_SECONDS,
    Stopped,
    impatient,
    speaking,
)
from newsloom.briefs.transcripts import transcript_html, web_vtt
from newsloom.briefs.voices.server import parse_speech
from newsloom.kernel.errors import VoiceError
from sound.spoken_briefs import ENGLISH, check_times, heard, script, settings, spoken


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
    "an hour": (partial(tone, 3_600, rate=8_000, level=900), "audio/wav", "longer"),
    "half a sample": (b"\x01" * 999, "audio/pcm", "no WAV"),
    "RIFF and noise": (b"RIFF" + os.urandom(4_000), "audio/wav", "cannot be read"),
    "a name that is hostile": (b"x", "audio/\u001b[31m", "no WAV"),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_an_answer_that_is_no_speech_is_refused(case: str) -> None:
    body, kind, words = HOSTILE[case]
    with pytest.raises(ValueError, match=words):
        parse_speech(body() if callable(body) else body, kind)


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


KILLED = """
import sys
from pathlib import Path
sys.path[:0] = {path!r}
from sound.spoken_briefs import script, spoken
chosen = dict(voice="server:alloy", url={url!r}, concurrency={at_once})
spoken(Path({folder!r}), script(*{lines!r}), **chosen)
"""
NAMES = ("Ada", "Bo", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hal", "Ida", "Jo", "Kim", "Lea")


def speaking_alone(folder: Path, server: Server, lines: Sequence[str], at_once: int) -> list[str]:
    """The command line of a process that speaks a brief."""
    here = Path(__file__).parent
    values = {"path": [str(here.parent)], "folder": str(folder), "url": server.url}
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
