"""Charts of a digest: values in, SVG out. Pure; no script, no style, in the colour of the text.

Each says in words what it shows, for those who do not see it.
"""

from __future__ import annotations

from collections import Counter
from html import escape

from newsloom.digests.values import Digest, Trend

MOST_SOURCES = 8
ROW, NAMES, BARS, NUMBERS = 18, 150, 150, 40


def source_mix(digest: Digest) -> str:
    """How many articles of the topics with a summary each publisher wrote; "" where one wrote
    all."""
    count = Counter(
        " ".join(one.publisher.split())[:60] or one.source
        for topic in (*digest.followed, *digest.summarised)
        for one in (topic.lead, *topic.related)
    )
    if len(count) < 2:
        return ""
    ranked = sorted(count.items(), key=lambda one: (-one[1], one[0]))
    rows, others = ranked[:MOST_SOURCES], ranked[MOST_SOURCES:]
    if len(others) == 1:
        rows += others
    elif others:
        rows.append((f"{len(others)} others", sum(number for _name, number in others)))
    most = max(number for _name, number in rows)
    words = "Articles by publisher: " + ", ".join(f"{name} {number}" for name, number in rows)
    drawn = "".join(
        _row(place, name, number, number / most) for place, (name, number) in enumerate(rows)
    )
    width, height = NAMES + BARS + NUMBERS, ROW * len(rows)
    return (
        f'<svg class="mix" role="img" aria-label="{escape(words, quote=True)}" '
        f'viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'font-size="12" fill="currentColor">{drawn}</svg>'
    )


def _row(place: int, name: str, number: int, share: float) -> str:
    shown = name if len(name) <= 22 else f"{name[:21].rstrip()}…"
    top = ROW * place
    return (
        f'<text x="{NAMES - 6}" y="{top + 13}" text-anchor="end">{escape(shown)}</text>'
        f'<rect x="{NAMES}" y="{top + 4}" width="{max(share * BARS, 1):.1f}" height="10" rx="2" '
        'opacity=".6"/>'
        f'<text x="{NAMES + share * BARS + 6:.1f}" y="{top + 13}">{number}</text>'
    )


def trend_line(trend: Trend) -> str:
    """Independent sources of a topic in each window, this one last."""
    counts = trend.counts or (round(trend.before), trend.sources)
    most = max(*counts, 1)
    step = 100 / max(len(counts) - 1, 1)
    points = " ".join(
        f"{place * step:.1f},{22 - 20 * value / most:.1f}" for place, value in enumerate(counts)
    )
    words = f"Sources by window: {', '.join(map(str, counts))}"
    return (
        f'<svg class="trend" role="img" aria-label="{words}" viewBox="-2 0 104 24" width="104" '
        f'height="24"><polyline points="{points}" fill="none" stroke="currentColor" '
        'stroke-width="2"/></svg>'
    )
