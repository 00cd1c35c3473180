"""One sentence as a voice gives it, made alike: the rate of briefs, no silence around it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import gcd

import numpy as np
from numpy.typing import NDArray

from newsloom.briefs.ports import RATES
from newsloom.briefs.sound import RATE
from newsloom.briefs.values import LineTime

Samples = NDArray[np.float32]  # mono, shape (n,), -1 to 1

_FRAME = RATE // 100
# Sound begins and ends where 10 ms are this much as loud as the loudest 10 ms of the sentence:
# 45 dB below, which keeps the breath of an h and drops the noise floor of neural voices.
_QUIET = 10 ** (-45 / 20)
_MARGIN = _FRAME  # kept before and after


def prepared(samples: NDArray[np.int16], rate: int) -> NDArray[np.int16]:
    """Of the rate of briefs and without silence around; empty where all of it is silence.

    Raises ValueError for a rate that no voice has.
    """
    if not RATES[0] <= rate <= RATES[1]:
        raise ValueError(f"{rate} samples a second are not between {RATES[0]} and {RATES[1]}")
    whole: Samples = samples.astype(np.float32) / np.float32(32768)
    return trimmed(whole if rate == RATE else resampled(whole, rate, RATE))


def trimmed(whole: Samples) -> NDArray[np.int16]:
    """What is heard of it."""
    frames = whole[: len(whole) // _FRAME * _FRAME].reshape(-1, _FRAME)
    loudness = np.sqrt(np.mean(np.square(frames), axis=1))
    most = loudness.max(initial=0.0)
    if most < 1e-4:  # -80 dBFS: what is there is no speech
        return np.zeros(0, np.int16)
    heard = np.flatnonzero(loudness > most * _QUIET)
    begin = max(heard[0] * _FRAME - _MARGIN, 0)
    end = min((heard[-1] + 1) * _FRAME + _MARGIN, len(whole))
    kept = whole[begin:end].copy()
    # Where the voice was cut close, no click.
    fade = np.linspace(0, 1, min(_FRAME // 4, len(kept)), dtype=np.float32)
    kept[: len(fade)] *= fade
    kept[-len(fade) :] *= fade[::-1]
    return np.rint(np.clip(kept, -1, 32767 / 32768) * 32768).astype(np.int16)


def resampled(whole: Samples, rate: int, to: int) -> Samples:
    """At another rate. By one Fourier transform of the whole, which is exact for what begins and
    ends in silence; polyphase filters are in scipy, which weighs 145 MB."""
    common = gcd(rate, to)
    down, up = rate // common, to // common
    least = -(-(len(whole) + rate // 50) // down)
    # The next size whose transform is fast: 1, 3, 5, 9 or 15 times a power of two.
    blocks = min(odd << max(-(-least // odd) - 1, 0).bit_length() for odd in (1, 3, 5, 9, 15))
    spectrum = np.fft.rfft(np.pad(whole, (0, blocks * down - len(whole))))
    most = blocks * up // 2 + 1
    cut = np.zeros(most, spectrum.dtype)
    cut[: min(most, len(spectrum))] = spectrum[:most]
    out = np.fft.irfft(cut, blocks * up) * (up / down)
    return out[: len(whole) * up // down].astype(np.float32)


# Seconds. Newsreaders pause some 0.4 s between sentences and a second before a new matter; before
# the first and after the last, so that no player cuts into a word.
SENTENCE, CHAPTER, BEFORE, AFTER = 0.45, 1.1, 0.3, 0.7


@dataclass(frozen=True, slots=True)
class Timeline:
    """Where sentences are, in samples."""

    begins: tuple[int, ...]
    lengths: tuple[int, ...]
    total: int

    def times(self) -> tuple[LineTime, ...]:
        return tuple(
            LineTime(begin / RATE, (begin + length) / RATE)
            for begin, length in zip(self.begins, self.lengths, strict=True)
        )

    @property
    def seconds(self) -> float:
        return self.total / RATE


def timeline(lengths: Sequence[int], firsts: Iterable[int]) -> Timeline:
    """Of sentences with so many samples each; `firsts` are those that begin a chapter. One that
    has none, for it could not be spoken, takes no pause either."""
    first = frozenset(firsts)
    begins, at, pending = [], round(BEFORE * RATE), False
    new = False
    for number, length in enumerate(lengths):
        new = new or number in first
        if length and pending:
            at += round((CHAPTER if new else SENTENCE) * RATE)
        if length:
            new = False
        begins.append(at)
        at += length
        pending = pending or length > 0
    return Timeline(tuple(begins), tuple(lengths), at + round(AFTER * RATE))
