"""Search across spellings, and inside text without spaces: the same on every database."""

from __future__ import annotations

import unicodedata
from itertools import count

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from newsloom.ranking.values.models import PlainText

from .builders import TEXT, add
from .searching import ids, search
from .test_crash import assert_searchable

# What is written, and what is typed to find it. Each finds no other row.
FOUND = {
    "今天下午学生们都很快乐，因为生命科学展览开幕了。": (
        "快乐", "生命科学", "学生们", "科学展览", "展", "开幕了。",
    ),
    "他写了一篇关于长江的文章": ("一篇", "长江的文", "长江", "他写"),
    "日本語を勉強して、寿司を食べます。": ("勉強", "食べます", "寿司を食べ", "ベマス", "司"),
    "ﾄﾖﾀとホンダの自動車": ("トヨタ", "とよた", "ﾎﾝﾀﾞ", "自動車", "ﾖﾀと"),
    "ラーメンを２０２６年に広めた": ("らーめん", "ﾗｰﾒﾝ", "2026年", "２０２６", "年に広めた"),
    "วันนี้อากาศดีมากที่กรุงเทพ": ("อากาศ", "กรุงเทพ", "ดีมาก", "วันนี้"),
    "ນະຄອນຫຼວງວຽງຈັນ": ("ວຽງຈັນ", "ນະຄອນ"),
    "사과는삼성전자가 만들지않는다": ("전자", "삼성전자", "만들지", "않는다"),
    "ရန်ကုန်မြို့တော်": ("ကုန်မြို့", "ရန်ကုန်"),
    "ប្រទេសកម្ពុជា": ("កម្ពុជា", "ប្រទេស"),
    "Die Straße nach Łódź ist gesperrt": ("strasse", "STRASSE", "straße", "lodz", "Łódź", "LODZ"),
    "L’œuvre d’un maître, très déçu": ("oeuvre", "ŒUVRE", "maitre", "decu", "d'un maître"),
    "The E‑mail lists were closed": ("email", "e-mail", "E-MAIL", "e–mail", "“e-mail lists”"),
    "København på Øresund, þing": ("kobenhavn", "oresund", "thing", "pa"),
    "İSTANBUL'DA IŞIKLAR": ("istanbul", "ışıklar", "isiklar", "İstanbul'da"),
    "Ёлка и мой чай": ("елка", "ёлка", "ЁЛКА", "мой"),
    "Đường phố Hà Nội": ("duong", "đường phố", "ha noi"),
    "हिन्दी में समाचार": ("हिन्दी", "समाचार"),
    "كِتَابٌ جديد في مكتبة": ("كتاب", "کتاب", "جدید"),
    "می‌خواهم بروم": ("میخواهم", "می‌خواهم"),
    "שָׁלוֹם עולם": ("שלום", "שָׁלוֹם"),
    "Ｆｕｌｌ－ｗｉｄｔｈ　ＡＢＣ": ("full-width", "fullwidth", "abc", "ＡＢＣ"),
    "The ﬁnest ﬂour": ("finest", "flour", "ﬁnest"),
    "We co\u00adope\u00adrate a\u0301gain": ("cooperate", "again", "ágain"),
    "state-of-the-art mills": ("stateoftheart", "state-of-the-art", "state-of-the-art mills"),
    "AI技術とGPU不足": ("AI技術", "ai", "gpu不足", "術とgpu", "不足"),
    "x=snake_case_name": ("snake", "case_name"),
}  # fmt: skip
# What finds nothing of it.
ABSENT = (
    "乐快", "科学生命", "学生快乐", "勉食", "トタ", "กาศดีก", "자전", "szeged", "lod", "emails",
    '"e-mail closed"', "ha-noi-x", "artmills", "мои", "乐因", "不gpu",
)  # fmt: skip

