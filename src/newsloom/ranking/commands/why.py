"""An explanation as text: what the score is made of, as signed bars, and how it decays. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING

from newsloom.kernel.text.ages import age_words

if TYPE_CHECKING:
    from newsloom.ranking.values.models import Explanation, Reason

# How fast each sensitivity expires, in the words of the pages (FADING in web/view.py).
SENSITIVITY = {1: "evergreen", 2: "months", 3: "weeks", 4: "days", 5: "urgent"}

HALF = 12  # characters of a bar to each side
CURVE = 40  # characters of the decay curve
STEPS = " ▁▂▃▄▅▆▇█"


def lines(why: Explanation) -> Iterable[str]:
    """What `newsloom why` prints."""
    one = why.listed
    yield one.title
    yield (
        f"Score {one.score:.1f} = relevance {one.relevance:.1f} x {why.remaining:.2f} left after "
        f"{age_words(why.age)} (half-life {why.half_life / timedelta(days=1):g} days)"
    )
    if why.stands_by is not None:
        by = why.stands_by
        yield f"Its row is ranked by the highest score in it, {by.score:.1f} of {by.id} {by.title}"
    yield f"Relevance by {why.made_by}" + ("." if why.personal else " (not personalised yet).")
    # The sum: from an even chance to the base score.
    yield f"{50.0:8.1f}  baseline"
    yield from _signed([one for one in why.reasons if one.effect])
    yield f"{one.relevance:8.1f}  relevance"
    if why.words:
        yield "Effect of each title word on the score:"
        yield from _signed(why.words)
    yield from (f"  {reason.kind}: {reason.text}" for reason in why.reasons if not reason.effect)
    yield _expires(why)
    yield from _curve(why)
    yield from _importance(why)
    if why.story is not None:
        # What following its story does beside the score, and where the story is.
        if why.story.subscription > 0:
            yield f"{why.story.points:+8.1f}  importance in digests, because you follow its story"
        yield f"Its story: `newsloom stories {why.story.story}`"


def _signed(reasons: Sequence[Reason]) -> Iterable[str]:
    widest = max((abs(one.effect) for one in reasons), default=0.0) or 1.0
    for one in reasons:
        if not round(one.effect, 1):
            continue
        length = max(1, round(HALF * abs(one.effect) / widest))
        left, right = ("-" * length, "") if one.effect < 0 else ("", "+" * length)
        yield f"{one.effect:+8.1f}  {left:>{HALF}}|{right:<{HALF}}  {one.kind}: {one.text}"


def _importance(why: Explanation) -> Iterable[str]:
    """The five signals, each with what it adds."""
    if not why.signals:
        yield "Importance: not computed yet."
        return
    yield f"Importance {sum(one.points for one in why.signals):.1f} of 100:"
    for one in why.signals:
        bar = "#" * round(one.value / 100 * CURVE / 2)
        yield (
            f"{one.points:8.1f}  {bar:<{CURVE // 2}} {one.name} "
            f"{one.value:.0f} x {one.weight:g}: {one.reason}"
        )


def _expires(why: Explanation) -> str:
    rating = why.rating
    sure = f", {rating.confidence:.0%} sure" if rating.confidence else ""
    beside = f"; {why.beside.rstrip('.')}" if why.beside else ""
    by = f" Rated by {why.rated_by}{beside}." if why.rated_by else ""
    text = f" {rating.explanation.rstrip('.')}." if rating.explanation else ""
    moved = f" It was {why.delayed}." if why.delayed else ""
    return f"Expires: {rating.rating} {SENSITIVITY[rating.rating]}{sure}.{text}{by}{moved}"


def _curve(why: Explanation) -> Iterable[str]:
    """From publication to three half-lives, or a little past now."""
    from newsloom.ranking.scoring import decayed

    whole = max(3 * why.half_life, 1.25 * why.age)
    score = why.listed.relevance
    shown = [decayed(score, whole * step / (CURVE - 1), why.half_life) for step in range(CURVE)]
    heights = (round(one / max(score, 1e-9) * (len(STEPS) - 1)) for one in shown)
    now = round((CURVE - 1) * why.age / whole)
    yield f"  {score:5.1f} {''.join(STEPS[height] for height in heights)} {shown[-1]:.1f}"
    yield f"        {' ' * now}^ now {why.listed.score:.1f}"
