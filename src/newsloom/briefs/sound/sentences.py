"""One sentence as a voice gives it, made alike: the rate of briefs, no silence around it."""

from __future__ import annotations

from math import gcd

import numpy as np
from numpy.typing import NDArray

from newsloom.briefs.sound import RATE

Samples = NDArray[np.float32]  # mono, shape (n,), -1 to 1

RATES = (8_000, 96_000)  # what may come, at least and at most
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
    blocks = _smooth(-(-(len(whole) + rate // 50) // down))
    spectrum = np.fft.rfft(np.pad(whole, (0, blocks * down - len(whole))))
    most = blocks * up // 2 + 1
    cut = np.zeros(most, spectrum.dtype)
    cut[: min(most, len(spectrum))] = spectrum[:most]
    out = np.fft.irfft(cut, blocks * up) * (up / down)
    return out[: len(whole) * up // down].astype(np.float32)


def _smooth(least: int) -> int:
    """The next size whose transform is fast: 1, 3, 5, 9 or 15 times a power of two."""
    sizes = (odd << max(-(-least // odd) - 1, 0).bit_length() for odd in (1, 3, 5, 9, 15))
    return min(sizes)
