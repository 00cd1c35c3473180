"""Pages of spoken briefs: states, the sound in ranges, forms without scripts, hostile words."""

from __future__ import annotations

import html
import io
import json
import re
import threading
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from newsloom.accounts.service import exporting
from newsloom.app.reader import Reader
from newsloom.briefs.values import BriefId, BriefWish, Pronunciation
from newsloom.briefs.voices.installing import PiperFile
from newsloom.kernel.errors import UserError
from newsloom.reading.values.reading import EventKind
from web.conftest import Visitor
from web.spoken import HOSTILE, Spoken, spoken
from web.world import World


@pytest.fixture
def here(world: World, tmp_path: Path) -> tuple[World, Visitor, Spoken]:
    made = spoken(world, tmp_path / "sound")
    return world, Visitor(world, spoken=made.actions), made


def test_the_list_says_how_each_is(here):
    world, visitor, made = here
    world.store.briefs.set_heard(world.user, made.heard, 12.0, world.now)
    page = visitor.get("/briefs").text
    assert re.findall(r'class="listen" href="/briefs/(\d+)"', page) == [
        str(one) for one in (made.waiting, made.heard, made.failed, made.old)
    ]
    assert "Creating the audio." in page
    assert "No audio." in page
    assert "deleted because of its age" in page
    assert "0:18 left" in page
    assert '<progress value="12" max="30"' in page
    assert 'hx-get="/briefs/list"' in page, "it looks again while one waits"
    world.store.briefs.drop_brief(world.user, made.waiting)
    assert 'hx-get="/briefs/list"' not in visitor.get("/briefs/list").text


def test_a_brief_is_read_and_heard_without_scripts(here):
    _world, visitor, made = here
    page = visitor.get(f"/briefs/{made.heard}").text
    assert (
        f'<audio id="sound" controls preload="metadata" src="/briefs/{made.heard}/sound.mp3"'
        in page
    )
    assert f'href="/briefs/{made.heard}/sound.mp3#t=3.0">The pilots redrew' in page
    assert f'<a href="/articles/{made.articles[0]}"' in page
    assert "written by <bdi>writer</bdi>" in page
    assert "It has the articles in English alone." in page
    assert f'/briefs/{made.heard}/sound.opus?save=1" download>' in page
    assert 'hx-get="/briefs/' not in page
    waiting = visitor.get(f"/briefs/{made.waiting}").text
    assert f'hx-get="/briefs/{made.waiting}/state"' in waiting
    assert "The pilots redrew" in waiting
    for number in (made.waiting, made.failed, made.old):
        silent = visitor.get(f"/briefs/{number}").text
        assert "<audio" not in silent
        assert "sound.mp3" not in silent
    assert visitor.get("/briefs/99").status_code == 404


def test_the_export_of_a_person_has_the_sound_of_their_briefs(here):
    world, visitor, made = here
    kept = world.store.briefs.brief(world.user, made.heard).sound.files
    answer = visitor.get("/account/export")
    with zipfile.ZipFile(io.BytesIO(answer.content)) as packed:
        assert packed.testzip() is None
        named = [
            file["name"]
            for row in json.loads(packed.read("tables/briefs.json"))
            for file in (row["sound"] or {"files": []})["files"]
        ]
        assert sorted(named) == sorted(one.name for one in kept)
        for one in kept:
            file = made.actions.folder / one.name
            assert packed.read(f"briefs/{one.name}") == file.read_bytes()
    sounds = made.actions.folder
    (sounds / kept[1].name).write_bytes(bytes(5 << 20))
    pieces = exporting.archive(world.store, world.user, b"", sounds)
    assert max(map(len, pieces)) < 1 << 20, "piece by piece"
    (sounds / kept[0].name).unlink()
    answer = visitor.get("/account/export")
    with zipfile.ZipFile(io.BytesIO(answer.content)) as packed:
        assert packed.testzip() is None
        assert [one for one in packed.namelist() if one.startswith("briefs/")] == [
            f"briefs/{one.name}" for one in kept[1:]
        ]


