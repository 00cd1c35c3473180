"""`store.stories`."""

from __future__ import annotations

from newsloom.store.stories.audit import StoryAudit
from newsloom.store.stories.corrections import StoryCorrections
from newsloom.store.stories.pages import StoryPages
from newsloom.store.stories.parents import StoryParents
from newsloom.store.stories.questions import StoryQuestions
from newsloom.store.stories.work import StoryWork


class StoryStore(StoryWork, StoryPages, StoryCorrections, StoryAudit, StoryQuestions, StoryParents):
    """Stories, their members and centroids, the audit, readers' corrections, who follows what."""
