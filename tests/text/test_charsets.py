"""Labels of encodings as documents write them, and that nothing else is ever looked for."""

from __future__ import annotations

import codecs
import encodings
import pkgutil

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newsloom.kernel.text.decoding import CODECS, codec_of


@pytest.mark.parametrize(
    ("label", "codec"),
    [
        ("utf-8", "utf-8"),
        ("UTF8", "utf-8"),
        ("unicode-1-1-utf-8", "utf-8"),
        ("iso-8859-1", "cp1252"),
        ("ISO_8859-1:1987", "cp1252"),
        ("latin1", "cp1252"),
        ("l1", "cp1252"),
        ("us-ascii", "cp1252"),
        ("ANSI_X3.4-1968", "cp1252"),
        ("latin_1", "cp1252"),
        ("iso-8859-2", "iso8859-2"),
        ("iso88592", "iso8859-2"),
        ("iso-8859-8-i", "iso8859-8"),
        ("logical", "iso8859-8"),
        ("iso-8859-9", "cp1254"),
        ("latin5", "cp1254"),
        ("iso-8859-11", "cp874"),
        ("tis-620", "cp874"),
        ("windows-874", "cp874"),
        ("x-cp1251", "cp1251"),
        ("koi8-ru", "koi8-u"),
        ("koi8", "koi8-r"),
        ("macintosh", "mac-roman"),
        ("x-mac-ukrainian", "mac-cyrillic"),
        ("gb2312", "gb18030"),
        ("GBK", "gb18030"),
        ("x-gbk", "gb18030"),
        ("big5", "big5hkscs"),
        ("cn-big5", "big5hkscs"),
        ("shift_jis", "cp932"),
        ("x-sjis", "cp932"),
        ("windows-31j", "cp932"),
        ("x-euc-jp", "euc_jp"),
        ("euc-kr", "cp949"),
        ("ks_c_5601-1987", "cp949"),
        ("windows-949", "cp949"),
        ("unicode", "utf-16-le"),
        ("utf-32", "utf-32"),
        ("utf-7", "utf-7"),
        ("ibm850", "cp850"),
        (" Windows-1252 ", "cp1252"),
    ],
)
def test_a_label_means_what_browsers_mean_by_it(label: str, codec: str) -> None:
    assert codec_of(label) == codec


@pytest.mark.parametrize("label", ["", "x-unheard-of", "zip", "idna", "punycode", "rot13", "mbcs"])
def test_what_is_no_encoding_of_documents_is_none(label: str) -> None:
    assert codec_of(label) == ""


@given(st.text(max_size=40))
def test_any_label_is_looked_up(label: str) -> None:
    codec = codec_of(label)
    assert not codec or codecs.lookup(codec).name == codec


def test_every_encoding_of_python_is_known_or_is_none_of_documents() -> None:
    """A new one in Python is to be sorted in: what is not known here can be read by no worker."""
    none = {
        "aliases", "base64_codec", "bz2_codec", "charmap", "hex_codec", "idna", "mbcs", "oem",
        "punycode", "quopri_codec", "raw_unicode_escape", "rot_13", "undefined", "unicode_escape",
        "uu_codec", "zlib_codec",
    }  # fmt: skip
    modules = {one.name for one in pkgutil.iter_modules(encodings.__path__)}
    known = {codec_of(name) for name in modules} - {""}
    assert {name for name in modules if not codec_of(name)} == none
    assert known == {codecs.lookup(name).name for name in CODECS}
