"""What every table is made with: the one catalogue, names of constraints, usual columns."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Column, ForeignKey, Integer, MetaData, Text

from newsloom.store.columns import Id

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def words(name: str) -> Column[str]:
    return Column(name, Text, nullable=False, server_default="")


def count(name: str) -> Column[int]:
    return Column(name, Integer, nullable=False, server_default="0")


def ref(name: str, target: str, **more: Any) -> Column[int]:
    return Column(name, Id, ForeignKey(target), nullable=False, **more)
