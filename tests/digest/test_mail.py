"""A digest as a mail and as a feed: whole, small, without anything active or told to anyone."""

from __future__ import annotations

import email
import re
from dataclasses import replace
from email import policy
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

from newsloom.digests import charts
from newsloom.digests.atom import atom
from newsloom.digests.links import Links
from newsloom.digests.mail import MOST_HTML, as_html, message
from newsloom.digests.values import ArchivedDigest, Trend
from newsloom.kernel.delivery.mail import address
from newsloom.kernel.ids import DigestId, UserId

from .test_formats import hostile
from .test_select import NOW, article, group, made

LINKS = Links("https://reader.example")
TOKEN = "a-secret-of-the-address"


def kept(digest=None):
    digest = digest or made([group(article(n, 90 - n), article(100 + n, 5)) for n in range(30)])
    return ArchivedDigest(DigestId(7), UserId(1), None, NOW, digest)


def sent(one=None, links=LINKS, to="ann@example.org"):
    mail = message(one or kept(), to, "news@reader.example", links, TOKEN, NOW)
    return email.message_from_bytes(mail.as_bytes(), policy=policy.default)


class Tags(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attributes)))


def test_a_mail_has_both_parts_with_every_topic():
    mail = sent()
    plain = mail.get_body(("plain",)).get_content()
    html = mail.get_body(("html",)).get_content()
    assert mail.get_content_type() == "multipart/alternative"
    for topic in kept().digest.top:
        assert topic.lead.title in plain
        assert topic.lead.title in html


def test_one_click_ends_it_as_rfc_8058_says():
    mail = sent()
    line = f"List-Unsubscribe: <https://reader.example/digest/leave/{TOKEN}>\r\n"
    raw = message(kept(), "ann@example.org", "n@reader.example", LINKS, TOKEN, NOW).as_bytes()
    assert line.encode() in raw
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert mail["Auto-Submitted"] == "auto-generated"


def test_without_an_address_of_ours_no_link_is_broken():
    mail = sent(links=Links())
    assert mail["List-Unsubscribe"] is None
    assert "None" not in str(mail["Message-ID"])
    html = mail.get_body(("html",)).get_content()
    links = [given.get("href") for tag, given in Tags(html).seen if tag == "a"]
    assert all(link and link.startswith("https://paper") for link in links)


def test_the_same_digest_to_the_same_address_is_the_same_message():
    first, again, other = sent(), sent(), sent(to="bob@example.org")
    assert first["Message-ID"] == again["Message-ID"] != other["Message-ID"]


def test_clients_that_drop_style_sheets_pictures_and_widths_lose_nothing():
    html = sent().get_body(("html",)).get_content()
    seen = Tags(html).seen
    names = {tag for tag, _given in seen}
    assert not names & {"script", "img", "link", "svg", "iframe", "form", "object"}
    styled = [given for tag, given in seen if tag in {"p", "h1", "h2", "h3", "a"}]
    assert all(given.get("style") for given in styled)
    tables = [given for tag, given in seen if tag == "table"]
    assert all(given.get("role") == "presentation" and given.get("width") for given in tables)


def test_pictures_are_parts_of_the_mail_and_lead_nowhere():
    url, other = "https://paper.example/a.jpg", "https://paper.example/b.jpg"
    topics = [group(article(n, 90 - n, picture=each)) for n, each in enumerate((url, other, ""))]
    one = message(
        kept(made(topics)), "ann@example.org", "n@r.example", LINKS, TOKEN, NOW, {url: b"JPEG"}
    )
    mail = email.message_from_bytes(one.as_bytes(), policy=policy.default)
    related = mail.get_body(("related",))
    shown, picture = related.iter_parts()
    seen = Tags(shown.get_content()).seen
    (source,) = (given["src"] for tag, given in seen if tag == "img")
    assert f"cid:{picture['Content-ID'].strip('<>')}" == source
    assert picture.get_content_type() == "image/jpeg"
    assert picture.get_content() == b"JPEG"


