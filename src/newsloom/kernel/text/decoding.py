"""Bytes to text where labels are missing, wrong, or not quite right.

A document is in UTF-8 if it decodes as that, else in the encoding its labels name, unless what its
bytes look like says otherwise. chardet judges that; see docs/work/decisions/parsing.md.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable
from dataclasses import dataclass
from encodings import normalize_encoding
from encodings.aliases import aliases
from functools import cache

# An error handler: a byte that is no UTF-8 is most likely a letter of the encoding used before it.
WINDOWS_BYTES = "newsloom-windows-1252"

# Of the characters beyond ASCII at most one in so many may be unreadable for an encoding to be
# believed: a text cut inside a character is common in Chinese and Japanese feeds.
_READABLE = 20
# How many bytes beyond ASCII it takes to overrule a label. With 30, chardet was wrong in 3 of 432
# texts in 25 languages; with 60 in none. Without a label, it is right more often than a guess.
_OVERRULES = 30
_WIDE = frozenset({"big5hkscs", "cp932", "cp949", "euc_jp", "gb18030"})
_LATIN = frozenset(
    {"cp1250", "cp1252", "cp1254", "cp1257", "cp1258", "mac_roman"}
    | {f"iso8859_{number}" for number in (1, 2, 3, 4, 9, 10, 13, 14, 15, 16)}
)
# Bytes given to the detector: enough for a sure answer within a few milliseconds.
_SAMPLE = 16_000
_LONGEST_PART = 4_000


@dataclass(frozen=True, slots=True)
class Decoding:
    """A text, what it was decoded as, and whether all of it could be."""

    text: str
    codec: str
    exact: bool = True


def decode(body: bytes, labels: Iterable[str]) -> Decoding:
    """The text of a document. `labels` are Python's names of encodings, the likeliest first.

    UTF-8 that is not ASCII is never valid by accident, so it wins over any label. Never fails.
    """
    text = _text(body, "utf-8")
    if text:
        return Decoding(text, "utf-8")
    text = body.decode("utf-8", "replace")
    wrong, beyond = text.count("\ufffd"), _beyond(text)
    if 2 * wrong <= beyond:  # a part in another encoding, as of a template or a quotation
        return Decoding(body.decode("utf-8", WINDOWS_BYTES), "utf-8", exact=False)
    named = [label for label in labels if label and not label.startswith("utf")]
    detected = _detected(body)
    for exact in (True, False):
        for label in named:
            reading = _reading(body, label, exact=exact)
            if reading and not (detected and _contradicts(detected, label, body)):
                return reading
    for label in (detected, *named):
        if label and (reading := _reading(body, label) or _reading(body, label, exact=False)):
            return reading
    return Decoding(body.decode("utf-8", WINDOWS_BYTES), "cp1252", exact=False)


def _reading(body: bytes, codec: str, *, exact: bool = True) -> Decoding | None:
    text = _text(body, codec) if exact else _nearly(body, codec)
    return Decoding(text, codec, exact) if text else None


def _text(body: bytes, codec: str) -> str:
    try:
        return body.decode(codec)
    except (UnicodeDecodeError, LookupError):
        return ""


def _nearly(body: bytes, codec: str) -> str:
    """The text in an encoding that a few characters are not in; "" when too many are not."""
    text = body.decode(codec, "replace")
    return text if text.count("\ufffd") * _READABLE <= _beyond(text) else ""


def _beyond(text: str) -> int:
    """How many characters are not ASCII."""
    return len(text) - len(text.encode("ascii", "ignore"))


def _detected(body: bytes) -> str:
    """What the bytes look like, of the encodings of the web; "" for nothing in particular."""
    from chardet import detect  # 30 MB and 90 ms once; few documents need it

    sample = _sample(body)
    high, in_runs = _high(sample), sum(map(len, _RUN.findall(sample)))
    if high < _OVERRULES and 2 * in_runs < high:
        return ""  # a few accents; all other scripts write word after word beyond ASCII
    codec = codec_of(detect(sample)["encoding"] or "")
    if codec in _LATIN and 2 * in_runs >= high:
        return ""  # "Привет мир" over and over is not Polish: Latin words have letters of ASCII
    return codec if codec in web_codecs() and not codec.startswith(("utf", "iso2022")) else ""


def load_detector() -> None:
    """Have its data loaded, for a process that can open no file later."""
    for text, codec in _SAMPLES:
        decode(text.encode(codec), ())


def _sample(body: bytes) -> bytes:
    """The texts and attributes that have letters beyond ASCII; English and markup say nothing."""
    parts: list[bytes] = []
    size = 0
    for piece in body.split(b"<"):
        if piece.isascii():
            continue
        for part in piece.split(b">"):
            if not part.isascii():
                parts.append(part[:_LONGEST_PART])
                size += len(parts[-1])
        if size > _SAMPLE:
            break
    return b" ".join(parts)[:_SAMPLE]


def _contradicts(detected: str, label: str, body: bytes) -> bool:
    """Whether the bytes speak so clearly against a label that it must be wrong.

    Text in one byte a letter is seldom valid in two bytes a letter, so it speaks against no such
    label. Encodings that share nearly all their letters (ISO-8859-15 and windows-1252) do not
    contradict each other, unless the label makes control characters of some.
    """
    sample = _sample(body)
    if _high(sample) < _OVERRULES or (label in _WIDE and detected not in _WIDE):
        return False
    said, looks = sample.decode(label, "replace"), sample.decode(detected, "replace")
    if said == looks:
        return False
    controls = said.translate(_CONTROLS) != said
    alike = len(said) == len(looks)
    same = sum(one == other for one, other in zip(said, looks, strict=True)) if alike else 0
    return controls or 4 * (len(said) - same) >= _beyond(said)


_CYRILLIC = "абвгдежзийклмнопрстуфхцчшщъыьэюя"
# What the detector reads different files for: texts with few different pairs of letters and with
# many, encodings that are easily confused, and two bytes a letter.
_SAMPLES = (
    ("Новости дня, погода и спорт", "koi8_r"),
    ("".join(f"{one}{other} " for one in _CYRILLIC for other in _CYRILLIC), "cp1251"),
    ("Zażółć gęślą jaźń, pchnąć w tę łódź jeża " * 4, "iso8859_2"),
    ("今日のニュースと天気予報です。", "cp932"),
)


def _high(some: bytes) -> int:
    return len(some) - len(some.translate(None, _HIGH))


_HIGH = bytes(range(128, 256))
_RUN = re.compile(rb"[\x80-\xff]{3,}")
_CONTROLS = dict.fromkeys(range(0x80, 0xA0))


def _windows_byte(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    wrong = error.object[error.start : error.start + 1]
    return wrong.decode("windows-1252", "replace"), error.start + 1


codecs.register_error(WINDOWS_BYTES, _windows_byte)


# Which encoding a label means: "latin1" is windows-1252, "gb2312" is gb18030.
# The labels are those of the WHATWG Encoding Standard, which says what publishers mean by them and
# what browsers do; most mean a larger set than their name says. What it leaves out (UTF-32, EBCDIC,
# the code pages of DOS) is Python's. The table is closed: no label that a document makes up is ever
# looked for among Python's files, which a worker cannot open.

# Python's codec, by its module's name -> the labels that mean it.
_LABELS = {
    "utf_8": "unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf-8 utf8 x-unicode20utf8",
    "utf_16_be": "unicodefffe utf-16be",
    "utf_16_le": "csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16le",
    "utf_16": "utf-16 utf16 u16",
    "cp866": "866 cp866 csibm866 ibm866",
    "iso8859_2": "csisolatin2 iso-8859-2 iso-ir-101 iso8859-2 iso88592 iso_8859-2 "
    "iso_8859-2:1987 l2 latin2",
    "iso8859_3": "csisolatin3 iso-8859-3 iso-ir-109 iso8859-3 iso88593 iso_8859-3 "
    "iso_8859-3:1988 l3 latin3",
    "iso8859_4": "csisolatin4 iso-8859-4 iso-ir-110 iso8859-4 iso88594 iso_8859-4 "
    "iso_8859-4:1988 l4 latin4",
    "iso8859_5": "csisolatincyrillic cyrillic iso-8859-5 iso-ir-144 iso8859-5 iso88595 "
    "iso_8859-5 iso_8859-5:1988",
    "iso8859_6": "arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ecma-114 iso-8859-6 "
    "iso-8859-6-e iso-8859-6-i iso-ir-127 iso8859-6 iso88596 iso_8859-6 iso_8859-6:1987",
    "iso8859_7": "csisolatingreek ecma-118 elot_928 greek greek8 iso-8859-7 iso-ir-126 iso8859-7 "
    "iso88597 iso_8859-7 iso_8859-7:1987 sun_eu_greek",
    "iso8859_8": "csiso88598e csiso88598i csisolatinhebrew hebrew iso-8859-8 iso-8859-8-e "
    "iso-8859-8-i iso-ir-138 iso8859-8 iso88598 iso_8859-8 iso_8859-8:1988 logical visual",
    "iso8859_10": "csisolatin6 iso-8859-10 iso-ir-157 iso8859-10 iso885910 l6 latin6",
    "iso8859_13": "iso-8859-13 iso8859-13 iso885913",
    "iso8859_14": "iso-8859-14 iso8859-14 iso885914",
    "iso8859_15": "csisolatin9 iso-8859-15 iso8859-15 iso885915 iso_8859-15 l9",
    "iso8859_16": "iso-8859-16",
    "koi8_r": "cskoi8r koi koi8 koi8-r koi8_r",
    "koi8_u": "koi8-ru koi8-u",
    "mac_roman": "csmacintosh mac macintosh x-mac-roman",
    "mac_cyrillic": "x-mac-cyrillic x-mac-ukrainian",
    "cp874": "dos-874 iso-8859-11 iso8859-11 iso885911 tis-620 windows-874",
    "cp1250": "cp1250 windows-1250 x-cp1250",
    "cp1251": "cp1251 windows-1251 x-cp1251",
    "cp1252": "ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 "
    "iso8859-1 iso88591 iso_8859-1 iso_8859-1:1987 l1 latin1 us-ascii windows-1252 x-cp1252",
    "cp1253": "cp1253 windows-1253 x-cp1253",
    "cp1254": "cp1254 csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso88599 iso_8859-9 "
    "iso_8859-9:1989 l5 latin5 windows-1254 x-cp1254",
    "cp1255": "cp1255 windows-1255 x-cp1255",
    "cp1256": "cp1256 windows-1256 x-cp1256",
    "cp1257": "cp1257 windows-1257 x-cp1257",
    "cp1258": "cp1258 windows-1258 x-cp1258",
    "gb18030": "chinese csgb2312 csiso58gb231280 gb18030 gb2312 gb_2312 gb_2312-80 gbk iso-ir-58 "
    "x-gbk",
    "big5hkscs": "big5 big5-hkscs cn-big5 csbig5 x-x-big5",
    "euc_jp": "cseucpkdfmtjapanese euc-jp x-euc-jp",
    "iso2022_jp": "csiso2022jp iso-2022-jp",
    "cp932": "csshiftjis ms932 ms_kanji shift-jis shift_jis sjis windows-31j x-sjis",
    "cp949": "cseuckr csksc56011987 euc-kr iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 "
    "ksc5601 ksc_5601 windows-949",
}
_MEANT = {label: codec for codec, labels in _LABELS.items() for label in labels.split()}

# Python's names of the same, so that "latin_1" or "euckr" is no way around the table.
_SAME = {
    "ascii": "cp1252", "latin_1": "cp1252", "iso8859_1": "cp1252", "iso8859_9": "cp1254",
    "iso8859_11": "cp874", "tis_620": "cp874", "gb2312": "gb18030", "gbk": "gb18030",
    "big5": "big5hkscs", "shift_jis": "cp932", "euc_kr": "cp949", "utf_8_sig": "utf_8",
}  # fmt: skip
# Codecs of Python's that nothing in its table of aliases leads to.
_WITHOUT_ALIAS = (
    "cp720 cp737 cp856 cp874 cp875 cp1006 koi8_t koi8_u mac_arabic mac_croatian mac_farsi "
    "mac_romanian palmos utf_8_sig"
)
# Those that are no encoding of documents, by their aliases.
_NO_CHARSETS = frozenset(
    {
        "base64_codec", "bz2_codec", "hex_codec", "mbcs", "quopri_codec", "rot_13", "uu_codec",
        "zlib_codec",
    }
)  # fmt: skip
_PYTHON = (frozenset(aliases.values()) | frozenset(_WITHOUT_ALIAS.split())) - _NO_CHARSETS

# Every codec that a label may lead to. Who opens no file later loads them all before.
CODECS = tuple(sorted({*_LABELS, *(_SAME.get(name, name) for name in _PYTHON)}))


@cache
def web_codecs() -> frozenset[str]:
    """The encodings of the WHATWG standard, by the names that `codec_of` gives."""
    return frozenset(codecs.lookup(name).name for name in _LABELS)


def codec_of(label: str) -> str:
    """What Python calls the encoding that a label means; "" when it is none that is known."""
    label = label.strip().lower()
    codec = _MEANT.get(label) or _python(label)
    return codecs.lookup(codec).name if codec else ""


def _python(label: str) -> str:
    if not label.isascii():
        return ""
    name = normalize_encoding(label)
    name = aliases.get(name) or aliases.get(name.replace(".", "_")) or name
    return _SAME.get(name, name) if name in _PYTHON else ""
