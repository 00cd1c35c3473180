"""A headline reduced to what it says: no "Breaking:", no publisher's name. Decides nothing.

"Live" stays, in every language: a page that goes on is not the report that was made of it.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from newsloom.kernel.text.characters import plain

# Longer than any headline: the longest of 5,430 in real feeds has 206 characters.
LONGEST = 1_000

# What is said of a report, not in it; a sign must follow ("Breaking Bad returns" is no news flash).
_PREFIXES = """
breaking|breaking news|just in|developing|news alert|alert|flash|update|updates|updated|new|icymi
in case you missed it|exclusive|scoop|watch|video|photos|in photos|listen|audio|opinion|analysis
corrected|correction|rpt|refile|wrapup|must read
eilmeldung|eil|exklusiv|aktualisiert|kommentar|urgent|alerte info|alerte|exclusif|exclu|vidéo|vidéos
mise à jour|tribune|última hora|urgente|alerta|exclusiva|exclusivo|vídeo|actualización|opinión
ultim'ora|ultima ora|esclusiva|esclusivo|aggiornamento|plantão|atualização|opinião|net binnen
exclusief|just nu|siste nytt|seneste nyt|senaste nytt|pilne|z ostatniej chwili|wideo|aktualizacja
срочно|молния|видео|эксклюзив|обновлено|терміново|оновлено|відео|son dakika|özel haber
快讯|突发|更新|独家|视频|快訊|突發|獨家|影片|影音|速報|独自|動画|号外|속보|단독|영상|긴급
عاجل|فيديو|حصري|ब्रेकिंग न्यूज़|ब्रेकिंग
"""
_NAMES = "|".join(
    re.escape(unicodedata.normalize("NFKC", name).casefold())
    for name in sorted(_PREFIXES.strip().replace("\n", "|").split("|"), key=len, reverse=True)
)
# "Update:", "BREAKING | ", "Exclusive - ", "[Video] ", "【速報】", "UPDATE 1-", "🔴 Breaking!".
_PREFIX = re.compile(
    rf"[^\w(\[【]*(?:(?:{_NAMES})(?: \d+)?\s*(?:[:|!]|[-–—]\s|(?<= \d)-|(?<=rpt)-|(?<=refile)-)"
    rf"|[(\[【](?:{_NAMES})[)\]】])\s*"
)
_SUFFIX = re.compile(r"(.*\S)\s+(?:[-–—|·•»]|::)\s+(\S.*)")

# Of sources that carry what others wrote under their names; anyone else's is told by its address.
_PUBLISHERS = frozenset(
    """
