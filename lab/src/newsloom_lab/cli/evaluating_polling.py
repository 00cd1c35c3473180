"""`newsloom eval polling`: what schedules came to, in tables."""

from __future__ import annotations

from pathlib import Path

from newsloom.cli.common import note, say, show_json, show_table
from newsloom_lab.evaluate import polling
from newsloom_lab.evaluate.histories import made_up, read_histories
from newsloom_lab.evaluate.polling import Outcome, PollingReport

COLUMNS = ("schedule", "requests a day", "mean delay", "90% within", "brought", "missed")


def measure(folder: Path, each: bool, as_json: bool) -> None:
    real = read_histories(folder)
    report = polling.run([*real, *made_up()])
    if as_json:
        show_json(report)
        return
    days = sum(one.days for one in real)
    say(f"{len(real)} feeds, {days:,.0f} days of polls without a gap; delays in minutes.")
    _table([(one.name, one.together) for one in report.policies])
    say("Beside the line through ours:")
    show_table(
        ("schedule", "our delay at its requests", "our requests at its delay"),
        [
            (one.name, _number(one.delay_at_its_requests), _number(one.requests_at_its_delay))
            for one in report.against
        ],
        right="our delay at its requests",
    )
    if each:
        _each(report)
    else:
        note("--feeds shows each feed by itself, and the quiet ones that are made up.")


def _each(report: PollingReport) -> None:
    for feed in (*report.feeds, *report.made_up):
        say(feed if feed in report.feeds else f"{feed} (made up)")
        _table([(one.name, one.feeds[feed]) for one in report.policies])


def _table(rows: list[tuple[str, Outcome]]) -> None:
    show_table(
        COLUMNS,
        [
            (
                name,
                f"{one.requests_per_day:.1f}",
                f"{one.mean_delay_minutes:.1f}",
                f"{one.p90_delay_minutes:.1f}",
                f"{one.articles:,}",
                str(one.missed),
            )
            for name, one in rows
        ],
        right="brought missed",
    )


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f}"
