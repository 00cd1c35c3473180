"""Podcasts of briefs at secret addresses: valid, whole or in ranges, gone once revoked."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import feedparser
import pytest
from lxml import etree
from PIL import Image

from newsloom.briefs.links import BriefLinks
from newsloom.briefs.podcast import guid_of, podcast
from newsloom.briefs.values import BriefId
from newsloom.feeds.parse import parse_feed
from newsloom.web.proxies import Proxies
from web.conftest import Visitor
from web.spoken import HOSTILE, spoken
from web.world import World

SCHEMA = etree.RelaxNG(etree.parse(str(Path(__file__).with_name("podcast.rng"))))
PODCAST = "{https://podcastindex.org/namespace/1.0}"
ITUNES = "{http://www.itunes.com/dtds/podcast-1.0.dtd}"


@pytest.fixture
def here(world: World, tmp_path: Path):
    """A reader with briefs and the address of a podcast of them."""
    said = spoken(world, tmp_path / "briefs")
    world.store.digests.set_feed_token(world.user, "brief:en", "secret", world.now)
    return world, Visitor(world, spoken=said.actions), said


def test_the_feed_is_valid_and_every_reader_of_feeds_reads_it(here):
    world, visitor, said = here
    answer = visitor.get("/podcasts/secret/feed.xml")
    assert answer.headers["content-type"] == "application/rss+xml; charset=utf-8"
    assert answer.headers["x-robots-tag"] == "noindex, nofollow"
    assert "set-cookie" not in answer.headers
    tree = etree.fromstring(answer.content)
    SCHEMA.assertValid(tree)
    (item,) = tree.iter("item")  # what waits, failed or has no sound any more is not in it
    kept = world.store.briefs.brief(world.user, said.heard)
    (enclosure,) = item.iter("enclosure")
    size = (said.actions.folder / kept.sound.files[0].name).stat().st_size
    assert (enclosure.get("type"), enclosure.get("length")) == ("audio/mpeg", str(size))
    assert item.findtext(f"{ITUNES}duration") == str(round(kept.sound.seconds))
    known = feedparser.parse(answer.content)
    assert not known.bozo
    assert known.entries[0].enclosures[0].href == enclosure.get("url")
    assert known.feed.itunes_block == 1
    ours = parse_feed(answer.content, "https://x.test/feed.xml")
    assert [one.title for one in ours.articles] == [kept.script.title]
    assert ours.articles[0].enclosures[0].url == enclosure.get("url")


def test_what_the_feed_names_is_there(here):
    _world, visitor, _said = here
    tree = etree.fromstring(visitor.get("/podcasts/secret/feed.xml").content)
    (item,) = tree.iter("item")
    urls = [one.get("url") for one in item.iter(f"{PODCAST}transcript", f"{PODCAST}chapters")]
    urls += [one.get("uri") for one in item.iter(f"{PODCAST}source")]
    urls += [one.get("href") for one in tree.iter(f"{ITUNES}image")]
    answers = [visitor.get(one) for one in urls]
    assert {one.status_code for one in answers} == {200}
    captions, page, chapters, opus, cover, *_more = answers
    assert captions.text.startswith("WEBVTT")
    assert "<script>" not in page.text
    assert "The pilots redrew the tide table" in page.text
    assert len(json.loads(chapters.text)["chapters"]) == 4
    assert opus.headers["content-type"] == "audio/ogg"
    assert Image.open(io.BytesIO(cover.content)).size == (1400, 1400)
    assert len(cover.content) < 100_000
    assert HOSTILE not in page.text


def test_a_client_that_has_it_is_told_so(here):
    _world, visitor, said = here
    for name in ("feed.xml", "cover.png", f"{said.heard}.vtt", f"{said.heard}.mp3"):
        first = visitor.get(f"/podcasts/secret/{name}")
        head = visitor.ask("HEAD", f"/podcasts/secret/{name}")
        assert (head.status_code, head.content) == (200, b"")
        assert head.headers["etag"] == first.headers["etag"]
    for name in ("feed.xml", "cover.png", f"{said.heard}.json"):
        tag = visitor.get(f"/podcasts/secret/{name}").headers["etag"]
        again = visitor.get(f"/podcasts/secret/{name}", **{"if-none-match": tag})
        assert (again.status_code, again.content) == (304, b"")
    since = visitor.get("/podcasts/secret/feed.xml").headers["last-modified"]
    again = visitor.get("/podcasts/secret/feed.xml", **{"if-modified-since": since})
    assert again.status_code == 304
    odd = visitor.get("/podcasts/secret/feed.xml", **{"if-modified-since": "yesterday"})
    assert odd.status_code == 200


def test_sound_comes_in_ranges(here):
    _world, visitor, said = here
    path = f"/podcasts/secret/{said.heard}.mp3"
    whole = visitor.get(path)
    part = visitor.get(path, range="bytes=100-299")
    assert (part.status_code, part.content) == (206, whole.content[100:300])
    assert part.headers["content-range"] == f"bytes 100-299/{len(whole.content)}"
    assert visitor.get(path, range="bytes=-50").content == whole.content[-50:]
    assert visitor.get(path, range="bytes=99999999-").status_code == 416
    tag = whole.headers["etag"]
    assert visitor.get(path, **{"range": "bytes=0-9", "if-range": tag}).status_code == 206
    assert visitor.get(path, **{"range": "bytes=0-9", "if-range": '"old"'}).status_code == 200


def test_a_revoked_address_is_nowhere_at_once_and_so_is_all_under_it(here):
    world, visitor, said = here
    endings = ("mp3", "opus", "vtt", "html", "json")
    names = ["feed.xml", "cover.png", *(f"{said.heard}.{one}" for one in endings)]
    assert {visitor.get(f"/podcasts/secret/{one}").status_code for one in names} == {200}
    world.store.digests.set_feed_token(world.user, "brief:en", "other", world.now)
    assert {visitor.get(f"/podcasts/secret/{one}").status_code for one in names} == {404}
    assert visitor.get("/podcasts/other/feed.xml").status_code == 200
    world.store.digests.set_feed_token(world.user, "brief:en", "", world.now)
    assert {visitor.get(f"/podcasts/other/{one}").status_code for one in names} == {404}


def test_an_address_leads_to_nothing_but_its_readers_briefs_in_its_language(here):
    world, visitor, said = here
    other = world.store.users.user("other", world.now)
    world.store.digests.set_feed_token(other, "brief:en", "theirs", world.now)
    world.store.digests.set_feed_token(world.user, "brief:de", "german", world.now)
    world.store.digests.set_feed_token(world.user, "digests", "digests", world.now)
    for token in ("theirs", "german", "digests", "nobodys", "%00", "..%2fsecret"):
        for name in (f"{said.heard}.mp3", f"{said.heard}.vtt"):
            assert visitor.get(f"/podcasts/{token}/{name}").status_code == 404, token
    assert visitor.get("/podcasts/digests/feed.xml").status_code == 404
    for name in ("0.mp3", "x.mp3", "9" * 40 + ".mp3", "\u0663.mp3", f"{said.heard}.exe", "1.mp3"):
        assert visitor.get(f"/podcasts/secret/{name}").status_code == 404, name
    assert "<item>" not in visitor.get("/podcasts/german/feed.xml").text


def test_below_a_path_its_addresses_are_below_it(world, tmp_path):
    said = spoken(world, tmp_path / "briefs")
    world.store.digests.set_feed_token(world.user, "brief:en", "secret", world.now)
    visitor = Visitor(world, spoken=said.actions, proxies=Proxies("/news"))
    tree = etree.fromstring(visitor.get("/news/podcasts/secret/feed.xml").content)
    (enclosure,) = tree.iter("enclosure")
    assert "/news/podcasts/secret/" in enclosure.get("url")
    assert visitor.get(enclosure.get("url")).status_code == 200


def test_the_feed_is_the_same_each_time_and_its_ids_tell_nothing(here):
    world, _visitor, said = here
    kept = world.store.briefs.brief(world.user, said.heard)
    links = BriefLinks("https://x.test")
    made = podcast([kept], "en", links, "secret", kept.made_at)
    assert made == podcast([kept], "en", links, "secret", kept.made_at)
    later = replace(kept, id=BriefId(99), made_at=kept.made_at + timedelta(days=1))
    both = podcast([later, kept], "en", links, "secret", later.made_at)
    guids = [one.text for one in etree.fromstring(both.encode()).iter("guid")]
    assert guids[1] in made
    assert len(set(guids)) == 2
    assert not any("secret" in one for one in guids)
    # The example of the specification.
    assert guid_of("https://podnews.net/rss/") == "9b024349-ccf0-5f69-a609-6b82873eab3c"
    SCHEMA.assertValid(etree.fromstring(podcast([], "en", links, "secret", kept.made_at).encode()))
