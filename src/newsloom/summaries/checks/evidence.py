"""Whether a sentence stands on articles: each thing in it that can be looked up is looked up.

Finds what is not there and some of what was turned round. It understands nothing: a sentence out
of the articles' words that means another thing may pass, and a fair one in new words may not.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations

from newsloom.kernel.ids import ArticleId
from newsloom.kernel.text.language import language
from newsloom.summaries.boilerplate import tells_nothing
from newsloom.summaries.checks import facts, flips
from newsloom.summaries.checks.grounds import (
    HEAD,
    Clause,
    Grounds,
    Written,
    clause_of,
    clauses_of,
    key,
    openers,
)
from newsloom.summaries.checks.orders import gives_orders, to_the_reader
from newsloom.summaries.disagreements import harm
from newsloom.summaries.said import said, stem

# Of a sentence's words in its articles, and in the two of their sentences that have most of them.
# So a sentence may have one word in five of its own. Of 410 sentences of articles, 6.6 % have four
# fifths of their words in another outlet's article on the same matter and 0.5 % in one on another;
# at half it is 40 % and 10 %. Two sentences: it may weave two into one, not the whole article.
KNOWN = 0.8
TOGETHER = 0.6
# Of each part behind ", and", in one of their sentences: of 14 sentences of a 135M model that stood
# without this, 7 made one statement of two (docs/work/quality.md).
ONE = 0.7
# An article of several is named for a sentence if it has so many of its words.
CREDITED = 0.34
# A sentence is compared with those that have so many of its words besides its names: each of its
# clauses with any that is near, all of it only with what is nearly the same.
HALF, NEARLY_THE_SAME = 0.5, 0.7

_MARKUP = re.compile(r"[\[\]<>{}|\\^`*_#~]|\b[a-z0-9-]+\.[a-z]{2,}\b|://|\bwww\.|\S@\S")
_BREAK = re.compile(r"[,;:.!?()\"](?=\s|$)|[、，。]|\b(?:and|but|while|und|et|y|и|а)\b")
_PARTS = re.compile(
    r";|, (?:and|but|und|aber|et|mais|y|pero|e|ma|и|но|а) |\b(?:while|whereas|während)\b"
)
_NEAR, _NEAR_WIDE = 48, 8  # characters around a number that say what it counts
_WITHOUT_BLANKS = "\u3000"  # from here on words are not divided
_PLACE_FIRST = re.compile(
    r"\W*(?:In|At|On|Near|From|Across|Outside|After|During|En|À|Em|På)"
    r" (?:the |la |el |le |les |los )?([A-ZÀ-Ý][^\W\d_]+(?: [A-ZÀ-Ý][^\W\d_]+){0,3})"
)
_PASSIVE = re.compile(r"\b(?:by|par|por|da|door)\b")
# Where the order of two names tells who did what to whom.
_ORDERED = frozenset(("en", "fr", "es", "it", "pt", "nl", "da", "no", "sv"))
_LEAST_WORDS = 2  # of a clause that is compared
_SHORT = 3  # "US" is not "us"


def reason_against(one: Written, found: Sequence[Grounds]) -> str:
    """Why a sentence does not stand on the articles it names; "" if nothing is found."""
    for look in OF_ITSELF:
        if reason := look(one, found):
            return reason
    if any(passage.whole.text == one.text for each in found for passage in each.passages):
        return ""  # word for word
    for look in BY_THE_ARTICLES:
        if reason := look(one, found):
            return reason
    return ""


def rests_on(one: Written, found: Sequence[Grounds]) -> tuple[ArticleId, ...]:
    """Of the articles that a sentence names those that say it all; if none does, that say some."""
    alone = [each for each in found if not reason_against(one, [each])]
    credited = alone or [each for each in found if _share(one.says.words, [each]) >= CREDITED]
    return tuple(each.article.id for each in credited or found)


# The checks. Each gives its reason in words, or "".


def _plain(one: Written, _found: Sequence[Grounds]) -> str:
    if one.hidden:
        return "it has signs that nobody sees"
    if _MARKUP.search(one.text):
        return "it has markup or a link"
    if facts.half_quoted(one.text):
        return "it has half a quotation"
    if tells_nothing(one.text):
        return "it is no whole sentence of news"
    return ""


def _orders(one: Written, found: Sequence[Grounds]) -> str:
    if gives_orders(one.text) or to_the_reader(one.text):
        return "it speaks to somebody"
    if any(each.orders for each in found):
        return "an article it names gives orders to language models"
    return ""


def _quotations(one: Written, found: Sequence[Grounds]) -> str:
    known = [quoted for each in found for quoted in facts.quotations(each.text)]
    for quoted in facts.quotations(one.text):
        if not any(_holds(other, quoted) for other in known):
            return f"nobody is quoted with “{quoted[:60]}”"
    return ""


def _holds(text: str, words: str) -> bool:
    """Verbatim and between ends of words; only the first letter may be large or small."""
    first = f"[{re.escape(words[0].lower())}{re.escape(words[0].upper())}]"
    wide = not words[0].isascii() and words[0].lower() == words[0].upper()
    edge = "" if wide else r"(?<!\w)"
    end = "" if wide else r"(?!\w)"
    return re.search(f"{edge}{first}{re.escape(words[1:])}{end}", text) is not None


def _amounts(one: Written, found: Sequence[Grounds]) -> str:
    known = {(it.value, it.unit) for each in found for it in facts.amounts(each.text)}
    for amount in facts.amounts(one.text):
        if (amount.value, amount.unit) not in known:
            return f"the number {one.text[amount.begin : amount.end]} is not there as it has it"
    texts = [each.text for each in found]
    if missing := facts.figures(one.text) - set().union(*map(facts.figures, texts)):
        return f"{min(missing)} is not there"
    counted = set().union(*map(facts.counting, texts))
    if any(value == 1 for value, _unit in known):
        counted.add("one")
    if missing := facts.counting(one.text) - counted:
        return f"nothing there says “{min(missing)}”"
    return ""


def _dates(one: Written, found: Sequence[Grounds]) -> str:
    """Times must be there, and said of much the same: each is in a sentence with CREDITED of the
    words, for an article has other times of other matters."""
    dates, moments = facts.dates(one.text), facts.moments(one.text)
    if not dates and not moments:
        return ""
    there = [each.text for each in found]
    near = [
        passage.whole.text
        for each in found
        for passage in each.passages
        if len(_near(one.says.words, passage.whole.words)) >= CREDITED * len(one.says.words)
    ]
    for texts, problem in ((there, "is not there"), (near, "is said of something else there")):
        known = [date for text in texts for date in facts.dates(text)]
        for date in dates:
            if not any(date <= other for other in known):
                return f"the date {' '.join(sorted(date))} {problem}"
        if missing := moments - frozenset[str]().union(*map(facts.moments, texts)):
            return f"the date {min(missing)} {problem}"
    return ""


def _names_known(one: Written, found: Sequence[Grounds]) -> str:
    counted = facts.counted(one.text)
    for token in facts.tokens(one.text):
        if token.begin not in counted and not _token_known(token, one, found):
            return f"the name {token.text} is not there"
    text = "\n".join(each.text for each in found)
    if missing := facts.katakana(one.text) - facts.katakana(text):
        return f"the name {min(missing)} is not there"
    if missing_signs := facts.unknown_signs(one.text, text):
        return f"{missing_signs} is not there"
    for pair in facts.neighbours(one.text):
        if not _pair_known(pair, one, found):
            return f"the name {pair[0].text} {pair[1].text} is not there"
    return ""


def _token_known(token: facts.Token, one: Written, found: Sequence[Grounds]) -> bool:
    if token.caseless:
        heads = facts.heads(token.text)
        return any(heads & each.heads or token.text in each.words for each in found)
    if not token.capital:
        return True
    small = token.text.casefold()
    if token.first and (len(small) == 1 or small in openers(one.tongue)):
        return True
    if token.text.isupper() and len(token.text) <= _SHORT:
        return any(token.text in each.words for each in found)
    return any(facts.forms(token.text, one.tongue) & each.forms for each in found)


def _pair_known(
    pair: tuple[facts.Token, facts.Token], one: Written, found: Sequence[Grounds]
) -> bool:
    small = {token.text.casefold() for token in pair}
    if any(small & each.lower for each in found) or pair[0].text.casefold() in openers(one.tongue):
        return True
    keys = key(pair[0].text, one.tongue), key(pair[1].text, one.tongue)
    return any(keys in each.pairs for each in found)


def _words(one: Written, found: Sequence[Grounds]) -> str:
    if not one.says.words:
        return "it has no word that could be looked up"
    if (share := _share(one.says.words, found)) < KNOWN:
        return f"{share:.0%} of its words are in the articles"
    for clause in clauses_of(one.text):  # "but it is no deal": one word in five, and a statement
        words = said(clause, one.tongue).words
        if words and _share(words, found) < HALF:
            return f"nothing there says “{clause.strip()[:60]}”"
    if (share := _together(one.says.words, found)) < TOGETHER:
        return f"no two sentences of the articles have more than {share:.0%} of its words"
    return ""


def _stitched(one: Written, found: Sequence[Grounds]) -> str:
    """What is made one statement of two sentences: each part behind ", and" has most of its words
    in one sentence, and each clause of it half of them in that one. Names may be of others: "she"
    is called by hers. Scripts without blanks are let pass: their words are guesses."""
    if max(one.text) >= _WITHOUT_BLANKS:
        return ""
    lower = frozenset[str]().union(*(each.lower for each in found))
    wholes = [passage.whole.words for each in found for passage in each.passages]
    for part in _PARTS.split(one.text):
        words = _nameless(clause_of(part, one.tongue, lower))
        if len(words) < _LEAST_WORDS:
            continue
        shared = [len(_near(words, whole)) for whole in wholes]
        most = max(shared, default=0)
        if most < ONE * len(words):
            return f"no sentence of the articles has more than {most / len(words):.0%} of a part"
        near = [whole for whole, has in zip(wholes, shared, strict=True) if has == most]
        for clause in clauses_of(part):
            own = _nameless(clause_of(clause, one.tongue, lower))
            if len(own) >= _LEAST_WORDS and all(
                len(_near(own, whole)) < HALF * len(own) for whole in near
            ):
                return f"“{clause.strip()[:60]}” is said in another sentence there"
    return ""


def _share(words: frozenset[str], found: Sequence[Grounds]) -> float:
    known = sum(any(_has(each, word) for each in found) for word in words)
    return known / len(words) if words else 0.0


def _has(each: Grounds, stem: str) -> bool:
    return stem in each.stems or (len(stem) > HEAD and stem[:HEAD] in each.heads)


def _together(words: frozenset[str], found: Sequence[Grounds]) -> float:
    """The share in the two sentences that have most of them."""
    here = [_near(words, passage.whole.words) for each in found for passage in each.passages]
    first = max(here, key=len, default=frozenset())
    second = max((len(other - first) for other in here), default=0)
    return (len(first) + second) / len(words)


def _near(words: frozenset[str], others: frozenset[str]) -> frozenset[str]:
    """Those that others have, also with another ending."""
    heads = {other[:HEAD] for other in others if len(other) > HEAD}
    return frozenset(
        word for word in words if word in others or (len(word) > HEAD and word[:HEAD] in heads)
    )


def _turned(one: Written, found: Sequence[Grounds]) -> str:
    lower = frozenset[str]().union(*(each.lower for each in found))
    clauses = list(clauses_of(one.text))
    for text in clauses:
        clause = clause_of(text, one.tongue, lower)
        negated = flips.negated(text, one.tongue)
        only_names = bool(clause.names) and len(_nameless(clause)) < _LEAST_WORDS
        if only_names and not negated and len(clauses) > 1:  # "Mayor Brandt said:"
            continue
        nearest = _nearest(clause.words, found, HALF)
        if not nearest:
            continue
        if all(flips.negated(other.text, one.tongue) != negated for other in nearest):
            return "it denies what is said there, or the reverse"
        if _surer(text, nearest, one.tongue):
            return "it is sure of what may be so"
        turned = [flips.turned(text, other.text) for other in nearest]
        if all(turned):
            return f"“{turned[0]}” is the opposite of what is said there"
    whole = _nameless(clause_of(one.text, one.tongue, lower))
    same = _nearest_sentences(whole, found, NEARLY_THE_SAME)
    there = max((flips.negations(other.text, one.tongue) for other in same), default=None)
    if there is not None and flips.negations(one.text, one.tongue) > there:
        return "it denies what is not denied there"
    return ""


def _causes(one: Written, found: Sequence[Grounds]) -> str:
    if not flips.gives_cause(one.text, one.tongue):
        return ""
    wholes = [passage.whole for each in found for passage in each.passages]
    if any(
        len(_near(one.says.words, other.words)) >= _LEAST_WORDS
        and flips.gives_cause(other.text, one.tongue)
        for other in wholes
    ):
        return ""
    return "it gives a cause that nobody gives there"


def _quoted_there(one: Written, found: Sequence[Grounds]) -> str:
    """What an article only quotes is somebody's word, and to be told as that."""
    words = one.says.words
    if facts.quotations(one.text) or flips.tells_who_says(one.text, one.tongue):
        return ""

    def most(sets: Iterable[frozenset[str]]) -> float:
        return max((len(_near(words, those)) for those in sets), default=0) / len(words)

    quoted = most(those for each in found for those in each.quoted)
    if quoted >= TOGETHER and most(those for each in found for those in each.told) < HALF:
        return "it tells as a fact what somebody said"
    return ""