def test_what_publishers_wrote_is_only_words(here):
    _world, visitor, made = here
    for path in ("/briefs", *(f"/briefs/{one}" for one in (made.heard, made.failed, made.waiting))):
        page = visitor.get(path).text
        assert "<script>alert" not in page
        assert html.escape("<script>alert(1)</script>") in page or path == "/briefs"
    assert "alert(1)" in HOSTILE


def test_the_state_is_told_until_its_sound_is_there(here):
    _world, visitor, made = here
    assert "Creating the audio" in visitor.get(f"/briefs/{made.waiting}/state").text
    for number in (made.heard, made.failed):
        assert visitor.get(f"/briefs/{number}/state").headers["hx-refresh"] == "true"


def test_sound_is_had_whole_and_in_parts(here):
    _world, visitor, made = here
    path, whole = (
        f"/briefs/{made.heard}/sound.mp3",
        (made.actions.folder / f"brief-{made.heard}.mp3").read_bytes(),
    )
    answer = visitor.get(path)
    assert (answer.status_code, answer.content) == (200, whole)
    assert answer.headers["content-type"] == "audio/mpeg"
    assert answer.headers["accept-ranges"] == "bytes"
    assert "content-disposition" not in answer.headers
    tag = answer.headers["etag"]
    some = visitor.get(path, range="bytes=100-199")
    assert (some.status_code, some.content) == (206, whole[100:200])
    assert some.headers["content-range"] == f"bytes 100-199/{len(whole)}"
    last = visitor.get(path, **{"range": "bytes=-10", "if-range": tag})
    assert (last.status_code, last.content) == (206, whole[-10:])
    changed = visitor.get(path, **{"range": "bytes=0-9", "if-range": '"other"'})
    assert (changed.status_code, len(changed.content)) == (200, len(whole))
    beyond = visitor.get(path, range=f"bytes={len(whole)}-")
    assert beyond.status_code == 416
    assert beyond.headers["content-range"] == f"bytes */{len(whole)}"
    head = visitor.ask("HEAD", path)
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["content-length"] == str(len(whole))
    kept = visitor.get(path + "?save=1").headers["content-disposition"]
    assert kept.startswith("attachment;")
    assert visitor.get(f"/briefs/{made.heard}/sound.opus").headers["content-type"] == "audio/ogg"
    for missing in (f"/briefs/{made.heard}/sound.wav", f"/briefs/{made.old}/sound.mp3"):
        assert visitor.get(missing).status_code == 404
    (made.actions.folder / f"brief-{made.heard}.mp3").unlink()
    gone = visitor.get(path)
    assert gone.status_code == 404
    assert "deleted" in gone.text


def test_no_file_outside_the_folder_is_given(here, tmp_path):
    _world, visitor, made = here
    secret = tmp_path / "secret"
    secret.write_text("secret")
    file = made.actions.folder / f"brief-{made.heard}.mp3"
    file.unlink()
    file.symlink_to(secret)
    assert visitor.get(f"/briefs/{made.heard}/sound.mp3").status_code == 404


def test_where_one_stopped_is_kept(here):
    world, visitor, made = here
    path = f"/briefs/{made.heard}/heard"
    assert visitor.post(path, {"seconds": "7.5"}).status_code == 204
    assert visitor.get(path).json() == {"seconds": 7.5}
    assert 'data-begin-at="7.5"' in visitor.get(f"/briefs/{made.heard}").text
    visitor.post(path, {"seconds": "80000"})
    assert visitor.get(path).json() == {"seconds": 30.0}, "no more than there is"
    assert 'data-begin-at="0.0"' in visitor.get(f"/briefs/{made.heard}").text, (
        "from the start again"
    )
    for wrong in ("-1", "nan", "x", "", "1e9"):
        assert visitor.post(path, {"seconds": wrong}).status_code == 400
    assert (
        visitor.post(path, {"seconds": "1"}, **{"sec-fetch-site": "cross-site"}).status_code == 403
    )
    assert world.store.briefs.heard(world.user, made.heard) == 30.0


