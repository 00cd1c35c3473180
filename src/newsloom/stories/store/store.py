"""`store.stories`."""

from __future__ import annotations

from newsloom.stories.store.audit import StoryAudit
from newsloom.stories.store.corrections import StoryCorrections
from newsloom.stories.store.pages import StoryPages
from newsloom.stories.store.questions import StoryQuestions
from newsloom.stories.store.threads import ThreadStore
from newsloom.stories.store.work import StoryWork


class StoryStore(StoryWork, StoryPages, StoryCorrections, StoryAudit, StoryQuestions, ThreadStore):
    """Stories and threads, their members, the audit, readers' corrections, who follows what."""
