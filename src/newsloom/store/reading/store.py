"""`store.reading`."""

from __future__ import annotations

from newsloom.store.reading.arranging import Arranging
from newsloom.store.reading.article_detail import ArticleDetail
from newsloom.store.reading.clearing import Clearing
from newsloom.store.reading.leaving import Leaving
from newsloom.store.reading.marks import Marks
from newsloom.store.reading.sent_marks import SentMarks
from newsloom.store.reading.subscriptions import Subscriptions
from newsloom.store.reading.undoing import Undoing


class ReadingStore(
    Subscriptions, Arranging, Leaving, ArticleDetail, Marks, SentMarks, Undoing, Clearing
):
    """One reader's subscriptions, articles and marks."""
