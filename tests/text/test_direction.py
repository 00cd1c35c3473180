"""Which way articles in Arabic, Hebrew and Persian run, and texts in two scripts."""

from __future__ import annotations

from newsloom.kernel.text.direction import alone, directed, direction
from newsloom.kernel.text.html import sanitize

AR, HE, FA = "وصلت السفينة اليوم إلى الميناء", "טקסט ארוך על הנמל ועל הסירות", "سلام به همه در بندر"

# A text with its feed's language, and the way it runs.
WAYS = {
    ("Linux " + AR, "ar"): "rtl",
    ("GPS: " + HE, "he"): "rtl",
    ("GPS: " + HE, "iw-IL"): "rtl",
    ("iPhone " + FA, "fa"): "rtl",
    ("2026 WhatsApp " + AR, ""): "rtl",  # most letters are Arabic
    ("Linux " + AR, "en"): "rtl",  # the feed is wrong
    ("A long English text that quotes " + AR[:12] + " and goes on for a while", "en"): "auto",
    ("An English article in a feed from Cairo", "ar"): "auto",
    ("An English article in a feed from Haifa that says שלום once, then goes on", "he"): "auto",
    ("Ein Text über Öl", "de"): "auto",
    ("", "ar"): "auto",
    ("🎉 2026", "he"): "auto",
}


def test_the_way_of_a_text() -> None:
    wrong = {case: way for case, way in WAYS.items() if direction(*case) != way}
    assert not wrong


BLOCKS = {
    (f"<p>Kernel {AR}</p><p>Only English here</p>", "ar"): (
        f'<p>Kernel {AR}</p><p dir="ltr">Only English here</p>'
    ),
    (f"<p>{AR}</p><pre>make test</pre><ul><li>GPS</li></ul>", "ar"): (
        f'<p>{AR}</p><pre dir="ltr">make test</pre><ul><li>GPS</li></ul>'
    ),
    (f'<p dir="ltr">{AR}</p><p dir="rtl">Hello</p><p>{AR}</p>', "ar"): (
        f'<p dir="ltr">{AR}</p><p dir="rtl">Hello</p><p>{AR}</p>'
    ),
    (f"<p>{'An English text. ' * 9}</p><p>{HE}</p>", "en"): (
        f'<p dir="auto">{"An English text. " * 9}</p><p dir="auto">{HE}</p>'
    ),
    ("<p>Ein Text über Öl</p>", "de"): "<p>Ein Text über Öl</p>",
    (f"<p>{AR}</p><p>2026</p>", ""): f"<p>{AR}</p><p>2026</p>",
}


def test_the_way_of_each_block() -> None:
    wrong = [(case, directed(*case)) for case, html in BLOCKS.items() if directed(*case) != html]
    assert not wrong
    assert alone(f"GPS {HE}", "he") == f'<div dir="rtl">GPS {HE}</div>'
    assert alone("<p>Hello</p>", "he") == "<p>Hello</p>"


def test_what_publishers_say_of_directions_is_kept() -> None:
    picture = '<img src="https://news.test/a" l'
    for html, shown in {
        '<p align="right" dir="RTL">a</p>': '<p align="right" dir="RTL">a</p>',
        '<p align="url(x)">a</p><img align="left" src="/a">': f"<p>a</p>{picture}",
        '<p style="direction: rtl; text-align:Right; color: red">a</p>': 'dir="rtl" align="right"',
        '<p dir="ltr" style="direction: rtl">a</p>': '<p dir="ltr">a</p>',
        '<p style="flex-direction: rtl">a</p>': "<p>a</p>",
    }.items():
        assert shown in sanitize(html, "https://news.test/")
