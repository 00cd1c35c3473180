"""`newsloom eval sources`: tiers beside ratings, and what feeds can teach the learned part."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from newsloom.cli.common import note, say, show_json, show_table
from newsloom.kernel.errors import UserError
from newsloom_lab.cli.bench import show

if TYPE_CHECKING:
    from collections.abc import Mapping

    from newsloom.importance.values import SourceFacts
    from newsloom_lab.evaluate.ratings import Ratings
    from newsloom_lab.evaluate.sources import Part, SourcesReport


def fit(feeds: Path | None, as_json: bool) -> None:
    """Fit the learned part on a folder of feeds."""
    from newsloom_lab.evaluate import source_fit

    if feeds is None or not feeds.is_dir():
        raise UserError("--fit needs --feeds FOLDER, a folder of feed documents.")
    show(source_fit.run(feeds), as_json)


def measure(path: Path, column: str, store: Path | None, feeds: Path | None, as_json: bool) -> None:
    """Compare tiers with ratings."""
    from newsloom_lab.evaluate import sources as measured
    from newsloom_lab.evaluate.ratings import read_ratings

    ratings = read_ratings(path, column)
    found = measured.run(ratings, _facts(ratings, store, feeds))
    if as_json:
        show_json(found)
    else:
        _tell(found)


def _facts(ratings: Ratings, store: Path | None, feeds: Path | None) -> Mapping[str, SourceFacts]:
    if feeds is not None:
        from newsloom_lab.evaluate import source_fit

        return source_fit.facts_of(feeds)[1]
    if store is None:
        return {}
    from newsloom.app import utc_now
    from newsloom.store import open_store

    if not store.is_file():
        raise UserError(f"{store} is no file.")
    with closing(open_store(store, now=utc_now)) as opened:
        return opened.sources.source_facts([one.domain for one in ratings.rated])


def _tell(found: SourcesReport) -> None:
    say(
        f"{found.rated:,} domains rated ({found.unrated:,} without a score left out);"
        f" {found.unknown:,} unknown, each at {found.unknown_score:g} of 100"
        + (
            "."
            if found.unknown_rated_place is None
            else f"; the ratings put them at {found.unknown_rated_place:.2f} of 1 on average."
        )
    )
    parts = (
        ("table and rules", found.table_and_rules),
        ("table", found.table),
        ("rules", found.rules),
        ("learned alone", found.learned),
        ("everything", found.everything),
    )
    show_table(
        ("part", "domains", "coverage", "Spearman", "95%"),
        [(name, *_cells(one)) for name, one in parts],
        right="domains coverage",
    )
    show_table(
        ("tier", "domains", "mean rated place"),
        [(tier, str(n), f"{found.rated_by_tier[tier]:.2f}") for tier, n in found.tiers.items()],
        right="domains",
    )
    if found.worst:
        note("The worst disagreements, as places among the covered domains (1: the best):")
        show_table(
            ("domain", "tier", "by", "our place", "rated place", "rated"),
            [
                (
                    *(one.domain, str(one.tier), one.origin),
                    *(f"{one.place:.2f}", f"{one.rated_place:.2f}", f"{one.rated:g}"),
                )
                for one in found.worst
            ],
            stretch="domain",
        )


def _cells(one: Part | None) -> tuple[str, str, str, str]:
    if one is None:
        return "0", "0%", "n/a", "n/a"
    ends = "n/a" if one.least is None else f"{one.least:.3f} to {one.most:.3f}"
    value = "n/a" if one.spearman is None else f"{one.spearman:.3f}"
    return f"{one.domains:,}", f"{one.coverage:.1%}", value, ends
