"""Bytes to text where labels are missing, wrong, or not quite right.

A document is in UTF-8 if it decodes as that, else in the encoding its labels name, unless what its
bytes look like says otherwise. chardet judges that; see docs/work/decisions/parsing.md.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable
from dataclasses import dataclass

from newsloom.kernel.text.charsets import codec_of, web_codecs

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
