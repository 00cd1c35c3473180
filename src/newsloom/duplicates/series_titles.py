"""Whether a title looks like one of a series, which says nothing about what stands below it.

Judges from words alone, never from what else was published: the order of arrival must not matter.
All titles here are normal words, as newsloom.kernel.text.headlines leaves them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from newsloom.kernel.text.headlines import UNSPACED

# With a phrase of a series in it, a title must say this much more to stand for one article:
# "Weekly links", "This week in Rust 540", but not "Podcast: how Spain lost the Netherlands".
LEAST_BESIDE_PHRASE = 4

# Of 268 real titles changed over a text that stayed, 210 kept so much; of the titles over one
# feed's standing text ("Read the full story on our site") hardly any two share it.
KIN = 0.3

_CALENDAR = """
monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun
january february march april may june july august september october november december
jan feb mar apr jun jul aug sep sept oct nov dec
today tonight yesterday tomorrow morning afternoon evening night midday noon weekend day days week
weeks month months year years daily weekly monthly yearly annual quarterly am pm
spring summer autumn fall winter q1 q2 q3 q4
montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag januar jänner februar märz
mai juni juli oktober dezember heute gestern morgen abend tag woche monat jahr täglich
lundi mardi mercredi jeudi vendredi samedi dimanche janvier février mars avril juin juillet août
septembre octobre novembre décembre hier demain matin soir jour journée semaine mois année
lunes martes miércoles jueves viernes sábado domingo enero febrero marzo abril mayo junio julio
agosto septiembre octubre noviembre diciembre hoy ayer mañana tarde noche día semana mes año
lunedì martedì mercoledì giovedì venerdì domenica gennaio febbraio aprile maggio giugno luglio
settembre ottobre dicembre oggi ieri domani mattina sera giorno settimana mese anno
segunda terça quarta quinta sexta feira janeiro fevereiro março abril maio junho julho setembro
outubro novembro dezembro hoje ontem amanhã dia mês ano
maandag dinsdag woensdag donderdag vrijdag zaterdag zondag januari februari maart mei augustus
vandaag gisteren ochtend avond dag maand jaar
måndag tisdag onsdag torsdag fredag lördag söndag mandag tirsdag lørdag søndag idag vecka uge uke
понедельник вторник среда четверг пятница суббота воскресенье января февраля марта апреля мая июня
июля августа сентября октября ноября декабря сегодня вчера завтра неделя недели день дня утро вечер
poniedziałek wtorek środa czwartek piątek sobota niedziela stycznia lutego marca kwietnia maja
czerwca lipca sierpnia września października listopada grudnia dziś dzisiaj
"""

_NUMBERS = """
one two three four five six seven eight nine ten eleven twelve first second third fourth fifth
i ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi xvii xviii xix xx
eins zwei drei vier fünf erste zweite dritte un deux trois quatre cinq uno dos tres cuatro cinco
"""

# Words that carry nothing of what an article is about.
_FUNCTION = """
a an the and or but of in on at to for from by with as is are was were be been it its this that
these those you your we our us i my me he she his her they them their what which who when where why
how all more most new no not now out up down over about after before into than then so if do does
did has have had can will would should could just via vs re s t d ll m
der die das den dem des ein eine einen einem einer und oder aber von im in am an auf zu zum zur für
mit als ist sind war wir sie er es ihr nicht auch aus bei nach über wie was wer neu neue neues
le la les un une des du de d l et ou au aux en dans sur pour par avec est sont ce cette ces qui que
nous vous il elle ne pas plus nouveau nouvelle
el los las unos unas del al y o en con por para es son su sus que se lo no más nuevo nueva
il lo gli i uno della dei delle di da nel nella e ed con per che non si sono più nuovo nuova
os as um uma do da dos das no na nos nas em e ou com que não mais novo nova
het een van en of op te voor met is zijn was niet ook nieuw nieuwe wat
och av på som den det att är för med til og er på af
и в на с по за к из о от у не что как это для
i w z na do o nie się to jest
"""

# Phrases of series, each as normal words; a title with one of them says what kind of page it is.
_PHRASES = """
links|link roundup|link round up|linkdump|link dump|linkfest|bookmarks|reading list|further reading
weekend reading|weekend reads|sunday reads|what we re reading|what i m reading|what we are reading
what to read|things i read|recommended reading|recommended reads|long reads|longreads|must reads
roundup|round up|rundown|digest|newsletter|bulletin|briefing|news in brief|in brief|briefly
at a glance|top stories|headlines|news wrap|wrap up|recap|week in review|weekly review
year in review|the week ahead|week ahead|day ahead|this week in|this week s|this month in
last week in|week in|weeknotes|week notes|month notes|monthnotes|weekly update|weekly notes
status update|what s new|what s on|five things|good morning
morning report|morning edition|evening edition|morning news|evening news|nightly news|news quiz
morning mail|episode|ep|lecture|podcast|show notes|season|chapter|volume|vol|issue|installment
edition|open thread|discussion thread|daily thread|weekly thread|daily discussion|free talk
chat thread|who is hiring|who wants to be hired|ask me anything|ama|q a|questions and answers
mailbag|live updates|live update|live blog|liveblog|live coverage|as it happened|latest updates
live stream|livestream|watch live|minute by minute|live ticker|liveticker|newsticker|ticker
letters|letters to the editor|letter to the editor|readers letters|your letters|editorial|editorials
editor s note|corrections|corrections and clarifications|clarification|from the editor
obituaries|obituary|obits|death notices|in memoriam|births|birthdays|anniversaries
horoscope|horoscopes|astrology|tarot|crossword|sudoku|wordle|connections|puzzle|puzzles|quiz|trivia
cartoon|cartoons|comic|comics|caption contest|word of|quote of|photo of|photos of|picture of
pictures of|image of|video of|song of|tip of|thought for|joke of|deal of|best of|on this day
this day in history|today in history|history today|in pictures|in photos|photo gallery
weather|weather forecast|forecast|pollen count|air quality|traffic|tide times|snow report
stocks close|stocks open|stocks end|stocks rise|stocks fall|stocks slip|stocks gain|stocks drop
stock market|market wrap|markets wrap|market report|market update|markets|opening bell|closing bell
shares close|share price|exchange rates|oil prices|gold price|bitcoin price|price update
ftse|dow jones|nasdaq|sensex|nifty|nikkei
lottery|lotto|powerball|mega millions|winning numbers|scores|scoreboard|standings|fixtures
box score|match report|player ratings|power rankings|injury report|lineups|line ups
tv guide|tv tonight|what s on tv|what to watch|box office|new releases|release notes|changelog
patch notes|nightly build|security updates|security advisory|deals
event listings|meeting minutes|now hiring|vacancies
police log|police blotter|crime log|court report|public notices|legal notices
wochenrückblick|rückblick|presseschau|newsblog|nachrichten|kurznachrichten|kurz notiert|wetter
wetterbericht|horoskop|leserbriefe|börse|dax|lottozahlen|tagesschau|in kürze|folge|ausgabe|links der
revue de presse|en bref|l essentiel|le direct|en direct|météo|horoscope du|bourse|cac 40
courrier des lecteurs|épisode|numéro|édition|résultats|nécrologie|mots croisés
en vivo|última hora|minuto a minuto|resumen|titulares|noticias|el tiempo|pronóstico|horóscopo|bolsa
cartas al director|episodio|capítulo|edición|resultados|obituario|crucigrama|boletín
in diretta|diretta|ultime notizie|rassegna stampa|notizie|meteo|previsioni|oroscopo|borsa|puntata
edizione|lettere|necrologi|ao vivo|resumo|notícias|previsão do tempo|horóscopo do|episódio|edição
nieuwsoverzicht|het weer|weerbericht|horoscoop|beurs|aflevering|liveblog|brieven|nieuwsbrief
väder|börsen|avsnitt|nyhetsbrev|vær|vejret|børs|nyheder
гороскоп|погода|прогноз погоды|курс валют|выпуск|дайджест|главное|итоги|онлайн|новости|обзор
pogoda|horoskop na|odcinek|przegląd prasy|na żywo|wiadomości
"""

# Those that need no blank between them.
_SIGNS = re.compile(
    "早报|晚报|周报|週報|日报|日報|周刊|週刊|月刊|早餐|要闻|要聞|新闻联播|直播|天气|天氣|預報|预报|"
    "收盘|收盤|开盘|開盤|每日|每周|每週|本周|本週|今日|星座|社论|社論|讣告|"
    "まとめ|ニュース一覧|今日の|今週の|天気|占い|速報|号外|第[0-9一二三四五六七八九十百]+[期回号號话話集]|"
    "오늘의|주간|날씨|운세|브리핑|실시간"
)

# Words that promise to go on: whatever else a live page is about, tomorrow it is about that too.
_ALWAYS = re.compile(
    r"\b(?:live (?:updates?|blog|coverage|ticker|news|stream)|liveblog|liveticker|livestream"
    r"|newsblog|as it happened|minute by minute|open thread|discussion thread"
    r"|daily thread|weekly thread|en direct|en vivo|minuto a minuto|in diretta"
    r"|ao vivo|na żywo|watch live)\b"
)


def _words(block: str) -> frozenset[str]:
    return frozenset(block.split())


CALENDAR = _words(_CALENDAR)
_MONTHS = CALENDAR & _words(
    """
