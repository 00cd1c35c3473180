"""`store.reading`."""

from __future__ import annotations

from newsloom.reading.store.arranging import Arranging
from newsloom.reading.store.article_detail import ArticleDetail
from newsloom.reading.store.clearing import Clearing
from newsloom.reading.store.leaving import Leaving
from newsloom.reading.store.marks import Marks
from newsloom.reading.store.sent_marks import SentMarks
from newsloom.reading.store.subscriptions import Subscriptions
from newsloom.reading.store.undoing import Undoing


class ReadingStore(
    Subscriptions, Arranging, Leaving, ArticleDetail, Marks, SentMarks, Undoing, Clearing
):
    """One reader's subscriptions, articles and marks."""
