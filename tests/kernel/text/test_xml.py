"""Every text, written as XML, is well-formed and is read back without what XML cannot represent."""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Callable
from dataclasses import replace
from functools import cache

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from lxml import etree

from digest.test_mail import LINKS
from digest.test_mail import kept as kept_digest
from digest.test_select import NOW
from newsloom.briefs.links import BriefLinks
from newsloom.briefs.podcast import podcast
from newsloom.briefs.values import (
    ArchivedBrief,
    BriefChapter,
    BriefId,
    BriefScript,
    BriefSound,
    BriefState,
    SoundFile,
)
from newsloom.digests.atom import atom as digest_atom
from newsloom.feeds.parse.opml import write_opml
from newsloom.kernel.ids import FeedId, UserId
from newsloom.kernel.text.xml import Markup, element, start_tag
from newsloom.reading.api.shapes import Article
from newsloom.reading.pages.saved_lists import ListFeed, atom
from newsloom.reading.values.reading import Subscription
from newsloom.sync.greader.reading import feed as stream_atom

# Lone surrogates too, which st.text() alone leaves out.
ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=60)
NOT = "\ufffe\uffff"
HOSTILE = "\ufffe\uffff\x00\x08\x0b\x1f\x7f\x85\ud800\udfff]]>&<\"'\t\n\r\U0001fffe"


def representable(text: str) -> str:
    """By the Char production of XML 1.0, written another way than the code has it."""
    return "".join(
        one
        for one in text
        if one in "\t\n\r" or (one >= " " and unicodedata.category(one) != "Cs" and one not in NOT)
    )


def test_every_code_point_is_read_back_or_cannot_be_represented() -> None:
    text = "".join(map(chr, range(sys.maxunicode + 1)))
    read = etree.fromstring(element("a", {"b": text}, text).encode())
    assert read.text == read.get("b") == representable(text)


@given(ANY_TEXT, ANY_TEXT)
@example(HOSTILE, HOSTILE)
def test_text_attributes_and_children_are_read_back(text: str, other: str) -> None:
    inner = element("c", {"d": other}, text)
    read = etree.fromstring(element("a", text, inner, other).encode())
    assert (read.text or "") == representable(text)
    assert (read[0].text or "", read[0].get("d")) == (representable(text), representable(other))
    assert (read[0].tail or "") == representable(other)
    assert start_tag("a", {"b": text}) + Markup("</a>") == element("a", {"b": text}, "-").replace(
        "-</a>", "</a>"
    )


def opml(text: str) -> bytes:
    one = Subscription(FeedId(1), f"https://a.test/{text}", text, text, f"https://a.test/{text}")
    return write_opml([one, replace(one, category="")])


def listed(text: str) -> bytes:
    texts = dict.fromkeys(("title", "url", "feed_title", "author", "excerpt", "language"), text)
    entry = Article.model_construct(id=1, published=NOW, image=text, **texts)
    return atom(ListFeed(text, "https://a.test/", "https://a.test/", [entry], NOW)).encode()


a_digest = cache(kept_digest)


def digests(text: str) -> bytes:
    one = a_digest()
    return digest_atom(
        [replace(one, digest=replace(one.digest, title=text))], LINKS, "t", NOW
    ).encode()


def stream(text: str) -> bytes:
    item = {
        "id": text,
        "title": text,
        "author": text,
        "published": 1_700_000_000,
        "canonical": [{"href": text}],
        "categories": [text],
        "enclosure": [{"href": text, "type": text}],
        "origin": {"streamId": text, "title": text},
        "summary": {"content": text},
    }
    return b"".join(stream_atom(text, text, iter([item]), NOW))


def spoken(text: str) -> bytes:
    script = BriefScript(text, text, NOW, NOW, "UTC", 10, (BriefChapter(text, (), "k"),), (), text)
    files = (SoundFile("1.mp3", "audio/mpeg", 1), SoundFile("1.opus", text, 1))
    sound = BriefSound(files, 1.0, "voice", (), -16.0, -1.0)
    one = ArchivedBrief(BriefId(1), UserId(1), None, NOW, BriefState.READY, script, sound)
    return podcast([one], text, BriefLinks("https://a.test"), "t", NOW).encode()


WRITERS: list[Callable[[str], bytes]] = [opml, listed, digests, stream, spoken]


@pytest.mark.parametrize("write", WRITERS)
@given(text=ANY_TEXT)
@example(text=HOSTILE)
def test_every_document_is_well_formed(write: Callable[[str], bytes], text: str) -> None:
    etree.fromstring(write(text))
