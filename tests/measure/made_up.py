"""Labelled articles made up, and an encoder that only tells pears from plums."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import numpy as np

from newsloom.ranking.learning.head import HeadTrainer
from newsloom.ranking.measure.articles import LabelledArticle
from newsloom.ranking.measure.labelled import of_file

START = datetime(2026, 1, 1, tzinfo=UTC)


class Counting:
    """A vector says pear or plum, and a little of the rest, so that no two articles are alike."""

    model_id = "counting"
    dimensions = 8

    def embed(self, texts):
        rows = np.zeros((len(texts), 8), np.float32)
        for row, text in zip(rows, texts, strict=True):
            row[0] = 0.9 if "pear" in text else -0.9
            row[1 + sum(map(ord, text)) % 7] = 0.43589
        return rows


def fruit(number, **fields):
    kind = "pear" if number % 2 else "plum"
    name = "".join(chr(ord("a") + int(digit)) for digit in f"{number:03d}")
    return LabelledArticle(id=str(number), title=f"A {kind} {name}", **fields)


def liked(count, wrong=(), days=1.0, **fields):
    """Pears are liked, plums are not, and those numbered in `wrong` the other way round."""
    return [
        fruit(
            number,
            label="like" if (number % 2 == 1) != (number in wrong) else "dislike",
            labelled_at=START + timedelta(days=days * number),
            source=f"source {number % 7}",
            **fields,
        )
        for number in range(count)
    ]


def readers(articles):
    return of_file(articles, Counting())


def head():
    return HeadTrainer((5, 5), "counting")