# The same for phrases and words with hyphens, in as many spellings.
HYPHENS = {
    "Please note: e-mail lists of the bank": (
        '"email lists"', '"note email lists of the"', '"e mail lists"', '"e-mail lists"',
    ),
    "The staff co-operate on-line with all": (
        '"cooperate online"', '"staff cooperate on-line with"', '"co-operate online"',
        '"online with"', '"on line with"', "cooperate online",
    ),
    "A Wi-Fi hotspot, an X-ray and 2026-11-20": (
        '"wifi hotspot"', '"an xray and 2026"', '"a wifi"', '"wi-fi hotspot an xray"', "wifi xray",
        '"xray and 2026-11-20"', "2026-11-20",
    ),
    "Preorder the reelected semifinal": (
        '"pre-order the"', '"re-elected semi-final"', '"the re-elected semifinal"', "pre-order",
    ),
    "確認e-mail: を送る Covid-19 病例": ('"確認email: を送"', '"covid19 病例"', '"る covid-19"'),
    "Der S-Bahn-Hof in Köln-Deutz brennt": ('"sbahnhof in"', '"kolndeutz brennt"'),
    "one two three four five six t-shirt seven": ('"four five six tshirt seven"', '"tshirt seven"'),
}  # fmt: skip
NO_HYPHENS = (
    '"email of"', '"bank email"', '"xray 2026"', '"note lists"', '"online all"', '"wi fi an"',
    '"bahnhof in"', '"all email"', '"20261120"', '"six seven"', '"operate line"',
)  # fmt: skip


def stored(store, feed, *texts):
    """Articles with those texts, the titles in turn."""
    made = add(store, feed, *map(str, range(len(texts))))
    told = zip(made, texts, strict=True)
    store.articles.put_texts(TEXT, [PlainText(one, f"T{one}", it) for one, it in told])
    return made


def test_every_spelling_finds_what_is_written(store, reader, feed):
    made = dict(zip(stored(store, feed, *FOUND), FOUND, strict=True))
    wrong = {}
    for written, typed in FOUND.items():
        for one in typed:
            for text in (one, f"{one} ", f'"{one}"', f"{one} t*"):
                found = [made[it] for it in ids(search(store, reader, text))]
                if found != [written]:
                    wrong[text] = found
    assert wrong == {}
    assert {one: ids(search(store, reader, f"{one} ")) for one in ABSENT} == {
        one: [] for one in ABSENT
    }
    with store.database.write() as connection:
        assert_searchable(connection)


def test_phrases_find_words_with_and_without_hyphens(store, reader, feed):
    made = dict(zip(stored(store, feed, *HYPHENS), HYPHENS, strict=True))
    wanted = {one: [written] for written, typed in HYPHENS.items() for one in typed}
    wanted |= {one: [] for one in NO_HYPHENS}
    found = {one: [made[it] for it in ids(search(store, reader, f"{one} "))] for one in wanted}
    assert {one: it for one, it in found.items() if it != wanted[one]} == {}


def test_titles_are_searched_in_the_same_way(store, reader, feed):
    made = add(store, feed, *map(str, range(len(FOUND))))
    store.articles.put_texts(
        TEXT, [PlainText(one, it, "快乐 text") for one, it in zip(made, FOUND, strict=True)]
    )
    wrong = {}
    for one, (written, typed) in zip(made, FOUND.items(), strict=True):
        found = {it: ids(search(store, reader, f'title:"{it.strip("“”")}"')) for it in typed}
        wrong |= {(written, it): got for it, got in found.items() if got != [one]}
    assert wrong == {}


def test_what_is_taken_out_is_no_more_found(store, reader, feed):
    written = ["快乐的生活", "e-mail lists", "Straße"]
    made = stored(store, feed, *written)
    store.articles.put_texts("text@next", [PlainText(one, "Other", "words") for one in made])
    for typed in ("快乐", "生活", "email", "strasse", "strasse OR email OR 的"):
        assert search(store, reader, typed).rows == ()
    store.articles.put_texts("text@last", [PlainText(made[0], "Again", written[0])])
    assert ids(search(store, reader, "的生")) == [made[0]]
    with store.database.write() as connection:
        assert_searchable(connection)


