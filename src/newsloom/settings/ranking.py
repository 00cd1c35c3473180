"""What comes first, and what is held to be the same."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from types import MappingProxyType

from newsloom.settings.declaring import doc
from newsloom.types import Variety


@dataclass(frozen=True, slots=True)
class RankingSettings:
    """How relevance and expiry become one order."""

    half_life_days: tuple[float, float, float, float, float] = doc(
        "Days in which a score halves, for sensitivity 1 (evergreen) to 5 (critical).",
        (365.0, 183.0, 30.0, 10.0, 5.0),
        least=0.01,
    )
    min_likes: int = doc("Likes needed before a personal model is trained.", 20, least=2)
    min_dislikes: int = doc("Dislikes needed before a personal model is trained.", 20, least=2)
    observed_delays: bool = doc(
        "Whether a feed whose articles you read soon, or late, expires faster, or slower.", False
    )
    variety_rows: int = doc(
        "Of any five rows of a ranked list, how many one feed may take while others score nearly "
        "as much; 0: the order is by score alone.",
        2,
        least=0,
    )
    variety_near: float = doc(
        "What counts as nearly as much: the share, 0 to 1, of the score of the article that "
        "another is put before.",
        0.7,
        least=0,
    )

    def half_lives(self) -> Mapping[int, timedelta]:
        """Sensitivity 1..5 to half-life."""
        return MappingProxyType(
            {level: timedelta(days=days) for level, days in enumerate(self.half_life_days, start=1)}
        )

    def variety(self) -> Variety | None:
        """None: the order is by score alone."""
        return Variety(self.variety_rows, self.variety_near) if self.variety_rows else None


@dataclass(frozen=True, slots=True)
class ImportanceSettings:
    """What makes an article important, for everyone and for you."""

    weights: tuple[float, float, float, float, float] = doc(
        "How much each signal counts: authority of the source, recency, corroboration by others, "
        "nearness to your interests, depth. They add up to 1.",
        (0.25, 0.20, 0.20, 0.20, 0.15),
        least=0,
    )
    fade: float = doc(
        "How fast recency fades: 100 e^(-fade * hours). 0.03 is for a daily reader, 0.01 for a "
        "weekly one, 0.05 for real time.",
        0.03,
        least=0.0001,
    )
    in_ranking: float = doc(
        'The share of importance, 0 to 1, in the score that orders "For you"; more is 1.',
        0.0,
        least=0,
    )


@dataclass(frozen=True, slots=True)
class DuplicateSettings:
    """When two articles are held to be the same, and what a list makes of it."""

    profile: str = doc(
        "The thresholds: seed (those below) or measured (fitted; those changed below stay).", "seed"
    )
    title_jaccard: float = doc("Common words of two titles that make them alike.", 0.85, least=0.5)
    short_title_jaccard: float = doc("The same for titles of fewer than 5 words.", 0.95, least=0.5)
    title_levenshtein: float = doc(
        "Common letters that make alike titles which few words part.", 0.9, least=0.5
    )
    simhash_distance: int = doc("Bits of 64 that two fingerprints may differ in.", 3, least=0)
    minhash_jaccard: float = doc(
        "Common pairs of following words of two texts, of all.", 0.7, least=0.3
    )
    containment: float = doc("The same, of those of the shorter text.", 0.5, least=0.3)
    shared_sentences: int = doc("Common ones of the first three long sentences.", 2, least=1)
    event_probability: float = doc(
        "How likely, 0 to 1, two articles must report one event to share a row.", 0.9, least=0.3
    )
    event_with_names: float = doc(
        "The same, where the names in both agree as the next values say.", 0.7, least=0.3
    )
    entity_overlap: float = doc("Common names of two articles on one event.", 0.8, least=0.3)
    entity_common: int = doc("Names that they must have in common at least.", 3, least=1)
    entity_title_words: int = doc("Words that their titles must have in common.", 0, least=0)
    entity_hours: float = doc(
        "Hours between two articles on one event; looked for up to a day apart.", 24.0, least=0
    )
    window_days: float = doc("How far apart two copies of a text may be.", 30.0, least=1)
    rows: str = doc(
        "What is one row of a list: a story (all that is told over days), a cluster (an event), a "
        "text (copies only) or an article. A browser that chose on a page keeps its own choice.",
        "cluster",
    )
    read_together: bool = doc(
        "Whether reading one article of a row reads all of it; of a story, only its copies.", True
    )