def test_no_line_is_longer_than_smtp_allows_and_all_of_it_is_ascii():
    mail = message(kept(hostile()), "ann@example.org", "n@r.example", LINKS, TOKEN, NOW)
    lines = mail.as_bytes().split(b"\r\n")
    assert max(map(len, lines)) <= 998
    assert all(max(line, default=0) < 128 for line in lines)


def test_a_long_digest_is_cut_between_topics_and_says_so():
    text = "The harbour was closed on Friday after a strike of the ferry crews there. " * 90
    many = [group(article(n, 90 - n, text=text, title="T" * 300), *(
        article(1000 + 40 * n + k, 5, publisher="P" * 300) for k in range(40)
    )) for n in range(15)]  # fmt: skip
    long = kept(made(many))
    long = replace(long, digest=replace(long.digest, top=long.digest.top * 8))
    html = as_html(long, LINKS, TOKEN)
    assert len(html.encode()) < MOST_HTML + 5_000
    assert "The rest is on the web page." in html
    assert html.rstrip().endswith("</html>")
    assert html.count("<p") == html.count("</p>")


def test_nothing_hostile_is_active():
    mail = sent(kept(hostile()))
    seen = Tags(mail.get_body(("html",)).get_content()).seen
    allowed = {"html", "head", "meta", "title", "style", "body", "table", "tr", "td", "h1", "h2",
               "h3", "p", "a", "span", "br", "b"}  # fmt: skip
    assert {tag for tag, _given in seen} <= allowed
    hrefs = [given["href"] for tag, given in seen if tag == "a"]
    assert all(href.startswith(("https://", "http://")) for href in hrefs)
    assert "\n" not in mail["Subject"]


@pytest.mark.parametrize(
    "text",
    ["", "ann", "ann@", "@example.org", "ann@host", "a b@example.org", "ann@x.org\r\nBcc: x@y.z",
     "ann@example.org, bob@example.org", "<ann@example.org>", "x" * 250 + "@b.org", "a@b@c.d"],
)  # fmt: skip
def test_what_is_no_address_is_refused(text):
    with pytest.raises(ValueError, match="is not an email address"):
        address(text)


def test_an_address_is_kept_as_it_is():
    assert address(" ann+news@example.org ") == "ann+news@example.org"


def test_the_feed_is_atom():
    text = atom([kept(), kept(hostile())], LINKS, TOKEN, NOW)
    root = ElementTree.fromstring(text)
    ns = "{http://www.w3.org/2005/Atom}"
    assert root.tag == f"{ns}feed"
    entries = root.findall(f"{ns}entry")
    assert [one.find(f"{ns}link").get("href") for one in entries] == [
        "https://reader.example/digest/7"
    ] * 2
    for one in (root, *entries):
        assert one.find(f"{ns}id").text
        assert one.find(f"{ns}updated").text
        assert one.find(f"{ns}title").text
    content = entries[1].find(f"{ns}content").text
    assert not {tag for tag, _given in Tags(content).seen} & {"script", "img", "iframe"}
    line = re.sub(r"<link rel=\"self\"[^>]*>", "", text)
    assert TOKEN not in line


def test_an_empty_feed_is_one():
    empty = ElementTree.fromstring(atom([], LINKS, TOKEN, NOW))
    assert empty.find("{http://www.w3.org/2005/Atom}updated").text == NOW.isoformat()


def test_charts_say_in_words_what_they_show():
    mix = ElementTree.fromstring(charts.source_mix(made(
        [group(*(article(n, 9, publisher=name) for n, name in ((1, "A & <b>"), (2, "Paper 2"),
                                                                (3, "A & <b>"))))]
    )))  # fmt: skip
    assert mix.get("aria-label") == "Articles by publisher: A & <b> 2, Paper 2 1"
    line = ElementTree.fromstring(
        charts.trend_line(Trend("x", 9, 1.0, 5, 0.01, counts=(1, 0, 2, 5)))
    )
    assert line.get("aria-label") == "Sources by window: 1, 0, 2, 5"


def test_one_publisher_is_no_mix():
    assert not charts.source_mix(made([group(article(1, 90))]))
