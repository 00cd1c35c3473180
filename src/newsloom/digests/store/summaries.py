"""Which topics of digests a language model is to summarise, and what it wrote.

Functions within a transaction of the caller's: see digests/purposes/summary.py. A digest waits for
them until it is ready; with the last answer it is ready at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, select, update

from newsloom.articles.store.derived import article_texts
from newsloom.digests.select import kind_of
from newsloom.digests.store.tables import digest_sendings, digests
from newsloom.digests.values import Checked, Digest, DigestTopic, SummaryQuestion
from newsloom.digests.written import read_digest, values
from newsloom.llm.purpose import model_of
from newsloom.summaries.dated import dated_topic, day_of
from newsloom.summaries.summarise import entry_articles

_DIGESTS = digests.c


def unsummarised(
    connection: Connection, *, since: datetime, limit: int
) -> tuple[SummaryQuestion, ...]:
    """Topics without an answer of digests that wait for them, the newest digest first.

    What one model has answered no other is asked. A topic that developed is not asked about: its
    summary says what is new, sentence by sentence.
    """
    query = (
        select(digests)
        .where(_DIGESTS.made_at >= since, _DIGESTS.ready_at > _DIGESTS.made_at)
        .order_by(_DIGESTS.id.desc())
    )
    found: list[SummaryQuestion] = []
    for row in connection.execute(query):
        for topic in _open(row):
            if len(found) >= limit:
                return tuple(found)
            found.append(_question(connection, row, topic))
    return tuple(found)


def put_summary(
    connection: Connection, question: SummaryQuestion, checked: Checked, producer: str, at: datetime
) -> bool:
    """Put a summary in the place of the one that is there; whether any of it was taken."""
    row = connection.execute(select(digests).where(_DIGESTS.id == question.digest)).one_or_none()
    if row is None or question.key not in {one.key for one in _open(row)}:
        return False
    whole = read_digest(row.body)
    if checked.written:
        whole = _with(whole, question.key, checked, producer)
    answered = [*(row.answered or ()), question.key]
    changed: dict[str, Any] = {"body": values(whole), "answered": answered}
    if not _left(whole, answered):
        changed["ready_at"] = row.made_at
        connection.execute(
            update(digest_sendings)
            .where(
                digest_sendings.c.digest_id == row.id,
                digest_sendings.c.state == "waiting",
                digest_sendings.c.attempts == 0,
            )
            .values(at=at)
        )
    connection.execute(update(digests).where(_DIGESTS.id == row.id).values(changed))
    return bool(checked.written)


def _open(row: Row[Any]) -> Iterator[DigestTopic]:
    yield from _left(read_digest(row.body), row.answered or ())


def _left(whole: Digest, answered: Any) -> list[DigestTopic]:
    return [
        one
        for one in whole.summarised
        if one.summary and not one.developed and one.key not in answered
    ]


def _question(connection: Connection, row: Row[Any], topic: DigestTopic) -> SummaryQuestion:
    articles = entry_articles(topic.lead, topic.related)
    texts = article_texts(connection, [one.id for one in articles])
    whole = tuple(replace(one, text=texts[one.id].text) for one in articles if one.id in texts)
    made = read_digest(row.body)
    told = frozenset(
        said.text for one in made.topics if one.key != topic.key for said in one.summary
    )
    words = kind_of(made.kind).words
    return SummaryQuestion(row.id, topic.key, whole, words, topic.lead.language, told)


def _with(whole: Digest, key: str, checked: Checked, producer: str) -> Digest:
    day = day_of(whole)

    def changed(topic: DigestTopic) -> DigestTopic:
        if topic.key != key:
            return topic
        written = replace(topic, summary=checked.sentences, written_by=model_of(producer))
        return dated_topic(written, day)

    return replace(
        whole,
        top=tuple(map(changed, whole.top)),
        for_you=tuple(map(changed, whole.for_you)),
        noteworthy=tuple(map(changed, whole.noteworthy)),
    )
