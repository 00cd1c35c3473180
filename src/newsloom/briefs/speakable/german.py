"""What German says how."""

from __future__ import annotations

import re

from newsloom.briefs.speakable import letters, quantities
from newsloom.briefs.speakable.language import Language
from newsloom.briefs.speakable.letters import Capitals
from newsloom.briefs.speakable.locale import Locale
from newsloom.briefs.speakable.numbers_shared import abbreviations, dates, mixed, tickers
from newsloom.briefs.speakable.quantities import in_words, roman
from newsloom.briefs.speakable.rules import any_of, money, nouns, of_digits, pairs, rule, words

MONTHS = [
    "Januar",
    "Februar",
    "März",
    "April",
    "Mai",
    "Juni",
    "Juli",
    "August",
    "September",
    "Oktober",
    "November",
    "Dezember",
]
_SHORT = {
    **{m: m for m in MONTHS},
    **{f"{m[:3]}.": m for m in MONTHS},
    "Sept.": "September",
    "Mrz.": "März",
}
MONEY = money(
    """€ EUR=Euro=Euro; $ US$ USD=Dollar=Dollar; £ GBP=Pfund=Pfund=n; ¥ JPY=Yen=Yen; ₩ KRW=Won=Won
    CHF Fr. sFr.=Franken=Franken; ₹ Rs=Rupie=Rupien=f; ₽=Rubel=Rubel; ₺=Lira=Lira=f; ₴=Hrywnja=Hrywnja=f
    ct Ct=Cent=Cent; A$=australischer Dollar=australische Dollar; SEK=Krone=Kronen=f; CNY RMB=Yuan=Yuan"""
)
MAGNITUDES = nouns(
    """Mio. Mio Millionen Million=Million=Millionen=f; Mrd. Mrd Milliarden Milliarde=Milliarde=Milliarden=f
    Bio. Billionen Billion=Billion=Billionen=f; Tsd. Tausend tausend=tausend=tausend=n"""
)
UNITS = nouns(
    """%=Prozent=Prozent=n; ‰=Promille=Promille=n; °C °_C=Grad Celsius=Grad Celsius
    °F=Grad Fahrenheit=Grad Fahrenheit; °=Grad=Grad; km/h=Kilometer pro Stunde=Kilometer pro Stunde
    m/s=Meter pro Sekunde=Meter pro Sekunde; km=Kilometer=Kilometer; m=Meter=Meter; cm=Zentimeter=Zentimeter
    mm=Millimeter=Millimeter; nm=Nanometer=Nanometer; m² m2 qm=Quadratmeter=Quadratmeter
    km² km2=Quadratkilometer=Quadratkilometer; m³ m3=Kubikmeter=Kubikmeter; ha=Hektar=Hektar
    kg=Kilogramm=Kilogramm=n; g=Gramm=Gramm=n; mg=Milligramm=Milligramm=n; t=Tonne=Tonnen=f
    l L=Liter=Liter; ml=Milliliter=Milliliter; kWh=Kilowattstunde=Kilowattstunden=f
    MWh=Megawattstunde=Megawattstunden=f; GWh=Gigawattstunde=Gigawattstunden=f
    TWh=Terawattstunde=Terawattstunden=f; kW=Kilowatt=Kilowatt=n; MW=Megawatt=Megawatt=n
    GW=Gigawatt=Gigawatt=n; W=Watt=Watt=n; V=Volt=Volt=n; PS=P.S=P.S=n; kB KB=Kilobyte=Kilobyte=n
    MB=Megabyte=Megabyte=n; GB=Gigabyte=Gigabyte=n; TB=Terabyte=Terabyte=n; Mbit/s=Megabit pro Sekunde=Megabit pro Sekunde=n
    Gbit/s=Gigabit pro Sekunde=Gigabit pro Sekunde=n; kHz=Kilohertz=Kilohertz=n; MHz=Megahertz=Megahertz=n
    GHz=Gigahertz=Gigahertz=n; Hz=Hertz=Hertz=n; dB=Dezibel=Dezibel=n; bp=Basispunkt=Basispunkte
    Std.=Stunde=Stunden=f; Min.=Minute=Minuten=f; Sek.=Sekunde=Sekunden=f; mph=Meile pro Stunde=Meilen pro Stunde=f"""
)
ABBREVIATIONS = pairs(
    """z. B.=zum Beispiel; z.B.=zum Beispiel; d. h.=das heißt; d.h.=das heißt; u. a.=unter anderem
    u.a.=unter anderem; usw.=und so weiter; etc.=et cetera; bzw.=beziehungsweise; ca.=circa; vgl.=vergleiche
    ggf.=gegebenenfalls; evtl.=eventuell; inkl.=inklusive; o. Ä.=oder Ähnliches; z. T.=zum Teil; z.T.=zum Teil
    u. U.=unter Umständen; i. d. R.=in der Regel; v. a.=vor allem; v.a.=vor allem; s. o.=siehe oben
    Dr.=Doktor; Prof.=Professor; Hr.=Herr; Fr.=Frau; St.=Sankt; Str.=Straße; Nr.=Nummer; Abs.=Absatz
    Art.=Artikel; Mio.=Millionen; Mrd.=Milliarden; Tsd.=Tausend; sog.=sogenannte; ehem.=ehemalige
    geb.=geborene; gest.=gestorben; jr.=junior; sen.=senior; Jh.=Jahrhundert; v. Chr.=vor Christus
    n. Chr.=nach Christus; Tel.=Telefon; GmbH=G.m.b.H; e. V.=E.V; e.V.=E.V; vs.=gegen; Co.=Co; Inc.=Inc
    Corp.=Corporation; max.=maximal; min.=mindestens; rd.=rund; Bd.=Band; Kap.=Kapitel; S.=Seite"""
)
CAPITALS = Capitals(
    words=words("NATO NASA UNESCO UNICEF OPEC ASEAN FIFA UEFA AIDS COVID SARS DAX MDAX BAFIN SAP ADAC IKEA LEGO EDEKA REWE PISA BRICS HAMAS ISIS AUKUS NASDAQ INSA RAF VOX ALDI TUI CERN FRONTEX BAMF MERZ TÜV SIM PIN RAM") - {"SAP", "ADAC", "RAF", "TUI", "MERZ"},
    spelled=words("ADAC USA EU UN AI KI IT ARD EZB IWF UNO SAP TUI BIP VW UAE UNHCR WHO OECD ISS IAEA BASF BAFA AOK EKD ABC API UKW"),
    shouted=words("NICHT UND DER DIE DAS NUR ALLE EIN EINE IST NEU JA NEIN AUF IM IN MIT VON ZU WIR SIE ER ES WIE WAS"),
    expanded={"AFD": "A.F.D", "UNO": "Uno", "USA": "U.S.A"}, lowered=False,
)  # fmt: skip
_FEMININE = re.compile(
    r".{2,}(?:ung|heit|keit|schaft|ion|tät|nde|ute|che|age|ahl|eit|anz|ille|rau|erin|e)$"
)


