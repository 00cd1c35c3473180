"""What Korean says how: Sino-Korean and native numerals by what is counted."""

from __future__ import annotations

import re

from newsloom.briefs.speakable import letters
from newsloom.briefs.speakable.language import Language
from newsloom.briefs.speakable.letters import Capitals
from newsloom.briefs.speakable.locale import Locale
from newsloom.briefs.speakable.rules import (
    Rule,
    any_of,
    money,
    nouns,
    of_digits,
    pairs,
    rule,
    words,
)

# Tables of Korean: numerals, counters, units, letters, hanja of headlines.

# Counted with native numerals below a hundred.
NATIVE_COUNTERS = [
    "명",
    "사람",
    "개",
    "마리",
    "권",
    "대",
    "살",
    "시간",
    "번째",
    "번",
    "달",
    "잔",
    "병",
    "채",
    "척",
    "벌",
    "곳",
    "건",
    "가지",
    "그루",
    "송이",
    "켤레",
    "군데",
    "배",
    "장",
    "쌍",
    "곡",
    "줄",
    "끼",
    "발",
    "표",
    "팀",
    "쪽",
    "시",
    "골",
    "알",
    "통",
    "차례",
    "자루",
    "갈래",
    "여명",
    "남매",
    "자매",
    "형제",
    "가구",
]
_ONES = ("", "한", "두", "세", "네", "다섯", "여섯", "일곱", "여덟", "아홉")
_TENS = ("", "열", "스물", "서른", "마흔", "쉰", "예순", "일흔", "여든", "아흔")


