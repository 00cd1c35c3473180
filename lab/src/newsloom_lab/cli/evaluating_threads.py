"""`newsloom eval threads`: shows what newsloom_lab.evaluate.threads measures."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from newsloom.cli.common import say, show_json, show_table

if TYPE_CHECKING:
    from newsloom.kernel.settings import Settings


def measure(path: Path, settings: Settings, as_json: bool) -> None:
    """Of a folder of polled feeds, or of a file of Wikipedia's running stories."""
    from newsloom.app import utc_now
    from newsloom.app.encoder_commands import of_settings
    from newsloom_lab.evaluate import narratives, threads

    result = threads.run(
        narratives.read(path),
        of_settings(settings, utc_now),
        single=not path.is_dir(),
    )
    if as_json:
        show_json(result)
        return
    say(
        f"{result.articles:,} articles in {result.events:,} events, of {result.narratives:,} "
        f"narratives; {result.unlabelled:,} are of none; {result.encoder}."
    )
    names = ("threads", "contam.", "fragm.", "linked", "composite", "F1", "F1 all", "95 %", "con2")
    show_table(
        ("", *names),
        [
            (
                name,
                f"{one.threads:,}",
                *(
                    f"{asdict(one)[field]:.3f}"
                    for field in (
                        "contamination",
                        "fragmentation",
                        "linked",
                        "composite",
                        "f1",
                        "f1_all",
                    )
                ),
                f"{one.f1_all_low:.3f} to {one.f1_all_high:.3f}",
                f"{one.contamination_two:.3f}",
            )
            for name, one in result.ways.items()
        ],
        right="threads",
    )
