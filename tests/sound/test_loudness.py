"""Loudness of signals whose loudness the standards give."""

from __future__ import annotations

import numpy as np
import pytest

from newsloom.briefs.sound import RATE
from newsloom.briefs.sound.loudness import Meter

# ITU-R BS.1770-4: a sine of 997 Hz at full scale in one channel has -3.01 LKFS. The signals are
# those of EBU Tech 3341, table 1, cases 1, 2, 3 and 4, in dB of full scale and seconds, in one
# channel, which the standard wants measured within 0.1 LU.
LOUDNESS = {
    "full scale": ([(0, 5)], 0),
    "case 1": ([(-23, 20)], -23),
    "case 2": ([(-33, 20)], -33),
    "case 3, the relative gate": ([(-36, 10), (-23, 60), (-36, 10)], -23),
    "case 4, both gates": ([(-72, 10), (-36, 10), (-23, 60), (-36, 10), (-72, 10)], -23),
}


@pytest.mark.parametrize(("signal", "level"), LOUDNESS.values(), ids=list(LOUDNESS))
def test_signals_of_the_standard(signal: list[tuple[int, int]], level: int) -> None:
    meter = Meter()
    for decibels, seconds in signal:
        meter.add(10 ** (decibels / 20) * sine(997, seconds))
    assert meter.integrated() == pytest.approx(level - 3.01, abs=0.1)


# The K-weighting at 48 kHz, by the filters' coefficients of BS.1770-4, tables 1 and 2; 0.69 dB of
# it at 997 Hz are taken off by the formula of loudness.
@pytest.mark.parametrize(("frequency", "gain"), [(40, -5.57), (100, -1.13), (4_000, 3.97)])
def test_low_tones_are_softer_and_high_ones_louder(frequency: int, gain: float) -> None:
    meter = Meter()
    meter.add(sine(frequency, 10))
    assert meter.integrated() == pytest.approx(gain - 0.691 - 3.01, abs=0.1)


def test_silence_has_none() -> None:
    meter = Meter()
    meter.add(np.zeros(RATE, np.float32))
    assert meter.integrated() == -np.inf


def sine(frequency: int, seconds: int) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    turns = frequency * np.arange(seconds * RATE) / RATE
    return np.sin(2 * np.pi * turns).astype(np.float32)