def test_an_article_is_marked_through_the_brief(here):
    world, visitor, made = here
    path, first = f"/briefs/{made.heard}/marks", made.articles[0]
    answer = visitor.post(path, {"article": str(first), "kind": "like"})
    assert answer.headers["location"] == f"/briefs/{made.heard}?did=like&n=1#source-{first}"
    with world.store.database.read() as connection:
        via = connection.exec_driver_sql("SELECT via FROM events WHERE kind = 'like'").scalar()
    assert via == "brief"
    assert 'aria-pressed="true"' in visitor.get(f"/briefs/{made.heard}").text
    answer = visitor.htmx(path, {"article": str(first), "kind": "star"})
    assert f'id="tools-{first}"' in answer.text
    assert "Starred" in answer.text
    (event,) = world.reader().undo("test")
    assert (event.kind, event.article_id) == (EventKind.STAR, first)
    others = next(one.id for one in world.listed() if one.id not in made.articles)
    for article, kind, status in (
        (others, "like", 404), ("x", "like", 404), (first, "opened", 400), (first, "", 400),
    ):  # fmt: skip
        answer = visitor.post(path, {"article": str(article), "kind": kind})
        assert answer.status_code == status


def test_one_is_made_now_and_its_trouble_is_said(here):
    world, _visitor, made = here
    asked, go_on = [], threading.Event()

    def make(reader, wish, zone):
        asked.append((reader.user, wish, zone))
        assert go_on.wait(60)
        if len(asked) > 1:
            raise UserError("No voice speaks Korean.")
        return ()

    visitor = Visitor(world, spoken=replace(made.actions, make=make))
    form = {"language": "de", "second": "en", "minutes": "5", "voice": "espeak"}
    answer = visitor.post("/briefs", form)
    assert answer.headers["location"] == "/briefs?did=briefing"
    assert "Writing your brief" in visitor.get("/briefs/list").text
    assert visitor.post("/briefs", form).headers["location"] == "/briefs?did=busy"
    go_on.set()
    told(visitor, "There is nothing new")
    visitor.post("/briefs", {"language": "ko", "second": "ko"})
    told(visitor, "No voice speaks Korean.")
    wish = BriefWish(("de", "en"), 5, {"de": "espeak", "en": "espeak"})
    assert asked == [(world.user, wish, "UTC"), (world.user, BriefWish(("ko",), 10), "UTC")]


def told(visitor: Visitor, words: str, path: str = "/briefs/list") -> None:
    """Look again, as the page does, until it says so."""
    for _ in range(600):
        if words in visitor.get(path).text:
            return
        threading.Event().wait(0.05)
    raise AssertionError(words)


@pytest.mark.parametrize("form", [
    {"language": "xx"}, {"minutes": "0"}, {"minutes": "61"}, {"minutes": "ten"},
    {"voice": "piper:/etc/passwd"},
])  # fmt: skip
def test_what_nobody_offered_is_refused(here, form):
    _world, visitor, _made = here
    answer = visitor.post("/briefs", form)
    assert answer.status_code == 400
    assert 'role="alert"' in answer.text


def test_a_brief_is_deleted_with_its_files(here):
    world, visitor, made = here
    assert visitor.post(f"/briefs/{made.heard}/drop").headers["location"] == "/briefs?did=forgotten"
    assert world.store.briefs.brief(world.user, made.heard) is None
    assert list(made.actions.folder.iterdir()) == []
    assert visitor.post(f"/briefs/{made.heard}/drop").status_code == 404


def test_pronunciations_are_kept_and_taken_back(here):
    world, visitor, _made = here
    path = "/briefs/pronunciations"
    form = {"written": "Nvidia", "spoken": "en vidia", "language": "en"}
    assert visitor.post(path, form).headers["location"] == "/briefs/settings?did=pronounced"
    assert world.store.briefs.pronunciations(world.user) == (
        Pronunciation("Nvidia", "en vidia", "en"),
    )
    assert "<bdi>Nvidia</bdi>" in visitor.get("/briefs/settings").text
    for wrong in ({"written": ""}, {"spoken": " "}, {"language": "xx"}, {"written": "x" * 81}):
        assert visitor.post(path, form | wrong).status_code == 400
    assert visitor.post(path + "/drop", {"written": "Nvidia", "language": "en"}).status_code == 303
    assert visitor.post(path + "/drop", {"written": "Nvidia", "language": "en"}).status_code == 404
    assert world.store.briefs.pronunciations(world.user) == ()


