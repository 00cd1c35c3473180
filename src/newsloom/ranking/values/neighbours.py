"""Articles whose vectors lie near a vector, and how near is near."""

from __future__ import annotations

from dataclasses import dataclass

from newsloom.kernel.ids import ArticleId


@dataclass(frozen=True, slots=True)
class Neighbour:
    """An original article, and how near its vector is."""

    id: ArticleId
    cosine: float  # -1..1; of vectors rounded to half precision


# multilingual-e5-small exactly as `newsloom models get` makes it of the pinned wheel.
E5_VECTORS = "multilingual-e5-small-61585b99c20b/title+lead@1"


@dataclass(frozen=True, slots=True)
class CosineScale:
    """What cosines of one encoder mean."""

    related: float  # below this, articles are not related
    covered: float  # below this, a headline that a search found does not cover an article
    # Cosine of an article to an interest, as log odds: slope * (cosine - even).
    interest_slope: float
    interest_even: float


# Related: of the development sets' pairs of one story .86 to .95 reach it, of other pairs .5 to 1.6
# in a hundred; docs/work/quality.md has the figures of other floors. Interests: fitted on 38
# phrases such as "cooking recipes" against 24 categories of 2,774 HuffPost articles, categories
# weighed alike: mean ROC AUC 0.848, even odds at cosine 0.111.
MINILM_SCALE = CosineScale(related=0.5, covered=0.55, interest_slope=14.7, interest_even=0.111)
# Related: .834 and .4 in a hundred on allsides_val, where MiniLM has .845 and .6; in other
# languages the 1 % of unrelated pairs that are nearest reach .31 to .43. Interests: as MiniLM's
# changed by a fit of both on 12 phrases and 1,500 articles (AUC .907; MiniLM .887). Covered: of
# right headlines on allsides_val and allsides_fulltext .65 and .58 reach it, of others 1.4 and 2.5
# in a thousand; with MiniLM .64 and .64, 1.6 and 3.9.
E5_SCALE = CosineScale(related=0.45, covered=0.45, interest_slope=19.6, interest_even=0.08)


def scale_of(vector_model: str) -> CosineScale:
    """Those of MiniLM where no others were measured."""
    return E5_SCALE if vector_model == E5_VECTORS else MINILM_SCALE


def event_vectors(active: str, shipped: str) -> str:
    """The encoder whose vectors stories and the probability of one event are made of: the active
    one where that probability was fitted on it, else the shipped one."""
    return active if active == E5_VECTORS else shipped
