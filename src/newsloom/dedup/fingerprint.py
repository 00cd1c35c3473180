"""Layer 4: the same text, told by what of it is common. Sees no text, only signatures."""

from __future__ import annotations

from newsloom.dedup import minhash, simhash
from newsloom.dedup.signature import Signature
from newsloom.dedup.thresholds import Thresholds
from newsloom.types import Evidence

NAME = "fingerprint"

# A roundup that holds a report is no copy of it: the shorter must have so many of the longer's.
LEAST_LENGTH = 0.33
# With fewer pairs of words a text is too short to tell: then only nearly the same words count.
FEW = 20
NEARLY = 0.9


def keys(signature: Signature) -> frozenset[int]:
    """Its least triples and its first sentences."""
    return frozenset(signature.sample + signature.sentences)


def compare(a: Signature, b: Signature, thresholds: Thresholds) -> Evidence | None:
    """Evidence that two texts are one."""
    if not a.shingles or not b.shingles or not keys(a) & keys(b):
        return None
    jaccard = minhash.jaccard(a.minhash, b.minhash)
    few, many = sorted((a.shingles, b.shingles))
    contained = minhash.containment(jaccard, few, many)
    distance = simhash.distance(a.simhash, b.simhash)
    sentences = len(set(a.sentences) & set(b.sentences))
    if few < FEW:
        found = [jaccard] if jaccard >= NEARLY else []
    else:
        found = [
            score
            for score, holds in (
                (1 - distance / simhash.BITS, distance <= thresholds.simhash_distance),
                (jaccard, jaccard >= thresholds.minhash_jaccard),
                (contained, contained >= thresholds.containment and few >= LEAST_LENGTH * many),
                (sentences / 3, sentences >= thresholds.shared_sentences),
            )
            if holds
        ]
    if not found:
        return None
    least = min(len(a.sentences), len(b.sentences))
    detail = (
        f"{contained:.0%} of the shorter text's pairs of words, {jaccard:.0%} of all, "
        f"{sentences} of {least} first sentences, SimHash differs in {distance} of 64 bits"
    )
    return Evidence(NAME, min(1.0, max(found)), detail)
