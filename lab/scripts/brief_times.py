"""The times of a brief's sentences against the silences of its MP3, as players decode it.

    python lab/scripts/brief_times.py 1

The store is that of the settings (NEWSLOOM_STORE_PATH). For each sentence the nearest end of a
silence (0.25 s below -60 dBFS) is its begin, the nearest begin of one its end.
"""

from __future__ import annotations

import os
import sys

import numpy as np
import soundfile

from newsloom.app import open_app
from newsloom.briefs.service.brief_schedules import archived
from newsloom.kernel.settings import load

QUIET, LEAST = 10 ** (-60 / 20), 0.25
STEPS = 200  # a second


def main() -> None:
    app = open_app(load(None, os.environ))
    brief = archived(app.reader(), int(sys.argv[1]))
    if brief.sound is None:
        raise SystemExit("The brief has no audio.")
    path = app.settings.brief.folder.expanduser() / brief.sound.files[0].name
    samples, rate = soundfile.read(path, dtype="float32", always_2d=True)
    hop = rate // STEPS
    frames = samples[: len(samples) // hop * hop, 0].reshape(-1, hop)
    quiet = np.sqrt(np.mean(np.square(frames), axis=1)) < QUIET
    edges = np.flatnonzero(np.diff(np.concatenate(([0], quiet.astype(int), [0])))).reshape(-1, 2)
    silences = edges[edges[:, 1] - edges[:, 0] >= LEAST * STEPS] / STEPS
    print(f"{brief.sound.voice}: {brief.sound.seconds:.0f} s, {len(brief.sound.times)} sentences")
    print(f"{brief.sound.loudness} LUFS, peak {brief.sound.peak} dBTP")
    for name, side in (("begin", 1), ("end", 0)):
        told = np.array([getattr(one, name) for one in brief.sound.times])
        off = np.abs(silences[:, side][None, :] - told[:, None]).min(axis=1) * 1_000
        print(f"{name}: median {np.median(off):.0f} ms, most {off.max():.0f} ms")


if __name__ == "__main__":
    main()
