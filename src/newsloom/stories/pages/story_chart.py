"""The chart of a story's coverage: articles a day, by source. Values in, SVG out; no script, no
style of its own. It says in words what it shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import date, timedelta
from html import escape

# Sources that have a shade of their own, the most first; days that are drawn, the last.
MOST_SOURCES, MOST_DAYS = 4, 45
HEIGHT, STEP, FOOT = 90, 14, 16


def coverage(articles: Sequence[tuple[date, str]], sources: Sequence[str]) -> str:
    """Of the day and the source of each article; "" of one day, of which there is nothing to see.

    `sources` has the most first.
    """
    counts = Counter(articles)
    days = sorted({day for day, _source in articles})
    if len(days) < 2:
        return ""
    first = max(days[0], days[-1] - timedelta(days=MOST_DAYS - 1))
    shown = [first + timedelta(days=at) for at in range((days[-1] - first).days + 1)]
    per_day = {day: sum(n for (of, _it), n in counts.items() if of == day) for day in shown}
    most = max(per_day.values()) or 1
    width = max(STEP * len(shown), 120)
    bars = "".join(_bar(at * STEP, day, counts, sources, most) for at, day in enumerate(shown))
    words = escape(_words(per_day, sources), quote=True)
    begin, end = (one.strftime("%d %b") for one in (shown[0], shown[-1]))
    ends = (
        f'<text x="0" y="{HEIGHT + 12}">{begin}</text>'
        f'<text x="{width}" y="{HEIGHT + 12}" text-anchor="end">{end}</text>'
    )
    return (
        f'<svg class="coverage" role="img" aria-label="{words}" '
        f'viewBox="0 0 {width} {HEIGHT + FOOT}" width="{width}" height="{HEIGHT + FOOT}" '
        f'font-size="11" fill="currentColor">{bars}{ends}</svg>'
    )


def shade(sources: Sequence[str], source: str) -> float:
    """How dark a source is drawn."""
    place = sources.index(source) if source in sources[:MOST_SOURCES] else MOST_SOURCES
    return round(0.9 - 0.18 * place, 2)


def _bar(
    left: int, day: date, counts: Counter[tuple[date, str]], sources: Sequence[str], most: int
) -> str:
    drawn, top = "", float(HEIGHT)
    for source in sources:
        number = counts[day, source]
        if number:
            high = (HEIGHT - 4) * number / most
            top -= high
            drawn += (
                f'<rect x="{left}" y="{top:.1f}" width="{STEP - 3}" height="{high:.1f}" '
                f'opacity="{shade(sources, source)}"/>'
            )
    return drawn


def _words(per_day: dict[date, int], sources: Sequence[str]) -> str:
    told = ", ".join(f"{day.strftime('%d %b')} {count}" for day, count in per_day.items() if count)
    return f"Articles by day: {told}. Sources: {', '.join(sources[:12])}"
