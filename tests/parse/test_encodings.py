"""Documents in one encoding that say they are in another: every pair that real servers produce."""

from __future__ import annotations

import pytest

from newsloom.feeds.parse import parse_feed
from newsloom.kernel.text.decoding import CODECS

from .builders import URL, in_encoding, rss, said_to_be

TITLE = "Été à Kraków"
WESTERN = "Été à Köln – “now”"
RUSSIAN = "Новости дня"


@pytest.mark.parametrize(
    ("title", "says", "served", "really"),
    [
        pytest.param(TITLE, "utf-8", "", "utf-8", id="right"),
        pytest.param(TITLE, "", "", "utf-8", id="undeclared"),
        pytest.param(TITLE, "utf-8", "", "utf-8-sig", id="with its mark"),
        pytest.param(TITLE, "utf-16", "", "utf-16", id="UTF-16 with its mark"),
        pytest.param(TITLE, "utf-16", "", "utf-16-le", id="UTF-16 without its mark"),
        pytest.param(TITLE, "utf-8", "", "utf-16-be", id="UTF-16 that says UTF-8"),
        pytest.param(TITLE, "utf-16", "", "utf-8", id="UTF-8 that says UTF-16"),
        pytest.param(TITLE, "", "", "utf-32-le", id="UTF-32"),
        pytest.param(TITLE, "iso-8859-1", "", "utf-8", id="UTF-8 that says Latin-1"),
        pytest.param(TITLE, "us-ascii", "", "utf-8", id="UTF-8 that says ASCII"),
        pytest.param(TITLE, "iso-8859-1", "text/xml; charset=utf-8", "utf-8", id="HTTP is right"),
        pytest.param(TITLE, "utf-8", "text/xml; charset=ISO-8859-1", "utf-8", id="HTTP is wrong"),
        pytest.param(TITLE, "x-unheard-of", "", "utf-8", id="unknown label"),
        pytest.param(TITLE, "zip", "", "utf-8", id="a codec that is no encoding"),
        pytest.param(WESTERN, "iso-8859-1", "", "windows-1252", id="Windows that says Latin-1"),
        pytest.param(WESTERN, "utf-8", "", "windows-1252", id="Windows that says UTF-8"),
        pytest.param(WESTERN, "", "", "windows-1252", id="Windows, undeclared"),
        pytest.param(RUSSIAN, "windows-1251", "", "windows-1251", id="Cyrillic"),
        pytest.param(RUSSIAN, "koi8-r", "", "koi8-r", id="KOI8"),
        pytest.param(
            RUSSIAN,
            "utf-8",
            "text/xml; charset=windows-1251",
            "windows-1251",
            id="HTTP alone is right",
        ),
        pytest.param("中文新闻联播", "gb2312", "", "gb18030", id="Chinese"),
        pytest.param("日本のニュース", "Shift_JIS", "", "shift_jis", id="Japanese"),
        pytest.param(
            "日本のニュース", "iso-2022-jp", "", "iso2022_jp", id="Japanese in seven bits"
        ),
        pytest.param("한국 뉴스", "euc-kr", "", "euc_kr", id="Korean"),
        pytest.param("Größe", "utf-7", "", "utf-7", id="UTF-7"),
        pytest.param("İstanbul’da “yeni”", "iso-8859-9", "", "cp1254", id="Windows' Turkish"),
        pytest.param("ข่าว “ใหม่”", "tis-620", "", "cp874", id="Windows' Thai"),
        pytest.param("ข่าว…", "", "text/xml; charset=iso-8859-11", "cp874", id="Thai by HTTP"),
        pytest.param("㈱①ニュース", "shift_jis", "", "cp932", id="Windows' Japanese"),
        pytest.param("똠방각하", "euc-kr", "", "cp949", id="Windows' Korean"),
        pytest.param("镕基，囧", "gb2312", "", "gbk", id="Chinese beyond GB 2312"),
        pytest.param("深圳𠮷", "gbk", "", "gb18030", id="Chinese beyond GBK"),
        pytest.param("明珠台嘅新聞", "big5", "", "big5hkscs", id="Cantonese"),
        pytest.param("Новини їжака", "koi8-u", "", "koi8-u", id="Ukrainian"),
        pytest.param("Новости дня", "x-mac-cyrillic", "", "mac-cyrillic", id="of old Macs"),
        pytest.param(TITLE, "cp037", "", "cp037", id="EBCDIC"),
    ],
)
def test_titles_survive(title: str, says: str, served: str, really: str) -> None:
    feed = parse_feed(said_to_be(title, says, really), URL, content_type=served)
    assert [one.title for one in feed.articles] == [title]


