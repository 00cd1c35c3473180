"""Headlines without what is only said of them; what looks like it and is not stays."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsloom.kernel.text.headlines import LONGEST, headline, normal_title

CASES = {
    "breaking": ("Breaking: Fire in the harbour", "fire in the harbour"),
    "breaking news and a dash": ("BREAKING NEWS - Fire in the harbour", "fire in the harbour"),
    "update": ("Update: Fire in the harbour", "fire in the harbour"),
    "updated in brackets": ("[Updated] Fire in the harbour", "fire in the harbour"),
    "numbered update of an agency": ("UPDATE 2-Fire in the harbour", "fire in the harbour"),
    "repeat of an update": ("RPT-UPDATE 1-Fire in the harbour", "fire in the harbour"),
    "in case you missed it": ("ICYMI: Fire in the harbour", "fire in the harbour"),
    "exclusive": ("EXCLUSIVE | Fire in the harbour", "fire in the harbour"),
    "opinion": ("Opinion | The harbour must go", "the harbour must go"),
    "several": ("🔴 BREAKING: Video: Fire in the harbour", "fire in the harbour"),
    "German": ("Eilmeldung: Brand im Hafen", "brand im hafen"),
    "Spanish": ("ÚLTIMA HORA | Incendio en el puerto", "incendio en el puerto"),
    "French": ("URGENT - Incendie au port", "incendie au port"),
    "Italian": ("Ultim'ora: incendio nel porto", "incendio nel porto"),
    "Russian": ("Срочно! Пожар в порту", "пожар в порту"),
    "Japanese, in brackets": ("【速報】港で大規模火災が発生", "港で大規模火災が発生"),
    "Chinese, wide colon": ("快讯：港口发生大火", "港口发生大火"),
    "Korean": ("[속보] 항구에서 큰 불", "항구에서 큰 불"),
    "Arabic": ("عاجل: حريق في الميناء", "حريق في الميناء"),
    "no sign behind it": ("Breaking Bad returns to the screen", None),
    "a compound": ("Video-sharing site grows", None),
    "an update in the middle": ("Windows update: what is new", None),
    "nothing else": ("Breaking:", "breaking"),
    "one word left": ("Update: Fire", "update fire"),
    "live stays": ("Live: Fire in the harbour", "live fire in the harbour"),
    "live stays in French": ("EN DIRECT : Incendie au port", "en direct incendie au port"),
    "known publisher": ("Fire in the harbour - BBC News", "fire in the harbour"),
    "known publisher, bar": ("Fire in the harbour | The Guardian", "fire in the harbour"),
    "known publisher, long dash": ("Fire in the harbour — Reuters", "fire in the harbour"),
    "two of them": ("Fire in the harbour - BBC News - YouTube", "fire in the harbour"),
    "only the last part": ("Fire - a harbour burns | CNN", "fire a harbour burns"),
    "unknown publisher": ("Fire in the harbour - the night it came", None),
    "section": ("Fire in the harbour | Politics", None),
    "a hyphen is no dash": ("Fire in the harbour-Reuters", None),
    "one word would stay": ("Harbour - BBC News", None),
    "only the publisher": ("BBC News", None),
    "signs": ("???", "???"),
    "nothing": ("", ""),
}  # fmt: skip


@pytest.mark.parametrize(("title", "expected"), CASES.values(), ids=CASES.keys())
def test_headline(title, expected):
    assert headline(title) == (normal_title(title) if expected is None else expected)


OWN = {
    "one word": ("Reuters", "reuters.com", True),
    "with the article": ("The Economist", "economist.com", True),
    "article in the address": ("The Guardian", "theguardian.com", True),
    "initials and a word": ("The Daily Lighthouse", "dlighthouse.test", True),
    "initials": ("Harbour Morning Herald", "hmh.com.au", True),
    "accents": ("El Faro Única", "elfarounica.es", True),
    "German article": ("DIE LATERNE", "laterne.de", True),
    "news behind it": ("KXQ News", "kxq.co.uk", True),
    "the address itself": ("lighthouse.example", "lighthouse.example", True),
    "the name itself": ("Lighthouse Weekly", "Lighthouse Weekly", True),
    "hyphen in the address": ("Harbour Post", "harbour-post.de", True),
    "an initial is no name": ("Apple", "ap.org", False),
    "half of it": ("Harbour", "harbourpost.de", False),
    "another's": ("The Daily Lighthouse", "harbourpost.de", False),
    "a sentence": ("and he saw that all was well", "lighthouse.test", False),
    "a news search": ("Any Small Paper", "google.com", True),
    "no source": ("Any Small Paper", "", False),
}


@pytest.mark.parametrize(("name", "source", "taken"), OWN.values(), ids=OWN.keys())
def test_a_source_is_known_by_its_address(name, source, taken):
    found = headline(f"Fire in the old harbour | {name}", (source,))
    assert (found == "fire in the old harbour") == taken


@given(st.text(max_size=60), st.sampled_from(("", "bbc.co.uk", ".", "ß.de", "-")))
def test_words_stay_words(title, source):
    found = headline(title, (source,))
    assert set(found.split()) <= set(normal_title(title).split())
    assert bool(found) == bool(normal_title(title))
    assert headline(found, (source,)) == found


HOSTILE = {
    "long": "a" * 5_000_000,
    "prefixes": "Breaking: " * 100_000,
    "suffixes": "Fire in the harbour" + " - BBC News" * 100_000,
    "dashes": " - " * 100_000,
    "characters that grow": "ﷺ" * 100_000,
    "lone surrogate": "Breaking: \ud800 news of it",
    "NUL": "Breaking:\x00 fire in harbour",
}


@pytest.mark.parametrize("title", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile(title):
    assert len(headline(title, ("bbc.co.uk",))) <= LONGEST
