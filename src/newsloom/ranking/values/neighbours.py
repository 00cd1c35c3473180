"""Articles whose vectors lie near a vector."""

from __future__ import annotations

from dataclasses import dataclass

from newsloom.kernel.ids import ArticleId


@dataclass(frozen=True, slots=True)
class Neighbour:
    """An original article, and how near its vector is."""

    id: ArticleId
    cosine: float  # -1..1; of vectors rounded to half precision
