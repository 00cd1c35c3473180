"""What two signed articles are to each other, and why. Finds no candidates, stores nothing."""

from __future__ import annotations

from dataclasses import dataclass

from newsloom.dedup.signature import Signature
from newsloom.dedup.thresholds import Thresholds
from newsloom.types import Evidence, Relation


@dataclass(frozen=True, slots=True)
class Verdict:
    """The relation of a pair, None where it has none, and all that speaks for it."""

    relation: Relation | None
    evidence: tuple[Evidence, ...] = ()  # the decisive first
    # Nothing else decided and the likely names are alike: judge again with `entities` of both.
    wants_entities: bool = False


_NOTHING = Verdict(None)


def judge_pair(a: Signature, b: Signature, thresholds: Thresholds) -> Verdict:
    """Symmetric; depends on nothing but the two."""
    if abs(a.dated - b.dated) > thresholds.window:
        return _NOTHING
    # Layers are imported as they are written.
    from newsloom.dedup import fingerprint, title

    text = fingerprint.compare(a, b, thresholds)
    heading = title.compare(a, b, thresholds)
    if text is not None:
        return Verdict(Relation.SAME_TEXT, (text, heading) if heading else (text,))
    if heading is not None and a.source != b.source:
        return Verdict(Relation.NEAR_DUPLICATE, (heading,))
    return _NOTHING
