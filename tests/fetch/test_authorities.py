"""Which certificate authorities are trusted, on systems with a list of their own and without."""

from __future__ import annotations

from pathlib import Path

import pytest
import trustme

from newsloom.fetch.authorities import trusted


def test_a_system_without_authorities_gets_a_published_list(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "absent.pem"))
    monkeypatch.setenv("SSL_CERT_DIR", str(tmp_path))
    assert trusted().context().cert_store_stats()["x509_ca"] > 50


def test_a_systems_own_list_is_obeyed_even_if_short(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "own.pem"
    trustme.CA().cert_pem.write_to_path(str(own))
    monkeypatch.setenv("SSL_CERT_FILE", str(own))
    monkeypatch.setenv("SSL_CERT_DIR", str(tmp_path / "absent"))
    assert trusted().context().cert_store_stats()["x509_ca"] == 1
