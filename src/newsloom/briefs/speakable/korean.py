"""What Korean says how: Sino-Korean and native numerals by what is counted."""

from __future__ import annotations

import re

from newsloom.briefs.speakable import korean_words as words
from newsloom.briefs.speakable import letters
from newsloom.briefs.speakable.language import Language
from newsloom.briefs.speakable.locale import Locale
from newsloom.briefs.speakable.rules import Rule, any_of, of_digits, rule

# A number as Korean news writes it; before it may be a word ("약3명").
_N = r"(?:\d{1,3}(?:,\d{3}){1,5}(?!\d)|\d{1,15})(?:\.\d{1,9})?(?!\d)"
_NOT_BEFORE = r"(?<![\d.,A-Za-z])"
_SIGN = r"(?P<sign>[-+–](?<!\w[-–+])|(?<!\S)[△▲])?"


def _say(written: str) -> str:
    whole, _, decimals = written.replace(",", "").partition(".")
    if len(whole) > 1 and whole[0] == "0":
        said = words.digits(whole).replace("영", "공")
    else:
        said = words.sino(int(whole))
    return f"{said} 점 {words.digits(decimals)}" if decimals else said


LOCALE = Locale(
    version_dot="점", code="ko", group=",", point=r"\.", point_word="점", whole_decimals=False, count=lambda n, _g: words.sino(n),
    gender=lambda _word: "", minus="마이너스", plus="플러스", to="에서", dot="점", at="골뱅이", units=words.UNITS,
    money=words.MONEY, magnitudes={}, short={}, of_money="", cents="", products="", fraction=lambda _a, _b: "", score=lambda _a, _b: "",
)  # fmt: skip
_MONTHS = {6: "유", 10: "시"}


def _month(number: int) -> str:
    return _MONTHS.get(number, words.sino(number)) + "월"


def _date(found: re.Match[str]) -> str:
    year, month, day = (int(found[one]) for one in ("y", "m", "d"))
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return found[0]
    return f"{words.sino(year)}년 {_month(month)} {words.sino(day)}일"


def _hour(number: int) -> str:
    return words.native(number) if 1 <= number <= 12 else words.sino(number)


def _clock(found: re.Match[str]) -> str:
    minute = int(found["m"])
    return f"{_hour(int(found['h']))} 시" + (f" {words.sino(minute)} 분" if minute else "")


def _counted(found: re.Match[str]) -> str:
    number, counter = found["n"].replace(",", ""), found["what"]
    if counter == "대" and int(number) % 10 == 0 and int(number) < 100:
        return f"{words.sino(int(number))} 대"  # of age: "삼십 대"
    if counter == "번째" and number == "1":
        return "첫 번째"
    few = 0 < int(number) < 100 and not (counter == "시" and int(number) > 12)
    return f"{words.native(int(number)) if few else words.sino(int(number))} {counter}"


def _large(found: re.Match[str]) -> str:
    """ "3조5000억", "1만2천": each part and its unit."""
    said = [f"{_say(n)}{small}{large}" for n, small, large in _PARTS.findall(found[0])]
    rest = _PARTS.sub("", found[0]).strip()
    # "1만" is "만", but "1억" "일억".
    text = " ".join([*said, *([_say(rest)] if rest else [])])
    return text.removeprefix("일") if text.startswith(("일만", "일천", "일백")) else text


_PARTS = re.compile(rf"({_N})([천백]?)([만억조경]) ?")
_UNIT = any_of(words.UNITS)
_MARK = any_of(words.MONEY)
_SCALE = r"(?:(?:여 ?)?[천백]?[만억조])"


def _measured(found: re.Match[str]) -> str:
    sign = {
        "-": "마이너스 ",
        "–": "마이너스 ",
        "△": "마이너스 ",
        "▲": "마이너스 ",
        "+": "플러스 ",
    }.get(found["sign"] or "", "")
    return f"{sign}{_say(found['n'])} {words.UNITS[found['unit']].many}"


