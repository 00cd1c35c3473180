"""Words that turn what a sentence says: negations, hedges and opposites, by language. Data first.

Each list is short: words that stand in news and hardly mean anything else in their language.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from newsloom.kernel.text.language import language
from newsloom.summaries.said import stem

_NEGATIONS = {
    "en": "not no never none nobody nothing neither without cannot nowhere hardly",
    "de": """nicht kein keine keinen keinem keiner keines nie niemals niemand niemanden niemandem
        nichts ohne weder keinesfalls kaum""",
    "fr": "ne pas jamais aucun aucune sans ni rien non nul",
    "es": "no nunca jamás ningún ninguna ninguno nadie nada sin tampoco ni",
    "it": "non mai nessun nessuno nessuna senza niente nulla né neppure",
    "pt": "não nunca jamais nenhum nenhuma ninguém sem nada nem",
    "nl": "niet geen nooit niemand niets zonder noch",
    "sv": "inte ej aldrig ingen inget inga utan",
    "da": "ikke aldrig ingen intet uden",
    "no": "ikke aldri ingen intet uten",
    "pl": "nie nigdy nikt nic bez żaden żadna żadnego żadnych",
    "ru": "не нет ни никогда никто никого ничего ничто без нельзя никакой никаких",
    "uk": "не немає ні ніколи ніхто нікого нічого без",
    "tr": "değil yok hiç",
    "ar": "لا لم لن ليس ليست غير بدون دون",
    "he": "לא אין בלי",
    "ko": "않 못 없 안 아니",
}
# Verbs and adverbs that deny what follows. With a negation they affirm it: "did not deny".
_DENIALS = {
    "en": """deny denies denied denying refuse refuses refused refusing fail fails failed failing
        reject rejects rejected rejecting unable lack lacks lacked prevent prevents prevented avoid
        avoids avoided""",
    "de": """bestreitet bestritt bestritten bestreiten dementiert dementierte verweigert verweigerte
        scheitert scheiterte gescheitert verhindert verhinderte""",
    "fr": "dément démenti nie nié refuse refusé échoue échoué empêche empêché",
    "es": "niega negó niegan negaron rechaza rechazó rechazaron evita evitó",
    "ru": "отрицает отрицал отрицала отрицают отказался отказалась отказались опроверг опровергла",
}
_HEDGES = {
    "en": """may might could allegedly alleged suspected reportedly possible possibly likely
        probably perhaps appears appear apparently expected planned plans proposed unconfirmed
        believed feared if threatened threatens considering claimed claims accused accuses alleges
        allegations""",
    "de": """könnte könnten soll sollen mutmaßlich mutmaßliche mutmaßlichen angeblich möglicherweise
        vermutlich offenbar dürfte dürften wohl wahrscheinlich falls erwägt plant""",
    "fr": "pourrait pourraient présumé présumée probablement aurait auraient serait si envisage",
    "es": """podría podrían habría habrían presunto presunta presuntamente supuesto supuestamente
        posible quizás probablemente""",
    "it": "potrebbe potrebbero presunto presunta forse probabilmente sarebbe avrebbe",
    "ru": "якобы может могут возможно предположительно вероятно если",
}
# Where two negations are none; elsewhere they are one: "никто не пришёл", "no vino nadie".
_EACH_COUNTS = frozenset(("en", "de", "nl", "sv", "da", "no"))
_WIDE_NEGATION = re.compile(
    "ない|なかった|なく(?!な)|ません|ず(?=[、。に])|不(?!動)|沒|没|未|無|无|非(?!常)|勿|别"
)
# What gives a cause: models like to find one where the articles only tell two things.
_CAUSES = {
    "en": "because due caused causes causing cause therefore thus hence owing triggered prompted",
    "de": "weil wegen deshalb daher aufgrund verursacht verursachte führte infolge",
    "fr": "parce puisque donc causé provoqué entraîné cause",
    "es": "porque debido causó causado provocó provocado",
    "it": "perché causato causa provocato",
    "ru": "потому поэтому из-за вызвал вызвала вызвало причиной вследствие",
}
# What tells that somebody says so.
_SPEECH = {
    "en": """said says saying say told tells according called calls argued argues warned warns vowed
        promised pledged added insisted insists claimed claims accused denied stated states wrote
        writes announced described believes thinks asked urged suggested acknowledged admitted
        explained noted tweeted declared quoted""",
    "de": """sagte sagt erklärte erklärt laut zufolge so nannte nennt warnte warnt betonte betont
        schrieb kündigte forderte meinte behauptete sprach""",
    "fr": "dit déclaré affirmé selon assuré expliqué estime ajouté écrit annoncé prévenu accusé",
    "es": """dijo dice según afirmó aseguró declaró explicó añadió escribió anunció advirtió acusó
        considera""",
    "it": "detto dice secondo affermato dichiarato spiegato aggiunto scritto annunciato",
    "ru": "сказал сказала заявил заявила сообщил сообщила словам считает написал отметил добавил",
}
_WIDE_SPEECH = re.compile("と述べ|と語|と話|という|によると|说|称|表示|指出|말했|밝혔|따르면|전했")
_WIDE_CAUSE = re.compile("のため|により|原因|せいで|因为|由于|导致|所以")
_WIDE_HEDGE = re.compile("かもしれ|可能性|とみられ|疑い|恐れ|おそれ|可能|疑似|据称|涉嫌|或将")
_SHORTENED = re.compile(r"[^\W\d_]+n['’]t\b|\bn['’](?=[^\W\d_])", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+")
_HANGUL = re.compile("[\uac00-\ud7af]")
_PREFIXES = ("un", "in", "im", "il", "ir", "dis", "non")

# Pairs of which a summary must not name the other: each side by its stems.
_OPPOSITES = (
    (
        "rise rises rose risen rising increase increased grow grew grown growth gain gained climb"
        " up higher jump jumped soar soared surge surged raise raised expand expanded",
        "fall falls fell fallen falling decrease decreased shrink shrank shrunk lose lost drop"
        " dropped down lower slump slumped plunge plunged decline declined cut cuts reduce reduced",
    ),
    ("more most above over", "less least fewer below under"),
    ("before earlier", "after later"),
    ("last past previous", "next coming following"),
    (
        "win wins won winner victory beat beats",
        "lose loses lost loser defeat defeated loss losses",
    ),
    (
        "accept accepted approve approved agree agreed back backed support supported welcomed"
        " allow allowed",
        "reject rejected oppose opposed refuse refused criticised criticized condemned block"
        " blocked ban banned veto vetoed",
    ),
    ("guilty convicted", "innocent acquitted cleared"),
    ("open opens opened reopen reopened start started begin began", "close closed shut end ended"),
    ("alive survive survived survivor rescued", "dead died killed kill death"),
    ("arrested detained jailed", "freed released"),
    ("buy bought buys", "sell sold sells"),
    ("north northern", "south southern"),
    ("east eastern", "west western"),
    ("men man male father husband son brother", "women woman female mother wife daughter sister"),
    ("gestiegen stieg steigt steigen erhöht mehr", "gesunken sank sinkt sinken gesenkt weniger"),
    ("vor", "nach"),
    ("gewonnen gewann gewinnt", "verloren verlor verliert"),
    ("augmenté augmente hausse plus", "baissé baisse diminué moins"),
    ("aumentó aumenta subió más", "disminuyó bajó cayó menos"),
    ("вырос выросла выросли растёт увеличился больше", "снизился снизилась упал упали меньше"),
    ("до", "после"),
    ("增加 上昇 上升 上涨 賛成 赞成", "減少 减少 下降 低下 下跌 反対 反对"),
)


def _sets(lists: dict[str, str]) -> dict[str, frozenset[str]]:
    return {name: frozenset(listed.split()) for name, listed in lists.items()}


_NEGATION_SETS, _DENIAL_SETS, _HEDGE_SETS, _CAUSE_SETS, _SPEECH_SETS = map(
    _sets, (_NEGATIONS, _DENIALS, _HEDGES, _CAUSES, _SPEECH)
)
_SIDES = tuple((frozenset(one.split()), frozenset(other.split())) for one, other in _OPPOSITES)


def _of(sets: dict[str, frozenset[str]], tongue: str) -> frozenset[str]:
    """Those of one language; of all where it has no list."""
    own = sets.get(language(tongue))
    return frozenset[str]().union(*sets.values()) if own is None else own


def negated(text: str, tongue: str) -> bool:
    """Whether a clause denies. "Did not deny" does not."""
    plainly, denials = _denied(text, tongue)
    if language(tongue) in _EACH_COUNTS:
        return (plainly + denials) % 2 == 1
    return (plainly > 0) != (denials > 0)


def negations(text: str, tongue: str) -> int:
    """How many there are."""
    return sum(_denied(text, tongue))


def _denied(text: str, tongue: str) -> tuple[int, int]:
    """How many negations, and words that deny."""
    words = _WORD.findall(_composed(text).casefold())
    marks, verbs = _of(_NEGATION_SETS, tongue), _of(_DENIAL_SETS, tongue)
    plainly = sum(word in marks for word in words) + len(_SHORTENED.findall(text))
    plainly += len(_WIDE_NEGATION.findall(text)) + (bool(_HANGUL.search(text)) and _korean(words))
    return plainly, sum(word in verbs for word in words)


def hedged(text: str, tongue: str) -> bool:
    """Whether a sentence says that something may be so. The month of May is no hedge."""
    words = frozenset(word for word in _WORD.findall(_composed(text)) if word.islower())
    return bool(words & _of(_HEDGE_SETS, tongue)) or _WIDE_HEDGE.search(text) is not None


def gives_cause(text: str, tongue: str) -> bool:
    """Whether a sentence says why something is so."""
    words = re.findall(r"[^\W\d_]+(?:-[^\W\d_]+)*", _composed(text).casefold())
    causes = _of(_CAUSE_SETS, tongue)
    return any(word in causes for word in words) or _WIDE_CAUSE.search(text) is not None


def tells_who_says(text: str, tongue: str) -> bool:
    """Whether a sentence tells that somebody says what it tells."""
    words = _WORD.findall(_composed(text).casefold())
    speech = _of(_SPEECH_SETS, tongue)
    return any(word in speech for word in words) or _WIDE_SPEECH.search(text) is not None


def turned(written: str, source: str) -> str:
    """The word of a clause that stands for the opposite of one in its source; "" for none."""
    words, known = _words(written), _words(source)
    new = words - known
    for word in sorted(new):
        if _unmade(word, known):
            return word
    for sides in _SIDES:
        for side, other in (sides, sides[::-1]):
            if (
                (named := _among(side, new, written))
                and not _among(side, known, source)
                and _among(other, known, source)
                and not _among(other, words, written)
            ):
                return named
    return ""


def _among(side: frozenset[str], words: frozenset[str], text: str) -> str:
    """A word of one side that a clause has; words of scripts without blanks stand anywhere."""
    if found := sorted(side & words):
        return found[0]
    return next((one for one in sorted(side) if one > "\u3000" and one in text), "")


def _unmade(word: str, known: frozenset[str]) -> bool:
    """ "unlikely" for "likely", or the other way round."""
    stems = {stem(one) for one in known}
    if len(word) < 4 or stem(word) in stems:
        return False
    without = (word.removeprefix(one) for one in _PREFIXES if word.startswith(one))
    if any(len(rest) >= 4 and rest in known for rest in without):
        return True
    return any(one + word in known for one in _PREFIXES)


def _korean(words: Sequence[str]) -> bool:
    """Negations of Korean are the beginnings of words, or words alone."""
    marks = _NEGATION_SETS["ko"]
    return any(word in marks or word.startswith(("않", "못", "없", "아니")) for word in words)


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(_composed(text).casefold()))


def _composed(text: str) -> str:
    return unicodedata.normalize("NFKC", text)