def test_schedules_are_made_and_ended(here):
    world, visitor, _made = here
    form = {
        "days": ["monday", "tuesday", "wednesday", "thursday", "friday"], "time": "06:30",
        "language": "en", "second": "de", "minutes": "10", "zone": "Europe/Berlin",
        "mail": "ann@example.org",
    }  # fmt: skip
    answer = visitor.post("/briefs/schedules", form)
    assert answer.headers["location"] == "/notifications?did=scheduled"
    (plan,) = world.store.briefs.schedules(world.user)
    assert (plan.at, plan.weekdays, plan.zone) == (390, (0, 1, 2, 3, 4), "Europe/Berlin")
    assert plan.wish == BriefWish(("en", "de"), 10)
    page = visitor.get("/notifications").text
    assert "Monday to Friday at 06:30: 10 minutes in English and in German" in page
    for wrong in ({"time": "25:00"}, {"zone": "Nowhere"}, {"days": ["noday"]}, {"mail": "x"}):
        assert visitor.post("/briefs/schedules", form | wrong).status_code == 400
    assert visitor.post(f"/briefs/schedules/{plan.id}/drop").status_code == 303
    assert visitor.post(f"/briefs/schedules/{plan.id}/drop").status_code == 404


def test_a_podcast_gets_a_secret_address_another_and_none(here):
    _world, visitor, _made = here
    path = "/briefs/podcast"

    def address() -> str:
        found = re.search(r'data-url="([^"]*)"', visitor.get("/briefs/settings").text)
        return found[1] if found else ""

    assert address() == ""
    visitor.post(path, {"language": "de", "do": "make"})
    first = address()
    assert re.fullmatch(r"http://localhost:8765/podcasts/[\w-]{32}/feed\.xml", first)
    visitor.post(path, {"language": "de", "do": "new"})
    assert address() not in {"", first}
    visitor.post(path, {"language": "de", "do": "end"})
    assert address() == ""
    assert visitor.post(path, {"language": "../x", "do": "make"}).status_code == 400


def test_words_are_heard_as_they_will_be_spoken(here):
    world, _visitor, made = here
    asked = []

    def hear(*given: object) -> bytes:
        asked.append(given)
        return b"RIFF"

    visitor = Visitor(world, spoken=replace(made.actions, hear=hear))
    answer = visitor.post("/briefs/hear", {"text": "Nvidia", "language": "de"})
    assert (answer.content, answer.headers["content-type"]) == (b"RIFF", "audio/wav")
    assert asked == [(world.user, "Nvidia", "de")]
    for wrong in ({"text": ""}, {"text": "x", "language": "../x"}):
        assert visitor.post("/briefs/hear", wrong).status_code == 400


def test_a_sound_that_failed_is_made_again(here):
    _world, visitor, made = here
    path = f"/briefs/{made.failed}"
    assert "Retry audio" in visitor.get(path).text
    assert visitor.post(path + "/again").headers["location"] == f"{path}?did=speaking"
    assert "Creating the audio" in visitor.get(path).text
    for one in (made.heard, made.old):
        answer = visitor.post(f"/briefs/{one}/again")
        assert answer.headers["location"] == f"/briefs/{one}?did=nothing"


