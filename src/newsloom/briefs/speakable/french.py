"""What French says how."""

from __future__ import annotations

import re

from newsloom.briefs.speakable import letters, quantities
from newsloom.briefs.speakable.language import Language
from newsloom.briefs.speakable.letters import Capitals
from newsloom.briefs.speakable.locale import Locale
from newsloom.briefs.speakable.numbers_shared import (
    abbreviations,
    dates,
    day_and_month,
    mixed,
    tickers,
)
from newsloom.briefs.speakable.quantities import in_words, roman
from newsloom.briefs.speakable.rules import money, nouns, of_digits, pairs, rule, words

MONTHS = [
    "janvier",
    "février",
    "mars",
    "avril",
    "mai",
    "juin",
    "juillet",
    "août",
    "septembre",
    "octobre",
    "novembre",
    "décembre",
]
_SHORT = {
    **{m: m for m in MONTHS},
    "janv": "janvier",
    "févr": "février",
    "sept": "septembre",
    "déc": "décembre",
    "nov": "novembre",
    "oct": "octobre",
}
MONEY = money(
    """€ EUR=euro=euros; $ US$ USD=dollar=dollars; £ GBP=livre=livres=f; ¥ JPY=yen=yens; ₩ KRW=won=wons
    CHF=franc suisse=francs suisses; ₹ Rs=roupie=roupies=f; ₽=rouble=roubles; ₺=livre turque=livres turques=f
    $CA=dollar canadien=dollars canadiens; FCFA=franc C.F.A=francs C.F.A; CNY=yuan=yuans"""
)
MAGNITUDES = nouns(
    "M millions million=million=millions; Mds Md Mrd milliards milliard=milliard=milliards; billions=billion=billions; mille=mille=mille"
)
UNITS = nouns(
    """%=pour cent=pour cent; °C °_C=degré Celsius=degrés Celsius; °F=degré Fahrenheit=degrés Fahrenheit
    °=degré=degrés; km/h=kilomètre heure=kilomètres heure; m/s=mètre par seconde=mètres par seconde
    km=kilomètre=kilomètres; m=mètre=mètres; cm=centimètre=centimètres; mm=millimètre=millimètres
    m² m2=mètre carré=mètres carrés; km² km2=kilomètre carré=kilomètres carrés
    m³ m3=mètre cube=mètres cubes; ha=hectare=hectares; kg=kilo=kilos; g=gramme=grammes
    mg=milligramme=milligrammes; t=tonne=tonnes=f; l L=litre=litres; ml=millilitre=millilitres
    kWh=kilowattheure=kilowattheures; MWh=mégawattheure=mégawattheures; GWh=gigawattheure=gigawattheures
    TWh=térawattheure=térawattheures; kW=kilowatt=kilowatts; MW=mégawatt=mégawatts; GW=gigawatt=gigawatts
    W=watt=watts; V=volt=volts; Ko=kilooctet=kilooctets; Mo MB=mégaoctet=mégaoctets; Go GB=gigaoctet=gigaoctets
    To TB=téraoctet=téraoctets; Mbit/s=mégabit par seconde=mégabits par seconde; MHz=mégahertz=mégahertz
    GHz=gigahertz=gigahertz; Hz=hertz=hertz; dB=décibel=décibels; min=minute=minutes=f; ch=cheval=chevaux"""
)
ABBREVIATIONS = pairs(
    """MM.=messieurs; Mme=madame; Mmes=mesdames; Mlle=mademoiselle; Dr=docteur; Dr.=docteur; Pr=professeur
    Me=maître; Mgr=monseigneur; St=saint; Ste=sainte; etc.=et cetera; p. ex.=par exemple; c.-à-d.=c'est-à-dire
    cf.=confer; env.=environ; av. J.-C.=avant Jésus-Christ; apr. J.-C.=après Jésus-Christ; J.-C.=Jésus-Christ
    art.=article; chap.=chapitre; vol.=volume; p.=page; tél.=téléphone; bd=boulevard; Bd=boulevard; av.=avenue
    vs=contre; vs.=contre; Cie=compagnie; Sté=société; Inc.=incorporated; max.=maximum; min.=minimum; hab.=habitants"""
)
CAPITALS = Capitals(
    words=words(
        "OTAN NATO NASA UNESCO UNICEF OPEP FIFA UEFA SIDA COVID INSEE CAC ONU SMIC INSERM CNIL SACEM UNEDIC RATP PACS ENA CAF CAPES ZAD ASEAN BRICS DOM IKEA CERN MEDEF ARCOM ADEME ANSES ARCEP ISIS FED DASSAULT NASDAQ RAID SAMU EHPAD CREPS CROUS OVNI"
    )
    - {"RATP", "FED", "DASSAULT"},
    spelled=words(
        "UE USA EU FBI IA BCE FMI OCDE RATP SNCF PSG OM EDF TVA PIB RN LFI PS LR CGT CFDT API AFP ADN OGM ISS AIEA OMS IRM CEO UAE INA"
    ),
    shouted=words(
        "NON LE LA LES DE DU DES ET EN UN UNE CE PAS NE SUR PAR POUR AVEC QUE QUI EST AU AUX TOUT TOUS PLUS"
    ),
)
_FEMININE = re.compile(
    r".{2,}(?:tions?|sions?|elles?|ettes?|esses?|ades?|ures?|ées?|tés?|ises?|nnes?|ences?|ances?|maines?)$"
)
_WOMEN = frozenset(
    [
        "femme",
        "femmes",
        "fois",
        "voix",
        "minute",
        "minutes",
        "heure",
        "heures",
        "seconde",
        "secondes",
        "livre",
        "livres",
        "page",
        "pages",
        "personne",
        "personnes",
        "place",
        "places",
        "semaine",
        "semaines",
        "année",
        "années",
        "voiture",
        "voitures",
        "maison",
        "maisons",
        "tonne",
        "tonnes",
    ]
)


