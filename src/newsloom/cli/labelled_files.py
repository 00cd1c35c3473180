"""Labels that come from a file and go to one, for the commands import and export."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from html import escape
from typing import Any

import typer

from newsloom.app import App
from newsloom.cli.common import note, say, show_json
from newsloom.errors import UserError
from newsloom.measure.articles import LabelledArticle, read_what_can_be
from newsloom.parse.plain import one_line, storable
from newsloom.pipeline.labelled import bring_in, given_out
from newsloom.text.html import to_text
from newsloom.text.urls import host
from newsloom.types import EventKind, LabelledCopy, ParsedArticle

# What a label of the file is as an event.
KINDS: Mapping[str, EventKind] = {
    "like": EventKind.LIKE,
    "dislike": EventKind.DISLIKE,
    "read": EventKind.FINISHED,
    "skip": EventKind.SKIPPED,
}
LABELS = {kind: label for label, kind in KINDS.items()}

# Longer texts are cut: no article is, and models read the first few hundred words.
LONGEST_TEXT = 1_000_000

# Problems told one by one; the rest are counted.
MOST_TOLD = 10


def is_articles_file(document: bytes) -> bool:
    """Whether it is JSON lines: OPML begins with an angle bracket."""
    return document.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"{"


def import_labels(app: App, document: bytes, name: str, as_json: bool) -> None:
    """Every line that can be read is taken in, all in one step; the others are named."""
    now = app.now()
    found, problems = read_what_can_be(document, name)
    copies = [_copy(one, now) for one in found]
    labelled = [one for one in copies if one.marks]
    if not labelled:
        raise UserError(problems[0] if problems else f"{name} has no article with a `label`.")
    done = bring_in(app.store, app.user, labelled, now)
    unlabelled = len(copies) - len(labelled)
    for problem in problems[:MOST_TOLD]:
        note(problem)
    if len(problems) > MOST_TOLD:
        note(f"... and {len(problems) - MOST_TOLD} more lines that cannot be read.")
    if as_json:
        counts = {"articles": done.articles, "labels": done.labels, "known": done.known}
        show_json({**counts, "unlabelled": unlabelled, "unreadable": len(problems)})
    else:
        _say_import(done.labels, done.articles, done.known, unlabelled)
    if problems:
        note(f"{len(problems)} of {len(problems) + len(copies)} lines were not taken in.")
        raise typer.Exit(1)


def _say_import(labels: int, articles: int, known: int, unlabelled: int) -> None:
    back = " `newsloom undo` takes them back as one." if labels else ""
    say(f"{labels} labels are new, {articles} articles.{back}")
    if known:
        say(f"{known} labels were here already, or you judged those articles since.")
    if unlabelled:
        say(f"{unlabelled} lines have no label and were passed over.")
    if labels:
        say("`newsloom run` reads the articles; training follows.")


def _copy(one: LabelledArticle, now: datetime) -> LabelledCopy:
    url = one.url.strip() if one.url.strip().lower().startswith(("http://", "https://")) else ""
    source = one_line(one.source) or host(url) or "elsewhere"
    article = ParsedArticle(
        guid=storable(one.id),
        url=storable(url),
        title=one_line(one.title),
        summary=_html(one.summary),
        content=_html(one.text),
        published=one.published,
        language=one_line(one.language)[:32],
    )
    return LabelledCopy(article, source[:200], _marks(one, now))


def _marks(one: LabelledArticle, now: datetime) -> tuple[tuple[EventKind, datetime], ...]:
    at = min(one.labelled_at or one.published or now, now)
    star = min(one.starred_at, now) if one.starred_at else None
    stars = ((EventKind.STAR, star),) if star else ()
    # A star alone is written as a like of the same moment, so that every reader of the file, also
    # one that knows no stars, takes it for what it is.
    if not one.label or (one.label == "like" and star == at):
        return stars
    return ((KINDS[one.label], at), *stars)


def _html(text: str) -> str:
    lines = storable(text[:LONGEST_TEXT]).split("\n")
    return "".join(f"<p>{escape(line)}</p>" for line in lines if line.strip())


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
