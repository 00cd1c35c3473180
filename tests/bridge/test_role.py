"""The role's SQL grants what is asked for and no more."""

from __future__ import annotations

import re

import pytest

from newsloom.bridges.ttrss.check import SENSITIVITIES, rights, role_sql
from newsloom.kernel.settings import TtrssSettings


def granted(sql: str) -> set[tuple[str, str, str]]:
    """Every (table, column, right) of its GRANTs; "*" for all columns."""
    found = set()
    for what, table in re.findall(
        r"^GRANT (.*?) ON (\w+) TO newsloom;", sql, re.MULTILINE | re.DOTALL
    ):
        for right, columns in re.findall(
            r"(SELECT|INSERT|UPDATE)\s*(?:\((.*?)\))?", what, re.DOTALL
        ):
            names = [one.strip() for one in columns.split(",")] if columns else ["*"]
            found |= {(table, name, right) for name in names}
    return found


@pytest.mark.parametrize("titles", [False, True])
@pytest.mark.parametrize("sensitivity", [False, True])
def test_it_grants_exactly_what_check_asks_for(titles: bool, sensitivity: bool) -> None:
    settings = TtrssSettings(mark_titles=titles, sensitivity_table=sensitivity)
    needed = {
        (table, "*" if table == "time_sensitivity" else column, right)
        for table, column, right in rights(settings)
    }
    assert granted(role_sql(titles=titles, sensitivity=sensitivity)) == needed


def test_no_password_is_readable() -> None:
    columns = {column for _table, column, _right in rights(TtrssSettings(mark_titles=True))}
    assert not {one for one in columns if "pass" in one or "pwd" in one or "otp" in one}
    assert set(SENSITIVITIES).isdisjoint({"password"})


def test_each_part_is_whole_sql() -> None:
    sql = role_sql(titles=True, sensitivity=True)
    assert sql.count("BEGIN;") == sql.count("COMMIT;") == 1
    assert "part:" not in sql
