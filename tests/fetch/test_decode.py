"""The bounded decoder: right for what encoders write, a clear end for everything else."""

from __future__ import annotations

import gzip
import zlib

import brotli
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from newsloom.kernel.http.decode import MOST_MEMBERS, RATIO_FLOOR, BoundedDecoder, content_coding
from newsloom.kernel.http.problems import Stopped
from newsloom.kernel.http.values import Failure

TEXT = b"<item><title>News</title></item>" * 400


def _raw_deflate(data: bytes) -> bytes:
    stream = zlib.compressobj(wbits=-15)
    return stream.compress(data) + stream.flush()


ENCODERS = {
    "": lambda data: data,
    "gzip": gzip.compress,
    "deflate": zlib.compress,
    "deflate, raw": _raw_deflate,
    "br": brotli.compress,
}


def decode(coding: str, data: bytes, *, step: int = 1 << 30, most: int = 15_000_000) -> bytes:
    decoder = BoundedDecoder(coding.partition(",")[0], most_bytes=most, most_ratio=200)
    for start in range(0, len(data), step):
        decoder.feed(data[start : start + step])
    return decoder.finish()


def outcome(coding: str, data: bytes, **options: int) -> bytes | Failure:
    try:
        return decode(coding, data, **options)
    except Stopped as stopped:
        return stopped.failure


def failure(coding: str, data: bytes, **options: int) -> Failure:
    with pytest.raises(Stopped) as stopped:
        decode(coding, data, **options)
    return stopped.value.failure


# How gzip and the levels of zlib begin.
COMPRESSED = {b"\x1f\x8b", b"\x78\x01", b"\x78\x9c", b"\x78\xda"}


@pytest.mark.parametrize("coding", ENCODERS)
@given(data=st.binary(max_size=2000), step=st.integers(1, 2000))
def test_round_trip(coding, data, step):
    assume(data[:2] not in COMPRESSED)  # it says by itself that it is encoded
    assert decode(coding, ENCODERS[coding](data), step=step) == data


@pytest.mark.parametrize("coding", ENCODERS)
@pytest.mark.parametrize("step", [1, 1000, 65_536, 1 << 30])
def test_round_trip_of_more_than_one_step(coding, step):
    data = TEXT + bytes(range(256)) * 2000 + bytes(200_000)
    encoded = ENCODERS[coding](data)
    if step > 1 or len(encoded) < 50_000:
        assert decode(coding, encoded, step=step) == data


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br"])
@given(data=st.binary(max_size=500), step=st.integers(1, 100))
def test_any_bytes_end_in_a_body_or_a_failure(coding, data, step):
    came = outcome(coding, data, step=step)
    assert isinstance(came, bytes) or came is Failure.ENCODING


@pytest.mark.parametrize("coding", list(ENCODERS)[1:])
@given(data=st.data())
@settings(max_examples=50)
def test_a_cut_is_noticed_wherever_it_is(coding, data):
    encoded = ENCODERS[coding](TEXT)
    cut = data.draw(st.integers(1, len(encoded) - 1))
    assert failure(coding, encoded[:cut]) is Failure.ENCODING


@given(position=st.integers(0, len(gzip.compress(TEXT)) - 1), bit=st.integers(0, 7))
def test_a_flipped_bit_never_changes_the_text_unnoticed(position, bit):
    encoded = bytearray(gzip.compress(TEXT, mtime=0))
    position %= len(encoded)
    encoded[position] ^= 1 << bit
    # The text still comes out when the bit is one of the header.
    assert outcome("gzip", bytes(encoded)) in (TEXT, Failure.ENCODING)


def test_no_body_at_all():
    assert decode("gzip", b"") == decode("deflate", b"") == decode("br", b"") == b""


def test_gzip_members_are_one_body():
    encoded = gzip.compress(b"one ") + gzip.compress(b"two ") + gzip.compress(b"three")
    for step in (1, 7, 1 << 30):
        assert decode("gzip", encoded, step=step) == b"one two three"


@pytest.mark.parametrize("padding", [b"\0", b"\0" * 600, b"\n", b"junk", b"\x1f", b"\x1fx"])
@pytest.mark.parametrize("step", [1, 1 << 30])
def test_padding_after_gzip_is_ignored(padding, step):
    assert decode("gzip", gzip.compress(TEXT) + padding, step=step) == TEXT


@pytest.mark.parametrize("coding", ["deflate", "deflate, raw"])
def test_padding_after_deflate_is_ignored(coding):
    assert decode(coding, ENCODERS[coding](TEXT) + b"junk") == TEXT


