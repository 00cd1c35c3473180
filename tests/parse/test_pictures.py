"""The picture of an article, wherever a feed puts it."""

from __future__ import annotations

import re

import pytest

from newsloom.feeds.parse import parse_feed

MEDIA = "http://search.yahoo.com/mrss/"
PICTURE = "https://x.test/p.jpg"
THUMBNAIL = f"<media:thumbnail url='{PICTURE}'/>"


def picture(inside: str, namespace: str = MEDIA) -> str:
    document = (
        f"<rss version='2.0' xmlns:media='{namespace}' xmlns:own='https://own.test/ns'><channel>"
        f"<item><title>a</title>{inside}</item></channel></rss>"
    )
    return parse_feed(document.encode(), "https://feeds.test/a/f").articles[0].image


@pytest.mark.parametrize(
    "inside",
    [
        THUMBNAIL,
        f"<media:thumbnail>{PICTURE}</media:thumbnail>",
        f"<media:group>{THUMBNAIL}</media:group>",
        f"<media:group><media:content url='https://x.test/v.mp4'>{THUMBNAIL}</media:content></media:group>",
        f"<media:group><media:group>{THUMBNAIL}</media:group></media:group>",
        f"<media:content url='https://x.test/v.mp4'>{THUMBNAIL}</media:content>",
        f"<media:content><media:group>{THUMBNAIL}</media:group></media:content>",
        f"<media:content><media:content>{THUMBNAIL}</media:content></media:content>",
        f"<media:player url='https://x.test/player'>{THUMBNAIL}</media:player>",
        f"<own:pictures>{THUMBNAIL}</own:pictures>",
        f"<own:pictures><own:first>{THUMBNAIL}</own:first></own:pictures>",
        f"<media:group><media:thumbnail/><media:thumbnail url='{PICTURE}'/></media:group>",
        f"<media:group><media:content url='{PICTURE}' medium='image'/></media:group>",
        f"<media:content url='https://x.test/large.jpg' medium='image'>{THUMBNAIL}</media:content>",
        f"{THUMBNAIL}<media:group><media:thumbnail url='https://x.test/other.jpg'/></media:group>",
    ],
)
def test_at_any_depth(inside: str) -> None:
    assert picture(inside) == PICTURE


@pytest.mark.parametrize(
    "namespace",
    [
        "http://search.yahoo.com/mrss",
        "https://search.yahoo.com/mrss/",
        "http://video.search.yahoo.com/mrss",
        "http://tools.search.yahoo.com/mrss/",
        "http://www.rssboard.org/media-rss",
    ],
)
def test_by_any_of_the_names_of_its_vocabulary(namespace: str) -> None:
    assert picture(f"<media:group>{THUMBNAIL}</media:group>", namespace) == PICTURE


def test_a_relative_one() -> None:
    inside = "<media:group><media:thumbnail url='/p.jpg'/></media:group>"
    assert picture(inside) == "https://feeds.test/p.jpg"


def test_in_an_entry() -> None:
    document = (
        f"<feed xmlns='http://www.w3.org/2005/Atom' xmlns:media='{MEDIA}'><entry><id>1</id>"
        f"<media:group><media:content><media:group>{THUMBNAIL}</media:group></media:content>"
        "</media:group></entry></feed>"
    )
    assert parse_feed(document.encode(), "https://feeds.test/").articles[0].image == PICTURE


def test_words_about_a_picture_are_not_the_articles() -> None:
    inside = (
        "<media:content url='https://x.test/p.jpg' medium='image'><media:title>A caption"
        "</media:title><media:description>More of it</media:description>"
        "<media:category>news/local</media:category><media:keywords>tide, quay</media:keywords>"
        "</media:content>"
    )
    document = f"<rss xmlns:media='{MEDIA}'><channel><item>{inside}</item></channel></rss>"
    (article,) = parse_feed(document.encode(), "https://feeds.test/").articles
    assert (article.title, article.summary) == (
        "",
        '<p><img src="https://x.test/p.jpg" alt="More of it"></p>',
    )
    assert article.categories == ("news/local", "tide", "quay")


