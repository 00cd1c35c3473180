"""When a stage may begin whose results depend on the order of articles.

Several workers come to the end of a stage at different times. One that has nothing left to embed
would put what is embedded into stories while another still embeds older articles, and the stories
would not be those of one worker alone. So such a stage waits for the batches under way before it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from newsloom.store import Store

# Seconds. Where many workers have new articles all the time, some batch is always under way.
PATIENCE = 60.0


class _Context(Protocol):
    @property
    def store(self) -> Store: ...

    def now(self) -> datetime: ...


class _Named(Protocol):
    @property
    def name(self) -> str: ...


@dataclass(slots=True)
class InOrder:
    """Since when stages wait, in this process."""

    _since: dict[str, float] = field(default_factory=dict)

    def waits(
        self, context: _Context, stage: str, before: Sequence[_Named], seconds: float
    ) -> bool:
        """Whether other workers still do what comes before a stage; not for longer than a minute.

        `seconds` is the time of a clock that only goes forward.
        """
        names = [one.name for one in before]
        if not names or not context.store.work.work_elsewhere(context.now(), names):
            self._since.pop(stage, None)
            return False
        return seconds - self._since.setdefault(stage, seconds) < PATIENCE
