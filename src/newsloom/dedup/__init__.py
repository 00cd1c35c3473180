"""Whether an article is known already: layers of evidence, cheapest first, and one decision.

Pure: takes parsed articles and stored copies, returns values; fetches and stores nothing.
"""

from newsloom.dedup.decide import judge, judge_document
from newsloom.dedup.incoming import forwarding, prepare
from newsloom.dedup.long_documents import MARK_BYTES, MOST_NEW, limited
from newsloom.dedup.reissued_ids import LOOK, by_text, renaming, seems_renamed

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
