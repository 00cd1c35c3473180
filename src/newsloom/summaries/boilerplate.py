"""Sentences that tell nothing of the news: bylines, credits, invitations, notices; by looks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from newsloom.duplicates.series_titles import looks_recurring
from newsloom.kernel.text.headlines import headline
from newsloom.kernel.text.sentences import sentences
from newsloom.summaries.said import length

SHORTEST, LONGEST = 5, 60  # words of a sentence worth showing
RECURS = 3  # articles of one feed that have the same sentence
GREETING = 400  # characters at the begin of a newsletter or a podcast's notes that say so

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
    |contributed\ to\ this\ (?:report|story|article)|\bappeared\ first\ on\b
    |originally\ (?:appeared|published)|play\ video|watch:|listen:|related:|more:
    |breaking\ news\ alerts
    |(?:^|you\ can\ )(?:watch|listen\ to|read|view|see|find)\ .{0,80}\bhere[.!]$
    |download\ (?:the|our)\ app|get\ (?:the|our)\ .{0,30}\ (?:app|newsletter|inbox)|log\ ?in\ to
    |register\ (?:now|to)
    |leave\ a\ comment|have\ your\ say|support\ (?:our|us)|(?:^|please\ |consider\ )donat
    |continue\ reading
    |(?:\u2026|\.\.\.)[\])]?$|\s(?:\u2026|\.\.\.)\s|\[\.\.\.\]
    |hier\ klicken|mehr\ dazu|jetzt\ abonnieren|lesen\ sie\ auch|alle\ rechte\ vorbehalten
    |cliquez\ ici|lire\ (?:aussi|la\ suite)|abonnez-vous|tous\ droits\ réservés
    |erschien\ zuerst\ auf|apareci[óo]\ primero\ en|est\ apparu\ en\ premier
    |haga\ clic|leer\ más|lea\ también|suscríb|todos\ los\ derechos
    """,
    re.IGNORECASE | re.VERBOSE,
)
# Titles of what is written each day, whatever else they say.
_REGULAR = re.compile(
    r"""
    ^the\ papers:|\b(?:all|what|everything)\ you\ need\ to\ know\b|\bquestions\ answered\b
    |\b(?:latest|today[’']s|day[’']s)\ (?:developments|updates|headlines)\b
    |\b(?:morning|midday|evening|daily|weekly)
        \ (?:update|briefing|brief|newsletter|round-?up|digest)\b
    |^(?:\S+\ ){0,3}what\ happened\ (?:in|on)\b
    |^(?:the\ )?\d+\ (?:\w+\ )?(?:things|ways|lessons|songs|reasons|tips|books|films|movies
        |takeaways|facts|charts|questions|ideas|recipes|places|homes)\b
    |^(?:the\ )?\d+\ (?:most|best|worst|greatest|biggest|top)\b
    |\bnews\ briefs?\b|\bin\ pictures\b|\bphotos\ of\b|\bbriefing$|\bround-?up$
    |\bdas\ wichtigste\ (?:am|vom|im)\b|\bder\ tag\ im\ überblick
    |\bl[’']essentiel\ de\ l[’']actualité
    """,
    re.IGNORECASE | re.VERBOSE,
)
_GREETS = re.compile(
    r"""
    here[’']s\ what\ (?:you\ need\ to\ know|happened|to\ know)
    |\b(?:in|on)\ (?:this|today[’']s|this\ week[’']s)
        \ (?:episode|edition|issue|newsletter|podcast|show)
    |\bwelcome\ (?:back\ )?to\ (?:the|this|our|another)\b.{0,60}
        \b(?:newsletter|podcast|edition|episode)
    |\bin\ dieser\ (?:folge|ausgabe)|\bdans\ cet\ épisode|\ben\ este\ episodio|\bin\ questa\ puntata
    """,
    re.IGNORECASE | re.VERBOSE,
)
_BYLINE = re.compile(
    r"^(?:by|von|par|por|from)\s+(?:[A-ZÀ-Ý][\w.'’-]+[\s,]*(?:and\s+)?){1,6}(?:\(|\||,|–|-|$|\.$)"
)
# What WordPress puts below each article of a feed. The title in it may be several sentences.
_FOOTER = re.compile(r"(?:^|\s)The post .{1,300}? (?:appeared first on|first appeared on) .{1,80}$")
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


def is_roundup(title: str, text: str) -> bool:
    """Whether an article is a newsletter, a live page, a podcast or another regular item."""
    return (
        looks_recurring(headline(title))
        or _REGULAR.search(title) is not None
        or _GREETS.search(text[:GREETING]) is not None
    )


