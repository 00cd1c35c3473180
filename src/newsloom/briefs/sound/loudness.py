"""Loudness as ITU-R BS.1770-4 and EBU R 128 measure it: K-weighted, gated, in LUFS. Mono.

The two filters are recursive, and a loop over samples is for compiled code: here their frequency
response is applied to blocks with enough of what came before, which comes to the same within
0.1 LU (tests compare with ffmpeg).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cache

import numpy as np
from numpy.typing import NDArray

from newsloom.briefs.sound import RATE
from newsloom.briefs.sound.sentences import Samples

SILENCE = -70.0  # LUFS: the absolute gate
_RELATIVE = -10.0  # LU
_BIN = RATE // 10  # a quarter of a gating block of 400 ms
_BLOCK = 20 * _BIN
# After 0.4 s the impulse response of the high-pass (38 Hz) is below -400 dB.
_BEFORE = 4 * _BIN


@dataclass(slots=True)
class Meter:
    """Measures what is given piece by piece."""

    _held: list[Samples] = field(default_factory=list)
    _count: int = 0
    _before: Samples = field(default_factory=lambda: np.zeros(_BEFORE, np.float32))
    _bins: list[NDArray[np.float64]] = field(default_factory=list)

    def add(self, piece: Samples) -> None:
        self._held.append(piece)
        self._count += len(piece)
        if self._count < _BLOCK:
            return
        whole = np.concatenate(self._held)
        full = len(whole) // _BLOCK * _BLOCK
        for start in range(0, full, _BLOCK):
            self._weigh(whole[start : start + _BLOCK])
        self._held = [whole[full:].copy()]
        self._count = len(whole) - full

    def integrated(self) -> float:
        """LUFS of all that was given; -inf for silence. Nothing can be added afterwards."""
        rest = np.concatenate(self._held) if self._held else np.zeros(0, np.float32)
        full = len(rest) // _BIN
        if full:
            self._weigh(np.pad(rest, (0, _BLOCK - len(rest))))
            self._bins[-1] = self._bins[-1][:full]
        self._held = []
        energies = np.concatenate(self._bins) if self._bins else np.zeros(0)
        return _gated(energies)

    def _weigh(self, block: Samples) -> None:
        both = np.concatenate([self._before, block])
        weighted = np.fft.irfft(np.fft.rfft(both) * _response(), len(both))[_BEFORE:]
        self._bins.append(np.mean(np.square(weighted.reshape(-1, _BIN)), axis=1))
        self._before = both[-_BEFORE:]


def _gated(energies: NDArray[np.float64]) -> float:
    """Of the mean squares of tenths of a second."""
    if len(energies) < 4:
        blocks = energies.mean(keepdims=True) if len(energies) else energies
    else:
        blocks = np.convolve(energies, np.full(4, 0.25), "valid")
    blocks = blocks[blocks > _energy(SILENCE)]
    if not len(blocks):
        return -math.inf
    loud = blocks[blocks > _energy(_lufs(blocks.mean()) + _RELATIVE)]
    return _lufs(loud.mean())


def _lufs(energy: float) -> float:
    return -0.691 + 10 * math.log10(energy)


def _energy(lufs: float) -> float:
    return float(10 ** ((lufs + 0.691) / 10))


@cache
def _response() -> NDArray[np.complex64]:
    """Both filters of BS.1770 at RATE: a shelf (+4 dB from 1.7 kHz) and a high-pass (38 Hz). The
    standard has coefficients for 48 kHz; these are of the analogue filters behind them, by the
    bilinear transform, as in libebur128 and ffmpeg."""
    z = np.exp(-2j * np.pi * np.fft.rfftfreq(_BEFORE + _BLOCK))
    shelf = _shelf(1681.974450955533, 3.999843853973347, 0.7071752369554196)
    high = _high_pass(38.13547087602444, 0.5003270373238773)
    whole: NDArray[np.complex128] = np.ones_like(z)
    for (b0, b1, b2), (a1, a2) in (shelf, high):
        whole *= (b0 + b1 * z + b2 * z * z) / (1 + a1 * z + a2 * z * z)
    return whole.astype(np.complex64)  # float32 throughout: a third faster


_Filter = tuple[tuple[float, float, float], tuple[float, float]]


def _shelf(frequency: float, gain: float, quality: float) -> _Filter:
    k = math.tan(math.pi * frequency / RATE)
    high = 10 ** (gain / 20)
    band = high**0.4996667741545416
    a0 = 1 + k / quality + k * k
    above = (
        (high + band * k / quality + k * k) / a0,
        2 * (k * k - high) / a0,
        (high - band * k / quality + k * k) / a0,
    )
    return above, (2 * (k * k - 1) / a0, (1 - k / quality + k * k) / a0)


def _high_pass(frequency: float, quality: float) -> _Filter:
    k = math.tan(math.pi * frequency / RATE)
    a0 = 1 + k / quality + k * k
    return (1.0, -2.0, 1.0), (2 * (k * k - 1) / a0, (1 - k / quality + k * k) / a0)


# True peaks, by four times as many samples (BS.1770-4, annex 2), and what keeps below one.

_TIMES = 4
_SIZE, _AROUND = 1 << 14, RATE // 100  # 0.7 s at a time, of it 10 ms on both sides
_PEAK_BLOCK = _SIZE - 2 * _AROUND
_LOOK = RATE // 400  # 2.5 ms: shorter gains are heard as distortion, longer ones as pumping


def envelope(piece: Samples) -> Samples:
    """The largest true value at each sample, shape (n,)."""
    found = np.empty(len(piece), np.float32)
    padded = np.pad(piece, (_AROUND, _AROUND + _PEAK_BLOCK))
    for start in range(0, len(piece), _PEAK_BLOCK):
        size = min(_PEAK_BLOCK, len(piece) - start)
        some = padded[start : start + _SIZE]  # always as many: a transform of odd sizes is slow
        found[start : start + size] = _oversampled(some)[_AROUND : _AROUND + size]
    return found


def _oversampled(some: Samples) -> NDArray[np.float64]:
    size = len(some)
    spectrum = np.fft.rfft(some)
    wide = np.zeros(_TIMES * size // 2 + 1, spectrum.dtype)
    wide[: len(spectrum)] = spectrum
    fine = np.abs(np.fft.irfft(wide, _TIMES * size)) * _TIMES
    first, second, third, fourth = (fine[start::_TIMES] for start in range(_TIMES))
    most: NDArray[np.float64] = np.maximum(np.maximum(first, second), np.maximum(third, fourth))
    return most


def decibels(value: float) -> float:
    """Of full scale."""
    return 20 * math.log10(value) if value > 0 else -math.inf


def limited(piece: Samples, ceiling: float) -> Samples:
    """Below `ceiling` (of full scale) everywhere: turned down for some milliseconds around each
    peak, and nowhere else."""
    if np.abs(piece).max(initial=0.0) < ceiling / 2:  # true peaks of speech are at most 3 dB above
        return piece
    needed = np.minimum(ceiling / np.maximum(envelope(piece), 1e-9), 1.0)
    if needed.min(initial=1.0) >= 1:
        return piece
    least = _sliding_least(needed, _LOOK)
    window = np.hanning(2 * _LOOK + 3)[1:-1]
    smooth = np.convolve(np.pad(least, _LOOK, mode="edge"), window / window.sum(), "valid")
    turned: Samples = (piece * smooth).astype(np.float32)
    return turned


def _sliding_least(values: NDArray[np.float32], reach: int) -> NDArray[np.float32]:
    """The least within `reach` on both sides, by windows that double."""
    found = np.pad(values, reach, constant_values=1.0)
    width, step = 1, 1
    goal = 2 * reach + 1
    while width < goal:
        step = min(width, goal - width)
        found = np.minimum(found[: len(found) - step], found[step:])
        width += step
    return found
