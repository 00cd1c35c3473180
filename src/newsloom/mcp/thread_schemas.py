"""Threads as tools give them: typed, with strangers' words marked as such."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from pydantic import Field

from newsloom.mcp.schemas import NAME, TITLE, Noticed, ToolResult, one_line
from newsloom.stories.service.stories import ThreadLine
from newsloom.stories.service.threads import ThreadView


class Thread(ToolResult):
    """A thread in a list."""

    id: int
    stories: int
    articles: int
    sources: int
    began: datetime
    latest: datetime
    followed: bool
    untrusted_title: str


class Threads(Noticed):
    """Threads."""

    threads: list[Thread]
    more: bool = Field(description="Whether there are more; continue with a higher offset")


class ThreadStory(ToolResult):
    """A story of a thread."""

    id: int
    began: datetime
    sources: int
    untrusted_title: str
    untrusted_summary: str
    untrusted_first_source: str


class WholeThread(Thread, Noticed):
    """A thread with its stories."""

    events: list[ThreadStory] = Field(description="By date, the first first")
    left_out: int = Field(description="How many more stories it has")


def thread(one: ThreadLine) -> Thread:
    """A thread in a list."""
    return Thread(**_thread(one))


def _thread(one: ThreadLine) -> dict[str, Any]:
    return {
        "id": one.head.id,
        "stories": len(one.stories),
        "articles": one.articles,
        "sources": one.sources,
        "began": one.began,
        "latest": one.latest,
        "followed": one.subscription > 0,
        "untrusted_title": one_line(one.title, TITLE),
    }


def whole_thread(found: ThreadView, most: int) -> WholeThread:
    """A thread with its last stories."""
    return WholeThread(
        **_thread(found.line),
        events=[
            ThreadStory(
                id=one.head.id,
                began=one.first.dated,
                sources=one.sources,
                untrusted_title=one_line(one.title, TITLE),
                untrusted_summary=one_line(one.head.summary, 1_000),
                untrusted_first_source=one_line(one.first.source, NAME),
            )
            for one in found.events[-most:]
        ],
        left_out=max(len(found.events) - most, 0),
    )