january february march april may june july august september october november december
jan feb mar apr jun jul aug sep sept oct nov dec januar jänner februar märz mai juni juli oktober
dezember janvier février mars avril juin juillet août septembre octobre novembre décembre
enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre
janeiro fevereiro março maio junho julho setembro outubro novembro dezembro
januari februari maart mei augustus января февраля марта апреля мая июня июля августа сентября
октября ноября декабря stycznia lutego marca kwietnia maja czerwca lipca sierpnia września
października listopada grudnia
"""
)
NUMBERS = _words(_NUMBERS)
FUNCTION = _words(_FUNCTION)

_PHRASE = re.compile(
    r"\b(?:"
    + "|".join(
        sorted(
            (
                re.escape(phrase)
                for line in _PHRASES.split("\n")
                for phrase in line.split("|")
                if phrase
            ),
            key=len,
            reverse=True,
        )
    )
    + r")\b"
)
_FIGURE = re.compile(r"[0-9]")
# What stands before the number of an issue. Not "day", "week" or "round": the third day of a trial
# and the fourth are of one affair.
_COUNTED = re.compile(
    r"\b(part|pt|episode|ep|lecture|lesson|chapter|vol|volume|issue|puzzle|game|season|edition"
    r"|sermon|tutorial|version|folge|teil|ausgabe|partie|épisode"
    r"|numéro|leçon|parte|episodio|capítulo|lección|edición|puntata|aula|episódio|aflevering|deel"
    r"|avsnitt|odcinek|część|выпуск|серия|часть|урок) "
    r"([0-9]+[a-z]?|[ivx]{1,5}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b"
)


def steps(word: str) -> bool:
    """Whether a word is what one title of a series has instead of another: a number, a day."""
    return _FIGURE.search(word) is not None or word in CALENDAR or word in NUMBERS


def informative(title: str) -> int:
    """How many words of a title say what it is about."""
    words = _saying(title)
    # Two letters of a script without blanks say about as much as a word.
    signs = len(UNSPACED.findall(title))
    if not signs:
        return len(words)
    return sum(max(1, len(UNSPACED.findall(word)) // 2) for word in words)


@lru_cache(maxsize=4096)
def looks_recurring(title: str) -> bool:
    """Whether a title could stand over another article tomorrow."""
    if not informative(title) or _ALWAYS.search(title):
        return True
    if _SIGNS.search(title):
        return informative(_SIGNS.sub(" ", title)) < LEAST_BESIDE_PHRASE
    if _PHRASE.search(title):
        return informative(_PHRASE.sub(" ", title)) < LEAST_BESIDE_PHRASE
    return False


def issue(title: str) -> tuple[str, str] | None:
    """The series that a title is of, and which of its issues, where the title says so by a date, a
    version, "part 8", or by a phrase of series beside a number. A number alone says nothing: "toll
    rises to 12" is no issue of anything."""
    counted = _COUNTED.search(title)
    if counted is not None:  # whatever else it says: of lecture 8 the next one has another subject
        return counted[1], counted[2]
    found = _steps(title)
    rest = [word for word in title.split() if not steps(word)]
    if found and rest and (_dated(found) or looks_recurring(title)):
        return " ".join(rest), " ".join(found)
    return None


