"""Long numbers as an ear can keep them: "about 1.2 million" for "1,234,567". Pure.

Only what certainly counts something is rounded: a number from ten thousand on, written in groups of
three, of more than three significant digits. Not years, scores, dates, codes and telephone numbers,
which have no groups; not sums with cents; nothing within a quotation, after a name ("Ley 27.551"),
an article ("the 12,345 voters") or a comparison ("more than"). Nothing of a sentence whose numbers
are near to each other, for then the difference is the news. The transcript keeps what was written.
"""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass
from functools import cache

from newsloom.kernel.text.language import language as language_of

FROM, KEPT = 10_000, 3  # the least that is rounded, and significant digits that stay
MILLION = 1_000_000
# Of two numbers, times that the larger one must be as large: below, they are compared.
APART = 1.25
_QUOTED = re.compile(
    r"\"[^\"]{0,600}\"|“[^”]{0,600}”|„[^“”]{0,600}[“”]|«[^»]{0,600}»|‘[^’]{0,600}’|「[^」]{0,600}」"
)
_SENTENCE_BEGINS = re.compile(r"(?:^|[!?…:]\s{1,3})[\"“„«(]{0,3}$")
# What reaches back to the last two words before a number, with the mark of its money.
_BEFORE = re.compile(r"(?:(\S{1,60})\s{1,3})?(\S{1,60})\s{1,3}$")


@dataclass(frozen=True, slots=True)
class Rounding:
    """How a language writes long numbers, and what it says of rounded ones."""

    group: str  # a pattern: what stands between thousands
    point: str
    about: str
    millions: tuple[str, str]  # one, and several
    billions: tuple[str, str] | None  # None: they are thousands of millions
    rough: frozenset[str]  # after which a number is rounded already
    exact: frozenset[str]  # after which, or one word later, it stays
    of: str = ""  # between millions and what they count
    counted: re.Pattern[str] = re.compile("")  # a word that is counted, where `of` stands before it
    several_from: float = 1.1  # times of which there are several
    one: str = "1"  # million
    apart: str = "."  # what stands between thousands of millions


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_ROUNDINGS = {
    "en": Rounding(
        ",", ".", "about", ("million", "million"), ("billion", "billion"),
        _words("about around roughly some approximately circa"),
        _words(
            "a an the this that these those its his her their our your my all each every another any no not than over "
            "under above below exactly precisely only just nearly almost least most past exceeding exceeds exceeded "
            "topped topping surpassed surpassing number numbers page pages case bill law flight line lot up within "
            "record exact combined hit passed"
        ),
        apart=",",
    ),
    "de": Rounding(
        "[.'’]", ",", "rund", ("Million", "Millionen"), ("Milliarde", "Milliarden"),
        _words("rund etwa circa ca. ungefähr"),
        _words(
            "der die das den dem des ein eine einen einem einer eines diese dieser diesen dieses ihre ihren seine seinen "
            "alle allen jede jeder keine als über unter genau exakt nur fast knapp gut mehr weniger mindestens höchstens "
            "bis nummer exakte gesetz zum zur beim vom"
        ),
    ),
    "fr": Rounding(
        "[ \u00a0\u202f\u2009]", ",", "environ", ("million", "millions"), ("milliard", "milliards"),
        _words("environ quelque"),
        _words(
            "le la les l' un une ces cette ce ses leurs leur nos vos du des aux au tous toutes chaque aucun que plus moins "
            "exactement précisément seulement presque près dépassé dépasse numéro article loi quasi jusqu'à sur"
        ),
        "de", re.compile(r"(?!(?:ans|dans|sans|après|depuis|mais|moins|plus|alors|puis|vers|chez|pas|sous|hors|lors|fois)\b)[^\W\d_]{3,}[sx]\b"),
        2.0, apart=" ",
    ),
    "es": Rounding(
        "[.\u00a0\u202f\u2009]", ",", "alrededor de", ("millón", "millones"), None,
        _words("unos unas aproximadamente"),
        _words(
            "el la los las un una estos estas esos esas sus su nuestros todos todas cada ningún que más menos exactamente "
            "solo sólo casi cerca sobre hasta superó supera número artículo ley del al decreto supere lo"
        ),
        "de", re.compile(r"(?!(?:tras|más|menos|después|antes|además|dos|tres|seis|es|entonces)\b)[^\W\d_]{3,}s\b"),
    ),
    "it": Rounding(
        "[.'’]", ",", "circa", ("milione", "milioni"), ("miliardo", "miliardi"),
        _words("circa"),
        _words(
            "il lo la i gli le l' un uno una questi queste quei quelle suoi sue loro dei degli delle dai dagli dalle ai agli "
            "alle nei nelle sui sulle tutti tutte ogni nessun che più meno esattamente solo quasi oltre fino numero "
            "articolo legge superato supera del al della"
        ),
        "di", re.compile(r"(?!(?:anche|oltre|come|dove|prima|poi|ieri|oggi|fine|nelle?|dalle?|alle?|sulle?|che|contro)\b)(?:euro|[^\W\d_]{3,}[ie])\b"),
        one="un",
    ),
    "ko": Rounding(
        ",", ".", "약", ("", ""), None, _words("약 대략"),
        _words("정확히 제 번호 최소 최대 무려 불과 겨우 단 이 그 각"),
    ),
}  # fmt: skip
_MARKS = r"(?:US\$|A\$|[$€£¥₩]) ?"
_YEN = frozenset("¥₩원엔")  # of which a thousand are what cents are elsewhere
# Words after a number that it does not count, of all the languages; other short ones may be units.
_NOT_COUNTED = _words(
    "in on at to of by as or an am im um zu ab en à au et ou y e o a ha es è ed is so if it we he and for the was are who "
    "has der die das und von mit aus bei auf für vor pro ont par pour dans avec selon contre para por con per tra fra new"
)
# Words before a number that are no name, though they begin a sentence.
_OPENING = _words(
    "in of with by for to from insgesamt mit von bei auf avec pour con per di en para"
)
_MUTE_H = ("habit", "homm", "heur", "hectar", "hôpit", "hôtel", "histoir", "huîtr", "héri")
_KOREAN_TAIL = re.compile(r"[ ]?(?:[호번위년]|[^\s\d]{0,3} ?(?:이상|이하|미만|초과|넘))")


