"""`-` is standard input or output, for every command that takes a file."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import commands

OPML = (
    '<opml version="2.0"><body><outline text="Gazette" type="rss" '
    'xmlUrl="https://gazette.test/feed"/></body></opml>'
)
NEWS = [
    {
        "id": str(number),
        "title": f"The {town} council voted on its new {thing}",
        "text": f"The council of {town} met on Monday and voted on the {thing}. " * 20,
        "story": town,
        "rating": 1 + number % 5,
        "label": "like" if number % 2 else "dislike",
    }
    for number, (town, thing) in enumerate(
        (town, thing) for town in ("Corrie", "Vale", "Strand") for thing in ("ferry", "bridge")
    )
]
LINES = "".join(f"{json.dumps(one)}\n" for one in NEWS)
CONLL = "Anna B-PER\nlives O\nin O\nOslo B-LOC\n\n"


def environment(folder: Path) -> dict[str, str]:
    return os.environ | {"NEWSLOOM_STORE_PATH": str(folder / "news.db")}


def fresh(folder: Path, *arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
    """A command of a new interpreter, whose standard streams are pipes."""
    done = subprocess.run(
        [sys.executable, "-m", "newsloom", *arguments],
        env=environment(folder),
        cwd=folder,
        input=given,
        capture_output=True,
        text=True,
        check=False,
    )
    assert not (folder / "-").exists(), "no file is named -"
    assert "Traceback" not in done.stderr
    return done


def newsloom(folder: Path, *arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
    """A forked command whose standard streams are pipes."""
    (stdin, to), (out, stdout), (err, stderr) = os.pipe(), os.pipe(), os.pipe()
    streams = (stdin, stdout, stderr)
    begun = commands.begin(
        *arguments, environment=environment(folder), folder=folder, streams=streams
    )
    for one in streams:
        os.close(one)
    with (
        os.fdopen(to, "w") as writing,
        os.fdopen(out) as printed,
        os.fdopen(err) as said,
        ThreadPoolExecutor(2) as pool,
    ):
        read = [pool.submit(one.read) for one in (printed, said)]
        writing.write(given)
        writing.close()
        results = [one.result() for one in read]
    assert not (folder / "-").exists(), "no file is named -"
    assert "Traceback" not in results[1]
    return subprocess.CompletedProcess(arguments, begun.status(), *results)


def forked(folder: Path, *arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
    """A command whose standard streams are files."""
    return commands.run(*arguments, environment=environment(folder), folder=folder, given=given)


def test_a_list_of_feeds_goes_through_both(tmp_path: Path) -> None:
    assert "1 feeds added" in fresh(tmp_path, "import", "-", given=OPML).stdout
    exported = fresh(tmp_path, "export", "-")
    assert exported.stderr == ""
    assert "https://gazette.test/feed" in exported.stdout
    assert forked(tmp_path, "export").stdout == exported.stdout
    forked(tmp_path, "export", "feeds.opml")
    assert (tmp_path / "feeds.opml").read_text() == exported.stdout
    assert "0 feeds added" in forked(tmp_path, "import", "-", given=exported.stdout).stdout


def test_labels_go_through_both(tmp_path: Path) -> None:
    assert "6 labels and" in newsloom(tmp_path, "import", "-", given=LINES).stdout
    exported = newsloom(tmp_path, "export", "--labels", "-").stdout
    assert len(exported.splitlines()) == len(NEWS)
    (tmp_path / "other").mkdir()
    assert "6 labels and" in forked(tmp_path / "other", "import", "-", given=exported).stdout


def test_a_file_that_is_appended_to_is_not_cut(tmp_path: Path) -> None:
    forked(tmp_path, "import", "-", given=OPML)
    kept = tmp_path / "all.opml"
    kept.write_text("before\n")
    with kept.open("a") as appended:
        streams = (appended.fileno(),) * 3  # nothing is read, and no error is written
        begun = commands.begin(
            "export", "-", environment=environment(tmp_path), folder=tmp_path, streams=streams
        )
        assert begun.status() == 0
    assert kept.read_text().startswith("before\n<?xml")


READING = {
    "eval same-event": (("eval", "same-event", "--articles", "-"), LINES),
    "eval entities": (("eval", "entities", "--conll", "-"), CONLL),
    "eval dedup": (("eval", "dedup", "--articles", "-"), LINES),
    "bench signatures": (("bench", "signatures", "--file", "-", "--rounds", "1"), LINES),
}


@pytest.mark.parametrize(("arguments", "given"), READING.values(), ids=READING)
def test_what_is_measured_is_read_from_there(
    tmp_path: Path, arguments: tuple[str, ...], given: str
) -> None:
    done = newsloom(tmp_path, *arguments, given=given)
    assert done.returncode == 0, done.stderr
    assert done.stdout
    (tmp_path / "file").write_text(given)
    by_name = [one if one != "-" else "file" for one in arguments]
    named = forked(tmp_path, *by_name)
    assert len(named.stdout.splitlines()) == len(done.stdout.splitlines())


@pytest.mark.parametrize(("arguments", "_given"), READING.values(), ids=READING)
def test_what_cannot_be_read_there_is_said(
    tmp_path: Path, arguments: tuple[str, ...], _given: str
) -> None:
    done = forked(tmp_path, *arguments, given="\x00 no such thing\n")
    assert done.returncode == 2
    assert "standard input" in done.stderr


def test_copies_are_made_from_one_into_the_other(tmp_path: Path) -> None:
    done = newsloom(tmp_path, "eval", "dedup", "--make-from", "-", "--out", "-", given=LINES)
    assert done.returncode == 0, done.stderr
    made = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(made) > len(NEWS)
    assert "edited copies" in done.stderr


@pytest.mark.parametrize(
    "words", [["list"], ["search", "tides"], ["stories"], ["feeds"]], ids=" ".join
)
def test_an_empty_list_says_so_beside_the_pipe(tmp_path: Path, words: list[str]) -> None:
    done = forked(tmp_path, *words)
    assert done.stdout == ""
    assert done.stderr.startswith("No")