def _money(found: re.Match[str]) -> str:
    return f"{found['n']}{found['scale'] or ''} {words.MONEY[found['mark']].unit.many}"


def _number(found: re.Match[str]) -> str:
    sign = {"-": "마이너스 ", "–": "마이너스 ", "+": "플러스 "}.get(found["sign"] or "", "")
    space = " " if found["next"] is not None and "." in found["n"] else ""
    return f"{sign}{_say(found['n'])}{space}"


def _mixed(found: re.Match[str]) -> str:
    return " ".join(
        words.sino(int(one))
        if one.isdecimal() and len(one) < 5
        else words.digits(one)
        if one.isdecimal()
        else letters.said(one, words.CAPITALS)
        if one.isupper()
        else words.NAMES.get(one.upper(), one)
        for one in re.findall(r"[A-Za-z]+|\d+", found[0])
    )


def _ticker(found: re.Match[str]) -> str:
    return letters.spell(found[1], words.CAPITALS)


def _hanja(found: re.Match[str]) -> str:
    run = found[0]
    table = words.HANJA if len(run) == 1 else words.EACH
    said = "".join(table.get(one) or words.HANJA.get(one, one) for one in run)
    after = found.string[found.end() : found.end() + 1]
    return said + (" " if len(run) == 1 and after.isalpha() and said in _COUNTRIES else "")


