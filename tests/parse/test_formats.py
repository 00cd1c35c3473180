"""Every wire format, from a sample of each: the fields that are kept, whole."""

from __future__ import annotations

from dataclasses import astuple
from datetime import UTC, datetime, timedelta
from html import escape
from json import dumps

import pytest

from newsloom.feeds.parse import parse_feed
from newsloom.feeds.values.published import Enclosure, ParsedArticle, ParsedFeed, PollHints

from .builders import URL, sample


def read(name: str) -> ParsedFeed:
    return parse_feed(sample(name), URL)


def test_rss_20() -> None:
    feed = read("rss20.xml")
    ferry, quay = feed.articles
    assert (feed.format, feed.title, feed.site_url, feed.description, feed.language) == (
        "rss 2.0", "The Harbour & Quay", "https://harbour.test/", "News from the waterside",
        "en-GB",
    )  # fmt: skip
    assert feed.image == "https://feeds.test/logo.png"
    assert feed.problem == ""
    assert feed.hints == PollHints(
        ttl=timedelta(minutes=90),
        skip_hours=frozenset({0, 5}),
        skip_days=frozenset({6}),
        update_every=timedelta(hours=6),
        hub="https://hub.test/",
        topic="https://harbour.test/feed.xml",
    )
    assert ferry == ParsedArticle(
        guid="harbour-1",
        url="https://harbour.test/ferry?a=1&b=2",
        title="Ferry to Lower Bell runs twice as often",
        author="Ada Quill, Tom Reed",
        summary="<p>Every <b>ten</b> minutes.</p>",
        content='<p><img src="https://feeds.test/ferry.jpg" alt=""></p>'
        '<p>Every <b>ten</b> minutes, says the <a href="/office">office</a>.</p>',
        published=datetime(2026, 11, 3, 7, 15, tzinfo=UTC),
        language="en-GB",
        categories=("Transport", "Lower & Upper Bell"),
        enclosures=(Enclosure("https://feeds.test/ferry.jpg", "image/jpeg", 12345),),
        image="https://feeds.test/ferry.jpg",
        comments_url="https://harbour.test/ferry#talk",
    )
    assert quay == ParsedArticle(
        guid="https://harbour.test/quay",
        url="https://harbour.test/quay",
        title="What the <quay> element means for sailors",
        author="Mara Pike",
        summary="An essay",
        language="en-GB",
    )


def test_rss_091_with_its_doctype() -> None:
    feed = read("rss091.xml")
    assert (feed.format, feed.problem) == ("rss 0.91", "")
    assert feed.articles[0].url == "http://mill.test/wheel.html"


def test_rss_090() -> None:
    feed = read("rss090.rdf")
    assert (feed.format, feed.title, feed.image) == (
        "rdf 0.9", "Pioneer", "http://pioneer.test/p.gif",
    )  # fmt: skip
    assert [(one.title, one.url) for one in feed.articles] == [
        ("Hello, channels", "http://pioneer.test/1")
    ]


def test_rss_10() -> None:
    feed = read("rss10.rdf")
    assert (feed.format, feed.site_url) == ("rdf 1.0", "http://weaver.test/")
    assert feed.articles == (
        ParsedArticle(
            guid="http://weaver.test/loom#id",
            url="http://weaver.test/loom",
            title="Der Webstuhl",
            author="Lena Faden",
            summary="Kette und Schuss",
            content="<p>Kette und <i>Schuss</i></p>",
            published=datetime(2026, 11, 1, 9, 30, tzinfo=UTC),
            language="de",
            categories=("Handwerk",),
        ),
    )


