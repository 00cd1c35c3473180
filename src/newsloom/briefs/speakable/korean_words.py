"""Tables of Korean: numerals, counters, units, letters, hanja of headlines."""

from __future__ import annotations

from newsloom.briefs.speakable.letters import Capitals
from newsloom.briefs.speakable.tables import money, nouns, pairs, words

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