def _count(number: int, gender: str) -> str:
    if number == 1 and gender:
        return "eine" if gender == "f" else "ein"
    return in_words(number, "de")


def _gender(word: str) -> str:
    if not word[:1].isupper():
        return ""
    return "f" if _FEMININE.match(word) else "m"


def _fraction(a: int, b: int) -> str:
    if (a, b) == (1, 2):
        return "ein halb"
    if a < b and 3 <= b <= 12:
        return (
            f"{_count(a, 'm')} {in_words(b, 'de', 'ordinal')[:-1]}el".replace("driteel", "drittel")
            .replace("dritteel", "drittel")
            .replace("teel", "tel")
        )
    return f"{_count(a, '')} {_count(b, '')}"


LOCALE = Locale(
    version_dot="Punkt", code="de", group="[. ']", point=",", point_word="Komma", whole_decimals=False, count=_count, gender=_gender,
    minus="minus", plus="plus", to="bis", dot="Punkt", at="at", units=UNITS, money=MONEY, magnitudes=MAGNITUDES,
    short={}, of_money="", cents="{unit} {cents}", fraction=_fraction,
    score=lambda a, b: f"{_count(a, '')} zu {_count(b, '')}",
    products="Python|iOS|iPadOS|macOS|Android|Windows|[Vv]ersion|Ubuntu|Debian|Linux|Firefox|Chrome|Java|PHP|Bluetooth|USB|GPT|Claude|Gemini|Llama",
)  # fmt: skip
_MONTH = any_of(_SHORT)
_TO = re.compile(
    r"\b(?:am|im|vom|zum|beim|dem|den|des|zur|seinem|ihrem|einem|bis|ab|seinen|ihren|(?:in|auf|mit|nach|bei|von|aus|seit|vor|zu|an|unter) der|und) $",
    re.IGNORECASE,
)


def _ordinal(number: int, before: str, *, month: bool) -> str:
    said = in_words(number, "de", "ordinal")
    if _TO.search(before):
        return said + "n"
    if re.search(r"\b(?:der|die|das) $", before, re.IGNORECASE):
        return said
    return said + ("r" if month else "r" if re.search(r"\bein $", before) else "")


def _year(number: int) -> str:
    return in_words(number, "de", "year" if 1100 <= number < 2000 else "cardinal")


def _date(day: int, month: int, year: str, before: str = "am ") -> str:
    return f"{_ordinal(day, before, month=True)} {MONTHS[month - 1]}" + (
        f" {_year(int(year))}" if year else ""
    )


def _day_month(found: re.Match[str]) -> str:
    before = found.string[max(found.start() - 12, 0) : found.start()]
    last = f" bis {_ordinal(int(found[2]), 'am ', month=True)}" if found[2] else ""
    year = f" {_year(int(found[4]))}" if found[4] else ""
    return f"{_ordinal(int(found[1]), before, month=True)}{last} {_SHORT[found[3]]}{year}"


def _ordinal_of(found: re.Match[str]) -> str:
    before = found.string[max(found.start() - 12, 0) : found.start()]
    return _ordinal(int(found[1]), before, month=False)


