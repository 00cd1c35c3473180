"""Sentences that tell nothing of the news: bylines, credits, invitations, notices; by looks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

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
    |^this\ (?:timeline|video|clip|gallery|article|page|post|map|chart)\ (?:\w+s)\b
    |(?-i:(?:\b[A-Z]{2,},?\ ){5})
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
    |continue\ reading|\blive\ ?blog\b|\bfollow\ our\b
    |^[$€£]\s?[\d.,]+\s?[-–—]\s|^(?:relive|catch\ up|check\ out|find\ out)\b|^feature\ interview
    |^see\ (?:the|how|what|which|where|why|our|more|all)\b
    |^(?:images|pictures|photos|photographs)\ (?:from|of)\b
    |^watch\ (?:an?|the|as|how|this|our|more|highlights|live)\b
    |^(?:the\ )?(?-i:BBC|DW|RNZ|CNN|NPR|ABC|CBS|NBC|Al\ Jazeera|Sky\ News)
        (?:\ (?-i:[A-Z])\w+)?(?:[’']s(?:\ (?-i:[A-Z])[\w.’'-]+){2,3})?
        \ (?:spoke|speaks|talked|talks|visited|visits|looks?|went|asks?|asked|met|meets|reports?
        |explains?|explores|has\ (?:more|the))\b
    |using\ links\ on\ our\ site|written\ independently
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
    ^the\ papers:|\blist\ of\ key\ events\b|^newspaper\ headlines:
    |^live(?:\ updates?)?:|\blive\ blog\b
    |\blive\b.{0,40}\bupdates?\b|^(?:\S+\ ){1,4}updates:
    |\b(?:all|what|everything)\ you\ need\ to\ know\b|\bquestions\ answered\b
    |\b(?:latest|today[’']s|day[’']s)\ (?:developments|updates|headlines)\b
    |\b(?:morning|midday|evening|daily|weekly)
        \ (?:update|briefing|brief|newsletter|round-?up|digest)\b
    |^(?:\S+\ ){0,3}what\ happened\ (?:in|on)\b
    |(?:^|:\ )(?:the\ )?(?:\d+|two|three|four|five|six|seven|eight|nine|ten)\ (?:[\w’'-]+\ ){0,2}
        (?:things|ways|lessons|songs|reasons|tips|books|films|movies|takeaways|facts|charts
        |questions|ideas|recipes|places|homes|products|gifts|tricks|mistakes|myths)\b
    |^highlights:|\ highlights:|[-–—]\ (?:report\ (?:&|and)\ )?highlights\b
    |^weekend\ reads?\b|\b\d+\ of\ the\ best\b|^match\ of\ (?:the|their)\ day\b
    |^gossip\s?[:–—-]|\bgossip$|day[’']s\ (?:\w+\ )?gossip\b
    |^(?:the\ )?\d+\ (?:most|best|worst|greatest|biggest|top)\b
    |\bbest\ of\ (?:the\ )?(?:day|week|month)\b|\bnews\ briefs?\b
    |\bin\ (?:pictures|photos)\b|\bphotos\ of\b
    |\bbriefing$|\bround-?up$|\bround-up\b
    |\bdas\ wichtigste\ (?:am|vom|im)\b|\bder\ tag\ im\ überblick
    |\bl[’']essentiel\ de\ l[’']actualité
    """,
    re.IGNORECASE | re.VERBOSE,
)
_GREETS = re.compile(
    r"""
    here[’']s\ what\ (?:you\ need\ to\ know|happened|to\ know)|\bthings\ (?:you\ need\ )?to\ know\b
    |\b(?:follow|read|see|watch)\b.{0,40}\blive\ (?:updates|blog|coverage)\b
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
    r"|^By\s+(?:[A-ZÀ-Ý][\w.'’-]+\s+){2,4}(?:of|for)\s"
)
# What WordPress puts below each article of a feed. The title in it may be several sentences.
_FOOTER = re.compile(r"(?:^|\s)The post .{1,300}? (?:appeared first on|first appeared on) .{1,80}$")
_ADDRESS = re.compile(r"https?://|www\.|\S+@\S+\.\w|[@#]\w{3,}")
_MARKUP = re.compile(r"[<>{}\\|^`]|&(?:[a-z]+|#\d+);|function\s*\(|\bvar\s")
_ENDS = re.compile(r"[.!?…؟۔।॥。！？｡][\"'”’»)\]」』）]*$")


# Cached because each digest and brief checks the same sentences several times.
@lru_cache(maxsize=4_096)
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


# Titles that promise to explain, to show or to argue, and tell no news.
_FEATURE = re.compile(
    r"""
    [?？]\W*(?:\|\s.{1,30})?$|(?:\.\.\.|…)$|^timeline\b|\bquiz\b|\bdiary:
    |^["“‘'«„][^"“”‘’'«»„]{10,}["”’'»“]\W*(?:\S+\W*){0,2}$
    |^["“‘'«„](?:(?!["”’'»“]\W*\s).){10,}["”’'»“]\W*$
    |^(?:watch|listen|video|opinion|comment|analysis|explainer|review|interview|quiz|recipe|podcast
        |kommentar|meinung|analyse|vidéo|opinión|análisis|opinione)\s?[:|]
    |^["“‘'«„].{8,}?["”’'»“]\s[-–—]\s|^\w+ing\ (?:an?|the|your|our|my|up)\b|^inside\b
    |^(?:an?\ )?(?:interview\ with|introduction\ to|tutorial|guide\ to)\b|\b(?:guide|tutorial)$
    |:\ \w+ing\ (?:up\ )?(?:an?|the|your|our|my)\b|^(?:\w{4,}\.\ ){2}
    |^the\b(?!\ (?:united|european|eu|us|uk|un)\b)|:\ (?:the|(?-i:An?))\ (?!["“‘'])
    |[-–—:]\ what\ (?:we|you|to)\b|\bspeaks?\ out$
    |:\s["“‘'«„].{8,}["”’'»“]\W*$|^[!-\u024f‘-”]+(?:\ [!-\u024f‘-”]+)?$
    |^(?:meet|recently\ released|your|my)\b|^(?:wie|warum|wer|wo|pourquoi|comment|por\ qué|cómo
        |quién|perché|come\ (?:si|la|il|le|gli))\b
    |(?:^|:\ )(?:what|how|why|when|where|(?-i:[Ww]ho|Was))\b(?!.{0,40}:)|:\ (?:your|my|our)\b
    |\ [-–—]\ (?:how|why)\b|\btales\ (?:from|of)\b
    |(?:^|:\ )["“‘']?i(?:['’](?:m|ve|d|ll)|\ (?:am|was|have|had|did|never|want|think|wore|lost))\b
    |\bhere[’']s\ (?:what|how|why|where|when|who)\b|^revealed\b|\brevealed$|\band\ more$
    |\banswers?\ questions\b|\bbreaks?\ (?:\w+\ )?silence\b|\bshed(?:s|ding)?\ (?:\w+\ )?light\b
    |^see\ (?:the|how|what|which|where)\b|\bfact-check|\bin\ (?:the\ )?spotlight\b
    |\breveals?\ (?:the\ |his\ |her\ )?reasons?\b
    |^from\b.{3,60}\bto\b.{3,60}[:,]["”’']?\ |:\ inside\b|\breason\ (?-i:[A-Z])
    """,
    re.IGNORECASE | re.VERBOSE,
)


# What a publisher writes before the text of an opinion: "COMMENT: ".
_OPINION = re.compile(
    r"^(?:comment|opinion|editorial|analysis|column|review|kommentar|meinung|analyse|tribune"
    r"|chronique|opinión|análisis|opinione|commento)\s?[:|]\s",
    re.IGNORECASE,
)


def is_feature(title: str, text: str) -> bool:
    """Whether an article asks, explains or argues instead of telling news."""
    return _FEATURE.search(title) is not None or _OPINION.search(text) is not None


# Plans: "Talks to resume in Geneva".
_ANNOUNCES = re.compile(
    r"\bto (?!the\b)[a-z]{3,}\b|\b(?:will|ahead of|expected|vor|soll|avant|antes de)\b"
)


def announces(title: str) -> bool:
    """Whether a title tells of something planned."""
    return _ANNOUNCES.search(title) is not None


# The programme or the section before a text: "Checkpoint - ".
_PROGRAMME = re.compile(r"^(?:[A-Z][\w’'&]*\ ){1,4}[-–—|]\ ")


def recurring(texts: Sequence[str]) -> frozenset[str]:
    """The sentences that RECURS or more of some texts of one feed have, and what they begin with
    before a dash."""
    count: Counter[str] = Counter()
    for text in texts:
        begins = _PROGRAMME.match(text)
        count.update({*sentences(text), *([begins[0]] if begins else ())})
    return frozenset(one for one, times in count.items() if times >= RECURS)


def without(text: str, standing: frozenset[str]) -> str:
    """A text without some sentences, nor what blogs end with; each line is one afterwards."""
    text = _FOOTER.sub("", text)
    if not standing:
        return text
    begins = _PROGRAMME.match(text)
    if begins and begins[0] in standing:
        text = text[begins.end() :]
    lines = ([one for one in sentences(line) if one not in standing] for line in text.split("\n"))
    return "\n".join(" ".join(one) for one in lines if one)


# What begins a sentence that stands for something in the one before it.
_STANDS_FOR = re.compile(
    r"""
    ^["“‘'«„]?(?:
    (?:he|she|it|they|his|her|its|their|this|that|these|those|such|both|another|others|neither
    |그는|그녀는|이는|er|sie|es|das(?!\ (?-i:[A-ZÄÖÜ]))|dies|diese|dieser|dieses|seine|ihre
    |damit|dabei|dazu|elles?|ils
    |il(?=\ (?:a|est|ne|se|y|en|va|avait|était|sera|doit|peut|faut|fait|dit|veut)\b|\ [ns]['’])
    |cela|ce|cette|ces|él|ella|ellos|esto|esta|este|questo|questa)\b(?!\ is\ )
    |(?:the|this|that)\ (?:compan(?:y|ies)|group|firm|ministry|moves?|measures?|decision|deal
    |visit|attacks?|incident|statement|comments?|remarks?|two|three|pair|duo|man|woman|men|women
    |boy|girl|officials?|bill|law|case|plan|document|agency|report|study|package|meeting|talks
    |trial|suspect|victims?|former|latter|video|team|club|player|couple|family|organi[sz]ation
    |restrictions?|outage|message|post|phrase|result|(?:first|second|third|other|next)\ one)\b
    (?!\ (?-i:[A-ZÀ-Ý]))
    )
    |^(?:with|in|by|at|on|of|for|from|to|after|before|under)\ (?:this|that|these|those|such)\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
# What goes on from the sentence before it, or speaks as the writer.
_GOES_ON = re.compile(
    r"""
    ^["“‘'«„]?(?:but|and|so|yet|also|however|meanwhile|separately|still|then|instead|nevertheless
    |nonetheless|moreover|furthermore|additionally|in\ addition|by\ contrast|on\ the\ other\ hand
    |for\ example|for\ instance|as\ a\ result|therefore|thus|besides|likewise|similarly|earlier
    |later|afterwards|이에|또|또한|그러나|하지만|이어|이날|und|deshalb|daher|aber|doch|auch|zudem
    |außerdem|jedoch|mais|et|aussi|toutefois|cependant|pero|también|además|sin\ embargo|ma|anche
    |inoltre|tuttavia)\b(?!\ is\ )
    |^(?:(?:i|we)(?:['’](?:m|re|ve|d|ll))?|my|our|here['’]s|here\ (?:is|are)|last\ time,)\s
    |\b(?:,\ (?:however|though|too|meanwhile),)
    |^(?:\S+\s){1,6}(?:also|previously|earlier)\b|^(?:what|how|why|which|as\ you\ know|(?-i:Who))\b
    |^while\b[^,]*$|^(?:it|this|that|the\ \w+)\ (?:follow|come|came\ (?!off|to|into|under))
    |^(?:\S+\s){1,6}(?:did|does|do|was|were|is|has|have)(?:\ not|n['’]t)?\.$
    """,
    re.IGNORECASE | re.VERBOSE,
)


# Who writes, outside quotations: "I", "our readers".
_WRITER = re.compile(
    r"""
    (?<!War\ )\b(?-i:I)\b(?!\.)|\b(?:(?-i:us)|we|my|me|our|myself|ourselves|ich|mein(?:e[mrs]?)?|wir
    |(?:friends?|colleagues?)\ of\ mine
    |unser\w{0,2}|nous|notre|yo|nosotros|nuestr[ao]s?|noi|nostr[aeio])\b
    |\bj['’](?:ai|avais|étais)\b|\bje\ (?:suis|me|ne)\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
_QUOTED = re.compile(r"[\"“„«].*?[\"”“»]|(?<!\w)[‘'].*?[’'](?!\w)")


def stands_alone(sentence: str, *, below_title: bool = False) -> bool:
    """Whether a sentence can be read without the one before it, and is no question.

    Below a title that names them, "he" and "the company" are understood.
    """
    if broken(sentence):
        return False
    if below_title:
        return _GOES_ON.search(sentence) is None
    return not leans(sentence)


def leans(sentence: str) -> bool:
    """Whether a sentence begins with what only the one before it explains."""
    return bool(_GOES_ON.search(sentence) or _STANDS_FOR.search(sentence))


def broken(sentence: str) -> bool:
    """Whether a sentence cannot be read in any place: a question, half a quotation, "I think"."""
    if sentence.rstrip('"”’»)').endswith(("?", "？")) or unbalanced(sentence):
        return True
    # The one who writes speaks of themselves: nobody knows below a title who that is.
    return _WRITER.search(_QUOTED.sub(" ", sentence)) is not None


# Where and for whom something was written, before the news: "LONDON (Reuters) - ", "[Capital FM]".
_DATELINE = re.compile(
    r"^(?:\[[^\]]{2,40}\]\s*)?(?:"
    r"[A-ZÀ-Ý][A-ZÀ-Ý.,’'/ -]{2,40}(?:,?\ [A-Z][a-z]{2,8}\.?\ \d{1,2})?"
    r"(?:\s?\([A-Za-z ,/.]{2,30}\))?\s?(?::|--|[–—]|\s-)\s+"
    r"|(?:[A-Z][\w’'-]+,?\s){1,3}(?:--|—|[-–](?!.*\s[-–]\s))\s+"
    r"|\([A-Z]{2,12}\)\s?(?:--|[-–—])\s+"
    r"|(?:EXCLUSIVE|BREAKING|UPDATED?)\b[: -]*(?=[A-Z])"
    r"|By\ (?:RNZ|NZME|AP|AFP|DPA|EFE|PTI|ANI|IANS|\w+\.com)\s+(?=[A-Z][\w’']*\s)"
    r"|By\ [A-Z]{2,}[’']s\ (?:[A-Z][\w’'-]+\s){2}(?=[A-Z])"
    r"|By\ (?:[A-Z][\w’'-]+\s){2,3}(?:for|of)\ [A-Z]{2,}\s(?=[A-Z]))?"
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