def test_atom_10() -> None:
    feed = read("atom10.xml")
    tide, lamp = feed.articles
    assert (feed.format, feed.title, feed.site_url, feed.description, feed.language) == (
        "atom 1.0", "Le Éphare", "https://phare.test/blog/", "Notes d'un gardien", "fr",
    )  # fmt: skip
    assert feed.image == "https://phare.test/blog/lampe.png"
    assert (feed.hints.hub, feed.hints.topic) == (
        "https://hub.test/push", "https://phare.test/feed.atom",
    )  # fmt: skip
    assert tide == ParsedArticle(
        guid="tag:phare.test,2026:1",
        url="https://phare.test/blog/maree.html",
        title="La grande marée",
        author="Yann Gardien",
        summary="Moins de 5 m &lt; plus de 6 m",
        content='<p>Elle monte.<br>Elle <a href="https://phare.test/blog/vue.html">descend</a>.</p>',
        published=datetime(2026, 11, 1, 21, 0, 0, 250_000, tzinfo=UTC),
        updated=datetime(2026, 11, 2, 6, 0, tzinfo=UTC),
        language="fr",
        categories=("mer", "http://phare.test/cat/lune"),
        enclosures=(Enclosure("https://cdn.phare.test/mer.ogg", "audio/ogg", 2048),),
        comments_url="https://phare.test/blog/maree.html#dits",
    )
    assert lamp == ParsedArticle(
        guid="https://phare.test/blog/lamp",
        url="https://phare.test/blog/lamp",
        title="Use <b> sparingly &amp; well",
        author="Ann Lamp, Bob Wick",
        content='<img src="https://img.test/a.png"> lit',
        updated=datetime(2026, 11, 2, 7, 0, tzinfo=UTC),
        language="en",
    )


def test_atom_03() -> None:
    feed = read("atom03.xml")
    article = feed.articles[0]
    assert (feed.format, feed.title, feed.description) == (
        "atom 0.3", "Early <Adopter>", "before it was a standard",
    )  # fmt: skip
    assert (article.published, article.updated) == (
        datetime(2004, 2, 1, 6, tzinfo=UTC), datetime(2004, 2, 2, tzinfo=UTC),
    )  # fmt: skip
    assert (article.summary, article.content) == ("Short", "<p>Long</p>")


def test_json_feed_11() -> None:
    feed = read("json11.json")
    answers, linked = feed.articles
    assert (feed.format, feed.title, feed.image, feed.language) == (
        "json 1.1", "Braces & Co", "https://braces.test/icon.png", "en-US",
    )  # fmt: skip
    assert (feed.hints.hub, feed.hints.topic) == (
        "https://hub.test/json", "https://braces.test/feed.json",
    )  # fmt: skip
    assert answers == ParsedArticle(
        guid="42",
        url="https://braces.test/forty-two",
        title="Answers <wanted>",
        author="Square, Round",
        summary="5 &lt; 6",
        content='<p><img src="https://braces.test/cover.jpg" alt=""></p><p>Many.</p>',
        published=datetime(2026, 11, 3, 14, tzinfo=UTC),
        updated=datetime(2026, 11, 4, 9, tzinfo=UTC),
        language="de",
        categories=("why",),
        enclosures=(Enclosure("https://braces.test/a.mp3", "audio/mpeg", 99),),
        image="https://braces.test/cover.jpg",
    )
    assert (linked.url, linked.author) == ("https://elsewhere.test/b", "Curly")
    assert linked.content == "one &amp; two<br>\nthree"


def test_json_feed_10() -> None:
    feed = read("json10.json")
    assert feed.format == "json 1.0"
    assert (feed.articles[0].url, feed.articles[0].author) == ("https://first.test/1", "Solo")


def test_podcast() -> None:
    feed = read("podcast.xml")
    episode = feed.articles[0]
    assert feed.image == "https://radio.test/cover.png"
    assert (episode.author, episode.summary, episode.categories, episode.image) == (
        "The Crew", "Fog, mostly.", ("fog", "horn", "sea"), "https://radio.test/ep3.png",
    )  # fmt: skip
    assert episode.enclosures == (
        Enclosure("https://cdn.radio.test/ep3.mp3", "audio/mpeg", 31415926),
    )