def _surer(text: str, nearest: Sequence[Clause], tongue: str) -> bool:
    return not flips.hedged(text, tongue) and all(
        flips.hedged(other.text, tongue) for other in nearest
    )


def _nearest(words: frozenset[str], found: Sequence[Grounds], share: float) -> list[Clause]:
    """The smallest parts of each sentence that have most of some words: this share at least."""
    best: list[tuple[int, Clause]] = []
    for each in found:
        for passage in each.passages:
            parts = (*passage.clauses, passage.whole)
            shared = [len(_near(words, part.words)) for part in parts]
            most = max(shared)
            best.append((most, parts[shared.index(most)]))
    most = max((shared for shared, _part in best), default=0)
    if most == 0 or most < len(words) * share:
        return []
    return [part for shared, part in best if shared == most]


def _swapped_amounts(one: Written, found: Sequence[Grounds]) -> str:
    """A number that counts what another number counts there."""
    known = [
        (amount, _counted(each.text, amount, one.tongue))
        for each in found
        for amount in facts.amounts(each.text)
    ]
    amounts = facts.amounts(one.text)
    if len({each.value for each, _counted in known}) < 2:
        return ""
    for amount in amounts:
        counts = _counted(one.text, amount, one.tongue)
        own = max((len(counts & other) for each, other in known if each.value == amount.value))
        others = [len(counts & other) for each, other in known if each.value != amount.value]
        if max(others, default=0) > own:
            return f"{one.text[amount.begin : amount.end]} counts something else there"
    return ""


