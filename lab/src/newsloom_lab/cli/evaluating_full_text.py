"""`newsloom eval full-text`: extractors beside each other, in tables."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from newsloom.cli.common import note, say, show_json, show_table
from newsloom.kernel.errors import UserError
from newsloom_lab.evaluate import full_text
from newsloom_lab.evaluate.full_text import ExtractorFigures
from newsloom_lab.evaluate.full_text_pages import labelled_pages, made_pages


def measure(
    feeds: Path | None, labelled: list[Path], pages: int, *, missing: bool, as_json: bool
) -> None:
    """Each collection in a report of its own."""
    for folder in (*labelled, *([] if feeds is None else [feeds])):
        if not folder.is_dir():
            raise UserError(f"{folder} is no folder.")
    collections = {str(folder): labelled_pages(folder) for folder in labelled}
    if feeds is not None:
        collections[str(feeds)] = made_pages(feeds, pages)
    reports = {name: full_text.run(chosen) for name, chosen in collections.items()}
    if as_json:
        show_json(reports)
        return
    for name, report in reports.items():
        pages_read = report.extractors["Newsloom"].pages
        say(f"{pages_read} pages of {name}: words kept (recall), of the article (precision).")
        _table(report.extractors)
        for absent in report.left_out:
            note(f"{absent} is not installed.")
        if missing:
            show_table(
                ("page", "layout", "dropped", "begins with"),
                [(str(one.number), one.page, one.kind, one.beginning) for one in report.missing],
                right="page",
                stretch="begins with",
            )


def _table(extractors: Mapping[str, ExtractorFigures]) -> None:
    kinds = tuple(extractors["Newsloom"].blocks)
    show_table(
        ("extractor", "recall", "precision", "F1", "under .5", *kinds, "ms a page", "slowest"),
        [
            (
                name,
                *(f"{value:.3f}" for value in (one.recall, one.precision, one.f1)),
                str(one.low),
                *(f"{cached.kept}/{cached.blocks}" for cached in one.blocks.values()),
                f"{one.milliseconds:.0f}",
                f"{one.slowest_milliseconds:.0f}",
            )
            for name, one in extractors.items()
        ],
        right=" ".join(("recall precision F1", *kinds, "slowest")),
    )
    pages = tuple(extractors["Newsloom"].by_kind)
    if len(pages) > 1:
        say("F1 by layout:")
        show_table(
            ("extractor", *pages),
            [
                (name, *(f"{value:.2f}" for value in one.by_kind.values()))
                for name, one in extractors.items()
            ],
        )