def _time(found: re.Match[str]) -> str:
    minute = int(found[2] or 0)
    return f"{_count(int(found[1]), 'm')} Uhr" + (f" {_count(minute, '')}" if minute else "")


def _ruler(found: re.Match[str]) -> str:
    return f"{found[1]} der {in_words(roman(found[2]), 'de', 'ordinal').capitalize()}" + found[3]


_FIRST = (
    *tickers(LOCALE),
    of_digits("time", r"(?<![\w.,:])([01]?\d|2[0-4])[:.]([0-5]\d)(?: Uhr| h)(?!\w)(?: (?=\d))?", _time),
    of_digits("time in words", r"(?<![\w.,:])([01]?\d|2[0-4]) Uhr(?: ([0-5]\d))?(?!\w)", _time),
    of_digits("bare time", r"(?<![\w.,:-])([01]?\d|2[0-4]):([0-5]\d)(?![\w:]|-\d)(?! Sieg| gegen)", _time),
    *dates(_date),
    of_digits("day and month", rf"(?<![\w.,])(\d{{1,2}})\.?(?: ?(?:[-–]|bis) ?(\d{{1,2}})\.?)?(?<=\.) ?({_MONTH})(?!\w)(?: (\d{{4}})(?!\d))?", _day_month),
    of_digits("day and month in digits", r"(?<![\w.,])(\d{1,2})\.(1[0-2]|0?[1-9])\.(?= [a-zA-Z]|$)", lambda f: f"{_ordinal(int(f[1]), 'am ', month=True)} {MONTHS[int(f[2]) - 1]}"),
    of_digits("decade", r"(?<![\w.,])(\d{3}0|\d0)er(?:-(?=[A-Z]))?(?!\w)", lambda f: _year(int(f[1])) + "er" + (" " if f[0].endswith("-") else "")),
    of_digits("century", r"(?<![\w.,])(\d{1,2})\. Jh\.", lambda f: _ordinal_of(f) + " Jahrhundert"),
    of_digits("section", r"§§? ?(?=\d)", "Paragraf "), of_digits("always", r"(?<!\w)24/7(?!\w)", "vierundzwanzig sieben"),
    of_digits("seasons", r"(?<![\w.,/-])((?:19|20)\d\d)[-–/]((?:19|20)?\d\d)(?![\w%/.,-])", lambda f: f"{_year(int(f[1]))} bis {_year(int(f[2] if len(f[2]) == 4 else f[1][:2] + f[2]))}"),
    of_digits("times", r"(?<=\d) ?× ?(?=\d)", " mal "), of_digits("about", r"(?<!\w)[~≈] ?(?=\d)", "etwa "),
    of_digits("times over", r"(?<![\w.,])(\d{1,4})[x×](?!\w)", r"\1 mal"), of_digits("and more", r"(?<=\d)\+(?!\w)", " plus"),
    of_digits("between", r"\b([BC])2([BC])\b", r"\1 to \2"),
    rule("business", r"(?<!\w)AfD(?!\w)", "A.F.D"), rule("person", r"(?<!\w)(?:Hr|Dr|Prof)\. (?=[A-Z])", lambda f: ABBREVIATIONS[f[0].strip()] + " "),
)  # fmt: skip
_NUMBERS = (
    of_digits(
        "with a word",
        r"(?<![\w.,])(\d{1,4})-(?=[A-Za-zÄÖÜäöü]{2})",
        lambda f: _count(int(f[1]), "m") + "-" * (not f.string[f.end()].islower()),
    ),
    of_digits("ordinal", r"(?<![\w.,-])(\d{1,3})\.(?= [A-Za-zÄÖÜäöü])", _ordinal_of),
    of_digits("year", r"(?<![\w.,-])(1[1-9]\d\d)(?![\w%/]|[.,]\d)", lambda f: _year(int(f[1]))),
    *mixed(LOCALE, CAPITALS),
)
_LAST = (
    abbreviations(ABBREVIATIONS),
    rule("numbered ruler", r"(?<!\w)((?!Kapitel|Teil|Band|Klasse|Weltkrieg)[A-ZÄÖÜ][a-zäöü]{2,12}) ([IVX]{1,5})\.(?= [a-zäöü]|$)()", _ruler),
    rule("numeral", r"(?<=[a-zß]) (II|III|IV|VI{1,3}|IX|XI{1,3}|XIV|XV)(?![\w.])", lambda f: " " + _count(roman(f[1]), "")),
    *letters.rules(CAPITALS),
)  # fmt: skip
LANGUAGE = Language(
    LOCALE, CAPITALS,
    (*_FIRST, *quantities.rules(LOCALE), *_NUMBERS, *quantities.plain(LOCALE), *_LAST, *quantities.leftover(LOCALE)),
    {"&": "und", "+": "plus", "±": "plus minus", "=": "gleich", "@": "at", "%": "Prozent", "§": "Paragraf", "€": "Euro", "°": "Grad", "~": "etwa"},
)  # fmt: skip
