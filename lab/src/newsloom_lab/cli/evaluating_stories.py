"""`newsloom eval stories`: shows what newsloom_lab.evaluate.stories measures."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from newsloom.cli.common import say, show_json, show_table

if TYPE_CHECKING:
    from newsloom.kernel.settings import Settings


def measure(articles: Path, settings: Settings, as_json: bool) -> None:
    """Encode the file's articles once, and link them as the product does, and by each peer."""
    from newsloom.app import utc_now
    from newsloom.app.encoder_commands import of_settings
    from newsloom_lab.evaluate import stories, streams

    found = streams.load(articles)
    result = stories.run(found, of_settings(settings, utc_now))
    if as_json:
        show_json(result)
        return
    say(
        f"{result.articles:,} articles in {result.gold_stories:,} stories, {result.dated:.0%} "
        f"dated, {result.unjudged:,} more that are in none; {result.encoder}."
    )
    show_table(
        (
            "",
            "stories",
            "B3 P",
            "B3 R",
            "B3 F1",
            "95%",
            "adj. Rand",
            "NMI",
            "contam.",
            "fragm.",
            "art./s",
        ),
        [
            (
                name,
                f"{one.stories:,}",
                *_decimals(one.b_cubed_precision, one.b_cubed_recall, one.b_cubed_f1),
                "{:.3f}–{:.3f}".format(*one.b_cubed_interval),
                *_decimals(
                    one.adjusted_rand,
                    one.normalised_mutual_information,
                    one.contamination,
                    one.fragmentation,
                ),
                f"{one.articles_per_second:,.0f}",
            )
            for name, one in {"Newsloom": result, **result.peers}.items()
        ],
        right="stories art./s",
    )


def _decimals(*values: float) -> list[str]:
    return [f"{value:.3f}" for value in values]
