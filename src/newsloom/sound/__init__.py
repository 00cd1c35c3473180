"""Samples in, samples and files out: pauses, loudness, MP3 and Opus with their tags. Pure."""
