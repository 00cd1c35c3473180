"""Whether a text is in English, by its letters and its commonest words. Pure.

What a feed says of its language is often missing or wrong: blog software writes "en-US" wherever it
is installed. So a text is judged by itself, and what the feed says decides where it says nothing.
"""

from __future__ import annotations

import re

from newsloom.kernel.text.language import language

# Characters that are looked at: a title and some lines decide.
_MOST = 900

# Of the letters, those of another script than Latin from which on a text is not English.
_FOREIGN_LETTERS = 0.25

_LATIN = re.compile(r"[A-Za-z\u00aa-\u024f\u1e00-\u1eff]")
_WORD = re.compile(r"[^\W\d_]+")

_ENGLISH_WORDS = """
    the of and to is that for on with as by at from it this are was be has have will not its their
    they he she his her you your our we but after over how what why when who which about more into
    says said new than would could can been were had there out up an if so do does my just
"""
_ENGLISH = frozenset(_ENGLISH_WORDS.split())

# Of the Latin script, by language; none of these is a common word of English.
_OTHER_WORDS = """
    der die das und ist nicht ein eine einen dem den des mit auf für von zu im wie auch sich bei
    nach aus wird werden oder über dass nur noch zum zur vom er sie es wir ich hat sind
    le la les des du et est un une dans pour que qui sur au aux par pas plus avec ce cette ses son
    sont ou mais nous vous il elle je de à été se ont
    el los las del y en una por con para que se su sus al lo como más pero fue es ha desde sobre
    il lo gli i di della dello dei degli delle che è e per un non con sono nel nella alla dal dalla
    si ma anche più come ci ho da al ai questo questa
    o os as do da dos das em no na nos nas um uma com não mais ao foi à são pelo pela
    het een van dat op te zijn met voor niet aan er om ook als naar bij maar uit deze wordt je ik
    och att det som är på av för med den till inte ett om har jag vi kan från så men
    af og til ikke jeg ved blev være
    nie się jest na z że do w o jak ale po od przez dla oraz są co tak
    și este nu cu pe din la care mai sunt în
    bir ve bu için ile da olarak daha çok
    els amb per dels són
    se v na je že pro jsou si od ve
"""
# Words of both are evidence of neither: "die", "was" and "as" are German, Dutch or Portuguese too.
_BOTH_WORDS = "i o a as no do on me an so in to was be her die con per non care plus pro do al"
_OTHER = frozenset(_OTHER_WORDS.split()) - frozenset(_BOTH_WORDS.split())


def is_english(text: str, declared: str = "") -> bool:
    """Judged by the text; where its words say nothing, by the language that its feed declares."""
    seen = text[:_MOST]
    letters = sum(map(str.isalpha, seen))
    if letters - len(_LATIN.findall(seen)) > _FOREIGN_LETTERS * letters:
        return False
    words = [word.lower() for word in _WORD.findall(seen)]
    english = sum(word in _ENGLISH for word in words)
    other = sum(word in _OTHER for word in words)
    said = language(declared)
    if said in {"", "en"}:
        return other <= english or (other < 2 and said == "en")
    return english >= 3 and english > 2 * other
