"""Small feeds for tests: whole ones, to be damaged by the test that uses them."""

from __future__ import annotations

from pathlib import Path

SAMPLES = Path(__file__).parent / "samples"
URL = "https://feeds.test/a/feed.xml"


def sample(name: str) -> bytes:
    return (SAMPLES / name).read_bytes()


def rss(*items: str, declaration: str = '<?xml version="1.0" encoding="utf-8"?>') -> str:
    body = "\n".join(f"<item>{item}</item>" for item in items)
    return (
        f'{declaration}\n<rss version="2.0"><channel><title>Weather</title>\n'
        f"<link>https://weather.test/</link>\n{body}\n</channel></rss>\n"
    )


def numbered(count: int) -> str:
    """A feed of that many whole articles, with accents, entities and CDATA."""
    return rss(
        *(
            f"<title>Régime {number} &amp; more</title>\n"
            f"<link>https://weather.test/{number}</link>\n"
            f"<guid>https://weather.test/{number}</guid>\n"
            f"<pubDate>Sun, {number % 28 + 1:02} Nov 2026 10:00:00 GMT</pubDate>\n"
            f"<description><![CDATA[<p>Été numéro {number}, wind < 5 & rain.</p>]]></description>\n"
            for number in range(count)
        )
    )


def titled(title: str) -> bytes:
    """An RSS feed of one article, with the title as it stands in the XML."""
    return rss(f"<title>{title}</title><link>https://weather.test/1</link>").encode()


def atom_titled(title: str, kind: str) -> bytes:
    return (
        f'<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>1</id>'
        f'<title type="{kind}">{title}</title></entry></feed>'
    ).encode()


def said_to_be(title: str, says: str, encoded: str) -> bytes:
    """A feed of one article, in one encoding, that says it is in another, or nothing."""
    declaration = f'<?xml version="1.0" encoding="{says}"?>' if says else ""
    return rss(f"<title>{title}</title>", declaration=declaration).encode(encoded)


def in_encoding(codec: str) -> tuple[bytes, str]:
    """A feed in that encoding, and the title of its article, with letters that are not ASCII."""
    letters = "".join(one for one in "éüßñøжшюДЩαβωابתשกขあア漢字한글" if _is_in(one, codec))
    title = f"News {letters}".strip()
    if codec.startswith("mac"):  # Python would take the "<" of right-to-left texts
        text = said_to_be(title, codec, "utf-8").decode()
        return b"".join(one.encode("ascii" if one.isascii() else codec) for one in text), title
    return said_to_be(title, codec, codec), title


def _is_in(letter: str, codec: str) -> bool:
    try:
        return letter.encode(codec).decode(codec) == letter
    except UnicodeError:
        return False
