"""A digest whose summaries a language model writes: what stands on the articles is taken, labelled;
what does not is replaced; a model that is gone delays the digest and no more."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from conftest import Whole

from llm.server import Asked, Script, serving
from newsloom.digests.service import schedules
from newsloom.digests.service.digesting import digesting
from newsloom.digests.values import ArchivedDigest, DigestKind, DigestTopic
from newsloom.kernel.delivery.schedules import WEEKDAYS
from newsloom.summaries.boilerplate import stands_alone
from newsloom.summaries.summarise import entry_articles

LIE = "The mayor of Atlantis resigned over 917 missing submarines."


@pytest.fixture
def whole(sampled: Path, tmp_path: Path, open_whole: Callable[..., Whole]) -> Whole:
    """After a pass over the sample, with a weekly digest that is due."""
    shutil.copy(sampled, tmp_path / "news.db")
    opened = open_whole("127.0.0.1")
    opened.clock.stop()
    soon = opened.clock() + timedelta(hours=1)
    day = WEEKDAYS[soon.weekday()]
    schedules.add(opened.app.reader(), DigestKind.WEEKLY, f"{soon:%H:%M}", "UTC", day)
    opened.clock.ahead += timedelta(hours=1, minutes=1)
    return opened


def asked_by(whole: Whole, script: Script) -> Iterator[ArchivedDigest]:
    """The digest before and after a model was asked."""

    async def main() -> None:
        async with serving(script) as server:
            settings = whole.app.settings
            model = replace(
                settings.language_model, url=server.url, model="writer", context_tokens=8_000
            )
            app = replace(whole.app, settings=replace(settings, language_model=model))
            assert await asyncio.to_thread(digesting(app).make_due) == 1
            found.append(kept(whole))
            await app.runner().ask_for(timedelta(seconds=60))
            found.append(kept(whole))

    found: list[ArchivedDigest] = []
    asyncio.run(main())
    yield from found


def kept(whole: Whole) -> ArchivedDigest:
    (one,) = whole.app.store.digests.newest_digests(whole.app.user, 5)
    return one


def topics(one: ArchivedDigest) -> tuple[DigestTopic, ...]:
    return (*one.digest.top, *one.digest.noteworthy)


async def honest(request: Asked) -> None:
    """The first sentence of the first article, and a lie."""
    if "summarise" not in request.body["messages"][0]["content"]:
        await request.rate()
        return
    text = request.user.split("\n")[2]
    sentence = re.split(r"(?<=[.!?])\s", text)[0]
    said = [{"text": sentence, "articles": [1]}, {"text": LIE, "articles": [1]}]
    await request.say(json.dumps({"sentences": said}))


async def broken(request: Asked) -> None:
    await request.say("I cannot do that")


def test_what_stands_on_the_articles_is_taken_and_labelled(whole: Whole) -> None:
    before, after = asked_by(whole, honest)
    assert not any(one.written_by for one in topics(before))
    written = [one for one in topics(after) if one.written_by]
    assert len(written) >= 5
    assert {one.written_by for one in written} == {"writer"}
    said = [sentence.text for one in topics(after) for sentence in one.summary]
    assert said
    assert LIE not in said
    assert [one.key for one in topics(before)] == [one.key for one in topics(after)]


def test_a_digest_waits_for_its_summaries_and_no_longer(whole: Whole) -> None:
    ready = "SELECT ready_at - made_at FROM digests"
    _before, after = asked_by(whole, honest)
    assert topics(after)
    with whole.app.store.database.read() as connection:
        assert connection.exec_driver_sql(ready).scalar() == 0


def test_a_model_that_talks_nonsense_leaves_the_digest_as_it_was(whole: Whole) -> None:
    before, after = asked_by(whole, broken)
    assert before == after
    with whole.app.store.database.read() as connection:
        waits = connection.exec_driver_sql("SELECT ready_at - made_at FROM digests").scalar()
    assert waits == 10 * 60 * 1_000_000


async def copying(request: Asked) -> None:
    """Every sentence of every article, one of them leaning on another."""
    if "summarise" not in request.body["messages"][0]["content"]:
        await request.rate()
        return
    numbered = re.findall(r"^\[(\d+)\] .*\n(.+)$", request.user, re.MULTILINE)
    said = [
        {"text": sentence, "articles": [int(number)]}
        for number, text in numbered
        for sentence in re.split(r"(?<=[.!?])\s", text)[:4]
    ]
    await request.say(json.dumps({"sentences": said[:20]}))


def test_a_written_entry_keeps_the_rules_of_one_out_of_the_articles(whole: Whole) -> None:
    """Sentences that stand alone, each once in the digest, of one event and in one language."""
    before, after = asked_by(whole, copying)
    written = [one for one in topics(after) if one.written_by]
    assert written
    for topic in written:
        told = {one.id: one for one in entry_articles(topic.lead, topic.related)}
        for sentence in topic.summary:
            assert stands_alone(sentence.text)
            assert told.keys() >= set(sentence.articles)
    said = [sentence.text for one in topics(after) for sentence in one.summary]
    assert len(said) == len(set(said))
    assert [one.summary for one in topics(after) if not one.written_by] == [
        old.summary
        for old, one in zip(topics(before), topics(after), strict=True)
        if not one.written_by
    ]
