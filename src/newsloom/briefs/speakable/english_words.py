"""Tables of English: what stands for what. A word is added here."""

from __future__ import annotations

from newsloom.briefs.speakable.letters import Capitals
from newsloom.briefs.speakable.locale import Money, Noun


def _pairs(text: str) -> dict[str, str]:
    """ "Mr.=Mister" by lines or semicolons."""
    rows = (one.strip() for one in text.replace("\n", ";").split(";"))
    return {a: b for a, _, b in (row.partition("=") for row in rows if row)}


_CENT = Noun("cent", "cents")
_DOLLAR = Money(Noun("dollar", "dollars"), _CENT)


def _dollar(country: str) -> Money:
    return Money(Noun(f"{country} dollar", f"{country} dollars"), _CENT)


MONEY = {
    "$": _DOLLAR, "USD": _dollar("US".replace("US", "U.S")), "US$": _dollar("U.S"),
    "A$": _dollar("Australian"), "AU$": _dollar("Australian"), "AUD": _dollar("Australian"),
    "C$": _dollar("Canadian"), "CA$": _dollar("Canadian"), "CAD": _dollar("Canadian"),
    "HK$": _dollar("Hong Kong"), "NZ$": _dollar("New Zealand"), "S$": _dollar("Singapore"),
    "NT$": _dollar("Taiwan"), "€": Money(Noun("euro", "euros"), _CENT),
    "EUR": Money(Noun("euro", "euros"), _CENT),
    "£": Money(Noun("pound", "pounds"), Noun("penny", "pence")),
    "GBP": Money(Noun("pound", "pounds"), Noun("penny", "pence")),
    "¥": Money(Noun("yen", "yen")), "JPY": Money(Noun("yen", "yen")),
    "₩": Money(Noun("won", "won")), "KRW": Money(Noun("won", "won")),
    "₹": Money(Noun("rupee", "rupees")), "Rs": Money(Noun("rupee", "rupees")),
    "Rs.": Money(Noun("rupee", "rupees")), "INR": Money(Noun("rupee", "rupees")),
    "CHF": Money(Noun("Swiss franc", "Swiss francs")), "CNY": Money(Noun("yuan", "yuan")),
    "RMB": Money(Noun("yuan", "yuan")), "R$": Money(Noun("real", "reais")),
    "₽": Money(Noun("rouble", "roubles")), "₺": Money(Noun("lira", "lira")),
    "₴": Money(Noun("hryvnia", "hryvnias")), "₪": Money(Noun("shekel", "shekels")),
    "₿": Money(Noun("bitcoin", "bitcoin")), "¢": Money(_CENT), "SEK": Money(Noun("krona", "kronor")),
    "NOK": Money(Noun("krone", "kroner")), "zł": Money(Noun("zloty", "zlotys")),
    "₦": Money(Noun("naira", "naira")), "₱": Money(Noun("peso", "pesos")),
}  # fmt: skip
MAGNITUDES = {
    **{w: Noun("million", "million") for w in ("million", "mn", "mln", "mil", "Million")},
    **{w: Noun("billion", "billion") for w in ("billion", "bn", "bln", "Billion")},
    **{w: Noun("trillion", "trillion") for w in ("trillion", "tn", "trn", "Trillion")},
    **{w: Noun(w, w) for w in ("thousand", "hundred", "crore", "lakh")},
}
SHORT = {
    **{w: Noun("million", "million") for w in ("m", "M", "mm", "MM")},
    **{w: Noun("billion", "billion") for w in ("b", "B")},
    **{w: Noun("trillion", "trillion") for w in ("t", "T")},
    **{w: Noun("thousand", "thousand") for w in ("k", "K")},
}
_UNITS = """
%=percent=percent; ‰=per mille=per mille; pp=percentage point=percentage points
pc=percent=percent; bp=basis point=basis points; bps=basis point=basis points
km/h=kilometre per hour=kilometres per hour; kph=kilometre per hour=kilometres per hour
kmh=kilometre per hour=kilometres per hour; mph=mile per hour=miles per hour
m/s=metre per second=metres per second; km=kilometre=kilometres; cm=centimetre=centimetres
mm=millimetre=millimetres; nm=nanometre=nanometres; µm=micrometre=micrometres
μm=micrometre=micrometres; m=metre=metres; ft=foot=feet; yd=yard=yards; mi=mile=miles
in.=inch=inches; sq ft=square foot=square feet; sq. ft.=square foot=square feet
sq km=square kilometre=square kilometres; sq mi=square mile=square miles
m²=square metre=square metres; km²=square kilometre=square kilometres
m2=square metre=square metres; km2=square kilometre=square kilometres
cm²=square centimetre=square centimetres; m³=cubic metre=cubic metres; m3=cubic metre=cubic metres
ha=hectare=hectares; kg=kilogram=kilograms; g=gram=grams; mg=milligram=milligrams
μg=microgram=micrograms; lb=pound=pounds; lbs=pound=pounds; lb.=pound=pounds
oz=ounce=ounces; oz.=ounce=ounces; t=tonne=tonnes; l=litre=litres; L=litre=litres
ml=millilitre=millilitres; mL=millilitre=millilitres; °C=degree Celsius=degrees Celsius
°F=degree Fahrenheit=degrees Fahrenheit; °=degree=degrees
° C=degree Celsius=degrees Celsius; ° F=degree Fahrenheit=degrees Fahrenheit
kWh=kilowatt hour=kilowatt hours; MWh=megawatt hour=megawatt hours
GWh=gigawatt hour=gigawatt hours; TWh=terawatt hour=terawatt hours; kW=kilowatt=kilowatts
MW=megawatt=megawatts; GW=gigawatt=gigawatts; TW=terawatt=terawatts; W=watt=watts; V=volt=volts
Wh=watt hour=watt hours; mAh=milliamp hour=milliamp hours; hp=horsepower=horsepower
GB=gigabyte=gigabytes; MB=megabyte=megabytes; TB=terabyte=terabytes; KB=kilobyte=kilobytes
kB=kilobyte=kilobytes; PB=petabyte=petabytes; Mbps=megabit per second=megabits per second
mbps=megabit per second=megabits per second; Gbps=gigabit per second=gigabits per second
Mbit/s=megabit per second=megabits per second; Gbit/s=gigabit per second=gigabits per second
kHz=kilohertz=kilohertz; MHz=megahertz=megahertz; GHz=gigahertz=gigahertz; Hz=hertz=hertz
dB=decibel=decibels; ms=millisecond=milliseconds; ppm=part per million=parts per million
bpd=barrel per day=barrels per day; fps=frame per second=frames per second; MP=megapixel=megapixels
hrs=hour=hours; hr=hour=hours; mins=minute=minutes; min=minute=minutes; secs=second=seconds
sec=second=seconds; yrs=year=years; yr=year=years; MT=megaton=megatons; Mt=megatonne=megatonnes
"""
UNITS = {
    a: Noun(b, c)
    for a, b, c in (
        row.strip().split("=") for row in _UNITS.replace("\n", ";").split(";") if row.strip()
    )
}
# Before a name or a number, or anywhere. A stop that ends the text stays.
TITLES = _pairs(
    """Mr.=Mister; Mrs.=Missus; Ms.=Miz; Dr.=Doctor; Prof.=Professor; Sen.=Senator; Sens.=Senators
    Rep.=Representative; Reps.=Representatives; Gov.=Governor; Gen.=General; Lt.=Lieutenant
    Col.=Colonel; Capt.=Captain; Sgt.=Sergeant; Maj.=Major; Cmdr.=Commander; Adm.=Admiral
    Rev.=Reverend; Hon.=Honorable; Pres.=President; St.=Saint; Mt.=Mount; Ft.=Fort; Fr.=Father
    Atty.=Attorney; Supt.=Superintendent; Det.=Detective; Insp.=Inspector; Amb.=Ambassador
    Mr=Mister; Mrs=Missus; Ms=Miz; Dr=Doctor; Prof=Professor; Sgt=Sergeant; Lt=Lieutenant; St=Saint"""
)
ABBREVIATIONS = _pairs(
    """vs.=versus; vs=versus; v.=versus; e.g.=for example; eg.=for example; i.e.=that is
    etc.=et cetera; Inc.=Incorporated; Corp.=Corporation; Co.=Company; Ltd.=Limited; Bros.=Brothers
    Jr.=Junior; Sr.=Senior; a.k.a.=also known as; approx.=approximately; est.=estimated
    dept.=department; Dept.=Department; Assn.=Association; Ave.=Avenue; Blvd.=Boulevard; Rd.=Road
    govt.=government; Govt.=Government; Intl.=International; Univ.=University; w/o=without; w/=with
    et al.=and others; cf.=compare; c/o=care of; Ph.D.=P.H.D; PhD=P.H.D; a.m.=A.M; p.m.=P.M
    Wash.=Washington; Calif.=California; Mass.=Massachusetts; Conn.=Connecticut; Fla.=Florida
    Pa.=Pennsylvania; Va.=Virginia; Mich.=Michigan; Minn.=Minnesota; Wis.=Wisconsin; Tenn.=Tennessee
    Ariz.=Arizona; Colo.=Colorado; Okla.=Oklahoma; Ala.=Alabama; Ky.=Kentucky; Ore.=Oregon
    Md.=Maryland; Nev.=Nevada; Ga.=Georgia; Ill.=Illinois; Ind.=Indiana; Kan.=Kansas; Neb.=Nebraska
    misc.=miscellaneous; Ltd=Limited; Corp=Corporation; Inc=Incorporated"""
)
MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
MONTH_SHORT = {**{one[:3]: one for one in MONTHS}, "Sept": "September", **{m: m for m in MONTHS}}
REGNAL = [
    "Charles",
    "Henry",
    "Edward",
    "George",
    "Elizabeth",
    "Mary",
    "James",
    "William",
    "Richard",
    "Louis",
    "Philip",
    "Felipe",
    "Carlos",
    "Juan",
    "Pius",
    "Paul",
    "Benedict",
    "Francis",
    "Leo",
    "John",
    "Gregory",
    "Innocent",
    "Clement",
    "Alexander",
    "Nicholas",
    "Catherine",
    "Peter",
    "Frederick",
    "Wilhelm",
    "Napoleon",
    "Ramses",
    "Rama",
    "Harald",
    "Olav",
    "Haakon",
    "Gustaf",
    "Margrethe",
    "Christian",
    "Mohammed",
    "Hussein",
    "Abdullah",
    "Albert",
    "Leopold",
    "Rainier",
    "Umberto",
    "Victor",
    "Pedro",
    "Ferdinand",
    "Isabella",
]
ROMAN_HEADS = (
    "War|Part|Chapter|Act|Phase|Title|Type|Class|Book|Volume|Bowl|Level|Stage|Article|Vatican|"
    "Fantasy|Rocky|Mark|Section|Tier|Category|Appendix|Generation|Quest|Division"
)
CAPITALS = Capitals(
    words=frozenset(
        [
            "NATO",
            "NASA",
            "UNESCO",
            "UNICEF",
            "OPEC",
            "ASEAN",
            "FIFA",
            "UEFA",
            "AIDS",
            "SARS",
            "COVID",
            "NAFTA",
            "APEC",
            "BRICS",
            "LASER",
            "RADAR",
            "FEMA",
            "OSHA",
            "HIPAA",
            "PIN",
            "SIM",
            "RAM",
            "ROM",
            "JPEG",
            "GIF",
            "SWAT",
            "NASDAQ",
            "INTERPOL",
            "EUROPOL",
            "SIDS",
            "MERS",
            "DACA",
            "CERN",
            "UNHCR",
            "AUKUS",
            "HAMAS",
            "NAACP",
            "ANZAC",
            "FOMO",
            "YOLO",
            "NIMBY",
            "SCOTUS",
            "POTUS",
            "FLOTUS",
            "CAPTCHA",
            "IKEA",
            "LEGO",
            "MAGA",
            "ISIS",
            "ICE",
            "DOGE",
            "LIDAR",
            "FARC",
            "TASS",
            "NICE",
            "UNRWA",
            "CENTCOM",
            "ECOWAS",
            "MERCOSUR",
            "CITES",
            "ROTC",
            "NORAD",
            "OFCOM",
            "OFSTED",
            "GATT",
            "TARP",
        ]
    )
    - {"UNHCR", "NAACP", "UNRWA"},
    spelled=frozenset(
        [
            "UNHCR",
            "AFL",
            "UAE",
            "UCLA",
            "USA",
            "ISS",
            "IAEA",
            "EPA",
            "ABC",
            "ESPN",
            "HIV",
            "IRA",
            "WHO",
            "IT",
            "US",
            "AI",
            "EU",
            "UN",
            "UK",
            "ACLU",
            "OECD",
            "USAID",
            "IOC",
            "IMF",
            "AOC",
            "UAW",
            "EIA",
            "IEA",
            "LGBTI",
            "API",
            "URL",
            "SUV",
            "CEO",
            "CFO",
            "COO",
            "CTO",
            "UFO",
            "UAV",
            "RSS",
            "ISO",
            "IPO",
            "IRS",
            "OK",
            "DUI",
            "AMD",
            "IBM",
            "ARIA",
            "ITV",
            "NYU",
            "USB",
            "GPU",
            "CPU",
            "HTML",
            "JSON",
            "RTX",
            "GTX",
            "NPU",
            "NFL",
            "NBA",
            "NHL",
            "MLB",
            "DEI",
            "AFP",
            "UFC",
        ]
    ),
    shouted=frozenset(
        [
            "NOT",
            "ALL",
            "AND",
            "THE",
            "NEW",
            "IS",
            "ARE",
            "BUT",
            "FOR",
            "YOU",
            "WE",
            "HE",
            "SHE",
            "IN",
            "ON",
            "OF",
            "TO",
            "AT",
            "BY",
            "MY",
            "NO",
            "SO",
            "OR",
            "IF",
            "AS",
            "AN",
            "BE",
            "DO",
            "GO",
            "UP",
            "ME",
            "OUT",
            "OFF",
            "NOW",
            "HOW",
            "WHY",
            "ANY",
            "TOO",
            "TWO",
            "ONE",
            "CAN",
            "HAS",
            "HAD",
            "WAS",
            "HIS",
            "HER",
            "ITS",
            "OUR",
            "MAN",
            "MEN",
            "TOP",
            "BIG",
            "OLD",
            "DAY",
            "WAY",
            "GET",
            "GOT",
            "SEE",
            "SAY",
            "RED",
            "BAD",
            "YES",
            "VERY",
            "THIS",
            "THAT",
            "WITH",
            "FROM",
            "WILL",
        ]
    ),
    expanded={"NAACP": "N double A.C.P", "AAA": "triple A", "OK": "okay", "ID": "I.D", "TV": "T.V"},
)