def _counted(text: str, amount: facts.Amount, tongue: str) -> frozenset[str]:
    near = _NEAR_WIDE if text[amount.end : amount.end + 1] >= _WITHOUT_BLANKS else _NEAR
    begin, end = max(amount.begin - near, 0), min(amount.end + near, len(text))
    while begin and text[begin - 1].isalpha() and text[begin - 1] < _WITHOUT_BLANKS:
        begin += 1
    while end < len(text) and text[end].isalpha() and text[end] < _WITHOUT_BLANKS:
        end -= 1
    before = _BREAK.split(text[begin : amount.begin])[-1]
    behind = _BREAK.split(text[amount.end : end], maxsplit=1)[0]
    small = [token.text.casefold() for token in facts.tokens(f"{before} {behind}")]
    return said(f"{before} {behind}", tongue).words | harm(small)


def _swapped_names(one: Written, found: Sequence[Grounds]) -> str:
    """A name in the place of another, or two names that have changed places."""
    lower = frozenset[str]().union(*(each.lower for each in found))
    ordered = language(one.tongue) in _ORDERED or not one.tongue
    for text in clauses_of(one.text):
        clause = clause_of(text, one.tongue, lower)
        nearest = _nearest_sentences(_nameless(clause), found, HALF)
        if nearest and all(_another_name(clause, other, one.tongue) for other in nearest):
            return "what it says is said of another name there"
        nameless = _nameless(clause)
        same = _nearest(nameless, found, NEARLY_THE_SAME) if len(nameless) >= _LEAST_WORDS else []
        if same and all(_another_name(clause, other, one.tongue) for other in same):
            return "what it says is said of another name there"
        if nearest and ordered and all(_reversed(clause, other) for other in nearest):
            return "two names have changed places"
    whole = clause_of(one.text, one.tongue, lower)
    nearest = _nearest_sentences(_nameless(whole), found, NEARLY_THE_SAME)
    if nearest and all(_another_name(whole, other, one.tongue) for other in nearest):
        return "another name is in its place there"
    if nearest and ordered and all(_exchanged(whole, other, one.tongue) for other in nearest):
        return "two names have changed places"
    if nearest and all(_another_amount(whole, other) for other in nearest):
        return "another number is in its place there"
    return ""


