"""Who signs a text: a table of how agencies do, and of how they are only mentioned."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from newsloom.duplicates.syndication import AGENCIES, KINDS, PRESS, SYNDICATE, WIRE, agency

REST = (
    "Ministers agreed on a plan on Saturday after a week of talks.\n\n"
    "It will be put to a vote in the coming days, officials said."
)
LONG = f"{REST}\n\n" * 20

BEGINS = {
    "Reuters": ("LONDON (Reuters) - ", "Reuters"),
    "Reuters with a date": ("DUBAI, Feb 17 (Reuters) - ", "Reuters"),
    "Reuters of two towns": ("WASHINGTON/NEW YORK (Reuters) – ", "Reuters"),
    "Reuters without a town": ("(Reuters) - ", "Reuters"),
    "Reuters under a byline": ("By Jane Doe and Max Moe\nGENEVA, Feb 17 (Reuters) - ", "Reuters"),
    "AP": ("WASHINGTON (AP) — ", "AP"),
    "AP of a state": ("MADISON, Wis. (AP) -- ", "AP"),
    "AP under a caption": (
        "The president speaks on Tuesday. (AP Photo/Jane Doe)\n\nWASHINGTON (AP) — ",
        "AP",
    ),
    "AP as a line": ("Jane Doe\n\nAssociated Press\n\nTORONTO – ", "AP"),
    "AP by": ("By The Associated Press\n\n", "AP"),
    "AP by a writer": ("By Jane Doe, Associated Press\n\n", "AP"),
    "AP of old": ("By JANE DOE Associated Press\n", "AP"),
    "AFP": ("Paris (AFP) – ", "AFP"),
    "AFP colon": ("TEHRAN (AFP): ", "AFP"),
    "dpa": ("Berlin (dpa) - ", "dpa"),
    "dpa of a desk": ("Hannover (dpa/lni) - ", "dpa"),
    "two": ("KIEW (dpa/AFP) - ", "AFP/dpa"),
    "EFE": ("Madrid, 21 nov (EFE).- ", "EFE"),
    "ANSA": ("(ANSA) - ROMA, 21 NOV - ", "ANSA"),
    "Lusa": ("Lisboa, 21 nov 2026 (Lusa) – ", "Lusa"),
    "Belga": ("BRUSSEL 21/11 (BELGA) = ", "Belga"),
    "APA": ("Wien (APA) - ", "APA"),
    "NTB": ("Oslo (NTB): ", "NTB"),
    "TASS": ("MOSCOW, November 21. /TASS/. ", "TASS"),
    "TASS in Russian": ("МОСКВА, 21 ноября. /ТАСС/. ", "TASS"),
    "RIA": ("МОСКВА, 21 ноя - РИА Новости. ", "RIA"),
    "Xinhua": ("BEIJING, Nov. 21 (Xinhua) -- ", "Xinhua"),
    "Xinhua in Chinese": ("新华社北京11月21日电 ", "Xinhua"),
    "Kyodo": ("TOKYO (Kyodo) -- ", "Kyodo"),
    "Kyodo in Japanese": ("【ワシントン共同】", "Kyodo"),
    "Yonhap": ("SEOUL, Nov. 21 (Yonhap) -- ", "Yonhap"),
    "Yonhap in Korean": ("(서울=연합뉴스) ", "Yonhap"),
    "PTI": ("New Delhi, Nov 21 (PTI): ", "PTI"),
    "ANI": ("New Delhi [India], November 21 (ANI): ", "ANI"),
    "UPI": ("Nov. 21 (UPI) -- ", "UPI"),
    "Bloomberg": ("(Bloomberg) -- ", "Bloomberg"),
    "Bernama": ("KUALA LUMPUR, Nov 21 (Bernama) -- ", "Bernama"),
    "short names in datelines": ("ANKARA (AA) - ", "Anadolu"),
    "PR Newswire": ("NEW YORK, Nov. 21, 2026 /PRNewswire/ -- ", "PR Newswire"),
    "Business Wire": ("SAN FRANCISCO--(BUSINESS WIRE)--", "Business Wire"),
    "GlobeNewswire": ("TORONTO, Nov. 21, 2026 (GLOBE NEWSWIRE) -- ", "GlobeNewswire"),
    "a picture": ("A farmer in his field. (Jane Doe/Reuters)\n\n", ""),
    "a picture and a dash": ("A farmer in his field (Jane Doe/Reuters) - ", ""),
    "a picture's agency": ("The minister. (AP Photo/Jane Doe)\n\n", ""),
    "a picture, as radio says it": ("toggle caption Jane Doe/AP Jane Doe/AP\n\n", ""),
    "an abbreviation explained": ("The Associated Press (AP) - a news agency - said: ", ""),
    "one in a sentence": ("He sued the well known news agency of Paris (AFP) - and won. ", ""),
    "quoted": ("The minister told Reuters on Tuesday: ", ""),
    "reported": ("Reuters reported on Tuesday - and AFP too: ", ""),
    "a person of the name": ("Michael Bloomberg speaks. ", ""),
    "another acronym": ("Use the AP (access point) - it is faster. ", ""),
    "a programme's name": ("Ansible Automation Platform (AAP) is a tool. ", ""),
    "another network": ("NEW YORK (CNN) - ", ""),
    "a speaker's initials": ("Ann Poe (AP): I am well, thank you. ", ""),
    "either and or": ("Yes/no/maybe - ", ""),
}

ENDS = {
    "Reuters, its desk": (
        "\n\n(Reporting by Jane Doe in London; Writing by Max Moe; Editing by A. B.)",
        "Reuters",
    ),
    "Reuters, more of them": ("\n(Additional reporting by Jane Doe; Editing by A. B.)", "Reuters"),
    "AP, its writers": (
        "\n\n___\n\nAssociated Press writers Jane Doe and Max Moe contributed to this report.",
        "AP",
    ),
    "AP, a business writer": ("\n\nAP Business Writer Jane Doe contributed to this report.", "AP"),
    "AP, its rights": ("\n\nCopyright 2026 The Associated Press. All rights reserved.", "AP"),
    "AP, both signs": ("\n\n© Copyright 2026 The Associated Press. All rights reserved.", "AP"),
    "AFP, its right": ("\n\n© 2026 AFP", "AFP"),
    "AFP, the year last": ("\n\n© Agence France-Presse 2026", "AFP"),
    "Bloomberg": ("\n\n©2026 Bloomberg L.P.", "Bloomberg"),
    "last line": ("\n\nReuters", "Reuters"),
    "last line with a dash": ("\n\n– AFP", "AFP"),
    "last word": (" — AFP", "AFP"),
    "last word in brackets": (" (dpa)", "dpa"),
    "two last": ("\n\nAFP, Reuters", "AFP/Reuters"),
    "Ritzau": ("\n\n/ritzau/", "Ritzau"),
    "German sources": ("\n\nQuelle: ntv.de, mau/dpa", "dpa"),
    "The Canadian Press": (
        "\n\nThis report by The Canadian Press was first published Nov. 21, 2026.",
        "Canadian Press",
    ),
    "The Conversation": (
        "\n\nThis article is republished from The Conversation under a licence.",
        "The Conversation",
    ),
    "compiled": ("\n\nThis article compiled from Associated Press content.", "AP"),
    "contributed": ("\n\nThe Associated Press contributed to this report.", ""),
    "contributing": ("\n\nContributing: The Associated Press", ""),
    "with a staff": ("\n\nContributing: Jane Doe, USA TODAY; Associated Press", ""),
    "quoted": ('\n\n"It is a disaster," a driver told Reuters.', ""),
    "according": ("\n\nHe will resign, according to AFP.", ""),
    "a picture's right": ("\n\nImage copyright AFP Image caption The minister", ""),
    "a picture's source": ("\n\nImage source, Reuters", ""),
    "a paper's right": ("\n\nCopyright © 2026 The Example Times, LLC.", ""),
    "sources of its own": ("\n\nSource: Example News and news agencies", ""),
    "a word that ends alike": ("\n\nHe filled in the map", ""),
}

AUTHORS = {
    "Reuters": ("Reuters", "Reuters"),
    "Reuters Staff": ("Reuters Staff", "Reuters"),
    "The Associated Press": ("The Associated Press", "AP"),
    "by": ("By Jane Doe, Associated Press", "AP"),
    "in brackets": ("Jane Doe (AP)", "AP"),
    "two": ("AFP | Reuters", "AFP/Reuters"),
    "two the other way": ("Reuters | AFP", "AFP/Reuters"),
    "slash": ("dpa/AFP", "AFP/dpa"),
    "and": ("Reuters and AFP", "AFP/Reuters"),
    "with a paper": ("Reuters,EL PAÍS", "Reuters"),
    "with a writer": ("AFP with Jane Doe", "AFP"),
    "helped by": ("Jane Doe with AFP", ""),
    "in German": ("Max Mustermann mit dpa", ""),
    "agency of Spain": ("Agencia EFE", "EFE"),
    "PA": ("PA Media", "PA"),
    "a person": ("Jane Doe", ""),
    "a person named so": ("Paul Reuters-Moe", ""),
    "initials": ("AA", ""),
    "agencies": ("Agencies", ""),
    "nobody": ("", ""),
}


@pytest.mark.parametrize(("begins", "name"), BEGINS.values(), ids=BEGINS.keys())
def test_how_a_text_begins(begins: str, name: str) -> None:
    assert agency("", f"{begins}{REST}") == name
    assert agency("", f"{begins}{LONG}") == name


@pytest.mark.parametrize(("ends", "name"), ENDS.values(), ids=ENDS.keys())
def test_how_a_text_ends(ends: str, name: str) -> None:
    assert agency("", f"{REST}{ends}") == name
    assert agency("", f"{LONG.strip()}{ends}\n") == name


@pytest.mark.parametrize(("author", "name"), AUTHORS.values(), ids=AUTHORS.keys())
def test_who_an_author_is(author: str, name: str) -> None:
    assert agency(author, REST) == name


def test_the_author_goes_before_the_text() -> None:
    assert agency("AFP", f"LONDON (Reuters) - {REST}") == "AFP"
    assert agency("Jane Doe", f"LONDON (Reuters) - {REST}") == "Reuters"


def test_what_stands_in_the_middle_signs_nothing() -> None:
    assert agency("", f"{LONG}\n\nLONDON (Reuters) - {LONG}") == ""


def test_the_table_is_in_order() -> None:
    assert {one.kind for one in AGENCIES} == {WIRE, PRESS, SYNDICATE}
    assert KINDS["Reuters"] == WIRE
    assert KINDS["Business Wire"] == PRESS
    names: dict[str, str] = {}
    for one in AGENCIES:
        assert "/" not in one.name
        assert bool(one.signs) == bool(one.marks)
        for name in one.names.split("|"):
            assert names.setdefault(name, one.name) == one.name


@given(st.text(), st.text())
@example("", "(" * 5_000)
@example("", "/" * 5_000)
@example("", "© " * 5_000)
@example("|" * 5_000, "Reporting by " * 500 + "Editing by")
@example("", "\ud800 (AP) - x")
def test_any_text_has_an_answer(author: str, text: str) -> None:
    found = agency(author, text)
    assert set(found.split("/")) <= {*KINDS, ""}


def test_it_signs_a_long_text_as_fast_as_a_short_one() -> None:
    head, tail = "LONDON (Reuters) - ", "\n\n© 2026 AFP"
    assert agency("", f"{head}{'word ' * 1_000_000}") == "Reuters"
    assert agency("", f"{'word ' * 1_000_000}.{tail}") == "AFP"


def test_real_wire_copy(shared: Path) -> None:
    """Datelines counted another way; the real texts are Reuters' and AP's, mostly."""
    file = shared / "data" / "stories" / "allsides_fulltext.jsonl"
    rows = map(json.loads, file.read_text(encoding="utf-8").splitlines())
    dateline = re.compile(r"[A-Z][^()\n]{0,60}\((Reuters|AP|AFP)\) ?[-–—]")
    dated = [(match[1], row["text"]) for row in rows if (match := dateline.match(row["text"]))]
    assert len(dated) > 100
    assert all(agency("", text) == name for name, text in dated)
