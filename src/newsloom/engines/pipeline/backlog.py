"""How much is left to do of each stage, asked of the stages. Computes and leases nothing.

Which results a stage lacks depends on models, readers and settings, which its step alone knows: it
is given leases that note what it asks for, and find nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass

from newsloom.engines.pipeline.stages import Stage, StageContext
from newsloom.kernel.errors import ModelError
from newsloom.work.service import Keep, Leases
from newsloom.work.values import Lease, StageKey

# Articles of one stage that are counted at most: more need no more workers, and cost a scan.
COUNTED = 10_000


@dataclass(frozen=True, slots=True)
class Backlog:
    """What nobody holds yet of a stage."""

    stage: str
    articles: int
    batches: int  # so many workers can be busy with it at once

    @property
    def more(self) -> bool:
        """Whether there may be more articles than were counted."""
        return self.articles >= COUNTED


def backlog(
    context: StageContext, stages: Iterable[Stage], enough: int | None = None
) -> tuple[Backlog, ...]:
    """Of each stage, in their order; no further than to so many batches, if that is given."""
    context, found, left = context.for_pass(), [], enough
    for stage in stages:
        # Told to stop: a stage that finds nothing left may do more then, as changing encoders.
        asked = _DryLeases(
            context.store, context.now, lambda: True, in_order=stage.in_order, enough=left
        )
        # A model that cannot be loaded is told of where the stage runs.
        with suppress(_EnoughError, ModelError):
            stage.step(context, asked)
        found.append(Backlog(stage.name, asked.articles, asked.batches))
        if left is not None:
            left -= asked.batches
            if left <= 0:
                break
    return tuple(found)


class _EnoughError(Exception):
    """So many batches were found that no more need be looked for."""


@dataclass(slots=True)
class _DryLeases(Leases):
    """Leases that are asked for and never given."""

    in_order: bool = False
    enough: int | None = None
    articles: int = 0
    batches: int = 0

    def work(self, key: StageKey, limit: int, compute: Callable[[Lease], Keep | None]) -> int:
        del compute
        found = self.store.work.pending_work(key, COUNTED, self.now())
        self.articles += found
        self.batches += bool(found) if self.in_order else -(-found // limit)
        if self.enough is not None and self.batches >= self.enough:
            raise _EnoughError
        return 0