def _count(number: int, gender: str) -> str:
    said = in_words(number, "fr")
    return said + "e" if gender == "f" and re.search(r"(?<!\w)un$", said) else said


def _gender(word: str) -> str:
    small = word.lower()
    return "f" if small in _WOMEN or _FEMININE.match(small) else ""


def _fraction(a: int, b: int) -> str:
    names = {2: "demi", 3: "tiers", 4: "quart"}
    if a < b <= 20 and b > 1:
        name = names.get(b) or in_words(b, "fr", "ordinal")
        return f"{_count(a, '')} {name}{'s' if a > 1 and not name.endswith('s') else ''}"
    return f"{_count(a, '')} {_count(b, '')}"


LOCALE = Locale(
    version_dot="point", code="fr", group="[ .]", point=",", point_word="virgule", whole_decimals=True, count=_count, gender=_gender,
    minus="moins", plus="plus", to="à", dot="point", at="arobase", units=UNITS, money=MONEY, magnitudes=MAGNITUDES,
    short={}, of_money="de ", cents="{unit} {cents}", fraction=_fraction,
    score=lambda a, b: f"{_count(a, '')} à {_count(b, '')}",
    products="Python|iOS|macOS|Android|Windows|[Vv]ersion|Ubuntu|Debian|Linux|Firefox|Chrome|Java|Bluetooth|GPT|Claude|Gemini|Llama",
)  # fmt: skip


def _ordinal(found: re.Match[str]) -> str:
    number, ending = int(found[1]), found[2]
    if number == 1:
        return "première" if ending in {"re", "ère"} else "premier"
    if number == 2 and ending in {"nd", "nde"}:
        return "second" + ending[2:]
    return in_words(number, "fr", "ordinal") or _count(number, "")


def _day(day: int) -> str:
    return "premier" if day == 1 else _count(day, "")


def _date(day: int, month: int, year: str) -> str:
    return f"{_day(day)} {MONTHS[month - 1]}" + (f" {_count(int(year), '')}" if year else "")


def _time(found: re.Match[str]) -> str:
    hour, minute = int(found[1]), int(found[2] or 0)
    return f"{_count(hour, 'f')} heure{'s' * (hour > 1)}" + (
        f" {_count(minute, 'f')}" if minute else ""
    )