IMAGE = "<media:content url='https://x.test/{}.jpg' medium='image'/>"
TEXT = "<title>t</title><description>{}</description>"
# What a feed sends, and the pictures its article shows, in order with its text.
IN_ARTICLES = {
    TEXT.format("Words") + IMAGE.format("a") + IMAGE.format("b"): "a b Words",
    "<description>A post</description>" + IMAGE.format("a") + IMAGE.format("b"): "A post a b",
    IMAGE.format("a"): "a",
    TEXT.format("Words") + "<enclosure url='https://x.test/a.jpg' type='image/jpeg'/>": "a Words",
    TEXT.format("Words") + THUMBNAIL: "p Words",
    TEXT.format("Words") + THUMBNAIL + IMAGE.format("a"): "a Words",
    TEXT.format("&lt;img src='/c.jpg'> Words") + THUMBNAIL: "c Words",
    TEXT.format("&lt;img src='//y.test/x.test/a-30x20.jpg?w=9'>") + IMAGE.format("a"): "a-30x20",
    TEXT.format("&lt;img src='/emoji/smile.png'> Words") + IMAGE.format("a"): "a smile Words",
    # Sizes of one picture.
    TEXT.format("&lt;img src='/1234567890abcdefghijk.jpg'>")
    + IMAGE.format("1234567890abcdefghijk-1280-80"): "1234567890abcdefghijk",
    TEXT.format("Words")
    + "".join(
        f"<media:content url='https://x.test/m/{one}.jpg?width={one}' width='{one}'/>"
        for one in (140, 700, 460)
    ): "700 Words",
    "<media:group><media:content url='https://x.test/a-60x60.png' width='60' height='60'/>"
    "<media:content url='https://x.test/a-90x90.png' width='90' height='90'/>"
    "</media:group>": "a-90x90",
    # Faces, counters and placeholders.
    TEXT.format("Words") + "<media:thumbnail url='https://secure.gravatar.com/a.jpg'/>": "Words",
    TEXT.format("Words") + "<media:thumbnail url='https://x.test/blank.gif'/>": "Words",
    TEXT.format("Words") + "<media:thumbnail url='https://x.test/a.gif' width='16'/>": "a Words",
}  # fmt: skip


def test_pictures_beside_a_text_are_in_the_article() -> None:
    wrong = []
    for inside, shown in IN_ARTICLES.items():
        document = f"<rss xmlns:media='{MEDIA}'><channel><item>{inside}</item></channel></rss>"
        (article,) = parse_feed(document.encode(), "https://feeds.test/").articles
        seen = re.sub(r"<img src=.[^>]*?([\w-]+)\.\w+[\"'?][^>]*>", r" \1 ", article.summary)
        if re.sub("<[^>]*>", " ", seen).split() != shown.split():
            wrong.append((inside, article.summary))
    assert not wrong


VIDEO = "https://www.youtube.com/watch?v=AbC-d_123-x"


def test_a_video_shows_its_picture_a_link_to_it_and_the_links_of_its_description() -> None:
    document = (
        f"<feed xmlns='http://www.w3.org/2005/Atom' xmlns:media='{MEDIA}'><entry><id>1</id>"
        f"<title>t</title><link href='{VIDEO}'/><media:group>"
        f"<media:content url='https://www.youtube.com/v/x' type='application/x-shockwave-flash'/>"
        f"{THUMBNAIL}<media:description>One\nPlans: https://x.test/p?a=1&amp;b=(2).</media:description>"
        "</media:group></entry></feed>"
    )
    (article,) = parse_feed(document.encode(), "https://feeds.test/").articles
    assert article.summary == (
        f'<p><a href="{VIDEO}"><img src="{PICTURE}" alt=""></a></p>One<br>\n'
        'Plans: <a href="https://x.test/p?a=1&amp;b=(2)">https://x.test/p?a=1&amp;b=(2)</a>.'
    )


def test_pictures_of_a_json_feed_and_of_a_broken_one() -> None:
    json = (
        '{"version":"https://jsonfeed.org/version/1.1","title":"t","items":[{"id":"1",'
        '"content_text":"See https://x.test/","image":"https://x.test/p.jpg","attachments":'
        '[{"url":"https://x.test/a.jpg","mime_type":"image/jpeg"}]}]}'
    )
    broken = (
        f"<rss version='2.0' xmlns:media='{MEDIA}'><channel><item><title>a</title>"
        f"<description>Words</description>{IMAGE.format('a')}</channel></item></rss"
    )
    for document in (json, broken):
        (article,) = parse_feed(document.encode(), "https://feeds.test/").articles
        html = article.content or article.summary
        assert '<img src="https://x.test/a.jpg" alt="">' in html
    assert '<a href="https://x.test/">https://x.test/</a>' in (
        parse_feed(json.encode(), "https://feeds.test/").articles[0].content
    )


def test_addresses_in_plain_texts() -> None:
    for text, links in {
        "(https://x.test/a_(b))": ["https://x.test/a_(b)"],
        "&lt;https://x.test/a&gt;, http://y.test.": ["https://x.test/a", "http://y.test"],
        "“https://x.test/a”": ["https://x.test/a"],
        "ftp://x.test/ xhttps://a https:// ": [],
        "https://x.test/" + "(" * 100_000: ["https://x.test/"],
    }.items():
        entry = f"<entry><summary>{text}</summary></entry>"
        document = f'<feed xmlns="http://www.w3.org/2005/Atom">{entry}</feed>'
        (article,) = parse_feed(document.encode(), "https://feeds.test/").articles
        assert re.findall('<a href="([^"]*)">', article.summary) == links, text[:50]
