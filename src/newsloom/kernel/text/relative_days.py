"""Days that a sentence names by the day it was written on ("on Tuesday", "yesterday"), for one who
reads it later: in English, German, French, Spanish and Italian. Reads no clock.

What is not certain stays as it is: a weekday whose tense is not clear, anything within quotation
marks, words that also mean something else ("today" for nowadays, German "Morgen" for a morning).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property, lru_cache

from newsloom.kernel.text.language import language as language_of

DAY = timedelta(days=1)
WEEK = timedelta(days=7)
# Longer ones hold several statements, and one tense does not tell of all.
LONGEST = 600  # characters

_QUOTED = re.compile(r"“[^”]*”|\"[^\"]*\"|«[^»]*»|»[^«]*«|„[^“”]*[“”]|(?<!\w)[‘'].*?[’'](?!\w)")
# These are nowadays, too.
_TODAY = frozenset(("today", "heute", "aujourd'hui", "hoy", "oggi"))
# "Today" beside these is nowadays.
_NOWADAYS = re.compile(
    r"\b(?:known|used|called|found|seen|needed|considered|located|based|lived|named|valued|faced"
    r"|advanced|developed|united|even|still|until|are|is|have|has|of|than)\b|['’]s\b",
    re.IGNORECASE,
)
_BREAK = re.compile(r"[,;:–—()]|\b(?:that|which|who|where|when|while|dass|qui|que|che)\b")


@dataclass(frozen=True)
class Tongue:
    """How a language names days. `named` and `relative` are patterns of a weekday and of words like
    "yesterday"; their groups are `before`, `day` or `word`, `part` (of the day), `last`, `next`."""

    weekdays: tuple[str, ...]  # Monday first
    months: tuple[str, ...]
    named: str
    relative: str
    offsets: Mapping[str, int]  # what the words mean, in days
    past: str  # verbs
    future: str  # what says that something is yet to come, or may
    will: str  # what says it for certain
    was: str  # auxiliaries and the like: what stands after them is past
    never: frozenset[str]  # before a weekday: it is every one, or a name
    show: Callable[[str, str, Mapping[str, str]], str]  # of weekday, date or "", groups
    date: str
    today: Mapping[str, str]  # of the part of the day

    def pattern(self, name: str) -> re.Pattern[str]:
        return _compiled(getattr(self, name))


@lru_cache(maxsize=64)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE | re.VERBOSE)


def resolved(text: str, tag: str, written: Collection[date], read: date) -> str:
    """A sentence as it says the same on the day it is read.

    `tag` is its language, "" for English; `written` are the days on which it may have been written:
    two, where only the moment is known and not the place.
    """
    tongue = TONGUES.get(language_of(tag or "en"))
    if tongue is None or not written or max(written) >= read or len(text) > LONGEST:
        return text
    if text.count('"') % 2 or ("„" not in text and text.count("“") != text.count("”")):
        return text  # half a quotation
    one = _Reading(text, tongue, tuple(sorted(written)), read)
    relative = [*tongue.pattern("relative").finditer(text)]
    changes = [one.relative(found, several=len(relative) > 1) for found in relative]
    if None in changes:  # "today and tomorrow" is not told by halves
        return text
    changes += map(one.named, tongue.pattern("named").finditer(text))
    for begin, end, words in sorted(filter(None, changes), reverse=True):
        text = text[:begin] + words + text[end:]
    return text


@dataclass(frozen=True)
class _Reading:
    """A sentence, when it was written and when it is read."""

    text: str
    tongue: Tongue
    written: tuple[date, ...]
    read: date

    @cached_property
    def quoted(self) -> list[tuple[int, int]]:
        return [one.span() for one in _QUOTED.finditer(self.text)]

    def relative(self, found: re.Match[str], *, several: bool) -> tuple[int, int, str] | None:
        """ "yesterday" as a weekday; with its date where that would be taken for another day."""
        word = " ".join(found["word"].casefold().replace("’", "'").split())
        if self._is_quoted(found):
            return found.start(), found.end(), found[0]
        if len(self.written) > 1 or self._is_dated(found):
            return None
        if word in _TODAY and not (several or found["part"] or self._of_that_day(found)):
            return None
        offset, own = self.tongue.offsets[word], found.groupdict().get("own") or ""
        day = self.written[0] + offset * DAY
        part = (found["part"] or "").strip().casefold()
        if day == self.read and part in self.tongue.today:
            return self._changed(found, f"{found['before'] or ''}{self.tongue.today[part]}{own}")
        dated = offset > 0 or self.read - day >= WEEK
        if dated and own:
            return None
        return self._changed(found, self._shown(day, found, dated=dated))

    def _is_dated(self, found: re.Match[str]) -> bool:
        """Whether a weekday or a date stands right behind: "tomorrow, June 1"."""
        following = self.text[found.end() :].lstrip(" ,(").split()[:1]
        names = {one.casefold() for one in (*self.tongue.weekdays, *self.tongue.months)}
        return any(one[0].isdigit() or one.strip(",.)").casefold() in names for one in following)

    def _of_that_day(self, found: re.Match[str]) -> bool:
        """Whether "today" is the day it was written on: with a verb beside it that is past."""
        beside = self._beside(found)
        return not _NOWADAYS.search(beside) and bool(self.tongue.pattern("past").search(beside))

    def named(self, found: re.Match[str]) -> tuple[int, int, str] | None:
        """A weekday with its date, where it would be taken for the one of another week."""
        words = self.text[: found.start()].split()
        if self._is_quoted(found) or (words and words[-1].casefold() in self.tongue.never):
            return None
        ahead = self._ahead(found)
        if ahead is None:
            return None
        names = [one.casefold() for one in self.tongue.weekdays]
        weekday = names.index(found["day"].casefold())
        said = bool(found["last"] or found["next"])
        days = {_nearest(one, weekday, ahead=ahead, other=said) for one in self.written}
        if len(days) > 1:
            return None
        day = days.pop()
        if DAY <= (day - self.read if ahead else self.read - day) < WEEK:
            return None
        return self._changed(found, self._shown(day, found, dated=True))

    def _ahead(self, found: re.Match[str]) -> bool | None:
        """Whether a weekday is one that comes; None where that is not certain."""
        if found["last"] or found["next"]:
            return bool(found["next"])
        past, future = self.tongue.pattern("past"), self.tongue.pattern("future")
        before, after = self.text[: found.start()], self.text[found.end() :]
        clause = _BREAK.split(before)[-1]
        if not before.strip():  # the verb comes first behind it
            clause = _BREAK.split(after.lstrip(" ,"))[0]
        will = max((one.end() for one in self.tongue.pattern("will").finditer(clause)), default=0)
        was = max((one.end() for one in self.tongue.pattern("was").finditer(clause)), default=0)
        if will > was:
            return True if before.strip() or not past.search(clause[:will]) else None
        if past.search(self._beside(found)) or not future.search(self.text):
            return False if past.search(self.text) else None
        return None

    def _beside(self, found: re.Match[str]) -> str:
        """The word before and the word after, as they are: a verb there is of that day."""
        before, after = self.text[: found.start()], self.text[found.end() :]
        return f"{' '.join(before.split()[-1:])} | {' '.join(after.split()[:1])}"

    def _shown(self, day: date, found: re.Match[str], *, dated: bool) -> str:
        groups = {name: one or "" for name, one in found.groupdict().items()}
        number = "1er" if day.day == 1 and "{er}" in self.tongue.date else day.day
        month = self.tongue.months[day.month - 1]
        form = self.tongue.date.replace("{er}", "") if dated else ""
        words = form.format(day=number, month=month)
        if dated and day.year != self.read.year:
            words += f" {day.year}"
        return self.tongue.show(self.tongue.weekdays[day.weekday()], words, groups)

    def _changed(self, found: re.Match[str], words: str) -> tuple[int, int, str]:
        upper = found[0][0].isupper() and found.start() == 0
        return found.start(), found.end(), words[0].upper() + words[1:] if upper else words

    def _is_quoted(self, found: re.Match[str]) -> bool:
        return any(begin <= found.start() < end for begin, end in self.quoted)


def _nearest(one: date, weekday: int, *, ahead: bool, other: bool) -> date:
    """The nearest such weekday before or after a day: the day itself, or an `other`."""
    away = (weekday - one.weekday()) % 7 if ahead else (one.weekday() - weekday) % 7
    return one + (1 if ahead else -1) * (away or 7 * other) * DAY


def _english(weekday: str, date_: str, groups: Mapping[str, str]) -> str:
    word, before, part = groups.get("word", "").casefold(), groups["before"], groups["part"]
    if word in ("last night", "tonight"):
        part = " night"
    elif word.startswith("this "):
        part = f" {word.split()[1]}"
    if groups["own"]:  # "yesterday's" is "Tuesday's"
        return f"{before}{weekday}{part}{groups['own']}"
    on = before or ("on " if word or groups.get("last") or (date_ and part) else "")
    if date_ and part:
        return f"{on}the{part} of {weekday} {date_}"
    return f"{on}{weekday}{part}{date_ and f' {date_}'}"


def _german(weekday: str, date_: str, groups: Mapping[str, str]) -> str:
    part = groups["part"].strip().casefold()
    return f"am {weekday}{part}{date_ and f' ({date_})'}"


def _french(weekday: str, date_: str, groups: Mapping[str, str]) -> str:
    part = groups["part"].strip()
    if date_ and part:
        part = "dans l’après-midi" if part == "après-midi" else f"au {part}"
    return groups["before"] + " ".join(filter(None, (weekday, date_, part)))


def _spanish(weekday: str, date_: str, groups: Mapping[str, str]) -> str:
    part = "por la noche" if groups.get("word", "").casefold() == "anoche" else ""
    return groups["before"] + " ".join(filter(None, ("el", weekday, date_, part)))


def _italian(weekday: str, date_: str, groups: Mapping[str, str]) -> str:
    word = groups.get("word", "").casefold()
    part = {"stasera": "sera", "stamattina": "mattina"}.get(word, groups["part"].strip())
    return groups["before"] + " ".join(filter(None, (weekday, date_, part)))


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_EN_DAYS = "Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday"
_EN_MONTHS = "January February March April May June July August September October November December"
_DE_MONTHS = "Januar Februar März April Mai Juni Juli August September Oktober November Dezember"
_DE_DAYS = "Montag|Dienstag|Mittwoch|Donnerstag|Freitag|Samstag|Sonntag"
_FR_MONTHS = "janvier février mars avril mai juin juillet août septembre octobre novembre décembre"
_FR_DAYS = "lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche"
_ES_MONTHS = (
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre"
)
_ES_DAYS = "lunes|martes|miércoles|jueves|viernes|sábado|domingo"
_IT_MONTHS = (
    "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre"
)
_IT_DAYS = "lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica"

TONGUES: Mapping[str, Tongue] = {
    "en": Tongue(
        weekdays=tuple(_EN_DAYS.split("|")),
        months=tuple(_EN_MONTHS.split()),
        named=rf"""\b(?P<before>on\ )?(?P<last>last\ )?(?P<next>(?!))?(?P<day>{_EN_DAYS})
            (?P<part>\ (?:morning|afternoon|evening|night))?(?P<own>(?!))?(?![\w’'-])
            (?!,?\ ?\(?(?:the\ )?\d|,?\ (?:{_EN_MONTHS.replace(" ", "|")})\b
            |\ (?:last|this|next|of|week)\b)
            (?!(?:\ (?:and|or|to|through|until)\ |[–/])(?:{_EN_DAYS}))(?!\ (?-i:[A-Z]))""",
        relative=r"""(?<!before\ )(?<!only\ )(?<!just\ )(?<!like\ )
            (?P<before>\b(?:since|until|from|by|before|after|of|than|for|to)\ )?
            \b(?P<word>yesterday|last\ night|tonight|this\ (?:morning|afternoon|evening)
              |(?<!after\ )(?<!of\ )tomorrow(?!\ (?:noon|midnight))
              |(?:earlier\ |later\ )?today)
            (?P<part>(?<=day|row)\ (?:morning|afternoon|evening|night))?\b
            (?P<own>['’]s)?(?![\w-])""",
        offsets={
            "yesterday": -1,
            "last night": -1,
            "tonight": 0,
            **dict.fromkeys(("this morning", "this afternoon", "this evening"), 0),
            **dict.fromkeys(("today", "earlier today", "later today"), 0),
            "tomorrow": 1,
        },
        past=r"""\b(?:said|told|was|were|had|went|came|took|made|began|found|met|won|lost|left|held|sent
            |shot|struck|saw|gave|got|fell|rose|grew|broke|spoke|wrote|flew|brought|caught|fought
            |became|paid|sold|stood|swore|fled|did|beat|led
            |(?!(?:need|inde|spe|embed|exce|proce|succe|fe|ble|se|unit|hundr|bre|re|she|be|sacr|nak)
            (?:ed|d)\b)[a-z]{2,}ed)\b""",
        future=r"""\b(?:will|won['’]t|would|shall|may|might|could|should|can|must|to\ be|going\ to
            |set\ to|due|expect\w*|schedul\w*|plan(?:s|ned|ning)?|upcoming|next|tomorrow|ahead|if
            |is|are|looks?|begins?|starts?|opens|comes|takes|ends|returns|kicks)\b|\w['’]ll\b""",
        will=r"""\b(?:will|won['’]t|(?:is|are)\ (?:set|due|scheduled|expected|going)\ to)\b
            |\w['’]ll\b""",
        was=r"\b(?:was|were|had|has|have|said|told)\b",
        never=_words(
            "every each until till by before after since from between through to into and or of"
            " black good super giving cyber ash palm easter bloody fat holy mid most whether for"
            " any one a an the this next coming late early previous following normal"
        ),
        show=_english,
        date="{day} {month}",
        today={"": "today", "morning": "this morning", "afternoon": "this afternoon"}
        | {"evening": "this evening", "night": "tonight"},
    ),
    "de": Tongue(
        weekdays=tuple(_DE_DAYS.split("|")),
        months=tuple(_DE_MONTHS.split()),
        named=rf"""\b(?P<before>am)\ (?:(?P<last>vergangenen|letzten)\ |(?P<next>kommenden)\ )?
            (?P<day>{_DE_DAYS})(?P<part>morgen|vormittag|mittag|nachmittag|abend)?\b
            (?!\ ?[(,]\ ?(?:dem\ |den\ )?\d|\ (?:und|oder|bis)\ (?:{_DE_DAYS})|-)""",
        relative=r"""(?P<before>(?!))?(?<!von\ )(?<!seit\ )(?<!bis\ )(?<!wie\ )(?<!erst\ )
            \b(?:(?P<word>vorgestern|gestern|(?-i:morgen)(?!\ früh)|heute)
            (?P<part>\ (?:Morgen|Vormittag|Mittag|Nachmittag|Abend))?)\b""",
        offsets={"vorgestern": -2, "gestern": -1, "heute": 0, "morgen": 1},
        past=r"""\b(?:hatten?|wurden?|war|waren|sagten?|teilten?|erklärten?|kündigten?|gab|kam|kamen
            |starb|starben|berichteten?|bestätigten?|entschied|verletzten?)\b
            |\b(?:hat|haben)\b.*\b(?:(?:\w{2,5})?ge\w{2,}(?:t|en)|\w+iert|(?:be|ver|er|ent|zer)\w+(?:t|en)
            )\b""",
        future=r"""\b(?:wird|werden|sollen?|will|wollen|kommende\w*|nächste\w*|geplant\w*|plan\w*
            |dürfte\w*|könnte\w*|würde\w*|möchte\w*|muss|müssen|kann|können|ist|sind)\b""",
        will=r"\b(?:wird|werden)\b",
        was=r"\b(?:hat|haben|hatten?|wurden?|war|waren|sagten?)\b|\b(?:wird|werden)\b.*\bworden\b",
        never=_words("jeweils immer"),
        show=_german,
        date="{day}. {month}",
        today={"": "heute", "morgen": "heute Morgen", "abend": "heute Abend"},
    ),
    "fr": Tongue(
        weekdays=tuple(_FR_DAYS.split("|")),
        months=tuple(_FR_MONTHS.split()),
        named=rf"""\b(?P<before>(?!))?(?P<day>{_FR_DAYS})(?P<part>\ (?:matin|soir|après-midi))?
            (?:(?P<last>\ dernier)|(?P<next>\ prochain))?\b
            (?!\ (?:\d|1er)|\ (?:et|ou|au)\ (?:{_FR_DAYS})|-)""",
        relative=r"""(?P<before>\b(?:depuis|jusqu['’]à|avant|après)\ )?(?<!d['’])(?<!de\ )
            (?<!comme\ )\b(?P<word>avant-hier|hier|demain|aujourd['’]hui)
            (?P<part>\ (?:matin|soir|après-midi))?\b(?!-)""",
        offsets={"avant-hier": -2, "hier": -1, "aujourd'hui": 0, "demain": 1},
        past=r"""\b(?:avait|avaient|était|étaient|fut|furent|a-t-\w+|ont-\w+|s['’]est|se\ sont)\b
            |\b(?:a|ont)\ (?:\w+\ ){0,2}?\w+(?:[éiu]e?s?|is|it|ert|eint|uit)\b""",
        future=r"""\b(?:va|vont|doit|doivent|devrait|devraient|pourrait|pourraient|prévue?s?
            |prochaine?s?|est|sont|lieu|\w+(?:era|eront|ira|iront|dra|dront|aura|auront))\b""",
        will=r"\b(?:\w{2,}(?:era|eront|ira|iront|dra|dront)|aura|auront)\b",
        was=r"\b(?:avait|avaient|était|étaient)\b|\b(?:a|ont)\ (?!lieu)",
        never=_words("le les chaque tous ce un du au de des"),
        show=_french,
        date="{er}{day} {month}",
        today={"": "aujourd’hui", "matin": "ce matin", "soir": "ce soir"}
        | {"après-midi": "cet après-midi"},
    ),
    "es": Tongue(
        weekdays=tuple(_ES_DAYS.split("|")),
        months=tuple(_ES_MONTHS.split()),
        named=rf"""\b(?P<before>(?!))?(?P<part>(?!))?el\ (?:(?P<last>pasado)\ |(?P<next>próximo)\ )?
            (?P<day>{_ES_DAYS})\b
            (?!\ (?:\d|pasado|próximo)|\ (?:y|o|al?)\ (?:el\ )?(?:{_ES_DAYS}))""",
        relative=r"""(?P<before>\b(?:desde|hasta|antes|para)\ )?(?P<part>(?!))?(?<!de\ )(?<!como\ )
            (?<!la\ )(?<!esta\ )(?<!una\ )(?<!cada\ )(?<!media\ )(?<!toda\ )
            (?<!misma\ )(?<!próxima\ )\b(?P<word>anteayer|ayer|anoche|hoy|mañana)\b(?!\ mismo)""",
        offsets={"anteayer": -2, "ayer": -1, "anoche": -1, "hoy": 0, "mañana": 1},
        past=r"""\b(?:ha|han|fue|fueron|había|habían|era|eran|estaba|dijo|hizo|tuvo|murió
            |\w{3,}(?:ó|aron|ieron))\b""",
        future=r"""\b(?:va\ a|van\ a|podrían?|debe|próxim\w+|prevé|prevén|previst\w+|tiene\w*
            |es|está|son|\w{2,}(?:rá|rán|ría|rían))\b""",
        will=r"\b(?:\w{2,}(?:rá|rán)|va\ a|van\ a)\b",
        was=r"\b(?:ha|han|fue|fueron|había|habían|dijo)\b",
        never=_words("todo cada desde hasta"),
        show=_spanish,
        date="{day} de {month}",
        today={"": "hoy"},
    ),
    "it": Tongue(
        weekdays=tuple(_IT_DAYS.split("|")),
        months=tuple(_IT_MONTHS.split()),
        named=rf"""\b(?P<before>(?!))?(?P<day>{_IT_DAYS})
            (?P<part>\ (?:mattina|pomeriggio|sera|notte))?
            (?:(?P<last>\ scors[oa])|(?P<next>\ prossim[oa]))?\b
            (?!\ \d|\ (?:e|o)\ (?:{_IT_DAYS})|-)""",
        relative=r"""(?P<before>\b(?:da|fino\ a|prima\ di|di)\ )?(?<!altro\ )(?<!come\ )
            \b(?P<word>ieri|oggi|domani|stasera|stamattina)
            (?P<part>\ (?:mattina|pomeriggio|sera))?\b(?!-)""",
        offsets={"ieri": -1, "oggi": 0, "stasera": 0, "stamattina": 0, "domani": 1},
        past=r"""\b(?:aveva|avevano|era|erano|fu|furono|è\ stat[oa]|sono\ stat[ie]|\w{3,}ò)\b
            |\b(?:ha|hanno)\ (?:\w+\ )?\w+(?:[aiu]to|tto|so|sto|rto)\b""",
        future=r"""\b(?:\w{2,}(?:rà|ranno)|prossim\w+|potrebbe\w*|dovrebbe\w*|deve|devono
            |è(?!\ stat)|sono(?!\ stat)|previst\w+)\b""",
        will=r"\b(?:\w{2,}(?:rà|ranno))\b",
        was=r"\b(?:ha|hanno|aveva|avevano|era|erano|è\ stat[oa]|sono\ stat[ie])\b",
        never=_words("il la di ogni lo un una dal al del questo questa"),
        show=_italian,
        date="{day} {month}",
        today={"": "oggi", "mattina": "questa mattina", "sera": "questa sera"}
        | {"pomeriggio": "questo pomeriggio"},
    ),
}