def _dated(found: Sequence[str]) -> bool:
    """Whether a day and a month, a year and a month, or three numbers are among the steps."""
    figures = sum(_FIGURE.search(word) is not None for word in found)
    return figures > 2 or (figures > 0 and any(word in _MONTHS for word in found))


def a_step_apart(a: str, b: str) -> bool:
    """Whether two titles have one frame, and each another number or day in it."""
    if _rest(a) == _rest(b):
        return bool(_rest(a) and _steps(a) and _steps(b)) and _steps(a) != _steps(b)
    as_long = abs(len(a.split()) - len(b.split())) <= 1
    return as_long and _other_steps(a, b) and shared(a, b) >= KIN


def kin(a: str, b: str) -> bool:
    """Whether two titles share a good part of what they say, and name no other number or day."""
    return shared(a, b) >= KIN and not _other_steps(a, b)


def swapped(a: str, b: str) -> bool:
    """Whether each of two titles has a word that the other has not."""
    ones, others = set(a.split()), set(b.split())
    return bool(ones - others and others - ones)


def frame(title: str) -> tuple[frozenset[str], frozenset[str]]:
    """The content words of a title, and the numbers and days in it."""
    return frozenset(_saying(title)), frozenset(_steps(title))


def _other_steps(a: str, b: str) -> bool:
    """Whether each has a number or a day that the other has not."""
    ones, others = Counter(_steps(a)), Counter(_steps(b))
    return bool(ones - others and others - ones)


def shared(a: str, b: str) -> float:
    """Of all that two titles say."""
    ones, others = _saying(a), _saying(b)
    return len(ones & others) / len(ones | others) if ones or others else 0.0


def _steps(title: str) -> list[str]:
    return [word for word in title.split() if steps(word)]


def _rest(title: str) -> set[str]:
    return {word for word in title.split() if not steps(word)}


def _saying(title: str) -> set[str]:
    return {word for word in title.split() if word not in FUNCTION and not steps(word)}
