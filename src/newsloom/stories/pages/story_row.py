"""What a row that stands for a story says of it: words. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from newsloom.duplicates.pages import NEWS_AFTER, OtherReport, other_reports
from newsloom.kernel.text.ages import age_words
from newsloom.reading.values.reading import Listed, RowStory
from newsloom.web.wording import TITLE_LENGTH, clean, count_words, title_of


@dataclass(frozen=True, slots=True)
class StoryRow:
    """The story behind a row."""

    id: int
    title: str
    words: str
    latest: str  # age of the newest, where that is news
    others: tuple[OtherReport, ...]
    more: int  # that are not named
    unread: int


def story_row(story: RowStory, listed: Listed, now: datetime) -> StoryRow:
    """`listed`: the article that the row shows."""
    articles = count_words(story.articles, "article")
    sources = count_words(story.sources, "source")
    late = story.latest - listed.dated > NEWS_AFTER
    return StoryRow(
        id=story.id,
        title=clean(story.title, TITLE_LENGTH) or title_of(listed),
        words=f"{articles} of {sources} in this story",
        latest=f"newest {age_words(now - story.latest)}" if late else "",
        others=other_reports(story.others, now, same=True),
        more=story.articles - 1 - len(story.others),
        unread=story.unread,
    )