def rounded(text: str, language: str) -> str:
    """The text with the long numbers that count something rounded; any text is taken."""
    code = language_of(language)
    how = _ROUNDINGS.get(code)
    if how is None or not any("0" <= one <= "9" for one in text):
        return text
    quoted = [one.span() for one in _QUOTED.finditer(text)]
    found = [
        one
        for one in _pattern(code).finditer(text)
        if not any(begin < one.start() < end for begin, end in quoted)
    ]
    values = sorted(_value(one["n"]) for one in found)
    if any(more < APART * less for less, more in itertools.pairwise(values)):
        return text
    for one in reversed(found):
        text = _replaced(text, one, how) or text
    return text


@cache
def _pattern(code: str) -> re.Pattern[str]:
    grouped = rf"[1-9]\d{{0,2}}(?:{_ROUNDINGS[code].group}\d{{3}}){{1,4}}"
    letter = r"\w"
    if code == "ko":
        grouped = (
            rf"{grouped}|[1-9]\d{{0,3}}(?:억 ?\d{{1,4}})?만 ?\d{{1,4}}|[1-9]\d{{0,3}}만 ?\d,\d{{3}}"
        )
        letter = "[A-Za-z0-9_]"
    return re.compile(
        rf"(?<![\w.,'’/:+#№°§$€£¥₩-])(?<!\d )(?P<mark>{_MARKS})?(?P<n>{grouped})"
        rf"(?!{letter}|[.,:/'’°-]\d|[-–/]|[ \u00a0\u202f\u2009]?\d|\s?[%‰]|여)"
    )


