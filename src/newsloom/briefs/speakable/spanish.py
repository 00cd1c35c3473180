"""What Spanish says how."""

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
    "enero",
    "febrero",
    "marzo",
    "abril",
    "mayo",
    "junio",
    "julio",
    "agosto",
    "septiembre",
    "octubre",
    "noviembre",
    "diciembre",
]
MONEY = money(
    """€ EUR=euro=euros; $ US$ USD=dólar=dólares; £ GBP=libra=libras=f; ¥ JPY=yen=yenes; ₩ KRW=won=wones
    CHF=franco suizo=francos suizos; ₹ Rs=rupia=rupias=f; R$=real=reales; MXN=peso mexicano=pesos mexicanos
    ARS=peso argentino=pesos argentinos; ₽=rublo=rublos; ₺=lira=liras=f; S/=sol=soles; CNY=yuan=yuanes"""
)
MAGNITUDES = nouns(
    "mill. M millones=millón=millones; millón=millón=millones; billones billón=billón=billones; mil=mil=mil; mdd=millón de dólares=millones de dólares"
)
UNITS = nouns(
    """%=por ciento=por ciento; °C °_C=grado Celsius=grados Celsius; °F=grado Fahrenheit=grados Fahrenheit
    °=grado=grados; km/h=kilómetro por hora=kilómetros por hora; m/s=metro por segundo=metros por segundo
    km=kilómetro=kilómetros; m=metro=metros; cm=centímetro=centímetros; mm=milímetro=milímetros
    m² m2=metro cuadrado=metros cuadrados; km² km2=kilómetro cuadrado=kilómetros cuadrados
    m³ m3=metro cúbico=metros cúbicos; ha=hectárea=hectáreas=f; kg=kilo=kilos; g=gramo=gramos
    mg=miligramo=miligramos; t=tonelada=toneladas=f; l L=litro=litros; ml=mililitro=mililitros
    kWh=kilovatio hora=kilovatios hora; MWh=megavatio hora=megavatios hora; GWh=gigavatio hora=gigavatios hora
    kW=kilovatio=kilovatios; MW=megavatio=megavatios; GW=gigavatio=gigavatios; W=vatio=vatios; V=voltio=voltios
    kB KB=kilobyte=kilobytes; MB=megabyte=megabytes; GB=gigabyte=gigabytes; TB=terabyte=terabytes
    Mbps mbps=megabit por segundo=megabits por segundo; Gbps=gigabit por segundo=gigabits por segundo
    MHz=megahercio=megahercios; GHz=gigahercio=gigahercios; Hz=hercio=hercios; CV=caballo=caballos
    dB=decibelio=decibelios; min=minuto=minutos; seg=segundo=segundos; pb=punto básico=puntos básicos"""
)
ABBREVIATIONS = pairs(
    """Sr.=señor; Sra.=señora; Srta.=señorita; Sres.=señores; Dr.=doctor; Dra.=doctora; D.=don; Dña.=doña
    Ud.=usted; Uds.=ustedes; Prof.=profesor; Ing.=ingeniero; Lic.=licenciado; Gral.=general; Sto.=santo; Sta.=santa
    S.=san; etc.=etcétera; p. ej.=por ejemplo; p.ej.=por ejemplo; aprox.=aproximadamente; Avda.=avenida
    Av.=avenida; C/=calle; núm.=número; art.=artículo; pág.=página; págs.=páginas; vs.=contra; vs=contra
    a. C.=antes de Cristo; d. C.=después de Cristo; tel.=teléfono; Cía.=compañía; dpto.=departamento
    EE. UU.=Estados Unidos; EE.UU.=Estados Unidos; EE UU=Estados Unidos; EEUU=Estados Unidos
    JJ. OO.=Juegos Olímpicos; JJOO=Juegos Olímpicos; S.A.=S.A; S. A.=S.A; RR. HH.=recursos humanos
    CC. OO.=Comisiones Obreras; CC OO=Comisiones Obreras; CCOO=Comisiones Obreras; FF. AA.=Fuerzas Armadas
    RR.HH.=recursos humanos; Inc.=incorporated; Corp.=corporación; máx.=máximo; mín.=mínimo; a. m.=de la mañana
    p. m.=de la tarde; a.m.=de la mañana; p.m.=de la tarde"""
)
CAPITALS = Capitals(
    words=words(
        "OTAN NATO NASA UNESCO UNICEF OPEP FIFA UEFA SIDA COVID PSOE VOX IBEX TAC UCI ONU OMS ETA AVE DANA IVA SEPE RENFE MIR PIB PYME PYMES UGT MERCOSUR CEPAL INE CERN INDITEX UNAM PEMEX FARC CONADE IKEA NASDAQ ISIS ERTE ERE RAE BOE DNI OVNI UE TIC"
    )
    - {"OMS", "DNI", "UE", "UGT", "TIC", "PYME"},
    spelled=words("OMS UE USA EU FBI CEO IA UGT DNI PP BCE FMI OCDE ADN ESO AI API IAEA UCO"),
    shouted=words(
        "NO LA EL LOS LAS DE DEL QUE EN UN UNA CON POR PARA SE SU SI MUY MÁS YA ES NI AL LO TODO TODOS"
    ),
)
_FEMININE = re.compile(r".{2,}(?:as|ciones|siones|dades|tudes|mujeres|veces|a)$|veces$|mujeres$")
_MASCULINE = frozenset(
    [
        "días",
        "día",
        "problemas",
        "sistemas",
        "programas",
        "temas",
        "planetas",
        "mapas",
        "kilómetros",
        "metros",
        "euros",
    ]
)