ENCLOSURE = "<enclosure url='https://cdn.test/1.mp3' type='audio/mpeg' length='9'/>"
MP3 = ("https://cdn.test/1.mp3", "audio/mpeg", 9)
# What an episode holds, and its files: address, type, bytes, seconds, title.
EPISODES = {
    "<itunes:duration>1665</itunes:duration>": [(*MP3, 1665, "")],
    "<itunes:duration>27:45</itunes:duration>": [(*MP3, 1665, "")],
    "<itunes:duration> 1:02:03 </itunes:duration>": [(*MP3, 3723, "")],
    "<itunes:duration>PT1H2M</itunes:duration>": [(*MP3, 3720, "")],
    "<itunes:duration>1665.5</itunes:duration>": [(*MP3, 1665, "")],
    "<itunes:duration>about an hour</itunes:duration>": [(*MP3, None, "")],
    f"<itunes:duration>{'9' * 5_000}</itunes:duration>": [(*MP3, None, "")],
    "<itunes:season>2</itunes:season><itunes:episode>5</itunes:episode>": [
        (*MP3, None, "Season 2, episode 5")
    ],
    "<podcast:episode>5</podcast:episode><itunes:episodeType>bonus</itunes:episodeType>": [
        (*MP3, None, "Episode 5, bonus")
    ],
    "<media:content url='http://cdn.test/1.mp3' medium='audio' duration='60'/>": [(*MP3, 60, "")],
    "<podcast:chapters url='/1.json' type='application/json+chapters'/>"
    "<podcast:transcript url='/1.srt' type='application/srt'/>": [
        (*MP3, None, ""),
        ("https://x.test/1.json", "application/json+chapters", None, None, "Chapters"),
        ("https://x.test/1.srt", "application/srt", None, None, "Transcript"),
    ],
    "<enclosure url='https://cdn.test/1.ogg' type='audio/ogg'/>": [
        (*MP3, None, ""),
        ("https://cdn.test/1.ogg", "audio/ogg", None, None, ""),
    ],
}


def test_what_is_said_of_an_episode() -> None:
    wrong = []
    for inside, files in EPISODES.items():
        document = (
            "<rss version='2.0' xmlns:itunes='http://www.itunes.com/dtds/podcast-1.0.dtd' "
            "xmlns:podcast='https://podcastindex.org/namespace/1.0' "
            "xmlns:media='http://search.yahoo.com/mrss/'><channel>"
            f"<item><title>t</title>{ENCLOSURE}{inside}</item></channel></rss>"
        )
        (article,) = parse_feed(document.encode(), "https://x.test/feed").articles
        if [astuple(one) for one in article.enclosures] != files:
            wrong.append((inside, article.enclosures))
    assert not wrong


# The fields of an article, and its tags.
TAGS = {
    ("boats, harbour life, tides",): ("boats", "harbour life", "tides"),
    ("#boats #tides", "Sea & Land"): ("boats", "tides", "Sea & Land"),
    ("#boats",): ("boats",),
    ("news,sports", "opinion"): ("news", "sports", "opinion"),
    ("boats; tides",): ("boats", "tides"),
    ("船、港，潮",): ("船", "港", "潮"),
    ("Trump, Donald J", "Politics"): ("Trump, Donald J", "Politics"),
    ("#boats #mills, tide",): ("boats", "mills", "tide"),
    ("a", "#b #c"): ("a", "b", "c"),
    ("C# , #net",): ("C#", "net"),
    ("al-Hayya, Khalil (1960- )", "Gaza"): ("al-Hayya, Khalil (1960- )", "Gaza"),
    ("C#", "issue #5"): ("C#", "issue #5"),
    ("1,000 islands",): ("1,000 islands",),
    (", ,", "a,,a"): ("a",),
}


def test_a_field_of_several_tags_is_several_tags() -> None:
    wrong = []
    for fields, tags in TAGS.items():
        inside = "".join(f"<category>{escape(one)}</category>" for one in fields)
        document = f"<rss><channel><item><title>t</title>{inside}</item></channel></rss>"
        json = {
            "version": "https://jsonfeed.org/version/1.1",
            "title": "t",
            "items": [{"tags": fields}],
        }
        for one in (document, dumps(json)):
            (article,) = parse_feed(one.encode(), "https://x.test/feed").articles
            if article.categories != tags:
                wrong.append((fields, article.categories))
    assert not wrong


def test_media_captions_are_not_the_text() -> None:
    storm, clip = read("media.xml").articles
    assert (storm.title, storm.summary, storm.content, storm.image, storm.enclosures) == (
        "Storm over the bay",
        '<p><img src="https://pics.test/storm.jpg" alt="A wave breaks over the mole"></p>'
        "The storm came early.",
        "",
        "https://pics.test/storm.jpg",
        (),
    )
    assert (clip.title, clip.summary, clip.image) == (
        "Clip",
        '<p><a href="https://pics.test/clip"><img src="https://pics.test/clip.jpg" alt=""></a></p>'
        "Line one<br>\nLine two &amp; three",
        "https://pics.test/clip.jpg",
    )
    assert clip.enclosures == (Enclosure("https://pics.test/clip.mp4", "video/mp4", 77),)


