"""Sentences that speak to a language model or to the reader instead of telling news; by looks.

No rule finds them all. What is found is no evidence for anything.
"""

from __future__ import annotations

import re
import unicodedata

_IGNORE = (
    "ignor|disregard|forget|override|bypass|vergiss|missacht|oubli|olvid|dimentic|esque[cç]|игнорир"
    "|забудь|ігнору|yok say|görmezden|تجاهل|忽略|无视|無視"
)
_RULES = (
    "instructions|the above|(?:previous|prior|preceding) (?:text|message|prompt|rule|command|task)"
    "|(?:your|system) (?:prompt|rules)"
    "|anweisung|obige|consigne|ci-dessus|instru[cç]|istruzion|инструкц|указани|выше|інструкц|talimat"
    "|تعليمات|指示|指令|上記|以上"
)
_IGNORE, _RULES = _IGNORE.replace(" ", r"\ "), _RULES.replace(" ", r"\ ")
_ORDERS = re.compile(
    rf"""
    (?:{_IGNORE})\w*\W.{{0,40}}(?:{_RULES})
    |(?:{_RULES})\w*.{{0,40}}(?:yok\ say|無視|忽略|无视)
    |(?:これまでの|以前の|上記の|之前的).{{0,12}}(?:指示|指令)
    |\b(?:ignoriere|vergiss)\ (?:alle|alles|die)|\btalimatlar|\bинструкции\b.{{0,40}}\bответь
    |system\ prompt|you\ are\ (?:now\ )?(?:an?\ )?(?:ai|assistant|language\ model|free|chatgpt)\b
    |\bas\ an\ ai\b|\bai\ (?:language\ )?model,?\ i\b
    |\bi\ (?:cannot|can't)\ (?:summari|comply|assist)
    |\[/?inst\]|<\|?im_(?:start|end)|<<sys>>|\bobey\b.{{0,20}}\b(?:instead|me)\b
    |\b(?:write|print|output|say|respond|reply|answer|repeat)\b[^.]{{0,20}}
      \b(?:the\ following|exactly|only\ with|with\ only|verbatim|in\ the\ summary|as\ json)\b
    |\b(?:in|of)\ (?:your|the)\ (?:summary|answer|output)\b.{{0,40}}\b(?:say|write|include|state)\b
    |(?:include|put|state|mention)\b.{{0,60}}\b(?:in|to)\ your\ (?:summary|answer|output|reply)
    |\bsummari[sz](?:e|ing)\ (?:this|these|the)\ (?:article|text)
    |\bnote\ to\ (?:the\ )?(?:ai|assistant|language\ model|summari[sz]er)
    """,
    re.IGNORECASE | re.VERBOSE,
)
_TO_THE_READER = re.compile(
    r"\b(?:[Yy]ou|[Yy]ours?|[Ww]e|[Oo]urs?|[Mm]y)\b|\b[Hh]ere (?:is|are) (?:the|a|your)\b"
    r"|\b(?:this|the) (?:article|summary|text)s?\b|\b[Aa]rticle \d",
)
_QUOTED = re.compile(r'"[^"]*"')


def gives_orders(text: str) -> bool:
    """Whether a text tells a language model what to do."""
    return _ORDERS.search(" ".join(unicodedata.normalize("NFKC", text).split())) is not None


def to_the_reader(sentence: str) -> bool:
    """Whether a sentence that is `facts.normal` speaks to somebody, outside quotations."""
    return _TO_THE_READER.search(_QUOTED.sub("", sentence)) is not None
