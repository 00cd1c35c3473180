"""A digest and its memory come back from the database as they were."""

from __future__ import annotations

import json
from dataclasses import replace

from newsloom.digests.memory import remember
from newsloom.digests.values import FeedReport, Memory, Trend
from newsloom.digests.written import read_digest, read_memory, values
from newsloom.kernel.ids import ArticleId

from .test_formats import hostile
from .test_select import article, group, made


def through_json(value):
    return json.loads(json.dumps(values(value)))


def test_a_digest_comes_back():
    whole = made([group(article(n, 90 - n), article(50 + n, 9)) for n in range(40)])
    trend = Trend("x", 9, 1.0, 5, 0.01, (1, 2))
    whole = replace(whole, feeds=FeedReport(1, 2, 3, 4, 5, (trend,), (trend,)))
    for one in (whole, hostile()):
        assert read_digest(through_json(one)) == one


def test_a_memory_comes_back():
    groups = [replace(group(article(n, 9), article(50 + n, 9)), terms={"a": 0.6, "b": 0.8})
              for n in range(3)]  # fmt: skip
    memory = remember(groups, [groups[0].key], ArticleId(53), ["It rains."])
    assert read_memory(through_json(memory)) == memory
    kept_before_sentences_were = through_json(memory)
    del kept_before_sentences_were["told"]
    assert read_memory(kept_before_sentences_were) == replace(memory, told=())
    assert read_memory(through_json(Memory())) == Memory()
