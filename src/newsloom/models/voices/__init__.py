"""What speaks: eSpeak NG, Piper, a server. `VOICES` has them all, and `voice` makes one."""

from newsloom.models.voices.registry import VOICES, check, chosen, voice

__all__ = ["VOICES", "check", "chosen", "voice"]
