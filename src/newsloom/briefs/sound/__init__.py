"""Samples in, samples and files out: pauses, loudness, MP3 and Opus with their tags. Pure."""

# Samples a second of all that is kept. Speech has little above 12 kHz; Opus takes it as it is, and
# what voices make (22.05 or 24 kHz) loses nothing.
RATE = 24_000
