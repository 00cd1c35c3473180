"""What full texts keep of the pages they are taken from: code, tables, lists, pictures."""

from __future__ import annotations

import re
from contextlib import suppress

from newsloom.feeds.full_text import full_text
from newsloom.kernel.errors import ParseError
from newsloom.kernel.text.html import to_text

URL = "https://news.test/2026/one"
LINE = "<p>This is a paragraph of the article, with a comma, and it is long enough to count.</p>"
LINKS = "".join(f"<li><a href=/{n}>Part {n}</a></li>" for n in range(9))
MENU = f"<ul class=menu>{LINKS}</ul>"
RELATED = "<div class=related><a href=/r><img src=/r.jpg>Another story, to be read next</a></div>"


def taken(block: str) -> str:
    page = (
        f"<html><body>{MENU}<article><h1>Title</h1><section>{LINE * 4}{block}{LINE * 4}"
        f"</section></article>{RELATED}"
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
    f"<p>See:</p><ul>{'<li><a href=/n>Another place to read</a></li>' * 3}</ul>": "Another place",
    f"<p>See:</p><ol>{'<li><a href=/n>Another place to read</a></li>' * 3}</ol>": "Another place",
    f"<div><pre><a title=1>{CODE}</a></pre></div>": CODE,
    f"</section><pre>{CODE}</pre><section>": CODE,
    "</section><figure><img src=/a.jpg></figure><section>": "a.jpg",
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


ARTICLE = f"<article><h1>Title</h1>{LINE * 8}</article>"
# Code as pages have it, in which much looks like a tag.
CODE_OF_PAGES = {
    "comparisons": "<script>" + "for(i=0;i<b.length;i++)c=1;" * 400 + "</script>",
    "in one line": "<script>if(i<n){" + "a=1," * 400 + "}</script>",
    "HTML in strings": "<script>var t='<div><div><b>'+" + "'<div>'+" * 400 + "'';</script>",
    "closed in a string": "<script>w('<script src=a><\\/script>');"
    + "i<b;x=1;" * 300
    + "</script>",
    "scripts that write scripts": "<script>s='<script>';" + "i<b;x=1;" * 300 + "</script>",
    "data": "<script type=application/json>{" + '"a": "<b c=1 d=2", ' * 300 + "}</script>",
    "style sheets": "<style>" + "a<b{c:d=e}" * 300 + "</style>",
    "drawings": "<svg>" + "<path d=M0>" * 300 + "</svg>",
    "a script never closed": "<script src=a>",
}


def test_code_in_a_page_is_no_reason_to_refuse_it() -> None:
    wrong = []
    for name, code in CODE_OF_PAGES.items():
        page = f"<html><head>{code}</head><body>{code}{ARTICLE}{code}</body></html>"
        text = to_text(full_text(page.encode(), URL, "text/html", "Title"), 10_000)
        if text.count("paragraph") != 8 or re.search("script|=1|div|c=1|<", text):
            wrong.append((name, text[:300]))
    assert not wrong


def test_scripts_that_stand_for_text_leave_it() -> None:
    tex = "<p>As we know, <script type='math/tex'>x^2</script> is a square of a number.</p>"
    gist = "<p>See: <script src='https://gist.github.com/ann/1.js'></script> for the code.</p>"
    page = f"<html><body><article>{LINE * 4}{tex}{gist}{LINE * 4}</article></body></html>"
    found = full_text(page.encode(), URL, "text/html", "Title")
    assert "x^2" in found
    assert "https://gist.github.com/ann/1" in found


def test_scripts_without_an_end_take_no_longer_than_their_text() -> None:
    for piece in ("<script>", "<style>", "<svg>", "<script></style>"):
        page = f"<html><body><article>{LINE * 8}</article>{piece * 50_000}</body></html>"
        with suppress(ParseError):
            full_text(page.encode(), URL, "text/html", "Title")
