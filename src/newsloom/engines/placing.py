"""How many workers of which kind there should be, by what is left to do. Decides; starts none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from newsloom.kernel.settings import WorkSettings
from newsloom.ranking.stages.encoders import ACTIVE, ANEW, HEADS, LANGUAGES

# Where an encoder computes.
EMBEDDING = (ACTIVE, HEADS, ANEW, LANGUAGES)


class Counted(Protocol):
    """What is left of a stage, as pipeline.backlog tells it."""

    @property
    def stage(self) -> str: ...
    @property
    def batches(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Kind:
    """Workers that need the same of their machine."""

    name: str
    stages: tuple[str, ...]
    cpus: float
    gpus: float = 0.0


def kinds(stages: Sequence[str], settings: WorkSettings) -> tuple[Kind, ...]:
    """One kind for all stages; with graphics processors, another for those that embed."""
    if not settings.ray_gpus:
        return (Kind("cpu", tuple(stages), settings.ray_cpus),)
    rest = tuple(one for one in stages if one not in EMBEDDING)
    embedding = tuple(one for one in stages if one in EMBEDDING)
    both = (
        Kind("cpu", rest, settings.ray_cpus),
        Kind("gpu", embedding, settings.ray_cpus, settings.ray_gpus),
    )
    return tuple(one for one in both if one.stages)


def wanted(kind: Kind, left: Sequence[Counted], most: int) -> int:
    """As many workers as there are batches for them, and no more than that."""
    return min(sum(one.batches for one in left if one.stage in kind.stages), most)
