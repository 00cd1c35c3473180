"""Whether an article is known already: layers of evidence, cheapest first, and one decision.

Pure: takes parsed articles and stored copies, returns values; fetches and stores nothing.
"""

from newsloom.duplicates.decide import judge, judge_document
from newsloom.duplicates.incoming import (
    LOOK,
    MARK_BYTES,
    MOST_NEW,
    by_text,
    forwarding,
    limited,
    prepare,
    renaming,
    seems_renamed,
)

__all__ = [
    "LOOK",
    "MARK_BYTES",
    "MOST_NEW",
    "by_text",
    "forwarding",
    "judge",
    "judge_document",
    "limited",
    "prepare",
    "renaming",
    "seems_renamed",
]
