"""How fast whole-history jobs go."""

from __future__ import annotations

from dataclasses import dataclass

from newsloom.settings.declaring import doc


@dataclass(frozen=True, slots=True)
class JobSettings:
    """Jobs over everything stored: `newsloom jobs`."""

    pace: float = doc(
        "Articles a second of one worker at most, where a job says nothing else; 0: no limit.",
        0.0,
        least=0,
    )
    share: float = doc(
        "The share of the time that one worker works on a job, where the job says nothing else; it "
        "rests in between. 1: all.",
        0.5,
        least=0.01,
    )
