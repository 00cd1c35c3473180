"""The kinds of whole-history jobs."""

from __future__ import annotations

from newsloom.engines.jobs.context import Kind
from newsloom.engines.jobs.embedding import EMBED
from newsloom.engines.jobs.importing import IMPORT
from newsloom.engines.jobs.judging import JUDGE
from newsloom.engines.jobs.stories import STORIES
from newsloom.engines.jobs.training import TRAIN
from newsloom.kernel.errors import UserError

KINDS = (EMBED, JUDGE, STORIES, TRAIN, IMPORT)


def kind_of(name: str) -> Kind:
    """Raises UserError."""
    for one in KINDS:
        if one.name == name:
            return one
    raise UserError(f"There is no kind {name!r:.40}: {', '.join(one.name for one in KINDS)}.")
