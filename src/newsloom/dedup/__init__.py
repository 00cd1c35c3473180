"""Whether an article is known already: layers of evidence, cheapest first, and one decision.

Pure: takes parsed articles and stored copies, returns values; fetches and stores nothing.
"""

from newsloom.dedup.decide import judge, judge_document
from newsloom.dedup.incoming import forwarding, prepare
from newsloom.dedup.layers import LAYERS, Layer

__all__ = ["LAYERS", "Layer", "forwarding", "judge", "judge_document", "prepare"]