def _count(number: int, gender: str) -> str:
    said = (
        in_words(number, "es")
        .replace("veintiuno mil", "veintiún mil")
        .replace(" uno mil", " un mil")
    )
    said = re.sub(r"veintiuno(?= (?:mil|bill))", "veintiún", said)
    if gender == "m":
        return re.sub(r"veintiuno$", "veintiún", re.sub(r"(?<!\w)uno$", "un", said))
    if gender == "f":
        said = re.sub(r"uno$", "una", said)
        head, million, rest = said.rpartition("mill")
        return head + million + re.sub(r"(cient|quinient)os", r"\1as", rest)
    return said


def _gender(word: str) -> str:
    small = word.lower()
    if small in _MASCULINE:
        return "m"
    if small in {
        "de",
        "y",
        "en",
        "a",
        "por",
        "la",
        "el",
        "que",
        "o",
        "para",
        "las",
        "contra",
        "una",
        "ya",
        "hasta",
    }:
        return ""
    return "f" if _FEMININE.match(small) else "m" if small.endswith(("os", "es", "o", "s")) else ""


def _fraction(a: int, b: int) -> str:
    names = {
        2: "medio",
        3: "tercio",
        4: "cuarto",
        5: "quinto",
        6: "sexto",
        7: "séptimo",
        8: "octavo",
        9: "noveno",
        10: "décimo",
    }
    if a < b and b in names:
        return f"{_count(a, 'm')} {names[b]}{'' if a == 1 else 's'}"
    return f"{_count(a, '')} {_count(b, '')}"


LOCALE = Locale(
    version_dot="punto", code="es", group="[. ]", point=",", point_word="coma", whole_decimals=True, count=_count, gender=_gender,
    minus="menos", plus="más", to="a", dot="punto", at="arroba", units=UNITS, money=MONEY, magnitudes=MAGNITUDES,
    short={}, of_money="de ", cents="{unit} con {cents}", fraction=_fraction,
    score=lambda a, b: f"{_count(a, '')} a {_count(b, '')}",
    products="Python|iOS|macOS|Android|Windows|[Vv]ersión|Ubuntu|Debian|Linux|Firefox|Chrome|Java|Bluetooth|GPT|Claude|Gemini|Llama",
)  # fmt: skip
_ORDINALS = [
    "primero",
    "segundo",
    "tercero",
    "cuarto",
    "quinto",
    "sexto",
    "séptimo",
    "octavo",
    "noveno",
    "décimo",
]


def _ordinal(number: int, ending: str) -> str:
    said = _ORDINALS[number - 1] if 0 < number <= 10 else in_words(number, "es", "ordinal")
    if not said or number > 20:
        return _count(number, "")
    if ending in {"er", ".er"}:
        return said[:-1]
    return said[:-1] + "a" if ending.strip(".") in {"ª", "a"} else said


def _day(day: int) -> str:
    return _count(day, "") if day > 1 else "uno"


def _date(day: int, month: int, year: str) -> str:
    return f"{_day(day)} de {MONTHS[month - 1]}" + (f" de {_count(int(year), '')}" if year else "")


