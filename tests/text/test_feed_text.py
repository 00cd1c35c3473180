"""What a full text keeps of the feed's own text: law over generated pages and feeds."""

from __future__ import annotations

import re
from collections import Counter
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from newsloom.feeds.feed_text import with_feed_text
from newsloom.feeds.full_text import full_text
from newsloom.kernel.errors import ParseError
from newsloom.kernel.text.html import to_text

URL = "https://news.test/2026/one"
SYLLABLES = [a + b for a in "bdfgklmnprst" for b in "aeiou"]


def sentence(number: int, words: int = 14) -> str:
    """Made of words that stand nowhere else."""
    draw = Random(number)
    made = " ".join("".join(draw.choices(SYLLABLES, k=4)) for _ in range(words - 1))
    return f"Item{number} {made}."


def paragraph(number: int) -> str:
    return " ".join(sentence(10 * number + place) for place in range(3))


ITEMS = [f"<li>{sentence(number)}</li>" for number in range(300, 320)]
PAGE = [f"<p>{paragraph(number)}</p>" for number in range(8)]
PAGE.append(f"<ul>{''.join(ITEMS[:8])}</ul>")
WHOLE = "".join(PAGE)


def joined(own: str, page: str = WHOLE, title: str = "The title") -> str:
    return with_feed_text(page, own, title=title, url=URL)


def words(html: str) -> Counter[str]:
    return Counter(re.findall(r"\w+", to_text(html, len(html)).casefold()))


# What the feed has of an article whose page has eight paragraphs.
SAME = {
    "the same": WHOLE,
    "nothing": "",
    "the beginning": f"<p>{paragraph(0)}</p>",
    "cut in a word": paragraph(0)[:100] + "…",
    "with a link to go on": f"<p>{sentence(0)} <a href=/more>Continue reading The title</a></p>",
    "the title": "<h1>The title</h1>" + PAGE[0],
    "cut otherwise": re.sub(r"\. ", ".</p><p>", WHOLE),
    "without paragraphs": re.sub("<[^>]+>", " ", WHOLE),
    "with breaks": WHOLE.replace("</p><p>", "<br><br>"),
    "a word corrected": PAGE[1].replace("Item10", "Item11b"),
    "in capitals, with entities": f"<P>{paragraph(0).upper()}&nbsp;&mdash;</P>",
    "a pixel that counts readers": PAGE[0] + "<img src=/count.gif width=1 height=1>",
}


def test_a_page_that_has_the_feeds_text_stays_as_it_is() -> None:
    wrong = {name: joined(own) for name, own in SAME.items() if joined(own) != WHOLE}
    assert not wrong


NEW = paragraph(50)
# The feed's text, what the full text must contain, and what must precede it there.
MISSING = {
    "a paragraph within": ("".join([*PAGE[:3], f"<p>{NEW}</p>", *PAGE[3:6]]), NEW, PAGE[2]),
    "a paragraph at the end": (f"{PAGE[7]}<p>{NEW}</p>", NEW, PAGE[7]),
    "a standfirst": (f"<p>{sentence(501)}</p>{PAGE[0]}", f"<p>{sentence(501)}</p><p>Item0 ", ""),
    "a standfirst alone": (sentence(501), f"{sentence(501)}</p><p>Item0 ", ""),
    "comments": ("<a href=/c>Comments</a>", ">Comments</a>", WHOLE),
    "a sentence": (f"<p>{sentence(10)} {sentence(501)} {sentence(11)}</p>", sentence(501), PAGE[1]),
    "code": (f"{PAGE[0]}<pre>def main():\n    return 1</pre>{PAGE[1]}", "\n    return 1", PAGE[0]),
    "a list": (f"{PAGE[0]}<ul><li>{sentence(501)}</li></ul>", f"<ul><li>{sentence(501)}", PAGE[0]),
    "an item": (f"{PAGE[0]}<ol>{''.join(ITEMS[:9])}</ol>", f"<ol>{ITEMS[8]}</ol>", PAGE[0]),
    "a line": (f"<p>{paragraph(4)}<br>{sentence(501, 3)}</p>", sentence(501, 3), PAGE[4]),
    "a table": (f"{PAGE[0]}<table><tr><td>2.5<td>3.5</table>", "<td>3.5</td>", PAGE[0]),
    "a picture": (f"{PAGE[3]}<p><img src=/a.jpg></p>", 'src="https://news.test/a.jpg"', PAGE[3]),
    "a picture in text": (f"<p><img src=/a.jpg>{paragraph(3)}", "news.test/a.jpg", PAGE[3]),
    "loose text": (f"{paragraph(1)}<br><br>{NEW}<br><br>{paragraph(2)}", NEW, PAGE[1]),
    "in wrappers": (f"<div><div>{PAGE[2]}</div><div><p>{NEW}</div></div>", NEW, PAGE[2]),
    "without spaces": (
        "<p>新しい橋の工事が始まり、市長は安全を約束した。",
        "市長は",
        "",
    ),
}


def test_what_the_page_lacks_stands_where_the_feed_has_it() -> None:
    wrong = {}
    for name, (own, missing, before) in MISSING.items():
        found = joined(own)
        if missing not in found or before not in found[: found.find(missing)]:
            wrong[name] = found
        if not all(one in found for one in PAGE):
            wrong[name] = found
    assert not wrong


OTHER = "".join(f"<p>{paragraph(number)}</p>" for number in range(60, 69))
# The feed's text and the page's.
ANOTHER = {
    "comments in place of the article": (WHOLE, OTHER),
    "another article": (WHOLE, OTHER + PAGE[0]),
    "fewer words": (WHOLE + f"<p>{NEW}</p>" * 5, WHOLE),
    "the end of it": (WHOLE, "".join(PAGE[5:]) + OTHER[: len(OTHER) // 2]),
}


def test_a_page_with_another_text_is_not_taken() -> None:
    assert not {name for name, (own, page) in ANOTHER.items() if joined(own, page)}


@given(
    st.lists(st.sampled_from(range(12)), max_size=12),
    st.lists(st.sampled_from(range(12)), min_size=1, max_size=12),
    st.sampled_from(["<p>{}</p>", "{}<br><br>", "<div><p>{}</p></div>", "<ul><li>{}</li></ul>"]),
    st.sampled_from(["<p>{}</p>", "<div>{}</div>", "<section><p>{}</p></section>"]),
)
def test_no_word_of_the_feed_is_lost(
    of_feed: list[int], of_page: list[int], feed_form: str, page_form: str
) -> None:
    """Whatever paragraphs each has: all of the feed's are shown, and never fewer words."""
    own = "".join(feed_form.format(paragraph(number)) for number in of_feed)
    text = "".join(page_form.format(paragraph(number)) for number in of_page)
    page = f"<body><ul><li><a href=/>Home</a></ul><article>{text}</article></body>"
    try:
        taken = full_text(page.encode(), URL, "text/html", "")
    except ParseError:
        return
    shown = joined(own, taken) or own
    assert words(shown).keys() >= words(own).keys()
    assert words(shown).total() >= words(own).total()
    assert words(shown).keys() <= words(own).keys() | words(taken).keys()


def test_hostile_texts_take_no_longer_than_their_length() -> None:
    deep = "<div>" * 5_000 + NEW + "</div>" * 5_000
    assert NEW in joined(deep)
    many = "".join(f"<p>{sentence(number, 4)}</p>" for number in range(1_000, 4_000))
    assert joined(many, WHOLE) == ""
    assert joined(f"<p>{NEW}<p>", "<br>" * 50_000 + many)
