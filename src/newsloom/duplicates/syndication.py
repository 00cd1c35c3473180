"""Whose copy a text says it is: the agency that signs it, in a byline, a dateline or at its end.

Pure. An agency that is quoted ("told Reuters"), that took the picture or that "contributed to this
report" signs nothing. docs/work/quality.md has the measurements.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import islice

# News agencies as data: what they are called where they sign. Decides nothing.

WIRE = "wire"  # reports for papers to print
PRESS = "press release"  # what companies and offices pay to have sent
SYNDICATE = "syndicate"  # articles free or sold to be printed again


@dataclass(frozen=True, slots=True)
class Agency:
    """`names` are separated by bars and hold as written; with `anywhere` also as an author."""

    name: str
    names: str
    kind: str = WIRE
    anywhere: bool = True  # False: so short a name that it only counts in a dateline
    signs: str = ""  # a pattern of a form of its own, anywhere in the beginning or the end
    marks: tuple[str, ...] = ()  # one of them stands in each of those


AGENCIES = (
    Agency("Reuters", "Reuters|Thomson Reuters|REUTERS|Reuters News|Agencia Reuters|Рейтер"),
    Agency(
        "AP",
        "AP|A.P.|Associated Press|ASSOCIATED PRESS|AP News",
        signs=r"(?:Associated Press|\bAP)(?: \w+){0,2} (?:[Ww]rit|[Rr]eport)ers? [A-Z]",
        marks=("riter", "eporter"),
    ),
    Agency("AFP", "AFP|Agence France-Presse|Agence France Presse|AFP News|AFP/RSS|AFP-JIJI"),
    Agency("dpa", "dpa|DPA|dpa-AFX|Deutsche Presse-Agentur|dpa international"),
    Agency("AAP", "AAP|Australian Associated Press|AAP Newswire"),
    Agency("Adnkronos", "Adnkronos|ADNKRONOS"),
    Agency("Agência Brasil", "Agência Brasil|Agencia Brasil"),
    Agency("Agerpres", "Agerpres|AGERPRES"),
    Agency("AGI", "AGI", anywhere=False),
    Agency("Anadolu", "Anadolu|Anadolu Agency|Anadolu Ajansı|Anadolu Agency (AA)"),
    Agency("Anadolu", "AA", anywhere=False),
    Agency("ANI", "ANI|Asian News International"),
    Agency("ANP", "ANP"),
    Agency("ANSA", "ANSA|Agenzia ANSA"),
    Agency("Antara", "ANTARA|Antara|ANTARA News"),
    Agency("APA", "APA|Austria Presse Agentur"),
    Agency("askanews", "askanews|Askanews"),
    Agency("Belga", "Belga|BELGA"),
    Agency("Bernama", "Bernama|BERNAMA"),
    Agency("Bloomberg", "Bloomberg|Bloomberg News|BLOOMBERG"),
    Agency(
        "Canadian Press",
        "The Canadian Press|Canadian Press|THE CANADIAN PRESS|La Presse Canadienne|CP",
        signs=r"This report by The Canadian Press",
        marks=("This report by",),
    ),
    Agency("ČTK", "ČTK|CTK"),
    Agency("EFE", "EFE|Agencia EFE|EFEAGRO|EFEVERDE"),
    Agency("epd", "epd"),
    Agency("Europa Press", "Europa Press|EUROPA PRESS"),
    Agency("HINA", "Hina|HINA"),
    Agency("IANS", "IANS|Indo-Asian News Service"),
    Agency("Interfax", "Interfax|INTERFAX|Интерфакс|ИНТЕРФАКС|Interfax-Ukraine"),
    Agency("IRNA", "IRNA"),
    Agency(
        "Jiji",
        "Jiji|Jiji Press|時事通信|共同通信・時事",
        signs=r"【[^】\n]{1,15}時事】",
        marks=("時事】",),
    ),
    Agency("Keystone-SDA", "Keystone-SDA|Keystone-ATS|sda|SDA|ATS"),
    Agency("KNA", "KNA"),
    Agency("KUNA", "KUNA"),
    Agency(
        "Kyodo",
        "Kyodo|Kyodo News|KYODO|共同通信|共同",
        signs=r"【[^】\n]{1,15}共同】",
        marks=("共同】",),
    ),
    Agency("Lusa", "Lusa|LUSA|Agência Lusa"),
    Agency("MENA", "MENA", anywhere=False),
    Agency("MTI", "MTI"),
    Agency("NAN", "NAN", anywhere=False),
    Agency("Notimex", "Notimex|NOTIMEX"),
    Agency("NTB", "NTB|©NTB"),
    Agency("PA", "PA Media|Press Association|PA news agency|PA"),
    Agency("PAP", "PAP"),
    Agency("PNA", "PNA|Philippine News Agency|Philippines News Agency"),
    Agency("PTI", "PTI|Press Trust of India|Press Trust Of India"),
    Agency("QNA", "QNA"),
    Agency("RIA", "RIA Novosti|RIA|РИА Новости", signs=r"[-–—] РИА Новости\b", marks=("РИА",)),
    Agency("Ritzau", "Ritzau|ritzau|RITZAU"),
    Agency("SID", "SID"),
    Agency("SPA", "SPA|Saudi Press Agency", anywhere=False),
    Agency("STT", "STT"),
    Agency("Tanjug", "Tanjug|TANJUG"),
    Agency("TASS", "TASS|ITAR-TASS|ТАСС", signs=r"/ТАСС/", marks=("ТАСС",)),
    Agency("Télam", "Télam|Telam"),
    Agency("TT", "TT"),
    Agency("Ukrinform", "Ukrinform|Укрінформ"),
    Agency("UNI", "UNI", anywhere=False),
    Agency("UPI", "UPI|United Press International"),
    Agency("VNA", "VNA|VNS"),
    Agency("WAM", "WAM"),
    Agency(
        "Xinhua",
        "Xinhua|XINHUA|Xinhua News Agency|新华社|新華社",
        signs=r"新[华華]社[^\n]{1,20}日电",
        marks=("日电",),
    ),
    Agency(
        "Yonhap", "Yonhap|Yonhap News|YONHAP|연합뉴스", signs=r"=연합뉴스\)", marks=("연합뉴스",)
    ),
    Agency("TNS", "TNS|Tribune News Service", SYNDICATE),
    Agency(
        "The Conversation",
        "The Conversation",
        SYNDICATE,
        signs=r"republished (?:here )?from The Conversation\b",
        marks=("from The Conversation",),
    ),
    Agency("PR Newswire", "PRNewswire|PR Newswire|PRNEWSWIRE|PRNewswire-HISPANIC PR WIRE", PRESS),
    Agency("Business Wire", "BUSINESS WIRE|Business Wire|BusinessWire", PRESS),
    Agency("GlobeNewswire", "GLOBE NEWSWIRE|GlobeNewswire|Globe Newswire", PRESS),
    Agency("CNW", "CNW|CNW Group|Newswire.ca", PRESS),
    Agency("Accesswire", "ACCESSWIRE|Accesswire|ACCESS Newswire", PRESS),
    Agency("news aktuell", "ots|APA-OTS", PRESS, anywhere=False),
    Agency("EIN Presswire", "EIN Presswire|EINPresswire.com|/EINPresswire.com/", PRESS),
)


# Where agencies sign: a dateline under a byline and the captions of pictures, and a copyright line
# over a footer. Of 360 datelines in real texts 72 end after 600 signs, none after 1,500.
HEAD = 1_500
TAIL = 600

_ANYWHERE = {name: one.name for one in AGENCIES if one.anywhere for name in one.names.split("|")}
_DATELINED = {name: one.name for one in AGENCIES for name in one.names.split("|")}
KINDS = {one.name: one.kind for one in AGENCIES}

# "WASHINGTON (AP) — ", "DUBAI, Feb 17 (Reuters) - ", "Madrid, 21 nov (EFE).- ", "(ANSA) - ROMA";
# "MOSCOW, November 21. /TASS/. ", "NEW YORK, Nov. 21, 2026 /PRNewswire/ -- "
# A colon after two letters is a speaker's in an interview: "Ann Poe (AP): I am well."
_DATELINE = re.compile(r"\(([^()\n]{2,40})\)[ \t]*(?:[-‐-―−=]|\.[-–—]|(?<!\([A-Z]{2}\)):)")
_SLASHED = re.compile(r"/ ?([^\n/]{2,30}?) ?/[ \t]*[-‐-―.:=]")
_LONGEST_PLACE = 90
# "By The Associated Press", "By Zeke Miller, Associated Press", "Associated Press" as a whole line
_BY = re.compile(r"(?:by|von|par|por|di)\s", re.IGNORECASE)
_BYLINES = 3  # lines looked at, of so many signs at most
_LONGEST_BYLINE = 100

# What parts the names of a byline. What follows "with" helped.
_BETWEEN = re.compile(r"[,|/;&+·•]|\s(?:and|und|et|y|e|en|og|och|via|for|of)\s|\s[-–—]\s")
_HELPED = re.compile(r"\s(?:with|mit|avec|con|com|met|med)\s", re.IGNORECASE)
_AROUND = re.compile(
    r"^[\s(\[©–—-]*(?:(?i:by|von|par|por|source|quelle)[:\s]+)?(?:[Tt]he\s+)?|"
    r"(?:\s+(?:Staff|Newsroom|Writers?|Correspondents?|Reporters?|Agency|\d{4}|LP?|GmbH))*[\s)\].:]*$"
)
# "ZEKE MILLER Associated Press", "Jane Doe (AP)"
_LAST = re.compile(r"(?:\s(?:The )?|\()(Associated Press|Canadian Press|AP|AFP|Reuters|dpa)\)?$")
# The marks of those who worked on it for a desk: "mau/dpa", "dpa/lno".
_INITIALS = re.compile(r"[a-zäöü]{2,4}\d?|[\w-]+\.(?:de|com|at|ch)")

_REUTERS_DESK = re.compile(
    r"\b(?:Reporting|reporting|Writing|writing) (?:and \w+ )?by [^\n]{3,400}?"
    r"\b(?:[Ee]diting|[Ww]riting) (?:and \w+ )?by\b"
)
# Each with what must stand in a text before it is worth looking for. A copyright counts with a year
# or with all rights: "Image copyright AFP" is a picture's.
_LINES = (
    (
        ("©", "opyright", "(c)", "(C)"),
        re.compile(
            r"(?:(?:©|\([cC]\)|\b[Cc]opyright)\s*)+"
            r"(?:\d{4}(?:-\d{4})?,? (?:by )?([^\n.,;©]{2,40})"
            r"|([^\n.,;©\d]{2,40}?)(?:,? (?:\d{4}\b|LP\b|L\.P\.)|\. [Aa]ll [Rr]ights))"
        ),
    ),
    (
        ("ource", "OURCE", "uelle", "uente", "onte:", "Bron:", "ilde:", "älla:", "ródło:", "ähde:"),
        re.compile(
            r"^(?:Sources?|SOURCE|Quellen?|Fuente|Fonte|Bron|Kilde|Källa|Źródło|Lähde): ?"
            r"([^\n]{2,80})$",
            re.MULTILINE,
        ),
    ),
    (
        ("ompiled from",),
        re.compile(r"\bcompiled from ([^\n.]{2,40}?) (?:content|reports|dispatches)\b"),
    ),
)
# The last words, after a sentence or on a line of their own: "... she said. — AFP", "(dpa)"
_END = re.compile(
    r"(?:^|\n|[.!?…»”\"’')\]][ \t\n]{1,3})[-–—/(\[\s]*([^\n.!?…»”\"()\[\]]{2,40}?)[)\]/\s]*\.?$"
)
# How a credit can end; asked first, for nearly no line and no text ends so.
_LAST_WORDS = {name.split()[-1].rpartition("-")[2] for name in _ANYWHERE} | {
    *("Staff", "Newsroom", "Writer", "Writers", "Correspondent", "Reporter", "Agency")
}
_SIGNS = [
    (mark, one.name, re.compile(one.signs)) for one in AGENCIES if one.signs for mark in one.marks
]


def agency(author: str, text: str) -> str:
    """The agency whose copy an article says to be, several as "AFP/Reuters"; "" when it says none.

    Two articles that name a common one are not independent: see duplicates/independence.py.
    """
    # Whoever is named first, or last, of those who wrote it.
    by_author = _some(_HELPED.split(author[:300], maxsplit=1)[0]) if author else None
    return "/".join(sorted(by_author or _by_head(text) or _by_tail(text)))


def _by_head(text: str) -> set[str]:
    head = text[:HEAD]
    for pattern in (_DATELINE, _SLASHED):
        for match in pattern.finditer(head):
            place = head[head.rfind("\n", 0, match.start()) + 1 : match.start()]
            if found := _dateline(place, match[1]):
                return found
    return _by_byline(head) or _by_sign(head[:TAIL])


def _dateline(place: str, credit: str) -> set[str]:
    """The agencies of a credit that begins with one, after what can be a place and a date."""
    first = _BETWEEN.split(credit, maxsplit=1)[0].strip()
    if first not in _DATELINED or len(place) > _LONGEST_PLACE:
        return set()
    words = place.split()
    in_sentence = len(words) > 9 or sum(word[0].islower() for word in words) > 2
    if in_sentence or _clean(place) in _DATELINED:
        return set()
    parts = (part.strip() for part in _BETWEEN.split(credit))
    return {_DATELINED[part] for part in parts if part in _DATELINED}


def _by_byline(head: str) -> set[str]:
    lines = (line.strip() for line in head.split("\n", 2 * _BYLINES)[: 2 * _BYLINES])
    for line in islice(filter(None, lines), _BYLINES):
        if len(line) > _LONGEST_BYLINE or not _may_end(line):
            continue
        by = _BY.match(line)
        if found := _some(line[by.end() :]) if by else _all(line):
            return found
    return set()


def _by_tail(text: str) -> set[str]:
    tail = text[-TAIL:].rstrip()
    if _may_end(tail[-40:]) and (end := _END.search(tail[-120:])) and (found := _all(end[1])):
        return found
    if "diting by" in tail and _REUTERS_DESK.search(tail):
        return {"Reuters"}
    for marks, pattern in _LINES:
        if any(map(tail.__contains__, marks)):
            for match in pattern.finditer(tail):
                if found := _all(next(filter(None, match.groups()))):
                    return found
    return _by_sign(tail)


def _may_end(line: str) -> bool:
    words = line.rstrip(" .)]/").replace("/", " ").replace("|", " ").rsplit(None, 1)
    return bool(words) and words[-1].lstrip("-–—([").rpartition("-")[2] in _LAST_WORDS


def _by_sign(part: str) -> set[str]:
    for mark, name, pattern in _SIGNS:
        if mark in part and pattern.search(part):
            return {name}
    return set()


def _some(credit: str) -> set[str]:
    """The agencies among several names."""
    parts = [_clean(part) for part in _BETWEEN.split(credit)]
    found = {_ANYWHERE[part] for part in parts if part in _ANYWHERE}
    if found or not (last := _LAST.search(credit.strip())):
        return found
    return {_ANYWHERE[last[1]]}


def _all(credit: str) -> set[str]:
    """The agencies of a credit that names nobody else, but for the initials of a desk."""
    parts = [_clean(part) for part in _BETWEEN.split(credit)]
    named = [part for part in parts if not _INITIALS.fullmatch(part) or part in _ANYWHERE]
    if not all(part in _ANYWHERE for part in named):
        return set()
    return {_ANYWHERE[part] for part in named}


def _clean(part: str) -> str:
    return _AROUND.sub("", part)
