"""Made-up feeds as files: every article in other words, of the lengths that summaries have."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import numpy as np

ARTICLES = 20  # of a feed
TITLE_WORDS = (3, 12)
# Of 5,384 articles of 181 real feeds half have up to 29 words of summary, or of text where there is
# none, a quarter more than 76, one in twenty more than 1,000.
SUMMARY_WORDS, SPREAD, MOST_WORDS = 29, 1.6, 1_000
_VOCABULARY = 20_000
_SYLLABLES = ("ba", "ce", "di", "fo", "gu", "ha", "ke", "li", "mo", "nu", "pa", "re", "si", "to")


class FeedFiles:
    """Writes the same feeds every time. `edition` 1 shares no article with edition 0."""

    def __init__(self, folder: Path, feeds: int) -> None:
        self.folder = folder
        self.feeds = feeds
        self._chance = np.random.default_rng(7)
        parts = self._chance.integers(0, len(_SYLLABLES), (_VOCABULARY, 4))
        self._words = np.array(
            ["".join(_SYLLABLES[one] for one in row[: 1 + at % 4]) for at, row in enumerate(parts)],
            object,
        )
        # Zipf's law, as words of any language follow it.
        shares = 1 / np.arange(2, _VOCABULARY + 2)
        self._curve = np.cumsum(shares / shares.sum())

    def write(self, edition: int, newest: datetime) -> None:
        """All files, each put in place at once."""
        self.folder.mkdir(exist_ok=True)
        for number in range(self.feeds):
            path = self.folder / f"{number}.xml"
            fresh = path.with_suffix(".new")
            fresh.write_text("".join(self._document(number, edition, newest)), encoding="utf-8")
            # nginx makes its ETag of the second and the size.
            os.utime(fresh, (newest.timestamp(), newest.timestamp()))
            fresh.replace(path)

    def _document(self, number: int, edition: int, newest: datetime) -> Iterator[str]:
        site = f"https://news-{number}.example"
        yield '<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0"><channel>'
        yield f"<title>{self._text(3).title()} {number}</title><link>{site}/</link>"
        yield f"<description>{self._text(8)}</description><language>en</language>\n"
        for place in range(ARTICLES):
            at = newest - timedelta(minutes=17 * place + number % 17)
            name = f"{site}/{edition}/{place}"
            words = SUMMARY_WORDS * np.exp(SPREAD * self._chance.standard_normal())
            yield f"<item><title>{self._title()}</title><link>{name}</link>"
            yield f'<guid isPermaLink="true">{name}</guid>'
            yield f"<pubDate>{format_datetime(at)}</pubDate><category>{self._text(1)}</category>"
            yield f"<description>{self._text(min(int(words) + 5, MOST_WORDS))}</description>"
            yield "</item>\n"
        yield "</channel></rss>\n"

    def _title(self) -> str:
        return self._text(int(self._chance.integers(*TITLE_WORDS))).capitalize()

    def _text(self, words: int) -> str:
        drawn = np.searchsorted(self._curve, self._chance.random(words))
        return " ".join(self._words[np.minimum(drawn, _VOCABULARY - 1)])