def native(number: int) -> str:
    """A native numeral before what it counts, 1 to 99."""
    if number == 20:
        return "스무"
    return _TENS[number // 10] + _ONES[number % 10]


_DIGITS = "영일이삼사오육칠팔구"
_SMALL = ("천", "백", "십", "")
_LARGE = ("", "만", "억", "조", "경")


def digits(written: str) -> str:
    """Digits one by one."""
    return "".join(_DIGITS[int(one)] for one in written)


def sino(number: int) -> str:
    """A Sino-Korean numeral, with blanks after 만, 억 and 조."""
    if number == 0:
        return "영"
    groups = []
    for large in _LARGE:
        number, four = divmod(number, 10_000)
        if four:
            said = "".join(
                ("" if one == "1" and place else _DIGITS[int(one)]) + place
                for one, place in zip(f"{four:04d}", _SMALL, strict=True)
                if one != "0"
            )
            # 10000 is "만", 100000000 "일억".
            groups.append(large if four == 1 and large == "만" and not number else said + large)
    return " ".join(reversed(groups))


UNITS = nouns(
    """% ％=퍼센트=퍼센트; %p %P %포인트=퍼센트포인트=퍼센트포인트; ℃ °C=도=도; °F=화씨 도=화씨 도; °=도=도
    km/h=킬로미터 매 시=킬로미터 매 시; km=킬로미터=킬로미터; m=미터=미터; cm=센티미터=센티미터; mm=밀리미터=밀리미터
    ㎞=킬로미터=킬로미터; ㎡ m² m2=제곱미터=제곱미터; km² km2=제곱킬로미터=제곱킬로미터; m³ m3=세제곱미터=세제곱미터
    kg=킬로그램=킬로그램; g=그램=그램; mg=밀리그램=밀리그램; t=톤=톤; L l=리터=리터; ml mL=밀리리터=밀리리터; ha=헥타르=헥타르
    kWh=킬로와트시=킬로와트시; MWh=메가와트시=메가와트시; kW=킬로와트=킬로와트; MW=메가와트=메가와트; GW=기가와트=기가와트
    GWh=기가와트시=기가와트시; W=와트=와트; KB=킬로바이트=킬로바이트; MB=메가바이트=메가바이트; GB=기가바이트=기가바이트; TB=테라바이트=테라바이트
    Mbps mbps=메가비피에스=메가비피에스; Gbps=기가비피에스=기가비피에스; GHz=기가헤르츠=기가헤르츠; MHz=메가헤르츠=메가헤르츠; Hz=헤르츠=헤르츠
    nm=나노미터=나노미터; bp=비피=비피; mph=마일=마일; dB=데시벨=데시벨; ft=피트=피트; mAh=밀리암페어시=밀리암페어시"""
)
MONEY = money(
    """$ US$ USD=달러=달러; € EUR=유로=유로; £=파운드=파운드; ¥ JPY=엔=엔; ₩ KRW ￦=원=원; CHF=스위스프랑=스위스프랑; ₹ Rs=루피=루피"""
)
NAMES = pairs(
    """A=에이; B=비; C=시; D=디; E=이; F=에프; G=지; H=에이치; I=아이; J=제이; K=케이; L=엘; M=엠; N=엔; O=오; P=피
    Q=큐; R=아르; S=에스; T=티; U=유; V=브이; W=더블유; X=엑스; Y=와이; Z=제트"""
)
CAPITALS = Capitals(
    words=frozenset(), shouted=frozenset(), names=NAMES,
    spelled=words("EU UAE USA ISS IAEA OECD WHO IT AI IPO CEO"),
    expanded=pairs("NATO=나토; NASA=나사; UNESCO=유네스코; UNICEF=유니세프; OPEC=오펙; FIFA=피파; UEFA=유에파; ASEAN=아세안; COVID=코비드; POSCO=포스코; APEC=에이펙; KAIST=카이스트; KOTRA=코트라; BRICS=브릭스; THAAD=사드; ETRI=에트리; NAVER=네이버; IKEA=이케아; SARS=사스; MERS=메르스; AIDS=에이즈; NASDAQ=나스닥; KOSPI=코스피; KOSDAQ=코스닥; DRAM=디램; HUG=허그; ESTA=에스타; PIN=핀; SIM=심; KIST=키스트; KOICA=코이카"),
)  # fmt: skip
# Alone before a name or a blank; two and more are read as they stand.
HANJA = pairs(
    """美=미국; 中=중국; 日=일본; 北=북한; 韓=한국; 英=영국; 獨=독일; 佛=프랑스; 露=러시아; 臺=대만; 與=여당; 野=야당
    前=전; 現=현; 新=신; 故=고; 檢=검찰; 軍=군; 女=여성; 男=남성; 法=법원; 靑=청와대; 尹=윤; 李=이; 金=김; 文=문; 朴=박; 銀=은행; 株=주
    車=차; 對=대; 脫=탈; 反=반; 親=친; 非=비; 亞=아시아; 外=외; 內=내; 大=대; 小=소; 上=상; 下=하; 的=적; 黨=당; 家=가; 發=발; 印=인도; 伊=이탈리아; 伯=브라질; 濠=호주; 加=캐나다; 南=남; 東=동; 西=서; 核=핵; 戰=전; 社=사; 國=국; 人=인; 心=심; 力=력; 證=증시; 無=무; 再=재; 最=최; 高=고"""
)
EACH = pairs(
    "美=미; 中=중; 日=일; 北=북; 韓=한; 英=영; 獨=독; 佛=불; 露=러; 與=여; 野=야; 女=여; 男=남; 法=법; 檢=검; 銀=은; 亞=아; 靑=청; 印=인; 證=증; 臺=대"
)


# A number as Korean news writes it; before it may be a word ("약3명").
_N = r"(?:\d{1,3}(?:,\d{3}){1,5}(?!\d)|\d{1,15})(?:\.\d{1,9})?(?!\d)"
_NOT_BEFORE = r"(?<![\d.,A-Za-z])"
_SIGN = r"(?P<sign>[-+–](?<!\w[-–+])|(?<!\S)[△▲])?"


def _say(written: str) -> str:
    whole, _, decimals = written.replace(",", "").partition(".")
    if len(whole) > 1 and whole[0] == "0":
        said = digits(whole).replace("영", "공")
    else:
        said = sino(int(whole))
    return f"{said} 점 {digits(decimals)}" if decimals else said


LOCALE = Locale(
    version_dot="점", code="ko", group=",", point=r"\.", point_word="점", whole_decimals=False, count=lambda n, _g: sino(n),
    gender=lambda _word: "", minus="마이너스", plus="플러스", to="에서", dot="점", at="골뱅이", units=UNITS,
    money=MONEY, magnitudes={}, short={}, of_money="", cents="", products="", fraction=lambda _a, _b: "", score=lambda _a, _b: "",
)  # fmt: skip
_MONTHS = {6: "유", 10: "시"}


def _month(number: int) -> str:
    return _MONTHS.get(number, sino(number)) + "월"


def _date(found: re.Match[str]) -> str:
    year, month, day = (int(found[one]) for one in ("y", "m", "d"))
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return found[0]
    return f"{sino(year)}년 {_month(month)} {sino(day)}일"


def _clock(found: re.Match[str]) -> str:
    hour, minute = int(found["h"]), int(found["m"])
    said = native(hour) if 1 <= hour <= 12 else sino(hour)
    return f"{said} 시" + (f" {sino(minute)} 분" if minute else "")


def _counted(found: re.Match[str]) -> str:
    number, counter = found["n"].replace(",", ""), found["what"]
    if counter == "대" and int(number) % 10 == 0 and int(number) < 100:
        return f"{sino(int(number))} 대"  # of age: "삼십 대"
    if counter == "번째" and number == "1":
        return "첫 번째"
    few = 0 < int(number) < 100 and not (counter == "시" and int(number) > 12)
    return f"{native(int(number)) if few else sino(int(number))} {counter}"


def _large(found: re.Match[str]) -> str:
    """ "3조5000억", "1만2천": each part and its unit."""
    said = [f"{_say(n)}{small}{large}" for n, small, large in _PARTS.findall(found[0])]
    rest = _PARTS.sub("", found[0]).strip()
    # "1만" is "만", but "1억" "일억".
    text = " ".join([*said, *([_say(rest)] if rest else [])])
    return text.removeprefix("일") if text.startswith(("일만", "일천", "일백")) else text


_PARTS = re.compile(rf"({_N})([천백]?)([만억조경]) ?")
_UNIT = any_of(UNITS)
_MARK = any_of(MONEY)
_SCALE = r"(?:(?:여 ?)?[천백]?[만억조])"


def _measured(found: re.Match[str]) -> str:
    sign = {
        "-": "마이너스 ",
        "–": "마이너스 ",
        "△": "마이너스 ",
        "▲": "마이너스 ",
        "+": "플러스 ",
    }.get(found["sign"] or "", "")
    return f"{sign}{_say(found['n'])} {UNITS[found['unit']].many}"


def _money(found: re.Match[str]) -> str:
    return f"{found['n']}{found['scale'] or ''} {MONEY[found['mark']].unit.many}"


def _number(found: re.Match[str]) -> str:
    sign = {"-": "마이너스 ", "–": "마이너스 ", "+": "플러스 "}.get(found["sign"] or "", "")
    space = " " if found["next"] is not None and "." in found["n"] else ""
    return f"{sign}{_say(found['n'])}{space}"


def _mixed(found: re.Match[str]) -> str:
    return " ".join(
        sino(int(one))
        if one.isdecimal() and len(one) < 5
        else digits(one)
        if one.isdecimal()
        else letters.said(one, CAPITALS)
        if one.isupper()
        else NAMES.get(one.upper(), one)
        for one in re.findall(r"[A-Za-z]+|\d+", found[0])
    )


def _ticker(found: re.Match[str]) -> str:
    return letters.spell(found[1], CAPITALS)


def _hanja(found: re.Match[str]) -> str:
    run = found[0]
    table = HANJA if len(run) == 1 else EACH
    said = "".join(table.get(one) or HANJA.get(one, one) for one in run)
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
    rule("hanja", f"[{''.join(HANJA)}]{{1,6}}", _hanja),
    of_digits("days of history", r"(?<!\d)(3|4|5|6|8|12)[·ㆍ](1|19|18|10|25|15|3)(?!\d)", lambda f: digits(f[1] + f[2]) + " "),
    of_digits("too long", r"\d{16,}+", lambda f: digits(f[0])),
    of_digits("telephone", r"(?<![\w-])(?:\+82-?)?0?\d{1,3}-\d{3,4}-\d{4}(?![\w-])", lambda f: ", ".join(digits(one).replace("영", "공") for one in re.findall(r"\d+", f[0]))),
    of_digits("date", r"(?<![\w.-])(?P<y>\d{4})(?P<s>[-./]) ?(?P<m>\d{1,2})(?P=s) ?(?P<d>\d{1,2})(?![\d-])\.?", _date),
    of_digits("month and day in digits", r"(?<![\w.])(?P<m>3|4|6|12|5)\.(?P<d>1|19|3|18|25)(?=[^\d.]*(?:절|혁명|전쟁|비상계엄|계엄|민주화|내란))", lambda f: digits(f[1]) + " " + digits(f[2])),
    of_digits("versions", r"(?<![\d.])\d{1,4}(?:\.\d{1,4}){2,4}(?![\d.])", lambda f: " 점 ".join(sino(int(one)) for one in f[0].split("."))),
    of_digits("clock", r"(?<![\w:])(?P<h>[01]?\d|2[0-4]):(?P<m>[0-5]\d)(?![\d:])", _clock),
    of_digits("June and October", r"(?<![\d.,])0?(6|10)월", lambda f: _month(int(f[1]))),
    of_digits("always", r"(?<!\w)24/7(?!\w)", "이십사 시간 내내"),
    of_digits("fraction", r"(?<![\w./])(\d{1,3})/(\d{1,3})(?![\w/])", lambda f: f"{sino(int(f[2]))}분의 {sino(int(f[1]))}"),
    of_digits("score", r"(?<![\w.-])(\d{1,3})(?:-|[ ]?대[ ]?|:)(\d{1,3})(?![\w%.~-]|[년월일])", lambda f: f"{sino(int(f[1]))} 대 {sino(int(f[2]))}"),
    of_digits("range of native", rf"{_NOT_BEFORE}(?P<a>\d{{1,2}})\s?[~∼–-]\s?(?P<n>\d{{1,2}}) ?(?P<what>{any_of(NATIVE_COUNTERS)})", lambda f: f"{native(int(f['a']))} {f['what']}에서 {_counted(f)}" if int(f["a"]) else f[0]),
    of_digits("range", rf"{_NOT_BEFORE}(?P<a>{_N})(?P<u>[만억조천%년월일]?)\s?[~∼–]\s?(?=\d)", lambda f: f"{f['a']}{f['u']}에서 "),
    of_digits("range by hyphen", rf"{_NOT_BEFORE}(?P<a>{_N})-(?={_N} ?(?:{_UNIT}|[년월일만억조원]))", r"\g<a>에서 "),
    of_digits("about", r"[~≈](?=\d)", "약 "),
    of_digits("money before", rf"(?<!\w)(?P<mark>{_MARK}) ?(?P<n>{_N})(?P<scale>{_SCALE})?", _money),
    of_digits("measured", rf"{_NOT_BEFORE}{_SIGN}(?P<n>{_N}) ?(?P<unit>{_UNIT})(?![A-Za-z²³/])", _measured),
    of_digits("money behind", rf"{_NOT_BEFORE}(?P<n>{_N})(?P<scale>{_SCALE})? ?(?P<mark>{_MARK})(?![A-Za-z])", _money),
    of_digits("large", rf"{_NOT_BEFORE}(?:{_N}[천백]?[만억조경] ?){{1,4}}(?:{_N}(?=[^\d.,%]))?(?<! )", _large),
    of_digits("large with a blank", rf"{_NOT_BEFORE}(?:{_N}[천백]?[만억조경] ?){{1,4}}", lambda f: _large(f) + " "),
    of_digits("counted", rf"{_NOT_BEFORE}(?P<n>\d{{1,3}}(?:,\d{{3}}){{0,3}}|\d{{1,9}}) ?(?P<what>{any_of(NATIVE_COUNTERS)})(?!회|통령|비|학|책|금|러)", _counted),
    of_digits("between businesses", r"(?<![A-Za-z])([BCG])2([BCG])(?![A-Za-z])", lambda f: f"{NAMES[f[1]]}투{NAMES[f[2]]}"),
    of_digits("letters and digits", r"(?<![A-Za-z0-9.,])(?:[A-Za-z]{1,12}-?\d{1,6}|\d{1,5}[A-Za-z]{1,5})(?:[A-Za-z]{1,5})?(?![A-Za-z0-9])", _mixed),
    of_digits("number", rf"{_NOT_BEFORE}{_SIGN}(?P<n>{_N})(?P<next>(?=[가-힣]))?", _number),
    rule("ticker", r"\$([A-Z]{1,5})(?![A-Za-z$])", _ticker),
    rule("letters with stops", r"(?<![A-Za-z.])(?:[A-Z]\.){2,6}", lambda f: letters.said(f[0].replace(".", ""), CAPITALS)),
    rule("capitals", r"(?<![A-Za-z'])([A-Z]{2,6})(?![A-Za-z'])", lambda f: CAPITALS.expanded.get(f[1]) or letters.spell(f[1], CAPITALS)),
    rule("letter", r"(?<![A-Za-z'])([A-Z])(?![A-Za-z'])", lambda f: NAMES[f[1]]),
    of_digits("what is left", r"\d{1,15}", lambda f: _say(f[0])),
)  # fmt: skip
LANGUAGE = Language(
    LOCALE, CAPITALS, _FIRST,
    {"&": "앤드", "+": "플러스", "±": "플러스마이너스", "=": "는", "@": "골뱅이", "%": "퍼센트", "·": " ", "ㆍ": " ", "~": "에서", "€": "유로", "°": "도", "→": ","},
)  # fmt: skip
