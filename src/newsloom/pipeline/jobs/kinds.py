"""The kinds of whole-history jobs."""

from __future__ import annotations

from newsloom.errors import UserError
from newsloom.pipeline.jobs.context import Kind
from newsloom.pipeline.jobs.embedding import EMBED
from newsloom.pipeline.jobs.importing import IMPORT
from newsloom.pipeline.jobs.judging import JUDGE
from newsloom.pipeline.jobs.stories import STORIES
from newsloom.pipeline.jobs.training import TRAIN

KINDS = (EMBED, JUDGE, STORIES, TRAIN, IMPORT)


def kind_of(name: str) -> Kind:
    """Raises UserError."""
    for one in KINDS:
        if one.name == name:
            return one
    raise UserError(f"There is no kind {name!r:.40}: {', '.join(one.name for one in KINDS)}.")
