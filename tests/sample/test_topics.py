"""The topics to pick: well-formed, in every language that is offered, and with the starter set."""

from __future__ import annotations

from collections import Counter
from urllib.parse import urlsplit

from newsloom.feeds.parse import read_opml
from newsloom.sample.topics import LANGUAGES, picked, starter_opml, topics


def test_every_topic_has_feeds_and_every_language_has_some():
    found = topics()
    assert len({one.name for one in found}) == len(found) >= 15
    known = {tag for tag, _name in LANGUAGES}
    for topic in found:
        assert len(topic.feeds) >= 2
        for one in topic.feeds:
            assert one.language in known
            assert one.title
            assert {urlsplit(one.url).scheme, urlsplit(one.site_url).scheme} == {"https"}
            assert urlsplit(one.url).path not in ("", "/")
    languages = Counter(one.language for topic in found for one in topic.feeds)
    assert set(languages) == known
    assert min(languages.values()) >= 3
    addresses = [one.url for topic in found for one in topic.feeds]
    assert len(set(addresses)) == len(addresses)


def test_the_starter_set_is_among_them():
    offered = {one.url: one.title for topic in topics() for one in topic.feeds}
    assert {one.url: one.title for one in read_opml(starter_opml())}.items() <= offered.items()


def test_what_is_picked_is_of_those_topics_and_languages():
    assert picked(["Space"], ["de"]) == []
    assert picked(["Nothing"], ["en"]) == []
    chosen = picked(["World", "Space"], ["de", "en"])
    assert {category for _url, _title, category in chosen} == {"World", "Space"}
    titles = {title for _url, title, _category in chosen}
    assert {"Tagesschau", "NASA", "BBC World"} <= titles
    assert "Le Monde" not in titles