WINDOWS = "‘It’s’ – “€ 5”…"


@pytest.mark.parametrize(
    "written",
    [
        pytest.param(WINDOWS.encode("cp1252"), id="bytes"),
        pytest.param(b"".join(b"&#%d;" % byte for byte in WINDOWS.encode("cp1252")), id="numbers"),
    ],
)
@pytest.mark.parametrize("label", ["iso-8859-1", "latin1", "us-ascii", "iso-8859-15"])
def test_windows_characters_under_another_label_are_read(written: bytes, label: str) -> None:
    """As WHATWG says, and as browsers do; in a text as in a title."""
    item = b"<title>%s</title><description>&lt;p&gt;%s&lt;/p&gt;</description>" % (written, written)
    declaration = f'<?xml version="1.0" encoding="{label}"?>'
    document = rss("@@", declaration=declaration).encode("ascii").replace(b"@@", item)
    article = parse_feed(document, URL).articles[0]
    assert (article.title, article.summary) == (WINDOWS, f"<p>{WINDOWS}</p>")


@pytest.mark.parametrize("codec", CODECS)
def test_every_encoding_is_read_by_its_label(codec: str) -> None:
    """In whatever letters it has beyond ASCII. EBCDIC is known by its first bytes, but one of its
    kinds only by the header."""
    served = f"text/xml; charset={codec}" if codec == "cp1026" else ""
    document, title = in_encoding(codec)
    feed = parse_feed(document, URL, content_type=served)
    assert [one.title for one in feed.articles] == [title]


@pytest.mark.parametrize(
    ("says", "cut", "text"),
    [
        ("gb2312", b"\xd0", "今天的新闻很长，被截断在一个字的中间，其余的文字必须可以阅读。"),
        ("shift_jis", b"\x90", "今日のニュースはとても長いので、文字の途中で切られています。"),
        ("euc-kr", b"\xb4", "오늘의 뉴스는 매우 길어서 글자 중간에서 잘렸습니다."),
        ("windows-1251", b"\x98", "Новости дня, в которых один байт испорчен, остальное читается."),
    ],
)
def test_a_text_cut_inside_a_character_spoils_no_other(says: str, cut: bytes, text: str) -> None:
    document = said_to_be("T", says, "ascii").replace(
        b"<title>T</title>", b"<title>%s%s</title>" % (text.encode(says), cut)
    )
    feed = parse_feed(document, URL)
    assert feed.articles[0].title.startswith(text)
    assert "unreadable characters were replaced" in feed.problem


def test_broken_utf_8_is_not_taken_for_what_the_label_says() -> None:
    """Most of its bytes would be characters of Chinese, too, and all of them wrong."""
    text = "今天的新闻很长，被截断在一个字的中间，其余的文字必须可以阅读。"
    broken = said_to_be(text, "gb2312", "utf-8").replace(b"</title>", b"\xe6</title>")
    assert parse_feed(broken, URL).articles[0].title.startswith(text)


def test_one_wrong_byte_spoils_one_letter() -> None:
    broken = said_to_be(TITLE, "utf-8", "utf-8").replace("à".encode(), "à".encode("latin-1"))
    feed = parse_feed(broken, URL)
    assert feed.articles[0].title == TITLE
    assert "not valid utf-8" in feed.problem


