"""Sentences that tell nothing of the news: bylines, credits, invitations, notices; by looks."""

from __future__ import annotations

import re

from newsloom.summaries.said import length

SHORTEST, LONGEST = 5, 60  # words of a sentence worth showing

_PHRASES = re.compile(
    r"""
    click\ (?:here|on|to)|tap\ here|read\ (?:more|also|next|the\ full)|sign\ up
    |\bsubscribe\b|\bunsubscribe\ (?:at|here|by)
    |newsletter
    |follow\ (?:us|him|her|them|me)\ on|like\ us\ on|share\ this
    |cookies?\ (?:policy|settings|consent)
    |(?:we|site|website)\ uses?\ cookies|accept\ (?:all\ )?cookies|privacy\ policy
    |terms\ of\ (?:use|service)
    |all\ rights\ reserved|copyright\ ©?|©|enable\ javascript|your\ browser|advertis(?:e)?ment
    |this\ (?:video|content|article)\ (?:is|was|has|can)\ (?:not|no|un|originally|first)
    |(?:photo|image|picture|video)\ ?(?:credit|caption|source|by|copyright|:)|getty\ images
    |file\ photo
    |(?:ap|afp|reuters|epa)\ photo|photograph(?:ed)?(?:\ by)?:|reporting\ by|editing\ by|writing\ by
    |contributed\ to\ this\ (?:report|story|article)|the\ post\ .{0,200}\ appeared\ first
    |originally\ (?:appeared|published)|play\ video|watch:|listen:|related:|more:
    |breaking\ news\ alerts
    |(?:^|you\ can\ )(?:watch|listen\ to|read|view|see|find)\ .{0,80}\bhere[.!]$
    |download\ (?:the|our)\ app|get\ (?:the|our)\ .{0,30}\ (?:app|newsletter|inbox)|log\ ?in\ to
    |register\ (?:now|to)
    |leave\ a\ comment|have\ your\ say|support\ (?:our|us)|(?:^|please\ |consider\ )donat
    |continue\ reading
    |\[?\u2026\]?$|\[\.\.\.\]
    |hier\ klicken|mehr\ dazu|jetzt\ abonnieren|lesen\ sie\ auch|alle\ rechte\ vorbehalten
    |cliquez\ ici|lire\ (?:aussi|la\ suite)|abonnez-vous|tous\ droits\ réservés
    |erschien\ zuerst\ auf|apareci[óo]\ primero\ en|est\ apparu\ en\ premier
    |haga\ clic|leer\ más|lea\ también|suscríb|todos\ los\ derechos
    """,
    re.IGNORECASE | re.VERBOSE,
)
_BYLINE = re.compile(
    r"^(?:by|von|par|por|from)\s+(?:[A-ZÀ-Ý][\w.'’-]+[\s,]*(?:and\s+)?){1,6}(?:\(|\||,|–|-|$|\.$)"
)
_ADDRESS = re.compile(r"https?://|www\.|\S+@\S+\.\w|[@#]\w{3,}")
_MARKUP = re.compile(r"[<>{}\\|^`]|&(?:[a-z]+|#\d+);|function\s*\(|\bvar\s")
_ENDS = re.compile(r"[.!?…؟۔।॥。！？｡][\"'”’»)\]」』）]*$")


def tells_nothing(sentence: str) -> bool:
    """Whether a reader loses nothing if it is never chosen for a summary."""
    words = length(sentence)
    if not SHORTEST <= words <= LONGEST or _ENDS.search(sentence) is None:
        return True
    letters = [one for one in sentence if one.isalpha()]
    if len(letters) < 0.5 * len(sentence.replace(" ", "")):
        return True
    if sum(map(str.isupper, letters)) > 0.6 * len(letters):
        return True
    return any(one.search(sentence) for one in (_PHRASES, _BYLINE, _ADDRESS, _MARKUP))


def unbalanced(sentence: str) -> bool:
    """Whether a quotation or a bracket is opened or closed outside the sentence."""
    straight = sentence.count('"') % 2
    return bool(straight) or any(
        sentence.count(one) != sentence.count(other) for one, other in ("“”", "()", "「」")
    )