_FIRST = (
    *tickers(LOCALE),
    of_digits("every hour", r"(?<!\w)24h/24(?!\w)", "vingt-quatre heures sur vingt-quatre"),
    of_digits("time", r"(?<![\w.,:-])([01]?\d|2[0-4]) ?(?:h|H|heures?) ?([0-5]\d)?(?!\w)", _time),
    of_digits("bare time", r"(?<![\w.,:-])([01]?\d|2[0-4]):([0-5]\d)(?![\w:]|-\d)", _time),
    *dates(_date), day_and_month(_SHORT, " ", _day, lambda y: _count(y, "")),
    of_digits("ordinal", r"(?<![\w.,])(\d{1,3})(er|re|ère|nde|nd|ème|e|ᵉ)s?(?!\w)", _ordinal),
    of_digits("number sign", r"(?<!\w)(?:[Nn]°|[Nn]º|[Nn]o\.|#) ?(?=\d)", "numéro "),
    of_digits("always", r"(?<!\w)24/7(?!\w)", "vingt-quatre sept"), of_digits("every day", r"(?<!\w)7j/7(?!\w)", "sept jours sur sept"),
    of_digits("times", r"(?<=\d) ?[x×] ?(?=\d)", " fois "), of_digits("about", r"(?<!\w)[~≈] ?(?=\d)", "environ "),
    of_digits("section", r"§ ?(?=\d)", "paragraphe "),
    of_digits("seasons", r"(?<![\w.,/-])((?:19|20)\d\d)[-–/](\d\d)(?![\w%/.,-])", lambda f: f"{_count(int(f[1]), '')} à {_count(int(f[1][:2] + f[2]), '')}"),
    of_digits("and more", r"(?<=\d)\+(?!\w)", " plus"),
    rule("Mr", r"(?<![\w.])M\. (?=[A-ZÀ-Ý\U000f0000-\U000ffffd])", "monsieur "),
)  # fmt: skip
_NUMBERS = mixed(LOCALE, CAPITALS)
_RULERS = "Charles|Louis|Henri|François|Napoléon|Jean|Paul|Pie|Benoît|Léon|Philippe|Élisabeth|Elizabeth|Albert|Georges|Guillaume|Frédéric|Felipe|Juan Carlos|Mohammed|Hassan|Abdallah|Catherine|Nicolas|Alexandre|Grégoire"


def _ruler(found: re.Match[str]) -> str:
    number = roman(found[2])
    first = "première" if found[1] in {"Élisabeth", "Elizabeth", "Catherine"} else "premier"
    return f"{found[1]} {first if number == 1 else _count(number, '')}"


def _century(found: re.Match[str]) -> str:
    number = roman(found[1])
    return "premier" if number == 1 else in_words(number, "fr", "ordinal")


_LAST = (
    abbreviations(ABBREVIATIONS),
    rule("century", r"(?<!\w)([IVX]{1,6})(?:e|ème|er|ᵉ)(?!\w)", _century),
    rule("numbered ruler", rf"\b({_RULERS}) (?:Ier|([IVX]{{1,5}}))(?!\w)", lambda f: _ruler(f) if f[2] else f"{f[1]} premier"),
    rule("numeral", r"(?<=[a-zàâçéèêëîïôûù]) (II|III|IV|VI{1,3}|IX|XI{1,3}|XIV|XV|XX)(?!\w)", lambda f: " " + _count(roman(f[1]), "")),
    rule("letters behind an apostrophe", r"(?<=\w)'([A-Z]{2,5})(?!\w)", lambda f: "'" + letters.said(f[1], CAPITALS)),
    *letters.rules(CAPITALS),
)  # fmt: skip
LANGUAGE = Language(
    LOCALE, CAPITALS,
    (*_FIRST, *quantities.rules(LOCALE), *_NUMBERS, *quantities.plain(LOCALE), *_LAST, *quantities.leftover(LOCALE)),
    {"&": "et", "+": "plus", "±": "plus ou moins", "=": "égale", "@": "arobase", "%": "pour cent", "§": "paragraphe", "€": "euros", "°": "degrés", "~": "environ"},
)  # fmt: skip