def test_xml_base_reaches_links_and_bodies() -> None:
    article = read("drupal.xml").articles[0]
    assert article.url == "https://town.test/news/council"
    assert article.summary == (
        "<a href=\"https://town.test/news/agenda\">agenda</a> <img src='https://town.test/i.png'> "
        '<a href="#top">top</a> <a href="https://x.test/">x</a>'
    )


def test_any_case_and_markup_that_was_not_escaped() -> None:
    feed = read("inline.xml")
    article = feed.articles[0]
    assert (feed.title, article.title, article.url) == (
        "Shouting", "Unescaped markup “here”", "https://shout.test/1",
    )  # fmt: skip
    assert article.summary == "Some <i>plain</i> XML<br>inside &amp; out"
    assert article.published == datetime(2026, 11, 5, 12, tzinfo=UTC)


def test_prefixes_nobody_declared_mean_what_they_mean_elsewhere() -> None:
    feed = read("wordless.xml")
    article = feed.articles[0]
    assert (article.author, article.content) == ("Nora Decl", "<p>body</p>")
    assert "not well-formed" in feed.problem


@pytest.mark.parametrize(
    "namespace",
    [
        pytest.param("https://www.w3.org/2005/Atom", id="https"),
        pytest.param("http://www.w3.org/2005/Atom/", id="final slash"),
        pytest.param("http://nobody.test/feed", id="unknown"),
    ],
)
def test_a_wrong_namespace_does_not_hide_a_feed(namespace: str) -> None:
    body = f'<feed xmlns="{namespace}"><entry><id>1</id><title>A</title></entry></feed>'
    feed = parse_feed(body.encode(), URL)
    assert [one.title for one in feed.articles] == ["A"]


def test_links_nobody_could_follow_are_dropped() -> None:
    dropped = ["javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "http://[bad"]
    items = "".join(f"<item><title>x</title><link>{link}</link></item>" for link in dropped)
    feed = parse_feed(f"<rss><channel>{items}</channel></rss>".encode(), URL)
    assert [one.url for one in feed.articles] == [""] * len(dropped)


def test_a_space_in_an_address_is_encoded() -> None:
    body = "<rss><channel><item><link> https://a.test/b c\n</link></item></channel></rss>"
    assert parse_feed(body.encode(), URL).articles[0].url == "https://a.test/b%20c"


PSC = "http://podlove.org/simple-chapters"
NOTES = "<description>Show notes.</description>"
START = "<psc:chapter start='00:00:00.000' title='Start'/>"
# What an episode says of its chapters, and its text.
CHAPTERS = {
    f"{NOTES}<psc:chapters xmlns:psc='{PSC}' version='1.2'>{START}"
    "<psc:chapter start='01:02:03.5' title='Q&amp;A' href='/qa'/></psc:chapters>": (
        "Show notes.<ul><li>0:00:00 Start</li>"
        '<li>1:02:03 <a href="https://x.test/qa">Q&amp;A</a></li></ul>'
    ),
    f"{NOTES}<c:chapters xmlns:c='{PSC}/'><c:chapter start='754' title=' Two  words '/>"
    "<c:chapter start='900'/><c:other title='no chapter'/></c:chapters>": (
        "Show notes.<ul><li>0:12:34 Two words</li></ul>"
    ),
    f"<psc:chapters>{START}</psc:chapters>": "<ul><li>0:00:00 Start</li></ul>",
    f"<description>Start, End</description><psc:chapters>{START}</psc:chapters>": "Start, End",
    "<psc:chapters><psc:chapter start='x' title='&lt;script&gt;'/></psc:chapters>": (
        "<ul><li>0:00:00 &lt;script&gt;</li></ul>"
    ),
    f"{NOTES}<psc:chapters/>": "",
}


def test_chapters_within_the_feed() -> None:
    wrong = []
    for inside, text in CHAPTERS.items():
        document = (
            f"<rss version='2.0'><channel><item><title>t</title>{inside}</item></channel></rss>"
        )
        (article,) = parse_feed(document.encode(), "https://x.test/feed").articles
        if article.content != text:
            wrong.append((inside, article.content))
    assert not wrong
    many = START * 5_000
    document = f"<rss><channel><item><psc:chapters>{many}</psc:chapters></item></channel></rss>"
    (article,) = parse_feed(document.encode(), "https://x.test/feed").articles
    assert article.content.count("<li>") == 200
