"""True peaks, by four times as many samples (BS.1770-4, annex 2), and what keeps below one."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from newsloom.briefs.sound import RATE
from newsloom.briefs.sound.sentences import Samples

_TIMES = 4
_SIZE, _AROUND = 1 << 14, RATE // 100  # 0.7 s at a time, of it 10 ms on both sides
_BLOCK = _SIZE - 2 * _AROUND
_LOOK = RATE // 400  # 2.5 ms: shorter gains are heard as distortion, longer ones as pumping


def envelope(piece: Samples) -> Samples:
    """The largest true value at each sample, shape (n,)."""
    found = np.empty(len(piece), np.float32)
    padded = np.pad(piece, (_AROUND, _AROUND + _BLOCK))
    for start in range(0, len(piece), _BLOCK):
        size = min(_BLOCK, len(piece) - start)
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
