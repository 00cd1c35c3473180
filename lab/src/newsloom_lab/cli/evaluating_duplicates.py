"""`newsloom eval dedup` in words and tables."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from pathlib import Path

from newsloom.app import utc_now
from newsloom.app.encoder_commands import of_settings
from newsloom.articles.entities.finder import recognizer
from newsloom.cli.common import note, plain, say, show_json, show_table
from newsloom.duplicates.stage import thresholds_of
from newsloom.duplicates.values import PROFILES
from newsloom.kernel import files
from newsloom.kernel.errors import UserError
from newsloom.kernel.settings import Settings
from newsloom.ranking.measure.articles import read_articles, read_lines
from newsloom.ranking.measure.own import json_safe
from newsloom_lab.evaluate import dedup, edited
from newsloom_lab.evaluate.clusterings import Agreement
from newsloom_lab.evaluate.peers import PEERS
from newsloom_lab.evaluate.reports import reports

_MEASURES = (
    ("pairwise_precision", "pair P"),
    ("pairwise_recall", "pair R"),
    ("pairwise_f1", "pair F1"),
    ("b_cubed_precision", "B3 P"),
    ("b_cubed_recall", "B3 R"),
    ("b_cubed_f1", "B3 F1"),
    ("adjusted_rand", "adj. Rand"),
)
_TITLE = 70  # characters of a title in the list of errors


def make(
    file: Path, out: Path, seed: int, copies: int, kinds: Sequence[str], languages: Sequence[str]
) -> None:
    """Write the articles of a file, or those in some languages, and edited copies of them."""
    lines = [
        (place, fields)
        for place, fields in read_lines(file)
        if not languages or fields.get("language") in languages
    ]
    made = list(edited.with_copies(lines, seed=seed, copies=copies, kinds=kinds))
    text = "".join(f"{json.dumps(one, ensure_ascii=False)}\n" for one in made)
    files.write(out, text.encode("utf-8", "surrogatepass"))
    count = sum("edit" in one for one in made)
    note(f"{len(made) - count:,} articles and {count:,} edited copies of them written to {out}.")


def measure(
    file: Path, settings: Settings, profile: str, peers: Sequence[str], worst: int, as_json: bool
) -> None:
    if profile and profile not in PROFILES:
        raise UserError(f"There is no profile {profile!r:.40}; there are {', '.join(PROFILES)}.")
    usual = thresholds_of(settings.duplicates)
    for name in peers:
        if name not in PEERS:
            raise UserError(f"There is no peer {name!r:.40}; there is {', '.join(PEERS)}.")
    report = dedup.run(
        read_articles(file),
        profile or settings.duplicates.profile,
        PROFILES[profile] if profile else usual,
        recognizer(settings.models.entities).recognise,
        reports=reports(of_settings(settings, utc_now)),
        peers=[PEERS[name] for name in peers],
        worst=worst,
    )
    if as_json:
        show_json(json_safe(plain(report)))
    else:
        _tell(report)


def _tell(report: dedup.DedupReport) -> None:
    say(
        f"{report.articles:,} articles, {report.texts:,} texts that stand in several places, "
        f"{report.events:,} events with several articles; thresholds: {report.profile}; "
        f"all layers {report.seconds:.1f} s, {report.articles_per_second:,.0f} articles/s."
    )
    ours = {"together": report.together, **report.layers}
    everyone = {**ours, **report.peers}
    if report.together.same_text is None:
        across = report.same_text_across_events
        note("No two articles have the same `duplicate`: whether texts are the same is not judged.")
        note(f"Held to be one text: {across.pairs:,} pairs, {across.wrong:,} of different events.")
    else:
        say("\nThe same text (merged, or one text in two places):")
        _table({name: one.same_text for name, one in everyone.items() if one.same_text})
    say("\nClusters (one event):")
    _table({name: one.clusters for name, one in everyone.items()})
    for name, peer in report.peers.items():
        fitted = "found best on this very file" if peer.fitted else "as given"
        note(f"{name}: Jaccard {peer.threshold}, {fitted}; {peer.seconds:.1f} s.")
    seen = report.revisions
    say(
        f"\nFlagged as revisions, and joined nowhere: {seen.pairs:,} pairs; {seen.same_text:,} "
        f"the same text by the file, {seen.same_event:,} one event, {seen.neither:,} neither."
    )
    if report.recall_by_edit:
        say("\nCopies found to be the text they were made of, by kind of edit:")
        columns = ("edit", "copies", *next(iter(report.recall_by_edit.values())).recall)
        rows = [
            (kind, str(one.copies), *(_number(share) for share in one.recall.values()))
            for kind, one in report.recall_by_edit.items()
        ]
        show_table(columns, rows, right=" ".join(columns[1:]))
    say(f"\n{report.false_joins:,} false joins, {report.missed:,} missed.")
    for error in report.errors:
        for line in _error(error):
            say(line)


def _table(figures: dict[str, Agreement]) -> None:
    columns = ("", "pairs", *(words for _, words in _MEASURES))
    rows = [
        (name, f"{one.pairs_found:,}", *(_number(getattr(one, field)) for field, _ in _MEASURES))
        for name, one in figures.items()
    ]
    show_table(columns, rows, right=" ".join(columns[1:]))


def _number(value: float) -> str:
    return "-" if math.isnan(value) else f"{value:.3f}"


def _error(error: dedup.Error) -> Iterator[str]:
    how = f", joined as {error.relation}" if error.relation else ""
    edit = f" [{error.edit}]" if error.edit else ""
    yield f"\n{error.kind}, {error.gold}{how}{edit}"
    yield f"  {error.a}: {error.title_a:.{_TITLE}}"
    yield f"  {error.b}: {error.title_b:.{_TITLE}}"
    for one in error.evidence:
        yield f"  {one.layer} {one.score:.2f}: {one.detail}"
    if not error.evidence:
        yield "  no key in common"