def _value(written: str) -> int:
    """Also of "123만4567"."""
    large, _, rest = re.sub(r"[^\d억만]", "", written).rpartition("만")
    whole, _, middle = large.rpartition("억")
    return (int(whole or 0) * 10_000 + int(middle or 0)) * 10_000 + int(rest)


def _replaced(text: str, one: re.Match[str], how: Rounding) -> str | None:
    """None: it stays as it is."""
    before, after = text[: one.start()], text[one.end() :]
    value, mark = _value(one["n"]), one["mark"] or ""
    if value < FROM or value == _near(value) or _is_address(one["n"]):
        return None
    if value < MILLION and not _YEN.isdisjoint(mark + after.lstrip()[:1]):
        return None
    about = f"{how.about} "
    if _SENTENCE_BEGINS.search(before):
        about = about[:1].upper() + about[1:]
    else:
        words = _BEFORE.search(before)
        if words is None:  # right behind a bracket, for example
            return None
        last, before_last = words[2].lower(), (words[1] or "").lower()
        stays = last in how.exact or (before_last in how.exact and not last.endswith(","))
        if last in how.rough:
            about = ""
        elif stays or (_named(words[2]) and last not in _OPENING):
            return None
        elif last == "de" and how is _ROUNDINGS["fr"]:
            before = before[: words.start(2)] + "d'"
    said = (
        _korean(value, after) if how is _ROUNDINGS["ko"] else _western(value, how, one["n"], after)
    )
    return f"{before}{about}{mark}{said}" if said else None


def _near(value: int) -> int:
    return round(value, KEPT - len(str(value)))


def _named(word: str) -> bool:
    """Whether it may be a name that has a number, or is no word at all."""
    return not word.strip("(,;–—").isalpha() or word[:1].isupper()


def _is_address(written: str) -> bool:
    parts = re.split(r"\D", written)
    return len(parts) == 4 and all(int(one) < 256 for one in parts)


def _western(value: int, how: Rounding, written: str, after: str) -> str | None:
    """The number, rounded, and what comes after it; None: that might be wrong grammar."""
    near = _near(value)
    if near < MILLION:
        return f"{near:,}".replace(",", re.sub(r"\d", "", written)[0]) + after
    size, names = MILLION, how.millions
    if near >= 1_000 * MILLION and how.billions:
        size, names = 1_000 * MILLION, how.billions
    times = value / size
    whole, _, tenth = f"{times:.1f}".partition(".")
    if times >= 100:
        whole, tenth = f"{near // size:,}".replace(",", how.apart), "0"
    shown = how.one if (whole, tenth) == ("1", "0") else whole
    shown += "" if tenth == "0" else how.point + tenth
    name = names[round(times, 1) >= how.several_from]
    counted = _counted(how, after)
    return None if counted is None else f"{shown} {name}{counted}"


def _counted(how: Rounding, after: str) -> str | None:
    """What comes after millions, with "of" where a language says it; None: it is not certain."""
    following = after.lstrip()
    if not following or following[0] in ".,;:!?)$€£":
        return after
    word = re.split(r"[\s.,;:!?)]", following, maxsplit=1)[0]
    if word.lower() in _NOT_COUNTED:
        return after
    if not word.isalpha() or len(word) < 4:
        return None
    if not how.of:
        return after
    if not how.counted.match(following):
        return None
    if how.of != "de" or how.about != "environ":
        return f" {how.of} {following}"
    if word[0] == "h" and not word.startswith(_MUTE_H):
        return None
    vowel = word[0] in "aeiouyéèêâîôœh"
    return f" d'{following}" if vowel else f" de {following}"


def _korean(value: int, after: str) -> str | None:
    if _KOREAN_TAIL.match(after):
        return None
    large, ones = divmod(_near(value), 10_000)
    hundred_millions, ten_thousands = divmod(large, 10_000)
    parts = ((hundred_millions, "억"), (ten_thousands, "만"), (ones, ""))
    return "".join(f"{number}{unit}" for number, unit in parts if number) + after
