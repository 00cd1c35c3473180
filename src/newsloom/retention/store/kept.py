"""What is never pruned, and when an article is due. Conditions on an original `o`, in SQL."""

from __future__ import annotations

from dataclasses import dataclass

from newsloom.reading.store.tables import TEACHING
from newsloom.retention.values import Removal


@dataclass(frozen=True, slots=True)
class Keep:
    """A reason to keep an article, whatever its age."""

    name: str
    condition: str


# Where a table has no index by its articles it is read once a statement: it is small.
KEPT = (
    Keep(
        "starred, rated or put aside",
        "EXISTS (SELECT 1 FROM states s WHERE s.article_id = o.id"
        " AND (s.starred = TRUE OR s.later = TRUE OR s.rating <> 0))",
    ),
    Keep(
        "it teaches a model: liked, disliked, starred, finished or skipped",
        "EXISTS (SELECT 1 FROM states s JOIN events e"  # noqa: S608 - words of ours
        " ON e.user_id = s.user_id AND e.article_id = s.article_id"
        f" WHERE s.article_id = o.id AND {TEACHING})",
    ),
    Keep("tagged", "EXISTS (SELECT 1 FROM article_tags k WHERE k.article_id = o.id)"),
    Keep("noted", "EXISTS (SELECT 1 FROM article_notes k WHERE k.article_id = o.id)"),
    Keep("highlighted", "EXISTS (SELECT 1 FROM highlights k WHERE k.article_id = o.id)"),
    Keep(
        "in a followed story",
        "EXISTS (SELECT 1 FROM story_members m JOIN story_readers r ON r.story_id = m.story_id"
        " WHERE m.article_id = o.id AND r.stand = 1)",
    ),
    Keep(
        "in a story that goes on",
        "EXISTS (SELECT 1 FROM story_members m JOIN stories t ON t.id = m.story_id"
        " WHERE m.article_id = o.id AND t.state <> 'archived')",
    ),
    Keep("corrected", "EXISTS (SELECT 1 FROM story_corrections k WHERE k.article_id = o.id)"),
    Keep(
        "said not to be the same as another",
        "(EXISTS (SELECT 1 FROM separations k WHERE k.article_id = o.id)"
        " OR EXISTS (SELECT 1 FROM separations k WHERE k.other_id = o.id))",
    ),
    Keep("saved elsewhere", "o.id IN (SELECT article_id FROM shares)"),
    Keep("of another program", "EXISTS (SELECT 1 FROM bridge_entries k WHERE k.article_id = o.id)"),
    Keep("unread of a feed left lately", "o.id IN (SELECT article_id FROM left_states)"),
)
_NOT_KEPT = f"NOT ({' OR '.join(one.condition for one in KEPT)})"

_UNREAD = "EXISTS (SELECT 1 FROM states s WHERE s.article_id = o.id AND s.read = FALSE)"

# Keys find copies of a text, and hold nothing that anybody kept.
_DUE = {
    Removal.TEXTS: _NOT_KEPT,
    Removal.VECTORS: _NOT_KEPT,
    Removal.KEYS: "TRUE",
    Removal.ARTICLES: f"(o.first_seen_at < :unread_before OR NOT {_UNREAD}) AND {_NOT_KEPT}",
}


def due(what: Removal) -> str:
    """The originals among `:those` of which it is to go; every copy of them is old enough."""
    return f"""
        SELECT o.id FROM articles o
        WHERE o.id IN numbers_in(:those) AND o.original_id = o.id AND NOT EXISTS (
            SELECT 1 FROM aged_articles g WHERE g.article_id = o.id
            AND (g.{what}_at IS NOT NULL OR g.articles_at IS NOT NULL)
        ) AND NOT EXISTS (
            SELECT 1 FROM articles c WHERE c.original_id = o.id AND c.first_seen_at >= :before
        ) AND {_DUE[what]}
        ORDER BY o.id
    """  # noqa: S608 - names of ours