def test_a_wrong_label_is_named() -> None:
    feed = parse_feed(said_to_be(TITLE, "iso-8859-2", "utf-8"), URL)
    assert "iso8859-2" in feed.problem
    assert "utf-8" in feed.problem


def test_json_in_utf_16() -> None:
    text = '{"version": "https://jsonfeed.org/version/1.1", "items": [{"id": "é"}]}'
    for encoding in ("utf-8", "utf-8-sig", "utf-16-le", "utf-16-be"):
        assert parse_feed(text.encode(encoding), URL).articles[0].guid == "é"


# Sentences of our own, as a short feed has them.
WRITTEN = {
    "ru": ("Новости дня: в порт вошёл корабль, груз приняли к полудню.", "koi8-r cp1251 iso8859-5"),
    "uk": ("Новини дня: до порту зайшов корабель, вантаж прийняли опівдні.", "cp1251 koi8-u"),
    "ja": ("今日のニュース、港に船が入りました。荷物は正午に届きました。", "shift_jis euc-jp"),
    "zh": ("今天的新闻：一艘船驶入港口，货物中午已经卸完。", "gb18030 gbk"),
    "zh-TW": ("今天的新聞：一艘船駛入港口，貨物中午已經卸完。", "big5"),
    "ko": ("오늘의 뉴스: 배가 항구에 들어왔고 화물은 정오에 도착했습니다.", "euc-kr"),
    "he": ("חדשות היום: אונייה נכנסה לנמל והמטען הגיע בצהריים.", "cp1255"),
    "ar": ("أخبار اليوم: دخلت سفينة إلى الميناء ووصلت الحمولة ظهرا.", "cp1256"),
    "el": ("Νέα της ημέρας: ένα πλοίο μπήκε στο λιμάνι το μεσημέρι.", "cp1253 iso8859-7"),
    "th": ("ข่าววันนี้ เรือเข้าเทียบท่าและสินค้ามาถึงตอนเที่ยง", "cp874"),
    "pl": ("Wiadomości dnia: żółta łódź wpłynęła do portu, ładunek przyjęto później.", "iso8859-2"),
    "cs": ("Zprávy dne: loď vplula do přístavu, náklad převzali až později večer.", "cp1250"),
    "tr": ("Günün haberleri: gemi limana girdi, yük öğleden sonra ulaştı, işçi geldi.", "cp1254"),
    "de": ("Nachrichten: Größere Schiffe fahren über Köln, schöne Grüße aus Österreich.", "cp1252"),
}  # fmt: skip


def _feed_of(text: str, codec: str, says: str) -> bytes:
    declaration = f'<?xml version="1.0" encoding="{says}"?>' if says else '<?xml version="1.0"?>'
    item = f"<title>{text}</title><description>&lt;p&gt;{text}&lt;/p&gt;</description>"
    return rss(*[item] * 5, declaration=declaration).encode(codec)


@pytest.mark.parametrize("says", ["", "utf-8"])
def test_an_encoding_that_no_label_names_is_recognised(says: str) -> None:
    wrong = [
        (language, codec, found)
        for language, (text, codecs) in WRITTEN.items()
        for codec in codecs.split()
        if (found := parse_feed(_feed_of(text, codec, says), URL).articles[0].title) != text
    ]
    assert wrong == []


def test_a_label_of_another_script_is_overruled() -> None:
    wrong = [
        (label, language, codec)
        for language, (text, codecs) in WRITTEN.items()
        if language != "de"
        for codec in codecs.split()
        for label in ("utf-8", "iso-8859-1", "windows-1251")
        if (label, codec) != ("windows-1251", "cp1251")
        if parse_feed(_feed_of(text, codec, label), URL).articles[0].title != text
    ]
    assert wrong == []


def test_a_right_label_is_believed_in_every_language() -> None:
    wrong = [
        (language, codec)
        for language, (text, codecs) in WRITTEN.items()
        for codec in codecs.split()
        if parse_feed(_feed_of(text, codec, codec), URL).articles[0].title != text
    ]
    assert wrong == []
