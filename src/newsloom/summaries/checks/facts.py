"""What can be wrong in a sentence and looked up: amounts, dates, names, quotations. Judges nothing.

By rules and looks; what language a name is of is not known.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from newsloom.kernel.text.characters import plain
from newsloom.kernel.text.dates import dates as placed_dates
from newsloom.kernel.text.language import language
from newsloom.summaries.said import placed_numbers

_QUOTES = str.maketrans({**dict.fromkeys("“”„‟«»＂「」", '"'), **dict.fromkeys("‘’‚‛`´", "'")})
_DASHES = str.maketrans(dict.fromkeys("‐‑‒–—―−", "-"))
_SINGLE = re.compile(r"(?:^|(?<=[\s(\[:-]))'(?=\S)(.{1,600}?)(?<=\S)'(?=$|[\s.,;:!?)\]-])")
_WIDE_TITLE = re.compile("『([^』]*)』")
_AT_THE_END = ".,!?;:… \u3002\u3001"

_DOTTED = re.compile(r"\b(?:[^\W\d_]\.){2,}")
_TOKEN = re.compile(r"[^\W_]+(?:'[^\W\d_]+)*")
_WIDE = re.compile("[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\u0e00-\u0eff\u1000-\u109f]")
_KATAKANA = re.compile("[\u30a1-\u30fa\u30fc]{2,}")
_HAN = re.compile("[\u3400-\u9fff\uf900-\ufaff]+")

_UNITS = tuple(
    (re.compile(rf"[ -]?(?:{pattern})", re.IGNORECASE), name)
    for pattern, name in (
        (r"percentage points?\b|prozentpunkten?\b|процентн\w+ пункт\w*", "points"),
        (r"%|per ?cent\b|prozent\b|pour cent\b|por cient?o\b|procent\b|процент\w*", "percent"),
        (r"mil millones\b|млрд\b|миллиард\w*|miliard\w*|miljard\w*|mld\b|мільярд\w*", "billion"),
        (r"млн\b|миллион\w*|million\b|millón\b|mili?on\w*|milh\w+|miljoen\b|mln\b", "million"),
        (r"тыс\b|тысяч\w*|тисяч\w*|tys\b|mil\b|duizend\b|mila\b", "thousand"),
        (r"трлн\b|триллион\w*|billionen\b|billones\b", "trillion"),
        (r"lakh\b", "lakh"),
        (r"crores?\b", "crore"),
        (r"(?:us-?)?dollars?\b|usd\b|dólares\b|доллар\w*|\$", "dollars"),
        (r"euros?\b|eur\b|евро\b|€", "euros"),
        (r"pounds?\b|gbp\b|£", "pounds"),
        (r"yen\b|yuan\b|¥", "yen"),
        (r"рубл\w+|₽", "roubles"),
        ("百万|千万|[万億兆亿千][人円元年月日]?", ""),  # by itself
        ("[\u3040-\u30ff\u3400-\u9fff]", ""),
    )
)
_BEFORE = re.compile(r"(?:([$€£¥₽])|\b(usd|eur|gbp)) ?$", re.IGNORECASE)
_SIGNS = {"$": "dollars", "usd": "dollars", "€": "euros", "eur": "euros", "£": "pounds"} | {
    "gbp": "pounds",
    "¥": "yen",
    "₽": "roubles",
}
_COMPOUND = re.compile(r"\d+(?:[:/-]\d+)+|\d+(?:\.\d+){2,}")

# Counting in words that `said` does not read as a number, and words that claim all or the most.
_COUNTING = frozenset(
    """
    one first second third fourth fifth sixth seventh eighth ninth tenth half halves quarter
    quarters double doubled twice triple tripled thrice dozens hundreds thousands millions billions
    all every only always most majority largest biggest highest lowest worst best deadliest record
    zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn
    siebzehn achtzehn neunzehn alle nur immer größte größten höchste höchsten schwerste
    dutzend hälfte drittel viertel doppelt verdoppelt erste ersten zweite
    zweiten dritte dritten vierte vierten
    deux trois quatre cinq sept huit neuf dix onze douze treize quatorze quinze seize vingt trente
    quarante cinquante soixante cent cents mille moitié tiers quart double première premier deuxième
    troisième
    dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince veinte treinta
    cuarenta cincuenta sesenta cien ciento cientos mitad tercio doble primera primer segundo segunda
    tercera tercer
    due tre quattro cinque sei sette otto nove dieci undici dodici venti trenta cento metà doppio
    dois três quatro sete oito dez onze doze vinte trinta cem metade dobro
    twee drie vijf zes zeven acht negen tien elf twaalf twintig dertig honderd helft
    два две двое три трое четыре четверо пять шесть семь восемь девять десять одиннадцать двенадцать
    тринадцать четырнадцать пятнадцать двадцать тридцать сорок пятьдесят сто двести триста тысяча
    тысячи половина треть четверть вдвое втрое первый первая второй вторая третий третья
    """.split()  # noqa: SIM905
)
_COMPOUND_COUNTING = re.compile(
    r"(?:ein|zwei|drei|vier|fünf|sechs|sieben|acht|neun)?(?:und)?(?:zwanzig|dreißig|vierzig|fünfzig"
    r"|sechzig|siebzig|achtzig|neunzig|hundert|tausend)\w*"
)

_MOMENT = re.compile(
    r"""
    \b(?:last|next|this|past|previous|coming|following)\ (?:(?:few|two|three|several)\ )?
        (?:hour|day|night|week|weekend|month|year|decade|century|spring|summer|autumn|fall|winter
        |morning|afternoon|evening)s?\b
    |\bin\ (?:march|may)\b|\btonight\b|\bovernight\b
    |\b(?:days|weeks|months|years|hours|minutes)\ (?:ago|earlier|later)\b
    |\b(?:letzte|vergangene|vorige|kommende|nächste|diese)[nrsm]?\ (?:woche|nacht|monat|jahr|tag)
    |\b(?:semaine|mois|année|an|nuit|semana|mes|año|noche)\ (?:derni|proch|pass|pasad|próxim)\w*
    |\b(?:cette|ce|est[ae]|próxim[oa]|últim[oa])
        \ (?:semaine|mois|année|soir|nuit|semana|mes|año|noche)
    |\b(?:прошл|следующ|эт)\w+\ (?:недел|месяц|год)\w*
    |先週|来週|今週|昨年|去年|来年|今年|上周|下周|本周|지난주|이번주|다음주|지난해|작년|올해|내년
    """,
    re.VERBOSE,
)

# Endings that a name may have or not: case, plural, possession.
_CASES = {
    "de": "s es n en e er em ns",
    "ru": "а у ом е ы и ой ою ого ему ому ым ых я ю ем ей ам ами ах",
    "uk": "а у ом і и ою ого ему ому им их я ю ем ей ам ами ах",
    "pl": "a u em om ie y i ą ę ach ami owi ego emu",
    "cs": "a u em ě y i ou ů ách ovi",
    "sv": "s en et n",
    "da": "s en et",
    "no": "s en et",
    "fi": "n a ä ssa ssä sta stä lla llä lle ta tä",
}
_LEAST_STEM = 3
# A sentence and its articles are looked at several times in a row; few, as articles are long.
_remembered = lru_cache(maxsize=128)
_PREFIX = re.compile("[وفبلك]?(?:ال)?(?=.{2})")


@dataclass(frozen=True, slots=True)
class Amount:
    """A number with its unit and where it stands."""

    value: float
    unit: str
    begin: int
    end: int


@dataclass(frozen=True, slots=True)
class Token:
    """A word as it stands; `first` if a sentence begins with it."""

    text: str
    begin: int
    end: int
    first: bool

    @property
    def capital(self) -> bool:
        return self.text != self.text.lower()

    @property
    def caseless(self) -> bool:
        """Of a script without capitals."""
        return self.text.isalpha() and self.text.lower() == self.text.upper()


def normal(text: str) -> str:
    """One form of each quotation mark, dash and blank; lines stay."""
    one_form = unicodedata.normalize("NFKC", plain(text).translate(_QUOTES))
    one_form = one_form.translate(_QUOTES).translate(_DASHES)
    return "\n".join(" ".join(line.split()) for line in one_form.split("\n"))


@_remembered
def quotations(text: str) -> tuple[str, ...]:
    """What stands between quotation marks in a text that is `normal`, without its end sign."""
    found: list[str] = []
    for line in text.split("\n"):
        found += line.split('"')[1::2]
        found += _SINGLE.findall(line)
        found += _WIDE_TITLE.findall(line)
    return tuple(inner for one in found if (inner := one.strip().rstrip(_AT_THE_END)))


def unquoted(text: str) -> str:
    """A text that is `normal` without what stands between double quotation marks."""
    return "\n".join(" ".join(line.split('"')[::2]) for line in text.split("\n"))


def half_quoted(text: str) -> bool:
    """Whether a quotation is opened or closed outside."""
    return text.count('"') % 2 == 1 or text.count("『") != text.count("』")


@_remembered
def amounts(text: str) -> tuple[Amount, ...]:
    """Every number, in figures or English words, with its percent, currency or counting word."""
    return tuple(
        Amount(value, _unit(text, begin, end), begin, end)
        for value, begin, end in placed_numbers(text)
    )


def _unit(text: str, begin: int, end: int) -> str:
    found = set()
    if sign := _BEFORE.search(text[max(begin - 5, 0) : begin]):
        found.add(_SIGNS[(sign[1] or sign[2]).casefold()])
    for _ in range(2):  # "5 млн рублей"
        for pattern, name in _UNITS:
            if match := pattern.match(text, end):
                found.add(name or match[0])
                end = match.end() if name else len(text)
                break
    return " ".join(sorted(found))


@_remembered
def figures(text: str) -> frozenset[str]:
    """What has digits and is no plain number: "2-1", "7:30", "F16", "3.10.2026"."""
    kept = {match[0] for match in _COMPOUND.finditer(text)}
    numbers = {at for _value, begin, end in placed_numbers(text) for at in range(begin, end)}
    for token in _TOKEN.finditer(_WIDE.sub(" ", text)):
        inside = token.start() in numbers and token.end() - 1 in numbers
        # "15km" is the number and a unit; "F16" is a name.
        unit = re.fullmatch(r"\d+[^\W\d_]+", token[0])
        if not inside and not unit and any(map(str.isdigit, token[0])):
            kept.add(token[0].casefold())
    return frozenset(kept)


@_remembered
def counting(text: str) -> frozenset[str]:
    """Words that count and are not among `amounts`."""
    words = {token.text.casefold() for token in tokens(text)}
    return frozenset(one for one in words if one in _COUNTING or _COMPOUND_COUNTING.fullmatch(one))


@_remembered
def dates(text: str) -> tuple[frozenset[str], ...]:
    """The parts of each date: {"3", "march", "2026"}, {"monday"}."""
    return tuple(frozenset(one.name.split()) for one in placed_dates(text))


@_remembered
def moments(text: str) -> frozenset[str]:
    """Times that are relative to the day of writing, as they stand: "last week"."""
    return frozenset(match[0] for match in _MOMENT.finditer(text.casefold()))


@_remembered
def tokens(text: str) -> tuple[Token, ...]:
    """Words of scripts with blanks: "U.S." is "US", "Merkel's" is "Merkel", "l'Iran" is "Iran"."""
    return tuple(_read(text))


def _read(text: str) -> Iterator[Token]:
    joined = _DOTTED.sub(lambda dotted: dotted[0].replace(".", "").ljust(len(dotted[0])), text)
    for match in _TOKEN.finditer(_WIDE.sub(" ", joined)):
        word, begin = match[0].removesuffix("'s"), match.start()
        head, mark, rest = word.partition("'")
        if mark and head.islower() and rest[:1].isupper():
            word, begin = rest, begin + len(head) + 1
        yield Token(word, begin, match.end(), _begins(joined, match.start()))


def _begins(text: str, place: int) -> bool:
    before = text[:place].rstrip(" \"'([-")
    return not before or before[-1] in ".!?:;…。！？\n"


def forms(word: str, tongue: str) -> set[str]:
    """A name without what it may end in; two names are the same if they share a form."""
    small = word.casefold()
    endings = _CASES.get(language(tongue), "s").split()
    return {small} | {
        small.removesuffix(one)
        for one in endings
        if small.endswith(one) and len(small) - len(one) >= _LEAST_STEM
    }


def heads(word: str) -> set[str]:
    """For scripts without capitals: the word without a particle behind it or an article before."""
    bare = _PREFIX.sub("", word, count=1)
    return {word, bare, word[: max(2, len(word) - 2)]}


def counted(text: str) -> set[int]:
    """Where words begin that are numbers, as "Twelve"."""
    inside = {at for amount in amounts(text) for at in range(amount.begin, amount.end)}
    return {one.begin for one in tokens(text) if one.begin in inside}


def neighbours(text: str) -> list[tuple[Token, Token]]:
    """Capitalised words with one blank between them, as "Angela Merkel"."""
    return [
        (one, other)
        for one, other in pairwise(tokens(text))
        if one.capital and other.capital and text[one.end : other.begin] == " "
    ]


def katakana(text: str) -> set[str]:
    """Foreign words and names of Japanese."""
    return set(_KATAKANA.findall(text))


def unknown_signs(written: str, source: str) -> str:
    """The first Chinese characters of a sentence in no pair that its source has; "" for none.

    One alone is let pass where the source has it: "約", "的".
    """
    for run in _HAN.finditer(written):
        known = [False] * len(run[0])
        for at in range(len(run[0]) - 1):
            if run[0][at : at + 2] in source:
                known[at] = known[at + 1] = True
        if len(run[0]) == 1:
            known = [run[0] in source]
        missing = "".join(
            sign for sign, is_known in zip(run[0], known, strict=True) if not is_known
        )
        if len(missing) > 1 or (missing and missing not in source):
            return missing
    return ""
