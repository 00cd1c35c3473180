"""What speaks: eSpeak NG, Piper, a server. `VOICES` has them all, and `voice` makes one."""

from newsloom.briefs.voices.registry import VOICES, by_language, check, chosen, voice

__all__ = ["VOICES", "by_language", "check", "chosen", "voice"]
