"""Labels that come from a file and go to one, for the commands import and export."""

from __future__ import annotations

import json
from typing import Any

import typer

from newsloom.app import App
from newsloom.bridges.service.labelled import bring_in, given_out
from newsloom.cli.common import note, say, show_json
from newsloom.kernel.errors import UserError
from newsloom.kernel.text.html import to_text
from newsloom.ranking.measure.articles import read_what_can_be
from newsloom.ranking.measure.labelled_copies import KINDS, LONGEST_TEXT, copy_of
from newsloom.ranking.values.labelled import LabelledCopy
from newsloom.reading.values.reading import EventKind

LABELS = {kind: label for label, kind in KINDS.items()}

# Problems told one by one; the rest are counted.
MOST_TOLD = 10


def is_articles_file(document: bytes) -> bool:
    """Whether it is JSON lines: OPML begins with an angle bracket."""
    return document.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"{"


def import_labels(app: App, document: bytes, name: str, as_json: bool) -> None:
    """Every line that can be read is taken in, all in one step; the others are named."""
    now = app.now()
    found, problems = read_what_can_be(document, name)
    copies = [copy_of(one, now) for one in found]
    labelled = [one for one in copies if one.marks]
    if not labelled:
        raise UserError(problems[0] if problems else f"{name} has no article with a `label`.")
    done = bring_in(app.store, app.user, labelled, now)
    unlabelled = len(copies) - len(labelled)
    for problem in problems[:MOST_TOLD]:
        note(problem)
    if len(problems) > MOST_TOLD:
        note(f"... and {len(problems) - MOST_TOLD} more unreadable lines.")
    if as_json:
        counts = {"articles": done.articles, "labels": done.labels, "known": done.known}
        show_json({**counts, "unlabelled": unlabelled, "unreadable": len(problems)})
    else:
        _say_import(done.labels, done.articles, done.known, unlabelled)
    if problems:
        note(f"{len(problems)} of {len(problems) + len(copies)} lines were skipped.")
        raise typer.Exit(1)


def _say_import(labels: int, articles: int, known: int, unlabelled: int) -> None:
    back = " Undo them with `newsloom undo`." if labels else ""
    say(f"{labels} labels and {articles} articles.{back}")
    if known:
        say(f"{known} labels already exist, or you have rated these articles since.")
    if unlabelled:
        say(f"{unlabelled} lines without a label were skipped.")
    if labels:
        say("Process the articles with `newsloom run`; training follows.")


def export_labels(app: App) -> str:
    """One line an article that teaches."""
    copies = given_out(app.store, app.user)
    return "".join(json.dumps(_line(one), ensure_ascii=False) + "\n" for one in copies)


def _line(copy: LabelledCopy) -> dict[str, Any]:
    one = copy.article
    told = dict(copy.marks)
    star = told.get(EventKind.STAR)
    rating = next((kind for kind in (EventKind.LIKE, EventKind.DISLIKE) if kind in told), None)
    noticed = next((kind for kind in told if kind in LABELS), None)
    kind = rating or (EventKind.STAR if star else noticed)
    assert kind is not None
    fields = {
        "id": one.guid,
        "title": one.title,
        "text": to_text(one.content, LONGEST_TEXT),
        "url": one.url,
        "source": copy.source,
        "published": one.published.isoformat() if one.published else "",
        "language": one.language,
        "label": LABELS.get(kind, "like"),
        "labelled_at": told[kind].isoformat(),
        "starred_at": star.isoformat() if star else "",
    }
    return {name: value for name, value in fields.items() if value}