def test_a_word_among_many_conditions(store, reader, feed):
    """Also where the search asks article by article."""
    made = stored(store, feed, "快乐生活 email", "快乐生活", "e-mail")
    for typed, found in {
        "快乐 email": [made[0]],
        "快乐 -email": [made[1]],
        "-快乐": [made[2]],
        "-生": [made[2]],
        "乐生 OR e-mail": made,
        "is:unread 生": made[:2],
        "乐 OR is:starred": made[:2],
        "is:unread -e-mail": [made[1]],
        "快乐* is:unread": made[:2],
    }.items():
        assert sorted(ids(search(store, reader, typed))) == found, typed


HAN = "快乐生活命科学一篇今天展览文章的了"
KANA = "べます勉強寿司カタカナひらがラーメン"
THAI = "กขคงจชซดตถทนบปพมยรลวสหอะาเแโไใ" + "\u0e34\u0e35\u0e38\u0e48\u0e49"
HANGUL = "삼성전자가나다라마바사아자차"
RUNS = st.one_of(*(st.text(one, min_size=2, max_size=14) for one in (HAN, KANA, THAI, HANGUL)))
NUMBERS = count()
SLOW = (HealthCheck.function_scoped_fixture, HealthCheck.too_slow)


@settings(max_examples=60, suppress_health_check=SLOW, deadline=None)
@given(
    st.data(),
    st.lists(RUNS, min_size=1, max_size=4),
    st.sampled_from(["，", " ", "AI", "2026", "。\n"]),
)
def test_any_part_of_a_run_finds_the_article(store, reader, feed, data, runs, between):
    """Of two characters or more, in the title, the lead and the rest."""
    written = between.join(runs)
    (made,) = add(store, feed, f"{next(NUMBERS)}")
    where = data.draw(st.sampled_from(("title", "lead", "rest")))
    long = "word " * 500 if where == "rest" else ""
    title, told = (written, "x") if where == "title" else ("x", long + written)
    store.articles.put_texts(TEXT, [PlainText(made, title, told)])
    run = data.draw(st.sampled_from(runs))
    start = data.draw(st.integers(0, len(run) - 2))
    part = run[start : data.draw(st.integers(start + 2, len(run)))]
    shapes = (part, unicodedata.normalize("NFD", part), f'"{part}"')
    field = "title:" if where == "title" else ""
    for typed in shapes:
        found = ids(search(store, reader, f"{field}{typed} ", limit=1_000))
        assert made in found, (typed, written)


PAIRS = (
    ("Straße", "strasse"), ("Łódź", "lodz"), ("œuvre", "oeuvre"), ("e-mail", "email"),
    ("e‑mail", "e–mail"), ("ＡＢＣ", "abc"), ("ｶﾞｽ", "がす"), ("カタカナ", "かたかな"),
    ("it’s", "it's"), ("ÉCOLE", "ecole"), ("ﬁn", "fin"), ("ёж", "ЕЖ"), ("کتاب", "كتاب"),
    ("Ø", "o"), ("２０２６", "2026"), ("İzmir", "izmir"), ("naïve", "nai\u0308ve"),
)  # fmt: skip
SPELT = st.lists(st.sampled_from(PAIRS), min_size=1, max_size=4)


@settings(max_examples=30, suppress_health_check=SLOW, deadline=None)
@given(SPELT)
def test_equal_spellings_find_the_same(store, reader, feed, pairs):
    """Whichever of them is stored, and whichever is typed, as words and as a phrase of one."""
    stored_as = [" ".join(one) for one in zip(*pairs, strict=True)]
    made = add(store, feed, *(f"{next(NUMBERS)}" for _ in stored_as))
    told = zip(made, stored_as, strict=True)
    store.articles.put_texts(TEXT, [PlainText(one, "t", it) for one, it in told])
    found = [ids(search(store, reader, f"{typed} ", limit=1_000)) for typed in stored_as]
    assert set(found[0]) == set(found[1])
    assert set(made) <= set(found[0])
