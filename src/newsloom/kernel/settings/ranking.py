"""What comes first, and what is held to be the same."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from types import MappingProxyType

from newsloom.kernel.settings.declaring import doc


@dataclass(frozen=True, slots=True)
class Diversification:
    """At most `rows` of any ten rows are from one feed, while others score nearly as much."""

    rows: int
    near: float  # the least share of the score of the row that gives way, 0 to 1


@dataclass(frozen=True, slots=True)
class RankingSettings:
    """How relevance and expiry become one order."""

    half_life_days: tuple[float, float, float, float, float] = doc(
        "Half-lives of scores in days, for sensitivity 1 (evergreen) to 5 (urgent).",
        (365.0, 183.0, 30.0, 10.0, 5.0),
        least=0.01,
    )
    min_likes: int = doc("Likes needed to train a personal model.", 20, least=2)
    min_dislikes: int = doc("Dislikes needed to train a personal model.", 20, least=2)
    observed_delays: bool = doc(
        "Let feeds you read soon expire faster, and feeds you read late slower.", False
    )
    variety_rows: int = doc(
        "Rows that one feed may take of any five in a ranked list while others score nearly as "
        "much; 0: no limit.",
        2,
        least=0,
    )
    variety_near: float = doc(
        "What counts as nearly as much, as a share of the score, 0 to 1.",
        0.7,
        least=0,
    )

    def half_lives(self) -> Mapping[int, timedelta]:
        """Sensitivity 1..5 to half-life."""
        return MappingProxyType(
            {level: timedelta(days=days) for level, days in enumerate(self.half_life_days, start=1)}
        )

    def diversification(self) -> Diversification | None:
        """None: the order is by score alone."""
        return Diversification(self.variety_rows, self.variety_near) if self.variety_rows else None


@dataclass(frozen=True, slots=True)
class ImportanceSettings:
    """What makes an article important, for everyone and for you."""

    weights: tuple[float, float, float, float, float] = doc(
        "Weights of authority, recency, corroboration, nearness to your interests and depth. "
        "They add up to 1.",
        (0.25, 0.20, 0.20, 0.20, 0.15),
        least=0,
    )
    fade: float = doc(
        "How fast recency fades, 100 e^(-fade * hours): 0.03 for daily readers, 0.01 for weekly "
        "ones, 0.05 for real time.",
        0.03,
        least=0.0001,
    )
    in_ranking: float = doc(
        'Share of importance in the score of "For you" by your own model, 0 to 1.',
        0.0,
        least=0,
    )
    in_first_ranking: float = doc(
        "The same until you have a model.",
        0.02,
        least=0,
    )


@dataclass(frozen=True, slots=True)
class DuplicateSettings:
    """When two articles are held to be the same, and what a list makes of it."""

    profile: str = doc(
        "Thresholds: seed (those below) or measured (fitted; changed values stay).", "seed"
    )
    title_jaccard: float = doc(
        "Share of common words that makes two titles alike.", 0.85, least=0.5
    )
    short_title_jaccard: float = doc("The same for titles of fewer than 5 words.", 0.95, least=0.5)
    title_levenshtein: float = doc(
        "Share of common letters that makes two titles alike.", 0.9, least=0.5
    )
    simhash_distance: int = doc(
        "Bits of 64 in which two SimHash fingerprints may differ.", 3, least=0
    )
    minhash_jaccard: float = doc(
        "Share of common word pairs that makes two texts alike.", 0.7, least=0.3
    )
    containment: float = doc(
        "Share of the shorter text's word pairs that makes two texts alike.", 0.5, least=0.3
    )
    shared_sentences: int = doc(
        "Common sentences of the first three long ones that make two texts alike.", 2, least=1
    )
    event_probability: float = doc(
        "Probability of one event from which two articles share a row.", 0.9, least=0.3
    )
    event_with_names: float = doc("The same if the names in both agree.", 0.7, least=0.3)
    entity_overlap: float = doc("Share of common names that supports one event.", 0.8, least=0.3)
    entity_common: int = doc("Least number of common names.", 3, least=1)
    entity_title_words: int = doc("Least number of common title words.", 0, least=0)
    entity_hours: float = doc("Most hours between two articles with common names.", 24.0, least=0)
    window_days: float = doc("Most days between two copies of a text.", 30.0, least=1)
    rows: str = doc(
        "What a row of a list is: story, cluster (an event), text (copies only) or article. A "
        "browser may choose another.",
        "cluster",
    )
    read_together: bool = doc(
        "Reading one article of a row reads all of it; of a story, only copies.", True
    )
