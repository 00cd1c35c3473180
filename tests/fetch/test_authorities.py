"""Which certificate authorities are trusted, on systems with a list of their own and without."""

from __future__ import annotations

import ssl
from pathlib import Path

import pytest
import trustme

from newsloom.kernel.http.authorities import trusted


def authorities() -> int:
    """How many certificates are in what libcurl is told to trust."""
    found = trusted()
    context = ssl.create_default_context(cafile=found.file, capath=found.folder)
    return context.cert_store_stats()["x509_ca"]


def test_a_system_without_authorities_gets_a_published_list(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "absent.pem"))
    monkeypatch.setenv("SSL_CERT_DIR", str(tmp_path))
    assert authorities() > 50


def test_a_systems_own_list_is_obeyed_even_if_short(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "own.pem"
    trustme.CA().cert_pem.write_to_path(str(own))
    monkeypatch.setenv("SSL_CERT_FILE", str(own))
    monkeypatch.setenv("SSL_CERT_DIR", str(tmp_path / "absent"))
    assert authorities() == 1