def _nameless(clause: Clause) -> frozenset[str]:
    return clause.words - {part for name in clause.names for part in (stem(name), name[:8])}


def _nearest_sentences(
    words: frozenset[str], found: Sequence[Grounds], share: float
) -> list[Clause]:
    """Sentences that have most of some words: two at least, and this share of them."""
    wholes = [passage.whole for each in found for passage in each.passages]
    shared = [len(_near(words, one.words)) for one in wholes]
    most = max(shared, default=0)
    if most < max(_LEAST_WORDS, len(words) * share):
        return []
    return [one for one, has in zip(wholes, shared, strict=True) if has == most]


def _another_name(clause: Clause, other: Clause, tongue: str) -> bool:
    """Whether a sentence has a name that the clause lacks, and lacks one that it has.

    In German, whose nouns look like names, only if they share none.
    """
    here, there = set(clause.names), set(other.names)
    if language(tongue) == "de":
        return bool(there) and here.isdisjoint(there)
    return bool(there - here) and bool(here - there)


def _another_amount(one: Clause, other: Clause) -> bool:
    here, there = ({each.value for each in facts.amounts(clause.text)} for clause in (one, other))
    return bool(there - here) and bool(here - there)


def _reversed(one: Clause, other: Clause) -> bool:
    """ "Alpha accused Beta" where Beta accused Alpha; "by" may turn it round again.

    A place or a day may come first: "In Rotterdam, Brandt said".
    """
    first = _PLACE_FIRST.match(one.text)
    names = one.names[len(facts.tokens(first[1])) :] if first else one.names
    here = [name for name in dict.fromkeys(names) if name in other.names]
    there = [name for name in dict.fromkeys(other.names) if name in here]
    passive = len(_PASSIVE.findall(one.text)) - len(_PASSIVE.findall(other.text))
    return passive == 0 and here != there


def _exchanged(one: Clause, other: Clause, tongue: str) -> bool:
    """Whether each of two names stands behind the word that the other stands behind there. What
    was only moved takes the word before it along: "at Rotterdam"."""
    here, there = _words_before(one.text, tongue), _words_before(other.text, tongue)
    return any(
        here[name] == there[second] != here[second] == there[name]
        for name, second in combinations(sorted(here.keys() & there.keys()), 2)
    )


def _words_before(text: str, tongue: str) -> dict[str, str]:
    """The small word before each name, or before the names that it stands among."""
    found: dict[str, str] = {}
    last = ""
    for token in facts.tokens(text):
        small = token.text.casefold()
        if token.capital and small not in openers(tongue):
            found.setdefault(key(token.text, tongue), last)
        else:
            last = small
    return found


Check = Callable[[Written, Sequence[Grounds]], str]
OF_ITSELF: tuple[Check, ...] = (_plain, _orders)
BY_THE_ARTICLES: tuple[Check, ...] = (
    _quotations,
    _amounts,
    _dates,
    _names_known,
    _turned,
    _causes,
    _words,
    _quoted_there,
    _swapped_amounts,
    _swapped_names,
    _stitched,
)