def _time(found: re.Match[str]) -> str:
    minute = int(found[2])
    said = in_words(int(found[1]), "es")
    said = re.sub("uno$", "una", said)
    return said + (f" y {_count(minute, '')}" if minute else " en punto")


_FIRST = (
    *tickers(LOCALE),
    of_digits("degrees", r"(?<=\d) ?º(?= ?C\b)", " °"),
    of_digits("time", r"(?<![\w.,:-])([01]?\d|2[0-4])[:.]([0-5]\d) ?(?:h|horas|hs)(?!\w)\.?", _time),
    of_digits("bare time", r"(?<![\w.,:-])([01]?\d|2[0-4]):([0-5]\d)(?![\w:]|-\d)", _time),
    *dates(_date), day_and_month({**{m: m for m in MONTHS}}, " de ", _day, lambda y: _count(y, "")),
    of_digits("ordinal", r"(?<![\w.,])(\d{1,3})(\.?[ºª°]|\.?er|a)(?![\w])(?! ?C\b)", lambda f: _ordinal(int(f[1]), f[2])),
    of_digits("number sign", r"(?<!\w)(?:[Nn]\.?º|[Nn]o\.|[Nn]úm\.|#) ?(?=\d)", "número "),
    of_digits("always", r"(?<!\w)24/7(?!\w)", "veinticuatro siete"), of_digits("times", r"(?<=\d) ?[x×] ?(?=\d)", " por "),
    of_digits("about", r"(?<!\w)[~≈] ?(?=\d)", "unos "), of_digits("section", r"§ ?(?=\d)", "sección "),
    of_digits("seasons", r"(?<![\w.,/-])((?:19|20)\d\d)[-–/](\d\d)(?![\w%/.,-])", lambda f: f"{_count(int(f[1]), '')} a {_count(int(f[1][:2] + f[2]), '')}"),
    of_digits("and more", r"(?<=\d)\+(?!\w)", " o más"), of_digits("minus the point", r"(?<!\w)'(\d\d)(?!\w)", r"\1"),
)  # fmt: skip
_NUMBERS = mixed(LOCALE, CAPITALS)
_RULERS = "Felipe|Carlos|Juan|Pablo|Alfonso|Fernando|Isabel|Enrique|Luis|Francisco|Benedicto|León|Pío|Jorge|Guillermo|Federico|Napoleón|Gregorio|Clemente|Inocencio|Pedro|Mohamed|Alejandro|Nicolás"


def _ruler(found: re.Match[str]) -> str:
    number = roman(found[2])
    woman = found[1] == "Isabel"
    said = _ORDINALS[number - 1] if number <= 10 else _count(number, "")
    return f"{found[1]} {said[:-1] + 'a' if woman and number <= 10 else said}"


_LAST = (
    abbreviations(ABBREVIATIONS),
    rule("numbered ruler", rf"\b({_RULERS}|Juan Carlos|Juan Pablo) ([IVX]{{1,5}})(?!\w)", _ruler),
    rule("century", r"\b([Ss]iglos?|Guerra Mundial|[Cc]apítulo|[Tt]ítulo|Tomo) ([IVXL]{1,6})(?!\w)", lambda f: f"{f[1]} {_count(roman(f[2]), '')}"),
    rule("numeral", r"(?<=[a-zñáéíóú]) (II|III|IV|VI{1,3}|IX|XI{1,3}|XIV|XV|XX|XIX|XXI)(?!\w)", lambda f: " " + _count(roman(f[1]), "")),
    rule("first numeral", r"(?<!\w)(II|III|IV|VI{1,3}|IX|XI{1,3}|XIV|XV)(?= ([A-Z][a-z]{0,20}))", lambda f: _ordinal(roman(f[1]), "ª" if f[2].endswith(("ra", "ión", "ica", "eria")) else "")),
    *letters.rules(CAPITALS),
)  # fmt: skip
LANGUAGE = Language(
    LOCALE, CAPITALS,
    (*_FIRST, *quantities.rules(LOCALE), *_NUMBERS, *quantities.plain(LOCALE), *_LAST, *quantities.leftover(LOCALE)),
    {"&": "y", "+": "más", "±": "más o menos", "=": "igual a", "@": "arroba", "%": "por ciento", "§": "sección", "€": "euros", "°": "grados", "~": "unos"},
)  # fmt: skip