abc news|afp|agence france presse|al jazeera|al jazeera english|ansa|ap|ap news|ars technica
associated press|axios|bbc|bbc com|bbc news|bbc sport|bloomberg|bloomberg com|business insider
buzzfeed news|cbc news|cbs news|cnbc|cnn|cnn com|cnn politics|daily mail|daily mail online
der spiegel|deutsche welle|dpa|dw|dw com|efe|el mundo|el país|euronews|faz net|financial times
forbes|fortune|fox business|fox news|france 24|gizmodo|google news|guardian|hacker news|huffpost
insider|la repubblica|le figaro|le monde|los angeles times|mail online|marketwatch|medium|msn
msnbc|nbc news|newsweek|new york post|new york times|npr|nytimes com|pbs newshour|politico|reddit
reuters|reuters com|rtl|rt|sky news|south china morning post|spiegel online|süddeutsche de
tagesschau|tagesschau de|techcrunch|the atlantic|the economist|the epoch times|the guardian|the hill
the hindu|the independent|the new york times|the new yorker|the telegraph|the times
the times of india|the verge|the wall street journal|the washington post|time|times of india
upi|usa today|vox|wall street journal|washington post|washington times|wired|wsj|xinhua
yahoo|yahoo finance|yahoo news|youtube|zdf|zeit online|zdnet
""".strip().replace("\n", "|").split("|")
)  # fmt: skip
# A news search puts the publisher behind every title.
_SEARCHES = frozenset(("google.com", "news.google.com"))
_LONGEST_NAME = 5  # words of a publisher's name
# What an address may leave out of a name.
_ARTICLES = ("the", "der", "die", "das", "le", "la", "les", "el", "los", "il", "lo", "de")
_ENDINGS = ("news", "online", "com", "net", "org", "co", "uk", "us", "tv")
_OPTIONAL = frozenset((*_ARTICLES, *_ENDINGS))

# Letters of scripts that set no blanks between words.
UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")


def headline(title: str, publishers: Sequence[str] = ()) -> str:
    """Its normal words, two at least where it has more; `publishers` are domains or names."""
    text = unicodedata.normalize("NFKC", plain(title[:LONGEST])).casefold()
    while (match := _PREFIX.match(text)) and _says_enough(text[match.end() :]):
        text = text[match.end() :]
    return normal_title(without_publisher(text, publishers))[:LONGEST].rstrip()


def without_publisher(title: str, publishers: Sequence[str] = ()) -> str:
    """As it is written, less what follows a dash or bar at its end and names who published it.

    Two words at least stay; `publishers` are domains or names.
    """
    text = title[:LONGEST]
    while (match := _SUFFIX.fullmatch(text)) and _says_enough(match[1]):
        if not _is_publisher(normal_title(match[2]), tuple(publishers)):
            break
        text = match[1]
    return text


def _says_enough(text: str) -> bool:
    words = normal_title(text)
    # Four letters without blanks say as much as two words.
    return " " in words or len(UNSPACED.findall(words)) >= 4


@lru_cache(maxsize=1024)
def _is_publisher(name: str, publishers: tuple[str, ...]) -> bool:
    words = name.split()
    if not words or len(words) > _LONGEST_NAME:
        return False
    return name in _PUBLISHERS or any(_is_called(words, one.casefold()) for one in publishers)


def _is_called(words: Sequence[str], publisher: str) -> bool:
    """Whether it is a publisher's name: "The New York Times" is that of nytimes.com."""
    if publisher in _SEARCHES:
        return True
    label = re.sub(r"[\W_]", "", _plain(publisher.split(".")[0]))
    parts = [re.escape(_plain(word)) for word in words]
    pattern = "".join(
        f"(?:{part}|{part[0]})?" if word in _OPTIONAL else f"(?:{part}|{part[0]})"
        for word, part in zip(words, parts, strict=True)
    )
    whole = "".join(map(_plain, words))
    return bool(label) and (
        whole in (label, re.sub(r"[\W_]", "", _plain(publisher)))
        or (len(words) > 1 and re.fullmatch(pattern, label) is not None)
    )


def _plain(text: str) -> str:
    """Without accents, as an address has it."""
    return "".join(
        one for one in unicodedata.normalize("NFD", text) if not unicodedata.combining(one)
    )


_NOT_WORDS = re.compile(r"[\W_]+")


def normal_title(title: str) -> str:
    """A title as its words: no case, no punctuation, no difference of width or accents' encoding.

    A title of nothing but signs ("???", "🎉") stays what it is: two of those are not the same.
    """
    folded = unicodedata.normalize("NFKC", plain(title)).casefold()
    return _NOT_WORDS.sub(" ", folded).strip() or " ".join(folded.split())


def content_hash(title: str, seen: str) -> str:
    """One value for what a reader sees; `seen` is what newsloom.kernel.text.html.visible makes of a
    body.

    White space, markup, attributes (sizes, advertising parameters, timestamps in them), comments,
    scripts, pictures and addresses change nothing; a word, a figure or a punctuation mark does.
    """
    heading = "".join(plain(title).split())
    return hashlib.blake2b(
        f"{heading}\n{seen}".encode(errors="replace"), digest_size=16
    ).hexdigest()
