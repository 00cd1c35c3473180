"""`newsloom eval digest`: a replayed week, as tables."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from newsloom.cli.common import note, say, show_json, show_table

if TYPE_CHECKING:
    from newsloom_lab.evaluate.digest import Coverage, Development, DigestReport


def measure(articles: Path, days: int, owners: int, begin: date | None, as_json: bool) -> None:
    """Replay the densest days, or those from a day on, and say what came of them."""
    from newsloom_lab.evaluate import digest as measured

    found = measured.run(articles, days, owners, begin)
    if as_json:
        show_json(found)
    else:
        _tell(found)


def _tell(found: DigestReport) -> None:
    say(
        f"{found.articles:,} articles of {found.days} days from {found.begin:%Y-%m-%d} on "
        f"({found.outside:,} of other days, {found.left_out:,} left out); {found.digests} digests, "
        f"{found.nothing} had nothing to tell, {found.relaxed} were led by the best there were; "
        f"on {found.top_days} days three topics had importance 70 or more."
    )
    _counts(found)
    show_table(
        ("", "digests", "stories", "words at most", "without a summary", "too few topics"),
        [
            (
                kind,
                str(one.digests),
                f"{one.fewest_stories} to {one.most_stories}",
                str(one.most_words),
                str(one.without_summary),
                str(one.too_few),
            )
            for kind, one in found.lengths.items()
        ],
        right="digests",
    )
    _tell_coverage(found)
    say(f"{found.developed} topics stood again with something new.")
    for development in found.developments:
        _tell_development(development)
    for line in (*found.violations, *found.notes):
        note(line)


def _counts(found: DigestReport) -> None:
    rows = {
        "articles shown twice": str(found.repeats.articles),
        "sentences shown twice": str(found.repeats.sentences),
        "headlines shown twice": str(found.repeats.headlines),
        "outside the bounds of its kind": str(len(found.violations)),
        "the same bytes when run again": "yes" if found.same_bytes else "no",
        "seconds to make a digest, median": f"{found.median_seconds:.2f}",
        "seconds, the longest": f"{found.most_seconds:.2f}",
        "seconds of the stages before, all": f"{found.stage_seconds:.1f}",
    }
    show_table(("", "whole replay"), list(rows.items()), right="")


def _tell_coverage(found: DigestReport) -> None:
    say(
        f"Matters are {found.matters_by}; the most independent owners of one are "
        f"{found.most_owners}. Of those with {found.owners} or more, shown with a summary:"
    )
    rows = [("mornings and evenings", found.daily), ("weekly", found.weekly)]
    show_table(
        ("", "matters", "Newsloom", "most corroborated first", "newest first"),
        [(name, *_cells(one)) for name, one in rows],
        right="matters",
    )


def _cells(one: Coverage | None) -> tuple[str, ...]:
    if one is None:
        return ("0", "-", "-", "-")
    shares = (one.newsloom, one.most_corroborated, one.newest)
    return (str(one.matters), *(f"{share:.0%}" for share in shares))


def _tell_development(one: Development) -> None:
    say(f"{one.kind} of {one.at:%Y-%m-%d}: {one.headline}")
    say(f"    before: {one.before or '(not found)'}")
    for sentence in one.new or ("(a line without a summary)",):
        say(f"    new: {sentence}")