def test_the_second_member_must_be_whole():
    assert failure("gzip", gzip.compress(TEXT) + gzip.compress(TEXT)[:-5]) is Failure.ENCODING


def test_members_are_counted():
    assert decode("gzip", gzip.compress(b"a") * MOST_MEMBERS) == b"a" * MOST_MEMBERS
    assert failure("gzip", gzip.compress(b"a") * (MOST_MEMBERS + 1)) is Failure.ENCODING


@pytest.mark.parametrize("coding", ENCODERS)
def test_the_limit_is_exact(coding):
    data = bytes(range(256)) * 40
    encoded = ENCODERS[coding](data)
    limit = max(len(data), len(encoded))
    assert decode(coding, encoded, most=limit) == data
    assert failure(coding, encoded, most=len(data) - 1) is Failure.TOO_LARGE


def test_a_header_that_contradicts_the_bytes_is_overruled():
    """Whatever a header says of gzip, zlib and text, their own beginnings are clear."""
    documents = [TEXT, b"\xef\xbb\xbf" + TEXT, '{"title": "Новости дня и погода"}'.encode()]
    encoders = {name: encode for name, encode in ENCODERS.items() if name != "br"}
    wrong = [
        (said, really, step, document[:9])
        for document in documents
        for said in ("", "gzip", "deflate", "br")
        for really, encode in encoders.items()
        for step in (1, 20, 1 << 30)
        if really != "deflate, raw" or said == "deflate"
        if not (said == "br" and really == "deflate")
        if outcome(said, encode(document), step=step) != document
    ]
    assert wrong == []


def test_a_coding_that_no_header_names_has_the_same_limits():
    bomb = gzip.compress(bytes(30_000_000))
    assert failure("", bomb) is failure("deflate", bomb) is Failure.ENCODING
    large = gzip.compress(bytes(range(256)) * 400)
    assert failure("", large, most=100_000) is Failure.TOO_LARGE
    assert failure("", gzip.compress(TEXT)[:-5]) is Failure.ENCODING


def test_ratio():
    small = gzip.compress(bytes(RATIO_FLOOR))
    assert decode("gzip", small) == bytes(RATIO_FLOOR)
    assert failure("gzip", gzip.compress(bytes(RATIO_FLOOR + 1))) is Failure.ENCODING


@pytest.mark.parametrize("coding", list(ENCODERS)[1:])
def test_a_bomb_is_left_early(coding):
    """Far below the limit: what counts is how much was unpacked when it stopped."""
    decoder = BoundedDecoder(coding.partition(",")[0], most_bytes=1 << 40, most_ratio=200)
    with pytest.raises(Stopped, match="bomb"):
        decoder.feed(ENCODERS[coding](bytes(30_000_000)))
    assert len(decoder._body.getvalue()) < 8_000_000


@pytest.mark.parametrize(
    ("values", "coding"),
    [
        ([], ""),
        ([""], ""),
        (["identity"], ""),
        (["gzip"], "gzip"),
        (["GZIP "], "gzip"),
        (["x-gzip"], "gzip"),
        (["identity, gzip"], "gzip"),
        (["deflate"], "deflate"),
        (["br"], "br"),
        (["gzip, gzip"], "gzip"),  # a proxy that repeats it; of two layers the second is no feed
        (["gzip", "gzip"], "gzip"),
        (["utf-8"], ""),
        (["aws-chunked"], ""),
        (["none", "8bit"], ""),
        (["aws-chunked, gzip"], "gzip"),
        (["gzip;q=1"], ""),
        (["é\n"], ""),
        (["," * 1000 + "x" * 1000], ""),
    ],
)
def test_content_coding(values, coding):
    assert content_coding(values) == coding


@pytest.mark.parametrize(
    "values",
    [
        ["br,gzip"],
        ["zstd"],
        ["compress"],
        ["utf-8, zstd"],
    ],
)
def test_content_coding_that_was_not_asked_for(values):
    with pytest.raises(Stopped) as stopped:
        decode(content_coding(values), b"\x28\xb5\x2f\xfd\x1f\x9d" * 10)
    assert stopped.value.failure is Failure.ENCODING
    assert stopped.value.words.isprintable()


@given(st.lists(st.text(max_size=30), max_size=4))
def test_any_coding_header_is_judged(values):
    try:
        coding = content_coding(values)
    except Stopped:
        return
    assert coding in {"", "gzip", "deflate", "br"}