def test_programs_list_hear_make_and_remove_briefs(here: tuple[World, Visitor, Spoken]) -> None:
    world, _visitor, made = here
    wishes: list[BriefWish] = []

    def make(_reader: Reader, wish: BriefWish, _zone: str) -> tuple[BriefId, ...]:
        wishes.append(wish)
        return (BriefId(1),)

    visitor = Visitor(world, spoken=replace(made.actions, make=make))
    api, sent = "/api/v1/briefs", {"content-type": "application/json"}
    first = visitor.get(f"{api}?limit=1").json()
    second = visitor.get(f"{api}?limit=100&after={first['next']}").json()
    states = {one["id"]: one["state"] for one in [*first["items"], *second["items"]]}
    assert (states[made.heard], states[made.failed]) == ("ready", "failed")
    assert second["next"] is None
    whole = visitor.get(f"{api}/{made.heard}").json()
    lines = [one for chapter in whole["chapters"] for one in chapter["sentences"]]
    assert all(one["end"] > one["begin"] for one in lines)
    known = {one["id"] for one in whole["sources"]}
    assert all(set(one["articles"]) <= known for one in lines)
    assert {one["url"] for one in whole["sources"]} != {""}
    mp3, opus = whole["sound"]
    assert (mp3["type"], opus["type"]) == ("audio/mpeg", "audio/ogg")
    response = visitor.get(mp3["url"])
    assert (len(response.content), response.headers["content-type"]) == (mp3["bytes"], "audio/mpeg")
    part = visitor.get(mp3["url"], range="bytes=0-9")
    assert (part.status_code, part.content) == (206, response.content[:10])
    assert visitor.get(f"{api}/{made.waiting}").json()["sound"] == []
    for path in (f"{api}/{made.waiting}/sound/mp3", f"{api}/987654", f"{api}/987654/sound/mp3"):
        assert visitor.get(path).status_code == 404
    for wanted, status in (
        ({"languages": ["en", "de"], "minutes": 5}, 202),
        ({"languages": ["en", "de", "fr"]}, 400),
        ({"languages": ["xx"]}, 400),
        ({"minutes": 99}, 400),
        ({"voice": "piper:/etc/passwd"}, 400),
    ):
        answer = visitor.ask("POST", api, content=json.dumps(wanted), headers=sent)
        assert answer.status_code == status, answer.text
    assert wishes[:1] in ([], [BriefWish(("en", "de"), 5)])
    gone = f"{api}/{made.heard}"
    assert visitor.ask("DELETE", gone, headers=sent).status_code == 204
    assert visitor.get(gone).status_code == 404
    assert not (made.actions.folder / f"brief-{made.heard}.mp3").exists()


def test_a_natural_voice_is_offered_and_installed(world: World, tmp_path: Path) -> None:
    begun, release, there = [], threading.Event(), []
    known = PiperFile("de_DE-thorsten-medium", "de", "medium", 63, "CC0")

    def install(name: str) -> str:
        begun.append(name)
        release.wait(60)
        if len(begun) == 1:
            raise UserError("host not found")
        there.append(replace(known, file=tmp_path / "x.onnx"))
        return f"{name} installed."

    actions = replace(
        spoken(world, tmp_path / "sound").actions,
        piper_voices=lambda: tuple(there or [known]),
        install=install,
    )
    visitor = Visitor(world, spoken=actions)
    page = visitor.get("/briefs/settings").text
    assert "German: de_DE-thorsten-medium, 63 MB, CC0" in page
    for wrong in ("", "/etc/passwd", "x.onnx"):
        assert visitor.post("/admin/voices", {"name": wrong}).status_code == 400
    form = {"name": known.name}
    assert visitor.post("/admin/voices", form).headers["location"].endswith("?did=voice")
    assert visitor.post("/admin/voices", form).headers["location"].endswith("?did=busy")
    page = visitor.get("/briefs/settings/voices").text
    assert "Installing a voice" in page
    assert 'hx-get="/briefs/settings/voices"' in page
    release.set()
    told(visitor, "host not found", "/briefs/settings/voices")
    assert "hx-get" not in visitor.get("/briefs/settings/voices").text
    visitor.post("/admin/voices", form)
    told(visitor, "de_DE-thorsten-medium installed.", "/briefs/settings/voices")
    page = visitor.get("/briefs/settings").text
    assert 'action="/admin/voices"' not in page
    assert 'value="piper:de_DE-thorsten-medium"' in visitor.get("/briefs").text
    assert begun == [known.name] * 2