_COUNTRIES = frozenset(
    [
        "미국",
        "중국",
        "일본",
        "북한",
        "한국",
        "영국",
        "독일",
        "프랑스",
        "러시아",
        "대만",
        "여당",
        "야당",
        "검찰",
        "법원",
    ]
)
_FIRST: tuple[Rule, ...] = (
    rule("hanja", f"[{''.join(words.HANJA)}]{{1,6}}", _hanja),
    of_digits("days of history", r"(?<!\d)(3|4|5|6|8|12)[·ㆍ](1|19|18|10|25|15|3)(?!\d)", lambda f: words.digits(f[1] + f[2]) + " "),
    of_digits("too long", r"\d{16,}+", lambda f: words.digits(f[0])),
    of_digits("telephone", r"(?<![\w-])(?:\+82-?)?0?\d{1,3}-\d{3,4}-\d{4}(?![\w-])", lambda f: ", ".join(words.digits(one).replace("영", "공") for one in re.findall(r"\d+", f[0]))),
    of_digits("date", r"(?<![\w.-])(?P<y>\d{4})(?P<s>[-./]) ?(?P<m>\d{1,2})(?P=s) ?(?P<d>\d{1,2})(?![\d-])\.?", _date),
    of_digits("month and day in digits", r"(?<![\w.])(?P<m>3|4|6|12|5)\.(?P<d>1|19|3|18|25)(?=[^\d.]*(?:절|혁명|전쟁|비상계엄|계엄|민주화|내란))", lambda f: words.digits(f[1]) + " " + words.digits(f[2])),
    of_digits("versions", r"(?<![\d.])\d{1,4}(?:\.\d{1,4}){2,4}(?![\d.])", lambda f: " 점 ".join(words.sino(int(one)) for one in f[0].split("."))),
    of_digits("clock", r"(?<![\w:])(?P<h>[01]?\d|2[0-4]):(?P<m>[0-5]\d)(?![\d:])", _clock),
    of_digits("June and October", r"(?<![\d.,])0?(6|10)월", lambda f: _month(int(f[1]))),
    of_digits("always", r"(?<!\w)24/7(?!\w)", "이십사 시간 내내"),
    of_digits("fraction", r"(?<![\w./])(\d{1,3})/(\d{1,3})(?![\w/])", lambda f: f"{words.sino(int(f[2]))}분의 {words.sino(int(f[1]))}"),
    of_digits("score", r"(?<![\w.-])(\d{1,3})(?:-|[ ]?대[ ]?|:)(\d{1,3})(?![\w%.~-]|[년월일])", lambda f: f"{words.sino(int(f[1]))} 대 {words.sino(int(f[2]))}"),
    of_digits("range of native", rf"{_NOT_BEFORE}(?P<a>\d{{1,2}})\s?[~∼–-]\s?(?P<n>\d{{1,2}}) ?(?P<what>{any_of(words.NATIVE_COUNTERS)})", lambda f: f"{words.native(int(f['a']))} {f['what']}에서 {_counted(f)}" if int(f["a"]) else f[0]),
    of_digits("range", rf"{_NOT_BEFORE}(?P<a>{_N})(?P<u>[만억조천%년월일]?)\s?[~∼–]\s?(?=\d)", lambda f: f"{f['a']}{f['u']}에서 "),
    of_digits("range by hyphen", rf"{_NOT_BEFORE}(?P<a>{_N})-(?={_N} ?(?:{_UNIT}|[년월일만억조원]))", r"\g<a>에서 "),
    of_digits("about", r"[~≈](?=\d)", "약 "),
    of_digits("money before", rf"(?<!\w)(?P<mark>{_MARK}) ?(?P<n>{_N})(?P<scale>{_SCALE})?", _money),
    of_digits("measured", rf"{_NOT_BEFORE}{_SIGN}(?P<n>{_N}) ?(?P<unit>{_UNIT})(?![A-Za-z²³/])", _measured),
    of_digits("money behind", rf"{_NOT_BEFORE}(?P<n>{_N})(?P<scale>{_SCALE})? ?(?P<mark>{_MARK})(?![A-Za-z])", _money),
    of_digits("large", rf"{_NOT_BEFORE}(?:{_N}[천백]?[만억조경] ?){{1,4}}(?:{_N}(?=[^\d.,%]))?(?<! )", _large),
    of_digits("large with a blank", rf"{_NOT_BEFORE}(?:{_N}[천백]?[만억조경] ?){{1,4}}", lambda f: _large(f) + " "),
    of_digits("counted", rf"{_NOT_BEFORE}(?P<n>\d{{1,3}}(?:,\d{{3}}){{0,3}}|\d{{1,9}}) ?(?P<what>{any_of(words.NATIVE_COUNTERS)})(?!회|통령|비|학|책|금|러)", _counted),
    of_digits("between businesses", r"(?<![A-Za-z])([BCG])2([BCG])(?![A-Za-z])", lambda f: f"{words.NAMES[f[1]]}투{words.NAMES[f[2]]}"),
    of_digits("letters and digits", r"(?<![A-Za-z0-9.,])(?:[A-Za-z]{1,12}-?\d{1,6}|\d{1,5}[A-Za-z]{1,5})(?:[A-Za-z]{1,5})?(?![A-Za-z0-9])", _mixed),
    of_digits("number", rf"{_NOT_BEFORE}{_SIGN}(?P<n>{_N})(?P<next>(?=[가-힣]))?", _number),
    rule("ticker", r"\$([A-Z]{1,5})(?![A-Za-z$])", _ticker),
    rule("letters with stops", r"(?<![A-Za-z.])(?:[A-Z]\.){2,6}", lambda f: letters.said(f[0].replace(".", ""), words.CAPITALS)),
    rule("capitals", r"(?<![A-Za-z'])([A-Z]{2,6})(?![A-Za-z'])", lambda f: words.CAPITALS.expanded.get(f[1]) or letters.spell(f[1], words.CAPITALS)),
    rule("letter", r"(?<![A-Za-z'])([A-Z])(?![A-Za-z'])", lambda f: words.NAMES[f[1]]),
    of_digits("what is left", r"\d{1,15}", lambda f: _say(f[0])),
)  # fmt: skip
LANGUAGE = Language(
    LOCALE, words.CAPITALS, _FIRST,
    {"&": "앤드", "+": "플러스", "±": "플러스마이너스", "=": "는", "@": "골뱅이", "%": "퍼센트", "·": " ", "ㆍ": " ", "~": "에서", "€": "유로", "°": "도", "→": ","},
)  # fmt: skip
