"""What full texts keep of the pages they are taken from: code, tables, lists, pictures."""

from __future__ import annotations

import re

from newsloom.text.full_text import full_text
from newsloom.text.html import to_text

URL = "https://news.test/2026/one"
LINE = "<p>This is a paragraph of the article, with a comma, and it is long enough to count.</p>"
LINKS = "".join(f"<li><a href=/{n}>Part {n}</a></li>" for n in range(9))
MENU = f"<ul class=menu>{LINKS}</ul>"
RELATED = "<div class=related><a href=/r><img src=/r.jpg>Another story, to be read next</a></div>"


def taken(block: str) -> str:
    page = (
        f"<html><body>{MENU}<article><h1>Title</h1>{LINE * 4}{block}{LINE * 4}</article>{RELATED}"
        "<div class=comments><p>First! I like this article, really, I do.</p></div></body></html>"
    )
    return full_text(page.encode(), URL, "text/html", "Title")


CODE = "def main():\n    return 1"
# A block of an article, and what its full text must have.
KEPT = {
    f"<pre>{CODE}</pre>": CODE,
    f"<div class=lisp><pre>{CODE}</pre></div>": CODE,
    f"<div class=code-toolbar><pre class=lang-py><code>{CODE}</code></pre><div class=toolbar>"
    "<button>Copy</button></div></div>": CODE,
    f"<figure class='highlight extra'><div><pre>{CODE}</pre></div></figure>": CODE,
    "<div><div><div class=tool><pre>x = 1</pre></div></div></div>": "x = 1",
    "<table><tr><th>Day</th><th>m</th></tr><tr><td>1</td><td>2.5</td></tr></table>": "2.5</td>",
    "<div class=table-wrapper><table><tr><td>a</td><td>b</td></tr></table></div>": "<td>b</td>",
    "<ul><li>One</li><li>Two</li></ul>": "<li>Two</li>",
    "<dl><dt>Tide</dt><dd>Water</dd></dl>": "<dd>Water</dd>",
    "<img src='data:image/gif;base64,R0' data-src=/a.jpg>": 'src="https://news.test/a.jpg"',
    "<figure><img data-srcset='/a.jpg 900w'><figcaption>A</figcaption></figure>": "a.jpg",
    "<div><noscript><img src=/a.jpg></noscript></div>": "a.jpg",
    "<picture><source srcset=/a.webp></picture>": "a.webp",
    "<div class=gallery>" + "".join(f"<img src=/{n}.jpg>" for n in range(5)) + "</div>": "4.jpg",
    "<blockquote>Short.</blockquote>": "Short.",
    "<sup><a href=#fn1>1</a></sup><section class=footnotes><ol><li id=fn1>The note.</li></ol>"
    "</section>": '<li id="text-fn1">The note.',
    "<math><mi>x</mi><mo>=</mo><mn>1</mn></math>": "<mi>x</mi>",
}


def test_blocks_of_an_article_are_kept() -> None:
    wrong = [(block, taken(block)) for block, kept in KEPT.items() if kept not in taken(block)]
    assert not wrong


def test_what_stands_around_the_article_is_not() -> None:
    for html in map(taken, KEPT):
        words = to_text(html, 10_000)
        assert not re.search("Part 3|Another story|First!", words), words
        assert words.count("paragraph") == 8


def test_many_blocks_take_no_longer_than_their_text() -> None:
    assert taken("<div><img src=/a.jpg>" * 200 + "</div>" * 200)
    assert taken("<img src=/a.jpg> x " * 20_000)