def recurring(texts: Sequence[str]) -> frozenset[str]:
    """The sentences that RECURS or more of some texts of one feed have."""
    count: Counter[str] = Counter()
    for text in texts:
        count.update(set(sentences(text)))
    return frozenset(one for one, times in count.items() if times >= RECURS)


def without(text: str, standing: frozenset[str]) -> str:
    """A text without some sentences, nor what blogs end with; each line is one afterwards."""
    text = _FOOTER.sub("", text)
    if not standing:
        return text
    lines = ([one for one in sentences(line) if one not in standing] for line in text.split("\n"))
    return "\n".join(" ".join(one) for one in lines if one)


# What a sentence begins with that leans on the one before it.
_LEANS = re.compile(
    r"""
    ^["“‘'«„]?(?:
    (?:he|she|it|they|his|her|its|their|this|that|these|those|such|both|another|others|neither
    |but|and|so|yet|also|however|meanwhile|separately|still|then|instead|nevertheless|nonetheless
    |moreover|furthermore|additionally|in\ addition|by\ contrast|on\ the\ other\ hand|for\ example
    |for\ instance|as\ a\ result|therefore|thus|besides|likewise|similarly|earlier|later|afterwards
    |그는|그녀는|이는|이에|또|또한|그러나|하지만|이어|이날
    |er|sie|es|das|dies|diese|dieser|dieses|und|seine|ihre|deshalb|damit|dabei|dazu|daher|aber|doch|auch|zudem|außerdem|jedoch
    |il|elle|ils|elles|cela|ce|cette|ces|mais|et|aussi|toutefois|cependant|él|ella|ellos|esto|esta|este
    |pero|también|además|sin\ embargo|questo|questa|ma|anche|inoltre|tuttavia)\b(?!\ is\ )
    |(?:the|this|that)\ (?:compan(?:y|ies)|group|firm|ministry|moves?|measures?|decision|deal
    |visit|attacks?|incident|statement|comments?|remarks?|two|three|pair|duo|man|woman|men|women|boy|girl
    |officials?|bill|law|case|plan|document|agency|report|study|package|meeting|talks|trial|suspect
    |victims?|former|latter|video|team|club|player|couple|family|organi[sz]ation|restrictions?)\b
    (?!\ (?-i:[A-ZÀ-Ý]))
    )
    |^(?:with|in|by|at|on|of|for|from|to|after|before|under)\ (?:this|that|these|those|such)\b
    |^(?:(?:i|we)(?:['’](?:m|re|ve|d|ll))?|my|our|here['’]s|here\ (?:is|are))\s
    |\b(?:,\ (?:however|though|too|meanwhile),)
    |^(?:\S+\s){1,4}also\b
    """,
    re.IGNORECASE | re.VERBOSE,
)


def stands_alone(sentence: str) -> bool:
    """Whether a sentence can be read without the one before it, and is no question."""
    if sentence.rstrip('"”’»)').endswith(("?", "？")) or unbalanced(sentence):
        return False
    return not leans(sentence)


def leans(sentence: str) -> bool:
    """Whether a sentence begins with what only the one before it explains."""
    return _LEANS.search(sentence) is not None


# Where and for whom something was written, before the news: "LONDON (Reuters) - ", "[Capital FM]".
_DATELINE = re.compile(
    r"^(?:\[[^\]]{2,40}\]\s*)?(?:"
    r"[A-ZÀ-Ý][A-ZÀ-Ý.,’' -]{2,40}(?:,?\ [A-Z][a-z]{2,8}\.?\ \d{1,2})?"
    r"(?:\s?\([A-Za-z ,/.]{2,30}\))?\s?(?::|--|[–—]|\s-)\s+"
    r"|(?:[A-Z][\w’'-]+,?\s){1,3}(?:--|[—])\s+"
    r"|\([A-Z]{2,12}\)\s?(?:--|[-–—])\s+)?"
)


def undated(sentence: str) -> str:
    """A sentence without the dateline before it."""
    rest = sentence[_DATELINE.match(sentence).end() :]  # type: ignore[union-attr]
    return rest if rest[:1].isupper() or rest[:1] in "\"“‘'«„" else sentence


def unbalanced(sentence: str) -> bool:
    """Whether a quotation or a bracket is opened or closed outside the sentence."""
    straight = sentence.count('"') % 2
    return bool(straight) or any(
        sentence.count(one) != sentence.count(other) for one, other in ("“”", "()", "「」")
    )
