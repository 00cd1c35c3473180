"""Narratives over weeks: Wikipedia's running stories, and polled news of 2020-21 by key words.

The key words are weak labels: an article on the subject that does not name it counts as a
distractor, and distractors that report one event count as wrong when they are together.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from newsloom.kernel.errors import UserError
from newsloom.ranking.measure.articles import LabelledArticle
from newsloom_lab.evaluate.reported import read_polled

# Characters of a text that may name the narrative, and distractors that are drawn.
HEAD = 200
DISTRACTORS = 1_500


@dataclass(frozen=True, slots=True)
class Narrative:
    """Its first and last day, and what its articles say."""

    name: str
    first: str
    last: str
    words: str


NARRATIVES = (
    Narrative("george floyd", "2020-05-25", "2020-07-10", r"floyd|minneapolis|chauvin"),
    Narrative("beirut", "2020-08-04", "2020-09-30", r"beirut|lebanon|lebanese"),
    Narrative("belarus", "2020-08-07", "2020-10-15", r"belarus|lukashenko|minsk"),
    Narrative("christchurch sentence", "2020-08-20", "2020-08-31", r"tarrant|mosque"),
    Narrative("cummings", "2020-05-22", "2020-06-10", r"cummings"),
    Narrative("abs-cbn", "2020-05-04", "2020-07-31", r"abs-cbn"),
    Narrative("national party", "2020-05-15", "2020-07-25", r"muller|collins|simon bridges"),
    Narrative("tiktok", "2020-07-06", "2020-10-01", r"tiktok"),
    Narrative("navalny", "2020-08-20", "2020-10-15", r"navalny"),
    Narrative("hong kong law", "2020-05-21", "2020-07-20", r"hong kong"),
    Narrative("kim jong un", "2020-04-20", "2020-05-12", r"kim jong"),
    Narrative("huawei", "2020-05-20", "2020-07-31", r"huawei"),
    Narrative("arbery", "2020-05-05", "2020-06-30", r"arbery"),
    Narrative("ressa", "2020-06-10", "2020-07-31", r"ressa|rappler"),
    Narrative("mccann", "2020-06-03", "2020-07-31", r"mccann"),
    Narrative("virgin australia", "2020-04-20", "2020-07-01", r"virgin australia"),
    Narrative("maxwell", "2020-07-01", "2020-08-31", r"ghislaine|epstein"),
    Narrative("mauritius", "2020-08-06", "2020-09-15", r"mauritius"),
    Narrative("wirecard", "2020-06-18", "2020-07-31", r"wirecard"),
    Narrative("exams", "2020-08-04", "2020-08-31", r"a-level|ofqual|gcse|exam results"),
    Narrative("india china", "2020-05-25", "2020-09-30", r"galwan|ladakh"),
    Narrative("mali", "2020-08-18", "2020-09-30", r"\bmali\b|malian|bamako"),
    Narrative("kenosha", "2020-08-23", "2020-09-15", r"kenosha|jacob blake|rittenhouse"),
    Narrative("juukan", "2020-05-26", "2020-09-15", r"juukan|rio tinto"),
    Narrative("bolton", "2020-06-15", "2020-07-05", r"john bolton"),
    Narrative("patient details", "2020-07-04", "2020-07-25", r"hamish walker|boag"),
    Narrative("tara reade", "2020-04-24", "2020-05-31", r"reade\b"),
    Narrative("leicester", "2020-06-27", "2020-07-31", r"leicester"),
    Narrative("kabul", "2021-07-01", "2021-10-31", r"taliban|kabul"),
    Narrative("petito", "2021-09-10", "2021-10-31", r"petito|laundrie"),
)


def running_stories(file: Path) -> tuple[LabelledArticle, ...]:
    """Wikipedia's events by day, each with its running story. Raises UserError for another file."""
    try:
        found = [_running(one) for one in json.loads(file.read_bytes())]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UserError(f"{file} holds no running stories: {error!r:.200}") from error
    return tuple(sorted(found, key=lambda one: str(one.published)))


def _running(event: dict[str, Any]) -> LabelledArticle:
    sources = event.get("source") or [{}]
    return LabelledArticle(
        id=event["id"],
        title=event["description"].strip(),
        url=sources[0].get("url", ""),
        published=datetime.fromisoformat(event["date"]).replace(tzinfo=UTC),
        story=event.get("belongsToStory", {}).get("name", ""),
    )


def polled(folder: Path, distractors: int = DISTRACTORS) -> tuple[LabelledArticle, ...]:
    """Articles of the narratives, and some of none, by date. Raises UserError without any."""
    told, others = [], []
    for one in read_polled(folder):
        text = f"{one.title}. {one.body[:HEAD]}".lower()
        names = [it for it in NARRATIVES if re.search(it.words, text)]
        if len(names) == 1 and names[0].first <= str(one.published)[:10] <= names[0].last:
            told.append(replace(one, story=names[0].name))
        elif not names:
            others.append(one)
    others.sort(key=lambda one: one.id)
    drawn = random.Random(2).sample(others, min(distractors, len(others)))
    return tuple(sorted([*told, *drawn], key=lambda one: (str(one.published), one.id)))


def read(path: Path) -> Sequence[LabelledArticle]:
    """Of a folder of polled feeds, or of a file of running stories."""
    return polled(path) if path.is_dir() else running_stories(path)
